"""Tests of `django_whatwg_url.encoders`: URLs in JSON, wherever Django makes some."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django import forms
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.contrib.sessions.backends.signed_cookies import SessionStore as CookieStore
from django.core import signing
from django.db import models
from django.db.models import QuerySet
from django.http import JsonResponse
from django.template import Context, Template
from django.test import Client, RequestFactory, override_settings
from django.utils.html import json_script

import weburl
from django_whatwg_url.column.values import to_url
from django_whatwg_url.encoders import URLJSONEncoder, URLJSONSerializer
from django_whatwg_url.fields import CanonicalURLField
from tests.django.servers import created, model_with
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
    model = model_with(url=CanonicalURLField(), notes=models.JSONField(encoder=URLJSONEncoder))
    with created(model):
        rows: QuerySet[Any] = QuerySet(model)
        row = rows.create(url=URL, notes={"seen": URL, "from": [URL, None]})
        row.refresh_from_db()
        assert row.notes == {"seen": URL.href, "from": [URL.href, None]}
        assert rows.get(notes__seen=URL) == rows.get(notes__seen=str(URL)) == row
        assert rows.get(notes__from__0=URL) == row
        assert rows.filter(notes__seen=parse("https://example.com/")).count() == 0
        rows.update(notes={"seen": parse("a:b")})
        assert rows.values_list("notes__seen", flat=True).get() == "a:b"


ORIGIN = weburl.origin_of(URL)
DATA = {
    "url": URL,
    "hosts": [
        URL.host,
        parse("http://127.1/").host,
        parse("http://[::1]/").host,
        parse("foo://B/").host,
        parse("foo:///").host,
    ],
    "origins": (ORIGIN, weburl.OpaqueOrigin()),
    "site": weburl.obtain_a_site(ORIGIN),
    "params": weburl.URLSearchParams("a=é"),
}
TEXT = {
    "url": "https://example.com/%C3%A9",
    "hosts": ["example.com", "127.0.0.1", "[::1]", "B", ""],
    "origins": ["https://example.com", "null"],
    "site": "https://example.com",
    "params": "a=%C3%A9",
}


def test_hosts_origins_and_sites_are_text_in_json() -> None:
    """Every kind of them; without the encoder each is refused."""
    assert json.loads(json.dumps(DATA, cls=URLJSONEncoder)) == TEXT
    for value in (*DATA["hosts"], *DATA["origins"], DATA["site"], DATA["params"]):  # type: ignore[misc]
        with pytest.raises(TypeError):
            json.dumps(value)


def test_a_response_holds_them() -> None:
    """As `JsonResponse` is told."""
    assert json.loads(JsonResponse(DATA, encoder=URLJSONEncoder).content) == TEXT


def test_a_script_in_a_page_holds_them() -> None:
    """It is made in Python or in a template, and escaped for HTML."""
    data = {"url": parse("https://example.com/?</script>&")}
    script = json_script(data, "data", encoder=URLJSONEncoder)
    template = Template("{% load whatwg_url %}{{ data|url_json_script:'data' }}")
    assert template.render(Context({"data": data})) == script
    assert script.startswith('<script id="data" type="application/json">{"url": "https://')
    assert "%3C/script%3E\\u0026" in script
    assert 'id="' not in Template("{% load whatwg_url %}{{ data|url_json_script }}").render(
        Context({"data": DATA})
    )


def test_a_signature_holds_them() -> None:
    """`signing.dumps` or a signer makes it. Django's serializer reads what ours wrote."""
    signed = signing.dumps(DATA, serializer=URLJSONSerializer)
    assert signing.loads(signed, serializer=URLJSONSerializer) == TEXT == signing.loads(signed)
    signer = signing.TimestampSigner()
    signed = signer.sign_object(DATA, serializer=URLJSONSerializer, compress=True)
    assert signer.unsign_object(signed, serializer=URLJSONSerializer) == TEXT


@pytest.mark.django_db
@pytest.mark.parametrize("store", [DatabaseStore, CookieStore])
@override_settings(SESSION_SERIALIZER="django_whatwg_url.encoders.URLJSONSerializer")
def test_a_session_holds_them(store: type[SessionBase]) -> None:
    """Text when it is read back, and non-ASCII text as with Django's own."""
    session = store()
    session["seen"] = DATA
    session["name"] = "日本"
    session.save()
    again = store(session.session_key)
    assert again["seen"] == TEXT
    assert again["name"] == "日本"


def test_the_test_client_sends_them() -> None:
    """Told once, it takes them in every request; the client and its factory are one in this."""
    assert issubclass(Client, RequestFactory)
    factory: Any = RequestFactory(json_encoder=URLJSONEncoder)
    request = factory.post("/", DATA, content_type="application/json")
    assert json.loads(request.body) == TEXT
    response = Client(json_encoder=URLJSONEncoder).put("/", DATA, content_type="application/json")
    assert response.status_code == 404  # It was sent; there is no such page.


def test_a_form_field_shows_them() -> None:
    """They are the initial value of a `JSONField`."""
    field = forms.JSONField(encoder=URLJSONEncoder)
    assert json.loads(field.prepare_value(DATA)) == TEXT
