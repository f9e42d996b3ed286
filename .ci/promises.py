"""Compares what a release promised in text and SQL with this checkout.

griffe compares import paths, signatures and members with the last tag: `make promises`. It cannot
see error codes, ids of checks, and the SQL of `django_whatwg_url.functions`, which old migrations
and indexes contain. They are in `tests/promises/`, in a file for each version. New ones may be
added, but existing ones must not be removed or changed.
Usage: promises.py write | compare [--for-release]
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from packaging.version import Version

from check_versions import version_of_the_source
from django_whatwg_url import functions

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "stability.md"
DIRECTORY: Final = ROOT / "tests" / "promises"

# The names of Django's connections, where MariaDB is "mysql".
VENDORS: Final = ("mysql", "postgresql", "sqlite")
NOT_IN_INDEXES: Final = {
    "URLPart",
    "QueryParam",
    "QueryParams",
    "URLFileExtension",
    "URLFileName",
    "URLPathSegment",
}
"""Expressions without SQL of their own: a base class, and those with parameters."""


def sql_of(name: str, vendor: str) -> str:
    """Return the SQL of an expression in `django_whatwg_url.functions` for the column `url`."""
    # The expressions need nothing else from Django, so no server and no driver is needed.
    compiler: Any = SimpleNamespace(compile=lambda _source: ('"url"', ()))
    connection: Any = SimpleNamespace(vendor=vendor, display_name=vendor)
    sql, params = getattr(functions, name)("url").as_sql(compiler, connection)
    if params:
        raise ValueError(f"{name} has parameters on {vendor}, which an index does not allow")
    return str(sql)


def promises() -> dict[str, Any]:
    """Return the error codes and ids of `docs/stability.md`, and the SQL by name and database."""
    page = PAGE.read_text(encoding="utf-8")
    _, _, codes = page.partition("- **Error codes**")
    found = re.findall(r"`([\w-]+)`", codes.partition("\n- **The ids")[0])
    return {
        "codes": sorted(set(found) - {"ValidationError"}),
        "checks": sorted(set(re.findall(r"django_whatwg_url\.[A-Z]\d{3}", page))),
        "sql": {
            name: {vendor: sql_of(name, vendor) for vendor in VENDORS}
            for name in sorted(set(functions.__all__) - NOT_IN_INDEXES)
        },
    }


def broken(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Return a sentence for each promise of ``old`` that ``new`` does not keep."""
    found = [
        f"{one} was promised" for kind in ("codes", "checks") for one in old[kind]
        if one not in new[kind]
    ]  # fmt: skip
    for name, texts in old["sql"].items():
        for vendor, sql in texts.items():
            now = new["sql"].get(name, {}).get(vendor)
            if now != sql:
                found.append(f"the SQL of {name} on {vendor} was\n  {sql}\nand is now\n  {now}")
    return found


def complaints(new: dict[str, Any], version: str, *, for_release: bool) -> list[str]:
    """Return what is wrong: broken promises of the last release, or of this version's own file.

    ``for_release``: that file must contain exactly the promises of this checkout.
    """
    kept = sorted((Version(file.stem), file) for file in DIRECTORY.glob("*.json"))
    last = [file for of, file in kept if of <= Version(version)][-2:]
    found = [
        f"{file.name}: {complaint}"
        for file in last
        for complaint in broken(json.loads(file.read_text(encoding="utf-8")), new)
    ]
    own = DIRECTORY / f"{version}.json"
    if for_release and json.loads(own.read_text(encoding="utf-8")) != new:
        found.append(f"{own.name} is not up to date: make promises writes it")
    return found


def main() -> int:
    """Write the file of this version or print what is broken, and return the exit status."""
    version, new = version_of_the_source(), promises()
    if sys.argv[1:] == ["write"]:
        text = json.dumps(new, indent=1, sort_keys=True)
        (DIRECTORY / f"{version}.json").write_text(f"{text}\n", encoding="utf-8")
    found = complaints(new, version, for_release="--for-release" in sys.argv)
    print("\n".join(found) or f"promises kept: {len(new['sql'])} expressions in SQL")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
