"""The arguments of ``python -m weburl columns``, and the names that they accept.

Nothing here imports pyarrow, so that ``--help`` works without it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal, TypeAlias, get_args

from weburl.columns.table import DEFAULT_LINK_FIELDS, LINK_FIELDS, PARTS, commands
from weburl.keys import RULE_NAMES
from weburl.policies.policy import READY_POLICIES_OF_COMMANDS
from weburl.standard.infra.arguments import ArgumentParser, some_comma_separated

PROGRAM: Final = "weburl columns"
DEFAULT_ADD: Final = "canonical,error"
DEFAULT_LINKS: Final = f"{','.join(DEFAULT_LINK_FIELDS)},error"
"""What ``--add`` is without and with ``--links``."""

Format: TypeAlias = Literal["parquet", "csv", "tsv", "jsonl", "text", "warc"]
FORMATS: Final[tuple[Format, ...]] = get_args(Format)
"""The formats that ``--from`` accepts, and all but the last one that ``--to`` accepts."""

FUNCTIONS: Final = commands(of_hosts=False)
"""The names for functions of `columns`, each with the function's own."""
OF_POLICY: Final = ("allowed", "refusal")
"""Those that ask the policy."""
FUNCTIONS_OF_HOSTS: Final = commands(of_hosts=True)
"""The names for functions of `columns` for bare hosts, each with the function's own."""
_ALWAYS: Final = ("canonical", "error", "can_parse")
NAMES: Final = (*_ALWAYS, *FUNCTIONS, *PARTS)
"""The names that ``--add`` accepts."""
NAMES_OF_HOSTS: Final = (*_ALWAYS, *FUNCTIONS_OF_HOSTS)
"""The names that ``--add`` accepts for a column of bare hosts."""

OF_SUFFIXES: Final = ("registrable_domain", "site", "public_suffix", "subdomain")
"""Those of them that ask the Public Suffix List."""


OF_BUCKETS: Final = "key_hash"
PARTITIONS: Final = ("registrable_domain", "host", "scheme", OF_BUCKETS)
"""What ``--partition-by`` accepts."""


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after ``columns``."""
    parser = ArgumentParser(
        prog=PROGRAM,
        description="Add columns about URLs to a file. All rows and columns of the input stay. "
        "If a URL cannot be parsed, the new columns are empty, and 'error' says why.",
        epilog="The extension sets the format: .parquet, .csv, .tsv, .jsonl and .txt (one URL on "
        "each line); of the input also .warc, .wet and .wat. All except Parquet may end in .gz, "
        "and all except Parquet and WARC in .zst. Exit status: 0 if everything is written, 1 with "
        "--strict if there are bad rows, 2 if the arguments or the input are wrong, 3 if the run "
        "was stopped, for example by a full disk, 130 after Ctrl-C.",
    )
    parser.add_argument(
        "input",
        metavar="INPUT",
        help="the file to read; - for standard input; or a dataset: a folder, a pattern such as"
        " 'logs/**/*.parquet', or a URL that fsspec opens",
    )
    parser.add_argument(
        "output",
        metavar="OUTPUT",
        help="the file to write; - for standard output; for a dataset, a folder or such a URL",
    )
    parser.add_argument(
        "--column", metavar="NAME", help="the column with the URLs; not needed for plain text"
    )
    parser.add_argument(
        "--add",
        metavar="NAMES",
        help=f"what to add, separated by commas: {', '.join(NAMES)} (default: {DEFAULT_ADD})",
    )
    parser.add_argument(
        "--param",
        metavar="NAME",
        action="append",
        default=[],
        help="add the value of this name in the query, as param_NAME; may be repeated",
    )
    parser.add_argument(
        "--key",
        metavar="RULES",
        action="append",
        default=[],
        help=f"add the key by these rules, as key_RULES: {', '.join(RULE_NAMES)}, JSON, or a file"
        " of it; may be repeated",
    )
    parser.add_argument(
        "--without",
        metavar="PARAMS",
        help="add the URL without the params of these names, as without_params: ref,utm_*",
    )
    parser.add_argument(
        "--no-private",
        action="store_true",
        help="the private domains of the Public Suffix List, such as github.io, do not count",
    )
    parser.add_argument(
        "--key-hash",
        metavar="RULES",
        action="append",
        default=[],
        help="add a number for that key, as key_hash_RULES; may be repeated",
    )
    parser.add_argument(
        "--policy",
        metavar="POLICY",
        help=f"for --add allowed,refusal: {', '.join(READY_POLICIES_OF_COMMANDS)}, a JSON file with"
        " the rules of a URLPolicy, or an import path such as myapp.policies:links",
    )
    parser.add_argument(
        "--refused-hosts-file",
        metavar="FILE",
        help="for --add allowed,refusal: a block list of hosts, which are refused, too:"
        " evil.example is only this host, .evil.example also all hosts below it",
    )
    parser.add_argument(
        "--hosts",
        action="store_true",
        help="the column has bare hosts, such as www.example.com, not URLs; --add accepts"
        f" {', '.join(NAMES_OF_HOSTS)}",
    )
    parser.add_argument(
        "--links",
        metavar="NAME",
        help="write a row for each link of the pages whose HTML is in this column; --base has their"
        f" addresses, and --add accepts {', '.join(LINK_FIELDS)}"
        f" (default: {DEFAULT_LINKS})",
    )
    parser.add_argument(
        "--kinds",
        metavar="NAMES",
        type=some_comma_separated,
        help="the kinds of links, separated by commas: hyperlink, …",
    )
    parser.add_argument(
        "--base",
        metavar="URL",
        help="the base URL, for relative URLs; text without a scheme and a slash is the name of the"
        " column with a base for each row",
    )
    parser.add_argument(
        "--prefix", metavar="TEXT", default="", help="what the names of new columns begin with"
    )
    parser.add_argument(
        "--from", dest="input_format", choices=FORMATS, help="the format of the input"
    )
    parser.add_argument(
        "--to", dest="output_format", choices=FORMATS[:-1], help="the format of the output"
    )
    parser.add_argument(
        "--partition-by",
        choices=PARTITIONS,
        help="write a folder OUTPUT with a folder for each value of this new column, such as"
        " registrable_domain=example.com; of key_hash, for each of its --buckets",
    )
    parser.add_argument(
        "--buckets",
        metavar="N",
        type=_number(1, 65_536),
        help="how many folders key_hash makes: bucket=0 to N - 1",
    )
    parser.add_argument(
        "--bad",
        metavar="FILE",
        help="write the rows that cannot be parsed to this file, too, with their numbers as 'row'",
    )
    parser.add_argument(
        "--malformed",
        choices=("stop", "skip", "keep"),
        default="stop",
        help="what to do with lines that are not CSV or JSON: stop with an error, skip them, or "
        "keep them in a file beside that of --bad (default: stop)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit with 1 if there are bad rows or malformed lines",
    )
    parser.add_argument(
        "--threads",
        metavar="N",
        type=_number(1, 256),
        default=1,
        help="how many threads DuckDB may use (default: 1); Python runs one of them at a time",
    )
    parser.add_argument(
        "--memory",
        metavar="SIZE",
        default="1GB",
        help="how much memory DuckDB may use (default: 1GB)",
    )
    parser.add_argument(
        "--max-output",
        metavar="BYTES",
        type=_number(1, 1 << 60),
        help="stop if more than this is written (default: 1,000 times the size of the input, but at"
        f" least {1 << 32:,})",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace the outputs")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary")
    return parser


def _number(least: int, most: int) -> Callable[[str], int]:
    """Return what reads an argument that is a number from ``least`` to ``most``."""

    def number(text: str) -> int:
        with suppress(ValueError):
            if least <= int(text) <= most:
                return int(text)
        raise argparse.ArgumentTypeError(f"must be a number from {least} to {most}")

    return number
