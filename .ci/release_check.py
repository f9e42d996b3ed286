"""Runs everything that a release must pass. Every step runs, even after a failure.

Steps that failed or could not be checked are listed at the end, and the exit status is then 1. A
step can be left out deliberately, and is then listed, too.
Usage: release_check.py [--without STEP]...
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final, NamedTuple

from audit import NOT_ASKED

ROOT: Final = Path(__file__).resolve().parent.parent
MAKEFILE: Final = ROOT / "Makefile"

PASSED: Final = "passed"
FAILED: Final = "FAILED"
NOT_CHECKED: Final = "NOT CHECKED"
LEFT_OUT: Final = "left out"


class Step(NamedTuple):
    """One thing to check: its name, what it is about, and the command, or None if it is missing."""

    name: str
    about: str
    command: list[str] | None


def has_target(makefile: str, target: str) -> bool:
    """Return whether the text of a Makefile has a rule for a target."""
    return re.search(rf"^{re.escape(target)}\s*:(?!=)", makefile, re.MULTILINE) is not None


def steps(makefile: str) -> list[Step]:
    """Return the steps to check, the quick ones first."""

    def script(name: str, *arguments: str) -> list[str]:
        return [sys.executable, str(ROOT / ".ci" / name), *arguments]

    make = os.environ.get("MAKE", "make")
    return [
        Step(
            "versions",
            "the version, and the change log with its date",
            script("check_versions.py", "--for-release"),
        ),
        Step("addresses", "[project.urls], filled in", script("check_addresses.py")),
        Step(
            "promises",
            "import paths, codes and SQL texts",
            script("promises.py", "compare", "--for-release"),
        ),
        Step("messages", "translated into every language", script("catalogues.py")),
        Step("licences", "of all packages installed with it", script("licences.py")),
        Step("audit", "known vulnerabilities", script("audit.py")),
        Step("site", "make docs", [make, "docs"] if has_target(makefile, "docs") else None),
        Step("wheels", "built, and installed in every Python here", [make, "wheels"]),
    ]


def outcome(step: Step) -> str:
    """Run the command of a step, showing its output, and return the outcome."""
    if step.command is None:
        print("This checkout does not have the command.", file=sys.stderr)
        return NOT_CHECKED
    status = subprocess.run(step.command, check=False, cwd=ROOT).returncode
    if step.name == "audit" and status == NOT_ASKED:
        return NOT_CHECKED
    return FAILED if status else PASSED


def main() -> int:
    """Run all steps, print the outcome of each, and return the exit status."""
    wanted = steps(MAKEFILE.read_text(encoding="utf-8"))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        choices=[step.name for step in wanted],
        help="a step to leave out, which the summary shows",
    )
    left_out = parser.parse_args().without
    outcomes: dict[str, str] = {}
    for step in wanted:
        print(f"\n=== {step.name}: {step.about} ===", flush=True)
        outcomes[step.name] = LEFT_OUT if step.name in left_out else outcome(step)
    print()
    for name, what in outcomes.items():
        print(f"{name:<10} {what}")
    is_ready = not {FAILED, NOT_CHECKED} & set(outcomes.values())
    print("\nThis can be released." if is_ready else "\nThis must not be released yet.")
    return 0 if is_ready else 1


if __name__ == "__main__":
    sys.exit(main())
