"""Tests of the scalar, filters and mutations for strawberry-django."""

from __future__ import annotations

from typing import Any, Final

import pytest
import strawberry
import strawberry_django
from strawberry import auto

from tests.integrations.linksapp.models import Link
from tests.integrations.restapp.models import Page
from weburl import URLRecord

pytestmark = pytest.mark.django_db

SECRET: Final = "s3cret"


@strawberry_django.filter_type(Link, lookups=True)
class LinkFilter:
    """A filter that chooses its lookups by the field."""

    url: auto
    homepage: auto


@strawberry_django.type(Link, filters=LinkFilter)
class LinkType:
    """A link in answers."""

    title: auto
    url: auto
    homepage: auto


@strawberry_django.type(Page)
class PageType:
    """A page with the columns that store parts of its URL."""

    url: auto
    site: auto
    host: auto


@strawberry_django.input(Link)
class LinkInput:
    """A link in requests."""

    title: auto
    url: auto
    homepage: auto


@strawberry.type
class Query:
    """The queries of the schema."""

    links: list[LinkType] = strawberry_django.field()
    pages: list[PageType] = strawberry_django.field()

    @strawberry.field
    def host(self, url: URLRecord) -> str:
        """Return the host of a URL that does not come from a model."""
        return str(getattr(url, "host", "no URL"))


@strawberry.type
class Mutation:
    """The mutations of the schema."""

    create: LinkType = strawberry_django.mutations.create(LinkInput, handle_django_errors=True)
    create_loudly: LinkType = strawberry_django.mutations.create(LinkInput)


SCHEMA: Final = strawberry.Schema(query=Query, mutation=Mutation)
CREATE: Final = """
mutation($url: URL!, $homepage: URL) {
  create(data: {title: "t", url: $url, homepage: $homepage}) {
    ... on LinkType { url homepage }
    ... on OperationInfo { messages { field code message } }
  }
}
"""


def asked(query: str, **variables: Any) -> Any:
    """Return the data of an answer, which has no errors."""
    result = SCHEMA.execute_sync(query, variable_values=variables)
    assert result.errors is None
    assert result.data is not None
    return result.data


def refused(query: str, **variables: Any) -> tuple[str, Any]:
    """Return the message and the code of an answer's only error."""
    result = SCHEMA.execute_sync(query, variable_values=variables)
    assert result.errors is not None
    (error,) = result.errors
    assert SECRET not in str(error.formatted)
    return error.message, (error.extensions or {}).get("code")


def filtered(**lookup: Any) -> list[str]:
    """Return the URLs that a lookup finds."""
    query = "query($is: URLFilterLookup) { links(filters: {url: $is}) { url } }"
    return [link["url"] for link in asked(query, **{"is": lookup})["links"]]


def test_a_url_field_is_the_scalar() -> None:
    """The scalar names its specification. Columns with parts are text."""
    shown = SCHEMA.as_str()
    assert 'scalar URL @specifiedBy(url: "https://url.spec.whatwg.org/")' in shown
    assert "url: URL!\n  homepage: URL\n" in shown
    Page.objects.create(url="https://www.bücher.example/")
    assert asked("{ pages { url site host } }") == {
        "pages": [
            {
                "url": "https://www.xn--bcher-kva.example/",
                "site": "xn--bcher-kva.example",
                "host": "www.xn--bcher-kva.example",
            }
        ]
    }


def test_every_spelling_finds_the_row() -> None:
    """This holds for every lookup of the filter."""
    one, two = "https://xn--bcher-kva.example/a", "http://b.example:8080/docs/x"
    for url in (one, two):
        Link.objects.create(url=url)
    assert filtered(exact="HTTPS://BÜCHER.example:443/a") == [one]
    assert filtered(inList=["HTTPS://BÜCHER.example/a"]) == [one]
    assert filtered(isNull=False) == [one, two]
    assert filtered(under="http://B.example:8080/docs") == [two]
    assert filtered(sameOrigin="https://bücher.example/z") == [one]
    assert filtered(host="BÜCHER.example") == [one]
    assert filtered(hostUnder="example") == [one, two]
    assert filtered(scheme="http", port=8080) == [two]
    assert filtered(typed="bücher.example/a") == [one]
    assert filtered(holds="bücher") == [one]
    assert filtered(typed="nope") == []


def test_params_and_paths_can_be_looked_up() -> None:
    """Params are looked up by name. A value that is too long is an error."""
    one, two = "https://a.example/docs/x?utm-source=a+b&id=42", "https://b.example/docs2?id=7&id=42"
    for url in (one, two):
        Link.objects.create(title="t", url=url)
    assert filtered(pathUnder="/docs/") == [one]
    assert filtered(hasQueryParam=["utm-source", "nothing"]) == [one]
    assert filtered(hasQueryParam=[]) == []
    assert filtered(queryParam={"name": "utm-source"}) == [one]
    assert filtered(queryParam={"name": "utm-source", "exact": "a b"}) == [one]
    assert filtered(queryParam={"name": "id", "exact": "42"}) == [one]
    assert filtered(queryParam={"name": "id", "inList": ["42", "7"]}) == [one, two]
    assert filtered(queryParam={"name": "id", "inList": []}) == []
    assert filtered(queryParam={"name": "id", "startsWith": "4", "contains": "2"}) == [one]
    query = "query($is: URLFilterLookup) { links(filters: {url: $is}) { url } }"
    for lookup in ({"name": "id", "exact": "x" * 1001}, {"name": "x" * 1001}):
        message, code = refused(query, **{"is": {"queryParam": lookup}})
        assert "more than 1000 bytes" in message
        assert code == "invalid"
    message, code = refused(query, **{"is": {"hasQueryParam": ["x" * 1001]}})
    assert code == "invalid"


@pytest.mark.parametrize("name", ["exact", "inList", "startsWith", "contains"])
def test_a_param_is_not_compared_with_null(name: str) -> None:
    """A variable without a value would otherwise find all rows that have the param."""
    Link.objects.create(title="t", url="https://a.example/?id=42")
    query = "query($is: URLFilterLookup) { links(filters: {url: $is}) { url } }"
    for more in ({}, {"exact": "42"}, {"inList": ["42"]}):
        lookup = {"name": "id", **more, name: None}
        message, code = refused(query, **{"is": {"queryParam": lookup}})
        assert (code, f"{name} of a parameter cannot be null" in message) == ("null", True)


@pytest.mark.parametrize(
    ("lookup", "code"),
    [
        ({"exact": f"https://me:{SECRET}@"}, "host-missing"),
        ({"inList": ["https://a.example", f"https://me:{SECRET}@"]}, "host-missing"),
        ({"under": f"https://me:{SECRET}@"}, "host-missing"),
        ({"under": "mailto:me@example.com"}, "opaque-path"),
        ({"sameOrigin": f"https://me:{SECRET}@"}, "host-missing"),
        ({"host": f"me:{SECRET}@exa mple.com"}, "invalid"),
        ({"hostUnder": "a b"}, "invalid"),
        ({"exact": 7}, "missing-scheme-non-relative-URL"),
        ({"exact": [f"https://me:{SECRET}@"]}, "missing-scheme-non-relative-URL"),
    ],
)
def test_what_cannot_be_looked_up_is_a_clear_error(lookup: Any, code: str) -> None:
    """The message of a variable, or a value in the query, has no placeholder and no password."""
    query = "query($is: URLFilterLookup) { links(filters: {url: $is}) { url } }"
    message, found = refused(query, **{"is": lookup})
    assert found == code
    assert "%(" not in message
    ((name, value),) = lookup.items()
    if isinstance(value, str):
        literal = f'{{ links(filters: {{url: {{{name}: "{value}"}}}}) {{ url }} }}'
        assert refused(literal) == (message, code)


def test_a_mutation_saves_a_url_or_says_what_is_wrong_with_each_field() -> None:
    """Errors have the codes of `full_clean()`, and show no passwords."""
    assert asked(CREATE, url="HTTPS://C.example")["create"] == {
        "url": "https://c.example/",
        "homepage": None,
    }
    answer = asked(CREATE, url=f"ftp://me:{SECRET}@x/", homepage=f"https://me:{SECRET}@")
    assert SECRET not in str(answer)
    assert [(each["field"], each["code"]) for each in answer["create"]["messages"]] == [
        ("url", "scheme-not-allowed"),
        ("homepage", "host-missing"),
    ]
    answer = asked(CREATE, url="https://c.EXAMPLE/.")
    assert [each["code"] for each in answer["create"]["messages"]] == ["unique"]
    loud = 'mutation { createLoudly(data: {title: "t", url: "https://me:s3cret@"}) { url } }'
    assert "The host name is missing." in refused(loud)[0]
    assert Link.objects.count() == 1


def test_a_resolver_may_take_a_url() -> None:
    """It gets a record, or an `UnparsableURL` for text that is not a URL."""
    assert asked('{ host(url: "HTTPS://BÜCHER.example") }') == {"host": "xn--bcher-kva.example"}
    assert asked('{ host(url: "https://me:s3cret@") }') == {"host": "no URL"}


def test_a_row_that_holds_no_url_is_shown_as_it_is() -> None:
    """The other rows can still be read."""
    from django.db import connection

    Link.objects.create(url="https://a.example")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE linksapp_link SET homepage = 'nope'")
    assert asked("{ links { homepage } }") == {"links": [{"homepage": "nope"}]}
