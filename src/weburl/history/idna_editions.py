"""UTS #46 as it was: names of hosts by the tables of Unicode 13 (2020) and 15.1 (2024).

This module uses today's tables and takes back what has changed since: which code points were
refused, what "\u1e9e" became, and what Punycode might decode to. The refused code points are those
that were unassigned, and 71 others. No other mapping has changed, and no code point has become
refused. Joining types, bidi classes and marks are read from today's tables, because they did not
change for any code point that was valid.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

import attrs

from weburl.standard.infra.strings import ascii_lowercase

_ACE_PREFIX: Final = "xn--"
_MAX_DOMAIN_LENGTH: Final = 253
# UseSTD3ASCIIRules allows letters, digits and hyphens. Until Unicode 16 it also refused three code
# points that decompose to other ASCII.
_REFUSED_BY_STD3: Final = re.compile("[^a-z0-9\\x80-\U0010ffff-]|[\u2260\u226e\u226f]")


@attrs.frozen
class Edition:
    """UTS #46 as of one version of Unicode.

    ``versions``: the sections of `refused.txt` with what was disallowed. ``capital_sharp_s``: what
    U+1E9E becomes. ``is_lenient``: whether a domain may be empty, and what Punycode decodes to may
    be ASCII, empty, or begin with "xn--".
    """

    versions: tuple[str, ...]
    capital_sharp_s: str
    is_lenient: bool

    @cached_property
    def refused(self) -> re.Pattern[str]:
        """Matches a code point that was disallowed and is not today."""
        from importlib.resources import files  # It takes a while to load.

        text = files(__package__).joinpath("refused.txt").read_text("utf-8")
        tables = [section.partition("]\n") for section in text.split("[")[1:]]
        words = [
            word for name, _, table in tables if name in self.versions for word in table.split()
        ]
        entries = [word.partition("-") for word in words]
        inside = "".join(
            f"\\U{int(first, 16):08x}-\\U{int(last or first, 16):08x}" for first, _, last in entries
        )
        return re.compile(f"[{inside}]")

    def to_ascii(self, domain: str, *, be_strict: bool = False) -> str | None:
        """Return the result of "domain to ASCII" for ``domain``, scalar values; None for failure.

        ``be_strict`` is UseSTD3ASCIIRules and VerifyDnsLength. CheckHyphens is always false.
        """
        lowered = ascii_lowercase(domain)
        if be_strict or not domain.isascii() or _ACE_PREFIX in lowered:
            labels = self._labels(domain, be_strict)
            if labels is None:
                return None
            from weburl.standard.hosts import uts46  # It loads the tables of Unicode.

            ascii_domain = uts46.ascii_of_labels(labels, verify_dns_length=be_strict)
        else:
            ascii_domain = lowered
        return ascii_domain if self.is_lenient else ascii_domain or None

    def is_valid_domain(self, text: str) -> bool:
        """Return whether ``text`` is a valid domain: strict ToASCII and ToUnicode have no error."""
        result = self.to_ascii(text, be_strict=True)
        return result is not None and self._labels(result, be_strict=True) is not None

    def _labels(self, domain: str, be_strict: bool) -> list[str] | None:
        from weburl.standard.hosts import punycode, uts46

        if self.refused.search(domain):
            return None
        mapped = uts46.map_and_normalize(domain.replace("\u1e9e", self.capital_sharp_s))
        if be_strict and len(mapped) > _MAX_DOMAIN_LENGTH:
            return None  # ToASCII never makes it shorter, so skip the work on long text.
        labels: list[str] = []
        for label in mapped.split("."):
            decoded = label
            if label.startswith(_ACE_PREFIX):
                found = punycode.decode(label[len(_ACE_PREFIX) :])
                if found is None or not self._may_be_decoded(found):
                    return None
                decoded = found
            if self.refused.search(decoded):
                return None
            if be_strict and _REFUSED_BY_STD3.search(decoded):
                return None
            labels.append(decoded)
        return labels if uts46.are_valid(labels, be_strict=False) else None

    def _may_be_decoded(self, label: str) -> bool:
        from weburl.standard.hosts import uts46

        if not uts46.is_normalized(label):
            return False
        return self.is_lenient or not (label.isascii() or label.startswith(_ACE_PREFIX))


UNICODE_13: Final = Edition(("15.1", "13"), "ss", True)
"""UTS #46 as the standard of 2020 used it."""

UNICODE_15_1: Final = Edition(("15.1",), "\u1e9e", False)
"""UTS #46 as the standard of 2024 used it."""
