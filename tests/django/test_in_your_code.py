"""The table of `docs/in-your-code.md`: what takes a record, and what has to be given its text."""

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
from django.db import connection
from django.db.utils import InterfaceError, ProgrammingError
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.template import Context, Template
from django.test import Client, RequestFactory, override_settings
from django.utils import html
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views.generic import FormView, RedirectView

from django_whatwg_url.encoders import URLJSONEncoder
from django_whatwg_url.storage.values import to_url
from tests.django.testapp.models import Bookmark
from weburl import URLRecord, parse

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "in-your-code.md"
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


def feed(url: Any, *, records: bool = False) -> str:
    """Return the link of the one item of a feed."""

    class News(Feed):  # type: ignore[type-arg]
        title = description = "news"
        link = "/"

        def items(self) -> list[Any]:
            return [url]

        def item_title(self, _item: Any) -> str:
            return "item"

        def item_description(self, _item: Any) -> str:
            return ""

    if not records:
        News.item_link = lambda _self, item: item  # type: ignore[method-assign, assignment]
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
    logger = logging.getLogger("tests.in_your_code")
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
    """Send a URL by the test client, as a form's field and as the address."""
    assert Client().get(url).status_code == 404
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


def as_text(url: Any) -> str:
    """Join, add, look into and measure."""
    assert "example" in url
    assert len(url) == len(TEXT)
    pieces = [url]
    return "/".join(pieces) + ""


def escaped(url: Any) -> str:
    """Return what Django makes of it: `urlize` writes queries anew, so it is held against text."""
    assert html.urlize(url) == html.urlize(TEXT)
    return html.escape(url).replace("&amp;", "&")


def unescaped(text: str) -> str:
    """Return the first address of a link."""
    found = re.search(r'href="([^"]*)"', text)
    assert found
    return found[1].replace("&amp;", "&")


# By the first column of the page.
ROWS: Final[dict[str, Callable[[Any], Any]]] = {
    "`redirect(url)`": lambda url: location(redirect(url)),
    "`get_redirect_url()` of a `RedirectView` returns it": redirect_view,
    "`get_success_url()` returns it": success_url,
    "`HttpResponseRedirect(url)`": lambda url: location(HttpResponseRedirect(url)),
    "`HttpResponse(url)`": lambda url: HttpResponse(url).content.decode(),
    '`response["Link"] = url`': header,
    '`response.set_cookie("from", url)`': cookie,
    "`request.build_absolute_uri(url)`": lambda url: (
        RequestFactory().get("/").build_absolute_uri(url)
    ),
    '`client.get(url)`, `client.post(path, {"url": url})`': asked,
    "`iri_to_uri(url)`": iri_to_uri,
    "`url_has_allowed_host_and_scheme(url, …)`": lambda url: (
        TEXT if url_has_allowed_host_and_scheme(url, {"example.com"}) else None
    ),
    "`urlencode({\"next\": url})`, Django's and `urllib`'s": asked_in_a_query,
    "`Feed.item_link()` returns it": feed,
    "`Feed.items()` returns records": lambda url: feed(parse(str(url)), records=True),
    "`send_mail(subject, body, …)` with it as the body": mailed,
    '`format_html("<a href=\\"{}\\">", url)`': lambda url: unescaped(
        html.format_html('<a href="{}">', url)
    ),
    "`escape(url)`, `urlize(url)`": escaped,
    "`{{ url }}` in a template": templated,
    "`signing.Signer().sign(url)`": lambda url: signing.Signer().unsign(signing.Signer().sign(url)),
    '`cache.set("key", url)`': cached,
    '`logger.info("%s", url)`, `f"{url}"`': logged,
    "`csv.writer(f).writerow([url])`": written,
    "`cursor.execute(sql, [url])`": executed,
    "`Link.objects.raw(sql, [url])`": raw,
    "`pickle.dumps(url)`, `copy.deepcopy(url)`": lambda url: str(
        copy.deepcopy(pickle.loads(pickle.dumps(url)))
    ),
    "`requests.get(url)`": lambda url: f"{requests.Request('GET', url).prepare().url}",
    "`httpx.get(url)`": lambda url: str(httpx.Request("GET", url).url),
    "`urllib.request.urlopen(url)`": opened,
    "`urllib.parse.urlsplit(url)`": lambda url: urllib.parse.urlsplit(url).geturl(),
    "`urllib.parse.urljoin(url, text)`": lambda url: urllib.parse.urljoin(url, TEXT),
    "`yarl.URL(url)`": lambda url: str(yarl.URL(url, encoded=True)),
    '`"/".join([url])`, `url + "/a"`, `"a" in url`, `len(url)`': as_text,
}
# Told in words, and tested below.
APART: Final = {
    "`RedirectView.as_view(url=…)`",
    "`Sitemap.location()` returns it",
    "`json.dumps(url)`",
    "`webbrowser.open(url)`, `subprocess.run([…, url])`",
}


# PyMySQL makes text of any parameter, and Django's mails do since 6.0.
MORE_WILLING: Final = {
    *([executed, raw] if connection.vendor == "mysql" else []),
    *([mailed] if django.VERSION >= (6,) else []),
}


def table() -> dict[str, str]:
    """Return the second column of the page by the first."""
    rows = re.findall(
        r"(?m)^\| (.+?) \| (works|needs .+?|wants .+?) \|", PAGE.read_text(encoding="utf-8")
    )
    return dict(rows)


def test_the_page_and_the_tests_have_the_same_rows() -> None:
    """Neither more nor fewer."""
    assert set(table()) == {*ROWS, *APART}


@pytest.mark.django_db
@pytest.mark.parametrize("row", ROWS)
def test_a_row_of_the_page_is_true(row: str, caplog: Any) -> None:
    """With its text everything works; with the record, what the page says."""
    Bookmark.objects.create(url=URL)
    call = ROWS[row]
    text = str(URL)
    assert type(text) is str
    assert call(text) == TEXT
    if table()[row] == "works" or call in MORE_WILLING:
        assert call(URL) == TEXT
    else:
        assert table()[row] == "needs `str()`"
        with pytest.raises(REFUSED):
            call(URL)


def test_a_redirect_view_takes_a_pattern() -> None:
    """Neither a record nor any percent sign will do there."""
    view = RedirectView.as_view(url=URL)
    with pytest.raises(TypeError):
        view(RequestFactory().get("/"))
    with pytest.raises((TypeError, ValueError)):
        RedirectView.as_view(url=str(URL))(RequestFactory().get("/"))


def test_a_sitemap_puts_its_domain_before_a_path() -> None:
    """Whatever else it is given, text or record, makes no URL."""

    class Pages(Sitemap):  # type: ignore[type-arg]
        def items(self) -> list[Any]:
            return [URL]

        def location(self, item: Any) -> str:
            return str(item.path_text)

    class Site:
        domain = "example.com"

    (place,) = Pages().get_urls(site=Site())  # type: ignore[arg-type]
    assert place["location"] == "https://example.com/%C3%A9"


def test_a_browser_is_started_with_text() -> None:
    """The arguments of a program are text."""
    command = [sys.executable, "-c", "import sys; print(sys.argv[1])"]
    with pytest.raises(TypeError):
        subprocess.run([*command, URL], check=True)  # type: ignore[list-item]
    done = subprocess.run([*command, str(URL)], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == TEXT


def test_json_needs_an_encoder() -> None:
    """Python's own knows no other type than its own."""
    with pytest.raises(TypeError):
        json.dumps(URL)
    assert json.loads(json.dumps(URL, cls=URLJSONEncoder)) == TEXT


def test_text_that_does_not_parse_is_text() -> None:
    """A row that other software broke goes wherever text does."""
    broken = to_url("http://exa mple")
    assert isinstance(broken, str)
    assert not isinstance(broken, URLRecord)
    assert HttpResponse(broken).content == b"http://exa mple"
