"""cattrs: ``register(converter)``, once for each converter."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from weburl.integrations import texts

if TYPE_CHECKING:
    from cattrs import BaseConverter

__all__ = ["register"]

_T = TypeVar("_T")


def register(converter: BaseConverter) -> None:
    """Let a converter of cattrs write URLs and the other values as text, and read them.

    The other values are relative references, hosts, origins and sites. A password in a URL is
    written too. Text that does not parse raises `URLParseError`, which cattrs wraps as it does
    every error.
    """
    for kind in texts.WRITTEN:
        converter.register_unstructure_hook(kind, str)
    for kind in texts.KINDS:
        converter.register_structure_hook(kind, _structured)
    for union in texts.UNIONS:
        converter.register_structure_hook(union, partial(_structured_union, union))


def _structured(value: Any, kind: type[_T]) -> _T:  # noqa: ANN401
    return value if isinstance(value, kind) else texts.read(kind, value)


def _structured_union(union: Any, value: Any, _kind: object) -> object:  # noqa: ANN401
    return value if isinstance(value, union) else texts.read_any_of(union, value)
