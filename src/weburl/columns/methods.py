"""The methods of columns in Polars and in pandas, which are made of the table for all libraries.

Each library's own module converts its columns to Arrow and the results back. `_methods.pyi` has the
types of the methods. ``python -m tests.columns.stubs`` writes it from the table.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias, TypeVar

from weburl.columns.arrow import Column
from weburl.columns.functions import FUNCTIONS_BY_NAME
from weburl.columns.options import DEFAULT_LINK_FIELDS, Errors, LinkField
from weburl.columns.table import FUNCTIONS, Function
from weburl.patterns.pattern import URLPattern
from weburl.public_suffix import current_list
from weburl.standard.url.record import URLRecord

Own = TypeVar("Own")
"""A library's column type, which the methods are called on and return."""

Parts = TypeVar("Parts")
"""The type in which a library gets the parts of URLs."""

OfColumn: TypeAlias = Callable[..., Column]
"""A function of `weburl.columns` with its options set. It takes URLs, and a base if it can."""

_LEFT_OUT: Final = ("workers", "progress")

if TYPE_CHECKING:
    from weburl.columns._methods import MethodsOfTable
    from weburl.columns.html import Kinds, Limits
else:

    class MethodsOfTable(ABC, Generic[Own, Parts]):
        """The methods that are made of the table."""


class Methods(MethodsOfTable[Own, Parts]):
    """The methods: each does the same as the function of `weburl.columns` with its name.

    ``errors`` sets what happens to a row that does not parse. "null" makes it null. "raise" raises
    an error for the first one. "name" returns a struct with ``value`` and ``error``, the name of
    the failure as `check` returns it. A null row remains null.

    ``base`` is what relative URLs are joined to: one URL as text or record, or a column with one
    for each row. One URL that does not parse raises `weburl.URLParseError` immediately. The
    Public Suffix List is the one that is current when a method is called, also in a lazy query.

    Wrong options raise TypeError or ValueError immediately.
    """

    @abstractmethod
    def _column(self, function: OfColumn, *base: str | URLRecord | Own | None) -> Own:
        """Return the result of a function for the URLs, and for the base if one is passed.

        What is passed as the base can also be another column that is the function's second
        argument.
        """

    @abstractmethod
    def _parts(self, function: OfColumn, *base: str | URLRecord | Own | None) -> Parts:
        """Return the result of a function that returns structs of parts."""

    def links(
        self,
        addresses: str | URLRecord | Own,
        kinds: Kinds = None,
        *,
        fields: Iterable[LinkField] = DEFAULT_LINK_FIELDS,
        encoding: str | None = None,
        limits: Limits | None = None,
        errors: Errors = "null",
    ) -> Own:
        """Return the links of each page of HTML as a list of structs. This is not for URLs.

        ``addresses`` is a column with the address of each page, or one for all pages. The options
        are the same as for `weburl.columns.html.links`. Needs the extra ``html``.
        """
        from weburl.columns import html  # only links need the extra

        of_pages: OfColumn = partial(
            html.links,
            kinds=None if kinds is None else frozenset(kinds),
            fields=tuple(fields),
            encoding=encoding,
            limits=html.Limits() if limits is None else limits,
            errors=errors,
        )
        return self._column(of_pages, addresses)


def signature_of(row: Function) -> Signature:
    """Return the arguments of the method of a row, with their types."""
    signature = inspect.signature(FUNCTIONS_BY_NAME[row.name])
    _, *others = signature.parameters.values()
    return signature.replace(
        parameters=[
            Parameter("self", Parameter.POSITIONAL_ONLY),
            *(
                each.replace(annotation=_of_library(each.annotation))
                for each in others
                if each.name not in _LEFT_OUT
            ),
        ],
        return_annotation="_Parts" if row.answer == "parts" else "_Own",
    )


def _of_library(annotation: str) -> str:
    """Return the type of an argument, with the library's column in place of one of Arrow."""
    spelled = annotation.replace("Base", "ArrowColumn | str | URLRecord")
    return spelled.replace("ArrowColumn", "_Own")


def _made(row: Function) -> Callable[..., Any]:
    """Return the method of a row of the table."""
    of_arrow, signature = FUNCTIONS_BY_NAME[row.name], signature_of(row)
    # One pattern or name is an option of the function, but one base or other URL is passed with it.
    of_all = (str, URLPattern) if row.column in ("name", "pattern") else ()

    def method(self: Methods[Any, Any], /, *arguments: Any, **options: Any) -> Any:  # noqa: ANN401
        try:
            bound = signature.bind(self, *arguments, **options)
        except TypeError as error:
            raise TypeError(f"{row.name}() {error}") from None
        if "suffixes" in signature.parameters and bound.arguments.get("suffixes") is None:
            bound.arguments["suffixes"] = current_list()
        (_, *own), base = bound.args, ()
        if (row.base or row.column) and not (own and isinstance(own[0], of_all)):
            base, own = tuple(own[:1]) or (None,), own[1:]
        function = partial(_with_options, of_arrow, tuple(own), bound.kwargs)
        return (self._parts if row.answer == "parts" else self._column)(function, *base)

    method.__name__ = row.name
    method.__qualname__ = f"Methods.{row.name}"
    method.__doc__ = of_arrow.__doc__
    method.__signature__ = signature  # type: ignore[attr-defined]
    return method


def _with_options(
    function: OfColumn, arguments: tuple[object, ...], options: dict[str, object], *columns: object
) -> Column:
    return function(*columns, *arguments, **options)


for _row in FUNCTIONS:
    if not _row.of_pages:
        setattr(MethodsOfTable, _row.name, _made(_row))
