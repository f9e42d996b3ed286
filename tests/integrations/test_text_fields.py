"""Other libraries read and write text with `CanonicalURLField(as_text=True)`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import factory.django
import pytest
import tablib
from import_export import resources
from ninja import ModelSchema
from pydantic import ValidationError as PydanticError
from rest_framework import serializers

from django_whatwg_url.integrations.import_export import URLResourceMixin
from django_whatwg_url.integrations.ninja import ModelFieldRules
from django_whatwg_url.integrations.rest_framework import CanonicalURLField
from django_whatwg_url.integrations.wagtail import URLDisplay
from tests.django.stored import column_field, store_text, stored_texts
from tests.django.textapp.models import Link, Note, Strict

pytestmark = pytest.mark.django_db

SPELLING = "HTTPS://EXAMPLE.com/é"
CANONICAL = "https://example.com/%C3%A9"
NOTES: Any = Note._default_manager


class NoteSerializer(serializers.ModelSerializer[Note]):
    """A note with a URL that may be empty and one that may be NULL."""

    class Meta:
        model = Note
        fields = ("url", "mirror")


class LinkSerializer(serializers.ModelSerializer[Link]):
    """A link with a unique URL that has a validator of the project."""

    class Meta:
        model = Link
        fields = ("url", "title")


def test_rest_framework_reads_and_writes_text() -> None:
    """The text is canonical. An empty column is "", and NULL is None."""
    serializer = NoteSerializer(data={"url": SPELLING, "mirror": ""})
    assert serializer.is_valid(), serializer.errors
    assert serializer.validated_data == {"url": CANONICAL, "mirror": None}
    assert type(serializer.validated_data["url"]) is str
    note = serializer.save()
    assert NoteSerializer(note).data == {"url": CANONICAL, "mirror": None}
    empty = NoteSerializer(note, data={"url": ""}, partial=True)
    assert empty.is_valid(), empty.errors
    assert empty.save().url == ""
    assert stored_texts(Note) == [""]


def test_rest_framework_refuses_what_the_model_refuses() -> None:
    """Errors have the codes of the standard, of other validators, and of unique fields."""
    Link._default_manager.create(url=CANONICAL)
    for url, code in (
        ("http://x:y/", "port-invalid"),
        ("https://example.com/refused", "refused"),
        (SPELLING, "unique"),
        ("", "blank"),
    ):
        serializer = LinkSerializer(data={"url": url})
        assert not serializer.is_valid()
        assert [error.code for error in serializer.errors["url"]] == [code]


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


def test_ninja_has_text_in_schemas() -> None:
    """A request follows the rules of the field. A response has the stored text."""

    class NoteSchema(ModelSchema):
        url: Annotated[str, ModelFieldRules(Note, "url")]
        mirror: Annotated[str, ModelFieldRules(Note, "mirror")] | None = None

        class Meta:
            model = Note
            fields = ("url", "mirror")

    schema: Any = NoteSchema
    read = schema(url=SPELLING, mirror=None)
    assert (read.url, type(read.url), read.mirror) == (CANONICAL, str, None)
    assert schema(url="").url == ""
    with pytest.raises(PydanticError) as raised:
        schema(url="https://u:secret@h:x/")
    assert raised.value.errors()[0]["type"] == "port-invalid"
    assert "secret" not in str(raised.value)
    note = NOTES.create(url=SPELLING)
    store_text(note, "not a url")
    context = {"response_status": 200}
    response = schema.model_validate(NOTES.get(), context=context)
    assert response.model_dump(mode="json") == {"url": "not a url", "mirror": None}
    properties = schema.model_json_schema()["properties"]
    assert "'format': 'uri'" in str(properties["url"])
    assert "2048" in str(properties["url"])


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


def test_factory_boy_make_rows_with_text() -> None:
    """The attribute is text after saving."""

    class NoteFactory(factory.django.DjangoModelFactory[Note]):
        class Meta:
            model = Note

        url = SPELLING

    assert NoteFactory.create().url == CANONICAL
