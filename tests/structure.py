"""The rooms of both packages, their floors and wings, and what the source really imports.

`tests/test_layers.py` holds the code to it. ``python -m tests.structure`` (`make map`) draws the
map of a package with wings in `docs/architecture.md`, and lists the floors of the other one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
ARCHITECTURE: Final = ROOT / "docs" / "architecture.md"

HOUSES_WITHIN: Final = ("standard",)
"""The folders that hold rooms, and are no room themselves."""


class Import(NamedTuple):
    """One import: of a module, or of a name in it; ``at_once``: when the importer is imported."""

    module: str
    name: str | None
    at_once: bool


class Package(NamedTuple):
    """A package: its directory, its rooms by floor from the ground up, and its wings.

    A room is a folder, or a file beside the folders. It imports only from rooms on lower floors,
    also inside functions. The files of one room may import each other.

    A wing is a group of rooms with one purpose, and it imports only from itself and from wings
    listed before it. A package without wings has an empty table of them.
    """

    name: str
    directory: Path
    floors: tuple[tuple[str, ...], ...]
    wings: dict[str, tuple[str, ...]]
    beside: tuple[str, ...]
    """The rooms that are in no wing, because they serve all of them."""

    @property
    def rooms(self) -> list[str]:
        """The name of every room, the lowest first."""
        return [name for floor in self.floors for name in floor]

    @property
    def wing_of_room(self) -> dict[str, str]:
        """The wing of each room that has one."""
        return {room: wing for wing, rooms in self.wings.items() for room in rooms}

    @property
    def floor_of_room(self) -> dict[str, int]:
        """The floor of each room; 0 is the ground."""
        return {name: number for number, floor in enumerate(self.floors) for name in floor}

    def modules(self) -> tuple[Path, ...]:
        """Every file, those of rooms too."""
        return _files_in(self.directory)

    def directory_of(self, room: str) -> Path:
        """Return the folder of a room; for a room of one file, its path without the suffix."""
        return self.directory.joinpath(*room.split("."))

    def name_of(self, path: Path) -> str:
        """Return a file's name within the package: "hosts.ipv4"; a room's for its init."""
        parts = path.relative_to(self.directory).with_suffix("").parts
        return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)

    def imported_modules(self, path: Path) -> tuple[tuple[str, bool], ...]:
        """Return what a file imports of this package, and whether it does so at once."""
        return _imported_modules(self.directory, path)

    def imported_rooms(self, room: str) -> set[str]:
        """Return the other rooms that the files of ``room`` import."""
        return {
            room_of(name)
            for path in self.modules()
            if room_of(self.name_of(path)) == room
            for name, _ in self.imported_modules(path)
        } - {room}


@cache
def _files_in(directory: Path) -> tuple[Path, ...]:
    return tuple(sorted(directory.rglob("*.py")))


@cache
def _imported_modules(directory: Path, path: Path) -> tuple[tuple[str, bool], ...]:
    package = next(each for each in PACKAGES if each.directory == directory)
    names = _names_in(directory)
    modules = []
    for module, name, at_once in imports(path):
        first, _, rest = module.partition(".")
        if first != package.name:
            continue
        inner = f"{rest}.{name}".lstrip(".")
        found = inner if inner in names else rest or "__init__"
        # A compiled module imports what its own .pxd declares; what is no name is a .pxd alone.
        if found in names and found != package.name_of(path):
            modules.append((found, at_once))
    return tuple(modules)


@cache
def _names_in(directory: Path) -> frozenset[str]:
    package = next(each for each in PACKAGES if each.directory == directory)
    return frozenset(map(package.name_of, package.modules()))


def room_of(name: str) -> str:
    """Return the room of a module: "keys" for "keys.lists"."""
    first, *rest = name.split(".")
    return f"{first}.{rest[0]}" if first in HOUSES_WITHIN and rest else first


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file, which is parsed once."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Return every import in a file, including those inside functions and for type checkers."""
    return tuple(_imports(tree_of(path)))


def _imports(tree: ast.Module) -> Iterator[Import]:
    deferred = {
        id(inner)
        for outer in ast.walk(tree)
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        or (isinstance(outer, ast.If) and ast.unparse(outer.test) == "TYPE_CHECKING")
        for inner in ast.walk(outer)
    }
    for node in ast.walk(tree):
        at_once = id(node) not in deferred
        if isinstance(node, ast.Import):
            yield from (Import(alias.name, None, at_once) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: an import names its package"
            assert node.module is not None
            # What one compiled module takes of another stands under a name of Cython's.
            module = re.sub(r"^cython\.cimports\.(?=weburl\.)", "", node.module)
            yield from (Import(module, alias.name, at_once) for alias in node.names)


WEBURL: Final = Package(
    "weburl",
    ROOT / "src" / "weburl",
    (
        ("standard", "standard.infra"),
        ("standard.compiled",),
        ("standard.storage",),
        ("standard.hosts",),
        ("public_suffix", "standard.url"),
        (
            "history",
            "html",
            "keys",
            "origins",
            "patterns",
            "standard.rendering",
            "standard.interface",
        ),
        ("readers", "standard.schemas", "testing", "text"),
        ("policies", "viewer"),
        ("__init__", "columns", "fetching", "redirect_uris"),
        ("command_line", "integrations"),
        ("__main__",),
    ),
    # What each wing is for is in docs/architecture.md.
    wings={
        "The standard": (
            "standard",
            "standard.infra",
            "standard.storage",
            "standard.hosts",
            "standard.compiled",
            "standard.url",
            "standard.interface",
            "standard.schemas",
            "origins",
            "public_suffix",
            "standard.rendering",
        ),
        "The web": ("html", "text", "patterns"),
        "History": ("history",),
        "Safety": ("readers", "policies", "fetching", "redirect_uris"),
        "Data": ("keys", "columns"),
    },
    beside=("__init__", "__main__", "command_line", "integrations", "testing", "viewer"),
)

DJANGO_APP: Final = Package(
    "django_whatwg_url",
    ROOT / "django_whatwg_url",
    (
        ("__init__", "column", "encoders", "links", "policies", "redirects"),
        ("references", "rules"),
        ("duplicates", "forms", "linkify", "query", "validators"),
        ("functions", "templatetags", "widgets"),
        ("constraints", "generated", "indexes", "lookups"),
        ("beside", "formsets"),
        ("canonicalizing", "fields", "managers", "query_params", "url_keys"),
        ("admin", "integrations", "management", "operations"),
        ("checks", "models"),
        ("apps",),
    ),
    wings={},
    beside=(),
)

PACKAGES: Final = (WEBURL, DJANGO_APP)

_MAP: Final = re.compile(r"(<!-- map: (\w+) -->\n).*?(?=<!-- end of map -->)", re.DOTALL)


def drawn(package: Package) -> str:
    """Return a package's rooms and the imports between them as a Mermaid diagram.

    Each wing is a subgraph. An arrow that a chain of others implies is left out.
    """
    below = {room: package.imported_rooms(room) & set(package.rooms) for room in package.rooms}
    reached: dict[str, set[str]] = {}
    for room in sorted(below, key=package.floor_of_room.__getitem__):
        reached[room] = below[room].union(*(reached[other] for other in below[room]))
    lines = ["```mermaid", "flowchart TD"]
    drawn_rooms = [room for room in below if below[room] or room in set().union(*below.values())]
    wing_of = package.wing_of_room
    lines += [_box(package, room) for room in reversed(drawn_rooms) if room not in wing_of]
    for wing in reversed(package.wings):
        rooms = [room for room in reversed(drawn_rooms) if wing_of.get(room) == wing]
        lines += [f'    subgraph wing_{wing.lower().replace(" ", "_")}["{wing}"]']
        lines += [f"    {_box(package, room)}" for room in rooms]
        lines += ["    end"]
    for room in reversed(drawn_rooms):
        implied = set().union(*(reached[other] for other in below[room]))
        lines += [f"    {_id(room)} --> {_id(other)}" for other in sorted(below[room] - implied)]
    return "\n".join([*lines, "```", ""])


def _box(package: Package, room: str) -> str:
    return f'    {_id(room)}["{_label(package, room)}"]'


def _id(room: str) -> str:
    return f"room_{room.strip('_').replace('.', '_')}"


def _label(package: Package, room: str) -> str:
    """Return what a room is called in the diagram: a folder ends in a slash."""
    name = {"__init__": package.name, "__main__": f"python -m {package.name}"}.get(room)
    path = room.replace(".", "/")
    return name or (f"{path}/" if package.directory_of(room).is_dir() else path)


def listed(package: Package) -> str:
    """Return a package's floors as a numbered list, the lowest first."""
    rooms_of = (
        sorted(f"`{_label(package, room)}`" for room in floor if room != "__init__")
        for floor in package.floors
    )
    lines = [f"{number}. {', '.join(rooms)}" for number, rooms in enumerate(rooms_of, 1)]
    return "\n".join([*lines, ""])


def with_maps(page: str) -> str:
    """Return the text of a page with its diagrams and lists as they are now."""
    packages = {package.name: package for package in PACKAGES}

    def shown(found: re.Match[str]) -> str:
        package = packages[found[2]]
        return found[1] + (drawn(package) if package.wings else listed(package))

    return _MAP.sub(shown, page)


def main() -> int:
    """Draw the maps of the architecture page."""
    page = ARCHITECTURE.read_text(encoding="utf-8")
    ARCHITECTURE.write_text(with_maps(page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
