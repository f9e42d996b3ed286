"""What the pages about SQL show in other ways than as examples."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812  # as everybody calls it

from tests.columns.spark_session import spark_session
from weburl.columns.duckdb import register
from weburl.columns.sql import FUNCTIONS, functions_by_name

DOCS = Path(__file__).resolve().parents[2] / "docs" / "columns"


VARIANTS = ("_or_error", "_without_private")


def test_the_page_lists_the_functions_of_the_table() -> None:
    """Each with its arguments, and each variant in a sentence."""
    page = (DOCS / "sql.md").read_text(encoding="utf-8")
    functions = [*FUNCTIONS, *functions_by_name(host_lists={}, policies={})]
    listed = page.partition("| argument | functions |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`(\w+)\(([^)]*)\)`", listed)) == sorted(
        (function.name, ", ".join(function.arguments))
        for function in functions
        if not function.name.endswith(VARIANTS)
    )
    variants = re.findall(rf"`(\w+(?:{'|'.join(VARIANTS)}))`", page)
    assert variants == [
        function.name
        for variant in VARIANTS
        for function in functions
        if function.name.endswith(variant)
    ]


def test_the_page_lists_the_fields_of_the_struct() -> None:
    """In their order."""
    page = (DOCS / "sql.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"has the fields ([^.]*)\.", page)
    parse = next(function for function in FUNCTIONS if function.name == "url_parse")
    assert re.findall(r"`(\w+)`", line) == [field.name for field in parse.result]


def test_the_example_in_sql_runs() -> None:
    """In DuckDB."""
    page = (DOCS / "sql.md").read_text(encoding="utf-8")
    (query,) = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    with duckdb.connect() as connection:
        register(connection)
        connection.execute(
            "CREATE TABLE links AS SELECT unnest(['https://x.b.co.uk', 'https://B.co.uk',"
            " 'http://c.example', NULL, 'nope']) AS link"
        )
        assert connection.execute(query).fetchall() == [("b.co.uk", 2)]


# What the page says of Spark's own function: a URL, a part, and what comes out.
SPARKS_OWN = [
    ("https://a/b c", "HOST", None),
    ("https://a/|", "HOST", None),
    ("https://a/%zz", "HOST", None),
    ("https:\\\\a/b", "HOST", None),
    ("https://b\u00fccher.example/", "HOST", None),
    ("http://a_b.example/", "HOST", None),
    ("HTTPS://Example.COM:443/", "HOST", "Example.COM"),
    ("http://h/a/../b", "PATH", "/a/../b"),
]


def test_where_sparks_own_functions_differ() -> None:
    """As the page says. If this fails, a new Spark has changed, and the page has to."""
    rows = spark_session().createDataFrame(
        pa.table({"url": [url for url, _, _ in SPARKS_OWN], "part": [row[1] for row in SPARKS_OWN]})
    )
    found = rows.select("url", "part", F.try_parse_url("url", "part")).collect()
    assert {tuple(row) for row in found} == set(SPARKS_OWN)
    param = spark_session().sql("SELECT parse_url('http://h/?q=a%20b+c', 'QUERY', 'q')").head()
    assert tuple(param or ()) == ("a%20b+c",)
