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
from types import ModuleType
from typing import Final

import pytest

import weburl
import weburl.html
from weburl.build import COMPILED

ROOT: Final = Path(__file__).resolve().parents[1]
WEBURL: Final = ROOT / "src" / "weburl"
DJANGO_APP: Final = ROOT / "django_whatwg_url"

# From the ground up. A module imports from the floors below its own and from no other.
FLOORS: Final = (
    # What knows nothing of URLs, and names.
    (
        "infra",
        "errors",
        "code_points",
        "punycode",
        "encodings",
        "serializer",
        "build",
        "spoofing",
        "html.speculation_rules",
        "legacy",
        "legacy.errors",
    ),
    # Tables of Unicode, sentences, numbers, and loops over code points.
    (
        "uts46",
        "explanations",
        "ipv4",
        "ipv6",
        "loops",
        "url_units",
        "html.attributes",
        "html.encodings",
        "legacy.idna2003",
    ),
    # Bytes; domains, and which part of one is registered.
    ("percent_encoding", "idna", "public_suffix", "html.tree", "legacy.rfc3986"),
    # Hosts as values; a path's segments; a form's pairs.
    ("hosts", "path", "form_urlencoded", "legible", "legacy.resolving", "legacy.rfc3987"),
    # From text to hosts; what holds for every record; a query as an object.
    ("host", "invariants", "search_params", "legacy.hosts_2020", "legacy.html5_urls"),
    # URLs and origins as values.
    (
        "records",
        "origins",
        "legacy.base_urls",
        "legacy.decomposition",
        "legacy.drafts_2020",
        "legacy.web_addresses",
    ),
    # From text to records, the grammar beside it, and what is said of errors.
    ("fast_path_loops", "fast_path_regex", "parser", "writing", "report", "legacy.machine_2020"),
    # What is done with records.
    ("fast_path", "setters", "origin", "legacy.url_standard_2020"),
    ("api", "rendering"),
    # What a record's methods need of the floors above it, the web's interface, and
    # what is for files and for people.
    (
        "operations",
        "url",
        "sites",
        "file_urls",
        "rendering_html",
        "html.terminology",
        "legacy.history",
    ),
    ("__init__", "html.documents", "legacy.history_command"),
    ("__main__", "html.fetching", "html.link"),
    ("html.finding",),
    ("html.pages",),
    ("html",),
)
FLOOR_OF: Final = {name: floor for floor, names in enumerate(FLOORS) for name in names}

# The subpackage of the older rules, which `import weburl` never loads.
LEGACY: Final = "legacy"

# What a program that only parses does without: it is loaded when somebody asks for it.
LOADED_WHEN_ASKED_FOR: Final = {
    "explanations",
    "file_urls",
    "legible",
    "operations",
    "origin",
    "origins",
    "rendering",
    "rendering_html",
    "report",
    "search_params",
    "setters",
    "sites",
    "url",
    "url_units",
    "writing",
}
# The bodies of the fast path that this build does not use.
OTHER_BUILD: Final = {"fast_path_regex"} if COMPILED else {"fast_path_loops", "loops"}
# The subpackage for HTML, which `import weburl` never loads.
HTML: Final = "html"

# Modules with big tables, which most programs never need, and what they import for themselves.
LOADED_WHEN_NEEDED: Final = {"uts46", "punycode", "encodings", "public_suffix", "spoofing"}
THIRD_PARTY: Final = {
    "attrs": "everywhere",
    "idna": ("uts46", "spoofing"),
    "mypy_extensions": ("loops", "fast_path_loops"),
    "publicsuffixlist": ("public_suffix",),
    "regex": ("spoofing",),
    "turbohtml": ("html.tree",),
    "unicodedata2": ("uts46", "spoofing"),
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
    assert sorted(FLOOR_OF) == sorted(map(name_of, modules(WEBURL)))
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
    above = {name for name in imported if FLOOR_OF[name] >= FLOOR_OF[name_of(path)]}
    assert above == set()
    # The package itself loads some of its names late: a test below says which.
    late = ["importlib.import_module"] if name_of(path) == "__init__" else []
    assert called_import_functions(path) == late


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
        assert allowed == "everywhere" or name_of(path) in allowed, f"{path.name} imports {module}"


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


def printed_by(program: str) -> list[str]:
    """Return the lines that a program prints, in an interpreter of its own."""
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    return result.stdout.splitlines()


def test_import_loads_neither_django_nor_any_table_that_a_url_may_not_need() -> None:
    """In a fresh interpreter, which an import there has not prepared."""
    unwanted = [
        "django",
        "django_whatwg_url",
        "idna",
        "regex",
        "unicodedata2",
        "webencodings",
        "publicsuffixlist",
        "turbohtml",
        *(f"weburl.{name}" for name in sorted(LOADED_WHEN_NEEDED)),
    ]
    program = (
        "import sys; before = set(sys.modules); import weburl; "
        "weburl.parse('https://user@example.com:8080/a/../b?c#d'); "
        "print(*sorted(set(sys.modules) - before)); "
        "weburl.parse('https://h').with_host('i').join('?\u00e9').origin; "
        "weburl.URL('https://h?a=b').search_params.append('c', 'd'); "
        "weburl.check('https:h'); "
        "print(*sorted(set(sys.modules) - before))"
    )
    first, second = map(str.split, printed_by(program))
    assert "weburl.parser" in first
    assert [name for name in unwanted if name in second] == []
    never = LOADED_WHEN_NEEDED | OTHER_BUILD | {"__init__", "__main__"}
    assert [name for name in first if name.startswith("weburl.")] == sorted(
        f"weburl.{name}"
        for name in set(FLOOR_OF) - never - LOADED_WHEN_ASKED_FOR
        if name.partition(".")[0] != HTML
        if not name.startswith(LEGACY)
    )


def test_every_public_name_is_known_to_the_type_checker_where_it_is_loaded_from() -> None:
    """What `__getattr__` finds is what the imports for the type checker say."""
    tree = ast.parse((WEBURL / "__init__.py").read_text(encoding="utf-8"))
    checked = [node for node in tree.body if isinstance(node, ast.If)]
    assert len(checked) == 1
    seen = {
        alias.name: str(node.module).removeprefix("weburl.")
        for node in checked[0].body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == weburl._MODULE_OF
    assert set(seen) < set(weburl.__all__) <= set(dir(weburl))
    with pytest.raises(AttributeError, match="has no attribute 'nothing_of_the_kind'"):
        _ = weburl.nothing_of_the_kind  # type: ignore[attr-defined]


def test_import_of_html_loads_no_parser_before_there_is_html() -> None:
    """In a fresh interpreter: all of the subpackage, and nothing that only some pages need."""
    program = (
        "import sys, weburl.html as html; "
        "html.parse_url('x', html.Document('https://example.com/')); "
        "print(*sorted(sys.modules))"
    )
    loaded = set(printed_by(program)[0].split())
    assert {f"weburl.{name}" for name in FLOOR_OF if name.partition(".")[0] == HTML} <= loaded
    assert loaded.isdisjoint({"turbohtml", "webencodings", "weburl.encodings", "django"})


def test_nothing_but_html_imports_html() -> None:
    """It is for those who ask for it."""
    for path in modules(WEBURL):
        if path.parent.name != HTML:
            imported = {name for name, _ in imported_modules_of_weburl(path)}
            assert not any(name.partition(".")[0] == HTML for name in imported), path.name


@pytest.mark.parametrize("package", [weburl, weburl.html], ids=["weburl", "weburl.html"])
def test_the_public_names_are_sorted_and_there(package: ModuleType) -> None:
    """Each of them once, none private, and every one documented."""
    names = package.__all__
    assert names == sorted(
        names, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    assert len(set(names)) == len(names)
    for name in names:
        assert not name.startswith("_")
        assert getattr(package, name).__doc__


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
