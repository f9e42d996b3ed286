"""Spark, by its own functions and by ours, each as an expression of SQL over a Parquet file."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import Any, Final

from benchmarks.columns.contenders import Contender, Takes, expects

NEEDS: Final = ("pyarrow", "pyspark")
READING: Final = "reading alone"
"""The operation that only reads the file: what all the others do as well."""


def session(cores: int) -> Any:
    """Return a session with so many cores of this machine."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    options: dict[str, bool | float | int | str | None] = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "2g",
        "spark.log.level": "ERROR",
        # Else a small file is read by one core.
        "spark.sql.files.openCostInBytes": "1000000",
        # Otherwise parse_url() stops at the first text that it does not read.
        "spark.sql.ansi.enabled": "false",
        "spark.ui.enabled": "false",
    }
    return SparkSession.builder.master(f"local[{cores}]").config(map=options).getOrCreate()


class Spark:
    """A session with so many cores of this machine, and one expression; an `Engine`."""

    def __init__(self, expression: str, cores: int) -> None:
        self._spark = session(cores)
        if expression.startswith("url_"):
            from weburl.columns.spark import register

            register(self._spark)
        self._expression = expression

    def run(self, path: Path) -> None:
        # Texts are looked at, or Spark would leave out what makes them.
        self._rows(path).selectExpr(f"sum(length({self._expression}))").collect()

    def answers(self, path: Path, count: int) -> tuple[list[str], list[Any]]:
        found = self._rows(path).limit(count).selectExpr("url", f"{self._expression} AS answer")
        pairs = [(row.url, row.answer) for row in found.collect()]
        return [text for text, _ in pairs], [answer for _, answer in pairs]

    def _rows(self, path: Path) -> Any:
        return self._spark.read.parquet(str(path))


def engines() -> list[Contender]:
    """Return Spark's own functions and ours, with one core and with two."""
    rows: list[tuple[str, str, str, str | None]] = [
        (READING, "Spark", "url", None),
        ("host", "Spark, parse_url", "parse_url(url, 'HOST')", "hostname"),
        ("host", "Spark, try_parse_url", "try_parse_url(url, 'HOST')", "hostname"),
        ("host", "Spark, url_host", "url_host(url)", "host"),
        ("canonicalize", "Spark, url_canonicalize", "url_canonicalize(url)", "canonicalize"),
        ("registrable_domain", "Spark, url_registrable_domain", "url_registrable_domain(url)",
         "registrable_domain"),
    ]  # fmt: skip
    return [
        Contender(
            f"{who}, local[{cores}]",
            operation,
            Takes.FILE,
            partial(Spark, expression, cores),
            NEEDS,
            None if expected is None or cores == 1 else expects(expected),
            cores=cores,
        )
        for operation, who, expression, expected in rows
        for cores in (1, 2)
    ]
