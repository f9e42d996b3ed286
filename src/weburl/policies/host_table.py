"""A small table of names. A million names take 30 MB, and a lookup takes a step for each label.

Names are reversed ("moc.elpmaxe"), so that a host begins with each of its parent domains. They are
sorted by the bits of a checksum, and names with the same bits by their text. So a lookup takes
logarithmic time even if someone has chosen all names to have the same checksum.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from typing import Final
from zlib import crc32

import attrs

from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH

ITSELF: Final = 1
"""A rule means the host of its name."""
BELOW: Final = 2
"""A rule means the hosts below its name."""

_DOT: Final = b"."
_BITS: Final = 32  # of a checksum


@attrs.frozen
class NameTable:
    """Names and what each means, `ITSELF`, `BELOW` or both. Equal tables have equal bytes.

    ``texts``: the names in reverse, one after another. ``ends``: where each ends, as numbers of 32
    bits. ``kinds``: what each means. ``starts``: for each value of the first bits of a checksum,
    how many names have a lower one; then the number of names.
    """

    texts: bytes
    ends: array[int] = attrs.field(hash=False)
    kinds: bytes
    starts: array[int] = attrs.field(hash=False)

    @property
    def shift(self) -> int:
        """How many bits of a checksum are not used."""
        return _BITS - (len(self.starts) - 2).bit_length()

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """Yield each name and what it means, in the order of the table."""
        start = 0
        for end, kind in zip(self.ends, self.kinds, strict=True):
            yield self.texts[start:end][::-1].decode("ascii"), kind
            start = end

    def find(self, host: str) -> int | None:
        """Return the place of the first name, from the end of ``host``, that means it, or None."""
        text = host.encode("ascii", "replace")[: -MAX_DOMAIN_LENGTH - 2 : -1]
        shift = self.shift
        size = len(host)
        checksum = start = 0
        while start < len(text):
            end = text.find(_DOT, start + 1)
            if end < 0:
                end = len(text)
            checksum = crc32(text[start:end], checksum)
            place = self._place(text[:end], checksum >> shift)
            if place is not None and self._means(self.kinds[place], end, size):
                return place
            start = end
        return None

    @staticmethod
    def _means(kind: int, end: int, size: int) -> bool:
        if end == size:
            return bool(kind & ITSELF)
        # Nothing is below "a" in ".a".
        return bool(kind & BELOW and end < size - 1)

    def _place(self, name: bytes, bits: int) -> int | None:
        low, high = self.starts[bits], self.starts[bits + 1]
        while low < high:
            middle = (low + high) // 2
            found = self.texts[self.ends[middle - 1] if middle else 0 : self.ends[middle]]
            if found == name:
                return middle
            if found < name:
                low = middle + 1
            else:
                high = middle
        return None


def table_of(kinds: Mapping[bytes, int]) -> NameTable:
    """Return the table of names in reverse and what each means."""
    bits = max(len(kinds) - 1, 1).bit_length()
    shift = _BITS - bits
    names = sorted(kinds)
    names.sort(key=lambda name: crc32(name) >> shift)
    starts = array("I", bytes(4 * ((1 << bits) + 1)))
    for name in names:
        starts[(crc32(name) >> shift) + 1] += 1
    ends = array("I")
    total = 0
    for name in names:
        total += len(name)
        ends.append(total)
    count = 0
    for place, more in enumerate(starts):
        count += more
        starts[place] = count
    return NameTable(b"".join(names), ends, bytes(map(kinds.__getitem__, names)), starts)
