"""Finds the links in plain text: web addresses with and without a scheme, and mail addresses.

A candidate begins at "//", or at a dot whose label is a top-level domain. From there the search
finds the whole host that is written, and then where the link ends. It never returns beyond the
last link. No step looks at a piece of text more than a few times. So the time is linear in the
text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

import attrs

from weburl.standard.hosts.values import Domain
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.dns import MAX_LABEL_LENGTH
from weburl.standard.infra.strings import ascii_lowercase, exact, require_text
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError
from weburl.text.terms import (
    CLOSING_QUOTES,
    ENDS_RUN,
    ENDS_RUN_IN_HOST,
    NOT_PLAIN,
    OPENING,
    Term,
    effect_by_uts58,
    effect_of,
    is_email,
    is_hidden,
    term_of,
)

# Schemes of IANA's registry of 2022-11-18, and javascript, which is not registered. Any scheme
# counts if "//" follows it. Left out are those of single products, words that people write as
# labels, such as info, news and git, and http, https and mailto.
# Spec: https://www.iana.org/assignments/uri-schemes/uri-schemes.xhtml
_NAMES: Final = """
aaa aaas about acap acct acd acr afp afs aim apt ark aw bitcoin blob bolo browserext callto
cap chrome chrome-extension cid coap coap+tcp coap+ws coaps coaps+tcp coaps+ws crid cvs dab
dat data dav dict did dlna-playcontainer dlna-playsingle dns dtn dvb dvx dweb ed2k ens
ethereum facetime feed feedready filesystem finger geo gg gizmoproject grd gtalk h323 hcap hcp
hxxp hxxps hydrazone hyper iax icap im ipfs ipn ipns ipp ipps irc irc6 ircs iris iris.beep
iris.lwz iris.xpc iris.xpcs isostore itms jabber jar javascript jms keyparc ldap ldaps
leaptofrogans lpa magnet mailserver matrix mid mms mongodb ms-help ms-settings msnim msrp
msrps mtqp mumble mupdate mvn nfs ni nih nntp ocf oid onenote opaquelocktoken openpgp4fpr
otpauth p1 paparazzi payto pkcs11 pres prospero psyc pwid redis rediss rmi rsync rtmfp rtmp
rtsp rtsps rtspu secondlife sftp sgn shttp sieve sip sips sms smtp snews snmp soap.beep
soap.beeps spiffe ssb stun stuns swh tag teamspeak tel telnet tftp thismessage tn3270 turn
turns udp urn ut2004 vemmi ventrilo view-source vscode wais web3 webcal ws wss wtai xcon
xcon-userid xfire xmlrpc.beep xmlrpc.beeps xmpp xri ymsgr z39.50 z39.50r z39.50s
"""
OTHER_SCHEMES: Final = frozenset(_NAMES.split())
"""The names of schemes whose addresses have no links inside of them."""


MAX_OPEN_BRACKETS: Final = 125
"""How many brackets can be open in one part of a link. A link ends before one more."""

_WEB_SCHEMES: Final = ("https", "http")
SCHEMES: Final = (*_WEB_SCHEMES, "mailto")

_DOTS: Final = ".\u3002\uff0e\uff61"  # a browser takes each of them for a full stop
_IS_DOT: Final = frozenset(_DOTS).__contains__
_FULL_STOPS: Final = frozenset("\u3002\uff61")  # which also end a sentence
_MAX_PORT: Final = 65535
_ACE_PREFIX: Final = "xn--"

# Two slashes, or a dot and what may be a label after it: of ASCII only letters, digits and hyphens.
# Most dots of prose have a space after them, so that Python sees none of those.
_CANDIDATE: Final = re.compile(
    rf"//|[{_DOTS}]([^\x00-,./:-@\[-`{{-\x9f{_DOTS}]{{1,{MAX_LABEL_LENGTH + 1}}}+)"
)
_PORT: Final = re.compile(":([0-9]++)(?![A-Za-z])")
_STARTS_OF_PARTS: Final = frozenset("/?#")
# The delimiters inside each part, after which brackets start again.
SEPARATORS: Final = {"/": frozenset("/"), "?": frozenset("=&"), "#": frozenset({":~:"})}
_WEB_SCHEME: Final = re.compile(r"(https?):\Z", re.ASCII | re.IGNORECASE)
_ANY_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:\Z", re.ASCII | re.IGNORECASE)
_LONGEST_SCHEME: Final = 64
# A browser takes what follows one of these for a host or for the rest of an address.
_SCHEME_BEFORE: Final = re.compile(
    r"(?<![a-z0-9+.-])(?:https?|ftp|wss?|mailto):\Z", re.ASCII | re.IGNORECASE
)
_MAIL_SCHEME: Final = "mailto:"
BEFORE_A_SCHEME: Final = re.compile(r",(?=https?://|mailto:)", re.ASCII | re.IGNORECASE)
"""Finds a comma between two links."""

# What a browser accepts in a host and prose does not end with, beside letters, digits and hyphens.
_SIGNS: Final = "_%+!$&=~"
_IS_SIGN: Final = frozenset(_SIGNS).__contains__
_ASCII_OF_HOST: Final = re.compile(rf"[A-Za-z0-9.{_SIGNS}-]*+")
# A scheme after one of these begins another link, even if no space is between them.
_BETWEEN_LINKS: Final = frozenset(",;'()[]{}*`|")
_IPV6: Final = re.compile(r"\[[0-9a-f:.]++\]", re.ASCII | re.IGNORECASE)
_END_OF_USERINFO: Final = re.compile(rf"[/?#\\\s@\"<>]|{BEFORE_A_SCHEME.pattern}", re.IGNORECASE)
_END_OF_AUTHORITY: Final = re.compile(r"[/?#\\\s\"<>]")
# How a browser reads addresses with backslashes, or with more or fewer than two slashes.
_ODD_SLASHES: Final = re.compile(
    r"(?:(?<![A-Za-z0-9])(?:https?|ftp|wss?):(?!//)[/\\]*"
    r"|(?<![A-Za-z0-9:/\\])(?:\\[/\\]|/\\))"
    r"(?>(?:(?!,(?:https?|ftp|wss?):)[^\s\"<>])+)",
    re.ASCII | re.IGNORECASE,
)


@attrs.frozen
class Link:
    """A link in text.

    Attributes:
        start: where it begins, in code points.
        end: where it ends, after its last code point.
        text: the text of the link, ``text[start:end]`` of the whole.
        url: where the link leads. A link without a scheme got one.
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
    any_host: bool = False,
    as_uts58: bool = False,
) -> Iterator[Link]:
    """Yield the links in ``text``, from the first to the last.

    Links are found by UTS #58, in text of every script. A host must end with a top-level domain of
    the Public Suffix List in use. A link never begins or ends in the middle of a host, and no link
    is found inside a longer address, so that the text shows where a browser would go:

    - A link with a scheme has the whole host that is written, also with signs such as "_", "+" and
      "%70". White space, quotation marks, brackets, a comma, a semicolon, an asterisk, a backtick
      and full-width punctuation end it.
    - After "//", "mailto:" or "@" there is no link that begins later in the same run of text. White
      space, quotation marks and angle brackets end the run, and so does a comma before a scheme.
    - A host without a scheme may have "_", but no other sign, and it is not directly after a
      slash: ``ftp://example.com``.
    - A character that is invisible, or that changes the direction of text, ends a link, and no host
      begins after it: a bidi control, a soft hyphen, a zero-width space. Joiners and variation
      selectors do not end it.
    - After another registered scheme there is no link in the same run of text:
      ``xmpp:me@example.com``. Anything else is a label, also a scheme that is a word:
      ``Contact:me@example.com``, ``Info:me@example.com``.
    - A URL with a username is not a link: ``http://a.com:b@c.com``.

    Time is linear in the length of ``text``, which may be any text.

    Args:
        text: the text to search.
        schemes: which of https, http and mailto may be written before a link. A link with another
            one of the three is not found.
        bare: whether to find web addresses without a scheme.
        emails: whether to find mail addresses without ``mailto:``.
        assume_scheme: the scheme of a web address without one, https or http.
        any_host: whether a web address with a scheme may have any host, such as "localhost", an IP
            address or "intranet".
        as_uts58: whether links end exactly where UTS #58 ends them. By default, these also end a
            link: ``"``, ``<`` and ``>``, full-width punctuation, an ellipsis, a comma before a
            scheme, a "?" with nothing after it, and the partner of a quotation mark, an asterisk,
            an underscore or the like directly before the link. And by default, a link
            that begins with "mailto:" has its query.

    Raises:
        TypeError: ``text`` is not text, or ``schemes`` is one string.
        ValueError: a scheme is not one of those above.

    Spec: https://www.unicode.org/reports/tr58/#link-detection-algorithm
    """
    text = exact(require_text(text, "text with links"))
    if isinstance(schemes, str) or not isinstance(schemes, Iterable):
        given = "one string" if isinstance(schemes, str) else type(schemes).__name__
        raise TypeError(f"schemes is a collection of schemes, not {given}")
    wanted = frozenset(map(_link_scheme, schemes))
    assumed = ascii_lowercase(require_text(assume_scheme, "a scheme"))
    if assumed not in _WEB_SCHEMES:
        raise ValueError(
            f"assume_scheme must be 'https' or 'http', not {masked_value(assume_scheme)}"
        )
    rules = _Rules(wanted, bare, emails, assumed, any_host, as_uts58)
    return _Search(text, rules).links()


def split(
    text: str,
    *,
    schemes: Collection[str] = SCHEMES,
    bare: bool = True,
    emails: bool = True,
    assume_scheme: str = "https",
    any_host: bool = False,
    as_uts58: bool = False,
) -> Iterator[str | Link]:
    """Yield the text between links and the links, in turn, without empty text.

    The arguments and errors are the same as for `find_links`. Joined, all pieces are ``text``.

    Spec: https://www.unicode.org/reports/tr58/#link-detection-algorithm
    """
    found = find_links(
        text,
        schemes=schemes,
        bare=bare,
        emails=emails,
        assume_scheme=assume_scheme,
        any_host=any_host,
        as_uts58=as_uts58,
    )
    return _in_turn(exact(text), found)


def find_readings(text: str) -> Iterator[Link]:
    """Yield everything in ``text`` that a browser or a mail program may open, for a validator.

    These are the links that `find_links` finds with ``any_host=True``, with and without ``bare``,
    and others that it leaves out: what follows ``//`` or the scheme of a network
    (``//example.com``, ``http:/example.com``, ``ftp://example.com``), URLs with a username and a
    password, the longest text that a browser would take for a URL
    (``https://example.com,x.example``), and a host after a sign (``x+example.com``). So links may
    overlap.

    Time is linear in the length of ``text``, which may be any text. Raises TypeError if it is not
    text.
    """
    text = exact(require_text(text, "text with links"))
    return _every_reading(text)


def _every_reading(text: str) -> Iterator[Link]:
    rules = _Rules(frozenset(SCHEMES), True, True, "https", True, False, every=True)
    search = _Search(text, rules)
    # Where links begin and end, each in one number, because pairs would take more memory.
    found: set[int] = set()
    for link in search.links():
        if link.has_scheme:
            found.add(link.start << 64 | link.end)
        yield link
    if search.has_scheme_inside:
        # Where addresses without a scheme are not links, what is inside of them may be one.
        for link in _Search(text, attrs.evolve(rules, bare=False, every=False)).links():
            if link.start << 64 | link.end not in found:
                yield link


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
        raise ValueError(
            f"links in text have the schemes https, http and mailto, not {masked_value(scheme)}"
        )
    return normalized


@attrs.frozen
class _Rules:
    """The arguments of `find_links`. ``every``: whether to find all readings."""

    schemes: frozenset[str]
    bare: bool
    emails: bool
    assumed: str
    any_host: bool
    as_uts58: bool
    every: bool = False


class _Ahead:
    """Finds the next match of a pattern from a position that only grows, in linear time.

    ``search``: the method of the pattern.
    """

    def __init__(self, search: Callable[[str, int], Any], text: str) -> None:
        self._search = search
        self._text = text
        self._from = self._next = -1

    def next(self, position: int) -> int:
        """Return where the next match begins, or the length of the text."""
        if not self._from <= position <= self._next:
            found = self._search(self._text, position)
            self._next = len(self._text) if found is None else found.start()
            self._from = position
        return self._next


@attrs.frozen
class _Extent:
    """The ends of a host, of its port and of the link."""

    host: int
    after_port: int
    end: int


class _Search:
    """One search through a string. Nothing begins before ``_limit``, where the last link ends."""

    def __init__(self, text: str, rules: _Rules) -> None:
        from weburl.standard.hosts.public_suffix import current_list  # It has a big table.

        suffixes = current_list()
        self._top_level_domains = _top_level_domains(suffixes.rules, suffixes.wildcards)
        self._text = text
        self._rules = rules
        self._at = 0  # from where to search on
        self._limit = 0
        self._goes_on_at = -1  # where a run of text with a scheme continues after its link
        self._ends_run_in_host = _Ahead(ENDS_RUN_IN_HOST.search, text)
        self._ends_run_after_host = _Ahead(ENDS_RUN.search, text)
        self._ends_run = self._ends_run_in_host
        self._closes: dict[str, _Ahead] = {}  # by quotation mark
        self._ends_userinfo = _Ahead(_END_OF_USERINFO.search, text)
        self._ends_authority = _Ahead(_END_OF_AUTHORITY.search, text)
        self._ends_other = _Ahead(ENDS_RUN_IN_HOST.search, text)
        self._end_of_other = self._after_colon = 0
        self._end_of_whole = 0  # the end of the longest reading
        self.has_scheme_inside = False  # an address without a scheme had one later

    def links(self) -> Iterator[Link]:
        """Yield the links."""
        text = self._text
        while (found := _CANDIDATE.search(text, self._at)) is not None:
            if found[1] is None:
                yield from self._after_slashes(found.start())
                continue
            self._at = found.start(1)
            label = _trimmed(found[1])
            end = self._at + len(label)
            is_known = _is_top_level_domain(label, self._top_level_domains)
            if (label and _goes_on(text, end)) or found.start() < self._end_of_run():
                continue
            if is_known:
                yield from self._without_scheme(found.start(), end)
            elif text[found.start()] in _FULL_STOPS:
                # What precedes a full stop of Chinese or Japanese may be a host.
                label = text[max(found.start() - MAX_LABEL_LENGTH, self._limit) : found.start()]
                label = re.split(f"[{_DOTS}]", label)[-1]
                dot = found.start() - len(label) - 1
                is_known = _is_top_level_domain(label, self._top_level_domains)
                if is_known and dot > self._limit and _IS_DOT(text[dot]):
                    yield from self._without_scheme(dot, found.start(), is_whole=True)
        if self._rules.every:
            yield from _odd_readings(text)

    def _char(self, position: int) -> str:
        return self._text[position : position + 1]

    def _end_of_run(self) -> int:
        """Return where the last run of text ends that began with a scheme."""
        return -1 if self._goes_on_at < 0 else self._ends_run.next(self._goes_on_at)

    def _is_in_other_address(self, position: int) -> bool:
        """Return whether an address that is not a link goes on at ``position``: "sip:me@a.com"."""
        text = self._text
        while (colon := text.find(":", self._after_colon, position)) >= 0:
            self._after_colon = colon + 1
            if colon >= self._end_of_other:
                before = text[max(colon - _LONGEST_SCHEME, 0) : colon + 1]
                scheme = _ANY_SCHEME.search(before)
                if scheme is not None and ascii_lowercase(scheme[0][:-1]) in OTHER_SCHEMES:
                    self._end_of_other = self._ends_other.next(colon + 1)
        self._after_colon = max(self._after_colon, position)
        return position < self._end_of_other and not self._rules.every

    def _begin_run(self, limit: int, *, has_path: bool) -> None:
        """Note that what follows ``limit`` may belong to the address before it."""
        self._at = self._limit = self._goes_on_at = limit
        self._ends_run = self._ends_run_after_host if has_path else self._ends_run_in_host

    # What begins with slashes.

    def _after_slashes(self, slashes: int) -> Iterator[Link]:
        """Yield the links whose scheme is before the two slashes."""
        text = self._text
        host = self._at = slashes + 2
        before = text[max(slashes - _LONGEST_SCHEME, self._limit) : slashes]
        scheme = _WEB_SCHEME.search(before)
        start = slashes if scheme is None else slashes - len(scheme[0])
        is_inside = start < self._end_of_run() or self._is_in_other_address(start)
        if is_inside and not _is_between_links(self._char(start - 1)):
            return  # It is a part of another address.
        address = _IPV6.match(text, host) if self._rules.any_host else None
        after_host = self._end_of_host(host) if address is None else address.end()
        has_username = self._char(self._ends_userinfo.next(after_host)) == "@"
        extent = self._extent(start, host, after_host)
        link = None
        if scheme and extent and after_host > host and not has_username:
            link = self._web_link(start, host, extent)
        if link is not None and link.url.scheme in self._rules.schemes:
            yield link
        if self._rules.every:
            yield from self._whole_reading(slashes, before, link)
        if link is not None:
            self._begin_run(link.end, has_path=extent is not None and link.end > extent.after_port)
        elif extent is not None:
            self._begin_run(max(extent.end, host), has_path=extent.end > extent.after_port)
        else:
            self._begin_run(after_host, has_path=False)

    def _web_link(self, start: int, host: int, extent: _Extent) -> Link | None:
        """Return the link with a scheme and this extent, or None."""
        found = self._link(start, extent, "")
        if found is not None and self._has_top_level_domain(found.url):
            return found
        # A full stop of Chinese or Japanese may end the sentence.
        in_host = self._text[host : extent.host]
        cut = max(map(in_host.rfind, _FULL_STOPS))
        if cut > 0:
            shorter = host + len(in_host[:cut].rstrip(_DOTS + _SIGNS))
            ended = self._link(start, _Extent(shorter, shorter, shorter), "")
            if ended is not None and self._has_top_level_domain(ended.url):
                return ended
        return found if self._rules.any_host else None

    def _whole_reading(self, slashes: int, before: str, link: Link | None) -> Iterator[Link]:
        """Yield what a browser would take for a URL with these slashes, if it is not ``link``."""
        text = self._text
        scheme = _WEB_SCHEME.search(before) or _ANY_SCHEME.search(before)
        start = slashes if scheme is None else slashes - len(scheme[0])
        end = self._ends_run_in_host.next(slashes)
        if slashes < self._end_of_whole:  # Each piece of text is in one path only.
            end = min(end, self._ends_authority.next(slashes + 2))
        else:
            self._end_of_whole = end
        whole = text[start:end]
        while whole and _is_closing(whole[-1]):
            whole = whole[:-1]
        if scheme is None and ("." not in whole or self._char(slashes - 1).isalnum()):
            return  # "and//or"
        url = _parsed(whole if scheme else f"https:{whole}")
        if url is not None and (link is None or url != link.url):
            yield Link(start, start + len(whole), whole, url, scheme is not None)

    # What begins without slashes.

    def _without_scheme(self, dot: int, end: int, *, is_whole: bool = False) -> Iterator[Link]:
        """Yield the link whose host or mail address has the top-level domain ``dot`` to ``end``.

        ``is_whole``: whether the host ends there, whatever follows.
        """
        text = self._text
        start = dot
        while start > self._limit and _is_in_written_host(text[start - 1]):
            start -= 1
        after_host = end if is_whole else self._end_of_host(end)
        self._at = max(self._at, after_host)
        if start <= self._end_of_run() or self._is_in_other_address(start):
            return  # A full-width dot ends the run.
        before = text[start - 1] if start > self._limit else ""
        if before == "@":
            yield from self._mail_link(start - 1, after_host)
            return
        if not self._rules.bare or before in ("/", "\\") or (before and is_hidden(before)):
            return
        if self._char(after_host) in ("@", ":") and (
            self._char(self._ends_userinfo.next(after_host)) == "@"
            or text.startswith("://", after_host)
        ):
            return  # It is a username or a scheme.
        if before == ":" and _SCHEME_BEFORE.search(text, max(start - 7, self._limit), start):
            return
        extent = self._extent(start, start, after_host, is_whole=is_whole)
        if extent is None:
            return
        self._at = self._limit = max(self._at, extent.end)
        if "://" in text[after_host : extent.end]:  # What follows may belong to that address.
            self._begin_run(self._at, has_path=True)
            self.has_scheme_inside = True
        start = self._without_emphasis(start, extent.host)
        has_signs = any(map(_IS_SIGN, text[start : extent.host].replace("_", "")))
        link = None if has_signs else self._link(start, extent, f"{self._rules.assumed}://")
        if link is not None and self._has_top_level_domain(link.url):
            yield link
        elif self._rules.every:
            core = _start_of_host(text, dot, start)
            part = self._link(core, _Extent(end, end, end), "https://")
            if part is not None:
                yield part

    def _without_emphasis(self, start: int, end: int) -> int:
        """Return where a host begins of which signs of emphasis are no part: "_example.com_"."""
        while start < end and _IS_SIGN(self._text[start]):
            sign = self._text[start]
            if self._char(end) != sign:
                break
            start, end = start + 1, end + 1
        return start

    def _mail_link(self, sign: int, after_host: int) -> Iterator[Link]:
        """Yield the mail address whose "@" is at ``sign``, if it is one."""
        text = self._text
        start = sign
        while start > self._limit and is_email(text[start - 1]):
            start -= 1
        local_part = text[start:sign]
        before = text[max(start - len(_MAIL_SCHEME), self._limit) : start]
        has_scheme = before.isascii() and before.lower() == _MAIL_SCHEME
        host = text[sign + 1 : after_host].rstrip(_DOTS + _SIGNS)
        end = sign + 1 + len(host)
        if has_scheme:
            start -= len(_MAIL_SCHEME)
            if not self._rules.as_uts58 and self._char(end) == "?":
                end = self._end_of_link(end, start)
            self._begin_run(end, has_path=False)
        if before.endswith("@") or (not has_scheme and _SCHEME_BEFORE.search(before)):
            return  # It begins earlier.
        if not local_part or local_part[0] == "." or local_part[-1] == "." or ".." in local_part:
            return
        if not _are_labels(host) or any(map(_IS_SIGN, host)):
            return
        if not ("mailto" in self._rules.schemes if has_scheme else self._rules.emails):
            return
        url = _parsed(text[start:end] if has_scheme else _MAIL_SCHEME + text[start:end])
        if url is not None:
            yield Link(start, end, text[start:end], url, has_scheme)
            self._at = self._limit = end

    # Where a link ends.

    def _end_of_host(self, start: int) -> int:
        """Return where a written host ends that begins at ``start``, or has begun before it."""
        text = self._text
        while True:
            found = _ASCII_OF_HOST.match(text, start)
            end = start if found is None else found.end()
            while (char := text[end : end + 1]) > "\x7f" and (_IS_DOT(char) or _is_in_host(char)):
                end += 1
            if end == start:
                return end
            start = end

    def _extent(
        self, start: int, host: int, after_host: int, *, is_whole: bool = False
    ) -> _Extent | None:
        """Return the extent of a web address, or None if it cannot be one."""
        text = self._text
        after_port = after_host
        if not is_whole and (port := _PORT.match(text, after_host)):
            if len(port[1]) > len(str(_MAX_PORT)) or int(port[1]) > _MAX_PORT:
                return None
            after_port = port.end()
        end = after_port if is_whole else self._end_of_link(after_port, start)
        if end == after_host:
            # Nothing follows the host, so that a dot or a sign at its end does not belong to it.
            end = host + len(text[host:end].rstrip(_DOTS + _SIGNS))
            if end != after_host and self._char(after_host) == "\\":
                return None  # To a browser, this is a slash.
            return _Extent(end, end, end)
        return _Extent(after_host, after_port, end)

    def _end_of_link(self, start: int, begin: int) -> int:
        """Return where the link from ``begin`` ends whose host and port end at ``start``."""
        if self._char(start) not in _STARTS_OF_PARTS:
            return start
        stop = len(self._text)
        quote = self._char(begin - 1)
        if quote in CLOSING_QUOTES and not self._rules.as_uts58:
            if quote not in self._closes:
                self._closes[quote] = _Ahead(re.compile(CLOSING_QUOTES[quote]).search, self._text)
            stop = self._closes[quote].next(start)
        return self._terminated(start, stop)

    def _terminated(self, start: int, stop: int) -> int:  # noqa: C901  # the standard's loop, kept whole
        """Return where a link ends before ``stop`` whose first part begins at ``start``.

        Spec: https://www.unicode.org/reports/tr58/#termination-algorithm
        """
        text = self._text
        in_prose = not self._rules.as_uts58
        effect_on_link = effect_of if in_prose else effect_by_uts58
        part = text[start]
        at = start + 1
        safe = start if part == "?" and in_prose else at
        open_brackets: list[str] = []
        for found in NOT_PLAIN.finditer(text, at, stop):
            here = found.start()
            if here > at:
                safe = here
            found_text = found[0]
            at = found.end()
            if found_text == "#" or (found_text == "?" and part == "/"):
                if part != "#":
                    part = found_text
                    open_brackets.clear()
                if found_text == "#" or not in_prose:
                    safe = at
            elif found_text in SEPARATORS[part]:
                open_brackets.clear()
                safe = at
            else:
                effect = effect_on_link(found_text[0])
                if effect is Term.HARD:
                    return safe
                if in_prose and found_text[-1] == "," and BEFORE_A_SCHEME.match(text, at - 1):
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
        return stop if stop > at else safe

    def _link(self, start: int, extent: _Extent, prefix: str) -> Link | None:
        """Return what has this extent, if it is a URL with ``prefix`` before it."""
        text = self._text[start : extent.end]
        url = _parsed(prefix + text)
        return None if url is None else Link(start, extent.end, text, url, not prefix)

    def _has_top_level_domain(self, url: URLRecord) -> bool:
        if not isinstance(url.host, Domain):
            return False
        host = url.host.value.removesuffix(".")
        return (
            "." in host and _are_labels(host) and host.rpartition(".")[2] in self._top_level_domains
        )


def _is_between_links(char: str) -> bool:
    """Return whether another address may begin after ``char``, in a run of text with a scheme."""
    return char in _BETWEEN_LINKS or (char > "\x7f" and term_of(char) is not Term.INCLUDE)


def _is_closing(char: str) -> bool:
    """Return whether a browser is not meant to take ``char`` for the end of a URL."""
    return (
        char in _BETWEEN_LINKS
        or char in "!?._~"
        or (not char.isascii() and effect_of(char) is not Term.INCLUDE)
    )


def _odd_readings(text: str) -> Iterator[Link]:
    """Yield the addresses that a browser reads although they have not exactly two slashes."""
    for found in _ODD_SLASHES.finditer(text):
        whole = found[0]
        while whole and _is_closing(whole[-1]):
            whole = whole[:-1]
        has_scheme = whole[:1] not in ("\\", "/")
        url = _parsed(whole if has_scheme else f"https:{whole}")
        if url is not None:
            yield Link(found.start(), found.start() + len(whole), whole, url, has_scheme)


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
    except ImportError:  # It may, but only unicodedata2 has it. See `_parsed`.
        return True


def _goes_on(text: str, end: int) -> bool:
    """Return whether another label of the same host follows its label that ends at ``end``."""
    after = text[end + 1 : end + 2]
    return _IS_DOT(text[end : end + 1]) and after != "" and _is_in_host(after)


def _is_in_written_host(char: str) -> bool:
    return _IS_DOT(char) or _IS_SIGN(char) or _is_in_host(char)


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
    except ImportError:  # It has a letter that only unicodedata2 has.
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
