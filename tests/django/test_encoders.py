"""Tests of `django_whatwg_url.encoders`: URLs in JSON."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.db import models
from django.db.models import QuerySet
from django.test.utils import isolate_apps

import weburl
from django_whatwg_url.columns.values import to_url
from django_whatwg_url.encoders import URLJSONEncoder
from django_whatwg_url.fields import CanonicalURLField
from tests.django.servers import created
from weburl import parse

URL = parse("https://example.com/é")


def test_urls_are_their_hrefs_in_json() -> None:
    """Records, mutable URLs and text that does not parse; what Django encodes, it still does."""
    data = {"url": URL, "urls": [weburl.URL("a:b"), to_url("bad")], "on": dt.date(2026, 7, 2)}
    assert json.loads(json.dumps(data, cls=URLJSONEncoder)) == {
        "url": "https://example.com/%C3%A9",
        "urls": ["a:b", "bad"],
        "on": "2026-07-02",
    }
    with pytest.raises(TypeError):
        json.dumps(object(), cls=URLJSONEncoder)


@pytest.mark.django_db(transaction=True)
def test_a_json_field_can_hold_urls() -> None:
    """They are stored and found as text, and read back as text."""
    with isolate_apps("tests.django.testapp"):

        class Noted(models.Model):
            url = CanonicalURLField()
            notes = models.JSONField(encoder=URLJSONEncoder)

            class Meta:
                app_label = "testapp"

    with created(Noted):
        rows: QuerySet[Any] = QuerySet(Noted)
        row = rows.create(url=URL, notes={"seen": URL, "from": [URL, None]})
        row.refresh_from_db()
        assert row.notes == {"seen": URL.href, "from": [URL.href, None]}
        assert rows.get(notes__seen=URL) == rows.get(notes__seen=str(URL)) == row
        assert rows.get(notes__from__0=URL) == row
        assert rows.filter(notes__seen=parse("https://example.com/")).count() == 0
        rows.update(notes={"seen": parse("a:b")})
        assert rows.values_list("notes__seen", flat=True).get() == "a:b"
