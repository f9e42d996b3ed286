"""Records what a release promises in a file, and fails if a later state breaks it.

The promises are the names in `docs/public_names.json`, the error codes and ids of checks in
`docs/stability.md`, and the SQL of `django_whatwg_url.functions` on each kind of database. New ones
may be added, but existing ones must not be removed or changed.
Usage: promises.py write | compare [--for-release]
"""

from __future__ import annotations

import argparse
import importlib
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
from weburl.standard.infra.guesses import Guess

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs" / "stability.md"
NAMES: Final = ROOT / "docs" / "public_names.json"
DIRECTORY: Final = ROOT / "tests" / "promises"

# The names of Django's connections, where MariaDB is "mysql".
VENDORS: Final = ("mysql", "postgresql", "sqlite")
COLUMN: Final = '"url"'
NOT_IN_INDEXES: Final = {
    "URLPart",
    "QueryParam",
    "QueryParams",
    "URLFileExtension",
    "URLFileName",
    "URLPathSegment",
}
"""Expressions without SQL of their own: a base class, and those with parameters."""

MODULES_OF_CLASSES: Final = (
    "weburl",
    "weburl.html",
    "weburl.integrations.building_blocks",
    "weburl.keys",
    "weburl.public_suffix",
    "weburl.redirect_uris",
    "weburl.text",
    "weburl.viewer",
    "django_whatwg_url.managers",
)
"""The modules whose classes have promised members. They need no other packages.

Of fields and validators, the options are promised, and not how Django calls them.
"""


class Promises(TypedDict):
    """What a release promises."""

    names: dict[str, list[str]]
    """Public names by module."""
    codes: list[str]
    """Error codes."""
    checks: list[str]
    """Ids of Django's system checks."""
    options: dict[str, list[str]]
    """Names of arguments, by field."""
    members: dict[str, list[str]]
    """Names of methods and attributes, by public class."""
    sql: dict[str, dict[str, str]]
    """SQL by expression and kind of database, for a column `url`."""


def promises_of_page(page: str) -> dict[str, Any]:
    """Return the codes and ids that the text of `docs/stability.md` promises."""
    _, _, codes = page.partition("- **Error codes**")
    return {
        "codes": sorted(
            set(re.findall(r"`([\w-]+)`", codes.partition("\n- **The ids")[0]))
            - {"ValidationError"}
        ),
        "checks": sorted(set(re.findall(r"django_whatwg_url\.[A-Z]\d{3}", page))),
    }


def sql_of(name: str, vendor: str) -> str:
    """Return the SQL of an expression in `django_whatwg_url.functions` for the column `url`."""
    # The expressions need nothing else from Django, so no server and no driver is needed.
    compiler: Any = SimpleNamespace(compile=lambda _source: (COLUMN, ()))
    connection: Any = SimpleNamespace(vendor=vendor, display_name=vendor)
    sql, params = getattr(functions, name)("url").as_sql(compiler, connection)
    if params:
        raise ValueError(f"{name} has parameters on {vendor}, which an index does not allow")
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


def public_classes() -> dict[str, type]:
    """Return the classes whose members are promised, by the path that people import."""
    found: dict[str, type] = {}
    for name in MODULES_OF_CLASSES:
        module = importlib.import_module(name)
        for public in [*module.__all__, *(["ValidationError"] if name == "weburl" else [])]:
            value = getattr(module, public)
            if isinstance(value, type):
                found[f"{name}.{public}"] = value
    return found


def members_of(kind: type) -> list[str]:
    """Return the public names that our classes give a class, also those that it inherits."""
    return sorted(
        {
            name
            for base in kind.__mro__
            if base.__module__.partition(".")[0] in ("weburl", "django_whatwg_url")
            for name in (*vars(base), *getattr(base, "__match_args__", ()))
            if not name.startswith("_")
            if not isinstance(vars(base).get(name), Guess)
        }
    )


def promises() -> Promises:
    """Return what this checkout promises."""
    expressions = sorted(set(functions.__all__) - NOT_IN_INDEXES)
    members = {path: members_of(kind) for path, kind in public_classes().items()}
    return {
        **promises_of_page(PAGE.read_text(encoding="utf-8")),  # type: ignore[typeddict-item]
        "names": json.loads(NAMES.read_text(encoding="utf-8")),
        "options": options_of(fields) | options_of(forms),
        "members": {path: names for path, names in members.items() if names},
        "sql": {name: {vendor: sql_of(name, vendor) for vendor in VENDORS} for name in expressions},
    }


def broken(old: Promises, new: Promises) -> list[str]:
    """Return a sentence for each promise of ``old`` that ``new`` does not keep."""
    found = [
        f"{module}.{name} was promised, but is not in {NAMES.name}"
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
    found += [
        f"{kind}.{name} was promised"
        for kind, names in old.get("members", {}).items()
        for name in names
        if name not in new["members"].get(kind, ())
    ]
    for name, texts in old["sql"].items():
        for vendor, sql in texts.items():
            now = new["sql"].get(name, {}).get(vendor)
            if now != sql:
                found.append(f"the SQL of {name} on {vendor} was\n  {sql}\nand is now\n  {now}")
    return found


def snapshots(directory: Path) -> dict[Version, Path]:
    """Return the files of releases by version, the oldest first."""
    files = {Version(file.stem): file for file in directory.glob("*.json")}
    return dict(sorted(files.items()))


def read(file: Path) -> Promises:
    """Return the promises in a file."""
    kept: Promises = json.loads(file.read_text(encoding="utf-8"))
    return kept


def complaints(new: Promises, version: str, directory: Path, *, for_release: bool) -> list[str]:
    """Return what is wrong with the promises of ``version``, one sentence for each problem.

    They must keep those of the last release, and those in the file of this version if it exists.
    For a release, that file must contain exactly these promises.
    """
    kept = snapshots(directory)
    own = kept.get(Version(version))
    before = [file for of, file in kept.items() if of < Version(version)]
    found: list[str] = []
    for file in before[-1:] + ([own] if own else []):
        found += [f"{file.name}: {complaint}" for complaint in broken(read(file), new)]
    if for_release and (own is None or read(own) != new):
        found.append(f"{version}.json is not up to date: make promises writes it")
    return found


def main() -> int:
    """Write the file of this version or print what is broken, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["write", "compare"])
    parser.add_argument("--for-release", action="store_true", help="the file must be up to date")
    arguments = parser.parse_args()
    version, new = version_of_the_source(), promises()
    if arguments.action == "write":
        DIRECTORY.mkdir(exist_ok=True)
        file = DIRECTORY / f"{version}.json"
        file.write_text(json.dumps(new, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(f"{file.relative_to(ROOT)}: review its changes before you commit it")
        return 0
    found = complaints(new, version, DIRECTORY, for_release=arguments.for_release)
    for complaint in found:
        print(complaint, file=sys.stderr)
    if found:
        print(
            "A release must keep its promises. Before a version is released, its own file may be"
            " rewritten: make promises",
            file=sys.stderr,
        )
    else:
        names = sum(map(len, new["names"].values()))
        print(f"promises kept: {names} names, {len(new['sql'])} expressions in SQL")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
