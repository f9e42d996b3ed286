"""The one door to what stands before the general parser, and says which body is in use.

There are two bodies of one contract: the room `compiled`, which takes most of what parses, and
regexes, which take what is canonical already. Both give what `parser` would, or decline, with
None; they explain nothing, so what is declined, for whatever reason, goes to `parser`.
"""

from __future__ import annotations

from weburl.infra.build import COMPILED
from weburl.records.record import use_fast_path

if COMPILED:
    from weburl.compiled.params import pairs_of
    from weburl.compiled.params import parse_form as parse_form_urlencoded
    from weburl.compiled.params import write_form as serialize_form_urlencoded
    from weburl.compiled.parser import canonical_href, is_parsable, join_quickly, parse_quickly
    from weburl.compiled.serializer import href_of, path_of

    use_fast_path(join_quickly, href_of, path_of)
else:
    from weburl.infra.form_urlencoded import (  # type: ignore[assignment]  # it takes bytes too
        pairs_of,
        parse_form_urlencoded,
        serialize_form_urlencoded,
    )
    from weburl.parsing.fast_path_regex import (
        canonical_href,
        is_parsable,
        join_quickly,
        parse_quickly,
    )

    use_fast_path(join_quickly)

__all__ = [
    "canonical_href",
    "is_parsable",
    "join_quickly",
    "pairs_of",
    "parse_form_urlencoded",
    "parse_quickly",
    "serialize_form_urlencoded",
]
