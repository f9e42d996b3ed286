"""Fails unless a wheel holds the two packages, each with its py.typed, and nothing else.

What must be in it is every Python file of the packages' directories, every translation with its
source, and their py.typed.
Usage: check_wheel.py WHEEL
"""

from __future__ import annotations

import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {"weburl": ROOT / "src" / "weburl", "django_whatwg_url": ROOT / "django_whatwg_url"}

SUFFIXES = {".py", ".po", ".mo"}


def files_of_the_packages() -> set[str]:
    """Return the wheel's expected members, as paths from its top."""
    return {
        f"{name}/{file.relative_to(directory).as_posix()}"
        for name, directory in PACKAGES.items()
        for file in directory.rglob("*")
        if file.suffix in SUFFIXES
    } | {f"{name}/py.typed" for name in PACKAGES}


def main(wheel: Path) -> int:
    """Print what is wrong with the wheel, if anything, and return the exit status."""
    distribution, version = wheel.name.split("-")[:2]
    metadata = f"{distribution}-{version}.dist-info/"
    with ZipFile(wheel) as archive:
        members = {name for name in archive.namelist() if not name.endswith("/")}
    packaged = {name for name in members if not name.startswith(metadata)}
    expected = files_of_the_packages()
    complaints = [f"lacks {name}" for name in sorted(expected - packaged)]
    complaints += [f"holds {name}" for name in sorted(packaged - expected)]
    if f"{metadata}licenses/LICENSE" not in members:
        complaints.append("lacks its LICENSE")
    for complaint in complaints:
        print(f"{wheel.name} {complaint}", file=sys.stderr)
    if not complaints:
        print(f"{wheel.name}: {len(packaged)} files of {' and '.join(PACKAGES)}, nothing else")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
