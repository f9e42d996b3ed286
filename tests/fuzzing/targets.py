"""What a fuzzer calls: each target takes bytes, and fails where something does not hold.

Plain functions, so that the tests run them on the seeds without a fuzzer. An exception that is
not documented is a failure by itself.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, get_args

import weburl
import weburl.html
from tests.agreement import parse_disagreements, setter_disagreements
from tests.wpt import ATTRIBUTES
from weburl import (
    URL,
    URLParseError,
    URLPattern,
    URLPatternError,
    URLRecord,
    URLSearchParams,
)
from weburl.html import PageLimitError
from weburl.keys import RULE_NAMES, STEPS, KeyRules, ParamRule, SURTProfile, surt, url_key
from weburl.keys.rules import key_of_href

FIELD: Final = "\x1e"
"""Between the fields of an input: a character that no URL is known to treat by itself."""

_ISOLATES: Final = re.compile("[\u2066\u2068\u2069]")
_LONGEST_FOR_THE_MACHINE: Final = 400  # code points; it is slow, and finds all in short texts
_PAGE: Final = weburl.parse("https://example.com/a/b?c#d")
_PARTS: Final = ("scheme", "username", "host", "hostname", "path", "query", "fragment", "origin")


def fields(data: bytes, count: int) -> list[str]:
    """Return the fields of an input, so many of them; what is not UTF-8 is lone surrogates."""
    texts = data.decode("utf-8", "surrogateescape").split(FIELD, count - 1)
    return texts + [""] * (count - len(texts))


def _require(disagreements: list[str]) -> None:
    assert not disagreements, disagreements


def parse(data: bytes) -> None:
    """Require that parser and literal machine agree, and that a record is a fixed point."""
    text, base_text = fields(data, 2)
    base = base_text or None
    if len(text) + len(base_text) <= _LONGEST_FOR_THE_MACHINE:
        _require(parse_disagreements(text, base))
    try:
        record = weburl.parse(text, base)
    except URLParseError as error:
        assert not weburl.can_parse(text, base)
        _ = str(error), repr(error)
        return
    assert weburl.can_parse(text, base)
    assert weburl.parse(record.href) == record
    assert record.href.isascii()
    assert weburl.canonicalize(text, base) == record.href == URL(text, base).href
    made = URLRecord(
        record.scheme, record.username, record.password, record.host, record.port, record.path,
        record.query, record.fragment,
    )  # fmt: skip
    assert made == record
    _ = repr(record), record.origin, hash(record)


def check(data: bytes) -> None:
    """Require that a report has its errors inside of the text, and fails as the parser does."""
    text, base, secret = fields(data, 3)
    report = weburl.check(text, base or None)
    assert (report.record is None) is not weburl.can_parse(text, base or None)
    assert (report.failure is None) is (report.record is not None)
    assert report.error_count >= len(report.errors)
    for error in report.errors:
        assert 0 <= error.start <= error.end <= len(report.input)
        assert error.message
    _ = str(report), repr(report)
    if not report.is_about_base:
        valid = weburl.is_valid_url_string(text, base or None)
        assert report.is_valid_url_string is valid
        assert not (valid and report.failure)
    secret = f"{re.sub('[^a-z]', '', secret)[:8]}hunter2"
    shown = weburl.check(f"{text.partition('://')[0]}://user:{secret}@{base}")
    # What has become a part of a path is no password.
    if shown.record is None or secret in shown.record.password:
        assert secret not in f"{shown!r}{shown}"


def setters(data: bytes) -> None:
    """Require that setters, one after another, do what the literal machine does."""
    href, *values = fields(data, 6)
    if not weburl.can_parse(href):
        href, values = _PAGE.href, [href, *values]
    calls = [(ATTRIBUTES[ord(value[0]) % len(ATTRIBUTES)], value[1:]) for value in values if value]
    if sum(map(len, values), len(href)) <= _LONGEST_FOR_THE_MACHINE:
        _require(setter_disagreements(href, calls))
    record = weburl.parse(href)
    for name in ("scheme", "username", "password", "host", "hostname", "port", "path", "query"):
        for value in values:
            with suppress(URLParseError):
                changed = getattr(record, f"with_{name}")(value)
                assert weburl.parse(changed.href) == changed


def params(data: bytes) -> None:
    """Require that params come back from their text, and do as a plain list does."""
    text, name, value = fields(data, 3)
    made = URLSearchParams(text)
    assert URLSearchParams(str(made)) == made
    pairs = list(made)
    names = URLSearchParams([(name, value)])
    (name, value) = next(iter(names))
    made.append(name, value)
    pairs.append((name, value))
    assert list(made) == pairs
    assert made.get_all(name) == [found for key, found in pairs if key == name]
    made.set(name, "x")
    first = [key for key, _ in pairs].index(name)
    pairs = [pair for at, pair in enumerate(pairs) if at == first or pair[0] != name]
    pairs[first] = (name, "x")
    assert list(made) == pairs
    made.sort()
    pairs.sort(key=lambda pair: pair[0].encode("utf-16-be"))
    assert list(made) == pairs
    made.delete(name)
    assert list(made) == [pair for pair in pairs if pair[0] != name]
    url = URL("https://h/?a=b")
    url.search_params.append(name, value)
    assert URLSearchParams(url.search) == url.search_params


def idn(data: bytes) -> None:
    """Require that hosts are what the literal machine makes of them, and come back."""
    host, end = fields(data, 2)
    for start in ("https", "file", "foo"):
        text = f"{start}://{host}/{end}"
        if len(text) <= _LONGEST_FOR_THE_MACHINE:
            _require(parse_disagreements(text))
        with suppress(URLParseError):
            found = weburl.parse(text).host
            if isinstance(found, weburl.Domain):
                again = weburl.parse(f"https://{found.to_unicode()}/").host
                assert again == found
                _ = found.public_suffix, found.registrable_domain


def render(data: bytes) -> None:
    """Require that what is shown parses to the URL again; elided, that it keeps the host."""
    text, number = fields(data, 2)
    try:
        record = weburl.parse(text)
    except URLParseError:
        return
    shown = weburl.render(record)
    _ = weburl.render_html(record)
    length = sum(map(ord, number)) % 80 + 1
    short = weburl.render(record, max_length=length)
    assert _ISOLATES.sub("", weburl.render(record, only="registrable_domain")) in _ISOLATES.sub(
        "", short
    )
    again = weburl.parse(_ISOLATES.sub("", shown))
    assert not again.includes_credentials
    if record.scheme != "blob":
        if record.includes_credentials:
            record = record.with_username("").with_password("")
        assert again == record
    assert again.origin == record.origin


def html(data: bytes) -> None:
    """Require that a page has links, or asks for too much; nothing else comes out of it."""
    for source in (data, data.decode("utf-8", "surrogateescape")):
        try:
            page = weburl.html.page(source, _PAGE)
        except PageLimitError:
            continue
        for link in page.links:
            assert (link.record is None) is (link.error is not None)
            if link.record is not None:
                assert weburl.parse(link.record.href) == link.record
        again = weburl.html.respond_to_base_url_changes(page.links, page.document)
        assert len(again) == len(page.links)


def sql_operands(data: bytes) -> None:
    """Require that an operand of a lookup is ASCII text, or is refused as documented."""
    import django
    from django.apps import apps

    if not apps.ready:
        django.setup()
    from django.core.exceptions import ValidationError

    from django_whatwg_url.column.values import to_url
    from django_whatwg_url.forms import CanonicalURLField
    from django_whatwg_url.query.operands import operand_forms, percent_encode_operand

    (text,) = fields(data, 1)
    for part in _PARTS:
        with suppress(ValidationError):
            for form in operand_forms(part, text):
                assert form.isascii()
    assert percent_encode_operand(text).isascii()
    _ = repr(to_url(text))
    with suppress(ValidationError):
        url = CanonicalURLField(required=False).clean(text)
        assert url is None or weburl.parse(url.href) == url


def file_urls(data: bytes) -> None:
    """Require that a path comes back from its URL, and that a URL gives a path or a reason."""
    path, text = fields(data, 2)
    for windows in (False, True):
        with suppress(ValueError):
            url = weburl.file_url_from_path(path, windows=windows)
            back = weburl.path_from_file_url(url, windows=windows)
            assert weburl.file_url_from_path(back, windows=windows) == url
        with suppress(ValueError):
            back = weburl.path_from_file_url(weburl.parse(f"file:{text}"), windows=windows)
            _ = weburl.file_url_from_path(back, windows=windows)


def history(data: bytes) -> None:
    """Require that the older rules take any text, and raise one exception."""
    from tests.history.test_any_text import FUNCTIONS
    from weburl.history.errors import LegacyURLError
    from weburl.history.readings import history

    text, base = fields(data, 2)
    for function in FUNCTIONS.values():
        with suppress(LegacyURLError):
            function(text)
    assert history(text, base or None)


def patterns(data: bytes) -> None:
    """Require that a text is a pattern or is refused, and that a pattern comes back from text."""
    text, base, url = fields(data, 3)
    for regexp_groups in (True, False):
        for keywords in ({"input": text, "base": base or None}, {"pathname": text, "search": base}):
            try:
                pattern = URLPattern(**keywords, regexp_groups=regexp_groups)
            except URLPatternError as error:
                _ = str(error), repr(error), error.token
                continue
            assert regexp_groups or not pattern.has_regexp_groups
            _ = str(pattern), repr(pattern), hash(pattern)
            assert pickle.loads(pickle.dumps(pattern)) == pattern  # our own
            for input in (url, "https://a.example/b/c?d#e", {"pathname": url}):
                if not pattern.has_regexp_groups:
                    assert pattern.test(input) is (pattern.exec(input) is not None)


def keys(data: bytes) -> None:
    """Require that a key is its own key, however it is made, and that a SURT has no spelling."""
    text, choice, params = fields(data, 3)
    try:
        record = weburl.parse(text)
    except URLParseError:
        return
    for rules in (*_KEY_RULES, _key_rules(choice, params)):
        key = url_key(text, rules)
        assert key == url_key(record, rules) == key_of_href(record.href, rules)
        assert weburl.canonicalize(key) == url_key(key, rules) == key
        explained = rules.explain(text)
        assert explained.key == key
        _ = str(explained), repr(explained)
    for profile in get_args(SURTProfile):
        assert surt(text, profile=profile) == surt(record.href, profile=profile)


_KEY_RULES: Final = tuple(map(KeyRules.named, RULE_NAMES))
_STEPS: Final = tuple(step.name for step in STEPS if not step.name.endswith("_params"))


def _key_rules(choice: str, params: str) -> KeyRules:
    """Return rules: a step for each character, and params to drop by names and prefixes."""
    options: dict[str, Any] = {
        name: ord(char) % 2 == 1 for name, char in zip(_STEPS, choice, strict=False)
    }
    names = [name for name in params.split("&") if name]
    rules = [ParamRule(names[::2], prefixes=names[1::2], ignore_case=len(choice) % 2 == 1)]
    return KeyRules(drop_params=rules, sort_params=len(params) % 2 == 1, **options)


def text_links(data: bytes) -> None:
    """Require that links are in order, go where they say, and are found again when formatted."""
    import django
    from django.apps import apps

    if not apps.ready:
        django.setup()
    from django_whatwg_url.linkify import linkify, linkify_html
    from weburl.text import find_links, format_link, split

    text, url = fields(data, 2)
    end = 0
    for link in find_links(text):
        assert end <= link.start < link.end
        assert link.text == text[link.start : link.end]
        end = link.end
        written = link.text if link.has_scheme else f"{link.url.scheme}:{link.text}"
        prefix = "" if link.has_scheme or link.url.scheme == "mailto" else "https://"
        assert weburl.parse(f"{prefix}{link.text}" if prefix else written) == link.url
        # Before its "@", a mail address may look like a web address, and is one if it is alone.
        if link.url.scheme != "mailto" or not set("/?#").intersection(link.text):
            (alone,) = find_links(link.text)
            assert alone.url == link.url
        _require_found_again(link.url)
    pieces = [piece if isinstance(piece, str) else piece.text for piece in split(text)]
    assert "".join(pieces) == text
    with suppress(URLParseError):
        _ = format_link(weburl.parse(url))
    assert linkify(text).count("<a ") == sum(1 for _ in find_links(text))
    # Not a fixed point: a link may begin in the middle of a word, and leave a domain before it.
    made = linkify_html(text)
    assert linkify_html(made).count("<a") >= made.count("<a")


def _require_found_again(url: URLRecord) -> None:
    from weburl.text import find_links, format_link

    if url.scheme not in ("http", "https"):
        return
    formatted = format_link(url)
    (found,) = find_links(f"x {formatted} y")
    assert found.text == formatted
    assert format_link(found.url) == formatted


def redirect_uris(data: bytes) -> None:
    """Require that what matches leads where a registered URI leads, except for its port."""
    from weburl.redirect_uris import RedirectURIs

    registered, text = fields(data, 2)
    uris = RedirectURIs.from_stored(
        [registered, "https://app.example/cb", "http://127.0.0.1/cb"], allow_http=True
    )
    for each in (registered, text):
        found = uris.match(each)
        if not found:
            _ = str(found)
            continue
        target = weburl.parse(found.registered)
        assert found.url == weburl.parse(each)
        if found.url != target:
            assert found.url.with_port(None) == target.with_port(None)
            assert str(found.url.host) == "[::1]" or str(found.url.host).startswith("127.")
    _ = [str(problem) for problem in weburl.origin_problems(text, schemes=None)]


TARGETS: Final[dict[str, Callable[[bytes], None]]] = {
    function.__name__: function
    for function in (
        parse, check, setters, params, idn, render, html, sql_operands, file_urls, history, keys,
        text_links, redirect_uris, patterns,
    )
}  # fmt: skip
