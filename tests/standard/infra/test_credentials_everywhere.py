"""No reader, reading or command shows a secret, wherever it is in a text."""

from __future__ import annotations

import contextlib
import io
import json
import traceback
from collections.abc import Callable
from functools import partial

import attrs
import pytest
from hypothesis import example, given

import weburl
from tests.standard.infra.test_credentials import (
    SECRET,
    with_unencoded_password,
    with_userinfo,
    without_slashes,
)
from tests.strategies import url_texts
from weburl import html, keys, text
from weburl.__main__ import main
from weburl.fetching import URLFetchError
from weburl.fetching.guard import Guard
from weburl.history.readings import history
from weburl.redirect_uris import RedirectURIs

anywhere = with_userinfo | with_unencoded_password | without_slashes


def says_nothing(said: str) -> None:
    """Assert that a text does not contain the secret, in any case."""
    assert SECRET.lower() not in said.lower(), said


@given(anywhere)
@example(f"foo://{SECRET}\uff20h")
def test_no_reading_says_a_secret(url: str) -> None:
    """This holds for other libraries and for older standards."""
    found = weburl.readings(url)
    says_nothing(repr(found) + str(found) + "".join(map(repr, found)))
    says_nothing("".join(reading.failure or "" for reading in found))
    for reading in history(url):
        says_nothing(repr(reading) + str(reading) + (reading.failure or ""))


@given(anywhere)
def test_no_link_says_a_secret(url: str) -> None:
    """The URL is in attributes of a page, and in plain text."""
    attribute = url.replace("&", "&amp;").replace('"', "&quot;")
    tags = f'<base href="{attribute}"><a href="{attribute}">x</a><img srcset="{attribute} 2x">'
    for link in html.page(tags, "https://base.example/").links:
        # Relative to a base with the same scheme, the same text is a path, which may contain "@".
        says_nothing(repr(attrs.evolve(link, record=None)))
        if link.error is not None:
            says_nothing(said_by_error(link.error))
    for found in text.find_links(f"see {url} and <{url}>"):
        # The text before the "@" of a mail address is not a credential, even with "/" or "%40".
        if found.url.scheme != "mailto":
            says_nothing(repr(found) + str(found))


@given(anywhere)
def test_no_key_says_a_secret(url: str) -> None:
    """An explanation names the steps, and shows the URL before and after each."""
    for name in keys.RULE_NAMES:
        try:
            found = keys.KeyRules.named(name).explain(url)
        except weburl.URLParseError as error:
            says_nothing(said_by_error(error))
        else:
            says_nothing(str(found) + repr(found) + "".join(map(repr, found.steps)))


def said_by_error(error: BaseException | None) -> str:
    """Return what a log may contain about an error and those before it.

    ``raise … from None`` keeps the error before it as its context, which reporters of errors show.
    Python's own errors have the text in attributes, too, such as ``doc`` of an error about JSON.
    """
    said = ""
    while error is not None:
        notes = "".join(getattr(error, "__notes__", ()))
        said += f"{error}{error!r}{error.args!r}{''.join(map(str, error.args))}{notes}"
        if not type(error).__module__.startswith("weburl"):
            said += repr(vars(error))
        error = error.__cause__ or error.__context__
    return said


def said_by(call: Callable[[], object], *, only_errors: bool = False) -> str:
    """Return the repr of a value, or what is said by the error that is raised instead."""
    try:
        value = call()
    except (ValueError, TypeError) as error:
        return said_by_error(error)
    return "" if only_errors else repr(value)


@given(anywhere)
def test_no_error_of_a_pattern_says_a_secret(url: str) -> None:
    """A valid pattern may contain the text in its path or hash, where "@" is allowed."""
    for call in (
        lambda: weburl.URLPattern(url),
        lambda: weburl.URLPattern(url, "https://base.example/"),
        lambda: weburl.URLPattern("/a", url),
        lambda: weburl.URLPattern(hostname=url),
        lambda: weburl.URLPattern(protocol=url),
        lambda: weburl.URLPattern(port=url),
        lambda: weburl.URLPattern(username=url),
        lambda: weburl.URLPattern(password=url),
        lambda: weburl.URLPatternList([url]),
        lambda: weburl.URLPattern().exec("x", url),
    ):
        says_nothing(said_by(call, only_errors=True))


@given(anywhere)
@example(f"file:{SECRET}@h")
def test_no_match_of_a_pattern_says_a_secret(url: str) -> None:
    """The secret may be in the URL or in another URL inside it."""
    says_nothing(repr(weburl.URLPattern().exec(url)))
    says_nothing(repr(weburl.URLPattern(pathname="*@*").exec(url)))


@given(anywhere)
def test_no_redirect_uri_says_a_secret(url: str) -> None:
    """A refused URI may contain a token anywhere."""
    known = RedirectURIs(["https://app.example/cb"])
    says_nothing(said_by(lambda: RedirectURIs([url], allow_http=True)))
    says_nothing(
        said_by(lambda: RedirectURIs([url], schemes=["foo.bar"], subdomain_wildcards=True))
    )
    says_nothing(repr(known.match(url)) + str(known.match(url)))
    says_nothing(repr(known.problem(url)) + str(known.problem(url)))


@given(anywhere)
@example(f"foo://{SECRET}\uff20h")  # The advice had the host.
def test_no_refused_argument_says_a_secret(url: str) -> None:
    """An argument that is refused is left out or masked."""
    says_nothing(said_by(lambda: weburl.origin_problems(url, schemes=None)))
    says_nothing("".join(map(str, weburl.origin_problems(url, schemes=None))))
    for call in (
        lambda: weburl.parse_origins([url]),
        lambda: weburl.parse_origins([url], schemes=None),
        lambda: weburl.RelativeReference(url),
        lambda: keys.ParamRule(["a"], sites=[url]),
        lambda: weburl.URLPolicy(schemes=[url]),
        lambda: weburl.URLRecord.build(scheme=url, host="h"),
        lambda: weburl.URLRecord.build(scheme="https", host=url),
        lambda: weburl.URLPolicy.webhook().replaced(refused_hosts=[url]),
        lambda: weburl.URLPolicy(hosts=[url]),
        lambda: weburl.URLPolicy(registrable_domains=[url]),
        lambda: weburl.URLPolicy(patterns=[url]),
        lambda: weburl.URLPolicy.internal(names=[url], networks=["10.0.0.0/8"]),
        lambda: weburl.URLPolicy.internal(names=["a.corp"], networks=[url]),
        lambda: weburl.check_addresses(weburl.URLPolicy.webhook(), [url]),
        lambda: weburl.address_classes(url),
        lambda: weburl.URLPolicy(networks=[url]),
        lambda: weburl.URLPolicy(not_like=[url]),
        lambda: weburl.HostList([url]),
        lambda: weburl.URLPolicy.from_json(f'{{"hosts": ["{url}'),
        lambda: weburl.URLPolicy.from_json(json.dumps({url: 1})),
        lambda: keys.KeyRules.from_json(f'{{"drop_params": ["{url}'),
        lambda: keys.params_from_clearurls(f'{{"providers": "{url}'),
        lambda: keys.KeyRules(drop_params=url),
        lambda: keys.ParamRule(patterns=[f"({url}"]),
        lambda: html.LinkKind(url),
        lambda: text.find_links("", schemes=[url]),
        lambda: text.find_links("", assume_scheme=url),
    ):
        says_nothing(said_by(call, only_errors=True))


@given(anywhere)
def test_no_refused_fetch_says_a_secret(url: str) -> None:
    """The URL may be the first one or the target of a redirect."""
    guard = Guard(
        weburl.URLPolicy.webhook(), redirect_policy="same-site", bounds=None,
        credential_headers=(), resolve=None, error=URLFetchError,
    )  # fmt: skip
    seen = ("https", "a.example", None)
    hop = guard.hop(None, "https://a.example/", seen)
    try:
        hop.answered(302, [(b"location", url.encode(errors="replace"))], weburl.parse)
    except URLFetchError as error:
        says_nothing(f"{error}{error!r}{error.violations}{error.origin}")
    for chain, asked in ((None, url), (hop.chain, "https://a.example/"), (hop.chain, url)):
        try:
            guard.hop(chain, asked, seen)
        except URLFetchError as error:
            says_nothing(f"{said_by_error(error)}{error.violations}{error.origin}")
            says_nothing("".join(traceback.format_exception(error)))


@given(anywhere)
def test_no_record_that_was_changed_says_a_secret(url: str) -> None:
    """Neither do errors of changes, nor of relative URLs."""
    base = weburl.parse("https://base.example/a?b#c")
    for name in ("path", "query", "fragment", "name", "suffix"):
        says_nothing(said_by(partial(getattr(base, f"with_{name}"), url), only_errors=True))
    for call in (
        lambda: base.joinpath(url),
        lambda: base / url,
        lambda: base.relative_to(url),
        lambda: weburl.parse(url).relative_to(base),
        lambda: weburl.parse(url).redacted(),
        lambda: weburl.parse(url).without_credentials(),
    ):
        says_nothing(said_by(call, only_errors=True))


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
    """Standard output has the URL only if the command is to print it."""
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
    """This holds for text and HTML, and for every URL with a host."""
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
    """Return the record of a URL, or None if it does not parse."""
    try:
        return weburl.parse(url)
    except weburl.URLParseError:
        return None
