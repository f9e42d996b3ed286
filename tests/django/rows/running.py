"""Runs the command and reads what it reports."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

from django.core.management import call_command


def run(column: str, **options: Any) -> dict[Any, dict[str, Any]]:
    """Run the command on a column of the tests' app, and return the report's lines by key."""
    out = StringIO()
    call_command(
        "canonicalize_urls",
        f"wayinapp.{column}",
        report="-",
        stdout=out,
        stderr=StringIO(),
        **options,
    )
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    return {line["pk"]: line for line in lines}


def summary(column: str, **options: Any) -> str:
    """Run the command, and return the table that people see."""
    out = StringIO()
    call_command("canonicalize_urls", f"wayinapp.{column}", stdout=out, **options)
    return out.getvalue()


def newest(database: str = "default") -> int:
    """Return the number of the last run."""
    out = StringIO()
    call_command("canonicalize_urls", runs=True, database=database, stdout=out)
    return int(out.getvalue().split()[0])


def undo(*numbers: int, **options: Any) -> str:
    """Undo runs, by default the last one, and return what the command prints."""
    out = StringIO()
    numbers = numbers or (newest(options.get("database", "default")),)
    call_command("canonicalize_urls", undo=[*map(str, numbers)], stdout=out, **options)
    return out.getvalue()


def outcomes(column: str, **options: Any) -> dict[Any, str]:
    """Run the command, and return the outcome of each row in the report, by key."""
    return {pk: line["outcome"] for pk, line in run(column, **options).items()}
