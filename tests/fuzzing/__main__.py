"""Runs the fuzzers: ``python -m tests.fuzzing --minutes 10 [TARGET…]``.

Each target runs by atheris in a process of its own, one after another, from the seeds and from
what earlier runs found worth keeping (``.fuzzing/`` in the project). At the end stands a table. An
input that a target fails on is written beside the corpus, and its path printed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Final, NamedTuple

from tests.fuzzing.seeds import seeds
from tests.fuzzing.targets import TARGETS

DIRECTORY: Final = Path(__file__).resolve().parents[2] / ".fuzzing"
_DEMO: Final = DIRECTORY.parent / "docs" / "demo"
_MOST_MEMORY: Final = 2048  # MB
_LONGEST: Final = 4096  # bytes of an input
_SLOWEST: Final = 60  # seconds for one
_RUNS: Final = re.compile(r"stat::number_of_executed_units: (\d+)|^#(\d+)\t", re.MULTILINE)
_COVERAGE: Final = re.compile(r"cov: (\d+)")


class Outcome(NamedTuple):
    """What became of one target: inputs tried, edges covered, the end of what it printed."""

    target: str
    seconds: float
    inputs: int
    coverage: int
    kept: int
    failure: str


def write_seeds(target: str) -> Path:
    """Write the seeds of a target into its corpus and return that directory."""
    corpus = DIRECTORY / target
    corpus.mkdir(parents=True, exist_ok=True)
    for data in seeds(target):
        (corpus / hashlib.sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
    return corpus


def run(target: str, seconds: float) -> Outcome:
    """Fuzz one target for so many seconds, in a process of its own."""
    corpus = write_seeds(target)
    start = time.monotonic()
    done = subprocess.run(
        [
            sys.executable, "-m", "tests.fuzzing", "--here", target, "--", str(corpus),
            f"-max_total_time={max(int(seconds), 1)}", f"-artifact_prefix={DIRECTORY}/{target}-",
            f"-rss_limit_mb={_MOST_MEMORY}", f"-max_len={_LONGEST}", f"-timeout={_SLOWEST}",
            "-print_final_stats=1",
        ],
        check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip
    runs = [int(a or b) for a, b in _RUNS.findall(done.stdout)]
    coverage = [int(found) for found in _COVERAGE.findall(done.stdout)]
    return Outcome(
        target,
        time.monotonic() - start,
        max(runs, default=0),
        max(coverage, default=0),
        sum(1 for _ in corpus.iterdir()),
        "" if done.returncode == 0 else done.stdout[-4000:],
    )


def fuzz_here(target: str, arguments: list[str]) -> None:
    """Let atheris call one target in this process, which it ends."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.django.settings")
    sys.path.append(str(_DEMO))  # An app of the tests' settings.
    import atheris

    # What was imported before is instrumented function by function.
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("weburl", "django_whatwg_url"):
            for value in list(vars(module).values()):
                if getattr(value, "__module__", None) == name and hasattr(value, "__code__"):
                    atheris.instrument_func(value)
                elif isinstance(value, type) and value.__module__.startswith("weburl"):
                    for member in vars(value).values():
                        code = getattr(member, "fget", member)
                        if hasattr(code, "__code__"):
                            atheris.instrument_func(code)
    with atheris.instrument_imports(include=["weburl", "django_whatwg_url"]):
        TARGETS[target](b"")
    atheris.Setup([sys.argv[0], *arguments], TARGETS[target])
    atheris.Fuzz()


def main() -> int:
    """Fuzz, and return 1 where a target failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}; all without")
    parser.add_argument("--minutes", type=float, default=10.0, help="in all, shared by the targets")
    parser.add_argument("--here", metavar="TARGET", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        fuzz_here(arguments.here, arguments.targets)
        return 0
    names = arguments.targets or list(TARGETS)
    if unknown := set(names).difference(TARGETS):
        parser.error(f"there is no target {min(unknown)}")
    print(
        f"{'target':14}{'seconds':>9}{'inputs':>10}{'edges':>8}{'corpus':>8}  outcome", flush=True
    )
    failed = 0
    for name in names:
        outcome = run(name, 60 * arguments.minutes / len(names))
        print(
            f"{name:14}{outcome.seconds:9.0f}{outcome.inputs:10}{outcome.coverage:8}"
            f"{outcome.kept:8}  {'FAILED' if outcome.failure else 'nothing found'}",
            flush=True,
        )
        if outcome.failure:
            failed += 1
            print(outcome.failure, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
