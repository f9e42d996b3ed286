"""`weburl.columns.table`: each function is in each place that the table names it for."""

from __future__ import annotations

from typing import Final

import pytest

from weburl import columns
from weburl.columns import functions, hosts, html, table
from weburl.columns.kernels import KERNELS
from weburl.columns.methods import Methods
from weburl.columns.sql import FUNCTIONS, functions_by_name

# The functions that call others.
_WITHOUT_KERNEL: Final = {"canonicalize", "host", "origin", "resolve", "same_site", "links"}


def test_the_table_has_every_public_function_once() -> None:
    """And no other. Those of pages are in `weburl.columns.html`, one of them in two forms."""
    names = [row.name for row in table.FUNCTIONS if not row.of_pages]
    of_pages = [row.name for row in table.FUNCTIONS if row.of_pages]
    assert {*of_pages, "link_table"} == {name for name in html.__all__ if name[0].islower()}
    assert sorted(names) == [name for name in columns.__all__ if name[0].islower()]


@pytest.mark.parametrize("row", table.FUNCTIONS, ids=lambda row: row.name)
def test_a_function_is_where_its_row_says(row: table.ColumnFunction) -> None:
    """Among the functions of URLs or of hosts, the methods, the kernels and SQL."""
    room = hosts if row.of_hosts else html if row.of_pages else functions
    assert callable(getattr(room, row.name))
    assert callable(getattr(Methods, row.name))
    assert (row.name in KERNELS) == (row.name not in _WITHOUT_KERNEL)
    in_sql = {
        function.name for function in (*FUNCTIONS, *functions_by_name(host_lists={}, policies={}))
    }
    for sql in row.sql:
        assert sql.name in in_sql
        assert sql.name.startswith("host_" if row.of_hosts else "html_" if row.of_pages else "url_")
