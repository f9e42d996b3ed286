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

# Code points and ranges, in hexadecimal, that are valid, mapped or ignored today.
_REFUSED_UNTIL_15_1: Final = """
4c0 558 58b-58c 5c8-5c9 88f 897 b53-b54 c5c cdc 10a0-10c5 115f-1160 17b4-17b5 1806 180e
1acf-1af0 1b4e-1b4f 1b7f 1c89-1c8a 2061-2063 206a-206f 208f 209d-209f 20c1-20c4 2132 2183
2427-2429 2b96 2e60-2e63 3164 31e4-31e5 a7cb-a7cf a7d2 a7d4 a7da-a7dd a7e2 a7f1 ab6c-ab6d
fbc3-fbd2 fd90-fd91 fdc8-fdce ffa0 105c0-105f3 107bb-107bf 10940-10959 10d40-10d65
10d69-10d85 10d8e-10d8f 10ec2-10ec7 10ec9-10eee 10ef0-10efc 11380-11389 1138b 1138e
11390-113b5 113b7-113c0 113c2 113c5 113c7-113ca 113cc-113d5 113d7-113d8 113e1-113e2
116d0-116e3 11b0a 11b60-11b67 11bc0-11be1 11bf0-11bf9 11db0-11ddb 11de0-11de9 11df0-11df1
11f5a 1246f 12475-1247f 12550-12686 13460-143fa 16100-16139 16d40-16d79 16ea0-16eb8
16ebb-16ed3 16ff2-16ff6 187f8-187ff 18cd6-18cda 18cff 18d09-18d20 18d80-18df2 18e00-19191
191a0-191d2 1b123-1b128 1b168 1cc00-1ccfc 1cd00-1ceb3 1ceba-1ced0 1ced2-1ced4 1cedd-1cefd
1d127-1d128 1d173-1d17a 1d1eb-1d1ff 1d250-1d281 1d6a6 1db00-1db1c 1df1f-1df24 1df2b-1df81
1df90-1df96 1dfcd-1dfff 1e5d0-1e5fa 1e5ff 1e6c0-1e6de 1e6e0-1e6f5 1e6fe-1e6ff 1f1ae
1f6d8-1f6d9 1f777-1f77a 1f7da-1f7db 1f7f1-1f7ff 1f8b2-1f8bb 1f8c0-1f8c1 1f8d0-1f8d8
1fa54-1fa57 1fa89-1fa8f 1fabe 1fac6 1fac8 1facc-1facd 1fadc-1fadd 1fadf 1fae9-1faeb 1faef
1faf9-1fafa 1fbcb-1fbef 1fbfa 2b73a-2b73f 2b81e 2cea2-2cead 2f868 2f874 2f91f 2f95f 2f9bf
323b0-33479 3d000-3fc3f
"""

_REFUSED_UNTIL_13: Final = """
61d 870-88e 898-89f 8b5 8c8-8d2 c3c c5d cdd cf3 ece 170d 1715 171f 180f 1ac1-1ace 1b4c
1b7d-1b7e 1dfa 20c0 2c2f 2c5f 2e53-2e5d 9ffd-9fff a7c0-a7c1 a7d0-a7d1 a7d3 a7d5-a7d9
a7f2-a7f4 fbc2 fd40-fd4f fdcf fdfe-fdff 10570-1057a 1057c-1058a 1058c-10592 10594-10595
10597-105a1 105a3-105b1 105b3-105b9 105bb-105bc 10780-10785 10787-107b0 107b2-107ba
10efd-10eff 10f70-10f89 11070-11075 110c2 1123f-11241 116b9 11740-11746 11ab0-11abf
11b00-11b09 11f00-11f10 11f12-11f3a 11f3e-11f59 12f90-12ff2 1342f 13440-13455 16a70-16abe
16ac0-16ac9 1aff0-1aff3 1aff5-1affb 1affd-1affe 1b11f-1b122 1b132 1b155 1cf00-1cf2d
1cf30-1cf46 1cf50-1cfc3 1d1e9-1d1ea 1d2c0-1d2d3 1df00-1df1e 1df25-1df2a 1e030-1e06d 1e08f
1e290-1e2ae 1e4d0-1e4f9 1e7e0-1e7e6 1e7e8-1e7eb 1e7ed-1e7ee 1e7f0-1e7fe 1f6dc-1f6df
1f774-1f776 1f77b-1f77f 1f7d9 1f7f0 1f979 1f9cc 1fa75-1fa77 1fa7b-1fa7c 1fa87-1fa88
1faa9-1faaf 1fab7-1fabd 1fabf 1fac3-1fac5 1face-1facf 1fad7-1fadb 1fae0-1fae8 1faf0-1faf8
2a6de-2a6df 2b735-2b739 2ebf0-2ee5d 31350-323af
"""


@attrs.frozen
class Edition:
    """UTS #46 as of one version of Unicode.

    ``tables``: the code points that were disallowed and are not today. ``capital_sharp_s``: what
    U+1E9E becomes. ``is_lenient``: whether a domain may be empty, and what Punycode decodes to may
    be ASCII, empty, or begin with "xn--".
    """

    tables: tuple[str, ...]
    capital_sharp_s: str
    is_lenient: bool

    @cached_property
    def refused(self) -> re.Pattern[str]:
        """Matches a code point that was disallowed and is not today."""
        entries = [entry.partition("-") for table in self.tables for entry in table.split()]
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


UNICODE_13: Final = Edition((_REFUSED_UNTIL_15_1, _REFUSED_UNTIL_13), "ss", True)
"""UTS #46 as the standard of 2020 used it."""

UNICODE_15_1: Final = Edition((_REFUSED_UNTIL_15_1,), "\u1e9e", False)
"""UTS #46 as the standard of 2024 used it."""
