"""URLs that are canonical already, recognised in one pass, or declined.

Most text that is parsed is a URL that a browser, a database or this package has written: http
or https, a plain domain, nothing to percent-encode. There is nothing to do but cut. What is
declined, for whatever reason, goes to `parser`.

There are two bodies of one contract: compiled, a loop over code points takes a third of what a
regex takes, and in the interpreter many times as long. Both take and decline the same.
"""

from __future__ import annotations

from weburl.infra.build import COMPILED

if COMPILED:
    from weburl.parsing.fast_path_loops import is_canonical, is_parsable, parse_canonical
else:
    from weburl.parsing.fast_path_regex import (  # type: ignore[assignment]  # a match, in place of a bool
        is_canonical,
        is_parsable,
        parse_canonical,
    )

from weburl.parsing.fast_path_regex import parse_reference

__all__ = ["is_canonical", "is_parsable", "parse_canonical", "parse_reference"]
