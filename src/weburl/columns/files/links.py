"""The links of pages in a file: a row for each of them, instead of columns for each row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

import attrs
import pyarrow as pa
import pyarrow.compute as pc

from weburl.columns import html
from weburl.columns.files.adding import Added
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.rows import Reader, Rows
from weburl.columns.kernels import links_type
from weburl.columns.table import LINK_FIELDS, LinkField

_PAGE: Final = "page"
_ERROR: Final = "error"
# The pages of a batch may all be hostile, and then have this many code points of links each.
_LIMITS: Final = html.Limits(resolved_length=10_000_000)


@attrs.frozen
class AddingLinks:
    """Which columns the rows of links have. It can be pickled for another process.

    ``names``: some of `LINK_FIELDS`. ``kinds``: the kinds of links, or None for all. ``base``: the
    address of all pages, if no column has them. ``prefix``: what the names of the columns begin
    with. ``address``: the name of the column of addresses.
    """

    names: tuple[LinkField, ...]
    kinds: tuple[str, ...] | None = None
    base: str | None = None
    prefix: str = ""
    address: str | None = None

    is_compiled: ClassVar[bool] = False
    error_type: ClassVar[pa.DataType] = pa.string()
    row_name: ClassVar[None] = None
    """A row has the number of its page instead."""
    most_rows: ClassVar[int | None] = 32
    most_bytes: ClassVar[int | None] = 1 << 24

    def __attrs_post_init__(self) -> None:
        _refuse_unknown("--add", self.names, LINK_FIELDS)
        _refuse_unknown("--kinds", self.kinds or (), html.KINDS)
        if len(set(self.column_names)) < len(self.column_names):
            raise FileError(f"a column would be added twice: {listed(self.column_names)}")
        if self.address == self._page:
            raise FileError(
                f"the numbers of the pages have the name {listed([self._page])}, too: use --prefix"
                " for other names"
            )

    @property
    def _page(self) -> str:
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
        """Return the links of pages, as a column of lists; the errors are those of the pages."""
        address = self.base if addresses is None else addresses
        assert address is not None
        found = html.links(
            bodies,
            address,
            self.kinds,
            fields=self.names if _ERROR in self.names else (*self.names, _ERROR),
            limits=_LIMITS,
            errors="name",
        )
        return Added(pa.RecordBatch.from_arrays([found], ["links"]), found.field(_ERROR))

    def kept(self, reader: Reader) -> pa.Schema:
        """Return the columns before those of a link: the number of the page and its address."""
        address = [] if self.address is None else [(self.address, reader.base_type)]
        return pa.schema([(self._page, pa.int64()), *address])

    def fields(self, reader: Reader) -> list[pa.Field]:
        """Return the columns of a link, for the bodies and addresses of a reader.

        Raises TypeError if they are not text, or bytes for bodies.
        """
        none = None if reader.base_type is None else pa.array([], reader.base_type)
        self.compute(pa.array([], reader.url_type), none)
        struct = links_type(self.names).value_type
        return [
            field.with_name(name) for name, field in zip(self.column_names, struct, strict=True)
        ]

    def written(self, rows: Rows, added: Added, before: int) -> tuple[list[pa.Array], pa.Array]:
        """Return the columns of the rows to write, and the error of each of them.

        ``before``: how many pages come before these.
        """
        numbers, table = html.rows_of_links(added.columns.column(0))
        links = {name: table.column(name).combine_chunks() for name in table.schema.names}
        kept = [pc.add(numbers, before)]
        if self.address is not None:
            assert rows.bases is not None
            kept.append(rows.bases.take(numbers))
        return [*kept, *(links[name] for name in self.names)], links[_ERROR]


def _refuse_unknown(option: str, names: Iterable[str], known: tuple[str, ...]) -> None:
    if unknown := [name for name in names if name not in known]:
        accepted = f"it accepts {', '.join(known)}"
        raise FileError(f"{option} does not accept {listed(unknown)} with --links; {accepted}")
