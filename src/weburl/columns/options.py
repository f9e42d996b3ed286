"""The options that functions of columns share, each with its type, its default and its meaning."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final, Literal, TypeAlias, TypedDict, TypeVar, get_args

from weburl.public_suffix import PublicSuffixList
from weburl.standard.infra.credentials import masked_value

Errors: TypeAlias = Literal["null", "raise", "name"]
"""What happens to rows that do not parse."""

Progress: TypeAlias = Callable[[int, int], object]
"""Called with the number of rows done and the number of all rows."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Running(TypedDict, total=False):
    """Options for the computation of a column.

    ``workers``: how many compute at a time. They are threads if no Python code runs for each row:
    in the compiled build, except for `render`, `matches`, `search_params`, `key_hash` and
    `without_query_params`, and always if Python has no GIL. Otherwise they are processes. By
    default, a column has as many threads as pyarrow uses (``pyarrow.cpu_count()``), but no more
    than one for each 65,536 rows, and no processes. ``progress``: called from time to time with the
    number of rows done and the number of all rows.
    """

    workers: int | None
    progress: Progress | None


class OfErrors(TypedDict, total=False):
    """The option for rows that do not parse.

    "null" makes it null. "raise" raises `URLParseError` for the first one. "name" returns a struct
    with ``value`` and ``error``, the name of the failure as `check` returns it.
    """

    errors: Errors


class OfSuffixes(OfErrors, total=False):
    """The options for public suffixes.

    ``private``: whether the list's section of private domains (github.io) counts, as it does in the
    standard. ``suffixes``: a list to use instead of the current one (see `weburl.public_suffix`).
    """

    private: bool
    suffixes: PublicSuffixList | None


class Options(OfErrors, Running, total=False):
    """The options of most functions."""


class OptionsWithSuffixes(OfSuffixes, Running, total=False):
    """The options of functions that ask the Public Suffix List."""


DEFAULTS: Final[dict[str, Any]] = {
    "private": True,
    "suffixes": None,
    "errors": "null",
    "workers": None,
    "progress": None,
}


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


def spelled_out(options: type[Any]) -> Callable[[_Function], _Function]:
    """Let ``help()`` show the options of a function by name, instead of ``**options``."""
    types = {name: given.__forward_arg__ for name, given in options.__annotations__.items()}
    parameters = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=types[name]
        )
        for name, default in DEFAULTS.items()
        if name in types
    ]

    def with_names(function: _Function) -> _Function:
        signature = inspect.signature(function)
        named = [*signature.parameters.values()][:-1]
        shown = signature.replace(parameters=[*named, *parameters])
        function.__signature__ = shown  # type: ignore[attr-defined]
        return function

    return with_names
