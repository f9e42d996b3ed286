"""The options that functions of columns share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias, get_args

from weburl.standard.infra.credentials import masked_value

Errors: TypeAlias = Literal["null", "raise", "name"]
"""What happens to rows that do not parse."""

Progress: TypeAlias = Callable[[int, int], object]
"""Called with the number of rows done and the number of all rows."""

TYPES_AND_DEFAULTS: Final[dict[str, tuple[str, Any]]] = {
    "private": ("bool", True),
    "suffixes": ("PublicSuffixList | None", None),
    "errors": ("Errors", "null"),
    "workers": ("int | None", None),
    "progress": ("Progress | None", None),
}
"""The options after the arguments of a function, each with its type and its default."""


def require_errors(errors: object) -> None:
    """Raise ValueError for an unknown value of ``errors``."""
    if errors not in get_args(Errors):
        raise ValueError(f"errors must be 'null', 'raise' or 'name', not {masked_value(errors)}")


def require_workers(workers: object) -> None:
    """Raise ValueError if ``workers`` is neither None nor a number from 1."""
    if workers is not None and (type(workers) is not int or workers < 1):
        raise ValueError(f"workers must be a number from 1, not {masked_value(workers)}")


def names_and_prefixes(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of parameters in ``text``, and the prefixes: "ref,utm_*" has one of each.

    Raises ValueError for an empty name or prefix.
    """
    names = [name.strip(" ") for name in text.split(",")]
    if not all(names):
        raise ValueError("the names of parameters are separated by commas, such as 'ref,utm_*'")
    prefixes = tuple(name[:-1] for name in names if name.endswith("*"))
    if "" in prefixes:
        raise ValueError("an empty prefix would remove every parameter")
    return tuple(name for name in names if not name.endswith("*")), prefixes
