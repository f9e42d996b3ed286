"""The interpreter's body of `fast_path`: regexes that know a URL that is canonical already.

Most text that is parsed is a URL that a browser, a database or this package has written: http
or https, a plain domain, nothing to percent-encode. There is nothing to do but cut.

Possessive ones, without an alternation inside a loop, which would take thrice the time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

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


def _others(percent_encode_set: PercentEncodeSet, but: str = "") -> str:
    """Return a class of what is neither in the set nor in ``but``."""
    kept = (chr(byte) for byte, is_kept in enumerate(percent_encode_set.kept) if is_kept)
    return f"[{character_class(code_point for code_point in kept if code_point not in but)}]"


# Most URLs have one of these; more schemes would make every match slower.
_SCHEMES: Final = frozenset({"http", "https"})
_HOST: Final = PLAIN_DOMAIN.pattern
# A canonical URL leaves out its default port. The default ports of both schemes go to the general
# parser, because a lookahead that depended on the scheme would cost more.
_PORT: Final = (
    f"(?!{'|'.join(f'{DEFAULT_PORTS[scheme]}/' for scheme in sorted(_SCHEMES))})[1-9][0-9]{{0,3}}+"
)
# No segment starts with "." or "%2", so there are no dot segments.
_PLAIN: Final = _others(PATH_PERCENT_ENCODE_SET, but="\\.%")
_PATH: Final = rf"/{_PLAIN}*+(?:[.%](?<!/\.)(?!(?<=/%)2){_PLAIN}*+)*+"
_QUERY: Final = _others(SPECIAL_QUERY_PERCENT_ENCODE_SET)
_FRAGMENT: Final = _others(FRAGMENT_PERCENT_ENCODE_SET)


def _canonical(group: str) -> str:
    """Return the pattern of a canonical URL, whose parts stand in groups that start so."""
    return (
        rf"{group}https?)://{group}{_HOST})(?::{group}{_PORT}))?{group}{_PATH})"
        rf"(?:\?{group}{_QUERY}*+))?(?:\#{group}{_FRAGMENT}*+))?"
    )


# Without capturing, which takes a third more.
_is_canonical: Final = re.compile(_canonical("(?:")).fullmatch


def canonical_href(text: object) -> str | None:
    """Return a text that is its own href; None for any other, which the parser reads."""
    return text if type(text) is str and _is_canonical(text) else None


# Nothing that stands behind the host of a special URL, and behind its port, makes it fail.
_HOST_IN_ANY_CASE: Final = _HOST.replace("a-z", "A-Za-z")
is_parsable: Final[Callable[[str], object]] = re.compile(
    rf"[\x00-\x20]*+[Hh][Tt][Tt][Pp][Ss]?://{_HOST_IN_ANY_CASE}[/?#\\]"
).match
"""Return something true for a text that parses, or None where only the parser can say.

It is the method of the regex itself: a function around it would take `can_parse` a fifth longer.
"""

_split: Final = re.compile(_canonical("(")).fullmatch


def parse_quickly(text: object) -> URLRecord | None:
    """Return the record of a text that is its own href; None where the parser has to tell."""
    found = _split(text) if type(text) is str else None
    if found is None:
        return None
    scheme, host, port, path, query, fragment = found.groups()
    number = None if port is None else int(port)
    return trusted_plain_record(scheme, host, number, path, query, fragment)


# A relative reference that holds what a canonical URL holds behind its host. Its groups: a path
# from the root, which is not a host's two slashes; or the dot segments that another path starts
# with, and its rest, which has no others; then query and fragment.
_reference: Final = re.compile(
    rf"(?:((?!//){_PATH})|((?:\.\.?/)*+)(?![^:/?#]*+:)((?:(?![/.%]){_PATH[1:]})?+))"
    rf"(?:\?({_QUERY}*+))?(?:\#({_FRAGMENT}*+))?"
).fullmatch


def join_quickly(base: object, text: object) -> URLRecord | None:
    """Return the record of a text relative to a record; None as `parse_quickly`.

    Spec: #relative-state
    """
    if type(base) is not URLRecord or type(text) is not str:
        return None
    found = _reference(text)
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
