"""Tests of the checks of what the admin shows, which must not be a password."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.core.checks import CheckMessage
from django.db import models
from django.test.utils import isolate_apps

from django_whatwg_url.admin import URLAdminMixin, URLHostListFilter, URLLink, URLValuesListFilter
from django_whatwg_url.checks.models import check_lists, check_shown_texts
from django_whatwg_url.fields import CanonicalURLField, ExactURLField
from tests.django.siteapp.models import Feed
from tests.django.testapp.models import Bookmark


def found(
    shown: Callable[[Any], Any] | None, **fields: models.Field[Any, Any]
) -> list[CheckMessage]:
    """Return the messages about a model with these fields and this `__str__()`."""
    with isolate_apps("tests.django.keysapp") as registry:
        meta = type("Meta", (), {"app_label": "keysapp"})
        attributes: dict[str, Any] = {"__module__": __name__, "Meta": meta, **fields}
        attributes.setdefault("url", CanonicalURLField())
        if shown is not None:
            attributes["__str__"] = shown
        type("Shown", (models.Model,), attributes)
        return check_shown_texts([registry.get_app_config("keysapp")])  # type: ignore[union-attr]


def no_default() -> str:
    """Fail, as a default that reads the database would."""
    return str(Bookmark.objects.count())


@pytest.mark.parametrize(
    "shown",
    [
        lambda row: str(row.url),
        lambda row: row.title or row.url.href,
        lambda row: f"{row.title}: {row.url}",
        lambda row: row.url.username,
    ],
)
def test_a_text_with_credentials_is_named(shown: Callable[[Any], str]) -> None:
    """The hint has the call to write instead."""
    (message,) = found(shown, title=models.CharField(blank=True, default=no_default))
    assert message.id == "django_whatwg_url.W034"
    assert "self.url.redacted()" in str(message.hint)


@pytest.mark.parametrize(
    "shown",
    [
        None,
        lambda row: row.title or row.url.redacted(),
        lambda row: row.url.hostname,
        lambda row: row.nothing,
        lambda row: row.title / 0,
        lambda _row: None,
        lambda row: f"{Bookmark.objects.count()} {row.url}",
    ],
)
def test_other_texts_are_not_named(shown: Callable[[Any], Any] | None) -> None:
    """The method may also fail, or need a query, which a check must not run."""
    assert found(shown, title=models.CharField(blank=True)) == []


@pytest.mark.parametrize("field", [CanonicalURLField(as_text=True), ExactURLField()])
def test_a_field_whose_value_is_text_has_another_hint(field: models.Field[Any, Any]) -> None:
    """A string does not have `redacted()`."""
    (message,) = found(lambda row: row.url, url=field)
    assert message.hint == "Show another field, or only the host."


def test_each_field_is_named() -> None:
    """The text shows two of them."""
    messages = found(lambda row: f"{row.url} {row.home}", home=CanonicalURLField(null=True))
    named = {str(message.msg).partition(" of ")[2].partition(".")[0] for message in messages}
    assert named == {"'url'", "'home'"}


def test_the_spelling_of_a_url_is_a_text_with_credentials() -> None:
    """The column that ``written`` names holds what was typed."""
    written = models.CharField(default="")
    (message,) = found(
        lambda row: row.written, url=CanonicalURLField(written="written"), written=written
    )
    assert "'written'" in message.msg


def messages_about(monkeypatch: pytest.MonkeyPatch, *bases: type, **options: Any) -> list[str]:
    """Return the messages about a `ModelAdmin` of ``model`` with these options."""
    model = options.pop("model", Bookmark)
    site = admin.AdminSite()
    site.register(model, type("Listed", (*bases, admin.ModelAdmin), options))
    monkeypatch.setattr(admin, "site", site)
    messages = check_lists([model._meta.app_config])
    assert {message.id for message in messages} <= {"django_whatwg_url.W036"}
    return [f"{message.msg} {message.hint}" for message in messages]


@pytest.mark.parametrize(
    ("option", "instead"),
    [("list_display", 'URLLink("url")'), ("list_filter", '("url", URLValuesListFilter)')],
)
def test_a_list_of_whole_urls_is_named(
    monkeypatch: pytest.MonkeyPatch, option: str, instead: str
) -> None:
    """Django's own columns and filters show a URL as it is stored."""
    (message,) = messages_about(monkeypatch, **{option: ("title", "url")})
    assert message == (
        f"{option} of Listed shows the usernames and passwords of the URLs in 'url'. "
        f"Use URLAdminMixin, or write {instead} instead of the name."
    )


def test_a_list_of_spellings_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are what people typed."""
    options = {"model": Feed, "list_display": ("title", "url_written")}
    (message,) = messages_about(monkeypatch, **options)
    assert "'url_written'" in message
    assert messages_about(monkeypatch, URLAdminMixin, **options) == []


def test_lists_without_passwords_are_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The mixin, its columns and its filters mask them."""
    plain = {"list_display": ("title", "url"), "list_filter": ("url",)}
    masked = {
        "list_display": ("title", URLLink("url")),
        "list_filter": (("url", URLValuesListFilter), ("url", URLHostListFilter)),
    }
    assert messages_about(monkeypatch, URLAdminMixin, **plain) == []
    assert messages_about(monkeypatch, **masked) == []
    assert messages_about(monkeypatch, list_display=("title",)) == []
