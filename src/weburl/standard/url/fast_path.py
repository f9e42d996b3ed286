"""The fast path, which is tried before the general parser: compiled code, or else regexes.

Both have the same functions. Each returns what `parser` would, or None when it is unsure. Then
`parser` decides and reports errors. The room `compiled` handles most text that parses. The regexes
handle text that is canonical already, and most references. This is the only door to either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from weburl.standard.hosts.values import Domain, EmptyHost, IPv4Address, IPv6Address, OpaqueHost
from weburl.standard.storage import COMPILED
from weburl.standard.url.forms import (
    pairs_of,
    parse_form_urlencoded,
    serialize_form_urlencoded,
)
from weburl.standard.url.record import URLRecord
from weburl.standard.url.value import RecordStorage

_Class = TypeVar("_Class", bound=type)
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Value = TypeVar("_Value")

if COMPILED and not TYPE_CHECKING:
    from weburl.standard.compiled.comparing import compare_quickly
    from weburl.standard.compiled.editing import edit_quickly
    from weburl.standard.compiled.parser import (
        canonical_href,
        is_parsable,
        join_quickly,
        parse_quickly,
        with_fast_answer,
        with_fast_attributes,
        with_fast_path,
    )
    from weburl.standard.compiled.parts import (
        have_same_origin,
        read_parts_quickly,
        with_fast_origin,
    )
    from weburl.standard.compiled.queries import edit_queries_quickly, with_fast_methods
    from weburl.standard.compiled.serializer import read_quickly
    from weburl.standard.compiled.values import untracked, use_values

    # `href` takes 30 ns instead of 220, and `path` 50 instead of 230.
    use_values(URLRecord, RecordStorage, Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost)
    read_quickly(URLRecord, RecordStorage)
    compare_quickly(URLRecord)
    read_parts_quickly(URLRecord)
    edit_quickly(URLRecord)
    edit_queries_quickly(URLRecord)
else:
    from weburl.standard.url.fast_path_regex import (
        canonical_href,
        is_parsable,
        join_quickly,
        parse_quickly,
    )

    # What only compiled code does faster is left as it is.

    def with_fast_path(
        error_of: Callable[[str, Any, int], Exception],  # noqa: ARG001  # only C finds failures early
    ) -> Callable[[_Function], _Function]:
        """Return a decorator that leaves `weburl.parse` as it is: it calls the fast path itself."""
        return with_fast_answer

    def with_fast_answer(general: _Function) -> _Function:
        """Return ``general``, `weburl.can_parse`, as it is: it calls the fast path itself."""
        return general

    def with_fast_attributes(of_url: _Class) -> _Class:
        """Return ``of_url``, the class `URL`, as it is."""
        return of_url

    def with_fast_origin(
        origin_class: type,  # noqa: ARG001
        opaque_class: type,  # noqa: ARG001
    ) -> Callable[[_Function], _Function]:
        """Return a decorator that leaves `weburl.origin_of` as it is."""
        return with_fast_answer

    def have_same_origin(a: object, b: object) -> bool | None:  # noqa: ARG001
        """Return None: only compiled code compares records without making their origins."""
        return None

    def with_fast_methods(of_params: _Class) -> _Class:
        """Return ``of_params``, the class `URLSearchParams`, as it is."""
        return of_params

    def untracked(value: _Value) -> _Value:
        """Return ``value``. Only C can take a value off the list of the garbage collector."""
        return value


__all__ = [
    "canonical_href",
    "have_same_origin",
    "is_parsable",
    "join_quickly",
    "pairs_of",
    "parse_form_urlencoded",
    "parse_quickly",
    "serialize_form_urlencoded",
    "untracked",
    "with_fast_answer",
    "with_fast_attributes",
    "with_fast_methods",
    "with_fast_origin",
    "with_fast_path",
]
