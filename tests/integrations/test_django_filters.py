"""Tests of django-filter, which chooses filters for URL fields and reads any text."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from django.http import QueryDict
from django_filters.filters import CharFilter
from django_filters.filterset import FilterSet
from django_filters.rest_framework.filterset import FilterSet as RestFilterSet
from rest_framework.test import APIClient

from django_whatwg_url.integrations.django_filters import (
    CanonicalURLFilter,
    RegistrableDomainFilter,
)
from tests.integrations.restapp.models import Hook, Page, Saved

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.integrations.restapp.views")]

SECRET = "s3cret"
URLS = [
    "https://example.com/",
    "https://example.com/docs/a?b=1,2",
    "https://www.example.com:8080/docs",
    "https://bücher.example/café",
    "http://127.0.0.1/",
]
EVERY_LOOKUP = [
    *["exact", "iexact", "in", "isnull", "gt", "gte", "lt", "lte", "range"],
    *["contains", "icontains", "startswith", "istartswith", "endswith", "iendswith"],
    *["under", "typed", "holds"],
    *["scheme", "username", "host", "hostname", "port", "path", "query", "fragment", "origin"],
    *["host__in", "host__under", "hostname__under", "path__under", "path__startswith"],
    *["port__in", "port__gt", "port__range", "host__isnull", "scheme__in", "host__iexact"],
    *["host__gt", "host__range", "scheme__lt", "origin__gte", "path__range", "query__in"],
    *["query_params__has", "query_params__b", "query_params__b__in", "query_params__b__isnull"],
]


class Filters(FilterSet):
    """Filters for some lookups."""

    class Meta:
        model = Page
        fields: ClassVar[Any] = {
            "url": [
                *["exact", "host", "host__under", "under", "origin", "typed", "holds", "port"],
                *["path__under", "in", "isnull", "query_params__has", "query_params__b"],
            ],
            "title": ["exact"],
            "site": ["exact"],
            "host": ["exact"],
            "canonical": ["host"],
        }


class AllFilters(FilterSet):
    """Filters whose lookups are in a dict, with all lookups."""

    class Meta:
        model = Page
        fields: ClassVar[Any] = {
            "url": EVERY_LOOKUP,
            "site": ["exact", "in", "iexact", "contains", "isnull"],
            "host": ["exact", "in", "under", "startswith"],
        }


class ParamFilters(FilterSet):
    """Filters for a column that stores a param."""

    class Meta:
        model = Saved
        fields: ClassVar[Any] = {"item": ["exact", "in", "startswith", "isnull"]}


class RelatedFilters(FilterSet):
    """Filters for a URL of a related model."""

    class Meta:
        model = Hook
        fields: ClassVar[Any] = {
            "page__url": ["exact", "host__under", "query_params__b", "path__under"],
            "page": ["exact"],
        }


@pytest.fixture(autouse=True)
def pages() -> None:
    """Create the rows."""
    for url in URLS:
        Page.objects.create(url=url, canonical=url)


def made(kind: Any, *arguments: Any) -> Any:
    """Return a filter set. The package itself has no types."""
    return kind(*arguments)


def filters_of(filter_set: Any) -> dict[str, Any]:
    """Return the filters of a class, by name."""
    return dict(filter_set.base_filters)


def found(query: str | dict[str, str], filters: type[Any] = Filters) -> list[str]:
    """Return the host and path of each URL that a query finds. The query has no errors."""
    data: Any = QueryDict(query) if isinstance(query, str) else query
    filter_set = filters(data, Page.objects.order_by("pk"))
    assert filter_set.is_valid(), filter_set.errors
    return [f"{page.url.host}{page.url.path_text}" for page in filter_set.qs]


def refused(query: dict[str, str], filters: type[Any] = Filters) -> dict[str, list[str]]:
    """Return the codes of the errors of a query, which show no password."""
    filter_set = filters(query, Page.objects.all())
    assert not filter_set.is_valid(), query
    assert SECRET not in str(filter_set.errors)
    list(filter_set.qs)
    return {
        name: [error.code for error in errors]
        for name, errors in filter_set.errors.as_data().items()
    }


@pytest.mark.parametrize(
    ("name", "value", "paths"),
    [
        ("url", "HTTPS://EXAMPLE.com:443", ["example.com/"]),
        ("url", "https://Bücher.example/café", ["xn--bcher-kva.example/caf%C3%A9"]),
        ("url", "ftp://example.com/", []),
        ("url", "", "all"),
        ("url__host", "Example.COM", ["example.com/", "example.com/docs/a"]),
        ("url__host", "bücher.example", ["xn--bcher-kva.example/caf%C3%A9"]),
        ("url__host", "0x7f.1", ["127.0.0.1/"]),
        ("url__port", "8080", ["www.example.com/docs"]),
        ("url__under", "https://example.com/docs", ["example.com/docs/a"]),
        ("url__origin", "https://www.example.com:8080/", ["www.example.com/docs"]),
        ("url__origin", "null", []),
        ("url__typed", "example.com", ["example.com/"]),
        ("url__typed", "nope", []),
        ("url__typed", "//", []),
        ("url__holds", "BÜCHER", ["xn--bcher-kva.example/caf%C3%A9"]),
        ("url__path__under", "/docs", ["example.com/docs/a", "www.example.com/docs"]),
        ("url__isnull", "true", []),
        ("site", "Example.com", ["example.com/", "example.com/docs/a", "www.example.com/docs"]),
        ("host", "EXAMPLE.com", ["example.com/", "example.com/docs/a"]),
        ("canonical__host", "127.1", ["127.0.0.1/"]),
        ("url__query_params__has", "b", ["example.com/docs/a"]),
        ("url__query_params__has", "a", []),
        ("url__query_params__b", "1,2", ["example.com/docs/a"]),
        ("url__query_params__b", "1", []),
    ],
)
def test_a_filter_takes_every_spelling(name: str, value: str, paths: list[str] | str) -> None:
    """Each filter is chosen by its name in the list."""
    everything = found("")
    assert found({name: value}) == (everything if paths == "all" else paths)


def test_subdomains_are_found_below_their_host() -> None:
    """The lookup is ``url__host__under``."""
    assert len(found({"url__host__under": "EXAMPLE.com"})) == 3


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("url", "nope", "missing-scheme-non-relative-URL"),
        ("url", "https://", "host-missing"),
        ("url", f"https://me:{SECRET}@exa mple/", "domain-to-ASCII"),
        ("url", "https://example.com/" + "a" * 10_000_000, "max_length"),
        ("url__host", "exa mple.com", "invalid"),
        ("url__host", f"me:{SECRET}@exa mple.com", "invalid"),
        ("url__host__under", "a b", "invalid"),
        ("url__under", "nope", "missing-scheme-non-relative-URL"),
        ("url__under", "mailto:me@example.com", "opaque-path"),
        ("url__origin", "nope", "missing-scheme-non-relative-URL"),
        ("url__port", "nope", "invalid"),
        ("url__port", "65536", "max_value"),
        ("url__port", "-1", "min_value"),
        ("url__port", "9" * 5000, "invalid"),
        ("url__in", "https://a.example/,https://", "host-missing"),
        ("url__typed", "a\0b", "null_characters_not_allowed"),
        ("url__holds", "a" * 10_000_000, "max_length"),
        ("site", "no domain", "invalid"),
        ("site", "127.0.0.1", "invalid"),
        ("host", "a b", "invalid"),
        ("url__query_params__b", "é" * 501, "invalid"),
        ("url__query_params__has", "é" * 501, "invalid"),
        ("url__query_params__b", "a\0b", "null_characters_not_allowed"),
    ],
)
def test_text_that_cannot_be_looked_up_is_an_error_of_the_form(
    name: str, value: str, code: str
) -> None:
    """The error has the standard's name as its code, if there is one."""
    assert refused({name: value}) == {name: [code]}


def test_several_urls_may_hold_commas() -> None:
    """A single value is split at commas before a scheme. Several values are not split."""
    one, two = URLS[1], URLS[2]
    assert len(found({"url__in": f"{one},{two}"})) == 2
    assert len(found(f"url__in={one}&url__in={two}")) == 2
    assert len(found(f"url__in={one}")) == 1
    assert len(found("url__in=")) == len(URLS)
    assert found("url__host__in=example.com,127.1", AllFilters) == [
        "example.com/",
        "example.com/docs/a",
        "127.0.0.1/",
    ]
    assert found("url__port__in=8080,1", AllFilters) == ["www.example.com/docs"]


def test_every_lookup_has_a_filter_and_takes_any_text() -> None:
    """Any text finds rows or is an error of the form."""
    names = list(filters_of(AllFilters))
    assert len(names) == len(EVERY_LOOKUP) + 9
    texts = [
        "nope",
        "https://",
        "a b",
        "\ud800",
        "\0",
        "%",
        "\\",
        "[",
        ",",
        ",,",
        "null",
        "1" * 400,
    ]
    texts += [
        "1" * 400,
        "mailto:me",
        "é",
        "_" * 3000,
        "data:,x",
        "//a",
        ":",
        "1e400",
        "NaN",
        "0",
        " ",
        "1,2",
    ]
    valid = 0
    for name, each in filters_of(AllFilters).items():
        # A form of one field, since a thousand of them are made.
        one = type("One", (FilterSet,), {name: each})
        for text in texts:
            data = QueryDict(mutable=True)
            data[name] = text
            filter_set = one(data, Page.objects.all())
            if filter_set.is_valid():
                valid += 1
                list(filter_set.qs)
            else:
                assert set(filter_set.errors) == {name}
    assert 300 < valid < len(names) * len(texts)


def test_a_filter_is_declared_as_any_other() -> None:
    """The options of a filter are passed to its form field."""

    class Declared(FilterSet):
        host = CanonicalURLFilter(field_name="url", lookup_expr="host__under", label="Site")
        url = CanonicalURLFilter(assume_scheme="https")
        domain = RegistrableDomainFilter(field_name="site")
        url__host = CharFilter(field_name="title")  # type: ignore[no-untyped-call]

        class Meta:
            model = Page
            fields: ClassVar[Any] = {"url": ["exact", "host"], "host": ["exact"]}

    assert len(found({"host": "example.com"}, Declared)) == 3
    assert found({"url": "example.com"}, Declared) == ["example.com/"]
    assert len(found({"domain": "example.com"}, Declared)) == 3
    assert found({"url__host": "example.com"}, Declared) == []
    assert refused({"host": "a b", "url": "//"}, Declared) == {
        "host": ["invalid"],
        "url": ["host-missing"],
    }


def test_a_class_may_choose_another_filter() -> None:
    """``filter_overrides`` has precedence, as for every field."""

    class Own(FilterSet):
        class Meta:
            model = Page
            fields: ClassVar[Any] = ["canonical"]
            filter_overrides: ClassVar[Any] = {
                type(Page._meta.get_field("canonical")): {"filter_class": CharFilter}
            }

    assert type(filters_of(Own)["canonical"]) is CharFilter


def test_a_related_model_can_be_filtered() -> None:
    """The relation itself may be by URL."""
    page = Page.objects.get(url=URLS[2])
    hook = Hook.objects.create(page=page)
    for query in [
        {"page__url": "https://WWW.example.com:8080/docs"},
        {"page__url__host__under": "example.com"},
        {"page__url__query_params__b": "", "page__url__path__under": "/docs"},
        {"page": "https://WWW.example.com:8080/docs"},
    ]:
        filter_set = made(RelatedFilters, query, Hook.objects.all())
        assert filter_set.is_valid(), filter_set.errors
        assert list(filter_set.qs) == [hook]
    filter_set = made(RelatedFilters, {"page": "nope"}, Hook.objects.all())
    assert not filter_set.is_valid()


def test_a_column_of_a_param_is_filtered_as_text() -> None:
    """A whole value may have any length. Pieces are only found in values that are stored whole."""
    long = "l" * 300
    for value in ("caf%C3%A9+1", "2", long):
        Saved.objects.create(url=f"https://example.com/?id={value}", person="Ada")
    Saved.objects.create(url="https://example.com/", person="Ada")
    for query, count in (
        ("item=caf%C3%A9+1", 1),
        (f"item={long}", 1),
        (f"item__in=2,{long}", 2),
        ("item__startswith=caf", 1),
        ("item__startswith=l", 0),
        ("item__isnull=true", 1),
        ("item=a%00", None),
    ):
        filter_set = made(ParamFilters, QueryDict(query), Saved.objects.all())
        assert filter_set.is_valid() is (count is not None)
        assert count is None or filter_set.qs.count() == count


def test_the_form_can_be_shown() -> None:
    """It shows the values that were sent."""
    html = made(Filters, {"url": "https://bücher.example/", "url__in": "a:b,c:d"}).form.as_p()
    assert 'value="https://bücher.example/"' in html
    assert 'value="a:b,c:d"' in html
    assert 'type="url" name="url"' in html


# With Django REST framework.


def test_a_view_answers_with_400_or_with_no_rows() -> None:
    """``filterset_fields`` may be a list or a dict."""
    client = APIClient()
    answer = client.get("/pages/", {"url": "nope"})
    assert answer.status_code == 400
    assert list(answer.json()) == ["url"]
    assert answer.data["url"][0].code == "missing-scheme-non-relative-URL"
    assert client.get("/pages/", {"url__host": "a b"}).status_code == 400
    assert client.get("/pages/", {"url__typed": "nope"}).json() == []
    assert len(client.get("/pages/", {"url__host__under": "example.com"}).json()) == 3
    assert client.get("/hooks/", {"anything__in": "nope"}).status_code == 400
    assert client.get("/hooks/", {"anything__host__in": "a.example,b.example"}).json() == []
    html = client.get("/pages/", {"url": "https://a.example"}, HTTP_ACCEPT="text/html")
    assert b'value="https://a.example"' in html.content


def test_the_schema_says_what_each_filter_takes() -> None:
    """Filters take a URL, a number, a list, a boolean or text."""
    schema = APIClient().get("/schema/", {"format": "json"}).json()
    parameters = {
        parameter["name"]: parameter["schema"]
        for path in ("/pages/", "/hooks/")
        for parameter in schema["paths"][path]["get"]["parameters"]
    }
    uri = {"type": "string", "format": "uri"}
    assert parameters["url"] == parameters["url__under"] == uri
    assert parameters["url__host"] == parameters["url__typed"] == {"type": "string"}
    assert parameters["url__port"] == {"type": "integer", "minimum": 0, "maximum": 65535}
    assert parameters["anything__in"] == {"type": "array", "items": uri}
    assert parameters["anything__isnull"] == {"type": "boolean"}


def test_rest_framework_has_the_same_filters() -> None:
    """The filter set of its own class has a second table of filters."""

    class Rest(RestFilterSet):
        class Meta:
            model = Page
            fields: ClassVar[Any] = {"url": ["exact", "host"]}

    assert {type(each) for each in filters_of(Rest).values()} == {CanonicalURLFilter}


def test_pieces_are_found_with_their_letter_case() -> None:
    """SQLite ignores the case by default, but here it does not."""
    assert found({"url__path__startswith": "/docs"}, AllFilters) == [
        "example.com/docs/a",
        "www.example.com/docs",
    ]
    for lookup in ("path__startswith", "contains"):
        assert found({f"url__{lookup}": "/Docs"}, AllFilters) == []


def test_inputs_for_urls_and_their_parts_are_for_typing_urls() -> None:
    """They run from left to right, use a keyboard for URLs, and do not cut pasted text."""
    filters: Any = Filters
    form = filters({}).form
    for name in ("url", "url__host", "url__host__under", "url__under", "url__holds", "site"):
        html = str(form[name])
        assert 'dir="ltr"' in html and 'inputmode="url"' in html, name
        assert 'spellcheck="false"' in html and "maxlength" not in html, name
    assert "dir=" not in str(form["url__query_params__b"])  # in the language of a person
