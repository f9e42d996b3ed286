"""What pages promise beyond their examples. Their hidden blocks call these functions."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponse
from django.test import RequestFactory


def merge_by_key(model: Any) -> None:
    """Merge the rows of one page in `docs/url-keys-in-django.md`, and undo it."""
    links = (
        ("Ada", "https://example.com/a?id=1"),
        ("Ada", "http://www.example.com/a/?id=1&utm_source=mail"),
        ("Bob", "https://example.com/a?id=1"),
    )
    for reader, url in links:
        model.objects.create(reader=reader, url=url)
    column = f"{model._meta.label}.url_key"
    options = {"unique_with": ["reader"], "on_duplicate": "keep-oldest", "verbosity": 0}
    call_command("canonicalize_urls", column, **options)
    kept = model.objects.order_by("pk").values_list("reader", "url")
    assert list(kept) == [links[0], links[2]]
    call_command("canonicalize_urls", runs=True, stdout=(out := StringIO()))
    call_command("canonicalize_urls", undo=out.getvalue().split()[:1], stdout=StringIO())
    assert model.objects.count() == 3


def block_a_host(blocked: type[Model], link: Any, links: Callable[[], Any], forget: Any) -> None:
    """Add a host to the list of `docs/block-lists.md`, and store two links."""
    from django_whatwg_url.forms import CanonicalURLField

    row: Any = blocked(host="Evil.example.")
    row.full_clean()
    assert row.host == "evil.example"
    field = CanonicalURLField(policy=links)
    assert str(field.clean("https://evil.example/")) == "https://evil.example/"
    row.save()
    forget()
    with pytest.raises(ValidationError) as caught:
        field.clean("https://evil.example/")
    assert caught.value.error_list[0].code == "host-refused"
    for text in ("https://evil.example/", "https://example.com/"):
        link.objects.create(url=text)


def show_where_links_go(names: dict[str, Any]) -> None:
    """Call the view of `docs/redirects.md` with its template."""
    from django.template import engines

    page = Path("docs/redirects.md").read_text(encoding="utf-8")
    template: Any = engines["django"].from_string(
        page.partition("```html\n")[2].partition("```")[0]
    )

    def render(request: HttpRequest, _name: str, context: dict[str, Any]) -> HttpResponse:
        return HttpResponse(template.render(context, request))

    names["render"] = render

    def shown(to: str) -> str:
        response: HttpResponse = names["go"](RequestFactory().get("/go/", {"to": to}))
        return response.content.decode()

    assert (
        '<a href="https://evil.example/?a&amp;b" rel="noopener noreferrer nofollow ugc">'
        "https://evil.example/?a&amp;b</a>"
    ) in shown("https://evil.example/?a&b")
    assert "https://xn--80ak6aa92e.com/" in shown("https://аррӏе.com/")
    bad = ("", "nope", "javascript:alert(1)", "https://paypal.com@evil.example/", "/cart/")
    for refused in (*bad, "http://127.0.0.1/"):
        with pytest.raises(Http404):
            shown(refused)


def graphql(feed: type[Model], feed_type: Any) -> Any:
    """Return a schema for the types of `docs/integrations/other-apps.md`, with one row."""
    strawberry, django = import_module("strawberry"), import_module("strawberry_django")
    feed_input = django.input(feed)(
        type("FeedInput", (), {"__annotations__": {"url": strawberry.auto}})
    )
    query = type(
        "Query", (), {"__annotations__": {"feeds": list[feed_type]}, "feeds": django.field()}
    )
    create = django.mutations.create(feed_input, handle_django_errors=True)
    mutation = type("Mutation", (), {"__annotations__": {"create": feed_type}, "create": create})
    schema = strawberry.Schema(query=strawberry.type(query), mutation=strawberry.type(mutation))
    create = (
        "mutation($url: String!) { create(data: {url: $url})"
        " { ...on FeedType { url } ...on OperationInfo { messages { code } } } }"
    )
    made = schema.execute_sync(create, {"url": "HTTPS://BÜCHER.example"})
    assert made.data == {"create": {"url": "https://xn--bcher-kva.example/"}}
    refused = schema.execute_sync(create, {"url": "javascript:alert(1)"})
    assert refused.data == {"create": {"messages": [{"code": "scheme-not-allowed"}]}}
    return schema


def authorize(view: Any, adapter: Any, client: Any) -> None:
    """Go to the login of django-allauth, and register a bad client."""
    from django.contrib.auth.models import AnonymousUser
    from django.contrib.sessions.backends.db import SessionStore

    wanted = {"client_id": "app", "redirect_uri": "https://app.example/cb"}
    ask = RequestFactory().get("/", {**wanted, "response_type": "code", "scope": "openid"})
    ask.user, ask.session = AnonymousUser(), SessionStore()
    assert view.as_view()(ask).url.startswith("/accounts/login/")
    bad = client(redirect_uris="javascript:alert(1)")
    with pytest.raises(ValidationError) as caught:
        adapter().validate_client_registration(
            client=bad, client_metadata={}, token=None, bearer_token=None
        )
    assert caught.value.code == "scheme-not-allowed"


def make_feeds(feed: Any, maker: Callable[[], str]) -> None:
    """Make two rows with model_bakery."""
    baker = import_module("model_bakery.baker")
    baker.generators.add("django_whatwg_url.fields.CanonicalURLField", maker)
    made = baker.make(feed, _quantity=2)
    assert all(str(feed.objects.get(pk=row.pk).url).endswith(".example/") for row in made)


_INTERNAL = ("http://169.254.169.254/", "http://localhost/")


def send_bad_urls(
    accepts: Callable[[str], object], *, longest: int = 2048, accepted: tuple[str, ...] = _INTERNAL
) -> None:
    """Send to the example of a page what a request may contain, and expect no server error.

    ``accepts``: whether the example takes a URL, and stores it where the page stores one.
    ``longest``: the longest URL that the column has room for. ``accepted``: the internal URLs that
    no rule of the page refuses.
    """
    short = "https://example.com/"
    assert accepts(short + "a" * (longest - len(short)))
    assert not accepts(short + "a" * (longest + 1 - len(short)))
    assert not accepts(short + "\u00e9" * (longest // 4))
    assert not accepts("javascript:alert(1)")
    for url in _INTERNAL:
        assert bool(accepts(url)) is (url in accepted), url
