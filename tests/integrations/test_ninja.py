"""Tests of django-ninja with schemas, parameters, filters and OpenAPI."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Annotated, Any, Final

import pytest
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
    """A schema that is not made from a model."""

    url: URLRecord
    homepage: URLRecord | None = None


class LinkModel(ModelSchema):
    """A schema with all fields of a model."""

    url: Annotated[URLRecord, ModelFieldRules(Link, "url")]
    homepage: Annotated[URLRecord, ModelFieldRules(Link, "homepage")] | None = None

    class Meta:
        model = Link
        fields = "__all__"


class LinkIn(ModelSchema):
    """The fields that a request may send."""

    url: Annotated[URLRecord, ModelFieldRules(Link, "url")]
    homepage: Annotated[URLRecord, ModelFieldRules(Link, "homepage")] | None = None

    class Meta:
        model = Link
        exclude = ("id",)
        fields_optional = ("title",)


class PlainModel(ModelSchema):
    """A schema with a model field's URL, but without its rules."""

    url: URLRecord

    class Meta:
        model = Link
        fields = ("url",)


class LinkFilter(FilterSchema):
    """Filters that use the lookups of the field."""

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
    """Return the URLs that the filters find."""
    return filters.filter(LINKS.order_by("url"))


@api.post("/models", response=LinkModel)
def add_model(request: Any, payload: LinkIn) -> Any:
    """Store the values of a request."""
    assert isinstance(payload.url, URLRecord)
    return LINKS.create(**payload.dict(exclude_none=True))


@api.get("/models", response=list[LinkModel])
def models_listed(request: Any) -> Any:
    """Return all rows."""
    return LINKS.order_by("id")


@api.get("/annotated", response=list[PlainModel])
def annotated(request: Any) -> Any:
    """Return all rows with the schema without rules."""
    return LINKS.order_by("id")


@api.get("/hosts/{host}", response=str)
def of_host(request: Any, host: Domain, url: URLRecord) -> str:
    """Take a host from the path and a URL from the query."""
    assert isinstance(host, Domain)
    return f"{host} {url}"


@api.get("/at/{path:url}", response=LinkOut)
def at(request: Any, url: URLRecord) -> LinkOut:
    """Take a URL from the path, and return an object of a schema."""
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
    """Return a client that gets errors as responses."""
    with override_settings(DEBUG=False):
        yield Client(raise_request_exception=False)


def post(client: Client, where: str, data: dict[str, Any]) -> tuple[int, Any]:
    """Return the status and the JSON of an answer."""
    answer = client.post(f"/api/{where}", json.dumps(data), content_type="application/json")
    return answer.status_code, answer.json()


def errors(answer: tuple[int, Any]) -> list[tuple[str, str]]:
    """Return the field and the code of each error. The answer does not show the password."""
    status, data = answer
    assert status == 422
    assert SECRET not in json.dumps(data)
    return [(error["loc"][-1], error["type"]) for error in data["detail"]]


def test_a_schema_takes_and_gives_urls(client: Client) -> None:
    """URLs are returned in canonical form. A GET was once a server error."""
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
    """The rules are those of the model field, and so are the messages."""
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


def test_parameters_and_filters(client: Client) -> None:
    """A path, a query and a filter can contain URLs and hosts."""
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
    """It contains formats and lengths."""
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
    """The renderer writes each of our classes as text."""
    data = client.get("/rendered/raw").json()
    assert data == {
        "values": [str(value) for value in VALUES],
        "out": {"url": "https://h/", "homepage": None},
    }


def test_the_rules_are_those_of_a_url_field() -> None:
    """Other fields have no such rules."""
    with pytest.raises(TypeError, match="'title' is not a URL field"):
        ModelFieldRules(Link, "title")


def test_nothing_of_ninja_is_changed() -> None:
    """`ModelSchema` still uses its own function for the type of a field."""
    program = (
        "import django; from django.conf import settings; "
        "settings.configure(INSTALLED_APPS=['django_whatwg_url', 'ninja']); django.setup(); "
        "import ninja.orm.factory as factory; print(factory.get_schema_field.__module__)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert result.stdout.strip() == "ninja.orm.fields"
