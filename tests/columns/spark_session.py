"""A Spark of this process, with several workers, for all tests and documents of a session."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from functools import cache

import pytest
from pyspark.sql import SparkSession

WORKERS = 2


@cache
def spark_session() -> SparkSession:
    """Return the session; skip the running test where there is no Java, or fail it in CI."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        reason = "Spark needs Java"
        if os.environ.get("CI"):
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": str(WORKERS),
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master(f"local[{WORKERS}]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        # Spark says so of pandas 3, which only the tests of pandas' UDFs use.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        return builder.getOrCreate()
