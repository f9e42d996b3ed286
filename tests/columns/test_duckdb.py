"""The functions for SQL in DuckDB itself."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.columns.sql_answers import NAMES, TEXTS, Row, calls, cases, differences, more_columns
from tests.corpus import THOROUGH, corpus
from tests.standard.compiled.equality import BASES
from weburl import HostList, URLPolicy
from weburl.columns.duckdb import _COMPUTE_BY_NAME, register
from weburl.columns.sql import FUNCTIONS

# Some of the texts happen to be hosts.
pytestmark = [
    pytest.mark.filterwarnings("ignore::weburl.columns.BareHostsWarning"),
    # Columns of patterns, on URLs with ports; test_ports.py has the warning.
    pytest.mark.filterwarnings("ignore::weburl.columns.OtherPortsWarning"),
]


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Make a connection with the functions, and with several threads."""
    with duckdb.connect(config={"threads": 4}) as made:
        register(made)
        yield made


def asked(connection: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return what DuckDB gives for each function and row, all in one query."""
    table = pa.table(
        {
            "row": range(len(rows)),
            "url": pa.array([url for url, _ in rows], pa.string()),
            "other": pa.array([other for _, other in rows], pa.string()),
            **{name: pa.array(column, pa.string()) for name, column in more_columns(rows).items()},
        }
    )
    connection.register("rows", table)
    found = connection.execute(f"SELECT {', '.join(calls())} FROM rows ORDER BY row").fetchall()
    columns = zip(*found, strict=True) if found else [()] * len(FUNCTIONS)
    return {
        function.name: list(column) for function, column in zip(FUNCTIONS, columns, strict=True)
    }


def test_every_url_of_web_platform_tests(connection: duckdb.DuckDBPyConnection) -> None:
    """Every function gives what the one for one text gives."""
    rows = cases()
    assert differences(rows, asked(connection, rows)) == []


def test_real_links(connection: duckdb.DuckDBPyConnection) -> None:
    """More of them than DuckDB passes at a time; all of the corpus in `.ci/nightly`."""
    links = corpus() if THOROUGH else corpus()[::12]
    rows = [(link, None if number % 7 == 0 else "q") for number, link in enumerate(links)]
    assert differences(rows, asked(connection, rows)) == []
    assert len(rows) > 2048


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.none() | TEXTS, st.none() | st.sampled_from([*BASES, *NAMES]))))
def test_texts_that_are_nearly_urls(connection: duckdb.DuckDBPyConnection, rows: list[Row]) -> None:
    """Null in either argument too, and no rows at all."""
    assert differences(rows, asked(connection, rows)) == []


def test_many_rows_in_many_threads(connection: duckdb.DuckDBPyConnection) -> None:
    """Each row gets its own answer, text and struct, and nulls stay where they are."""
    found = connection.execute(
        "SELECT count(*), count(host), count(*) FILTER (host = 'h' || i || '.example'),"
        " count(*) FILTER (parts.port = i % 50000 + 1000 AND parts.path = '/' || i)"
        " FROM (SELECT i, url_host(url) AS host, url_parse(url) AS parts FROM ("
        "SELECT i, CASE WHEN i % 10 <> 0 THEN"
        " format('HTTP://H{}.example:{}/{}', i, i % 50000 + 1000, i) END AS url"
        " FROM range(300000) numbers(i)))"
    ).fetchone()
    assert found == (300_000, 270_000, 270_000, 270_000)


def test_constants_and_columns(connection: duckdb.DuckDBPyConnection) -> None:
    """The base and the name may be either, and so may the URL."""
    found = connection.execute(
        "SELECT url_search_param(u, 'a'), url_search_param(u, n), url_search_param(u, NULL),"
        " url_search_param('https://h?a=3', n), url_resolve('x', u), url_resolve(u, 'https://b')"
        " FROM (VALUES ('https://h/y/?a=1&b=2', 'b'), (NULL, 'a'), ('nope', NULL)) t(u, n)"
    ).fetchall()
    assert found == [
        ("1", "2", None, None, "https://h/y/x", "https://h/y/?a=1&b=2"),
        (None, None, None, "3", None, None),
        (None, None, None, None, None, "https://b/nope"),
    ]


def test_the_rules_of_keys(connection: duckdb.DuckDBPyConnection) -> None:
    """A constant or a column. A name that does not exist is an error."""
    found = connection.execute(
        "SELECT url_key(u, 'page'), url_key(u, r), url_key(u, NULL)"
        " FROM (VALUES ('https://www.h.i/y/#x', 'browser'), ('http://h.i/', NULL)) t(u, r)"
    ).fetchall()
    assert found == [("https://h.i/y", "https://www.h.i/y/", None), ("https://h.i/", None, None)]
    with pytest.raises(duckdb.Error, match="no ready rules 'pages': they are browser"):
        connection.execute("SELECT url_key('https://h', 'pages')").fetchall()


def test_answers_in_filters_groups_and_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """A struct that is null is null, and its fields can be asked for."""
    connection.execute(
        "CREATE OR REPLACE TEMP TABLE parsed AS SELECT url_parse(u) AS parts FROM"
        " (VALUES ('https://u:p@[::1]:8080/a?b#c'), ('nope'), (NULL)) t(u)"
    )
    assert connection.execute("SELECT count(*) FROM parsed WHERE parts IS NULL").fetchone() == (2,)
    rows = connection.execute("SELECT parts.host_kind, count(*) FROM parsed GROUP BY 1 ORDER BY 1")
    assert rows.fetchall() == [("ipv6", 1), (None, 2)]


def test_ten_megabytes_in_one_row(connection: duckdb.DuckDBPyConnection) -> None:
    """What has to be encoded grows to three times its size."""
    found = connection.execute(
        "SELECT length(url_canonicalize('https://h/' || repeat('\u00e9', 5000000)))"
    ).fetchone()
    assert found == (10 + 6 * 5_000_000,)


def test_another_type_is_an_error(connection: duckdb.DuckDBPyConnection) -> None:
    """Of DuckDB's, when the query is read."""
    for wrong in ("url_host([1])", "url_host()", "url_host('a', 'b')", "url_resolve('a')"):
        with pytest.raises(duckdb.BinderException, match="url_"):
            connection.execute(f"SELECT {wrong}")


def test_registering_again_does_nothing() -> None:
    """On the connection, on a cursor of it, and with another prefix beside it."""
    with duckdb.connect() as connection:
        for _ in range(2):
            register(connection)
            register(connection.cursor())
            register(connection, prefix="Web_")
        found = connection.cursor().execute("SELECT url_host('https://a'), web_host('https://b')")
        assert found.fetchall() == [("a", "b")]


def test_registering_in_several_threads_at_a_time() -> None:
    """With a cursor each: most of them were told that the functions are there already."""
    connection = duckdb.connect()
    with ThreadPoolExecutor(8) as executor:
        done = [executor.submit(register, connection.cursor()) for _ in range(8)]
        assert [each.result() for each in done] == [None] * 8
    assert connection.execute("SELECT url_host('https://a/')").fetchall() == [("a",)]


def test_names_that_are_taken() -> None:
    """By a macro, and by a function of another type: nothing is registered, and a prefix helps."""
    with duckdb.connect() as connection:
        connection.execute("CREATE MACRO url_port(url) AS 80")
        connection.create_function("url_HOST", lambda url: [url], ["VARCHAR"], "VARCHAR[]")
        with pytest.raises(ValueError, match="other functions named url_host, url_port:"):
            register(connection)
        with pytest.raises(duckdb.CatalogException, match="url_error"):
            connection.execute("SELECT url_error('x')")
        with pytest.raises(ValueError, match="a prefix may have only"):
            register(connection, prefix="a b")
        register(connection, prefix="weburl_")
        found = connection.execute("SELECT weburl_port('https://a:81'), url_port('https://a:81')")
        assert found.fetchall() == [(81, 80)]


def test_after_the_connection_that_registered_is_closed() -> None:
    """Another connection to the same database goes on. In DuckDB 2.0 this could crash."""
    first = duckdb.connect(":memory:shared")
    second = duckdb.connect(":memory:shared")
    register(first)
    register(second)
    first.close()
    del first
    gc.collect()
    found = second.execute("SELECT url_host('https://a'), url_parse('https://a:81').port")
    assert found.fetchall() == [("a", 81)]
    second.close()


def test_equal_lists_and_policies_may_be_registered_for_every_connection() -> None:
    """A server that opens a connection for each request needs no more memory for each."""

    def on_a_new_connection(at: int) -> int:
        with duckdb.connect() as connection:
            lists = {"blocked": HostList(["a.example", "b.example"]), "empty": HostList()}
            policies = {"links": URLPolicy.public_link()}
            register(connection, host_lists=lists, policies=policies)
            rows = connection.execute(
                "SELECT url_in_host_list('https://b.example', 'blocked'),"
                " url_in_host_list('https://b.example', 'empty'),"
                f" url_allowed('ftp://{at}.example', 'links')"
            )
            assert rows.fetchall() == [(True, False, False)]
        return len(_COMPUTE_BY_NAME)

    assert on_a_new_connection(0) == on_a_new_connection(1) == on_a_new_connection(2)


def test_other_lists_of_the_same_name_are_others() -> None:
    """The last ones that were registered count, also if the first ones come again."""
    first, other = HostList(["a.example"]), HostList(["b.example"])
    with duckdb.connect() as connection:
        for hosts, found in ((first, True), (other, False), (first, True)):
            register(connection, host_lists={"blocked": hosts})
            rows = connection.execute("SELECT url_in_host_list('https://a.example', 'blocked')")
            assert rows.fetchall() == [(found,)]
