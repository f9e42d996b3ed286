"""Which module may import which: floors of `weburl`, and its public names for the Django app.

Read from the source, function by function, so that an import that only happens when it is
needed is seen too.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import weburl

ROOT: Final = Path(__file__).resolve().parents[1]
WEBURL: Final = ROOT / "src" / "weburl"
DJANGO_APP: Final = ROOT / "django_whatwg_url"

# From the ground up. A module imports from the floors below its own and from no other.
FLOORS: Final = (
    # What knows nothing of URLs, and names.
    ("infra", "errors", "code_points", "punycode", "encodings", "serializer", "legacy.errors"),
    # Tables of Unicode, sentences, bytes and numbers.
    ("uts46", "explanations", "percent_encoding", "ipv4", "ipv6", "legacy.idna2003"),
    # Domains; a path's segments; a form's pairs; the older grammars.
    ("idna", "path", "form_urlencoded", "legacy.rfc3986"),
    # Hosts as values; a query as an object; what older addresses have in common.
    ("hosts", "search_params", "legacy.rfc3987", "legacy.resolving"),
    # From text to hosts; what holds for every record; the HTML5 draft.
    ("host", "invariants", "legacy.hosts_2020", "legacy.html5_urls"),
    # URLs as values; what stands on the draft; the state machine of 2020.
    (
        "records",
        "legacy.web_addresses",
        "legacy.base_urls",
        "legacy.decomposition",
        "legacy.drafts_2020",
    ),
    # From text to records, the grammar beside it, and what is said of errors.
    ("parser", "writing", "report", "legacy.machine_2020"),
    # What is done with records.
    ("setters", "origin", "api", "legacy.url_standard_2020"),
    # What a record's methods need of the floors above it, and the web's interface.
    ("operations", "url", "legacy.history"),
    ("__init__", "legacy.history_command"),
    ("__main__",),
)
FLOOR_OF: Final = {name: floor for floor, names in enumerate(FLOORS) for name in names}

# The subpackage of the older rules, which `import weburl` never loads.
LEGACY: Final = "legacy"

# Modules with big tables, which most programs never need, and what they import for themselves.
LOADED_WHEN_NEEDED: Final = {"uts46", "punycode", "encodings"}
THIRD_PARTY: Final = {
    "attrs": "everywhere",
    "idna": ("uts46",),
    "unicodedata2": ("uts46",),
    "webencodings": ("encodings",),
}


def modules(package: Path) -> list[Path]:
    """Return the modules of a package, those of its subpackages too."""
    return sorted(package.rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the name of a module of `weburl` within it; that of a subpackage for its init."""
    parts = path.relative_to(WEBURL).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


def imports(path: Path) -> Iterator[tuple[str, str | None, bool]]:
    """Yield module, name (or None) and whether it happens on import, for each import in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    in_functions = {
        id(inner)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for inner in ast.walk(outer)
    }
    for node in ast.walk(tree):
        at_once = id(node) not in in_functions
        if isinstance(node, ast.Import):
            yield from ((alias.name, None, at_once) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}:{node.lineno}: an import names its package"
            assert node.module is not None
            yield from ((node.module, alias.name, at_once) for alias in node.names)


def imported_modules_of_weburl(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the modules of `weburl` that a file imports, and whether it does so on import."""
    for module, name, at_once in imports(path):
        package, _, rest = module.partition(".")
        if package == "weburl":
            if rest and rest != LEGACY:
                yield rest, at_once
            elif rest:
                yield f"{rest}.{name}", at_once
            else:
                assert name is not None, f"{path.name} imports the package it is in"
                yield name, at_once


def called_import_functions(path: Path) -> list[str]:
    """Return the calls in a file that import by other means than an import statement."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if "import_module" in call or call == "__import__"]


def test_every_module_is_on_one_floor() -> None:
    """A new module finds its floor here; one that is gone leaves it."""
    assert sorted([*FLOOR_OF, LEGACY]) == sorted(map(name_of, modules(WEBURL)))
    assert len(FLOOR_OF) == sum(map(len, FLOORS))


def test_the_init_of_the_older_rules_imports_nothing() -> None:
    """It only says what is there, so that it needs no floor."""
    assert {module for module, _, _ in imports(WEBURL / LEGACY / "__init__.py")} == set()


def test_only_the_command_line_and_the_older_rules_themselves_import_older_rules() -> None:
    """The former when it is asked for them."""
    for path in modules(WEBURL):
        for name, at_once in imported_modules_of_weburl(path):
            if name.startswith(f"{LEGACY}.") and LEGACY not in path.parts:
                assert (path.stem, at_once) == ("__main__", False)


@pytest.mark.parametrize("path", modules(WEBURL), ids=name_of)
def test_a_module_imports_from_the_floors_below_it(path: Path) -> None:
    """Also inside its functions."""
    imported = {name for name, _ in imported_modules_of_weburl(path)}
    floor = FLOOR_OF.get(name_of(path), 0)
    above = {name for name in imported if FLOOR_OF[name] >= floor}
    assert above == set()
    assert called_import_functions(path) == []


def test_no_floor_could_be_done_without() -> None:
    """Every module above the ground imports from the floor right below it, or it would be lower."""
    for path in modules(WEBURL):
        floors = [FLOOR_OF[name] for name, _ in imported_modules_of_weburl(path)]
        if path.stem == "__init__":
            continue
        name = name_of(path)
        assert FLOOR_OF[name] == max(floors, default=-1) + 1 or name == "__main__", (
            f"{name} could be on floor {max(floors, default=-1) + 1}"
        )


@pytest.mark.parametrize("path", modules(WEBURL), ids=name_of)
def test_a_module_imports_no_django_and_other_packages_only_where_they_are_wanted(
    path: Path,
) -> None:
    """The standard library, attrs, and what two modules are there to hide."""
    for module, _, _ in imports(path):
        package = module.partition(".")[0]
        if package == "weburl" or package in sys.stdlib_module_names:
            continue
        assert package in THIRD_PARTY, f"{path.name} imports {module}"
        allowed = THIRD_PARTY[package]
        assert allowed == "everywhere" or path.stem in allowed, f"{path.name} imports {module}"


def test_modules_with_big_tables_are_imported_inside_functions_alone() -> None:
    """Wherever one is imported, but by another of them; and each of them is somewhere."""
    wanted = set()
    for path in modules(WEBURL):
        for name, at_once in imported_modules_of_weburl(path):
            if name in LOADED_WHEN_NEEDED and path.stem in LOADED_WHEN_NEEDED:
                wanted.add(name)
            elif name in LOADED_WHEN_NEEDED:
                assert not at_once, f"{path.name} imports {name} at once"
                wanted.add(name)
    assert wanted == LOADED_WHEN_NEEDED


def test_import_loads_neither_django_nor_any_table_that_a_url_may_not_need() -> None:
    """In a fresh interpreter, which an import there has not prepared."""
    unwanted = [
        "django",
        "django_whatwg_url",
        "idna",
        "unicodedata2",
        "webencodings",
        *(f"weburl.{name}" for name in sorted(LOADED_WHEN_NEEDED)),
    ]
    program = (
        "import sys; before = set(sys.modules); import weburl; "
        "weburl.parse('https://user@example.com:8080/a/../b?c#d').with_host('h').join('?\\u00e9'); "
        "print(*sorted(set(sys.modules) - before))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    loaded = result.stdout.split()
    assert "weburl.parser" in loaded
    assert [name for name in unwanted if name in loaded] == []
    assert [name for name in loaded if name.startswith("weburl.")] == sorted(
        f"weburl.{name}"
        for name in set(FLOOR_OF) - LOADED_WHEN_NEEDED - {"__init__", "__main__"}
        if not name.startswith(LEGACY)
    )


def test_the_public_names_are_sorted_and_there() -> None:
    """Each of them once, none private, and every one documented."""
    names = weburl.__all__
    assert names == sorted(
        names, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    assert len(set(names)) == len(names)
    for name in names:
        assert not name.startswith("_")
        assert getattr(weburl, name).__doc__


def test_the_django_app_imports_public_names_of_weburl_alone() -> None:
    """`import weburl`, or what `weburl.__all__` names, from the package itself."""
    paths = modules(DJANGO_APP)
    seen = 0
    for path in paths:
        assert called_import_functions(path) == [], path.name
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for module, name, _ in imports(path):
            if module.partition(".")[0] == "weburl":
                assert module == "weburl", f"{path.name} imports {module}"
                assert name is None or name in weburl.__all__, f"{path.name} imports {name}"
                seen += 1
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "weburl"
            ):
                assert node.attr in weburl.__all__, f"{path.name} uses weburl.{node.attr}"
    assert seen > 0
    assert len(paths) > 1
