"""Tests of `ExactURLField`: URLs that are stored and compared byte for byte."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import FieldError, ValidationError
from django.db import IntegrityError, connection, transaction
from django.forms import Form
from django.template import Context, Template
from django.test import Client
from hypothesis import given

from django_whatwg_url import fields
from django_whatwg_url.fields import ExactURLField, exact
from django_whatwg_url.forms import ExactURLField as ExactURLFormField
from django_whatwg_url.rules.validators import ExactURLValidator, exact_text
from tests.django.servers import model_with, needs_server, only_mysql
from tests.django.siteapp.models import Issuer
from tests.django.stored import store_text, stored_text
from tests.strategies import url_texts
from weburl import URLPolicy, parse

pytestmark = pytest.mark.django_db

# One URL in four spellings, and other text that many collations treat as equal.
SPELLINGS = [
    "https://issuer.example",
    "https://issuer.example/",
    "https://ISSUER.example/",
    "https://issuer.example:443/",
    "https://issuer.example/a",
    "https://issuer.example/A",
    "https://issuer.example/ä",
    "https://issuer.example/a\u0308",
    "https://issuer.example/\N{DUCK}",
]


def urls(**lookups: Any) -> list[str]:
    """Return the URLs of the rows that a query finds, in the order of their keys."""
    return list(Issuer.objects.filter(**lookups).order_by("pk").values_list("url", flat=True))


def store(*texts: str) -> None:
    """Store rows with these URLs."""
    Issuer.objects.bulk_create([Issuer(url=text) for text in texts])


# Values.


def test_every_spelling_is_a_value_of_its_own() -> None:
    """A unique column stores all of them, and a query finds only the row with the same bytes."""
    store(*SPELLINGS)
    for text in SPELLINGS:
        issuer = Issuer.objects.get(url=text)
        assert type(issuer.url) is str
        assert issuer.url == text
        assert stored_text(issuer) == text
    assert urls(url__in=SPELLINGS[:2]) == SPELLINGS[:2]
    assert urls(url="https://issuer.example/ ") == []


@pytest.mark.parametrize("text", SPELLINGS)
def test_the_same_bytes_cannot_be_stored_twice(text: str) -> None:
    """The field is unique."""
    store(text)
    with pytest.raises(IntegrityError), transaction.atomic():
        store(text)
    assert Issuer.objects.get_or_create(url=text)[1] is False
    with pytest.raises(ValidationError) as refused:
        Issuer(url=text).full_clean()
    assert refused.value.error_dict["url"][0].code == "unique"


def test_rows_are_sorted_by_code_point() -> None:
    """This is the same on every database."""
    store(*SPELLINGS)
    found = list(Issuer.objects.order_by("url").values_list("url", flat=True))
    assert found == sorted(SPELLINGS)


# What is refused.

REFUSED = [
    ("no url", "missing-scheme-non-relative-URL"),
    ("https://example.com:99999/", "port-out-of-range"),
    (" https://a", "invalid-URL-unit"),
    ("https://a\n", "invalid-URL-unit"),
    ("https://a/\tb", "invalid-URL-unit"),
    ("https://a\r\nX-Header: b", "invalid-URL-unit"),
    ("\x1fhttps://a", "invalid-URL-unit"),
    ("https://a/\0", "invalid-URL-unit"),
    ("https://a/\ud800", "invalid-URL-unit"),
]


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_text_that_is_not_a_url_as_it_is_is_refused(text: str, code: str) -> None:
    """full_clean() and saving refuse it."""
    with pytest.raises(ValidationError) as refused:
        Issuer(url=text).full_clean()
    assert [error.code for error in refused.value.error_dict["url"]] == [code]
    with pytest.raises(ValidationError) as located, transaction.atomic():
        store(text)
    assert located.value.code == code
    assert "siteapp.Issuer.url" in located.value.messages[0]


def test_max_length_counts_characters() -> None:
    """It does not count bytes. Saving a longer URL is refused on every database."""
    fits = "https://issuer.example/" + "\N{DUCK}" * 17
    issuer = Issuer.objects.create(url="https://a", home=fits)
    issuer.full_clean()
    issuer.refresh_from_db()
    assert issuer.home == fits
    issuer.home = fits + "a"
    with pytest.raises(ValidationError) as refused:
        issuer.full_clean()
    assert [error.code for error in refused.value.error_dict["home"]] == ["max_length"]
    with pytest.raises(ValidationError) as located, transaction.atomic():
        issuer.save()
    assert located.value.code == "max_length"


def test_schemes_and_policies_are_checked_by_full_clean() -> None:
    """Saving does not check them, like Django's validators. Migrations contain the options."""
    issuer = Issuer(url="javascript:alert(1)", home="mailto:a@b")
    with pytest.raises(ValidationError) as refused:
        issuer.full_clean()
    codes = {name: [e.code for e in errors] for name, errors in refused.value.error_dict.items()}
    assert codes == {"url": ["scheme-not-allowed"]}
    field = ExactURLField(
        policy=URLPolicy(schemes=["https"], hosts=["a.example"]),
        strictness="valid",
        error_messages={"scheme-not-allowed": "Only https."},
    )
    with pytest.raises(ValidationError) as messages:
        field.clean("http://a.example/", None)
    assert messages.value.messages[0] == "Only https."
    with pytest.raises(ValidationError) as policy:
        field.clean("https://b.example/", None)
    assert [error.code for error in policy.value.error_list] == ["host-not-allowed"]
    with pytest.raises(ValidationError) as strict:
        field.clean("https://a.example/<", None)
    assert [error.code for error in strict.value.error_list] == ["invalid-URL-unit"]
    assert field.clean("https://a.example", None) == "https://a.example"


@given(url_texts)
def test_what_is_accepted_is_a_url_that_the_parser_does_not_clean(text: str) -> None:
    """The parser accepts all of it."""
    try:
        record = exact_text(text)
    except ValidationError:
        return
    assert record == parse(text)
    assert text.strip() == text
    assert not set(text) & set("\0\t\r\n")


@pytest.mark.parametrize(
    "lookup", ["host", "port__gt", "query_params__q", "under", "origin", "typed"]
)
def test_there_are_no_lookups_of_parts(lookup: str) -> None:
    """SQL cannot split a URL in any spelling. A key or a domain beside it can be searched."""
    with pytest.raises(FieldError, match="Unsupported lookup"):
        Issuer.objects.filter(**{f"url__{lookup}": "https://a.example/"})


# The column.


@needs_server
def test_the_column_compares_bytes() -> None:
    """Its type is Django's, with a collation."""
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, Issuer._meta.db_table)
    (column,) = [column for column in columns if column.name == "url"]
    assert column.collation in {"C", "utf8mb4_nopad_bin", "utf8mb4_0900_bin"}


@only_mysql
def test_the_unique_index_counts_a_space_at_the_end() -> None:
    """Other collations ignore it. Another program may write one."""
    store("https://a/", "https://b/")
    store_text(Issuer.objects.get(url="https://b/"), "https://a/ ")
    assert urls() == ["https://a/", "https://a/ "]


# The option, checks and names.


def test_options_are_in_migrations() -> None:
    """Only options that differ from the defaults are written."""
    assert ExactURLField().deconstruct()[1:] == ("django_whatwg_url.fields.ExactURLField", [], {})
    policy = URLPolicy(schemes=["https"])
    field = ExactURLField(max_length=99, schemes=["https"], strictness="valid")
    assert field.deconstruct()[3] == {
        "max_length": 99,
        "schemes": ("https",),
        "strictness": "valid",
    }
    assert ExactURLField(policy=policy).deconstruct()[3] == {"policy": policy}
    assert ExactURLField(max_length=None).deconstruct()[3] == {"max_length": None}
    assert fields.ExactURLField is exact.ExactURLField
    validator = ExactURLValidator(["https"], "valid", policy)
    kwargs: dict[str, Any] = validator.deconstruct()[2]
    assert ExactURLValidator(**kwargs) == validator


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({}, []),
        ({"default": "https://a.example"}, []),
        ({"default": ""}, []),
        ({"default": "no url"}, ["E031"]),
        ({"default": "javascript:alert(1)"}, ["E031"]),
        ({"db_default": "https://a.example\n"}, ["E031"]),
    ],
)
def test_a_check_finds_defaults_that_are_refused(options: dict[str, Any], ids: list[str]) -> None:
    """The field itself refuses them."""
    model = model_with(url=ExactURLField(**options))
    found = [str(message.id) for message in model.check()]
    assert found == [f"django_whatwg_url.{id}" for id in ids]


# Forms.


class OneForm(Form):
    """One URL."""

    url = ExactURLFormField(max_length=100)


def test_a_form_returns_the_text_that_was_typed() -> None:
    """Spaces around it are removed, and no scheme is assumed."""
    form = OneForm({"url": "  HTTPS://Issuer.example "})
    assert form.is_valid()
    assert form.cleaned_data["url"] == "HTTPS://Issuer.example"
    assert OneForm({"url": "issuer.example"}).errors.get_json_data()["url"][0]["code"] == (
        "missing-scheme-non-relative-URL"
    )
    long = OneForm({"url": "https://a/" + "\0" * 200})
    assert [error["code"] for error in long.errors.get_json_data()["url"]] == ["max_length"]


def test_a_form_shows_what_a_browser_reads() -> None:
    """It is shown if it differs from the text, escaped and without a password."""
    form: Any = OneForm({"url": "HTTPS://Issuer.example/<a>"})
    page = Template("{{ form.url }}").render(Context({"form": form}))
    assert "A browser reads this as:" in page
    assert "https://issuer.example/%3Ca%3E" in page
    assert "<a>" not in page
    assert "A browser" not in str(OneForm({"url": "https://issuer.example/"})["url"])
    secret = str(OneForm({"url": "HTTPS://user:hunter2@a"})["url"])
    assert secret.endswith('<bdi dir="ltr">https://user:***@a/</bdi></bdi></span>')
    assert str(OneForm().media) == ""  # the style is only for the admin
    assert "A browser" not in str(OneForm({"url": "no url"})["url"])


def test_messages_are_as_exact_as_those_of_other_fields() -> None:
    """The form may have its own message for the code."""
    text = "https://Exa\u200dmple.com"
    shown = OneForm({"url": text}).errors["url"]
    assert "invisible character (U+200D) after “Exa”. Remove it." in shown[0]
    own = ExactURLFormField(error_messages={"domain-to-ASCII": "Mine."})
    with pytest.raises(ValidationError, match=r"Mine\."):
        own.clean(text)


def test_the_admin_stores_and_shows_the_text(admin_client: Client) -> None:
    """The page says what a browser reads."""
    admin_client.post("/admin/siteapp/issuer/add/", {"url": "https://Issuer.example", "home": ""})
    issuer = Issuer.objects.get()
    assert (issuer.url, issuer.home) == ("https://Issuer.example", None)
    page = admin_client.get(f"/admin/siteapp/issuer/{issuer.pk}/change/").content.decode()
    assert 'value="https://Issuer.example"' in page
    assert 'class="vURLField"' in page and "django_whatwg_url/admin.css" in page
    assert '<bdi id="id_url_note">A browser reads this as: <bdi dir="ltr">' in page
