"""``weburl columns``: routes to the command of `columns`, which explains what it needs."""

from __future__ import annotations

import argparse

from weburl.columns.files.arguments import argument_parser
from weburl.command_line.statuses import CommandError

__all__ = ["argument_parser", "run"]


def run(options: argparse.Namespace) -> int:
    """Add columns to a file."""
    try:
        from weburl.columns.files.command import columns_command
    except ImportError as error:
        if error.name not in ("duckdb", "pyarrow"):
            raise
        raise CommandError("columns needs DuckDB: pip install 'weburl[duckdb]'") from None
    return columns_command(options)
