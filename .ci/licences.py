"""Lists the licences of all packages that ours install, and fails on an unknown one.

They are read from the metadata of the installed packages: the dependencies, those of the extras,
and what these need on this platform. The list is in `docs/dependencies.md`.
Usage: licences.py [--write]
"""

from __future__ import annotations

import re
import sys
from email.message import Message
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Final, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "dependencies.md"
DISTRIBUTIONS: Final = ("weburl", "django-whatwg-url")

# The SPDX names of licences that are fine for every user of this package.
ACCEPTED: Final = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CNRI-Python",
    "ISC",
    "MIT",
    "MPL-2.0",
    "PSF-2.0",
    "Zlib",
}
# Names of licences in older metadata, with their SPDX names.
_SPDX: Final = {
    "Apache License 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
_OPERATOR: Final = re.compile(r"\s+(?:AND|OR|WITH)\s+|[()]")
_LIST: Final = re.compile(r"(<!-- licences -->\n).*?(?=<!-- end of licences -->)", re.DOTALL)


class Package(NamedTuple):
    """A package that this one installs: its name, and its licence or None if it is unknown."""

    name: str
    licence: str | None


def licence_of(told: Message) -> str | None:
    """Return the SPDX name of the licence in a package's metadata, or None."""
    expression: str | None = told.get("License-Expression")
    if expression:
        return expression
    classifiers = [
        text.rpartition(" :: ")[2]
        for text in told.get_all("Classifier", [])
        if text.startswith("License ::") and not text.endswith(":: OSI Approved")
    ]
    if classifiers:
        return " AND ".join(sorted(_SPDX.get(name, name) for name in classifiers))
    text = (told.get("License") or "").strip()
    # Some packages put the whole text of the licence there.
    return _SPDX.get(text, text) if text and "\n" not in text else None


def is_accepted(licence: str | None) -> bool:
    """Return whether we accept each licence in an expression."""
    if not licence:
        return False
    return all(name in ACCEPTED for name in _OPERATOR.split(licence) if name.strip())


def wanted_by(told: Message, extras: frozenset[str]) -> list[Requirement]:
    """Return the requirements of a package that apply on this platform, with these extras."""
    requirements = map(Requirement, told.get_all("Requires-Dist", []))
    return [
        requirement
        for requirement in requirements
        if requirement.marker is None
        or any(requirement.marker.evaluate({"extra": extra}) for extra in {"", *extras})
    ]


def metadata_of(name: str) -> Message | None:
    """Return the metadata of a package, or None if it is not installed."""
    try:
        return metadata(name)  # type: ignore[return-value]
    except PackageNotFoundError:
        return None


def packages(*distributions: str, with_extras: bool = True) -> list[Package]:
    """Return all packages that ``distributions`` need, sorted by name, without themselves.

    Without an argument, they are ours.
    """
    distributions = distributions or DISTRIBUTIONS
    waiting: list[Requirement] = []
    for distribution in distributions:
        own = metadata_of(distribution)
        assert own is not None, f"{distribution} is not installed"
        extras = frozenset(own.get_all("Provides-Extra", [])) if with_extras else frozenset[str]()
        waiting += wanted_by(own, extras)
    found: dict[str, Package] = {}
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in found or name in distributions:
            continue
        told = metadata_of(name)
        found[name] = Package(name, None if told is None else licence_of(told))
        if told is not None:
            waiting += wanted_by(told, frozenset(requirement.extras))
    return sorted(found.values())


def table(listed: list[Package]) -> str:
    """Return the table of `docs/dependencies.md`, with a row for each licence."""
    by_licence: dict[str, list[str]] = {}
    for name, licence in listed:
        by_licence.setdefault(licence or "unknown", []).append(name)
    rows = [f"| {licence} | {', '.join(by_licence[licence])} |" for licence in sorted(by_licence)]
    return "\n".join(["", "| licence | packages |", "|---|---|", *rows, "", ""])


def with_table(page: str, listed: list[Package]) -> str:
    """Return the text of a page with its table replaced."""
    return _LIST.sub(lambda found: found[1] + table(listed), page)


def complaints(listed: list[Package], page: str) -> list[str]:
    """Return what is wrong, one sentence for each problem."""
    found = [
        f"{name} has an unknown licence: {licence or 'not installed, or not in its metadata'}"
        for name, licence in listed
        if not is_accepted(licence)
    ]
    if with_table(page, listed) != page:
        found.append(f"the list in {PAGE.relative_to(ROOT)} is not up to date: make licences")
    return found


def main() -> int:
    """Print what is wrong, or the list, and return the exit status."""
    listed = packages()
    page = PAGE.read_text(encoding="utf-8")
    if sys.argv[1:] == ["--write"]:
        page = with_table(page, listed)
        PAGE.write_text(page, encoding="utf-8")
    found = complaints(listed, page)
    for complaint in found:
        print(complaint, file=sys.stderr)
    if not found:
        print(f"licences known: {', '.join(f'{name} {licence}' for name, licence in listed)}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
