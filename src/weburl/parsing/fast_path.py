"""The fast path, which is tried before the general parser: compiled code, or else regexes.

Both have the same functions. Each returns what `parser` would, or None when it is unsure. Then
`parser` decides and reports errors. The room `compiled` handles most text that parses. The regexes
handle only text that is canonical already.
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
