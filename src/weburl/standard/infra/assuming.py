"""Text without a scheme, such as "example.com/a", for readers that put one before it.

The standard has no such rule. Nothing else in this room asks for it.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.infra.schemes import starts_with_host_and_port
from weburl.standard.infra.strings import C0_CONTROL_OR_SPACE

# The parser removes tabs and line breaks.
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.\t\n\r-]*:", re.ASCII | re.IGNORECASE)
# Text that is relative on purpose, rather than a host without its scheme.
_RELATIVE: Final = re.compile(r"/(?!/)|[\\?#]|\.\.?(?:[/\\?#]|\Z)")


def with_assumed_scheme(text: str, scheme: str) -> str:
    """Return ``text`` with ``scheme`` before it, or as it is if it has one.

    It is also put before "example.com:8080", although "example.com" could be a scheme. Relative
    URLs such as "/a" and "?q" stay, and so does "https//example.com", whose colon is missing.

    Spec: #scheme-start-state
    """
    bare = text.lstrip(C0_CONTROL_OR_SPACE)
    if _SCHEME.match(bare):
        if not starts_with_host_and_port(bare):
            return text
    elif _RELATIVE.match(bare) or bare.startswith((f"{scheme}//", "http//", "https//")):
        return text
    return f"{scheme}:{bare}" if bare.startswith("//") else f"{scheme}://{bare}"
