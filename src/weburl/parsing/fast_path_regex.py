"""The fast path without compiled code: regexes that match a URL that is canonical already.

Most text that is parsed was written by a browser, a database or this package. It has the scheme
http or https, a plain domain, and nothing to percent-encode, so it only needs to be split.

The regexes are possessive, and have no alternation inside a loop, which would take three times as
long.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar

from weburl.infra.code_points import (
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    PLAIN_DOMAIN,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    PercentEncodeSet,
    character_class,
)
from weburl.infra.schemes import DEFAULT_PORTS
from weburl.records.record import URLRecord
from weburl.records.trusted import trusted_plain_record, trusted_relative

_Class = TypeVar("_Class", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Value = TypeVar("_Value")


def others(percent_encode_set: PercentEncodeSet, but: str = "") -> str:
    """Return a regex class of the ASCII that is neither in the set nor in ``but``."""
    kept = (chr(byte) for byte, is_kept in enumerate(percent_encode_set.kept) if is_kept)
    return f"[{character_class(code_point for code_point in kept if code_point not in but)}]"


# Most URLs have one of these; more schemes would make every match slower.
_SCHEMES: Final = frozenset({"http", "https"})
HOST: Final = PLAIN_DOMAIN.pattern
# A canonical URL leaves out its default port. The default ports of both schemes go to the general
# parser, because a lookahead that depended on the scheme would cost more.
PORT: Final = (
    f"(?!{'|'.join(f'{DEFAULT_PORTS[scheme]}/' for scheme in sorted(_SCHEMES))})[1-9][0-9]{{0,3}}+"
)
# No segment starts with "." or "%2", so there are no dot segments.
_PLAIN: Final = others(PATH_PERCENT_ENCODE_SET, but="\\.%")
PATH: Final = rf"/{_PLAIN}*+(?:[.%](?<!/\.)(?!(?<=/%)2){_PLAIN}*+)*+"
QUERY: Final = others(SPECIAL_QUERY_PERCENT_ENCODE_SET)
FRAGMENT: Final = others(FRAGMENT_PERCENT_ENCODE_SET)


def _canonical(group: str) -> str:
    """Return the pattern of a canonical URL. ``group`` is "(" to capture its parts, or "(?:"."""
    return (
        rf"{group}https?)://{group}{HOST})(?::{group}{PORT}))?{group}{PATH})"
        rf"(?:\?{group}{QUERY}*+))?(?:\#{group}{FRAGMENT}*+))?"
    )


# Without captures, which would take a third longer.
_is_canonical: Final = re.compile(_canonical("(?:")).fullmatch


def canonical_href(text: object) -> str | None:
    """Return ``text`` if it is its own href, or None if the parser must decide."""
    return text if type(text) is str and _is_canonical(text) else None


HOST_IN_ANY_CASE: Final = HOST.replace("a-z", "A-Za-z")

_split: Final = re.compile(_canonical("(")).fullmatch


def with_fast_path(general: _Function) -> _Function:
    """Return ``general``, `weburl.parse`, as it is: it calls the fast path itself."""
    return general


def with_fast_href(of_url: _Class) -> _Class:
    """Return ``of_url``, the class `URL`, as it is."""
    return of_url


def with_fast_methods(of_params: _Class) -> _Class:
    """Return ``of_params``, the class `URLSearchParams`, as it is."""
    return of_params


def untracked(value: _Value) -> _Value:
    """Return ``value``. Only C can take a value off the list of the garbage collector."""
    return value


def parse_quickly(text: object) -> URLRecord | None:
    """Return the record of ``text`` if it is its own href, or None if the parser must decide."""
    found = _split(text) if type(text) is str else None
    if found is None:
        return None
    scheme, host, port, path, query, fragment = found.groups()
    number = None if port is None else int(port)
    return trusted_plain_record(scheme, host, number, path, query, fragment)


@cache  # not compiled when this is imported, because not every program needs it
def _reference() -> Callable[[str], re.Match[str] | None]:
    """Return what matches a relative reference with what a canonical URL has after its host.

    Its groups are a path from the root, which does not start with two slashes; or else the dot
    segments at the start of a path, and the rest of that path, which has no dot segments; then
    query and fragment.
    """
    return re.compile(
        rf"(?:((?!//){PATH})|((?:\.\.?/)*+)(?![^:/?#]*+:)((?:(?![/.%]){PATH[1:]})?+))"
        rf"(?:\?({QUERY}*+))?(?:\#({FRAGMENT}*+))?"
    ).fullmatch


def join_quickly(base: object, text: object) -> URLRecord | None:
    """Return the record of ``text`` relative to the record ``base``, or None as `parse_quickly`.

    Spec: #relative-state
    """
    if type(base) is not URLRecord or type(text) is not str:
        return None
    found = _reference()(text)
    if found is None or base.scheme not in _SCHEMES:
        return parse_quickly(text)  # a URL with a host of its own does not depend on the base
    root, dots, path, query, fragment = found.groups()
    if root:
        path = root
    elif path or dots:
        before = base.path_text.rpartition("/")[0]
        if dots:
            for _ in range(dots.count("../")):
                before = before.rpartition("/")[0]
        path = f"{before}/{path}"
    else:
        path = base.path_text
        if query is None:
            query = base.query
    return trusted_relative(base, path, query, fragment)
