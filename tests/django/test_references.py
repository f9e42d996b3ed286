"""Tests of `URLReferenceField`: a path on this site, or a whole URL."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.exceptions import DisallowedHost, ImproperlyConfigured, ValidationError
from django.db import transaction
from django.forms import Form
from django.test import Client, RequestFactory, override_settings
from hypothesis import given

from django_whatwg_url.fields import URLReferenceField
from django_whatwg_url.forms import URLReferenceField as URLReferenceFormField
from django_whatwg_url.references import named_base, resolve_reference
from django_whatwg_url.rules.validators import URLReferenceValidator, reference_text
from tests.django.servers import model_with
from tests.django.siteapp.models import MenuItem
from tests.django.stored import stored_text
from tests.strategies import url_texts
from weburl import RelativeReference, URLParseError, URLPolicy, parse

NOT_RELATIVE = "missing-scheme-non-relative-URL"

# What people type, and the text that is stored.
STORED = {
    "/": "/",
    "/about": "/about",
    "/café?q=ü#é": "/caf%C3%A9?q=%C3%BC#%C3%A9",
    "  /a b\n": "/a%20b",
    "/a/../b/./c": "/b/c",
    "\\a\\b": "/a/b",
    "/.//evil.example": "/.//evil.example",
    "/..//evil.example": "/.//evil.example",
    "/a:b": "/a:b",
    "?": "?",
    "?page=2": "?page=2",
    "?a'b#": "?a%27b#",
    "#": "#",
    "#top of": "#top%20of",
    "HTTPS://Example.com:443": "https://example.com/",
    "https:\\\\example.com\\a": "https://example.com/a",
    "mailto:a@example.com": "mailto:a@example.com",
}

WITH_HOST = ["//evil.example", "/\\evil.example", "\\\\evil", "/\t/evil", "\n//evil", "///evil"]
PATH_RELATIVE = ["about", "example.com", "www.example.com/a", "../a", ".", "./a:b", "%2F%2Fevil"]


def stored(**lookups: Any) -> list[str]:
    """Return the links of the rows that a query finds, in the order of their keys."""
    return list(MenuItem.objects.filter(**lookups).order_by("pk").values_list("link", flat=True))


def codes(raised: pytest.ExceptionInfo[ValidationError]) -> list[str | None]:
    """Return the codes of the errors."""
    return [error.code for error in raised.value.error_list]


# The text.


@pytest.mark.parametrize(("text", "canonical"), STORED.items())
def test_the_canonical_text_is_what_the_parser_would_write(text: str, canonical: str) -> None:
    """It means the same URL, and it is its own canonical text."""
    assert reference_text(text) == canonical
    assert reference_text(canonical) == canonical
    for base in ("https://a.example/b/c?d", "http://a.example:8080/"):
        assert parse(canonical, base) == parse(text, base)


@pytest.mark.parametrize("text", WITH_HOST)
def test_a_reference_with_a_host_is_refused_in_every_spelling(text: str) -> None:
    """An option allows it."""
    with pytest.raises(ValidationError) as raised:
        reference_text(text)
    assert codes(raised) == [NOT_RELATIVE]
    allowed = reference_text(text, allow_scheme_relative=True)
    assert allowed in ("//evil.example", "//evil")


@pytest.mark.parametrize("text", PATH_RELATIVE)
def test_a_reference_that_depends_on_the_folder_is_refused(text: str) -> None:
    """Most often, someone has forgotten the scheme."""
    with pytest.raises(ValidationError) as raised:
        reference_text(text, allow_scheme_relative=True)
    assert codes(raised) == [NOT_RELATIVE]


@pytest.mark.parametrize("text", ["https:a", "http:/a", "https:", "HTTP:example.com", "https:?a"])
def test_a_scheme_without_slashes_is_refused(text: str) -> None:
    """A browser reads it as a path on a page with that scheme, and as a host on other pages."""
    with pytest.raises(ValidationError) as raised:
        reference_text(text)
    assert codes(raised)[0] in ("special-scheme-missing-following-solidus", "host-missing")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("//a:443", "//a:443"), ("//a:80/b", "//a:80/b"), ("//A:8000/?q", "//a:8000?q")],
)
def test_a_port_is_kept_if_it_is_a_default_of_only_one_scheme(text: str, canonical: str) -> None:
    """The scheme of the page decides what the default is."""
    assert reference_text(text, allow_scheme_relative=True) == canonical


@given(url_texts)
def test_canonical_text_means_the_same_url_and_stays_on_the_site(text: str) -> None:
    """For any text that is accepted."""
    for start in ("", "/", "/\\", "?", "#"):
        try:
            canonical = reference_text(start + text)
        except ValidationError:
            continue
        assert canonical.isascii()
        assert reference_text(canonical) == canonical
        if canonical == "":
            continue
        for base in ("https://site.example:8443/a/b?c", "http://site.example/"):
            url = parse(start + text, base)
            assert parse(canonical, base) == url
            if canonical[0] in "/?#":
                assert not RelativeReference(canonical).names_a_host
                assert url.origin == parse(base).origin


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("javascript:alert(1)", "scheme-not-allowed"),
        ("https://a.example:99999/", "port-out-of-range"),
        ("https://", "host-missing"),
        ("https://10.0.0.1/", "address-not-allowed"),
        ("//10.0.0.1/", "address-not-allowed"),
        ("a", NOT_RELATIVE),
    ],
)
def test_the_validator_names_the_rule(text: str, code: str) -> None:
    """A policy is for whole URLs, and for references with a host."""
    policy = URLPolicy(address_classes=["global"])
    with pytest.raises(ValidationError) as raised:
        URLReferenceValidator(policy=policy, allow_scheme_relative=True)(text)
    assert code in codes(raised)


def test_a_policy_does_not_concern_paths() -> None:
    """They have the host of the site."""
    policy = URLPolicy(hosts=["cdn.example"])
    validator = URLReferenceValidator(policy=policy, allow_scheme_relative=True)
    for text in ("/a", "?b", "#c", "", "//cdn.example/a", "https://cdn.example/"):
        validator(text)
    with pytest.raises(ValidationError):
        validator("https://other.example/")


def test_no_message_shows_a_password() -> None:
    """Refused text may contain one."""
    for text in ("//user:secret@evil.example", "https://user:secret@a.example:99999/"):
        with pytest.raises(ValidationError) as raised:
            reference_text(text)
        assert "secret" not in repr(raised.value) + str(raised.value.messages)


# Rows, forms and the admin. `crossings` has what this field does as the others do.


@pytest.mark.django_db
def test_rows_hold_canonical_text() -> None:
    """A lookup takes any spelling."""
    for text, canonical in STORED.items():
        item, created = MenuItem.objects.get_or_create(link=text)
        assert item.link == stored_text(item, "link") == canonical
        assert created is not (text == "/..//evil.example")
        assert stored(link=text) == [canonical]
    assert stored(link="//evil.example") == []
    with pytest.raises(ValidationError), transaction.atomic():
        MenuItem.objects.update(link="//evil.example")


class LinkForm(Form):
    """A form with every default."""

    link = URLReferenceFormField(max_length=100)
    other = URLReferenceFormField(required=False, error_messages={NOT_RELATIVE: "Use a slash."})


def test_a_form_cleans_to_canonical_text() -> None:
    """An optional field may be empty."""
    form = LinkForm({"link": " \\é ", "other": " "})
    assert form.is_valid()
    assert form.cleaned_data == {"link": "/%C3%A9", "other": ""}


def test_a_form_says_what_is_wrong() -> None:
    """The messages can be replaced."""
    form = LinkForm({"link": "javascript:alert(1)", "other": "example.com"})
    assert form.errors.as_data()["link"][0].code == "scheme-not-allowed"
    assert form.errors["other"] == ["Use a slash."]
    form = LinkForm({"link": "/" + "a" * 4000})
    assert form.errors.as_data()["link"][0].code == "max_length"


@pytest.mark.django_db
def test_the_admin_edits_a_link(admin_client: Client) -> None:
    """It has a wide text input, because browsers refuse a path in an input of type "url"."""
    page = admin_client.get("/admin/siteapp/menuitem/add/").content.decode()
    assert 'type="text" name="link"' in page
    assert "vURLField" in page
    data = {"link": "/é", "image": ""}
    assert admin_client.post("/admin/siteapp/menuitem/add/", data).status_code == 302
    assert stored() == ["/%C3%A9"]


# Resolving.


def test_a_reference_is_resolved_with_a_request_or_a_base(rf: RequestFactory) -> None:
    """A request is the page it asks for."""
    request = rf.get("/a/b?c", headers={"host": "testserver"})
    assert str(resolve_reference("/d", request)) == "http://testserver/d"
    assert str(resolve_reference("?d", request)) == "http://testserver/a/b?d"
    assert str(resolve_reference("#d", "https://a.example/b")) == "https://a.example/b#d"
    assert str(resolve_reference("https://x/", parse("https://a"))) == "https://x/"
    with pytest.raises(URLParseError):
        resolve_reference("/d", "mailto:a")
    with pytest.raises(DisallowedHost):
        resolve_reference("/d", rf.get("/", headers={"host": "evil.example"}))


@pytest.mark.django_db
def test_rows_are_resolved_with_a_base_from_the_settings() -> None:
    """This works without a request. A whole URL is not changed."""
    for link in ("/a", "?b", "https://other.example/c"):
        MenuItem.objects.create(link=link)
    bases = {"default": "https://www.example.com/x/y", "shop": "https://shop.example:8443/"}
    with override_settings(URL_REFERENCE_BASES=bases):
        resolved = {
            name: [str(resolve_reference(link, named_base(name))) for link in stored()]
            for name in bases
        }
        assert named_base() == named_base("default") == parse(bases["default"])
    assert resolved == {
        "default": [
            "https://www.example.com/a",
            "https://www.example.com/x/y?b",
            "https://other.example/c",
        ],
        "shop": [
            "https://shop.example:8443/a",
            "https://shop.example:8443/?b",
            "https://other.example/c",
        ],
    }


@pytest.mark.parametrize(
    ("bases", "reason"),
    [
        ({}, "no base called 'cdn'. It has: none"),
        ({"default": "https://h/"}, "no base called 'cdn'. It has: 'default'"),
        ({"cdn": "/static/"}, "is not a URL"),
        ({"cdn": "https://user:hunter2@h:99999/"}, "is not a URL"),
        ({"cdn": "mailto:a@example.com"}, "cannot be a base"),
    ],
)
def test_a_base_that_the_settings_do_not_have_is_an_error(
    bases: dict[str, str], reason: str
) -> None:
    """The message names the setting, and shows no password."""
    with (
        override_settings(URL_REFERENCE_BASES=bases),
        pytest.raises(ImproperlyConfigured, match=re.escape(reason)) as raised,
    ):
        named_base("cdn")
    assert "URL_REFERENCE_BASES" in str(raised.value)
    assert "hunter2" not in str(raised.value)


def test_without_the_setting_there_is_no_named_base() -> None:
    """The setting is optional."""
    with pytest.raises(ImproperlyConfigured, match="no base called 'default'"):
        named_base()


# The field.


def test_the_options_survive_a_migration() -> None:
    """Only options that differ from the defaults are written."""
    assert URLReferenceField().deconstruct()[1:] == (
        "django_whatwg_url.fields.URLReferenceField",
        [],
        {},
    )
    options = {
        "max_length": 99,
        "schemes": ("ftp",),
        "policy": URLPolicy(address_classes=["global"]),
        "allow_scheme_relative": True,
    }
    field = URLReferenceField(**options)  # type: ignore[call-overload]
    assert field.deconstruct()[3] == options
    assert field.clone().deconstruct()[3] == options
    validator = URLReferenceValidator(("ftp",), options["policy"], True)  # type: ignore[arg-type]
    assert URLReferenceValidator(**validator.deconstruct()[2]) == validator  # type: ignore[arg-type]


def test_wrong_options_are_refused() -> None:
    """Both the model field and the form field refuse them."""
    for kind in (URLReferenceField, URLReferenceFormField):
        with pytest.raises(TypeError):
            kind(allow_scheme_relative="no")  # type: ignore[arg-type, call-overload]
        with pytest.raises(TypeError):
            kind(policy="public:")
        with pytest.raises(ValueError, match="scheme"):
            kind(schemes=["a b"])


def test_a_default_that_the_field_refuses_is_an_error() -> None:
    """A system check reports it."""
    model = model_with(
        good=URLReferenceField(default="/a"), bad=URLReferenceField(default="//evil.example")
    )
    assert [(error.id, error.obj) for error in model.check()] == [
        ("django_whatwg_url.E032", model._meta.get_field("bad"))
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("about", "Begin with a slash, as in “/about”, or with a"),
        ("example.com", "Begin with a slash, as in “/about”, or with a"),
        ("//evil.example", "Begin with one slash only, or write a complete URL"),
        ("/\\evil.example", "Begin with one slash only, or write a complete URL"),
    ],
)
def test_the_message_says_that_a_path_is_allowed(text: str, message: str) -> None:
    """It is the message of the form, the model and the validator."""
    field = URLReferenceFormField()
    for call in (
        lambda: field.clean(text),
        lambda: MenuItem(link=text).full_clean(),
        lambda: URLReferenceValidator()(text),
        lambda: reference_text(text),
    ):
        with pytest.raises(ValidationError, match=message):
            call()
