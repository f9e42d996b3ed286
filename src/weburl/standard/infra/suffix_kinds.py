"""The kinds of names in a public suffix list, for a lookup that starts at the end of a domain.

`public_suffix` looks domains up in Python, and the compiled code in a table that it makes of this.
"""

from __future__ import annotations

from typing import Final

RULE: Final = 1
WILDCARD: Final = 2  # the text after "*."
EXCEPTION: Final = 4
UNKNOWN: Final = 8  # not in the list


def kinds_of_names(
    rules: frozenset[str], wildcards: frozenset[str], exceptions: frozenset[str]
) -> dict[str, int]:
    """Return what each name in a list is, and each name that such a name ends with.

    A value is a sum of `RULE`, `WILDCARD` and `EXCEPTION`. It is 0 for a name that only other names
    end with. So a lookup can stop at the first name that is not there.
    """
    kinds: dict[str, int] = {}
    for names, kind in ((rules, RULE), (wildcards, WILDCARD), (exceptions, EXCEPTION)):
        for name in names:
            kinds[name] = kinds.get(name, 0) | kind
            parent = name.partition(".")[2]
            while parent and parent not in kinds:
                kinds[parent] = 0
                parent = parent.partition(".")[2]
    return kinds
