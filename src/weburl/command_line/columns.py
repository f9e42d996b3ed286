"""``weburl columns``: adds columns about URLs to a file, with one statement of DuckDB."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from weburl.columns.options import SQL_LINK_FIELDS
from weburl.command_line.arguments import ArgumentParser, comma_separated, parser_of
from weburl.command_line.statuses import BAD, DONE, CommandError
from weburl.command_line.writing import put_out
from weburl.keys import RULE_NAMES

_BEFORE: Final = "-- from weburl.columns.duckdb import register; register(connection)"


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``columns``."""
    parser = parser_of(
        "columns",
        "Add columns about URLs to a file. All rows and columns of the input stay. If a URL cannot "
        "be parsed, the new columns are empty, and 'error' says why.",
        "weburl columns links.csv out.parquet --column url --add host,canonical,error",
        bad="--strict was passed and a URL is bad",
    )
    parser.add_argument(
        "input",
        metavar="INPUT",
        help="a file that DuckDB reads: CSV, TSV, Parquet, JSON lines or text with a URL on each "
        "line; a pattern such as 'logs/*.parquet'; or an address such as s3://lake/links.parquet",
    )
    parser.add_argument("output", metavar="OUTPUT", help="the file to write")
    parser.add_argument(
        "--column", metavar="NAME", default="url", help="the column with the URLs (default: url)"
    )
    parser.add_argument(
        "--add",
        metavar="NAMES",
        type=comma_separated,
        help="what to add, separated by commas (default: canonical,error): the functions of SQL"
        " that take only a URL, without 'url_'; the parts of a URL; host_is_ip and others for a"
        " column of bare hosts",
    )
    for option, metavar, text in (
        ("--param", "NAME", "add the value of this name in the query, as param_NAME"),
        ("--key", "RULES", f"add a key, as key_RULES: {', '.join(RULE_NAMES)}, or JSON"),
        ("--key-hash", "RULES", "add a number for that key, as key_hash_RULES"),
    ):
        parser.add_argument(
            option, metavar=metavar, action="append", default=[], help=f"{text}; may be repeated"
        )
    parser.add_argument(
        "--base", metavar="URL", help="the base URL, or the column with a base for each row"
    )
    parser.add_argument(
        "--links",
        metavar="NAME",
        help="write a row for each link of the pages whose HTML is in this column, and whose"
        f" addresses are in --column; --add accepts {', '.join(SQL_LINK_FIELDS)}",
    )
    parser.add_argument(
        "--prefix", metavar="TEXT", default="", help="what the names of new columns begin with"
    )
    parser.add_argument(
        "--partition-by",
        metavar="NAME",
        help="write a folder OUTPUT of Parquet files, with a folder for each value of this new"
        " column",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace the output")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if a URL is bad")
    parser.add_argument(
        "--sql", action="store_true", help="print the statement of DuckDB, and write nothing"
    )
    return parser


def run(options: argparse.Namespace) -> int:
    """Add columns to a file."""
    try:
        from weburl.columns import files
    except ImportError as error:
        if error.name not in ("duckdb", "numpy", "pyarrow"):
            raise
        missing = {"duckdb": "DuckDB", "numpy": "NumPy", "pyarrow": "PyArrow"}[error.name]
        raise CommandError(f"columns needs {missing}: pip install 'weburl[duckdb]'") from None
    default = SQL_LINK_FIELDS if options.links is not None else ("canonical", "error")
    has_own = options.param or options.key or options.key_hash
    job = files.Job(
        source=options.input,
        target=options.output,
        column=options.column,
        add=options.add or (() if has_own else default),
        params=options.param,
        keys=options.key,
        key_hashes=options.key_hash,
        base=options.base,
        links=options.links,
        prefix=options.prefix,
        partition_by=options.partition_by,
    )
    try:
        with files.opened(
            shows_progress=not options.quiet and files.progress_is_seen()
        ) as connection:
            if options.sql:
                statement = files.composed(connection, job).to(options.output)
                put_out(f"{_BEFORE}\n{statement};\n")
                return DONE
            summary = files.run(connection, job, overwrite=options.overwrite)
    except files.FileError as error:
        raise CommandError(str(error)) from None
    bad = sum(summary.bad.values())
    if not options.quiet and sys.stderr is not None:
        what = "URLs" if options.links is None else "pages"
        print(f"{summary.rows:,} rows, bad {what}: {bad:,}", file=sys.stderr)
        for name, count in summary.bad.items():
            print(f"  {count:,} {name}", file=sys.stderr)
    return BAD if bad and options.strict else DONE
