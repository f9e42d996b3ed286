"""Columns of URLs, beside what data engineers use today: time for all rows, and wrong answers.

To add a measurement, add one line to `ROWS`. Each is given the rows in the form that it works on.
``extra_info`` in the JSON file has ``differ``, how many answers differ from the standard's.

``WEBURL_ADA`` names a checkout of Ada. Then its C++ is compiled and measured too, without Python.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import pytest

from benchmarks.inputs import domains, make_slow

BASE: Final = "https://example.com/a/b?c"
_NOT_URLS: Final = ("http://[::1", "www.example.com/a", "https://exa mple.com/", "http://a:99999/")


def made_rows(links: Sequence[str], count: int) -> list[str]:
    """Return rows of links, always the same. One in seven is unusual, or no URL at all."""
    foreign = domains(1_000)
    return [_row(links, foreign, number) for number in range(count)]


def _row(links: Sequence[str], foreign: Sequence[str], number: int) -> str:
    turn, at = divmod(number, len(links))
    link = links[at]
    if turn:  # all links had their turn: other hosts, and other fragments
        scheme, slashes, rest = link.partition("://")
        link = f"{scheme}{slashes}n{turn}.{rest}" if at % 2 else f"{link.partition('#')[0]}#{turn}"
    match number % 100:
        case 1 | 21 | 41 | 61 | 81:  # The links all begin with https.
            return link.replace("https://", "http://", 1)
        case 10 | 20 | 30 | 40 | 50 | 60 | 70 | 80:
            return make_slow(link)
        case 15 | 35 | 55:
            return f"https://{foreign[number % len(foreign)]}/{number}"
        case 25:
            return link.replace("://", f"://user:secret{number}@", 1)
        case 45:
            return f"http://[2001:db8::{number % 65_536:x}]:8080/{number}"
        case 65:
            return f"mailto:someone{number}@example.com"
        case 85:
            return _NOT_URLS[number // 100 % len(_NOT_URLS)]
    return link


# --- how each one works: a function of the texts that returns what is timed, and its answers ------

Work = Callable[[Sequence[str]], tuple[Callable[[], Any], Callable[[Any], list[Any]]]]


def _arrow(texts: Sequence[str]) -> Any:
    import pyarrow as pa

    return pa.array(texts, pa.string())


def ours(name: str, *arguments: object) -> Work:
    """Return a function of `weburl.columns`."""

    def work(texts: Sequence[str]) -> Any:
        from weburl import columns

        function, array = getattr(columns, name), _arrow(texts)
        return lambda: function(array, *arguments), lambda found: found.to_pylist()

    return work


def each(code: str, setup: str, *, pandas: bool = False) -> Work:
    """Return a loop of code for a text ``s``, in a list or in pandas."""

    def work(texts: Sequence[str]) -> Any:
        made: dict[str, Any] = {"BASE": BASE}
        source = f"def of(s):\n try:\n  return {code}\n except Exception:\n  return None"
        exec(f"{setup}\n{source}", made)
        of = made["of"]
        if not pandas:
            return lambda: [of(text) for text in texts], list
        import pandas as pd

        series = pd.Series(texts, dtype=object)
        return lambda: series.map(of), lambda found: found.to_list()

    return work


@cache
def _ada_library() -> Any:
    """Return the compiled loop over Ada's C++."""
    ada = Path(os.environ["WEBURL_ADA"])
    made = Path(tempfile.mkdtemp(), "ada.so")
    sources = [Path(__file__).with_name("ada.cpp"), ada / "src" / "ada.cpp"]
    paths = [f"-I{ada / name}" for name in ("include", "src")]
    subprocess.run(
        ["c++", "-std=c++20", "-O3", "-DNDEBUG", "-shared", "-fPIC", *paths, *sources, "-o", made],
        check=True,
    )
    library = ctypes.CDLL(str(made))
    library.ada_column.restype = ctypes.c_int64
    return library


def ada_cpp(job: str) -> Work:
    """Return a loop in C++ over the buffers of a column, as a column of ours is."""

    def work(texts: Sequence[str]) -> Any:
        import pyarrow as pa

        library = _ada_library()
        array = _arrow(texts)
        _, offsets, data = array.buffers()
        out = pa.allocate_buffer(3 * data.size + 8 * len(array))
        ends = (ctypes.c_int64 * len(array))()
        arguments = [ctypes.c_void_p(one.address) for one in (data, offsets, out)]

        def run() -> Any:
            length = ctypes.c_int64(len(array))
            library.ada_column(job.encode(), *arguments[:2], length, arguments[2], ends)
            return ends

        def answers(found: Any) -> list[Any]:
            made = out.to_pybytes()
            listed: list[Any] = []
            start = 0
            for end in found:
                if job == "can_parse":
                    listed.append(end >= 0)
                    continue
                text = made[start:end].decode() if end >= 0 else None
                listed.append(text[1:] if text and job == "query" else text)
                start = max(start, end)
            return listed

        return run, answers

    return work


def duckdb_sql(expression: str) -> Work:
    """Return an expression of SQL over the column ``url`` in DuckDB, of its own or of ours."""

    def work(texts: Sequence[str]) -> Any:
        import duckdb
        import pyarrow as pa

        from weburl.columns.duckdb import register

        connection = duckdb.connect(config={"threads": 1})
        register(connection)
        add_function: Any = connection.create_function
        add_function("urllib_host", _urllib_host, ["VARCHAR"], "VARCHAR", null_handling="special")
        connection.register("batch", pa.table({"url": _arrow(texts)}))
        query = f"SELECT {expression} AS answer FROM batch"
        return (
            lambda: connection.sql(query).to_arrow_table().column(0),
            lambda found: found.to_pylist(),
        )

    return work


def _urllib_host(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def in_polars(expression: Callable[[Any], Any]) -> Work:
    """Return an expression of Polars on the column ``url``, of its own or of ours."""

    def work(texts: Sequence[str]) -> Any:
        import polars as pl

        import weburl.columns.polars  # noqa: F401  # registers the namespace

        frame = pl.DataFrame({"url": texts})
        made = expression(pl.col("url"))
        return lambda: frame.select(made).to_series(), list

    return work


def in_pandas(name: str) -> Work:
    """Return a function of ours on a Series of pandas."""

    def work(texts: Sequence[str]) -> Any:
        import pandas as pd

        import weburl.columns.pandas  # noqa: F401  # registers the accessor

        series = pd.Series(texts, dtype="str")
        return getattr(
            series.weburl, name
        ), lambda found: found.astype(object).where(found.notna(), None).to_list()

    return work


def polars_tldextract(name: str) -> Work:
    """Return a function of polars-tldextract."""

    def work(texts: Sequence[str]) -> Any:
        import polars as pl
        import polars_tldextract as extract

        frame = pl.DataFrame({"url": texts})
        expression = getattr(extract, name)("url", parallel=False)
        return lambda: frame.select(expression).to_series(), list

    return work


def spark(expression: str) -> Work:
    """Return an expression of Spark's SQL, or of ours in Spark, on one core."""

    def work(texts: Sequence[str]) -> Any:
        from pyspark.sql import SparkSession

        os.environ["PYSPARK_PYTHON"] = sys.executable
        options: dict[str, Any] = {
            "spark.driver.host": "127.0.0.1",
            "spark.log.level": "ERROR",
            "spark.sql.ansi.enabled": "false",
            "spark.ui.enabled": "false",
        }
        session = SparkSession.builder.master("local[1]").config(map=options).getOrCreate()
        if expression.startswith("url_"):
            from weburl.columns.spark import register

            register(session)
        session.udf.register("urllib_host", _urllib_host)
        frame = session.createDataFrame([(text,) for text in texts], "url string").cache()
        frame.count()
        asked = frame.selectExpr(f"{expression} AS answer")

        def run() -> Any:
            # Texts are looked at, or Spark would leave out what makes them.
            asked.selectExpr("sum(length(answer))").collect()
            return asked

        return run, lambda found: [row.answer for row in found.collect()]

    return work


_WEBURL: Final = "from weburl import URLSearchParams, can_parse, canonicalize, parse, render"
_CAN_ADA: Final = "from can_ada import URLSearchParams, can_parse, parse; base = parse(BASE)"
_ADA: Final = "from ada_url import URL"
_URLLIB: Final = "from urllib.parse import parse_qs, urlsplit"
_TLDEXTRACT: Final = "from tldextract import TLDExtract; extract = TLDExtract(suffix_list_urls=())"
_SCHEME: Final = r"^[A-Za-z][A-Za-z0-9+.\-]*://(?:[^/?#@]*@)?"
_HOST_CHARACTERS: Final = r"\[[^\]/?#]*\]|[^:/?#]*"
_HOST: Final = f"nullif(lower(regexp_extract(url, '{_SCHEME}({_HOST_CHARACTERS})', 1)), '')"


class Row(NamedTuple):
    """One way to do one job: the packages that it needs, and whether its answers are compared."""

    job: str
    who: str
    work: Work
    needs: tuple[str, ...] = ()


ROWS: Final = (
    Row("canonicalize", "weburl.columns", ours("canonicalize"), ("pyarrow",)),
    Row("canonicalize", "weburl, a loop", each("canonicalize(s)", _WEBURL)),
    Row("canonicalize", "Ada in C++", ada_cpp("canonicalize"), ("pyarrow",)),
    Row("canonicalize", "can_ada", each("parse(s).href", _CAN_ADA), ("can_ada",)),
    Row("canonicalize", "ada_url", each("URL(s).href", _ADA), ("ada_url",)),
    Row("canonicalize", "pandas, urllib", each("urlsplit(s).geturl()", _URLLIB, pandas=True), ("pandas",)),
    Row("canonicalize", "courlan", each("normalize_url(s)", "from courlan import normalize_url"), ("courlan",)),
    Row("canonicalize", "w3lib", each("safe_url_string(s)", "from w3lib.url import safe_url_string"), ("w3lib",)),
    Row("canonicalize", "Spark, url_canonicalize", spark("url_canonicalize(url)"), ("pyspark",)),
    Row("can_parse", "weburl.columns", ours("can_parse"), ("pyarrow",)),
    Row("can_parse", "Ada in C++", ada_cpp("can_parse"), ("pyarrow",)),
    Row("can_parse", "can_ada", each("can_parse(s)", _CAN_ADA), ("can_ada",)),
    Row("host", "weburl.columns", ours("host"), ("pyarrow",)),
    Row("host", "weburl, a loop", each("None if (h := parse(s).host) is None else str(h)", _WEBURL)),
    Row("host", "Ada in C++", ada_cpp("host"), ("pyarrow",)),
    Row("host", "can_ada", each("parse(s).hostname or None", _CAN_ADA), ("can_ada",)),
    Row("host", "pandas, urllib", each("urlsplit(s).hostname", _URLLIB, pandas=True), ("pandas",)),
    Row("host", "DuckDB, a regular expression", duckdb_sql(_HOST), ("duckdb", "pyarrow")),
    Row("host", "DuckDB, url_host", duckdb_sql("url_host(url)"), ("duckdb", "pyarrow")),
    Row("host", "DuckDB, urllib in Python", duckdb_sql("urllib_host(url)"), ("duckdb", "pyarrow")),
    Row("host", "Polars, a regular expression", in_polars(lambda url: url.str.extract(f"{_SCHEME}({_HOST_CHARACTERS})", 1).str.to_lowercase()), ("polars",)),
    Row("host", "Polars, weburl.host", in_polars(lambda url: url.weburl.host()), ("polars",)),
    Row("host", "pandas, weburl.host", in_pandas("host"), ("pandas",)),
    Row("host", "polars-tldextract", polars_tldextract("fqdn"), ("polars", "polars_tldextract")),
    Row("host", "Spark, try_parse_url", spark("try_parse_url(url, 'HOST')"), ("pyspark",)),
    Row("host", "Spark, url_host", spark("url_host(url)"), ("pyspark",)),
    Row("host", "Spark, urllib in Python", spark("urllib_host(url)"), ("pyspark",)),
    Row("path", "weburl.columns", ours("part", "path"), ("pyarrow",)),
    Row("path", "Ada in C++", ada_cpp("path"), ("pyarrow",)),
    Row("query", "weburl.columns", ours("part", "query"), ("pyarrow",)),
    Row("query", "Ada in C++", ada_cpp("query"), ("pyarrow",)),
    Row("query", "Spark, try_parse_url", spark("try_parse_url(url, 'QUERY')"), ("pyspark",)),
    Row("parse", "weburl.columns", ours("parse"), ("pyarrow",)),
    Row("registrable_domain", "weburl.columns", ours("registrable_domain"), ("pyarrow",)),
    Row("registrable_domain", "polars-tldextract", polars_tldextract("registrable_domain"), ("polars", "polars_tldextract")),
    Row("registrable_domain", "pandas, tldextract", each("extract(s).top_domain_under_public_suffix or None", _TLDEXTRACT, pandas=True), ("pandas", "tldextract")),
    Row("registrable_domain", "courlan", each("extract_domain(s)", "from courlan import extract_domain"), ("courlan",)),
    Row("resolve", "weburl.columns", ours("resolve", BASE), ("pyarrow",)),
    Row("resolve", "can_ada", each("(base + s).href", _CAN_ADA), ("can_ada",)),
    Row("origin", "weburl.columns", ours("origin"), ("pyarrow",)),
    Row("origin", "Ada in C++", ada_cpp("origin"), ("pyarrow",)),
    *(Row(name, "weburl.columns", ours(name), ("pyarrow",)) for name in ("site", "key", "surt", "file_name", "file_extension", "path_segments", "path_depth")),
    Row("search_param", "weburl.columns", ours("search_param", "id"), ("pyarrow",)),
    Row("search_param", "can_ada", each("URLSearchParams(parse(s).search).get('id')", _CAN_ADA), ("can_ada",)),
    Row("search_param", "pandas, urllib", each("parse_qs(urlsplit(s).query).get('id', (None,))[0]", _URLLIB, pandas=True), ("pandas",)),
    Row("search_param", "DuckDB, a regular expression", duckdb_sql("nullif(regexp_extract(url, '[?&]id=([^&#]*)', 1), '')"), ("duckdb", "pyarrow")),
    Row("search_param", "Spark, try_parse_url", spark("try_parse_url(url, 'QUERY', 'id')"), ("pyspark",)),
    Row("render", "weburl.columns", ours("render"), ("pyarrow",)),
    Row("render", "weburl, a loop", each("render(parse(s))", _WEBURL)),
)  # fmt: skip
"""What is measured. One line is one row."""


@cache
def _made(links: tuple[str, ...], count: int) -> list[str]:
    return made_rows(links, count)


@cache
def _right(links: tuple[str, ...], count: int, job: str) -> list[Any]:
    first = next(row for row in ROWS if row.job == job)
    run, answers = first.work(_made(links, count))
    return answers(run())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.job} | {row.who}")
def bench_columns(
    row: Row, links: list[str], rows: int, request: pytest.FixtureRequest, benchmark: Any
) -> None:
    """Time one contender with all rows, and count its answers that differ."""
    if row.who == "Ada in C++" and "WEBURL_ADA" not in os.environ:
        pytest.skip("WEBURL_ADA does not name a checkout of Ada")
    missing = [name for name in (*row.needs, "pyarrow") if find_spec(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    key = tuple(links)
    texts = _made(key, rows)
    run, answers = row.work(texts)
    benchmark.group = row.job
    benchmark.extra_info.update(job=row.job, who=row.who, each=rows)
    passes = min(5, request.config.getoption("--passes"))
    found = answers(benchmark.pedantic(run, rounds=passes, warmup_rounds=1))
    right = _right(key, rows, row.job)
    benchmark.extra_info["differ"] = sum(
        (own or None) != (own_right or None) for own, own_right in zip(found, right, strict=True)
    )
