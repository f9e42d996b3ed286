"""Keeps what a release promises in a file, and fails where a later state breaks it.

Promised are the names, error codes and ids of checks on `docs/stability.md`, and the SQL texts of
`django_whatwg_url.functions` on each kind of database. More may come; none may go or change.
Usage: promises.py write | compare [--for-release]
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Final, TypedDict

from packaging.version import Version

from check_versions import version_of_the_source
from django_whatwg_url import fields, forms, functions

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "stability.md"
DIRECTORY: Final = ROOT / "tests" / "promises"

# As Django's connections call them; MariaDB is "mysql" there.
VENDORS: Final = ("mysql", "postgresql", "sqlite")
COLUMN: Final = '"url"'
# What has no SQL of its own: the parent of the others.
_ABSTRACT: Final = {"URLPart"}

_ROW: Final = re.compile(r"^\| `([\w.]+)` \| (.*) \|$", re.MULTILINE)


class Promises(TypedDict):
    """What a release promises."""

    names: dict[str, list[str]]
    """By module."""
    codes: list[str]
    """Of errors."""
    checks: list[str]
    """Ids of Django's system checks."""
    options: dict[str, list[str]]
    """Names of arguments, by field."""
    sql: dict[str, dict[str, str]]
    """By expression and kind of database, for a column `url`."""


def promises_of_page(page: str) -> dict[str, Any]:
    """Return the names, codes and ids that the text of `docs/stability.md` promises."""
    _, _, codes = page.partition("- **Error codes**")
    return {
        "names": {module: re.findall(r"`(\w+)`", names) for module, names in _ROW.findall(page)},
        "codes": sorted(
            set(re.findall(r"`([\w-]+)`", codes.partition("\n- **The ids")[0]))
            - {"ValidationError"}
        ),
        "checks": sorted(set(re.findall(r"django_whatwg_url\.[A-Z]\d{3}", page))),
    }


def sql_of(name: str, vendor: str) -> str:
    """Return the SQL of an expression in `django_whatwg_url.functions` of the column `url`."""
    # All that the expressions ask of Django: no server, and no driver, is needed for it.
    compiler: Any = SimpleNamespace(compile=lambda _source: (COLUMN, ()))
    connection: Any = SimpleNamespace(vendor=vendor, display_name=vendor)
    sql, params = getattr(functions, name)("url").as_sql(compiler, connection)
    if params:
        raise ValueError(f"{name} has parameters on {vendor}, which no index can hold")
    return str(sql)


def options_of(module: ModuleType) -> dict[str, list[str]]:
    """Return the names of the arguments of each field in a module of fields."""
    return {
        f"{module.__name__}.{name}": [
            parameter.name
            for parameter in inspect.signature(getattr(module, name)).parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        for name in sorted(module.__all__)
        if name.endswith("Field")
    }


def promises() -> Promises:
    """Return what this checkout promises."""
    expressions = sorted(set(functions.__all__) - _ABSTRACT)
    return {
        **promises_of_page(PAGE.read_text(encoding="utf-8")),  # type: ignore[typeddict-item]
        "options": options_of(fields) | options_of(forms),
        "sql": {name: {vendor: sql_of(name, vendor) for vendor in VENDORS} for name in expressions},
    }


def broken(old: Promises, new: Promises) -> list[str]:
    """Return each promise of ``old`` that ``new`` does not keep, in a sentence."""
    found = [
        f"{module}.{name} was promised, and is not on the page"
        for module, names in old["names"].items()
        for name in names
        if name not in new["names"].get(module, ())
    ]
    found += [
        f"the error code {code} was promised" for code in old["codes"] if code not in new["codes"]
    ]
    found += [
        f"the id {check} was promised" for check in old["checks"] if check not in new["checks"]
    ]
    found += [
        f"the option {option} of {field} was promised"
        for field, options in old.get("options", {}).items()
        for option in options
        if option not in new["options"].get(field, ())
    ]
    for name, texts in old["sql"].items():
        for vendor, sql in texts.items():
            now = new["sql"].get(name, {}).get(vendor)
            if now != sql:
                found.append(f"the SQL of {name} on {vendor} was\n  {sql}\nand is\n  {now}")
    return found


def snapshots(directory: Path) -> dict[Version, Path]:
    """Return the files of releases by their versions, the oldest first."""
    files = {Version(file.stem): file for file in directory.glob("*.json")}
    return dict(sorted(files.items()))


def read(file: Path) -> Promises:
    """Return what is kept in a file."""
    kept: Promises = json.loads(file.read_text(encoding="utf-8"))
    return kept


def complaints(new: Promises, version: str, directory: Path, *, for_release: bool) -> list[str]:
    """Return what is wrong with the promises of ``version``, in a sentence each.

    They keep those of the last release, and of this version where its file was written already. For
    a release that file has to hold exactly these.
    """
    kept = snapshots(directory)
    own = kept.get(Version(version))
    before = [file for of, file in kept.items() if of < Version(version)]
    found: list[str] = []
    for file in before[-1:] + ([own] if own else []):
        found += [f"{file.name}: {complaint}" for complaint in broken(read(file), new)]
    if for_release and (own is None or read(own) != new):
        found.append(f"{version}.json does not hold what is promised now: make promises writes it")
    return found


def main() -> int:
    """Write the file of this version, or print what is broken; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["write", "compare"])
    parser.add_argument("--for-release", action="store_true", help="the file has to be up to date")
    arguments = parser.parse_args()
    version, new = version_of_the_source(), promises()
    if arguments.action == "write":
        DIRECTORY.mkdir(exist_ok=True)
        file = DIRECTORY / f"{version}.json"
        file.write_text(json.dumps(new, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{file.relative_to(ROOT)}: look at what changed in it before you commit it")
        return 0
    found = complaints(new, version, DIRECTORY, for_release=arguments.for_release)
    for complaint in found:
        print(complaint, file=sys.stderr)
    if found:
        print(
            "What a release promised stays. Only before the first release of a version may its own"
            " file be written again: make promises",
            file=sys.stderr,
        )
    else:
        names = sum(map(len, new["names"].values()))
        print(f"promises kept: {names} names, {len(new['sql'])} expressions in SQL")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
