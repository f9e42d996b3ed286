"""What the pages about SQL show in other ways than as examples."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import functions as F  # noqa: N812  # as everybody calls it

from tests.columns.spark_session import spark_session
from weburl import columns
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


def test_the_script_does_what_the_command_for_files_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same columns, on Parquet files with several partitions."""
    page = (DOCS / "engines.md").read_text(encoding="utf-8")
    (script,) = re.findall(r'```python\n("""add_url_columns.py.*?)```', page, re.DOTALL)
    program = tmp_path / "add_url_columns.py"
    program.write_text(script, encoding="utf-8")
    spark_session()
    urls = ["HTTPS://A.b.co.uk:443/../x", None, "http://[::1", "mailto:a@b.example"] * 10
    (tmp_path / "in").mkdir()
    for part in range(3):
        pq.write_table(
            pa.table({"id": [part * 100 + row for row in range(40)], "url": urls}),
            tmp_path / "in" / f"{part}.parquet",
        )
    names = ["host", "registrable_domain", "canonical", "error"]
    arguments = [str(program), str(tmp_path / "in"), str(tmp_path / "out")]
    monkeypatch.setattr("sys.argv", arguments)
    runpy.run_path(str(program), run_name="__main__")
    written = pq.read_table(tmp_path / "out").sort_by("id")
    assert written.column_names == ["id", "url", *names]
    assert written["url"].to_pylist() == urls * 3
    column = pa.array(urls * 3)
    for name, wanted in (
        ("host", columns.host(column)),
        ("registrable_domain", columns.registrable_domain(column)),
        ("canonical", columns.canonicalize(column)),
        ("error", columns.check(column)),
    ):
        assert written[name].to_pylist() == wanted.to_pylist()
