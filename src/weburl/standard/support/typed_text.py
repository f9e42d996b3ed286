"""Text that a person typed or pasted for a URL: what it is, and what is missing before it.

The standard has no such rule: browsers guess only in the address bar. Whatever reads such text
calls `read_typed_text`, so that all of it guesses alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

import attrs

from weburl.standard.hosts.ipv6 import LONGEST_IPV6, is_ipv6_address
from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.errors import ValidationErrorType
from weburl.standard.infra.schemes import normalized_scheme, starts_with_host_and_port
from weburl.standard.infra.strings import C0_CONTROL_OR_SPACE, exact, require_text, shortened

# Format characters that are copied along with text. Nothing shows in their place.
_INVISIBLE: Final = (
    "\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufeff"
)
_WHITE_SPACE: Final = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)
_AROUND: Final = C0_CONTROL_OR_SPACE + _WHITE_SPACE + _INVISIBLE

# The parser removes tabs and line breaks.
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.\t\n\r-]*:", re.ASCII | re.IGNORECASE)
_NAME_AND_PORT: Final = re.compile(
    r"(?!(?:tel|sms):)[a-z0-9_-]+:[0-9]{1,5}(?:[/?#\\]|\Z)", re.ASCII | re.IGNORECASE
)
# Text that is relative on purpose, rather than a host without its scheme.
_RELATIVE: Final = re.compile(r"/(?!/)|[\\?#]|\.\.?(?:[/\\?#]|\Z)")
_SECOND_URL: Final = re.compile(
    r"[\r\n][^a-z]{0,8}(?:[a-z][a-z0-9+.-]{0,30}://|www\.)", re.ASCII | re.IGNORECASE
)
_SIGNS_AND_SCHEME: Final = re.compile(
    r"([^A-Za-z0-9]{1,16})(?:[a-z][a-z0-9+.-]{0,30}://)", re.ASCII | re.IGNORECASE
)
_QUOTATION_MARK: Final = re.compile(
    "[\"'`<>()\\[\\]{}\u00ab\u00bb\u2018-\u201f\u2039\u203a\u300a-\u3011\uff02\uff08\uff1c]"
)
_BRACKETS: Final = "<>()[]{}\uff08\uff1c"
_TWO_SCHEMES: Final = re.compile(r"https?:/{0,3}https?:/", re.ASCII | re.IGNORECASE)
_TEXT_BEFORE_URL: Final = re.compile(
    r"[^/?#\\:]*:?[^\S\r\n][^a-z]{0,8}https?://|\[[^\]]*\]\(", re.ASCII | re.IGNORECASE
)
_URL_AND_URL: Final = re.compile(
    r"(?:https?://|www\.)[^\s?#]*[^\S\r\n]{1,8}(?:https?://|www\.)", re.ASCII | re.IGNORECASE
)
_FILE_PATH: Final = re.compile(r"[a-z]:[\\/]", re.ASCII | re.IGNORECASE)
_GIT_ADDRESS: Final = re.compile(
    r"(?:git@[^\s/?#\\@:]+|[a-z0-9._-]+@[a-z0-9.-]+(?=:[^0-9/])):(?!//)", re.ASCII | re.IGNORECASE
)
_WEB_SCHEME: Final = re.compile(r"https?://", re.ASCII | re.IGNORECASE)
_NO_COLON: Final = re.compile(
    # A semicolon, or a colon of another script, is a typing error even without two slashes.
    "([a-z][a-z0-9+.]*?)(?:([^a-z0-9/@-]{0,3})//|([;\u037e\u05c3\u2236\ua789\ufe55\uff1a\uff1b])/?)",
    re.ASCII | re.IGNORECASE,
)
_EMAIL: Final = re.compile(r"[^\s/?#\\@:]+@[^\s/?#\\@:\[\]]+")
_DECIMAL_ADDRESS: Final = re.compile(r"(?:(?:0|[1-9][0-9]*)\.){3}(?:0|[1-9][0-9]*)", re.ASCII)
_IPV4_IN_BRACKETS: Final = re.compile(r"\[((?:[0-9]{1,3}\.){3}[0-9]{1,3})\]", re.ASCII)
_NUMBERS: Final = re.compile(r"(?:(?:[0-9]+|0x[0-9a-f]*)\.?){1,4}", re.ASCII | re.IGNORECASE)
_FULL_WIDTH_DIGITS: Final = {0xFF10 + digit: str(digit) for digit in range(10)}
_DIGITS: Final = "0123456789"
_ANY_DIGITS: Final = _DIGITS + "".join(map(chr, _FULL_WIDTH_DIGITS))
# What ends a host, and what ends a label.
_AFTER_HOST: Final = re.compile(r"[/?#\\]")
_DOTS: Final = re.compile("[.\u3002\uff0e\uff61]|%2e", re.IGNORECASE)


class TypedKind(StrEnum):
    """The kind of typed text: a URL, or the start of one."""

    __module__ = "weburl.integrations.building_blocks"

    URL = "url"
    HOST = "host"
    EMAIL_ADDRESS = "email-address"
    NUMBER = "number"
    PATH = "path"
    WORD = "word"
    JUNK = "junk"


class TypedProblem(StrEnum):
    """A reason why typed text is not read as a URL."""

    __module__ = "weburl.integrations.building_blocks"

    EMAIL_ADDRESS = "email-address"
    NUMBER = "number"
    SINGLE_LABEL = "single-label"
    MISPLACED_DOT = "misplaced-dot"
    QUOTATION_MARKS = "quotation-marks"
    BRACKETS = "brackets"
    TWO_SCHEMES = "two-schemes"
    OTHER_TEXT = "other-text"
    GIT_ADDRESS = "git-address"
    FILE_PATH = "file-path"
    IPV4_IN_BRACKETS = "IPv4-in-brackets"
    SIGNS_BEFORE_URL = "signs-before-URL"
    TWO_URLS = "two-URLs"
    IPV6_WITHOUT_BRACKETS = "IPv6-without-brackets"
    MISSING_COLON = "missing-colon"
    WRONG_COLON = "wrong-colon"


_REASONS: Final = {
    TypedProblem.EMAIL_ADDRESS: "This is an e-mail address.",
    TypedProblem.NUMBER: "{culprit} is a number, not a host. An IP address has four numbers.",
    TypedProblem.SINGLE_LABEL: "{culprit} is not a complete host name.",
    TypedProblem.MISPLACED_DOT: "{culprit} has a dot in the wrong place.",
    TypedProblem.QUOTATION_MARKS: "There are quotation marks around the URL.",
    TypedProblem.BRACKETS: "There are brackets around the URL.",
    TypedProblem.TWO_SCHEMES: "The URL begins with two schemes.",
    TypedProblem.OTHER_TEXT: "There is other text around the URL.",
    TypedProblem.GIT_ADDRESS: "This is a Git address.",
    TypedProblem.FILE_PATH: "This is a file on a computer.",
    TypedProblem.IPV4_IN_BRACKETS: "An IPv4 address has no brackets: {culprit}.",
    TypedProblem.SIGNS_BEFORE_URL: "There is {culprit} before the URL.",
    TypedProblem.TWO_URLS: "These are two URLs.",
    TypedProblem.IPV6_WITHOUT_BRACKETS: "An IPv6 address needs brackets: {culprit}.",
    TypedProblem.MISSING_COLON: "There is no colon after {culprit}.",
    TypedProblem.WRONG_COLON: "There is {culprit} in place of a colon.",
}


@attrs.frozen
class TypedText:
    """Text that a person typed or pasted for a URL, as `read_typed_text` reads it.

    Attributes:
        kind: what it is.
        text: the text to parse. A host has its scheme, and nothing invisible is around it. Other
            text is as it was given.
        problem: why it is not read as a URL, or None if the parser decides.
        culprit: the piece of the text that causes the problem, or what to write for an IPv6
            address; else "".
        scheme: the scheme that was written, if the colon after it is wrong; else "".
    """

    __module__ = "weburl.integrations.building_blocks"

    kind: TypedKind
    text: str
    problem: TypedProblem | None = None
    culprit: str = attrs.field(default="", repr=False)
    scheme: str = ""

    @property
    def code(self) -> str:
        """The code of an error: the standard's name if the parser finds it too, or the problem."""
        if self.problem in (TypedProblem.MISSING_COLON, TypedProblem.WRONG_COLON):
            return ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL.value
        return "" if self.problem is None else self.problem.value

    @property
    def reason(self) -> str:
        """What is wrong, as an English sentence, or "". It shows no username and no password."""
        if self.problem is None:
            return ""
        from weburl.standard.infra.explanations import quoted  # which most programs never need

        return _REASONS[self.problem].replace("{culprit}", quoted(self.culprit))


def read_typed_text(text: str, scheme: str = "https", *, single_labels: bool = False) -> TypedText:
    """Return what ``text`` is, for a reader that takes a host without its scheme for a URL.

    Text with a scheme is a URL, and is not changed. "example.com:8080" has none, although
    "example.com" could be one. Spaces and invisible characters around other text do not count.

    Time is linear in the length of ``text``, which may be any text.

    Args:
        text: what was typed or pasted.
        scheme: the scheme to put before a host.
        single_labels: whether "wiki" is a host and not a word, also in "wiki:8080". "localhost"
            always is a host.

    Raises:
        TypeError: ``text`` is not text.

    Spec: #scheme-start-state
    """
    if type(text) is not str:
        text = exact(require_text(text, "a URL"))
    trimmed = text.strip(_AROUND)
    if ("\n" in trimmed or "\r" in trimmed) and _SECOND_URL.search(trimmed):
        return TypedText(TypedKind.JUNK, text, TypedProblem.TWO_URLS)
    if problem := _mistake(trimmed):
        return TypedText(TypedKind.JUNK, text, problem)
    start = _WEB_SCHEME.match(trimmed)
    before, rest = (trimmed[: start.end()], trimmed[start.end() :]) if start else ("", trimmed)
    if rest.count(":") > 1 and (address := _ipv6_address(rest)):
        whole = f"{before or f'{scheme}://'}[{address}]{rest[len(address) :]}"
        return TypedText(TypedKind.JUNK, text, TypedProblem.IPV6_WITHOUT_BRACKETS, culprit=whole)
    if start and (bracketed := _IPV4_IN_BRACKETS.match(rest)):
        whole = f"{before}{bracketed[1]}{rest[bracketed.end() :]}"
        return TypedText(TypedKind.JUNK, text, TypedProblem.IPV4_IN_BRACKETS, culprit=whole)
    is_host = starts_with_host_and_port(trimmed) or (
        single_labels and _NAME_AND_PORT.match(trimmed) is not None
    )
    if not is_host and _SCHEME.match(trimmed):
        is_at_start = trimmed == text or _SCHEME.match(text.lstrip(C0_CONTROL_OR_SPACE))
        return TypedText(TypedKind.URL, text if is_at_start else trimmed)
    if trimmed.startswith("//"):
        return _without_scheme(text, trimmed.lstrip("/\\"), scheme, single_labels)
    if trimmed == "" or trimmed[0] == ":" or _RELATIVE.match(trimmed):
        return TypedText(TypedKind.PATH, text)
    return _without_scheme(text, trimmed, scheme, single_labels)


def _mistake(trimmed: str) -> TypedProblem | None:
    """Return what else than a URL was pasted, by how it begins."""
    if _TWO_SCHEMES.match(trimmed):
        return TypedProblem.TWO_SCHEMES
    if _URL_AND_URL.match(trimmed):
        return TypedProblem.TWO_URLS
    if _FILE_PATH.match(trimmed):
        return TypedProblem.FILE_PATH
    if "@" in trimmed and _GIT_ADDRESS.match(trimmed):
        return TypedProblem.GIT_ADDRESS
    begins_with_word = trimmed[:1].isalnum() or trimmed.startswith("[")
    if begins_with_word and not _WEB_SCHEME.match(trimmed) and _TEXT_BEFORE_URL.match(trimmed):
        return TypedProblem.OTHER_TEXT
    return None


def _without_scheme(text: str, trimmed: str, scheme: str, single_labels: bool) -> TypedText:
    """Return what text is that has no scheme, after any slashes."""
    if colon := _NO_COLON.match(trimmed):
        written, sign = colon[1], colon[2] or colon[3]
        if written.lower() in {scheme, "http", "https"}:
            problem = TypedProblem.WRONG_COLON if sign else TypedProblem.MISSING_COLON
            return TypedText(TypedKind.JUNK, text, problem, sign or written, written)
    signs = _SIGNS_AND_SCHEME.match(trimmed) if "://" in trimmed else None
    if _QUOTATION_MARK.match(trimmed) and (signs or _is_closed(trimmed)):
        is_bracket = trimmed[0] in _BRACKETS
        problem = TypedProblem.BRACKETS if is_bracket else TypedProblem.QUOTATION_MARKS
        return TypedText(TypedKind.JUNK, text, problem)
    if signs:
        signs_before = signs[1].strip()
        return TypedText(TypedKind.JUNK, text, TypedProblem.SIGNS_BEFORE_URL, signs_before)
    if "@" in trimmed and _EMAIL.fullmatch(trimmed):
        return TypedText(TypedKind.EMAIL_ADDRESS, text, TypedProblem.EMAIL_ADDRESS)
    host = _host_in(trimmed)
    complete = TypedText(TypedKind.HOST, f"{scheme}://{trimmed}")
    if host == "" or host.startswith("[") or ":" in host:
        return complete  # The parser reports what is wrong.
    labels = _DOTS.split(host)
    ends_with_dot = labels[-1] == "" and trimmed.endswith(host)
    is_single = len(labels) == 1 or (len(labels) == 2 and labels[1] == "")
    if is_single and single_labels:
        return complete
    if is_single and labels[0].lower() != "localhost":
        return TypedText(TypedKind.WORD, text, TypedProblem.SINGLE_LABEL, labels[0])
    is_prose = len(host.split()) > 1  # The parser reports its spaces.
    if ("" in labels[:-1] or ends_with_dot) and not is_prose:
        return TypedText(TypedKind.JUNK, text, TypedProblem.MISPLACED_DOT, host)
    if len(labels) > 1 and not is_prose and labels[0][0] in _ANY_DIGITS:
        plain = ".".join(filter(None, labels)).translate(_FULL_WIDTH_DIGITS)
        if _NUMBERS.fullmatch(plain) and not _DECIMAL_ADDRESS.fullmatch(plain):
            return TypedText(TypedKind.NUMBER, text, TypedProblem.NUMBER, host)
    return complete


def _host_in(text: str) -> str:
    """Return the host with which ``text`` begins, without a username, a password and a port."""
    host = _AFTER_HOST.split(text, maxsplit=1)[0].rpartition("@")[2]
    before, colon, port = host.rpartition(":")
    return before if colon and not port.strip(_DIGITS) else host


def _is_closed(text: str) -> bool:
    """Return whether a quotation mark or bracket is also at the end: "[::1]" needs its brackets."""
    return len(text) > 1 and text[0] != "[" and _QUOTATION_MARK.match(text[-1]) is not None


def _ipv6_address(text: str) -> str:
    """Return the IPv6 address without brackets with which ``text`` begins, or ""."""
    address = _AFTER_HOST.split(text[: LONGEST_IPV6 + 1], maxsplit=1)[0]
    return address if is_ipv6_address(address) else ""


def normalized_schemes(texts: Iterable[str]) -> set[str]:
    """Return schemes in lower case. Raises ValueError for text that is not a scheme."""
    found = set()
    for text in texts:
        scheme = normalized_scheme(text)
        if scheme is None:
            shown = shortened(masked_before_at_sign(text))
            raise ValueError(f"{shown!r} is not a scheme, such as 'https'")
        found.add(scheme)
    return found
