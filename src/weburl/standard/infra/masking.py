"""Finds usernames and passwords in any text, and masks them.

`credentials` loads this module when text may contain an "@". Compiling its regexes would make
importing the package slower, and most programs never mask anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from heapq import merge
from typing import Final

from weburl.standard.infra.masked import MASK, Masked, Secret
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import ascii_lowercase, remove_tabs_and_newlines

# Unicode's compatibility forms of the delimiters count, and so do percent-encoded ones, because a
# program may decode or normalize the text before it looks for credentials.
_COLONS: Final = ":\ufe13\ufe55\uff1a"
_SLASH: Final = "/\u2044\u2215\uff0f"
_BACKSLASH: Final = "\\\ufe68\uff3c"
_AT: Final = "@\ufe6b\uff20"
_PLAIN_DELIMITERS: Final = str.maketrans(
    {form: forms[0] for forms in (_COLONS, _SLASH, _BACKSLASH, _AT) for form in forms[1:]}
)


def _any_of(*code_points: str) -> str:
    """Return a pattern for each code point, also percent-encoded, once or several times."""
    encoded = {
        "".join(f"%(?:25)*{byte:02X}" for byte in code_point.encode()) for code_point in code_points
    }
    return f"(?:[{re.escape(''.join(code_points))}]|{'|'.join(sorted(encoded))})"


_ANY_COLON: Final = _any_of(*_COLONS)
_ANY_SLASH: Final = _any_of(*_SLASH, *_BACKSLASH)
_AT_SIGN: Final = re.compile(_any_of(*_AT), re.IGNORECASE | re.ASCII)
_COLON: Final = re.compile(f"[{_COLONS}]")
_COLON_IN_ANY_FORM: Final = re.compile(_ANY_COLON, re.IGNORECASE | re.ASCII)
_TABS: Final = r"[\t\n\r]*"
_SPECIAL: Final = "|".join(_TABS.join(scheme) for scheme in SPECIAL_SCHEMES)
# An authority begins after two slashes, or after a special scheme with any number of slashes.
_BEGINS_AN_AUTHORITY: Final = re.compile(
    rf"(?:{_ANY_SLASH}{_TABS}{_ANY_SLASH}|(?:{_SPECIAL}){_TABS}{_ANY_COLON})(?:{_ANY_SLASH}|[\t\n\r])*",
    re.IGNORECASE | re.ASCII,
)
_AUTHORITY_END: Final = re.compile(r"[/?#]")
# Schemes may be nested, as in "blob:https://" and "jdbc:mysql://".
_UP_TO_SLASHES: Final = re.compile(r"([^/\\]*+)([/\\][/\\\t\n\r]*+)")
_WITHOUT_SCHEME: Final = re.compile(r"([^/\\?#:]*)@[^/\\?#:@]*[/\\?#:]")
_STARTS_WITH_A_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.:-]*+(?<=:)[/\\]{2}")


def mask(text: str) -> Masked:
    """Return what `credentials.masking` promises."""
    if _AT_SIGN.search(text) is None:
        return Masked(text)
    return _masked(
        text, (secret for span in _credentials(text) for secret in _secrets(text, *span))
    )


def mask_part(text: str, after: str) -> str:
    """Return what `credentials.without_credentials` promises."""
    if _AT_SIGN.search(text) is None:
        return text
    if after or _STARTS_WITH_A_URL.match(text) is not None:
        return mask(after + text).text[len(after) :]
    return _masked(text, _in_authorities(text)).text


def mask_before_at_sign(text: str) -> Masked:
    """Return what `credentials.masking_before_at_sign` promises."""
    end = _last_at_sign(text, 0, len(text))
    return _masked(text, [(0, end)] if end else [])


def _masked(text: str, secrets: Iterable[tuple[int, int]]) -> Masked:
    """Return ``text`` with a mask for each of these spans, which are in order."""
    pieces: list[str] = []
    places: list[Secret] = []
    done = length = 0
    for start, end in secrets:
        length += start - done
        places.append(Secret(start, end, length))
        pieces += [text[done:start], MASK]
        length += len(MASK)
        done = end
    return Masked("".join([*pieces, text[done:]]), tuple(places))


def _credentials(text: str) -> Iterator[tuple[int, int]]:
    """Yield where credentials begin and end in ``text``, in order, each span once."""
    done = -1
    start = end = 0
    for span in merge(_in_authorities(text), _before_last_at_sign(text)):
        if span[0] > done:
            if end > start:
                yield start, end
            start, end = span
        end = done = max(end, span[1])
    if end > start:
        yield start, end


def _authorities(text: str) -> Iterator[tuple[int, int]]:
    """Yield where authorities begin and end."""
    end = 0
    while (found := _BEGINS_AN_AUTHORITY.search(text, end)) is not None:
        start = found.end()
        delimiter = _AUTHORITY_END.search(text, start)
        end = len(text) if delimiter is None else delimiter.start()
        yield start, end


def _in_authorities(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span from the beginning of each authority to the last "@" in it.

    If there is none, but a colon, the password may contain a delimiter. It then ends at the last
    "@" of the text.
    """
    last = _last_at_sign(text, 0, len(text))  # found once, because there may be many authorities
    for start, end in _authorities(text):
        at_sign = _last_at_sign(text, start, end)
        if at_sign > start:
            yield start, at_sign
        elif last > end and _COLON_IN_ANY_FORM.search(text, start, end) is not None:
            yield start, last
            return


def _before_last_at_sign(text: str) -> Iterator[tuple[int, int]]:
    """Yield a username without a scheme, and a password that may contain delimiters."""
    plain = text.translate(_PLAIN_DELIMITERS)
    last = plain.rfind("@")
    if last < 0:
        return
    username = _WITHOUT_SCHEME.match(plain)
    if username is not None:
        yield username.span(1)
    start = _start_of_password(plain, last)
    if start is None:
        return
    for begin, end in _authorities(text):
        if begin > start:
            break
        if end >= start:  # The username is before the colon.
            start = begin
    # The authority of that password continues to the next delimiter.
    delimiter = _AUTHORITY_END.search(text, last)
    yield start, _last_at_sign(text, last, len(text) if delimiter is None else delimiter.start())


def _start_of_password(text: str, last: int) -> int | None:
    """Return where a password may begin that ends at the last "@" of ``text``, or None."""
    found = _UP_TO_SLASHES.match(text)
    before_slashes = text if found is None else found[1]
    scheme, colon_mark, rest = before_slashes.partition(":")
    if "@" in rest and "@" not in scheme and not _is_mail(scheme, rest):
        return len(scheme) + len(colon_mark)
    if found is None:
        return None
    if ":" in rest and not rest.endswith(":"):
        return len(scheme) + len(colon_mark)  # A slash in a password, as in "foo:me:a/b@host".
    colon = text.find(":", found.end(), last)
    if colon < 0:
        return None
    has_username = _AUTHORITY_END.search(text, found.end(), colon) is None
    return found.end() if has_username else colon + 1


def _is_mail(scheme: str, rest: str) -> bool:
    """Return whether ``rest`` is the address of a ``mailto:`` URL, and has no password in it."""
    name = ascii_lowercase(remove_tabs_and_newlines(scheme)).strip(" ")
    return name == "mailto" and ":" not in rest[: rest.index("@")]


def _last_at_sign(text: str, start: int, end: int) -> int:
    """Return the offset of the last "@" in a span of ``text``, or ``start`` without one."""
    for found in _AT_SIGN.finditer(text, start, end):
        start = found.start()
    return start


def _secrets(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the username and the password in a span are; after a colon, all is a password."""
    is_password = start > 0 and text[start - 1] in _COLONS
    colon = None if is_password else _COLON.search(text, start, end)
    spans = [(start, end)] if colon is None else [(start, colon.start()), (colon.end(), end)]
    yield from (span for span in spans if span[1] > span[0])
