"""The functions for SQL in Spark itself, on this machine, with several workers."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyspark.errors import PythonException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812  # as everybody calls it

from tests.columns.spark_session import spark_session
from tests.columns.sql_answers import (
    COLUMN_OF,
    NAMES,
    TEXTS,
    Row,
    calls,
    cases,
    differences,
    more_columns,
)
from tests.columns.test_links_in_engines import (
    ADDRESSES,
    AS_BYTES,
    BODIES,
    ERRORS,
    hrefs_by_page,
    wanted,
)
from tests.corpus import THOROUGH, corpus
from tests.standard.compiled.equality import BASES
from weburl.columns import spark as spark_columns
from weburl.columns.options import SQL_LINK_FIELDS
from weburl.columns.spark import html_links, html_links_or_error, register
from weburl.columns.sql import FUNCTIONS, functions_by_name

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    """Give the session of all tests, with the functions."""
    session = spark_session()
    register(session)
    yield session
    session.conf.unset("spark.sql.execution.arrow.maxRecordsPerBatch")
    session.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")


def frame(spark: SparkSession, rows: Sequence[Row], partitions: int = 5) -> DataFrame:
    """Return rows as a DataFrame: the URL, what else there is, and the number of the row."""
    table = pa.table(
        {
            "url": pa.array([url for url, _ in rows], pa.string()),
            "other": pa.array([other for _, other in rows], pa.string()),
            **{name: pa.array(column, pa.string()) for name, column in more_columns(rows).items()},
            "row": pa.array(range(len(rows)), pa.int64()),
        }
    )
    return spark.createDataFrame(table).repartition(partitions)


def columns() -> list[Column]:
    """Return a call of each function on columns."""
    return [
        getattr(spark_columns, function.name)(*[COLUMN_OF[each] for each in function.arguments])
        for function in FUNCTIONS
    ]


def answers_of(answered: DataFrame) -> dict[str, list[Any]]:
    """Return what Spark gave for each function, in the order of the rows, and structs as dicts."""
    found = sorted((row.asDict(recursive=True) for row in answered.collect()), key=_number)
    return {
        function.name: [row[str(place)] for row in found]
        for place, function in enumerate(FUNCTIONS)
    }


def _number(row: dict[str, Any]) -> int:
    number: int = row["row"]
    return number


def asked_in_sql(spark: SparkSession, rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return what SQL gives for each function and row, all in one query."""
    selected = [f"{call} AS `{place}`" for place, call in enumerate(calls())]
    return answers_of(frame(spark, rows).selectExpr("row", *selected))


def asked_of_columns(
    spark: SparkSession, rows: Sequence[Row], made: Sequence[Column] = ()
) -> dict[str, list[Any]]:
    """Return what the functions on columns give."""
    selected = [column.alias(str(place)) for place, column in enumerate(made or columns())]
    return answers_of(frame(spark, rows).select("row", *selected))


def test_every_url_of_web_platform_tests(spark: SparkSession) -> None:
    """Every function gives what the one for one text gives, in SQL and on columns."""
    rows = cases()
    assert differences(rows, asked_in_sql(spark, rows)) == []
    assert differences(rows[::4], asked_of_columns(spark, rows[::4])) == []


def test_real_links_in_small_batches(spark: SparkSession) -> None:
    """Batches of 100 rows, the last one of a partition with fewer, and the larger type of text."""
    links = corpus() if THOROUGH else corpus()[::24]
    rows = [(link, None if number % 7 == 0 else "q") for number, link in enumerate(links)]
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "100")
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    assert differences(rows, asked_in_sql(spark, rows)) == []
    assert len(rows) > 1000


@settings(max_examples=3, deadline=None)
@given(
    st.lists(
        st.lists(st.tuples(st.none() | TEXTS, st.none() | st.sampled_from([*BASES, *NAMES]))),
        min_size=20,
    )
)
def test_texts_that_are_nearly_urls(lists: list[list[Row]]) -> None:
    """Null in either argument too. A query takes a while, so there are few, of many texts."""
    rows = [row for rows in lists for row in rows]
    assert differences(rows, asked_in_sql(spark_session(), rows)) == []


def test_empty_partitions_and_no_rows(spark: SparkSession) -> None:
    """More partitions than rows, a lone row, and no rows at all."""
    for rows in ([], [("https://a.example/?q=1", "q")], [(None, None), ("nope", "q")]):
        assert differences(rows, asked_in_sql(spark, rows)) == []


def test_constants_and_columns(spark: SparkSession) -> None:
    """The base and the name may be either; a string is a column's name, as in all of PySpark."""
    rows = frame(spark, [("https://h/y/?a=1&b=2", "b"), (None, "a"), ("nope", None)]).orderBy("row")
    found = rows.select(
        spark_columns.url_search_param("url", F.lit("a")),
        spark_columns.url_search_param("url", rows.other),
        spark_columns.url_resolve(F.lit("x"), "url"),
        spark_columns.url_resolve("url", F.lit("https://b")),
    ).collect()
    assert [tuple(row) for row in found] == [
        ("1", "2", "https://h/y/x", "https://h/y/?a=1&b=2"),
        (None, None, None, None),
        (None, None, None, "https://b/nope"),
    ]
    nulls = spark.sql("SELECT url_host(NULL), url_search_param('https://a', NULL)").head()
    assert tuple(nulls or ()) == (None, None)


def test_structs_and_filters(spark: SparkSession) -> None:
    """A struct that is null is null; its fields can be asked for, and be filtered by."""
    rows = frame(spark, [("https://u:p@[::1]:8080/a?b#c", None), ("nope", None), (None, None)])
    parsed = rows.select(spark_columns.url_parse("url").alias("parts"))
    assert parsed.where("parts IS NULL").count() == 2
    found = parsed.where("parts.port > 80").select("parts.host", "parts.host_kind").collect()
    assert [tuple(row) for row in found] == [("[::1]", "ipv6")]


def test_text_that_is_not_utf_8(spark: SparkSession) -> None:
    """Spark lets it be: it is no URL. Bytes are taken for text."""
    found = spark.sql("SELECT url_error(CAST(X'FF' AS STRING)), url_host(X'68747470733A2F2F61')")
    assert tuple(found.head() or ()) == ("not-UTF-8", "a")


def test_another_type_is_an_error(spark: SparkSession) -> None:
    """When the query runs, with a message of ours, since Spark checks no types of UDFs."""
    for call, message in (
        ("url_host(12)", "must be a text column, not a column of Arrow type int32"),
        ("url_host('a', 'b')", "url_host takes 1 columns, not 2"),
    ):
        with pytest.raises(PythonException, match=message):
            spark.sql(f"SELECT {call}").collect()


def test_registering_again_and_with_another_prefix(spark: SparkSession) -> None:
    """Replaces what was there, and a prefix makes other names."""
    register(spark)
    register(spark, prefix="weburl_")
    found = spark.sql("SELECT url_host('https://a'), weburl_host('https://b')").head()
    assert tuple(found or ()) == ("a", "b")
    with pytest.raises(ValueError, match="a prefix may have only"):
        register(spark, prefix="a b")


def test_there_is_a_function_on_columns_for_each_in_sql() -> None:
    """With the arguments of the table, and a docstring."""
    all_functions = (*FUNCTIONS, *functions_by_name(host_lists={}, policies={}))
    assert sorted(spark_columns.__all__) == sorted(["register", *(f.name for f in all_functions)])
    for function in FUNCTIONS:
        on_columns = getattr(spark_columns, function.name)
        assert tuple(inspect.signature(on_columns).parameters) == function.arguments
        assert on_columns.__doc__


@pytest.mark.parametrize("bodies", [BODIES, AS_BYTES], ids=["text", "bytes"])
def test_links_of_text_and_of_bytes(spark: SparkSession, bodies: list[Any]) -> None:
    """As arrays, as structs with errors, and as one row for each link."""
    pages = pa.table({"row": range(len(bodies)), "body": bodies, "url": ADDRESSES})
    rows = spark.createDataFrame(pages).repartition(3)
    found = rows.select(
        "row",
        html_links("body", "url").alias("links"),
        html_links_or_error("body", "url").alias("named"),
    ).orderBy("row")
    due = wanted(bodies, SQL_LINK_FIELDS)
    got = [row.asDict(recursive=True) for row in found.collect()]
    assert [row["links"] for row in got] == due
    assert [row["named"]["error"] for row in got] == ERRORS
    assert [row["named"]["value"] for row in got] == due
    rows.createOrReplaceTempView("pages_of_links")
    exploded = spark.sql(
        "SELECT row, link.href FROM pages_of_links"
        " LATERAL VIEW explode(html_links(body, url)) AS link ORDER BY row"
    ).collect()
    assert [tuple(row) for row in exploded] == hrefs_by_page(due)
