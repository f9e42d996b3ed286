"""That no reader, no reading and no command says a secret, wherever it is in a text."""

from __future__ import annotations

import contextlib
import io

import attrs
import pytest
from hypothesis import given

import weburl
from tests.infra.test_credentials import (
    SECRET,
    with_unencoded_password,
    with_userinfo,
    without_slashes,
)
from tests.strategies import url_texts
from weburl import html, keys, text
from weburl.__main__ import main
from weburl.legacy.history import history

anywhere = with_userinfo | with_unencoded_password | without_slashes


def says_nothing(said: str) -> None:
    """Fail if a text has the secret, in any case."""
    assert SECRET.lower() not in said.lower(), said


@given(anywhere)
def test_no_reading_says_a_secret(url: str) -> None:
    """Neither those of other libraries, nor those of older rules."""
    found = weburl.readings(url)
    says_nothing(repr(found) + str(found) + "".join(map(repr, found)))
    says_nothing("".join(reading.failure or "" for reading in found))
    for reading in history(url):
        says_nothing(repr(reading) + str(reading) + (reading.failure or ""))


@given(anywhere)
def test_no_link_says_a_secret(url: str) -> None:
    """Neither of a page, with the URL in an attribute, nor of plain text."""
    attribute = url.replace("&", "&amp;").replace('"', "&quot;")
    tags = f'<base href="{attribute}"><a href="{attribute}">x</a><img srcset="{attribute} 2x">'
    for link in html.page(tags, "https://base.example/").links:
        # Relative to a base with the same scheme, the same text is a path, which may contain "@".
        says_nothing(repr(attrs.evolve(link, record=None)) + repr(link.error) + str(link.error))
    for found in text.find_links(f"see {url} and <{url}>"):
        # What is before the "@" of a mail address is no credential, even with "/" and "%40" in it.
        if found.url.scheme != "mailto":
            says_nothing(repr(found) + str(found))


@given(anywhere)
def test_no_key_says_a_secret(url: str) -> None:
    """The explanation names the steps, and shows the URL before and after them."""
    for name in keys.READY:
        try:
            found = keys.KeyRules.named(name).explain(url)
        except weburl.URLParseError as error:
            says_nothing(str(error) + repr(error))
        else:
            says_nothing(str(found) + repr(found) + "".join(map(repr, found.steps)))


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "--base"],
        ["history", "--base"],
        ["--base"],
        [],
        ["--json"],
        ["history"],
    ],
    ids=" ".join,
)
@given(url=anywhere)
def test_no_command_says_a_secret_in_an_error(arguments: list[str], url: str) -> None:
    """Standard output has the URL only if that is what was asked for."""
    words = [*arguments, url, "x"] if "--base" in arguments else [*arguments, "--", url]
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.suppress(SystemExit),
    ):
        main(words)
    says_nothing(err.getvalue())
    if arguments == ["check"]:
        says_nothing(out.getvalue())


@given(url_texts)
def test_no_rendering_shows_credentials(url: str) -> None:
    """Neither as text nor as HTML, whatever else the URL has."""
    record = parse_or_none(url)
    if record is None or record.host is None or record.scheme == "file":
        return
    if isinstance(record.host, weburl.EmptyHost) or SECRET.lower() in url.lower():
        return
    record = record.with_username(SECRET).with_password(SECRET)
    assert SECRET in record.href
    says_nothing(weburl.render(record) + weburl.render(record, max_length=40))
    says_nothing(str(weburl.render_html(record)))


def parse_or_none(url: str) -> weburl.URLRecord | None:
    """Return the record of a URL, if the text is one."""
    try:
        return weburl.parse(url)
    except weburl.URLParseError:
        return None
