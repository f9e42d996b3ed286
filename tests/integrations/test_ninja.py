"""django-ninja: schemas with URLs, ModelSchema, parameters, filters, OpenAPI."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Annotated, Any, Final

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.urls import path
from django.utils import translation
from ninja import FilterSchema, ModelSchema, NinjaAPI, Query, Schema

import weburl
from django_whatwg_url.integrations.ninja import ModelFieldRules, URLJSONRenderer
from tests.integrations.linksapp.models import Link
from tests.integrations.values import SECRET, VALUES
from weburl import Domain, URLRecord

LINKS: Final[Any] = Link._default_manager


class LinkOut(Schema):
    """A schema written by hand."""

    url: URLRecord
    homepage: URLRecord | None = None


class LinkModel(ModelSchema):
    """All of a model."""

    url: Annotated[URLRecord, ModelFieldRules(Link, "url")]
    homepage: Annotated[URLRecord, ModelFieldRules(Link, "homepage")] | None = None

    class Meta:
        model = Link
        fields = "__all__"


class LinkIn(ModelSchema):
    """What a request brings of it."""

    url: Annotated[URLRecord, ModelFieldRules(Link, "url")]
    homepage: Annotated[URLRecord, ModelFieldRules(Link, "homepage")] | None = None

    class Meta:
        model = Link
        exclude = ("id",)
        fields_optional = ("title",)


class PlainModel(ModelSchema):
    """A field of the model without its rules."""

    url: URLRecord

    class Meta:
        model = Link
        fields = ("url",)


class LinkFilter(FilterSchema):
    """Filters by the lookups of the field."""

    url: URLRecord | None = None
    url__host: Domain | None = None
    url__under: URLRecord | None = None


api: Final = NinjaAPI(urls_namespace="test-links")


@api.post("/links", response=LinkOut)
def add(request: Any, payload: LinkOut) -> Any:
    """Store a URL."""
    return LINKS.create(url=payload.url, homepage=payload.homepage)


@api.get("/links", response=list[LinkOut])
def listed(request: Any, filters: Query[LinkFilter]) -> Any:
    """List the URLs."""
    return filters.filter(LINKS.order_by("url"))


@api.post("/models", response=LinkModel)
def add_model(request: Any, payload: LinkIn) -> Any:
    """Store what the schema of the model read."""
    assert isinstance(payload.url, URLRecord)
    return LINKS.create(**payload.dict(exclude_none=True))


@api.get("/models", response=list[LinkModel])
def models_listed(request: Any) -> Any:
    """List the rows."""
    return LINKS.order_by("id")


@api.get("/annotated", response=list[PlainModel])
def annotated(request: Any) -> Any:
    """List the rows by the other schema."""
    return LINKS.order_by("id")


@api.get("/hosts/{host}", response=str)
def of_host(request: Any, host: Domain, url: URLRecord) -> str:
    """Take a host of the path and a URL of the query."""
    assert isinstance(host, Domain)
    return f"{host} {url}"


@api.get("/at/{path:url}", response=LinkOut)
def at(request: Any, url: URLRecord) -> LinkOut:
    """Take a URL of the path, and return a schema's object."""
    return LinkOut(url=url)


with_renderer: Final = NinjaAPI(urls_namespace="test-rendered", renderer=URLJSONRenderer())


@with_renderer.get("/raw")
def raw(request: Any) -> Any:
    """Return values without a schema."""
    return {"values": list(VALUES), "out": LinkOut(url=weburl.parse("https://h"))}


urlpatterns = [path("api/", api.urls), path("rendered/", with_renderer.urls)]
pytestmark = [pytest.mark.django_db, pytest.mark.urls(__name__)]


@pytest.fixture
def client() -> Iterator[Client]:
    """Return a client whose errors are responses, as people get them."""
    with override_settings(DEBUG=False):
        yield Client(raise_request_exception=False)


def post(client: Client, where: str, data: dict[str, Any]) -> tuple[int, Any]:
    """Return the status and the JSON of the answer."""
    answer = client.post(f"/api/{where}", json.dumps(data), content_type="application/json")
    return answer.status_code, answer.json()


def errors(answer: tuple[int, Any]) -> list[tuple[str, str]]:
    """Return the fields and the codes of an answer; nothing of it has the password."""
    status, data = answer
    assert status == 422
    assert SECRET not in json.dumps(data)
    return [(error["loc"][-1], error["type"]) for error in data["detail"]]


def test_a_schema_takes_and_gives_urls(client: Client) -> None:
    """In its canonical form; a GET was an error of the server."""
    status, data = post(client, "links", {"url": "HTTPS://Bücher.example:443/a/../b"})
    assert (status, data) == (200, {"url": "https://xn--bcher-kva.example/b", "homepage": None})
    answer = client.get("/api/links")
    assert answer.json() == [{"url": "https://xn--bcher-kva.example/b", "homepage": None}]
    bad = {"url": f"https://user:{SECRET}@h:99999/", "homepage": 5}
    assert errors(post(client, "links", bad)) == [
        ("url", "port-out-of-range"),
        ("homepage", "wrong-type"),
    ]


def test_a_schema_of_the_model_takes_and_gives_urls(client: Client) -> None:
    """By the rules of the model field, which the messages of forms explain."""
    status, data = post(
        client, "models", {"title": "a", "url": "HTTPS://A.example", "homepage": ""}
    )
    assert status == 200
    assert data["url"] == "https://a.example/"
    assert data["homepage"] is None
    assert [each["url"] for each in client.get("/api/models").json()] == ["https://a.example/"]
    assert client.get("/api/annotated").json() == [{"url": "https://a.example/"}]
    for url, code in [
        ("javascript:alert(1)", "scheme-not-allowed"),
        (f"https://user:{SECRET}@h:99999/", "port-out-of-range"),
        (f"https://user:{SECRET}@h/" + "a" * 500, "max_length"),
        ("", "null"),
        (5, "wrong-type"),
        ("a\ud800\0", "missing-scheme-non-relative-URL"),
    ]:
        assert errors(post(client, "models", {"title": "a", "url": url})) == [("url", code)]
    with translation.override("de"):
        _, data = post(client, "models", {"title": "a", "url": "https://h:99999"})
    assert "99999" in data["detail"][0]["msg"]


def test_a_row_that_breaks_the_rules_can_be_read(client: Client) -> None:
    """The schema of the model says what is there, also where that is not a URL."""
    with connection.cursor() as cursor:
        for text in ("not a url", "javascript:1"):
            cursor.execute(f"INSERT INTO linksapp_link (title, url) VALUES ('', '{text}')")
    assert [each["url"] for each in client.get("/api/models").json()] == [
        "not a url",
        "javascript:1",
    ]


def test_parameters_and_filters(client: Client) -> None:
    """Of the path and of the query."""
    for url in ("https://a.example/x/y", "https://b.example/"):
        LINKS.create(url=url)
    answer = client.get("/api/hosts/B%C3%BCcher.example", {"url": "https:h"})
    assert answer.json() == "xn--bcher-kva.example https://h/"
    assert client.get("/api/at/https://h/a").json()["url"] == "https://h/a"
    for filters, expected in [
        ({"url": "HTTPS://B.example:443"}, ["https://b.example/"]),
        ({"url__host": "A.example"}, ["https://a.example/x/y"]),
        ({"url__under": "https://a.example/x/"}, ["https://a.example/x/y"]),
    ]:
        assert [each["url"] for each in client.get("/api/links", filters).json()] == expected
    answer = client.get("/api/links", {"url": f"https://user:{SECRET}@h:x", "url__host": "a b"})
    assert errors((answer.status_code, answer.json())) == [
        ("url", "port-invalid"),
        ("url__host", "domain-to-ASCII"),
    ]


def test_the_openapi_document(client: Client) -> None:
    """Formats and lengths."""
    document = client.get("/api/openapi.json").json()
    schemas = document["components"]["schemas"]
    assert schemas["LinkOut"]["properties"]["url"] == {
        "type": "string",
        "format": "uri",
        "title": "Url",
    }
    url = schemas["LinkModel"]["properties"]["url"]
    assert (url["type"], url["format"], url["maxLength"]) == ("string", "uri", 500)
    home = schemas["LinkModel"]["properties"]["homepage"]["anyOf"]
    assert home == [{"type": "string", "format": "uri", "maxLength": 2048}, {"type": "null"}]
    parameters = document["paths"]["/api/hosts/{host}"]["get"]["parameters"]
    assert [each["schema"]["format"] for each in parameters] == ["hostname", "uri"]


def test_values_without_a_schema_need_the_renderer(client: Client) -> None:
    """Then each class is written as text."""
    data = client.get("/rendered/raw").json()
    assert data == {
        "values": [str(value) for value in VALUES],
        "out": {"url": "https://h/", "homepage": None},
    }


def test_the_rules_are_those_of_a_url_field() -> None:
    """Another field has none."""
    with pytest.raises(TypeError, match="'title' is not a CanonicalURLField"):
        ModelFieldRules(Link, "title")


def test_nothing_of_ninja_is_changed() -> None:
    """`ModelSchema` makes the type of a field with its own function."""
    program = (
        "import django; from django.conf import settings; "
        "settings.configure(INSTALLED_APPS=['django_whatwg_url', 'ninja']); django.setup(); "
        "import ninja.orm.factory as factory; print(factory.get_schema_field.__module__)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert result.stdout.strip() == "ninja.orm.fields"
