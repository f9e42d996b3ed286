"""Lists of hosts in SQL: by their names, in each engine, and as lists change."""

from __future__ import annotations

import pickle
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from tests.columns.spark_session import spark_session
from weburl import HostList, URLPolicy, columns
from weburl.columns.duckdb import register
from weburl.columns.sql import functions_by_name

BLOCKED = HostList([".evil.example", "10.0.0.1"])
URLS = ["https://www.evil.example/", "https://example.com/", "http://10.1/", "nope", None, "data:,"]
ANSWERS = [True, False, True, None, None, False]
QUERY = "SELECT url_in_host_list(url, 'blocked'), host_in_host_list(host, 'blocked') FROM links"
HOSTS = ["WWW.evil.example.", "evil.example.com", "[::ffff:10.0.0.1]", "exa mple", None, ""]
OF_HOSTS = [True, False, True, None, None, None]


def test_what_is_no_list_is_refused() -> None:
    """Each says what to write."""
    with pytest.raises(TypeError, match=r"HostList\(hosts\)"):
        columns.in_host_list(pa.array(URLS), ["evil.example"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"HostList\(hosts\)"):
        columns.host_in_host_list(pa.array(URLS), "evil.example")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name of a list"):
        functions_by_name(host_lists={1: BLOCKED})  # type: ignore[dict-item]


def test_names_of_lists() -> None:
    """One for all rows, or another in each. An unknown name is an error in any row."""
    of_urls, of_hosts = functions_by_name(host_lists={"blocked": BLOCKED, "none": HostList()})
    urls = pa.array(URLS[:3])
    assert of_urls.compute(urls, pa.array(["blocked", "none", None])).to_pylist() == [
        True,
        False,
        None,
    ]
    with pytest.raises(ValueError, match="there are 'blocked', 'none'"):
        of_urls.compute(urls, pa.array(["blocked", "blockd", None]))
    sent = pickle.loads(pickle.dumps(of_hosts))
    assert sent.compute(pa.array(HOSTS), pa.array(["blocked"] * 6)).to_pylist() == OF_HOSTS


def test_in_duckdb() -> None:
    """A list that is given again replaces the one before."""
    with duckdb.connect() as connection:
        register(connection, host_lists={"blocked": BLOCKED})
        table = pa.table({"url": URLS, "host": HOSTS})
        connection.register("links", table)
        assert connection.sql(QUERY).fetchall() == list(zip(ANSWERS, OF_HOSTS, strict=True))
        register(connection)
        register(connection, host_lists={"blocked": HostList(["example.com"])})
        assert [row[0] for row in connection.sql(QUERY).fetchall()][:2] == [False, True]
        with pytest.raises(duckdb.InvalidInputException, match="no list of hosts named 'other'"):
            connection.sql("SELECT url_in_host_list(url, 'other') FROM links").fetchall()
        register(connection, prefix="my_", host_lists={"blocked": BLOCKED})
        found: Any = connection.sql("SELECT my_in_host_list('https://evil.example', 'blocked')")
        assert found.fetchall() == [(True,)]


def test_mixed_up_arguments_show_no_password() -> None:
    """The name of a list, of a policy or of rules is then a URL, and DuckDB shows the error."""
    url = "https://user:hunter2@example.com/"
    with duckdb.connect() as connection:
        register(connection, host_lists={"b": BLOCKED}, policies={"p": URLPolicy.public_link()})
        for call in (
            "url_in_host_list('b', ?)",
            "host_in_host_list('b', ?)",
            "url_allowed('p', ?)",
            "url_refusal('p', ?)",
            "url_key('page', ?)",
            "url_key_hash('page', ?)",
        ):
            with pytest.raises(duckdb.InvalidInputException) as caught:
                connection.execute(f"SELECT {call}", [url])
            assert "@example.com/" in str(caught.value)
            assert "hunter2" not in str(caught.value)
            assert "user" not in str(caught.value)


def test_functions_of_others_stay_in_duckdb() -> None:
    """They were removed. And after the error of another name, the lists were there."""
    for name in ("url_in_host_list", "url_host"):
        with duckdb.connect() as connection:
            connection.create_function(name, lambda number: number + 1, ["INTEGER"], "INTEGER")
            with pytest.raises(ValueError, match=f"other functions named {name}: choose"):
                register(connection, host_lists={"blocked": BLOCKED})
            assert connection.execute(f"SELECT {name}(1)").fetchall() == [(2,)]
            assert connection.execute(
                "SELECT DISTINCT function_name FROM duckdb_functions()"
                " WHERE function_name ~ '^(url_[^de]|host_)'"  # url_encode is DuckDB's own
            ).fetchall() == [(name,)]
    with duckdb.connect() as connection:
        connection.execute("CREATE MACRO url_in_host_list(url) AS url")
        with pytest.raises(ValueError, match="other functions named url_in_host_list: choose"):
            register(connection, host_lists={"blocked": BLOCKED})
        with pytest.raises(TypeError, match="pass each list by its name, in a dict, not list"):
            register(connection, host_lists=[BLOCKED])  # type: ignore[arg-type]


def test_in_spark() -> None:
    """In SQL, and for DataFrames."""
    from weburl.columns import spark as functions

    spark = spark_session()
    functions.register(spark, host_lists={"blocked": BLOCKED})
    rows = list(zip(URLS, HOSTS, strict=True))
    frame = spark.createDataFrame(rows, "url string, host string")
    frame.createOrReplaceTempView("links")
    wanted = list(zip(ANSWERS, OF_HOSTS, strict=True))
    assert [tuple(row) for row in spark.sql(QUERY).collect()] == wanted
    made = frame.select(
        functions.url_in_host_list("url", BLOCKED),
        functions.host_in_host_list("host", BLOCKED),
    )
    assert [tuple(row) for row in made.collect()] == wanted
