"""Django REST framework, with its fields, parts, relations, JSON and whole requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.core.validators import MinLengthValidator
from django.db import connection, connections
from django.db.utils import load_backend
from hypothesis import given
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.test import APIClient

import weburl
from django_whatwg_url.integrations.rest_framework import (
    CanonicalURLField,
    UniqueURLKeyValidator,
    URLPartField,
)
from django_whatwg_url.validators import URLPolicyValidator, URLStrictnessValidator
from tests.django.stored import store_text, stored_text
from tests.integrations.restapp.models import Hook, Page, Saved
from tests.integrations.restapp.views import HookSerializer, PageSerializer, SendSerializer
from tests.standard.infra.test_credentials_everywhere import anywhere, says_nothing
from weburl import URLPolicy, URLRecord

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.integrations.restapp.views")]

SECRET = "s3cret"


@pytest.fixture
def client() -> APIClient:
    """Return a client of the API."""
    return APIClient()


def codes(errors: Any) -> list[str]:
    """Return the codes of the errors of a field."""
    assert all(isinstance(error, ErrorDetail) for error in errors)
    return [error.code for error in errors]


def refused(field: CanonicalURLField, data: object) -> list[str]:
    """Return the codes of the errors of a value."""
    with pytest.raises(serializers.ValidationError) as caught:
        field.run_validation(data)
    assert SECRET not in str(caught.value)
    assert isinstance(caught.value.detail, list)
    return codes(caught.value.detail)


# Validation.


def test_text_becomes_a_record() -> None:
    """The scheme may be missing."""
    serializer = PageSerializer(data={"url": " Bücher.example/a b "})
    assert serializer.is_valid(), serializer.errors
    assert serializer.validated_data["url"] == weburl.parse("https://bücher.example/a b")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("https://", "host-missing"),
        ("https://example.com:99999/", "port-out-of-range"),
        ("ftp://example.com/", "scheme-not-allowed"),
        ("javascript:alert(1)", "scheme-not-allowed"),
        ("/path", "missing-scheme-non-relative-URL"),
        ("https://example.com/" + "é" * 90, "max_length"),
        ("https://example.com/" + "a" * 300, "max_length"),
        ("", "blank"),
        (" ", "blank"),
        (None, "null"),
        (7, "invalid"),
        (True, "invalid"),
        (1.5, "invalid"),
        ([], "invalid"),
        ({"a": 1}, "invalid"),
        (b"https://example.com/", "invalid"),
        ("a" * 10_000_000, "max_length"),
        ("https://\0.example/", "domain-to-ASCII"),
        (f"https://me:{SECRET}@exa mple.com/", "domain-to-ASCII"),
        (f"ftp://me:{SECRET}@example.com/", "scheme-not-allowed"),
    ],
)
def test_each_error_comes_once_with_its_code(text: object, code: str) -> None:
    """The model's validators do not repeat it."""
    serializer = PageSerializer(data={"url": text})
    assert not serializer.is_valid()
    assert codes(serializer.errors["url"]) == [code]
    assert SECRET not in str(serializer.errors)
    assert len(str(serializer.errors)) < 1000


def test_the_field_of_a_model_has_the_models_rules() -> None:
    """It has its policy, strictness, schemes, length, validators and messages."""
    serializer = HookSerializer(
        data={
            "target": "https://127.0.0.1/",
            "strict": "https:\\\\example.com\\a",
            "anything": "javascript:" + "a" * 5000,
            "checked": "https://example.com/",
        }
    )
    assert not serializer.is_valid()
    found = {name: codes(errors) for name, errors in serializer.errors.items()}
    assert found == {
        "target": ["ip-host"],
        "strict": ["special-scheme-missing-following-solidus", "invalid-reverse-solidus"],
        "checked": ["no-api"],
    }
    serializer = HookSerializer(data={"checked": "https://", "anything": "mailto:me@example.com"})
    assert not serializer.is_valid()
    assert serializer.errors == {"checked": ["Which site?"]}
    serializer = HookSerializer(data={"checked": "https://example.com/api/" + "a" * 40})
    assert not serializer.is_valid()
    assert serializer.errors == {"checked": ["Too long."]}
    field: Any = HookSerializer().fields["anything"]
    assert field.max_length is None


def test_a_url_that_the_row_holds_does_not_stop_a_change_of_the_rest() -> None:
    """The stored text is accepted even if a new row with it is refused."""
    page = Page.objects.create(url="https://example.com/")
    for text in ("javascript:alert(1)", "no url"):
        store_text(page, text)
        row = Page.objects.get()
        serializer = PageSerializer(row, data={"url": text})
        assert serializer.is_valid(), serializer.errors
        serializer.save()
        assert stored_text(row) == text
        for other in ("javascript:alert(2)", "no url either"):
            assert PageSerializer(row, data={"url": other}).is_valid() is False
        assert PageSerializer(data={"url": text}).is_valid() is False
        row.url = "https://example.com/"
        row.save()
        assert PageSerializer(row, data={"url": text}).is_valid() is False


def test_a_policys_agreement_is_about_the_text_as_it_was_sent() -> None:
    """All readers agree on the record's href, but not on the text that was sent."""
    serializer = HookSerializer(data={"target": "https:\\\\example.com/"})
    assert not serializer.is_valid()
    assert codes(serializer.errors["target"]) == ["readers-disagree"]
    serializer = HookSerializer(data={"target": "https://example.com/"})
    assert serializer.is_valid()


def test_options_of_the_serializer_come_before_the_models() -> None:
    """``extra_kwargs`` can be stricter, and can require a scheme."""

    class Stricter(serializers.ModelSerializer[Hook]):
        class Meta:
            model = Hook
            fields: ClassVar[Any] = ["anything"]
            extra_kwargs: ClassVar[Any] = {
                "anything": {
                    "assume_scheme": None,
                    "schemes": ["https"],
                    "max_length": 30,
                    "error_messages": {"max_length": "At most {max_length}."},
                }
            }

    def errors(text: str) -> Any:
        serializer = Stricter(data={"anything": text})
        assert not serializer.is_valid()
        return serializer.errors["anything"]

    assert codes(errors("http://example.com/")) == ["scheme-not-allowed"]
    assert codes(errors("example.com")) == ["missing-scheme-non-relative-URL"]
    assert errors("https://example.com/" + "a" * 20) == ["At most 30."]


def test_two_requests_share_the_rules_of_a_model_and_nothing_else() -> None:
    """Each request gets its own serializer, which may have its own rules and messages."""

    class Terse(serializers.ModelSerializer[Page]):
        class Meta:
            model = Page
            fields: ClassVar[Any] = ["url"]
            extra_kwargs: ClassVar[Any] = {"url": {"error_messages": {"host-missing": "No."}}}

    def rules(serializer: Any) -> Any:
        return serializer.fields["url"].rules()

    def errors(serializer_class: Any) -> list[str]:
        serializer = serializer_class(data={"url": "https://"})
        assert not serializer.is_valid()
        return [str(error) for error in serializer.errors["url"]]

    assert rules(PageSerializer()) is rules(PageSerializer())
    assert rules(Terse()) is not rules(PageSerializer())
    assert errors(Terse) == ["No."]
    assert errors(PageSerializer) != ["No."]

    strict = PageSerializer(data={"url": "https:\\\\example.com"})
    strict.fields["url"].validators.append(URLStrictnessValidator("valid"))
    assert not strict.is_valid()
    assert PageSerializer(data={"url": "https:\\\\example.com"}).is_valid()


def test_a_field_without_a_model_has_the_form_fields_options() -> None:
    """It has the same defaults too."""
    field = CanonicalURLField()
    assert field.run_validation("example.com") == weburl.parse("https://example.com/")
    assert refused(field, "mailto:me") == ["scheme-not-allowed"]
    assert refused(field, "a" * 2049) == ["max_length"]
    assert refused(CanonicalURLField(assume_scheme=None), "example.com") == [
        "missing-scheme-non-relative-URL"
    ]
    assert CanonicalURLField(schemes=None).run_validation("mailto:me").scheme == "mailto"
    assert refused(CanonicalURLField(policy=URLPolicy(ports=[443])), "http://a.example") == [
        "port-not-allowed"
    ]
    assert refused(CanonicalURLField(strictness="valid"), "https://a.example/ä b") == [
        "invalid-URL-unit"
    ]
    assert refused(CanonicalURLField(trim_whitespace=False, strictness="valid"), " https://a/") == [
        "invalid-URL-unit"
    ]
    record = weburl.parse("https://example.com/")
    assert field.run_validation(record) is record


def test_validators_of_ones_own_run_once_and_on_what_they_understand() -> None:
    """Django's text validators get the href. Ours get the text that was sent."""
    field = CanonicalURLField(
        min_length=30,
        validators=[
            MinLengthValidator(25),
            URLStrictnessValidator("valid"),
            URLPolicyValidator(URLPolicy(fragments=False)),
        ],
    )
    assert refused(field, "https://example.com\\") == ["invalid-reverse-solidus"]
    # A list of one's own replaces DRF's, where min_length is appended.
    assert refused(field, "https://example.com/#a") == [
        "min_length",
        "fragment-not-allowed",
        "min_length",
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"schemes": "https"},
        {"strictness": "strict"},
        {"policy": "webhook:"},
        {"default": "no url"},
        {"default": f"https://me:{SECRET}@exa mple/"},
    ],
)
def test_invalid_options_are_errors_at_once(options: Any) -> None:
    """They are errors when the field is declared."""
    with pytest.raises((TypeError, ValueError)) as caught:
        CanonicalURLField(**options)
    assert SECRET not in str(caught.value)


def test_what_no_browser_shows_is_a_url_or_an_error_but_no_failure(client: APIClient) -> None:
    """Lone surrogates and NUL, escaped in JSON, are no server error."""
    for text in ["a.example/\\ud800", "a.example/\\u0000b", "\\ud800.example/", "\\u0000b"]:
        body = f'{{"url": "{text}"}}'
        answer = client.post("/pages/", body, content_type="application/json")
        assert answer.status_code in {201, 400}, text
        assert answer.content
    stored = set(Page.objects.values_list("url", flat=True))
    assert {str(url) for url in stored} >= {"https://a.example/%EF%BF%BD", "https://a.example/%00b"}


def test_lists_and_defaults() -> None:
    """The errors of a list name the places, and a default becomes a record."""
    serializer = SendSerializer(data={"url": "https://a.example", "others": ["b.example", "//", 3]})
    assert not serializer.is_valid()
    others: Any = serializer.errors["others"]
    assert {place: codes(errors) for place, errors in others.items()} == {
        1: ["host-missing"],
        2: ["invalid"],
    }
    serializer = SendSerializer(data={"url": "https://a.example", "others": ["b.example"]})
    assert serializer.is_valid(), serializer.errors
    assert serializer.validated_data["others"] == [weburl.parse("https://b.example")]
    assert serializer.validated_data["after"] == weburl.parse("https://example.com/")
    assert serializer.validated_data["secret"].password == SECRET
    serializer = SendSerializer(data={"url": "https://a.example", "after": ""})
    assert serializer.is_valid(), serializer.errors
    assert serializer.validated_data["after"] is None


# What comes out.


def broken_page() -> Page:
    """Return a page whose URLs another program has overwritten."""
    page = Page.objects.create(url="https://example.com/")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE restapp_page SET url = 'https://no url', canonical = '//'")
    return Page.objects.get(pk=page.pk)


# DRF makes links of text in its pages, by a function of Django that will change.
@pytest.mark.filterwarnings("ignore:The default protocol will be changed")
def test_a_broken_row_is_shown_as_it_is_and_its_parts_are_null(client: APIClient) -> None:
    """Neither the field nor a part causes a server error."""
    page = broken_page()
    answer = client.get(f"/pages/{page.pk}/").json()
    assert answer["url"] == "https://no url"
    assert answer["canonical"] == "//"
    assert (answer["origin"], answer["port"], answer["canonical_host"]) == (None, None, None)
    assert client.get("/pages/?format=api", HTTP_ACCEPT="text/html").status_code == 200


def test_parts_are_text_numbers_and_null(client: APIClient) -> None:
    """The parts of a missing URL are null."""
    Page.objects.create(url="https://www.bücher.example:8080/a/b?c#d")
    (answer,) = client.get("/pages/").json()
    assert answer["origin"] == "https://www.xn--bcher-kva.example:8080"
    assert answer["port"] == 8080
    assert answer["canonical_host"] is None
    assert answer["site"] == "xn--bcher-kva.example"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("url.host", "www.example.co.uk"),
        ("url.host.registrable_domain", "example.co.uk"),
        ("url.path", "/a/b"),
        ("url.query", "c"),
        ("url.fragment", None),
        ("url.port", None),
        ("url.scheme", "https"),
    ],
)
def test_any_part_can_be_named(source: str, value: object) -> None:
    """A part is named like the attribute of a record. The path is text, not a tuple."""

    class Parts(serializers.Serializer[Any]):
        part = URLPartField(source=source)

    row = {"url": weburl.parse("https://www.example.co.uk/a/b?c")}
    assert Parts(row).data == {"part": value}
    assert Parts({"url": None}).data == {"part": None}


def test_a_part_that_no_url_has_is_a_mistake() -> None:
    """It is an error, unlike a part that one URL lacks."""

    class Parts(serializers.Serializer[Any]):
        part = URLPartField(source="url.hots")

    with pytest.raises(AttributeError):
        _ = Parts({"url": weburl.parse("https://example.com/")}).data


def test_one_line_lets_records_stand_anywhere_in_an_answer(client: APIClient) -> None:
    """`URLJSONRenderer` writes querysets of values and single records."""
    Page.objects.create(url="https://bücher.example/")
    assert client.get("/values/").json() == {
        "rows": [{"url": "https://xn--bcher-kva.example/", "title": ""}],
        "first": "https://xn--bcher-kva.example/",
        "n": 1,
    }


def test_a_relation_by_url_takes_every_spelling(client: APIClient) -> None:
    """The answer has text. Errors have codes, and show no password."""
    page = Page.objects.create(url="https://example.com/")
    answer = client.post("/hooks/", {"page": "HTTPS://EXAMPLE.com:443"}, format="json")
    assert answer.status_code == 201
    assert answer.json()["page"] == "https://example.com/"
    assert Hook.objects.get().page == page
    for text, code in [
        ("https://", "host-missing"),
        (f"https://me:{SECRET}@example.com/", "does_not_exist"),
        (7, "invalid"),
    ]:
        serializer = HookSerializer(data={"page": text})
        assert not serializer.is_valid()
        assert codes(serializer.errors["page"]) == [code]
        assert SECRET not in str(serializer.errors)


def test_the_address_of_a_row_may_hold_its_url(client: APIClient) -> None:
    """``lookup_field`` takes any spelling. Text that is not a URL is not found."""
    Page.objects.create(url="https://example.com/a?b=c%20d", title="A")
    (row,) = client.get("/linked/").json()
    assert row["url"] == "https://example.com/a?b=c%20d"
    assert client.get(row["self"]).json() == row
    assert client.get("/linked/HTTPS://EXAMPLE.com:443/a%3Fb=c d/").json()["title"] == "A"
    assert client.get("/linked/no url/").status_code == 404


# The browsable API and OPTIONS.


def test_the_browsable_api_shows_an_input_with_the_value_and_the_errors(client: APIClient) -> None:
    """The input has the type text, because browsers refuse "example.com" in one of type url."""
    page = Page.objects.create(url="https://bücher.example/?a&b")
    html = client.get(f"/pages/{page.pk}/", HTTP_ACCEPT="text/html").content.decode()
    inputs = [" ".join(found.split()) for found in re.findall(r"<input ([^>]*)>", html)]
    shown = 'type="text" value="https://xn--bcher-kva.example/?a&amp;b"'
    assert f'name="url" class="form-control" {shown}' in inputs
    answer = client.post("/pages/", {"url": "https://exa mple.com"}, HTTP_ACCEPT="text/html")
    assert answer.status_code == 400
    assert "contains a space. Remove it." in answer.content.decode()
    assert 'value="https://exa mple.com"' in answer.content.decode()


def test_search_finds_pieces_in_any_spelling(client: APIClient) -> None:
    """The lookup is named in ``search_fields``."""
    Page.objects.create(url="https://bücher.example/é")
    for text in ["BÜCHER", "xn--bcher", "é", "https://bücher.example"]:
        assert len(client.get("/pages/", {"search": text}).json()) == 1, text
    assert client.get("/pages/", {"search": "no\0ne"}).status_code in {200, 400}
    assert client.get("/pages/", {"search": "nothing", "ordering": "-url"}).json() == []


# The schema.


def test_the_schema_says_uri_and_the_length(client: APIClient) -> None:
    """It describes fields, parts and relations, and shows no password."""
    answer = client.get("/schema/", {"format": "json"})
    assert SECRET not in answer.content.decode()
    schemas = answer.json()["components"]["schemas"]
    page = schemas["Page"]["properties"]
    assert page["url"] == {
        "type": "string",
        "format": "uri",
        "maxLength": 300,
        "description": "Where it is.",
    }
    assert page["canonical"] == {
        "title": "Canonical URL",
        "nullable": True,
        "oneOf": [
            {"type": "string", "format": "uri", "maxLength": 2048},
            {"type": "string", "maxLength": 0},
        ],
    }
    assert page["port"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 65535,
        "nullable": True,
        "readOnly": True,
    }
    assert page["origin"] == {"type": "string", "nullable": True, "readOnly": True}
    hook = schemas["Hook"]["properties"]
    assert hook["page"]["format"] == "uri"
    assert hook["anything"]["oneOf"][0] == {"type": "string", "format": "uri"}
    send = schemas["Send"]["properties"]
    assert send["after"]["oneOf"][0]["default"] == "HTTPS://Example.com"
    assert "default" not in send["secret"]


def test_a_field_is_copied_with_its_rules() -> None:
    """DRF copies declared fields for each serializer."""
    one, two = SendSerializer(), SendSerializer()
    assert one.fields["url"] is not two.fields["url"]
    for serializer in (one, two):
        field: Any = serializer.fields["others"]
        assert refused(field.child, "a" * 41) == ["max_length"]
    assert isinstance(one.fields["url"].run_validation("https://a.example"), URLRecord)


# The same page.


class SavedSerializer(serializers.ModelSerializer[Saved]):
    """A saved page, whose URL has another name here."""

    link = serializers.URLField(source="url")

    class Meta:
        model = Saved
        fields: ClassVar[Any] = ["link", "person", "url_key"]
        validators: ClassVar[Any] = [UniqueURLKeyValidator("url_key", within=["person"])]


def test_a_page_that_a_person_has_already_is_an_error_at_the_url() -> None:
    """The message shows the stored URL without its password. Others may save the page too."""
    Saved.objects.create(url=f"https://me:{SECRET}@example.com/a?utm_source=x", person="Ada")
    serializer = SavedSerializer(data={"link": "http://www.example.com/a/", "person": "Ada"})
    assert not serializer.is_valid()
    assert list(serializer.errors) == ["link"]
    assert codes(serializer.errors["link"]) == ["same-page"]
    (message,) = serializer.errors["link"]
    assert message.startswith("You have this page already: https://")
    assert SECRET not in message
    serializer = SavedSerializer(data={"link": "http://www.example.com/a/", "person": "Bob"})
    assert serializer.is_valid(), serializer.errors
    saved = serializer.save()
    assert serializer.data["url_key"] == saved.url_key == "https://example.com/a"


def test_an_update_is_compared_with_the_other_rows() -> None:
    """It uses the stored values that it does not change, and ignores the row itself."""
    first = Saved.objects.create(url="https://example.com/a", person="Ada")
    second = Saved.objects.create(url="https://example.com/b", person="Ada")
    for data, valid in (
        ({"link": "https://example.com/a?utm_source=x"}, False),
        ({"link": "https://example.com/b?utm_source=x"}, True),
        ({"person": "Ada"}, True),
        ({}, True),
    ):
        serializer = SavedSerializer(second, data=data, partial=True)
        assert serializer.is_valid() is valid, serializer.errors
    Saved.objects.filter(pk=first.pk).update(person="Bob", url="https://example.com/b")
    serializer = SavedSerializer(second, data={"person": "Bob"}, partial=True)
    assert not serializer.is_valid()
    assert second.person == "Ada"


class Elsewhere:
    """A router that stores all rows in a second database."""

    def db_for_read(self, _model: Any, **_hints: Any) -> str:
        return "elsewhere"

    db_for_write = db_for_read


@pytest.fixture
def elsewhere(settings: Any, tmp_path: Path) -> Iterator[str]:
    """Add a second database with a table of saved pages and a router that uses it."""
    known: Any = connections
    # In a file, because Django does not close a database in memory.
    options = {**known.settings["default"], "NAME": tmp_path / "elsewhere.sqlite3"}
    options["ENGINE"] = "django.db.backends.sqlite3"
    # Django lets a test connect to a database that is not in the settings, so connect first.
    other: Any = load_backend(options["ENGINE"]).DatabaseWrapper(options, "elsewhere")
    other.ensure_connection()
    known.settings["elsewhere"] = options
    known["elsewhere"] = other
    try:
        with other.schema_editor() as editor:
            editor.create_model(Saved)
        settings.DATABASE_ROUTERS = [f"{__name__}.Elsewhere"]
        yield "elsewhere"
    finally:
        other.close()
        del known["elsewhere"]
        del known.settings["elsewhere"]


def test_a_page_is_looked_for_in_the_database_where_the_row_will_be(elsewhere: str) -> None:
    """Rows in the default database do not count."""
    Saved.objects.using("default").create(url="https://example.com/a", person="Ada")
    row = Saved.objects.create(url="https://example.com/b", person="Ada")
    assert row._state.db == elsewhere
    for link, valid in (("https://example.com/a", True), ("https://example.com/b", False)):
        serializer = SavedSerializer(data={"link": link, "person": "Ada"})
        assert serializer.is_valid() is valid, serializer.errors


def test_a_serializer_of_all_fields_can_be_made() -> None:
    """The key and a param are read-only, although a constraint contains the key."""

    class AllSerializer(serializers.ModelSerializer[Saved]):
        class Meta:
            model = Saved
            fields = "__all__"

    url = f"https://example.com/a?id={'x' * 150}"
    serializer = AllSerializer(data={"url": url, "person": "Ada"})
    assert serializer.fields["url_key"].read_only
    assert serializer.fields["item"].read_only
    assert serializer.is_valid(), serializer.errors
    assert serializer.save().url_key == url
    assert AllSerializer(Saved.objects.get()).data["item"] == "x" * 150


@given(anywhere)
def test_no_error_of_a_serializer_says_a_secret(url: str) -> None:
    """No notation of the error shows what any parser may take for credentials."""
    field = CanonicalURLField(schemes=None, strictness={"invalid-credentials"})
    try:
        field.run_validation(url)
    except serializers.ValidationError as error:
        says_nothing(str(error) + repr(error) + repr(error.detail) + repr(error.get_full_details()))


def test_one_message_for_every_error() -> None:
    """DRF's own errors, and the one for long text, keep their messages."""

    class Sent(serializers.Serializer):  # type: ignore[type-arg]
        url = CanonicalURLField(error_messages={"invalid": "No."})

    for text in ("ftp://a/", "https://", "me@example.com", 5):
        serializer = Sent(data={"url": text})
        assert not serializer.is_valid()
        assert serializer.errors["url"] == ["No."]
    serializer = Sent(data={"url": "https://a/" + "a" * 3000})
    assert not serializer.is_valid()
    assert "No." not in str(serializer.errors)
