"""``python -m benchmarks``: measures one environment, or reports what was measured."""

from __future__ import annotations

import argparse
import platform
from pathlib import Path
from statistics import fmean
from typing import Any

from benchmarks import (
    conformance,
    declines,
    django_paths,
    growth,
    imports,
    inputs,
    kept,
    memory,
    runner,
)
from benchmarks.contenders import WEBURL, installed_peers, switch_off_weburl_caches
from benchmarks.measured import add_arguments, read_measured, say, write_measured
from weburl.standard.infra.build import COMPILED

ROUNDS = 9
PARTS = ("times", "declined", "imports", "conformance", "memory", "kept", "django", "growth")


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return all that was measured of the `weburl` in this environment and of its peers."""
    peers = installed_peers()
    WEBURL.load()
    path = inputs.corpus_path(arguments.links)
    links = inputs.unique_links(path)
    lists = inputs.make_inputs(links, arguments.limit)
    result: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "compiled": COMPILED,
        "rounds": arguments.rounds,
        "whole": arguments.rounds >= ROUNDS and arguments.limit is None and not arguments.parts,
        "links": f"{path.name}, {len(links):,} different ones of "
        f"{fmean(map(len, links)):.0f} characters on average",
        "versions": {peer.name: peer.version() for peer in peers},
        "written_in": {peer.name: peer.written_in for peer in peers},
    }
    parts = arguments.parts or PARTS
    if "memory" in parts:  # before the caches are gone
        result["memory"] = memory.kept_bytes(inputs.thin_out(links, arguments.limit))
        say(f"bytes kept: {result['memory']}")
    if "kept" in parts:
        names = [peer.name for peer in peers if not peer.slow]
        result["kept"] = kept.kept_times(inputs.thin_out(links, arguments.limit), names)
        say(f"times while objects are kept: {result['kept']}")
    if "django" in parts:
        result["django"] = django_paths.path_times(arguments.rounds, arguments.limit)
        say(f"Django: {result['django']}")
    if "imports" in parts:
        modules = ["weburl", "attrs", *(_module(peer.setup) for peer in peers)]
        result["imports"] = imports.import_times(modules, max(arguments.rounds, 5))
        say(f"imports: {result['imports']}")
    if "conformance" in parts:
        result["conformance"] = {
            contender.name: conformance.failed_cases(contender) for contender in (*peers, WEBURL)
        }
    if "declined" in parts:
        result["declined"] = declines.declined(lists)
        say(f"declined: {result['declined']}")
    if "times" in parts:
        result["caches_switched_off"] = switch_off_weburl_caches()
        # What is imported from a module was bound before.
        WEBURL.namespace.clear()
        WEBURL.load()
        result["times"] = runner.measure(lists, peers, arguments.rounds, say)
    if "growth" in parts:  # it changes how memory is handed out
        result["growth"] = growth.measure(
            say, functions=growth.BRIEF_FUNCTIONS, give_up=growth.BRIEF_GIVE_UP
        )
    return result


def _module(setup: str) -> str:
    """Return the module that the first statement of a contender's setup imports."""
    return setup.split()[1].rstrip(";")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("with none, nothing would be measured")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("measure", help="measure what is installed here")
    add_arguments(one)
    one.add_argument(
        "--rounds", type=_positive, default=ROUNDS, help=f"at least {ROUNDS} for the docs"
    )
    one.add_argument("--limit", type=_positive, help="how many texts of each list, for a quick run")
    one.add_argument("--parts", nargs="+", choices=PARTS, help="only some of the measurements")
    two = commands.add_parser("report", help="print the table of what was measured")
    two.add_argument("measured", type=Path, nargs="+", help="JSON files that `measure` wrote")
    return parser


def main() -> None:
    """Do what the command line says."""
    arguments = _parser().parse_args()
    if arguments.command == "measure":
        write_measured(arguments, measure)
    else:
        from benchmarks import publish

        publish.publish(read_measured(arguments.measured), arguments.measured[0].parent)


if __name__ == "__main__":
    main()
