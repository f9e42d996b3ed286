"""The links of pages in a file: a row for each of them, instead of columns for each row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate
from typing import Final

import attrs
import pyarrow as pa

from weburl.columns import html
from weburl.columns.files.adding import Added
from weburl.columns.files.errors import FileError, listed
from weburl.columns.table import LINK_FIELDS, LinkField

_PAGE: Final = "page"
_ERROR: Final = "error"
_PAGES: Final = 32  # that are read at a time
# The pages of a batch may all be hostile, and then have this many code points of links each.
_LIMITS: Final = html.Limits(resolved_length=10_000_000)


@attrs.frozen
class AddingLinks:
    """The columns of the rows of links.

    ``names``: some of `LINK_FIELDS`. ``kinds``: the kinds of links, or None for all. ``base``: the
    address of all pages, if no column has them. ``prefix``: what the names of the columns begin
    with. ``address``: the name of the column of addresses.
    """

    names: tuple[LinkField, ...]
    kinds: tuple[str, ...] | None = None
    base: str | None = None
    prefix: str = ""
    address: str | None = None

    def __attrs_post_init__(self) -> None:
        _refuse_unknown("--add", self.names, LINK_FIELDS)
        _refuse_unknown("--kinds", self.kinds or (), html.KINDS)
        if len(set(self.column_names)) < len(self.column_names):
            raise FileError(f"a column would be added twice: {listed(self.column_names)}")
        if self.address == self.page_name:
            raise FileError(
                f"the numbers of the pages have the name {listed([self.page_name])}, too:"
                " use --prefix for other names"
            )

    @property
    def page_name(self) -> str:
        """The name of the column of the numbers of the pages."""
        return f"{self.prefix}{_PAGE}"

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return [f"{self.prefix}{name}" for name in self.names]

    @property
    def error_name(self) -> str:
        """The name of the column of errors, even if it is not added."""
        return f"{self.prefix}{_ERROR}"

    def compute(self, bodies: pa.Array, addresses: pa.Array | None) -> Added:
        """Return the links of pages, and the index at which the links of each page end.

        A page that cannot be read has one link, with only its error. Raises TypeError if the
        columns are not text, or bytes for bodies.
        """
        address = self.base if addresses is None else addresses
        assert address is not None
        fields = tuple(dict.fromkeys((*self.names, _ERROR)))
        columns: list[list[pa.ChunkedArray]] = []
        counts: list[int] = []
        for start in range(0, max(len(bodies), 1), _PAGES):
            own = address if isinstance(address, str) else address.slice(start, _PAGES)
            pages = html.links(
                bodies.slice(start, _PAGES),
                own,
                self.kinds,
                fields=fields,
                limits=_LIMITS,
                errors="name",
            )
            numbers, links = html.rows_of_links(pages)
            columns.append([links[name] for name in fields])
            found = Counter(numbers.to_pylist())
            counts += (found[page] for page in range(len(pages)))
        arrays = [
            pa.chunked_array([chunk for column in parts for chunk in column.chunks], parts[0].type)
            for parts in zip(*columns, strict=True)
        ]
        made = [array.combine_chunks() for array in arrays]
        ends = pa.array(accumulate(counts, initial=0), pa.int32())
        errors = made[fields.index(_ERROR)]
        batch = pa.RecordBatch.from_arrays(made[: len(self.names)], self.column_names)
        return Added(batch, errors, ends)


def _refuse_unknown(option: str, names: Iterable[str], known: tuple[str, ...]) -> None:
    if unknown := [name for name in names if name not in known]:
        accepted = f"it accepts {', '.join(known)}"
        raise FileError(f"{option} does not accept {listed(unknown)} with --links; {accepted}")
