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
from typing import Final

import pytest

import weburl
import weburl.fields
import weburl.html
import weburl.keys
import weburl.public_suffix
import weburl.redirect_uris
import weburl.text
from tests.structure import (
    ARCHITECTURE,
    DJANGO_APP,
    PACKAGES,
    WEBURL,
    Package,
    Room,
    imports,
    room_of,
    with_maps,
)
from weburl.infra.build import COMPILED

# What only some programs ask for, which `import weburl` never loads.
ASKED_FOR_BY_NAME: Final = {
    "column_files",
    "columns",
    "fetching",
    "fields",
    "html",
    "integrations",
    "keys",
    "legacy",
    "public_suffix",
    "redirect_uris",
    "testing",
    "text",
    "viewer",
}
# What a program that only parses does without: it is loaded when somebody asks for it.
LOADED_WHEN_ASKED_FOR: Final = {
    "compiled.attributes",
    "compiled.columns",
    "compiled.cutting",
    "compiled.keys",
    "compiled.resolving",
    "compiled.rows",
    "compiled.sinks",
    "compiled.suffixes",
    "hosts.suffix_kinds",
    "file_urls",
    "references",
    "infra.offsets",
    "infra.query_pairs",
    "infra.arguments",
    "infra.url_units",
    "interface",
    "operations",
    "segments",
    "origins",
    "parsing.setters",
    "patterns",
    "policies",
    "readers",
    "rendering",
    "validation",
}
# What stands before the general parser in the other build.
OTHER_BUILD: Final = (
    {
        "parsing.fast_path_links",
        "parsing.fast_path_others",
        "parsing.fast_path_references",
        "parsing.fast_path_regex",
    }
    if COMPILED
    else {"compiled"}
)

# Modules with big tables, which most programs never need, and what they import for themselves.
LOADED_WHEN_NEEDED: Final = {
    "infra.masking",
    "compiled.code_point_facts",
    "hosts.punycode",
    "hosts.public_suffix",
    "hosts.uts46",
    "infra.encodings",
    "infra.unicode_data",
    "rendering.scripts",
    "rendering.spoofing",
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
        name for name in map(WEBURL.name_of, WEBURL.modules()) if room_of(name) == "compiled"
    ),
    "duckdb": ("columns.duckdb",),
    "idna": ("compiled.code_point_facts", "hosts.uts46", "rendering.spoofing"),
    "faker": ("integrations.faker",),
    "fsspec": ("column_files.remote",),
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
    "pandas": ("columns.pandas", "columns.spark"),
    "polars": ("columns.polars",),
    "polyfactory": ("integrations.polyfactory",),
    "rfc3986": ("integrations.rfc3986",),
    "sqlalchemy": ("integrations.sqlalchemy",),
    "publicsuffixlist": ("hosts.public_suffix",),
    "pyarrow": tuple(
        name
        for name in map(WEBURL.name_of, WEBURL.modules())
        if room_of(name) in ("columns", "column_files")
    ),
    "pydantic": ("integrations.pydantic", "integrations.pydantic_urls"),
    "pydantic_core": ("integrations.pydantic",),
    "pyspark": ("columns.spark",),
    "regex": ("text.terms",),
    "requests": ("fetching.requests", "readers.libraries"),
    "tqdm": ("column_files.command",),
    "turbohtml": ("html.tree",),
    "unicodedata2": ("infra.unicode_data",),
    "urllib3": ("fetching.requests", "fetching.urllib3", "readers.libraries"),
    "webencodings": ("column_files.decoding", "infra.encodings"),
    "yarl": ("fetching.aiohttp", "integrations.yarl", "readers.libraries"),
    "zstandard": ("fetching.unpacking",),
}

# What the app's integrations may use beside `weburl`: what people import from there, too.
FOR_INTEGRATIONS: Final = {
    "weburl.testing": ["url_texts", "urls"],
    "weburl.integrations.makers": ["random_url"],
}

# Their inits are for readers of the docs, or Django's own.
IMPORTED_BY_PEOPLE: Final = {"html", "legacy", "management", "templatetags"}

FILES: Final = [(package, path) for package in PACKAGES for path in package.modules()]
FILE_IDS: Final = [f"{package.name}.{package.name_of(path)}" for package, path in FILES]
ROOMS: Final = [(package, room) for package in PACKAGES for room in package.rooms]
ROOM_IDS: Final = [f"{package.name}.{room}" for package, room in ROOMS]


def files_of(room: Room) -> dict[str, int]:
    """Return the floor of each file within a room."""
    return {name: floor for floor, names in enumerate(room) for name in names}


def place_of(package: Package, name: str) -> tuple[str, str]:
    """Return the room of a module and its name there, "__init__" for the room's own init."""
    room = room_of(name)
    return room, name.removeprefix(room).removeprefix(".") or "__init__"


def called_import_functions(path: Path) -> list[str]:
    """Return the calls in a file that import by other means than an import statement."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if "import_module" in call or call == "__import__"]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_every_file_has_its_place(package: Package) -> None:
    """A new file finds its room and floor in `tests/structure.py`; one that is gone leaves it."""
    found: dict[str, set[str]] = {}
    for path in package.modules():
        room, name = place_of(package, package.name_of(path))
        names = found.setdefault(room, set())
        # An init that imports nothing, and a room of one file, stand on no floor.
        is_init = path.name == "__init__.py"
        if (not is_init and name != "__init__") or (
            package.rooms[room] and list(package.imported_modules(path))
        ):
            names.add(name)
    assert found == {room: set(files_of(files)) for room, files in package.rooms.items()}
    assert len(package.rooms) == sum(map(len, package.floors))


@pytest.mark.parametrize(("package", "room"), ROOMS, ids=ROOM_IDS)
def test_a_room_stands_right_above_the_highest_that_it_uses(package: Package, room: str) -> None:
    """So it uses none on its own floor or above, and no floor could be done without."""
    floors = [package.floor_of_room[other] for other in package.imported_rooms(room)]
    assert package.floor_of_room[room] == max(floors, default=-1) + 1


@pytest.mark.parametrize(("package", "path"), FILES, ids=FILE_IDS)
def test_a_file_stands_right_above_the_highest_of_its_room_that_it_uses(
    package: Package, path: Path
) -> None:
    """Also what it imports inside its functions; and by import statements alone."""
    room, name = place_of(package, package.name_of(path))
    floor_of = files_of(package.rooms[room])
    floors = [
        floor_of[other]
        for other_room, other in (
            place_of(package, imported) for imported, _ in package.downward_modules(path)
        )
        if other_room == room
    ]
    assert floor_of.get(name, 0) == max(floors, default=-1) + 1
    # The package itself loads some of its names late: a test below says which.
    late = ["importlib.import_module"] if path == WEBURL.directory / "__init__.py" else []
    assert called_import_functions(path) == late


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_the_imports_that_go_up_are_inside_functions_and_each_is_listed_with_a_reason(
    package: Package,
) -> None:
    """The list holds no import that is not there, or that its importer could have at the top."""
    found = {
        (package.name_of(path), name): at_once
        for path in package.modules()
        for name, at_once in sorted(package.imported_modules(path))
    }
    for (importer, imported), reason in package.upward.items():
        assert found.get((importer, imported)) is False, f"{importer} imports {imported}"
        floor, above = (package.floor_of_room[room_of(name)] for name in (importer, imported))
        assert floor < above, f"{imported} is not above {importer}"
        assert reason


@pytest.mark.parametrize(("package", "room"), ROOMS, ids=ROOM_IDS)
def test_a_room_says_which_others_it_may_use(package: Package, room: str) -> None:
    """In its init, beside what lives there. A room that people import says what is public."""
    if not package.rooms[room] or room in IMPORTED_BY_PEOPLE:
        return
    init = (package.directory / room / "__init__.py").read_text(encoding="utf-8")
    promise = re.search(
        r"Uses no other room|May use\s[^.]*", ast.get_docstring(ast.parse(init)) or ""
    )
    assert promise is not None
    named = re.findall(r"`(\w+)`", promise[0])
    assert set(named) <= set(package.rooms)
    highest = max((package.floor_of_room[name] for name in named), default=-1)
    used = {package.floor_of_room[other] for other in package.imported_rooms(room)}
    assert max(used, default=-1) <= highest


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
    """`make map` draws it anew."""
    page = ARCHITECTURE.read_text(encoding="utf-8")
    assert page.count("<!-- map: ") == len(PACKAGES)
    assert with_maps(page) == page


def test_only_the_command_line_and_the_readers_import_older_rules() -> None:
    """The former when it is asked for them, the latter to compare; and they themselves."""
    for path in WEBURL.modules():
        for name, at_once in WEBURL.imported_modules(path):
            if room_of(name) == "legacy" and not {"legacy", "readers"} & set(path.parts):
                assert (path.stem, at_once) == ("__main__", False)


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
        "infra.unicode_data": {"unicodedata", "unicodedata2"}
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
        "weburl.parse('https://user@example.com:8080/a/../b?c#d'); "
        "print(*sorted(set(sys.modules) - before)); "
        "weburl.parse('https://h').with_host('i').join('?\u00e9').origin; "
        "weburl.URL('https://h?a=b').search_params.append('c', 'd'); "
        "weburl.check('https:h'); "
        "print(*sorted(set(sys.modules) - before))"
    )
    first, second = map(str.split, printed_by(program))
    assert "weburl.parsing.parser" in first
    assert [name for name in unwanted if name in second] == []
    late = LOADED_WHEN_NEEDED | LOADED_WHEN_ASKED_FOR | OTHER_BUILD | ASKED_FOR_BY_NAME
    names = set(map(WEBURL.name_of, WEBURL.modules())) - {"__init__", "__main__"}
    # An empty room costs next to nothing, and `validation` is loaded for the sake of `report`.
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
    assert set(seen) < public <= set(dir(weburl))
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
    assert loaded.isdisjoint({"turbohtml", "webencodings", "weburl.infra.encodings", "django"})


def test_nothing_but_html_imports_html() -> None:
    """It is for those who ask for it, by the name of its columns too."""
    for path in WEBURL.modules():
        name = WEBURL.name_of(path)
        if room_of(name) != "html" and name != "columns.html":
            imported = {name for name, _ in WEBURL.imported_modules(path)}
            assert "html" not in map(room_of, imported), path.name


@pytest.mark.parametrize(
    "package",
    [
        weburl,
        weburl.fields,
        weburl.html,
        weburl.public_suffix,
        weburl.redirect_uris,
        weburl.text,
    ],
    ids=lambda package: package.__name__,
)
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
        assert value.__doc__ or isinstance(value, MappingProxyType)


def test_the_django_app_imports_public_names_of_weburl_alone() -> None:
    """What it and the rooms that people import name in their ``__all__``."""
    paths = DJANGO_APP.modules()
    seen = 0
    for path in paths:
        assert called_import_functions(path) == [], path.name
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for module, name, _ in imports(path):
            if module.partition(".")[0] == "weburl":
                names = weburl.__all__
                if path.parent.name == "integrations" and module in FOR_INTEGRATIONS:
                    names = FOR_INTEGRATIONS[module]
                elif module == "weburl.fields":
                    names = weburl.fields.__all__
                elif module == "weburl.text":
                    names = weburl.text.__all__
                elif module == "weburl.keys":
                    names = weburl.keys.__all__
                elif module == "weburl.redirect_uris":
                    names = weburl.redirect_uris.__all__
                else:
                    assert module == "weburl", f"{path.name} imports {module}"
                assert name is None or name in names, f"{path.name} imports {name}"
                seen += 1
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == "weburl"
            ):
                public = {*weburl.__all__, "fields"}
                assert node.attr in public, f"{path.name} uses weburl.{node.attr}"
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "weburl.fields":
                assert node.attr in weburl.fields.__all__, f"{path.name} uses {ast.unparse(node)}"
    assert seen > 0
    assert len(paths) > 1
