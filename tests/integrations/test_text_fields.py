"""Other libraries read and write text with `CanonicalURLField(as_text=True)`."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
import tablib
from import_export import resources
from rest_framework import serializers

from django_whatwg_url.integrations.import_export import URLResourceMixin
from django_whatwg_url.integrations.rest_framework import CanonicalURLField
from django_whatwg_url.integrations.wagtail import URLDisplay
from tests.django.stored import column_field, stored_texts
from tests.django.textapp.models import Note, Strict

pytestmark = pytest.mark.django_db

SPELLING = "HTTPS://EXAMPLE.com/é"
CANONICAL = "https://example.com/%C3%A9"
NOTES: Any = Note._default_manager


def test_rest_framework_takes_from_the_model_what_a_field_does_not_say() -> None:
    """A declared field has its own rules first, and then the rules of the model."""

    class DeclaredSerializer(serializers.ModelSerializer[Strict]):
        url = CanonicalURLField(max_length=30)

        class Meta:
            model = Strict
            fields = ("url",)

    for url, code in (
        ("https://example.com/a b", "invalid-URL-unit"),
        (f"https://example.com/{'a' * 30}", "max_length"),
        ("ftp://example.com/", "scheme-not-allowed"),
    ):
        serializer = DeclaredSerializer(data={"url": url})
        assert not serializer.is_valid()
        assert [error.code for error in serializer.errors["url"]] == [code]
    serializer = DeclaredSerializer(data={"url": "https://EXAMPLE.com"})
    assert serializer.is_valid(), serializer.errors
    assert type(serializer.validated_data["url"]) is str


def test_import_export_reads_text_and_notices_what_has_not_changed() -> None:
    """A row is skipped if only the spelling of its URL differs. An empty cell is ""."""

    class Notes(URLResourceMixin, resources.ModelResource):  # type: ignore[misc]
        class Meta:
            model = Note
            fields: ClassVar[Any] = ["id", "url", "mirror"]
            skip_unchanged = True
            clean_model_instances = True

    note = NOTES.create(url=SPELLING)

    def imported(url: str) -> Any:
        return Notes().import_data(
            tablib.Dataset((note.pk, url, ""), headers=["id", "url", "mirror"])
        )

    assert imported(SPELLING).rows[0].import_type == "skip"
    assert imported("").rows[0].import_type == "update"
    assert stored_texts(Note) == [""]
    assert imported("https://other.example").rows[0].import_type == "update"
    assert stored_texts(Note) == ["https://other.example/"]
    assert Notes().export().dict[0]["url"] == "https://other.example/"
    (row,) = imported("not a url").invalid_rows
    assert "url" in row.field_specific_errors


def test_wagtail_shows_text_as_a_link_and_lets_a_draft_be_empty() -> None:
    """A password in text that is not a URL is masked."""
    shown = URLDisplay(CANONICAL).render_html()
    assert shown.startswith(f'<a href="{CANONICAL}"')
    assert URLDisplay("").render_html() == ""
    assert "secret" not in URLDisplay("https://u:secret@h:x/").render_html()
    field: Any = column_field(Note)
    assert not field.required_on_save
