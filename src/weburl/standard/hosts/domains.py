"""§3.3: domains, to ASCII and to Unicode.

Plain ASCII domains need only this module. Other domains load `uts46`, with Unicode's tables.
"""

from __future__ import annotations

import re
from functools import cache
from types import ModuleType
from typing import Final

from weburl.standard.infra.code_point_regexes import FORBIDDEN_DOMAIN_CODE_POINT
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH
from weburl.standard.infra.errors import Errors, ValidationErrorType
from weburl.standard.infra.strings import ascii_lowercase, to_scalar_value_string

# A label that the strict rules do not change: letters, digits and hyphens. No hyphen is first or
# last, and the third and fourth characters are not both hyphens, as they are in "xn--".
_STRICT_ASCII_LABEL: Final = re.compile(r"(?!-)(?!..--)[a-z0-9-]{1,63}(?<!-)")


def domain_to_ascii(domain: str, be_strict: bool) -> str | None:
    """Return the result of the standard's "domain parser ToASCII", or None for failure.

    ``domain`` holds no surrogates. Time is linear in its length, except for sorting.

    Spec: #concept-domain-to-ascii
    """
    if domain.isascii():
        lowered = ascii_lowercase(domain)
        if be_strict and len(domain) > MAX_DOMAIN_LENGTH:
            return None
        if "xn--" not in lowered:
            if not be_strict:
                return lowered
            labels = lowered.split(".")
            return lowered if all(map(_STRICT_ASCII_LABEL.fullmatch, labels)) else None

    result: str | None = _uts46().to_ascii(domain, be_strict)
    return result


@cache  # An import statement takes six times as long, even if the module is already loaded.
def _uts46() -> ModuleType:
    # Unicode's tables take a while to load, and most hosts do not need them.
    from weburl.standard.hosts import uts46

    return uts46


def parse_domain(domain: str, errors: Errors, length: int) -> str:
    """Return the result of the standard's domain parser for ``domain``, not strict.

    ``length`` is the length of the host in the prepared input. Raises `Failure`.

    Spec: #concept-domain-to-ascii
    """
    result: str | None
    if domain.isascii():
        is_forbidden = FORBIDDEN_DOMAIN_CODE_POINT.search(domain) is not None
        result = None if is_forbidden else ascii_lowercase(domain)
    else:
        result = _uts46().to_ascii_unless_forbidden(domain)
    if not result:
        raise errors.failure(ValidationErrorType.DOMAIN_TO_ASCII, 0, length)
    if errors.kept is not None and domain_to_ascii(domain, True) is None:
        errors.add(ValidationErrorType.DOMAIN_TO_ASCII, 0, length)
    return result


def domain_to_look_up(domain: str) -> str | None:
    """Return ``domain`` in ASCII as `parse_domain` does, or None for failure.

    A label that is longer than any name of the DNS may be replaced by another long label, which
    takes less time.
    """
    if domain.isascii():
        is_forbidden = FORBIDDEN_DOMAIN_CODE_POINT.search(domain) is not None
        return None if is_forbidden else ascii_lowercase(domain) or None
    result: str | None = _uts46().to_ascii_unless_longer(domain, MAX_DOMAIN_LENGTH)
    return result or None


def parse_domain_strictly(domain: str) -> str | None:
    """Return the result of the standard's strict domain parser, or None for failure.

    Spec: #concept-domain-to-ascii
    """
    return domain_to_ascii(to_scalar_value_string(domain), True) or None


def domain_to_unicode(domain: str) -> str:
    """Return ``domain`` in Unicode, or unchanged if that would record an error.

    Spec: #concept-domain-to-unicode
    """
    if "xn--" not in domain:
        return domain

    unicode_domain: str | None = _uts46().to_unicode(domain)
    return domain if unicode_domain is None else unicode_domain
