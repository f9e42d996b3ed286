"""Which room and which file may import which, and what `import weburl` loads.

The rooms and their floors are in `tests/structure.py`. Imports are read from the source, those
inside functions too.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Final, get_args

import pytest

import weburl
import weburl.html
import weburl.keys
import weburl.origins
import weburl.public_suffix
import weburl.redirect_uris
import weburl.text
from tests.structure import (
    ARCHITECTURE,
    DJANGO_APP,
    PACKAGES,
    WEBURL,
    Package,
    imports,
    room_of,
    tree_of,
    with_maps,
)
from weburl import COMPILED
from weburl.integrations import building_blocks

# What only some programs ask for, which `import weburl` never loads.
ASKED_FOR_BY_NAME: Final = {
    "columns",
    "command_line",
    "fetching",
    "history",
    "html",
    "integrations",
    "keys",
    "public_suffix",
    "redirect_uris",
    "standard.schemas",
    "testing",
    "text",
    "viewer",
}
# What a program that only parses does without: it is loaded when somebody asks for it.
LOADED_WHEN_ASKED_FOR: Final = {
    "origins",
    "patterns",
    "policies",
    "readers",
    "standard.compiled.attributes",
    "standard.compiled.columns",
    "standard.compiled.cutting",
    "standard.compiled.host_lists",
    "standard.compiled.keys",
    "standard.compiled.resolving",
    "standard.compiled.rows",
    "standard.compiled.sinks",
    "standard.compiled.suffixes",
    "standard.hosts.domains",
    "standard.hosts.ipv4",
    "standard.hosts.ipv6",
    "standard.hosts.parser",
    "standard.infra.releases",
    "standard.infra.suffix_kinds",
    "standard.infra.arguments",
    "standard.infra.assuming",
    "standard.infra.code_point_regexes",
    "standard.infra.comparison_warnings",
    "standard.infra.dns",
    "standard.infra.errors",
    "standard.infra.explanations",
    "standard.infra.json_options",
    "standard.infra.offsets",
    "standard.infra.query_pairs",
    "standard.infra.url_units",
    "standard.interface",
    "standard.rendering",
    "standard.url.authority",
    "standard.url.building",
    "standard.url.file_urls",
    "standard.url.host_texts",
    "standard.url.invariants",
    "standard.url.origin",
    "standard.url.origin_of",
    "standard.url.params",
    "standard.url.parser",
    "standard.url.plain_links",
    "standard.url.references",
    "standard.url.report",
    "standard.url.segments",
    "standard.url.setters",
    "standard.url.writing",
}
# What the fast path of the other build needs.
OTHER_BUILD: Final = (
    {
        "standard.infra.form_urlencoded",
        "standard.infra.percent_encoding",
        "standard.url.fast_path_links",
        "standard.url.fast_path_references",
        "standard.url.fast_path_regex",
        "standard.url.path",
        "standard.url.trusted",
    }
    if COMPILED
    else {"standard.compiled"}
)

# Modules with big tables, which most programs never need, and what they import for themselves.
LOADED_WHEN_NEEDED: Final = {
    "standard.rendering.scripts",
    "standard.rendering.spoofing",
    "standard.compiled.code_point_facts",
    "standard.hosts.public_suffix",
    "standard.hosts.punycode",
    "standard.hosts.uts46",
    "standard.infra.encodings",
    "standard.infra.masking",
    "standard.infra.unicode_data",
}
THIRD_PARTY: Final = {
    "aiohttp": ("fetching.aiohttp",),
    "anyio": ("fetching.networks",),
    "attrs": "everywhere",
    "backports": ("fetching.unpacking",),
    "brotli": ("fetching.unpacking",),
    "brotlicffi": ("fetching.unpacking",),
    "cattrs": ("integrations.cattrs",),
    "cython": tuple(
        name
        for name in map(WEBURL.name_of, WEBURL.modules())
        if room_of(name) == "standard.compiled"
    ),
    "duckdb": (
        "columns.duckdb",
        "columns.files.queries",
        "columns.files.running",
        "columns.files.sources",
    ),
    "idna": (
        "standard.compiled.code_point_facts",
        "standard.hosts.uts46",
        "standard.rendering.spoofing",
    ),
    "faker": ("integrations.faker",),
    "fastwarc": ("columns.files.warc",),
    "fsspec": ("columns.files.places",),
    "compression": ("fetching.unpacking",),  # of the standard library since Python 3.14
    "httpcore": ("fetching.httpx",),
    "httpcore2": ("fetching.httpx2",),
    "httpx": ("fetching.httpx", "integrations.httpx", "readers.libraries"),
    "httpx2": ("fetching.httpx2", "integrations.httpx2"),
    "hypothesis": (
        "integrations.hypothesis",
        "testing.pieces",
        "testing.spelling",
        "testing.texts",
        "testing.values",
    ),
    "markdown_it": ("command_line.markdown",),
    "pandas": ("columns.pandas", "columns.spark"),
    "polars": ("columns.polars",),
    "polyfactory": ("integrations.polyfactory",),
    "rfc3986": ("integrations.rfc3986",),
    "sqlalchemy": ("integrations.sqlalchemy",),
    "publicsuffixlist": ("standard.hosts.public_suffix",),
    "pyarrow": tuple(
        name for name in map(WEBURL.name_of, WEBURL.modules()) if room_of(name) == "columns"
    ),
    "pydantic": (
        "integrations.pydantic",
        "integrations.pydantic_urls",
        "standard.schemas.pydantic",
    ),
    "pydantic_core": ("integrations.pydantic", "standard.schemas.pydantic"),
    "pyspark": ("columns.spark",),
    "regex": ("text.terms",),
    "requests": ("fetching.requests", "readers.libraries"),
    "turbohtml": ("html.tree",),
    "unicodedata2": ("standard.infra.unicode_data",),
    "urllib3": ("fetching.requests", "fetching.urllib3", "readers.libraries"),
    "webencodings": ("standard.infra.encodings",),
    "yarl": ("fetching.aiohttp", "integrations.yarl", "readers.libraries"),
    "zstandard": ("fetching.unpacking",),
}

# What the app's integrations may use beside `weburl`: what people import from there, too.
FOR_INTEGRATIONS: Final = {
    "weburl.testing": ["url_texts", "urls"],
    "weburl.integrations.makers": ["random_url"],
}

# What people import by name, beside the modules that need other packages.
PUBLIC_MODULES: Final = [
    weburl,
    building_blocks,
    weburl.html,
    weburl.keys,
    weburl.origins,
    weburl.public_suffix,
    weburl.redirect_uris,
    weburl.text,
]

FILES: Final = [(package, path) for package in PACKAGES for path in package.modules()]
FILE_IDS: Final = [f"{package.name}.{package.name_of(path)}" for package, path in FILES]
ROOMS: Final = [(package, room) for package in PACKAGES for room in package.rooms]
ROOM_IDS: Final = [f"{package.name}.{room}" for package, room in ROOMS]


def called_import_functions(path: Path) -> list[str]:
    """Return the calls in a file that import by other means than an import statement."""
    tree = tree_of(path)
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if "import_module" in call or call == "__import__"]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_every_file_is_in_a_room(package: Package) -> None:
    """A new room is listed in `tests/structure.py`, and one that is gone leaves the list."""
    found = {room_of(package.name_of(path)) for path in package.modules()}
    assert sorted(found) == sorted(package.rooms)


@pytest.mark.parametrize(("package", "room"), ROOMS, ids=ROOM_IDS)
def test_a_room_stands_right_above_the_highest_that_it_uses(package: Package, room: str) -> None:
    """So it uses none on its own floor or above, also inside functions: there is no circle."""
    floors = [package.floor_of_room[other] for other in package.imported_rooms(room)]
    assert package.floor_of_room[room] == max(floors, default=-1) + 1


@pytest.mark.parametrize(("package", "room"), ROOMS, ids=ROOM_IDS)
def test_only_the_files_of_the_url_room_know_each_other(package: Package, room: str) -> None:
    """A record has methods that parse, and a parser makes records. Other rooms have no circle."""
    below = {
        name: {
            other
            for other, _ in package.imported_modules(path)
            if room_of(other) == room and other != room
        }
        for path in package.modules()
        if room_of(name := package.name_of(path)) == room and name != room
    }
    while leaves := [name for name in below if not below[name] & set(below)]:
        for name in leaves:
            del below[name]
    assert bool(below) == (room == "standard.url"), sorted(below)


@pytest.mark.parametrize(("package", "path"), FILES, ids=FILE_IDS)
def test_a_file_imports_by_import_statements_alone(package: Package, path: Path) -> None:
    """What is imported in another way would be in no map."""
    # The package itself loads some of its names late: a test below says which.
    late = ["importlib.import_module"] if path == WEBURL.directory / "__init__.py" else []
    assert called_import_functions(path) == late


def test_whoever_lists_weburl_sees_no_more_than_twenty_names() -> None:
    """What people import, and one folder for how the standard works."""
    names = {path.name for path in WEBURL.directory.iterdir()} - {"__pycache__"}
    assert len(names) <= 20
    assert {"__init__.py", "__main__.py", "html", "keys", "py.typed", "standard"} <= names


def test_every_room_of_weburl_is_in_one_wing_or_beside_them() -> None:
    """A new room is listed in `wings` or `beside` in `tests/structure.py`, and only once."""
    listed = [room for rooms in WEBURL.wings.values() for room in rooms]
    assert sorted([*listed, *WEBURL.beside]) == sorted(WEBURL.rooms)


@pytest.mark.parametrize("wing", WEBURL.wings)
def test_a_wing_imports_only_from_itself_and_the_wings_listed_before_it(wing: str) -> None:
    """So the standard can be read without any other wing."""
    order = list(WEBURL.wings)
    allowed = set(order[: order.index(wing) + 1])
    for room in WEBURL.wings[wing]:
        for other in WEBURL.imported_rooms(room) & set(WEBURL.rooms):
            assert WEBURL.wing_of_room.get(other) in allowed, f"{room} imports {other}"


def test_the_architecture_page_says_what_every_wing_is_for() -> None:
    """In a table with a row for each wing, in the order of `tests/structure.py`."""
    page = ARCHITECTURE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| \*\*(.+?)\*\* \|", page, re.MULTILINE)
    assert rows == list(WEBURL.wings)


def test_the_map_of_the_architecture_page_is_drawn_from_the_code() -> None:
    """`make map` draws it."""
    page = ARCHITECTURE.read_text(encoding="utf-8")
    assert page.count("<!-- map: ") == len(PACKAGES)
    assert with_maps(page) == page


def test_only_the_command_line_and_the_readers_import_older_rules() -> None:
    """The former when it is asked for them, the latter to compare; and they themselves."""
    for path in WEBURL.modules():
        for name, _ in WEBURL.imported_modules(path):
            if room_of(name) == "history" and not {"history", "readers"} & set(path.parts):
                assert WEBURL.name_of(path) == "command_line.history"


@pytest.mark.parametrize("path", WEBURL.modules(), ids=WEBURL.name_of)
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
        assert allowed == "everywhere" or WEBURL.name_of(path) in allowed, (
            f"{path.name} imports {module}"
        )


def test_one_module_knows_where_the_properties_of_unicode_come_from() -> None:
    """No other imports unicodedata2, or `unicodedata`, whose version differs between Pythons."""
    importers = {
        WEBURL.name_of(path): {module for module, _, _ in imports(path)}
        & {"unicodedata", "unicodedata2"}
        for path in WEBURL.modules()
    }
    assert {name: found for name, found in importers.items() if found} == {
        "standard.infra.unicode_data": {"unicodedata", "unicodedata2"}
    }


def test_other_libraries_are_imported_only_by_those_who_want_their_readings() -> None:
    """Not when the module is, which has to work where they are not installed."""
    path = WEBURL.directory / "readers" / "libraries.py"
    others = {"httpx", "requests", "urllib3", "yarl"}
    late = [module for module, _, at_once in imports(path) if not at_once]
    assert {module.partition(".")[0] for module in late} == others
    assert not others & {module.partition(".")[0] for module, _, at in imports(path) if at}


def test_modules_with_big_tables_are_imported_inside_functions_alone() -> None:
    """Wherever one is imported, but by another of them; and each of them is somewhere."""
    wanted = set()
    for path in WEBURL.modules():
        importer = WEBURL.name_of(path)
        if importer in ASKED_FOR_BY_NAME:
            continue
        for name, at_once in WEBURL.imported_modules(path):
            if name in LOADED_WHEN_NEEDED and importer in LOADED_WHEN_NEEDED:
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
        "urllib3",
        "httpx",
        *(f"weburl.{name}" for name in sorted(LOADED_WHEN_NEEDED)),
    ]
    program = (
        "import sys; before = set(sys.modules); import weburl; "
        "weburl.parse('https://example.com:8080/a/b?c#d'); "
        "print(*sorted(set(sys.modules) - before)); "
        "weburl.parse('https://h').with_host('i').join('?\u00e9').origin; "
        "weburl.URL('https://h?a=b').search_params.append('c', 'd'); "
        "weburl.check('https:h'); "
        "print(*sorted(set(sys.modules) - before))"
    )
    first, second = map(str.split, printed_by(program))
    assert "weburl.standard.url.record" in first
    assert [name for name in unwanted if name in second] == []
    late = LOADED_WHEN_NEEDED | LOADED_WHEN_ASKED_FOR | OTHER_BUILD | ASKED_FOR_BY_NAME
    names = set(map(WEBURL.name_of, WEBURL.modules())) - {"__init__", "__main__"}
    assert [name for name in first if name.startswith("weburl.")] == sorted(
        f"weburl.{name}" for name in names if name not in late and room_of(name) not in late
    )


def test_every_public_name_is_known_to_the_type_checker_where_it_is_loaded_from() -> None:
    """What `__getattr__` finds is what the imports for the type checker say."""
    tree = ast.parse((WEBURL.directory / "__init__.py").read_text(encoding="utf-8"))
    checked = [node for node in tree.body if isinstance(node, ast.If)]
    assert len(checked) == 1
    seen = {
        alias.name: str(node.module).removeprefix("weburl.")
        for node in checked[0].body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == weburl._MODULE_OF
    public = {*weburl.__all__, "ValidationError"}
    assert set(seen) < public
    assert dir(weburl) == sorted(weburl.__all__)
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
    assert {
        f"weburl.{name}"
        for name in map(WEBURL.name_of, WEBURL.modules())
        if room_of(name) == "html"
    } <= loaded
    assert loaded.isdisjoint(
        {"turbohtml", "webencodings", "weburl.standard.infra.encodings", "django"}
    )


def test_nothing_but_html_imports_html() -> None:
    """It is for those who ask for it, by the names of its columns and of its command too."""
    for path in WEBURL.modules():
        name = WEBURL.name_of(path)
        if room_of(name) != "html" and name not in ("columns.html", "command_line.links"):
            imported = {name for name, _ in WEBURL.imported_modules(path)}
            assert "html" not in map(room_of, imported), path.name


@pytest.mark.parametrize("package", PUBLIC_MODULES, ids=lambda package: package.__name__)
def test_the_public_names_are_sorted_and_there(package: ModuleType) -> None:
    """Each of them once, none private, and every one documented."""
    names = package.__all__
    assert names == sorted(
        names, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    assert len(set(names)) == len(names)
    for name in names:
        assert not name.startswith("_")
        value = getattr(package, name)
        # The docstring of a table follows it in the source; the reference takes it from there.
        assert value.__doc__ or isinstance(value, MappingProxyType) or get_args(value)


def test_the_django_app_imports_public_names_of_weburl_alone() -> None:
    """What it and the rooms that people import name in their ``__all__``."""
    public = {module.__name__: module.__all__ for module in PUBLIC_MODULES}
    paths = DJANGO_APP.modules()
    seen = 0
    for path in paths:
        assert called_import_functions(path) == [], path.name
        of_others = FOR_INTEGRATIONS if path.parent.name == "integrations" else {}
        for module, name, _ in imports(path):
            if module.partition(".")[0] == "weburl":
                assert module in public | of_others, f"{path.name} imports {module}"
                names = (public | of_others)[module]
                assert name is None or name in names, f"{path.name} imports {name}"
                seen += 1
        for node in ast.walk(tree_of(path)):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "weburl"
            ):
                names = {*weburl.__all__, "integrations"}
                assert node.attr in names, f"{path.name} uses weburl.{node.attr}"
            if (
                isinstance(node, ast.Attribute)
                and ast.unparse(node.value) == building_blocks.__name__
            ):
                assert node.attr in building_blocks.__all__, ast.unparse(node)
    assert seen > 0
    assert len(paths) > 1
