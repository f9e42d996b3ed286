"""``python -m benchmarks.columns``: measures one environment, or reports what it took."""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from benchmarks.columns import measuring, rows, table
from benchmarks.columns.contenders import Contender, Takes
from benchmarks.inputs import corpus_path, unique_links
from benchmarks.measured import add_arguments, read_measured, say, write_measured
from weburl.standard.infra.build import COMPILED

ROWS: Final = 200_000
WHOLE: Final = 10_000_000
"""From so many rows on, a run is worth writing into the documents."""

SECONDS: Final = 5.0
"""How long one contender is given rows."""

_DISTRIBUTIONS: Final = (
    "ada-url", "can-ada", "duckdb", "polars", "polars-tldextract", "pyarrow", "pyspark",
)  # fmt: skip


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return all that was measured of the `weburl` in this environment and of its peers."""
    path = corpus_path(arguments.links)
    links = unique_links(path)
    everyone = [
        contender
        for contender in measuring.contenders()
        if contender.is_installed and arguments.only in contender.name
    ]
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as directory:
        whole, part = Path(directory, "rows.parquet"), Path(directory, "engines.parquet")
        rows.write_rows(whole, links, arguments.rows, lambda done: say(f"{done:,} rows made"))
        few = min(arguments.rows, arguments.engine_rows)
        rows.write_rows(part, links, few, lambda _done: None)
        for number, contender in enumerate(everyone, start=1):
            file = part if contender.takes is Takes.FILE else whole
            found[contender.name] = measuring.in_its_own_process(
                contender, file, arguments.seconds, arguments.checked
            )
            say(f"{number} of {len(everyone)}: {contender.name}: {found[contender.name]}")
    return {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "compiled": COMPILED,
        "rows": arguments.rows,
        "whole": arguments.rows >= WHOLE and not arguments.only,
        "links": f"{path.name}, {len(links):,} different ones",
        "versions": {name: _version(name) for name in _DISTRIBUTIONS},
        "contenders": {
            contender.name: {
                "who": contender.who,
                "operation": contender.operation,
                "cores": contender.cores,
                "takes": contender.takes,
                **found[contender.name],
            }
            for contender in everyone
        },
    }


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def measure_one(name: str, arguments: argparse.Namespace) -> None:
    """Print what one contender took, and then how many of its answers differ, as JSON."""
    one: Contender = next(one for one in measuring.contenders() if one.name == name)
    took, work = measuring.measure(one, arguments.file, arguments.seconds)
    print(json.dumps(took), flush=True)
    print(json.dumps(measuring.differing(one, work, arguments.file, arguments.checked)))


def _number(text: str) -> int:
    number = int(text.replace("_", ""))
    if number < 1:
        raise argparse.ArgumentTypeError("with none, nothing would be measured")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.columns", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    every = commands.add_parser("measure", help="measure what is installed here")
    add_arguments(every)
    every.add_argument("--rows", type=_number, default=ROWS, help=f"{WHOLE:,} for the docs")
    every.add_argument(
        "--engine-rows", type=_number, default=1_000_000, help="of them, for Spark (%(default)s)"
    )
    every.add_argument("--only", default="", help="those with this in their names")
    one = commands.add_parser("one", help="measure one, as `measure` does in a process for each")
    one.add_argument("name")
    one.add_argument("--file", type=Path, required=True)
    for command in (every, one):
        command.add_argument("--seconds", type=float, default=SECONDS, help="for each, at the most")
        command.add_argument("--checked", type=_number, default=50_000, help="answers looked at")
    report = commands.add_parser("report", help="print the table of what was measured")
    report.add_argument("measured", type=Path, nargs="+", help="JSON files that `measure` wrote")
    report.add_argument(
        "--price", type=float, default=0.05, help="what a core costs in an hour (%(default)s)"
    )
    return parser


def main() -> None:
    """Do what the command line says."""
    arguments = _parser().parse_args()
    if arguments.command == "report":
        runs = read_measured(arguments.measured)
        table.publish(runs, arguments.measured[0].parent, arguments.price)
    elif arguments.command == "one":
        measure_one(arguments.name, arguments)
    else:
        write_measured(arguments, measure)


if __name__ == "__main__":
    main()
