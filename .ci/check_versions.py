"""Fails if the version and the top of the change log do not agree.

The version is in `weburl/__init__.py`, where the build reads it. The change log's top section must
be `## VERSION (unreleased)`, or `## VERSION (YYYY-MM-DD)` for a release.
Usage: check_versions.py [--for-release] [--tag vVERSION]
"""

from __future__ import annotations

import argparse
import ast
import datetime as dt
import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
SOURCE: Final = ROOT / "src" / "weburl" / "__init__.py"
CHANGES: Final = ROOT / "CHANGELOG.md"

UNRELEASED: Final = "unreleased"
# The part of PEP 440 that this project uses: 1.2.0, 1.2.0rc1, 1.2.0.post1.
_VERSION: Final = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?(?:\.post\d+)?")
_SECTION: Final = re.compile(r"^## (\S+) \((.+)\)$", re.MULTILINE)


class Section(NamedTuple):
    """The head of a section of the change log: its version, and its date or "unreleased"."""

    version: str
    date: str


def written_version(source: str) -> str:
    """Return the `__version__` in the text of a module. Raises ValueError if it has none."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__version__":
            return str(ast.literal_eval(node.value))
    raise ValueError("the module has no __version__")


def version_of_the_source() -> str:
    """Return the version in `weburl/__init__.py`."""
    return written_version(SOURCE.read_text(encoding="utf-8"))


def top_section(changes: str) -> Section | None:
    """Return the head of the first section of a change log, or None if it has no section."""
    found = _SECTION.search(changes)
    return Section(found[1], found[2]) if found else None


def complaints(
    version: str, changes: str, *, today: dt.date, for_release: bool, tag: str | None = None
) -> list[str]:
    """Return what is wrong with a version and a change log, one sentence for each problem.

    Args:
        version: The version in the source.
        changes: The text of the change log.
        today: The current date, which a release must not be after.
        for_release: Whether the change log must have a date.
        tag: The tag of the release, or None.
    """
    found: list[str] = []
    if not _VERSION.fullmatch(version):
        found.append(f"__version__ is {version!r}, which is not a version such as 1.2.0")
    if tag is not None and tag != f"v{version}":
        found.append(f"the tag is {tag!r}, but __version__ requires 'v{version}'")
    section = top_section(changes)
    if section is None:
        return [*found, "the change log has no section such as '## 1.2.0 (unreleased)'"]
    if section.version != version:
        found.append(f"__version__ is {version}, but the change log begins with {section.version}")
    if section.date == UNRELEASED:
        if for_release:
            found.append(f"the change log has no date for {section.version}")
        return found
    try:
        date = dt.date.fromisoformat(section.date)
    except ValueError:
        return [*found, f"{section.date!r} in the change log is neither a date nor 'unreleased'"]
    if date > today:
        found.append(f"the change log has the date {date}, which is in the future")
    return found


def main() -> int:
    """Print what is wrong, or the version, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--for-release", action="store_true", help="the change log needs a date")
    parser.add_argument("--tag", help="the tag of the release, which must match the version")
    arguments = parser.parse_args()
    version = version_of_the_source()
    found = complaints(
        version,
        CHANGES.read_text(encoding="utf-8"),
        today=dt.datetime.now(dt.UTC).date(),
        for_release=arguments.for_release or arguments.tag is not None,
        tag=arguments.tag,
    )
    for complaint in found:
        print(complaint, file=sys.stderr)
    if not found:
        print(f"version {version}: the change log agrees")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
