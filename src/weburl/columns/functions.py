"""The public functions, which are made of the table: each takes a column and returns one.

`__init__.pyi` has their types. ``python -m tests.columns.stubs`` writes it from the table.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any, Final, TypeAlias

from weburl.columns.arrow import (
    ArrowArrayExportable,
    ArrowColumn,
    ArrowStreamExportable,
    Column,
    column_of_one,
    is_column,
    read_column,
    require_same_length,
)
from weburl.columns.options import TYPES_AND_DEFAULTS, Errors, Part, Progress
from weburl.columns.pairs import are_same_site, first_values, matches_by_row
from weburl.columns.ports import OtherPortsWarning
from weburl.columns.running import BareHostsWarning, Task, run
from weburl.columns.table import FUNCTIONS, Function
from weburl.public_suffix import PublicSuffixList, current_list, packaged_list
from weburl.standard.url.api import parse as parse_url
from weburl.standard.url.record import URLRecord

Base: TypeAlias = ArrowColumn | str | URLRecord
"""The base of relative URLs: a column with one for each row, or one URL for all rows."""

_AS_CANONICALIZE: Final = (
    "The other arguments and errors are the same as for `canonicalize`.\n\n    "
)


def signature_of(row: Function) -> Signature:
    """Return the arguments of a function of the table that has a kernel, with their types."""
    assert row.kernel is not None
    own = inspect.signature(row.kernel).parameters.values()
    first = Parameter(
        "hosts" if row.of_hosts else "urls",
        Parameter.POSITIONAL_OR_KEYWORD,
        annotation="ArrowColumn",
    )
    arguments = [first, *(each for each in own if each.name != "suffixes")]
    if row.base is not None:
        is_required = row.base == "required"
        arguments.append(
            Parameter(
                "base",
                Parameter.POSITIONAL_OR_KEYWORD,
                default=Parameter.empty if is_required else None,
                annotation="Base" if is_required else "Base | None",
            )
        )
    left_out = {
        *(() if row.takes_suffixes else ("private", "suffixes")),
        *(() if row.has_errors else ("errors",)),
    }
    options = (
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=type)
        for name, (type, default) in TYPES_AND_DEFAULTS.items()
        if name not in left_out
    )
    return Signature([*arguments, *options], return_annotation="Column")


def _made(row: Function) -> Callable[..., Column]:
    """Return the public function of a row of the table."""
    signature, takes_suffixes = signature_of(row), row.takes_suffixes

    def function(*arguments: object, **options: object) -> Column:
        try:
            bound = signature.bind(*arguments, **options)
        except TypeError as error:
            raise TypeError(f"{row.name}() {error}") from None
        own = bound.kwargs
        if takes_suffixes:
            private = own.pop("private", True)
            own["suffixes"] = _list_to_use(own.get("suffixes"), private=private)
        return _answers(row, bound.args[0], bound.args[1:], own)

    function.__name__ = function.__qualname__ = row.name
    function.__module__ = "weburl.columns"
    doc = row.kernel.__doc__ or ""
    if row.name != "canonicalize":
        doc = doc.replace("Spec: ", f"{_AS_CANONICALIZE}Spec: ")
    function.__doc__ = doc
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function


def _list_to_use(suffixes: PublicSuffixList | None, *, private: bool) -> PublicSuffixList:
    """Return the list to use, the current one for None.

    Raises the errors of `weburl.columns.registrable_domain`.
    """
    found = current_list() if suffixes is None else suffixes
    if not isinstance(found, PublicSuffixList):
        raise TypeError(f"suffixes must be a PublicSuffixList, not {type(found).__name__}")
    if private:
        return found
    if found != packaged_list():
        raise ValueError(
            "private=False works only with the package's list: make your own list without its"
            " private section, with weburl.public_suffix.parse_list(text, private=False)"
        )
    return packaged_list(private=False)


def _answers(
    row: Function, urls: object, arguments: tuple[Any, ...], own: dict[str, Any]
) -> Column:
    workers, progress = own.pop("workers", None), own.pop("progress", None)
    errors = own.pop("errors", "null")
    base = None
    if row.base is not None:
        (base,), arguments = arguments or (None,), ()
        if base is None and row.base == "required":
            raise TypeError("a base must be a column, text or a URLRecord, not None")
    if row.column is not None and is_column(arguments[0]):
        by_row = _BY_ROW[row.name]
        return by_row(urls, arguments[0], errors=errors, workers=workers, progress=progress)
    return run(
        Task(row.name, arguments, own, errors), urls, base, workers=workers, progress=progress
    )


FUNCTIONS_BY_NAME: Final = {row.name: _made(row) for row in FUNCTIONS if row.kernel is not None}


# --- with a value for each row --------------------------------------------------------------------


def same_site(
    urls: ArrowColumn,
    other: Base,
    *,
    private: bool = True,
    suffixes: PublicSuffixList | None = None,
    workers: int | None = None,
) -> Column:
    """Return whether the two URLs of each row have the same site: scheme and registrable domain.

    ``other`` is a column as long as ``urls``, or one URL as text or record. URLs with an opaque
    origin, such as ``data:`` URLs, have no site in common with any other. If one of the two is null
    or does not parse, the answer is null. The other arguments and errors are the same as for
    `registrable_domain`.

    Spec: https://html.spec.whatwg.org/multipage/browsers.html#same-site
    """
    wanted = _list_to_use(suffixes, private=private)
    column = read_column(urls, "the URLs")
    site = FUNCTIONS_BY_NAME["site"]
    sites = site(column, suffixes=wanted, workers=workers)
    if isinstance(other, (str, URLRecord)):
        record = parse_url(other) if isinstance(other, str) else other
        return are_same_site(sites, site(column_of_one(record.href), suffixes=wanted))
    others = read_column(other, "the other URLs")
    require_same_length(column, others, "other URLs")
    return are_same_site(sites, site(others, suffixes=wanted, workers=workers))


same_site.__module__ = "weburl.columns"
FUNCTIONS_BY_NAME["same_site"] = same_site


def _first_values(urls: ArrowColumn, names: ArrowColumn, **options: Any) -> Column:  # noqa: ANN401
    column, own = read_column(urls, "the URLs"), read_column(names, "the names")
    require_same_length(column, own, "names")
    return first_values(FUNCTIONS_BY_NAME["part"](column, "query", **options), own)


def _matches(urls: ArrowColumn, patterns: ArrowColumn, **options: Any) -> Column:  # noqa: ANN401
    column, own = read_column(urls, "the URLs"), read_column(patterns, "the patterns")
    require_same_length(column, own, "patterns")
    if options.get("errors", "null") != "null":
        raise ValueError("with a column of patterns, errors must be 'null'")
    return matches_by_row(FUNCTIONS_BY_NAME["canonicalize"](column, **options), own)


_BY_ROW: Final[dict[str, Callable[..., Column]]] = {
    "search_param": _first_values,
    "matches": _matches,
}


_TYPES: Final[dict[str, object]] = {
    "ArrowArrayExportable": ArrowArrayExportable,
    "ArrowColumn": ArrowColumn,
    "ArrowStreamExportable": ArrowStreamExportable,
    "BareHostsWarning": BareHostsWarning,
    "Base": Base,
    "Column": Column,
    "Errors": Errors,
    "OtherPortsWarning": OtherPortsWarning,
    "Part": Part,
    "Progress": Progress,
}
PUBLIC: Final = _TYPES | dict(sorted(FUNCTIONS_BY_NAME.items()))
"""What people import from `weburl.columns`, by its name."""
