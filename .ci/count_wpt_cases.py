"""Fails if a file of web-platform-tests is missing or has too few cases.

The files are those of url/resources, and those of urlpattern/resources, which may be in the same
directory or beside it. With missing or shrunken data, the tests would pass without testing.
Usage: count_wpt_cases.py DIRECTORY
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

# As of July 2026; newer data may have more.
KNOWN_CASES = {
    "urltestdata.json": 891,
    "urltestdata-javascript-only.json": 1,
    "setters_tests.json": 278,
    "toascii.json": 87,
    "IdnaTestV2.json": 2671,
    "IdnaTestV2-removed.json": 20,
    "percent-encoding.json": 7,
    "urlpatterntestdata.json": 369,
    "urlpattern-compare-test-data.json": 25,
    "urlpattern-generate-test-data.json": 19,
}


def count_cases(file: Path) -> int:
    """Return the number of objects in the file's list, or in all lists of its object.

    Text in a list is a comment and does not count.
    """
    data = json.loads(file.read_text(encoding="utf-8"))
    lists = [data] if isinstance(data, list) else [v for v in data.values() if isinstance(v, list)]
    return sum(isinstance(case, dict) for cases in lists for case in cases)


def path_of(directory: Path, name: str) -> Path:
    """Return where a file is, or would be."""
    beside = directory.resolve().parents[1] / "urlpattern" / "resources" / name
    is_beside = name.startswith("urlpattern") and not (directory / name).is_file()
    return beside if is_beside and beside.is_file() else directory / name


def main(directory: Path) -> int:
    """Print a line for each file and return the exit status."""
    short = 0
    for name, known in KNOWN_CASES.items():
        file = path_of(directory, name)
        found = count_cases(file) if file.is_file() else 0
        short += found < known
        verdict = "ok" if found >= known else "TOO FEW" if file.is_file() else "MISSING"
        print(f"{name:<34} {found:>5} cases, {known:>5} known  {verdict}")
    if short:
        print(
            "Point WPT_URL_RESOURCES at url/resources of a web-platform-tests checkout that has"
            " urlpattern/resources too (CONTRIBUTING.md says how to get one).",
            file=sys.stderr,
        )
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
