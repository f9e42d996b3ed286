"""A special scheme is one line in one table: a program with one more is consistent in all parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.db import connection

from weburl import COMPILED

ROOT: Final = Path(__file__).resolve().parents[2]
PROGRAM: Final = "tests.django.one_more_scheme"

HREFS: Final = [
    "zap://example.com/",
    "zap://example.com:1235/a?b#c",
    "zap://u:p@127.0.0.1/x",
    "zap://example.com/",
    "zap://example.com:80/",
]
ORIGINS: Final = [
    "zap://example.com",
    "zap://example.com:1235",
    "zap://127.0.0.1",
    "zap://example.com",
    "zap://example.com:80",
]


@pytest.fixture(scope="module")
def zapped(django_db_setup: None) -> dict[str, Any]:
    """Return what a process of its own prints, whose table has the line for ``zap``."""
    del django_db_setup  # a server's test database has to exist
    database = os.environ.get("WEBURL_TEST_DATABASE") or "sqlite://"
    if connection.vendor != "sqlite":
        database = urlsplit(database)._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    done = subprocess.run(
        [sys.executable, "-m", PROGRAM],
        cwd=ROOT,
        env={
            **os.environ,
            "WEBURL_TEST_DATABASE": database,
            "PYTHONPATH": os.pathsep.join([str(ROOT / "docs" / "demo"), *sys.path]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_program_has_the_same_build_and_database(zapped: dict[str, Any]) -> None:
    """What follows is about the build and the database that this run tests."""
    assert zapped["compiled"] == COMPILED
    assert zapped["vendor"] == connection.vendor


def test_both_parsers_take_it_for_special(zapped: dict[str, Any]) -> None:
    """Backslashes are slashes, the host is a domain or an address, and 1234 is left out."""
    assert zapped["hrefs"] == zapped["by_the_general_parser"] == HREFS
    assert zapped["refused"] == [False, False, False]
    # The regexes of the other build leave all schemes but http and https to the parser.
    assert zapped["by_the_fast_path"] == (HREFS if COMPILED else [None] * len(HREFS))


def test_origins_setters_queries_and_reports_know_it(zapped: dict[str, Any]) -> None:
    """A tuple origin, the default port in setters, the document's encoding, and the right hint."""
    assert zapped["origins"] == [True] * len(HREFS)
    assert zapped["origin_texts"] == ORIGINS
    assert zapped["default_port"] == 1234
    assert zapped["with_port"] == "zap://example.com/"
    assert zapped["with_scheme"] == "zap://h/"
    assert zapped["query"] == "zap://h/?%E9%27"
    assert zapped["is_valid"] == [True, False]
    assert zapped["hint"] == "Add a ':' after the scheme."


def test_columns_know_it(zapped: dict[str, Any]) -> None:
    """The readers of Arrow columns give its hosts and origins."""
    pytest.importorskip("pyarrow")
    assert zapped["origin_column"] == ORIGINS
    assert zapped["host_column"] == [
        "example.com", "example.com", "127.0.0.1", "example.com", "example.com"
    ]  # fmt: skip


def test_the_test_generators_draw_it(zapped: dict[str, Any]) -> None:
    """Pieces of texts, URLs and tuple origins."""
    assert zapped["pieces"] == "zap"
    assert zapped["urls"] == "zap://a/"
    assert zapped["tuple_origins"] == "zap://a"


def test_sql_gives_the_same_origins_as_python(zapped: dict[str, Any]) -> None:
    """No origin is NULL, and a host in capitals does not look canonical."""
    assert zapped["origins_in_sql"] == zapped["origins_in_python"]
    assert zapped["origins_in_sql"][: len(ORIGINS)] == ORIGINS
    assert zapped["without_an_origin"] == 0
    assert zapped["look_canonical"] == [False]


def test_the_condition_of_a_policy_agrees_with_the_policy(zapped: dict[str, Any]) -> None:
    """A default port counts in both, and so does a password without a username."""
    allowed = zapped["allowed_in_sql"]
    assert allowed == zapped["allowed_in_python"]
    assert len(allowed["default port"]) == 4
    assert allowed["another port"] == ["zap://example.com:80/"]
    assert "zap://:password@h/" not in allowed["any scheme"]
    assert len(allowed["any scheme"]) == 3
