"""`docs/before-you-swap.md`: lines that change silently, what accepts a record, what needs text."""

from __future__ import annotations

import contextlib
import copy
import csv
import io
import json
import logging
import pickle
import re
import subprocess
import sys
import urllib.parse
import urllib.request
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import django
import httpx
import pytest
import requests
import yarl
from django.contrib.sitemaps import Sitemap
from django.contrib.syndication.views import Feed
from django.core import mail, signing
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.db.utils import InterfaceError, ProgrammingError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template import Context, Template
from django.test import Client, RequestFactory, override_settings
from django.utils import html
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.generic import FormView, RedirectView

import weburl
from django_whatwg_url.column.values import to_url
from django_whatwg_url.encoders import URLJSONEncoder
from tests.django.testapp.models import Bookmark, Page
from tests.django.textapp.models import Note
from weburl import URLRecord, parse

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "before-you-swap.md"
URL: Final = parse("HTTPS://Example.com/é?a=b&c#d")
TEXT: Final = "https://example.com/%C3%A9?a=b&c#d"
REFUSED: Final = (TypeError, AttributeError, ProgrammingError, InterfaceError)


def location(response: Any) -> str:
    """Return where a response sends."""
    assert response.status_code == 302
    return str(response["Location"])


def header(url: Any) -> str:
    """Return a header that holds the URL."""
    response = HttpResponse()
    response["Link"] = url
    return response["Link"]


def cookie(url: Any) -> str:
    """Return a cookie that holds the URL."""
    response = HttpResponse()
    response.set_cookie("from", url)
    return response.cookies["from"].value


def redirect_view(url: Any) -> str:
    """Let a view say where to."""

    class View(RedirectView):
        def get_redirect_url(self, *_args: Any, **_kwargs: Any) -> str:
            return url  # type: ignore[no-any-return]

    return location(View.as_view()(RequestFactory().get("/")))


def success_url(url: Any) -> str:
    """Let a form's view say where to."""

    class View(FormView):  # type: ignore[type-arg]
        def get_success_url(self) -> str:
            return url  # type: ignore[no-any-return]

    return location(View().form_valid(None))


def feed(url: Any) -> str:
    """Return the link of the one item of a feed."""

    class News(Feed):  # type: ignore[type-arg]
        title = description = "news"
        link = "/"

        def items(self) -> list[Any]:
            return [url]

        def item_link(self, item: Any) -> Any:
            return item

        def item_title(self, _item: Any) -> str:
            return "item"

        def item_description(self, _item: Any) -> str:
            return ""

    with override_settings(ALLOWED_HOSTS=["testserver"]):
        body = News()(RequestFactory().get("/")).content.decode()
    found = re.search(r"<item>.*<link>(.*?)</link>", body)
    assert found
    return found[1].replace("&amp;", "&")


def mailed(url: Any) -> str:
    """Return the body of a mail as it leaves."""
    body = mail.EmailMessage("a link", url, "a@example.com", ["b@example.com"]).message()
    content = body.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode().strip()


def templated(url: Any) -> str:
    """Return what a template shows."""
    return Template("{{ url }}").render(Context({"url": url})).replace("&amp;", "&")


def logged(url: Any) -> str:
    """Return what is logged."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger("tests.where_text_is_needed")
    logger.propagate = False
    logger.addHandler(handler)
    logger.warning("%s", url)
    logger.removeHandler(handler)
    assert f"{url}" == str(url)
    return stream.getvalue().strip()


def written(url: Any) -> str:
    """Return a row of CSV."""
    file = io.StringIO()
    csv.writer(file).writerow([url])
    return file.getvalue().strip()


def executed(url: Any) -> str:
    """Return a parameter of raw SQL."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT url FROM testapp_bookmark WHERE url = %s", [url])
        return str(cursor.fetchone()[0])


def raw(url: Any) -> str:
    """Return the URL of a raw query."""
    (row,) = Bookmark.objects.raw("SELECT id, url FROM testapp_bookmark WHERE url = %s", [url])
    return str(row.url)


def asked(url: Any) -> str:
    """Request a URL with the test client, and return the URL of the request."""
    assert Client().get(url).status_code == 404
    return f"https://example.com{RequestFactory().get(url).get_full_path()}#d"


def posted(url: Any) -> str:
    """Return a form's field that the test client has sent."""
    return str(RequestFactory().post("/", {"url": url}).POST["url"])


def cached(url: Any) -> str:
    """Return what a cache gives back."""
    cache.set("url", url)
    return str(cache.get("url"))


def opened(url: Any) -> str:
    """Return what `urlopen` would ask for, without a network."""
    asked: list[str] = []

    class Nowhere(urllib.request.HTTPSHandler):
        def https_open(self, req: urllib.request.Request) -> Any:
            asked.append(req.full_url)
            raise OSError

    with contextlib.suppress(OSError):
        urllib.request.build_opener(Nowhere).open(url)
    return asked[0]


def asked_in_a_query(url: Any) -> str:
    """Return a value of a query, which Django's function and `urllib`'s make."""
    (query,) = {urlencode({"next": url}), urllib.parse.urlencode({"next": url})}
    return urllib.parse.parse_qs(query)["next"][0]


def linked(url: Any) -> str:
    """Return what `urlize` makes of it. It writes queries anew, so it is compared with text."""
    return TEXT if html.urlize(url) == html.urlize(TEXT) else ""


def started(url: Any) -> str:
    """Return what a program gets as its argument."""
    command = [sys.executable, "-c", "import sys; print(sys.argv[1])", url]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def browsed(url: Any) -> str:
    """Return what `webbrowser.open` gives to the program of a browser."""
    command = [sys.executable, "-c", "import sys; assert sys.argv[1] == sys.argv[2]", TEXT, "%s"]
    return TEXT if webbrowser.GenericBrowser(command).open(url) else ""


def named_by_its_url(url: Any) -> str:
    """Return what a row is called whose ``__str__()`` returns its URL."""

    class Row:
        def __str__(self) -> str:
            return url  # type: ignore[no-any-return]

    return str(Row())


def unescaped(text: str) -> str:
    """Return the first address of a link."""
    found = re.search(r'href="([^"]*)"', text)
    assert found
    return found[1].replace("&amp;", "&")


WORKS: Final[dict[str, Callable[[Any], Any]]] = {
    "HttpResponse()": lambda url: HttpResponse(url).content.decode(),
    'response["Link"]': header,
    "set_cookie()": cookie,
    "build_absolute_uri()": lambda url: RequestFactory().get("/").build_absolute_uri(url),
    "client.get()": asked,
    "client.post()": posted,
    "urlencode()": asked_in_a_query,
    "format_html()": lambda url: unescaped(html.format_html('<a href="{}">', url)),
    "escape()": lambda url: html.escape(url).replace("&amp;", "&"),
    "urlize()": linked,
    "{{ url }}": templated,
    "Signer().sign()": lambda url: signing.Signer().unsign(signing.Signer().sign(url)),
    "cache.set()": cached,
    "logger.info()": logged,
    'f"{url}"': lambda url: f"{url}",
    "csv.writer()": written,
    "pickle.dumps()": lambda url: str(pickle.loads(pickle.dumps(url))),
    "copy.deepcopy()": lambda url: str(copy.deepcopy(url)),
    "requests.get()": lambda url: f"{requests.Request('GET', url).prepare().url}",
}
"""What the page says accepts a record, and what it gives."""

NEEDS_TEXT: Final[dict[str, Callable[[Any], Any]]] = {
    "redirect()": lambda url: location(redirect(url)),
    "get_redirect_url()": redirect_view,
    "get_success_url()": success_url,
    "Feed.item_link()": feed,
    "HttpResponseRedirect()": lambda url: location(HttpResponseRedirect(url)),
    "url_has_allowed_host_and_scheme()": lambda url: (
        TEXT if url_has_allowed_host_and_scheme(url, {"example.com"}) else None
    ),
    "send_mail()": mailed,
    "cursor.execute()": executed,
    "objects.raw()": raw,
    "httpx.get()": lambda url: str(httpx.Request("GET", url).url),
    "urlopen()": opened,
    "yarl.URL()": lambda url: str(yarl.URL(url, encoded=True)),
    "webbrowser.open()": browsed,
    "subprocess.run()": started,
    "re.search()": lambda url: TEXT if re.search("example", url) else None,
    "__str__()": named_by_its_url,
}
"""What the page says needs ``str(url)``."""

IN_THE_TABLE: Final[dict[str, Callable[[Any], Any]]] = {
    "iri_to_uri(url)": iri_to_uri,
    "urlsplit(url)": lambda url: urllib.parse.urlsplit(url).geturl(),
    "urljoin(url, text)": lambda url: urllib.parse.urljoin(url, TEXT),
    'url + "/a"': lambda url: (url + "/a").removesuffix("/a"),
    '"a" in url': lambda url: TEXT if "example" in url else None,
    "len(url)": lambda url: TEXT if len(url) == len(TEXT) else None,
    'url.startswith("https:")': lambda url: TEXT if url.startswith("https:") else None,
}
"""What has a row of its own, because there is a better line to write."""

APART: Final = {"RedirectView.as_view(url=url)", "Sitemap.location()", "json.dumps(url)"}
"""Rows with tests of their own, below."""


# PyMySQL makes text of any parameter, and Django's mails do since 6.0.
MORE_WILLING: Final = {
    *([executed, raw] if connection.vendor == "mysql" else []),
    *([mailed] if django.VERSION >= (6,) else []),
}


def section() -> str:
    """Return the section of the page."""
    page = PAGE.read_text(encoding="utf-8")
    return page.partition("## Where you need text")[2].partition("\n## ")[0]


def named(beginning: str) -> set[str]:
    """Return what the paragraph with this beginning names as code in its first sentence."""
    found = re.search(rf"(?ms)^{beginning}[^:]*:(.*?[^.]`)\.\s", section())
    assert found
    return set(re.findall(r"`([^`]+)`", found[1]))


def test_the_page_and_the_tests_name_the_same() -> None:
    """The names are exactly the same."""
    assert named("These accept a record") == set(WORKS)
    assert named("These need") == set(NEEDS_TEXT)
    rows = re.findall(r"(?m)^\| (`.+`) +\| .+ \|$", section())
    code = {name for row in rows for name in re.findall(r"`([^`]+)`", row.partition(" | ")[0])}
    assert code == {*IN_THE_TABLE, *APART}


@pytest.mark.django_db
@pytest.mark.parametrize("name", WORKS)
def test_what_accepts_a_record_gives_the_same_as_for_text(name: str, caplog: Any) -> None:
    """The record and its text give equal results."""
    assert WORKS[name](str(URL)) == TEXT
    assert WORKS[name](URL) == TEXT


@pytest.mark.django_db
@pytest.mark.parametrize("name", [*NEEDS_TEXT, *IN_THE_TABLE])
def test_what_needs_text_raises_an_error_for_a_record(name: str) -> None:
    """It works with the text, as the page says."""
    Bookmark.objects.create(url=URL)
    call = {**NEEDS_TEXT, **IN_THE_TABLE}[name]
    assert call(str(URL)) == TEXT
    if call in MORE_WILLING:
        assert call(URL) == TEXT
    else:
        with pytest.raises(REFUSED):
            call(URL)


def test_a_redirect_view_takes_a_pattern() -> None:
    """Neither a record nor a percent sign works there."""
    view = RedirectView.as_view(url=URL)
    with pytest.raises(TypeError):
        view(RequestFactory().get("/"))
    with pytest.raises((TypeError, ValueError)):
        RedirectView.as_view(url=str(URL))(RequestFactory().get("/"))


def test_a_sitemap_puts_its_domain_before_a_path() -> None:
    """Other values, text or record, do not become a URL."""

    class Pages(Sitemap):  # type: ignore[type-arg]
        def items(self) -> list[Any]:
            return [URL]

        def location(self, item: Any) -> str:
            return str(item.path_text)

    class Site:
        domain = "example.com"

    (place,) = Pages().get_urls(site=Site())  # type: ignore[arg-type]
    assert place["location"] == "https://example.com/%C3%A9"


def test_json_needs_an_encoder() -> None:
    """Python's own knows no other type than its own."""
    with pytest.raises(TypeError):
        json.dumps(URL)
    assert json.loads(json.dumps(URL, cls=URLJSONEncoder)) == TEXT


def test_text_that_does_not_parse_is_text() -> None:
    """A row that another program broke is text, and works wherever text does."""
    broken = to_url("http://exa mple")
    assert isinstance(broken, str)
    assert not isinstance(broken, URLRecord)
    assert HttpResponse(broken).content == b"http://exa mple"


@pytest.mark.filterwarnings("ignore::weburl.ComparedWithTextWarning")
def test_the_lines_that_raise_no_error_give_what_the_table_says() -> None:
    """What the old line gives now, and that the new one is true."""
    _, _, rest = PAGE.read_text(encoding="utf-8").partition("## Lines to change in Python")
    section, _, _ = rest.partition("\n## ")
    rows = re.findall(r"(?m)^\| `(.+)` \| `(.+?)`.* \| `(.+)` \|$", section)
    assert len(rows) == 7
    text = "https://xn--bcher-kva.example/x%20y?q={z}"
    clip = Page(url="https://bücher.example/x y?q={z}")
    names = {"Clip": Page, "clip": clip, "url": clip.url, "text": text, "weburl": weburl}
    for old, now, new in rows:
        assert repr(eval(old, names)) == now, old
        if old == 'clip.url == ""':
            assert eval(new, names | {"clip": Page(url="")}) is True
        else:
            assert eval(new, names) in (True, ""), new


@pytest.mark.django_db
def test_what_differs_also_as_text() -> None:
    """The column of the page for those who keep the attribute text."""
    assert "| `https://example.com` becomes `https://example.com/` | yes | yes |" in PAGE.read_text(
        "utf-8"
    )
    assert Note.objects.create(url="https://example.com").url == "https://example.com/"
    for refused in ("no url", "https://example.com/" + "é" * 400):
        with pytest.raises(ValidationError):
            Note.objects.create(url=refused)
        with pytest.raises(ValidationError):
            Note(url=refused).save()
    assert not isinstance(Note._meta.get_field("url"), models.URLField)
