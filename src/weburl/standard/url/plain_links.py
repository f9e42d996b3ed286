"""Links so plain that every grammar of URLs allows them, and every reader reads them alike.

The scheme is http or https, and there are no credentials. The host is a lowercase name as in RFC
1035, which does not end in a number and has no two hyphens in a row, so it is neither an address
nor an A-label. The rest has only characters of RFC 3986, with well-formed percent-encoded bytes.
"@" is not among them, because it separates credentials.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.infra.code_points import (
    ASCII_ALPHANUMERIC,
    PLAIN_DOMAIN,
    character_class,
)
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH, MAX_LABEL_LENGTH

_CHARACTERS: Final = character_class(ASCII_ALPHANUMERIC | frozenset("!$&'()*+,-./:;=_~"))
_LABEL_CHARACTER: Final = "[a-z0-9-]"
# Not the five digits from 60000 on, which may be too large, and no zero at the start.
_PORT: Final = "(?:[1-5][0-9]{4}|[1-9][0-9]{0,3})"


def _units(more: str) -> str:
    return f"[{_CHARACTERS}{more}]*+(?:%[0-9A-Fa-f]{{2}}[{_CHARACTERS}{more}]*+)*+"


_PLAIN_LINK: Final = re.compile(
    rf"https?://(?!{_LABEL_CHARACTER[:-1]}.]{{{MAX_DOMAIN_LENGTH + 1}}})"
    rf"(?!(?:{_LABEL_CHARACTER}*+\.)*?{_LABEL_CHARACTER}{{{MAX_LABEL_LENGTH + 1}}})"
    rf"{PLAIN_DOMAIN.replace('_', '')}(?::{_PORT})?+"
    rf"(?:[/?]{_units('?')})?+(?:\#{_units('?')})?+"
)


def is_plain_link(text: str) -> bool:
    """Return whether ``text`` is a plain link. It is then a valid URL string and has no errors."""
    return _PLAIN_LINK.fullmatch(text) is not None
