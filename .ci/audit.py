"""Asks pip-audit whether a vulnerability is known of what comes with the package.

Three answers: 0 where each package was looked up and nothing is known, 1 where something is, and
3 where the service could not be asked about one of them, which says nothing. (pip-audit itself
ends with 0, and "No known vulnerabilities found", where it found no package to look up.)
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from licences import metadata_of, packages

NOTHING_KNOWN: Final = 0
VULNERABLE: Final = 1
NOT_ASKED: Final = 3
# In seconds, for each answer of the service.
_TIMEOUT: Final = 15


def requirements() -> list[str]:
    """Return what is installed with the package and its extras, each with its version."""
    return [f"{name}=={version(name)}" for name, _ in packages() if metadata_of(name) is not None]


def judged(wanted: list[str], output: str) -> tuple[int, list[str]]:
    """Return the exit status for pip-audit's JSON, and what to say about it, in a line each."""
    try:
        answer: dict[str, Any] = json.loads(output)
    except ValueError:
        return NOT_ASKED, ["pip-audit gave no answer: nothing was looked up"]
    vulnerable: list[str] = []
    looked_up: set[str] = set()
    for package in answer["dependencies"]:
        if "version" not in package:
            continue
        looked_up.add(f"{package['name']}=={package['version']}")
        vulnerable += [
            f"{package['name']} {package['version']}: {known['id']},"
            f" fixed in {', '.join(known['fix_versions']) or 'no version'}"
            for known in package["vulns"]
        ]
    missing = [requirement for requirement in wanted if requirement not in looked_up]
    lines = [*vulnerable]
    if missing:
        lines.append(f"not looked up: {', '.join(missing)}")
    if vulnerable:
        return VULNERABLE, lines
    if missing or not wanted:
        return NOT_ASKED, [*lines, "This says nothing about vulnerabilities."]
    return NOTHING_KNOWN, [f"no vulnerability known of {len(wanted)} packages"]


def main() -> int:
    """Print the answer and return the exit status."""
    wanted = requirements()
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory) / "requirements.txt"
        file.write_text("\n".join(wanted) + "\n", encoding="utf-8")
        command = [sys.executable, "-m", "pip_audit", "--requirement", str(file)]
        command += ["--no-deps", "--disable-pip", "--format=json", "--progress-spinner=off"]
        command += [f"--timeout={_TIMEOUT}"]
        result = subprocess.run(command, check=False, capture_output=True, text=True)
    status, lines = judged(wanted, result.stdout)
    if status == NOT_ASKED and not result.stdout:
        lines += result.stderr.strip().splitlines()[-1:]
    print("\n".join(lines), file=sys.stderr if status else sys.stdout)
    return status


if __name__ == "__main__":
    sys.exit(main())
