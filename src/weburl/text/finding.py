"""Finds the links in plain text: web addresses with and without a scheme, and mail addresses.

A candidate begins at a dot. The label after it must be a top-level domain. From there the search
goes back to where the host or the mail address begins, and then forward to where the link ends.
It never goes back beyond the last link, and no step looks at a run of text twice. So the time is
linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

import attrs

from weburl.standard.infra.dns import MAX_LABEL_LENGTH
from weburl.standard.infra.strings import ascii_lowercase, exact, require_text
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError
from weburl.text.terms import NOT_PLAIN, OPENING, Term, effect_of, is_email, is_hidden

MAX_OPEN_BRACKETS: Final = 125
"""How many brackets can be open in one part of a link. A link ends before one more."""

_WEB_SCHEMES: Final = ("https", "http")
SCHEMES: Final = (*_WEB_SCHEMES, "mailto")

_DOTS: Final = ".\u3002\uff0e\uff61"  # a browser takes each of them for a full stop
_IS_DOT: Final = frozenset(_DOTS).__contains__
_MAX_PORT: Final = 65535
_ACE_PREFIX: Final = "xn--"

# A dot, and what may be a label after it: of ASCII only letters, digits and hyphens. Most dots of
# prose have a space after them, so that Python sees none of those.
_DOT_AND_LABEL: Final = re.compile(
    rf"[{_DOTS}]([^\x00-,./:-@\[-`{{-\x9f{_DOTS}]{{1,{MAX_LABEL_LENGTH + 1}}}+)"
)
_PORT: Final = re.compile(":([0-9]++)(?![A-Za-z])")
_STARTS_OF_PARTS: Final = frozenset("/?#")
# The delimiters inside each part, after which brackets start again.
SEPARATORS: Final = {"/": frozenset("/"), "?": frozenset("=&"), "#": frozenset({":~:"})}
_WEB_SCHEME: Final = re.compile(r"(https?)://\Z", re.ASCII | re.IGNORECASE)
_LONGEST_WEB_SCHEME: Final = len("https://")
_MAIL_SCHEME: Final = "mailto:"
# After a host with a scheme, "@" means that the host is a username to a browser.
_CREDENTIALS: Final = re.compile(r"[^/?#\\\s@]*+@")
# The same, before a password. A longer username is taken for text.
_USERNAME: Final = re.compile(r"//[^/?#\\\s@]*:\Z")
_LONGEST_USERNAME: Final = 256


@attrs.frozen
class Link:
    """A link in text.

    Attributes:
        start: where it begins, in code points.
        end: where it ends, after its last code point.
        text: the text of the link, ``text[start:end]`` of the whole.
        url: what the link goes to. A link without a scheme got one.
        has_scheme: whether the scheme was written.
    """

    __module__ = "weburl.text"

    start: int
    end: int
    text: str
    url: URLRecord
    has_scheme: bool


def find_links(
    text: str,
    *,
    schemes: Collection[str] = SCHEMES,
    bare: bool = True,
    emails: bool = True,
    assume_scheme: str = "https",
) -> Iterator[Link]:
    """Yield the links in ``text``, from the first to the last.

    A link is found as UTS #58 says, in text of every script. Its host must end with a top-level
    domain of the Public Suffix List in use. There are these exceptions, in which the text does not
    show where a browser would go, or in which it shows only a piece of an address:

    - A character that cannot be seen or that changes the direction of the text ends a link, and no
      host begins after it: a bidi control, a soft hyphen, a zero-width space. Joiners and variation
      selectors stay in it.
    - A host without a scheme directly after a slash is not a link: ``ftp://example.com``.
    - A host with a scheme is not a link if it is a username to a browser: ``http://a.com:b@c.com``.

    Time is linear in the length of ``text``, which may be any text.

    Args:
        text: the text to search.
        schemes: which of https, http and mailto may be written before a link. A link with another
            one of the three is not found.
        bare: whether to find web addresses without a scheme.
        emails: whether to find mail addresses without ``mailto:``.
        assume_scheme: the scheme of a web address without one, https or http.

    Raises:
        TypeError: ``text`` is not text, or ``schemes`` is one string.
        ValueError: a scheme is not one of those above.

    Spec: https://www.unicode.org/reports/tr58/#link-detection-algorithm
    """
    text = exact(require_text(text, "text with links"))
    if isinstance(schemes, str):
        raise TypeError("schemes is a collection of schemes, not one string")
    wanted = frozenset(map(_link_scheme, schemes))
    assumed = ascii_lowercase(require_text(assume_scheme, "a scheme"))
    if assumed not in _WEB_SCHEMES:
        raise ValueError(f"assume_scheme must be 'https' or 'http', not {assume_scheme!r}")
    return _links(text, wanted, bare, emails, assumed)


def split(
    text: str,
    *,
    schemes: Collection[str] = SCHEMES,
    bare: bool = True,
    emails: bool = True,
    assume_scheme: str = "https",
) -> Iterator[str | Link]:
    """Yield the text between links and the links, in turn, without empty text.

    The arguments and the errors are those of `find_links`. All texts together are ``text``.

    Spec: https://www.unicode.org/reports/tr58/#link-detection-algorithm
    """
    found = find_links(text, schemes=schemes, bare=bare, emails=emails, assume_scheme=assume_scheme)
    return _in_turn(exact(text), found)


def _in_turn(text: str, links: Iterator[Link]) -> Iterator[str | Link]:
    at = 0
    for link in links:
        if link.start > at:
            yield text[at : link.start]
        yield link
        at = link.end
    if at < len(text):
        yield text[at:]


def _link_scheme(scheme: str) -> str:
    normalized = ascii_lowercase(require_text(scheme, "a scheme"))
    if normalized not in SCHEMES:
        raise ValueError(f"links in text have the schemes https, http and mailto, not {scheme!r}")
    return normalized


def _links(
    text: str, schemes: frozenset[str], bare: bool, emails: bool, assumed: str
) -> Iterator[Link]:
    from weburl.standard.hosts.public_suffix import current_list  # It has a big table.

    suffixes = current_list()
    top_level_domains = _top_level_domains(suffixes.rules, suffixes.wildcards)
    limit = at = 0  # the end of the last link, and from where to look for a dot
    while (found := _DOT_AND_LABEL.search(text, at)) is not None:
        at = found.start(1)
        label = _trimmed(found[1])
        if not _is_top_level_domain(label, top_level_domains):
            continue
        end = at + len(label)
        if _goes_on(text, end):
            continue
        start = _start_of_host(text, found.start(), limit)
        at = end
        if not _are_labels(text[start:end]) or (start > limit and is_hidden(text[start - 1])):
            continue
        if text[start - 1 : start] == "@" and start > limit:
            link = _mail_link(text, start - 1, end, limit, schemes, emails)
        else:
            link = _web_link(text, start, end, limit, schemes, assumed if bare else None)
        if link is not None:
            yield link
            limit = at = link.end


def _mail_link(
    text: str, sign: int, end: int, limit: int, schemes: frozenset[str], emails: bool
) -> Link | None:
    """Return the mail address whose "@" is at ``sign``, or None."""
    start = sign
    while start > limit and is_email(text[start - 1]):
        start -= 1
    local_part = text[start:sign]
    if not local_part or local_part[0] == "." or local_part[-1] == "." or ".." in local_part:
        return None
    has_colon = start > limit and text[start - 1] == ":"
    if has_colon and local_part.startswith("//"):
        return None  # A URL with a username.
    if has_colon and _USERNAME.search(text, max(start - _LONGEST_USERNAME, limit), start):
        return None  # A URL with a username and a password.
    before = text[max(start - len(_MAIL_SCHEME), limit) : start]
    has_scheme = has_colon and before.isascii() and before.lower() == _MAIL_SCHEME
    if not ("mailto" in schemes if has_scheme else emails):
        return None
    url = _parsed(_MAIL_SCHEME + text[start:end])
    if url is None:
        return None
    start -= len(_MAIL_SCHEME) if has_scheme else 0
    return Link(start, end, text[start:end], url, has_scheme)


def _web_link(
    text: str, start: int, end: int, limit: int, schemes: frozenset[str], assumed: str | None
) -> Link | None:
    """Return the web address whose host is at ``start`` to ``end``, or None.

    ``assumed``: the scheme of an address without one, or None if it is not a link.
    """
    written = _WEB_SCHEME.search(text[max(start - _LONGEST_WEB_SCHEME, limit) : start])
    if written is None:
        if assumed is None or (start > limit and text[start - 1] in "/\\"):
            return None
    elif written[1].lower() not in schemes or _CREDENTIALS.match(text, end):
        return None
    after_host = end
    if _IS_DOT(text[end : end + 1]) and (
        text[end + 1 : end + 2] in _STARTS_OF_PARTS or _PORT.match(text, end + 1)
    ):
        after_host += 1
    if port := _PORT.match(text, after_host):
        if len(port[1]) > len(str(_MAX_PORT)) or int(port[1]) > _MAX_PORT:
            return None
        after_host = port.end()
    if text[after_host : after_host + 1] == "@":
        return None  # The host is a part of a mail address, or of credentials.
    end = _end_of_link(text, after_host)
    scheme = "" if written is None else written[0]
    url = _parsed(text[start - len(scheme) : end] if scheme else f"{assumed}://{text[start:end]}")
    if url is None:
        return None
    start -= len(scheme)
    return Link(start, end, text[start:end], url, bool(scheme))


def _end_of_link(text: str, start: int) -> int:  # noqa: C901  # the standard's loop, kept whole
    """Return where a link ends whose host and port end at ``start``.

    Spec: https://www.unicode.org/reports/tr58/#termination-algorithm
    """
    part = text[start : start + 1]
    if part not in _STARTS_OF_PARTS:
        return start
    safe = at = start + 1
    open_brackets: list[str] = []
    for found in NOT_PLAIN.finditer(text, at):
        here = found.start()
        if here > at:
            safe = here
        found_text = found[0]
        at = found.end()
        if found_text == "#" or (found_text == "?" and part == "/"):
            if part != "#":
                part = found_text
                open_brackets.clear()
            safe = at
        elif found_text in SEPARATORS[part]:
            open_brackets.clear()
            safe = at
        else:
            effect = effect_of(found_text[0])
            if effect is Term.HARD:
                return safe
            if effect is Term.OPEN:
                if len(open_brackets) == MAX_OPEN_BRACKETS:
                    return safe
                open_brackets.append(found_text)
            elif effect is Term.CLOSE and (
                not open_brackets or open_brackets.pop() != OPENING[found_text]
            ):
                return safe
            if effect is not Term.SOFT:
                safe = at
            elif found_text == ":~:":
                safe = at - 1  # Outside a fragment it is only a "~" between colons.
    return len(text) if len(text) > at else safe


def _parsed(text: str) -> URLRecord | None:
    try:
        return parse(text)
    except (URLParseError, ImportError):  # The host may be newer than the tables of Unicode.
        return None


def _trimmed(label: str) -> str:
    """Return ``label`` up to the first code point that a host cannot have."""
    if label.isascii():
        return label
    for at, char in enumerate(label):
        if not _is_in_host(char):
            return label[:at]
    return label


@lru_cache(maxsize=1 << 13)
def _is_in_host(char: str) -> bool:
    """Return whether a host in text can contain ``char``.

    UTS #46 allows quotation marks and other punctuation in a host. In text they are around it.
    """
    from weburl.standard.hosts import uts46  # It has big tables.

    if effect_of(char) is not Term.INCLUDE:
        return False
    try:
        return uts46.may_be_in_a_host(ascii_lowercase(char))
    except ImportError:  # It may, but what it does there only unicodedata2 knows. See `_parsed`.
        return True


def _goes_on(text: str, end: int) -> bool:
    """Return whether another label of the same host follows its label that ends at ``end``."""
    after = text[end + 1 : end + 2]
    return _IS_DOT(text[end : end + 1]) and after != "" and _is_in_host(after)


def _start_of_host(text: str, dot: int, limit: int) -> int:
    """Return where the host begins that has a dot at ``dot``."""
    start = dot
    while start > limit and (_IS_DOT(text[start - 1]) or _is_in_host(text[start - 1])):
        start -= 1
    return start


def _are_labels(host: str) -> bool:
    """Return whether no label is empty, and none begins or ends with a hyphen."""
    labels = re.split(f"[{_DOTS}]", host)
    return all(label and label[0] != "-" and label[-1] != "-" for label in labels)


def _is_top_level_domain(label: str, known: frozenset[str]) -> bool:
    if label.isascii():
        return ascii_lowercase(label) in known
    if label in known:
        return True
    from weburl.standard.hosts import uts46  # It has big tables.

    try:
        return uts46.map_and_normalize(label) in known
    except ImportError:  # It has a letter that only unicodedata2 knows.
        return False


@lru_cache(maxsize=4)
def _top_level_domains(rules: frozenset[str], wildcards: frozenset[str]) -> frozenset[str]:
    """Return the top-level domains of a public suffix list, in ASCII and in Unicode."""
    from weburl.standard.hosts import punycode  # Most programs never need it.

    ascii_names = {name.rpartition(".")[2] for name in rules | wildcards}
    decoded = {
        punycode.decode(name[len(_ACE_PREFIX) :])
        for name in ascii_names
        if name.startswith(_ACE_PREFIX)
    }
    return frozenset(ascii_names | {name for name in decoded if name is not None})
