"""Tests of `written=` and `ExactURLField` with Django REST framework and other libraries."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from import_export.resources import ModelResource, modelresource_factory
from ninja import ModelSchema
from rest_framework import serializers
from tablib import Dataset

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.integrations.import_export import URLResourceMixin
from django_whatwg_url.integrations.ninja import ModelFieldRules
from tests.django.siteapp.models import Feed, Issuer, TextFeed
from weburl import URLRecord

pytestmark = pytest.mark.django_db

HREF = "https://feeds.example/%C3%A4"


class Resource(URLResourceMixin, ModelResource):  # type: ignore[misc]
    """A resource for all models here."""


class FeedSerializer(serializers.ModelSerializer[Feed]):
    """All fields of a feed. The column with the spelling is not editable, and so read-only."""

    class Meta:
        model = Feed
        fields = "__all__"


def test_a_serializer_keeps_what_a_client_sent() -> None:
    """The scheme may be missing. Sending the canonical spelling back does not change it."""
    serializer: Any = FeedSerializer(data={"url": " Feeds.example/ä "})
    assert serializer.is_valid(), serializer.errors
    feed = serializer.save()
    assert (str(feed.url), feed.url_written) == (HREF, "Feeds.example/ä")
    again: Any = FeedSerializer(feed, data={"url": HREF, "url_written": "no url"})
    assert again.is_valid(), again.errors
    again.save()
    assert again.data["url_written"] == Feed.objects.get().url_written == "Feeds.example/ä"
    changed: Any = FeedSerializer(feed, data={"url": "HTTPS://B.example"}, partial=True)
    assert changed.is_valid()
    assert changed.save().url_written == "HTTPS://B.example"


def test_an_import_keeps_the_text_of_each_row() -> None:
    """This holds for both kinds of fields. An export has the text of an exact URL."""
    for model, text in ((Feed, "HTTPS://Feeds.example/ä"), (Issuer, "https://Issuer.example")):
        resource: Any = modelresource_factory(model, resource_class=Resource)()
        result = resource.import_data(Dataset([None, text], headers=["id", "url"]))
        assert not result.has_errors()
    assert Feed.objects.get().url_written == "HTTPS://Feeds.example/ä"
    assert Issuer.objects.get().url == "https://Issuer.example"
    assert (
        "https://Issuer.example"
        in modelresource_factory(Issuer, resource_class=Resource)().export().csv
    )


def test_a_schema_of_ninja_keeps_the_text() -> None:
    """An exact URL is text in a schema, and a canonical one keeps its spelling."""

    class FeedSchema(ModelSchema):
        url: Annotated[URLRecord, ModelFieldRules(Feed, "url")]

        class Meta:
            model = Feed
            fields = ("url",)

    class IssuerSchema(ModelSchema):
        class Meta:
            model = Issuer
            fields = ("url",)

    schema: Any = FeedSchema.model_validate({"url": "HTTPS://Feeds.example/ä"})
    assert Feed.objects.create(url=schema.url).url_written == "HTTPS://Feeds.example/ä"
    exact: Any = IssuerSchema.model_validate({"url": "https://Issuer.example"})
    assert exact.url == "https://Issuer.example"


def test_a_field_that_keeps_no_spelling_is_not_affected() -> None:
    """It returns the same record as a field that keeps the spelling."""
    assert CanonicalURLField().clean(HREF, None) == CanonicalURLField(written="x").clean(HREF, None)


class TextFeedSerializer(serializers.ModelSerializer[TextFeed]):
    """A feed whose URL is text."""

    class Meta:
        model = TextFeed
        fields = ("url", "url_written")


def test_a_text_attribute_keeps_what_other_libraries_read() -> None:
    """The text comes from a serializer, an import and a schema."""
    serializer: Any = TextFeedSerializer(data={"url": "Feeds.example"})
    assert serializer.is_valid(), serializer.errors
    assert serializer.save().url_written == "Feeds.example"
    resource: Any = modelresource_factory(TextFeed, resource_class=Resource)()
    result = resource.import_data(Dataset([None, "HTTPS://B.example"], headers=["id", "url"]))
    assert not result.has_errors()

    class TextFeedSchema(ModelSchema):
        url: Annotated[str, ModelFieldRules(TextFeed, "url")]

        class Meta:
            model = TextFeed
            fields = ("url",)

    schema: Any = TextFeedSchema.model_validate({"url": "HTTPS://C.example"})
    assert isinstance(schema.url, str)
    TextFeed.objects.create(url=schema.url)
    rows: Any = TextFeed.objects.order_by("pk").values_list("url", "url_written")
    assert list(rows) == [
        ("https://feeds.example/", "Feeds.example"),
        ("https://b.example/", "HTTPS://B.example"),
        ("https://c.example/", "HTTPS://C.example"),
    ]
