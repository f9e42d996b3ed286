"""`weburl.columns.table`: each function is in each place that follows the table."""

from __future__ import annotations

import inspect

import pytest

from tests.columns.stubs import FOLDER, stubs
from weburl import columns
from weburl.columns import html, table
from weburl.columns.methods import Methods
from weburl.columns.sql import FUNCTIONS, functions_by_name


def test_the_table_has_every_public_function_once() -> None:
    """And no other. Those of pages are in `weburl.columns.html`."""
    names = [row.name for row in table.FUNCTIONS if not row.of_pages]
    of_pages = [row.name for row in table.FUNCTIONS if row.of_pages]
    assert {*of_pages} == {name for name in html.__all__ if name[0].islower()}
    assert sorted(names) == [name for name in columns.__all__ if name[0].islower()]


@pytest.mark.parametrize("row", table.FUNCTIONS, ids=lambda row: row.name)
def test_a_function_is_where_its_row_says(row: table.Function) -> None:
    """Among the functions, with its arguments and a docstring, the methods, and in SQL."""
    function = getattr(html if row.of_pages else columns, row.name)
    parameters = inspect.signature(function).parameters
    assert (row.base is not None) == ("base" in parameters)
    assert row.column is None or row.column in parameters
    assert "Spec: " in (function.__doc__ or "")
    assert callable(getattr(Methods, row.name))
    in_sql = {
        function.name for function in (*FUNCTIONS, *functions_by_name(host_lists={}, policies={}))
    }
    for sql in row.sql:
        assert sql.name in in_sql
        assert sql.name.startswith("host_" if row.of_hosts else "html_" if row.of_pages else "url_")


@pytest.mark.parametrize("name", stubs())
def test_the_stubs_are_written_from_the_table(name: str) -> None:
    """``python -m tests.columns.stubs`` writes them."""
    assert (FOLDER / name).read_text(encoding="utf-8") == stubs()[name]
