"""What the commands that measure have in common: what they say meanwhile, and what they write."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.operations import BUILDS
from weburl.standard.infra.build import COMPILED


def say(line: str) -> None:
    """Tell whoever waits what was measured."""
    print(line, file=sys.stderr, flush=True)


def add_arguments(parser: ArgumentParser) -> None:
    """Add where to write, which links are read, and of which build something is measured."""
    parser.add_argument("output", type=Path, help="the JSON file to write")
    parser.add_argument("--links", help="a file of links, one a line")
    parser.add_argument(
        "--build", choices=BUILDS, help="measure nothing if what is installed is of another build"
    )


def write_measured(arguments: Namespace, measure: Callable[[Namespace], dict[str, Any]]) -> None:
    """Measure, and write it, unless another build is asked for than is installed."""
    build = "compiled" if COMPILED else "interpreted"
    if arguments.build not in {None, build}:
        say(f"What is installed is {build}: there is no {arguments.build} build to measure.")
        return
    text = json.dumps(measure(arguments), indent=1, ensure_ascii=False)
    arguments.output.write_text(f"{text}\n", encoding="utf-8")


def read_measured(paths: list[Path]) -> list[dict[str, Any]]:
    """Read what was written of several builds."""
    return [json.loads(path.read_text(encoding="utf-8")) for path in paths]
