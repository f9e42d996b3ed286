"""Tests of dumpdata and loaddata, and of URLs among other values."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import CASCADE, ForeignKey, Manager, Model, QuerySet
from django.db.models.functions import JSONObject
from django.test.utils import isolate_apps

from django_whatwg_url.column.values import UnparsableURL
from django_whatwg_url.fields import CanonicalURLField
from tests.django.servers import created
from tests.django.siteapp.models import Issuer, MenuItem
from tests.django.stored import store_text, stored_texts
from tests.django.testapp.models import Bookmark, Page, Site, Visit
from tests.django.textapp.models import Link
from weburl import parse

pytestmark = pytest.mark.django_db

FORMATS = ["json", "jsonl", "xml"]


@pytest.mark.parametrize("format", FORMATS)
def test_rows_survive_dumpdata_and_loaddata(format: str, tmp_path: Path) -> None:
    """With URLs as text, missing ones as null, and keys that are URLs."""
    Bookmark.objects.create(url="https://example.com/é?a=<&>")
    Page.objects.create(url=None)
    Page.objects.create(url="https://example.com/%20")
    Visit.objects.create(
        site=Site.objects.create(url="https://example.com"), bookmark=Bookmark.objects.get()
    )
    before = [list(model.objects.order_by("pk").values()) for model in (Bookmark, Page, Visit)]
    dump = tmp_path / f"dump.{format}"
    call_command("dumpdata", "testapp", format=format, output=str(dump), verbosity=0)
    for model in (Visit, Site, Bookmark, Page):
        model.objects.all().delete()
    call_command("loaddata", str(dump), verbosity=0)
    assert [
        list(model.objects.order_by("pk").values()) for model in (Bookmark, Page, Visit)
    ] == before


def test_a_dump_holds_canonical_text() -> None:
    """Plain strings that any software can read."""
    Page.objects.create(url="HTTPS:EXAMPLE.com/é")
    out = StringIO()
    call_command("dumpdata", "testapp.page", stdout=out)
    assert json.loads(out.getvalue())[0]["fields"]["url"] == "https://example.com/%C3%A9"


def row(url: str | None) -> str:
    """Return a dump of one page."""
    fields = {"url": url, "source": "https://example.com/", "published": None, "title": ""}
    return json.dumps([{"model": "testapp.page", "pk": 1, "fields": fields}])


def test_loading_canonicalizes() -> None:
    """Fixtures written by hand may use any spelling."""
    for loaded in serializers.deserialize("json", row("HTTPS:EXAMPLE.com/é")):
        loaded.save()
    assert stored_texts(Page) == ["https://example.com/%C3%A9"]


def test_loading_an_empty_string_gives_none() -> None:
    """As XML writes a missing text, and older dumps may."""
    for loaded in serializers.deserialize("json", row("")):
        loaded.save()
    assert stored_texts(Page) == [None]


@pytest.mark.parametrize("format", FORMATS)
def test_a_dump_of_rows_that_do_not_parse_loads_again(format: str) -> None:
    """Fixtures are loaded as they are, for every kind of field. Saving refuses the same text."""
    page = Page.objects.create()
    link = Link.objects.create(url="https://example.com/")
    issuer = Issuer.objects.create(url="https://example.com", home="https://example.com")
    item = MenuItem.objects.create(link="/a", image="/a")
    rows: list[tuple[Any, str, str]] = [
        (page, "url", "not a url"),
        (link, "url", "http://x:y/"),
        (issuer, "url", "no url"),
        (item, "link", "//evil.example"),
    ]
    for row, name, text in rows:
        store_text(row, text, name)
    dump = serializers.serialize(format, [type(row)._default_manager.get() for row, *_ in rows])
    for row, *_ in rows:
        row.delete()
    for loaded in serializers.deserialize(format, dump):
        loaded.save()
    for row, name, text in rows:
        model = type(row)
        assert stored_texts(model, name) == [text]
        with pytest.raises(ValidationError), transaction.atomic():
            model._default_manager.update(**{name: text})


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.django_db(transaction=True)
def test_a_url_can_be_the_natural_key_of_a_row(format: str) -> None:
    """Written as text: a row that refers to it finds it in any spelling."""
    with isolate_apps("tests.django.testapp"):

        class SourceManager(Manager[Any]):
            def get_by_natural_key(self, url: str) -> Any:
                return self.get(url=url)

        class Source(Model):
            url = CanonicalURLField(unique=True)
            objects = SourceManager()

            class Meta:
                app_label = "testapp"

            def natural_key(self) -> tuple[str]:
                return (str(self.url),)

        class Quote(Model):
            source = ForeignKey(Source, on_delete=CASCADE)

            class Meta:
                app_label = "testapp"

    with created(Source, Quote):
        quotes: QuerySet[Any] = QuerySet(Quote)
        quotes.create(source=Source.objects.create(url="HTTPS:EXAMPLE.com/é"))
        dump = serializers.serialize(
            format,
            [*Source.objects.all(), *quotes.all()],
            use_natural_foreign_keys=True,
            use_natural_primary_keys=True,
        )
        assert dump.count("https://example.com/%C3%A9") == 2
        quotes.all().delete()
        Source.objects.all().delete()
        apps.all_models["testapp"].update(source=Source, quote=Quote)
        try:
            loaded = dump.replace("https://example.com/%C3%A9", "https:example.com/é")
            for row in serializers.deserialize(format, loaded):
                row.save()
        finally:
            del apps.all_models["testapp"]["source"], apps.all_models["testapp"]["quote"]
            apps.clear_cache()
        assert quotes.get().source.url == parse("https://example.com/é")


def test_json_encoders_take_a_records_text() -> None:
    """DjangoJSONEncoder does not know records: `URLJSONEncoder` does, or give it their text."""
    record = parse("https://example.com")
    with pytest.raises(TypeError):
        json.dumps(record, cls=DjangoJSONEncoder)
    assert json.loads(json.dumps([str(record)], cls=DjangoJSONEncoder)) == ["https://example.com/"]
    assert json.loads(json.dumps(UnparsableURL("bad", parse_error()))) == "bad"


def parse_error() -> Any:
    """Return the error for text that does not parse."""
    return Page(url="bad").url.error  # type: ignore[union-attr]


def test_the_database_makes_json_of_text() -> None:
    """JSONObject() needs no encoder."""
    Bookmark.objects.create(url="https:example.com")
    made = Bookmark.objects.annotate(made=JSONObject(link="url")).get().made
    assert made == {"link": "https://example.com/"}
