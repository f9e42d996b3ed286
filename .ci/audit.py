"""Runs pip-audit to find known vulnerabilities in what the package installs.

The exit status is 0 if every package was looked up and has no known vulnerability, 1 if one has,
and 3 if the service could not look up a package, so that the result is unknown. (pip-audit itself
exits with 0 and "No known vulnerabilities found" if it found no package to look up.)
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
# In seconds, for each response of the service.
_TIMEOUT: Final = 15


def requirements() -> list[str]:
    """Return the packages installed with this package and its extras, with their versions."""
    return [f"{name}=={version(name)}" for name, _ in packages() if metadata_of(name) is not None]


def judged(wanted: list[str], output: str) -> tuple[int, list[str]]:
    """Return the exit status for pip-audit's JSON ``output``, and the lines to print.

    ``wanted``: the requirements that it should have looked up.
    """
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
        return NOT_ASKED, [*lines, "So it is not known whether there are vulnerabilities."]
    return NOTHING_KNOWN, [f"no known vulnerability in {len(wanted)} packages"]


def main() -> int:
    """Print the result and return the exit status."""
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
