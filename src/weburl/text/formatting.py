"""Writes a URL in text with as few escapes as possible, so that `find_links` finds all of it."""

from __future__ import annotations

import re
from io import StringIO
from typing import Final

from weburl.standard.hosts.values import Domain
from weburl.standard.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    PERCENT_ENCODED,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    PercentEncodeSet,
)
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH
from weburl.standard.rendering.text import labels_for_people
from weburl.standard.url.api import record_of
from weburl.standard.url.record import AnyURL, URLRecord
from weburl.text.finding import BEFORE_A_SCHEME, MAX_OPEN_BRACKETS, SEPARATORS
from weburl.text.terms import NOT_PLAIN, OPENING, Term, effect_by_uts58, effect_of

# Only uppercase digits, as the parser writes them, so that parsing encodes the text as before.
_ENCODED_RUN: Final = re.compile("(?:%[0-9A-F][0-9A-F])++")
# These begin a part or divide it, so an encoded one is something else.
_DELIMITERS: Final = frozenset("/?#=&")
_DIRECTIVE: Final = ":~:"


def format_link(url: AnyURL, *, as_uts58: bool = False) -> str:
    """Return a URL as text for people, in which `find_links` finds all of it.

    Text beyond ASCII is decoded, except for a character that would end the link or that cannot be
    seen. Username and password are left out. A label of the host is in ASCII if it could mislead in
    Unicode. A path of only "/" is left out, except after a dot.

    Parsing the result gives ``url`` again, without the credentials, with two exceptions. What would
    end the link is percent-encoded: a closing bracket without a partner, punctuation at the end, a
    quotation mark. And an empty query at the end gets an empty fragment, "?#", because a "?" with
    nothing after it does not belong to a link. `find_links` finds the whole result if the scheme is
    http or https and the host ends with a top-level domain. A URL without a host is returned as its
    href.

    With ``as_uts58``, the result is the minimal format of UTS #58, for readers that find links
    exactly by this standard, as `find_links` does with the same option.

    Time is linear in the length of the URL. Raises
    `URLParseError` for text that does not parse, and TypeError if ``url`` is not a URL.

    Spec: https://www.unicode.org/reports/tr58/#link-formatting
    """
    url = record_of(url)
    if url.host is None:
        return url.href
    port = "" if url.port is None else f":{url.port}"
    in_query = SPECIAL_QUERY_PERCENT_ENCODE_SET if url.is_special else QUERY_PERCENT_ENCODE_SET
    host = _host(url)
    parts = []
    # A link does not end with the dot of a host: "example.com./".
    if not (url.is_special and url.path_text == "/") or host.endswith("."):
        parts.append(_part("/", url.path_text, PATH_PERCENT_ENCODE_SET, as_uts58))
    if url.query is not None:
        parts.append(_part("?", f"?{url.query}", in_query, as_uts58))
    if url.fragment is not None:
        parts.append(_part("#", f"#{url.fragment}", FRAGMENT_PERCENT_ENCODE_SET, as_uts58))
    elif url.query == "" and not as_uts58:
        parts.append("#")
    tail = "".join(parts)
    if tail and _ends_softly(parts[-1]):
        tail = tail[:-1] + _encoded(tail[-1])
    return f"{url.scheme}://{host}{port}{tail}"


def _host(url: URLRecord) -> str:
    host = url.host
    if not isinstance(host, Domain) or len(host.value.removesuffix(".")) > MAX_DOMAIN_LENGTH:
        return str(host)
    return ".".join(labels_for_people(host, right_to_left=True, isolate=False))


def _ends_softly(part: str) -> bool:
    """Return whether a link that ends with ``part`` would be found without its last character."""
    if len(part) <= 1 or part.endswith(_DIRECTIVE):
        return False
    return effect_of(part[-1]) is Term.SOFT or effect_by_uts58(part[-1]) is Term.SOFT


def _part(kind: str, text: str, encode_set: PercentEncodeSet, as_uts58: bool) -> str:
    """Return a path, query or fragment with as few escapes as possible.

    Args:
        kind: the delimiter that begins such a part.
        text: the part with its delimiter.
        encode_set: what the parser encodes in it.
        as_uts58: as in `format_link`.
    """
    text = _ENCODED_RUN.sub(lambda run: _decoded(run[0], encode_set), text)
    output = StringIO()
    open_brackets: list[str] = []
    effect_on_link = effect_by_uts58 if as_uts58 else effect_of
    at = 0
    for found in NOT_PLAIN.finditer(text, 1):
        if found[0] in SEPARATORS[kind]:
            open_brackets.clear()
        elif _ends_link(found[0][0], effect_on_link(found[0][0]), open_brackets):
            output.write(text[at : found.start()] + _encoded(found[0]))
            at = found.end()
        elif not as_uts58 and BEFORE_A_SCHEME.match(text, found.end() - 1):
            output.write(text[at : found.end() - 1] + _encoded(","))
            at = found.end()
    output.write(text[at:])
    return output.getvalue()


def _ends_link(char: str, effect: Term, open_brackets: list[str]) -> bool:
    """Return whether a link ends before ``char``. If not, and it is a bracket, remember it."""
    if effect is Term.OPEN:
        if len(open_brackets) == MAX_OPEN_BRACKETS:
            return True
        open_brackets.append(char)
    elif effect is Term.CLOSE:
        if not open_brackets or open_brackets[-1] != OPENING[char]:
            return True
        open_brackets.pop()
    return effect is Term.HARD


def _decoded(run: str, encode_set: PercentEncodeSet) -> str:
    """Return a run of escapes with those decoded that the parser would write again."""
    try:
        text = bytes.fromhex(run.replace("%", "")).decode()
    except UnicodeDecodeError:
        return run  # In a legacy encoding, bytes that look like UTF-8 mean something else.
    return "".join(
        char if char in encode_set and char not in _DELIMITERS else _encoded(char) for char in text
    )


def _encoded(char: str) -> str:
    return "".join([PERCENT_ENCODED[byte] for byte in char.encode()])
