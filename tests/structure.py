"""The rooms of both packages, their floors and wings, and what the source really imports.

`tests/test_layers.py` holds the code to it. ``python -m tests.structure`` (`make map`) draws the
map in `docs/architecture.md` from the imports.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

ROOT: Final = Path(__file__).resolve().parents[1]
ARCHITECTURE: Final = ROOT / "docs" / "architecture.md"

Room: TypeAlias = tuple[tuple[str, ...], ...]
"""The files of a room, floor by floor from the ground up; empty where the room is one file."""


class Import(NamedTuple):
    """One import: of a module, or of a name in it; ``at_once``: when the importer is imported."""

    module: str
    name: str | None
    at_once: bool


class Package(NamedTuple):
    """A package: its directory, its rooms by floor from the ground up, and its wings.

    A room imports only from rooms on lower floors. A file imports only from files on lower floors
    of its room. `upward` lists the exceptions. A wing is a group of rooms with one purpose, and it
    imports only from itself and from wings listed before it. A package without wings has an empty
    table of them.
    """

    name: str
    directory: Path
    floors: tuple[dict[str, Room], ...]
    upward: dict[tuple[str, str], str]
    """Imports inside functions that go up, against the floors: from which module to which, and why.

    Each closes a cycle, so a new one needs a reason that no other place for the code would remove.
    """
    wings: dict[str, tuple[str, ...]]
    beside: tuple[str, ...]
    """The rooms that are in no wing, because they serve all of them."""

    @property
    def rooms(self) -> dict[str, Room]:
        """Every room, by its name."""
        return {name: room for floor in self.floors for name, room in floor.items()}

    @property
    def wing_of_room(self) -> dict[str, str]:
        """The wing of each room that has one."""
        return {room: wing for wing, rooms in self.wings.items() for room in rooms}

    @property
    def floor_of_room(self) -> dict[str, int]:
        """The floor of each room; 0 is the ground."""
        return {name: number for number, floor in enumerate(self.floors) for name in floor}

    def modules(self) -> list[Path]:
        """Every file, those of rooms too."""
        return sorted(self.directory.rglob("*.py"))

    def name_of(self, path: Path) -> str:
        """Return a file's name within the package: "hosts.ipv4"; a room's for its init."""
        parts = path.relative_to(self.directory).with_suffix("").parts
        return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)

    def imported_modules(self, path: Path) -> Iterator[tuple[str, bool]]:
        """Yield the modules of this package that a file imports, and whether it does so at once."""
        names = set(map(self.name_of, self.modules()))
        for module, name, at_once in imports(path):
            package, _, rest = module.partition(".")
            if package != self.name:
                continue
            inner = f"{rest}.{name}".lstrip(".")
            found = inner if inner in names else rest or "__init__"
            # A compiled module imports what its own .pxd declares; what is no name is a .pxd alone.
            if found in names and found != self.name_of(path):
                yield found, at_once

    def downward_modules(self, path: Path) -> Iterator[tuple[str, bool]]:
        """Yield what `imported_modules` does, without the imports that are allowed to go up."""
        importer = self.name_of(path)
        for name, at_once in self.imported_modules(path):
            if (importer, name) not in self.upward:
                yield name, at_once

    def imported_rooms(self, room: str) -> set[str]:
        """Return the other rooms that the files of ``room`` import, without those above it."""
        return {
            room_of(name)
            for path in self.modules()
            if room_of(self.name_of(path)) == room
            for name, _ in self.downward_modules(path)
        } - {room}


def room_of(name: str) -> str:
    """Return the room of a module: "hosts" for "hosts.ipv4"."""
    return name.partition(".")[0]


def imports(path: Path) -> Iterator[Import]:
    """Yield every import in a file, those inside functions and only for type checkers too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
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
            assert node.level == 0, f"{path.name}:{node.lineno}: an import names its package"
            assert node.module is not None
            # What one compiled module takes of another stands under a name of Cython's.
            module = re.sub(r"^cython\.cimports\.(?=weburl\.)", "", node.module)
            yield from (Import(module, alias.name, at_once) for alias in node.names)


WEBURL: Final = Package(
    "weburl",
    ROOT / "src" / "weburl",
    (
        {
            "infra": (
                (
                    *("build", "code_points", "dns", "errors", "offsets", "one_value", "strings"),
                    "unicode_data",
                ),
                ("encodings", "schemes", "url_units"),
                ("masking", "percent_encoding"),
                ("credentials", "form_urlencoded"),
                ("arguments", "query_pairs"),
            )
        },
        {
            "hosts": (
                ("ipv4", "ipv6", "punycode", "suffix_kinds"),
                ("uts46",),
                ("domains", "public_suffix"),
                ("values",),
                ("parser",),
            )
        },
        {
            "records": (("path", "serializer"), ("invariants",), ("record",), ("trusted",)),
            "public_suffix": (),
        },
        {
            "compiled": (
                (
                    "attributes",
                    "code_point_facts",
                    "failures",
                    "params",
                    "positions",
                    "scan",
                    "sinks",
                    "utf_8",
                ),
                (
                    "code_points",
                    "ipv4",
                    "ipv6",
                    "paths",
                    "punycode",
                    "query_and_fragment",
                    "rows",
                    "schemes",
                ),
                ("bases", "cutting", "nfc", "suffixes"),
                ("idn", "values"),
                ("hosts", "serializer"),
                ("authority", "files"),
                ("references",),
                ("columns", "keys", "parser", "resolving"),
            ),
            "validation": (("explanations", "writing"), ("report",), ("hosts",)),
        },
        {
            "segments": (),
            "parsing": (
                ("authority", "fast_path_regex"),
                ("fast_path_others", "parser"),
                ("fast_path_links", "setters"),
                ("fast_path_references",),
                ("fast_path",),
            ),
        },
        {"api": (), "fields": ()},
        {
            "file_urls": (),
            "references": (),
            "origins": (("values",), ("of_url", "texts"), ("sites",)),
            "html": (
                (
                    "attributes",
                    "content_security_policy",
                    "encodings",
                    "limits",
                    "speculation_rules",
                    "terminology",
                ),
                ("documents", "tree"),
                ("conditions", "fetching", "forms", "link"),
                ("finding",),
                ("pages",),
                ("__init__",),
            ),
            "patterns": (
                ("errors", "nodes", "parts", "result"),
                ("automaton", "canonicalization", "regexps", "tokenizer"),
                ("backtracking", "expressions", "pattern_parser", "pattern_strings"),
                ("init", "matchers"),
                ("component",),
                ("comparing", "conditions", "constructor_strings", "generating", "index"),
                ("writing",),
                ("pattern",),
                ("by_component", "lists"),
                ("match_command",),
            ),
            "keys": (
                ("patterns", "surt"),
                ("params",),
                ("lists", "steps", "tracking"),
                ("quick_compiled", "quick_regex"),
                ("quick",),
                ("rules",),
                ("__init__",),
            ),
            "legacy": (
                ("errors", "facts_2020", "facts_2024", "idna_editions", "nameprep"),
                ("hosts_2020", "idna2003", "rfc3986", "writing_2020"),
                ("drafts_2020", "hosts_2024", "resolving", "rfc3987"),
                ("html5_urls", "path_states_2020"),
                ("decomposition", "machine_2020", "web_addresses"),
                ("base_urls", "machine_2024", "url_standard_2020"),
                ("base_url_changes", "url_standard_2024"),
                ("history",),
                ("history_command",),
            ),
        },
        {
            "interface": (("search_params",), ("url",)),
            "readers": (("reading",), ("libraries", "standards"), ("agreement",)),
            "rendering": (("scripts",), ("spoofing",), ("legible",), ("text",), ("html",)),
            "testing": (("pieces", "spelling", "values"), ("texts",), ("__init__",)),
        },
        {
            "columns": (
                ("arrow", "lists", "rows", "workers"),
                ("parts",),
                ("kernels",),
                ("pairs", "running"),
                ("functions", "hosts"),
                ("__init__", "html", "methods", "sql"),
                ("duckdb", "pandas", "polars", "spark"),
            ),
            "operations": (),
            "text": (("terms",), ("finding",), ("formatting",), ("__init__",)),
            "policies": (
                ("addresses", "violations"),
                ("hosts", "names"),
                ("rules",),
                ("policy",),
                ("contacting",),
            ),
            "viewer": (
                ("escapes", "matching", "spans"),
                ("elements", "params", "report", "state"),
                ("marks",),
                ("view",),
                ("page",),
                ("responding",),
                ("server",),
                ("__init__",),
            ),
        },
        {
            "__init__": (),
            "fetching": (
                ("addresses", "bounds", "errors", "unpacking"),
                ("__init__", "guard"),
                ("aiohttp", "networks", "urllib3"),
                ("httpx", "httpx2", "requests"),
            ),
            "redirect_uris": (),
            "column_files": (
                ("arguments", "errors", "malformed"),
                ("adding", "decoding", "lines", "remote", "rows"),
                ("places", "workers"),
                ("json_lines", "keeping", "parquet_batches", "text"),
                ("tables", "writing"),
                ("running",),
                ("datasets",),
                ("command",),
            ),
        },
        {
            "__main__": (),
            "integrations": (
                ("agreeing", "hypothesis", "makers", "schemas", "sqlalchemy", "texts"),
                (
                    "cattrs",
                    "faker",
                    "httpx_urls",
                    "msgspec",
                    "orjson",
                    "polyfactory",
                    "pydantic",
                    "pydantic_urls",
                    "rfc3986",
                    "urllib",
                    "yarl",
                ),
                ("httpx", "httpx2"),
            ),
        },
    ),
    upward={
        ("infra.one_value", "integrations.pydantic"): (
            "pydantic asks a class for its schema by a method, and only then is pydantic needed"
        ),
        ("records.record", "api"): "`join` parses, and the parser makes records",
        (
            "records.record",
            "segments",
        ): "`/` makes records, which the module above does, and refuses with `URLParseError`",
        ("records.record", "references"): "`relative_to` joins what it finds, to be sure of it",
        ("records.record", "operations"): "`with_host` and its like parse, as `join` does",
        (
            "records.record",
            "origins.of_url",
        ): "the origin of a blob URL is that of its path, parsed",
    },
    # What each wing is for is in docs/architecture.md.
    wings={
        "The standard": (
            "infra",
            "hosts",
            "public_suffix",
            "records",
            "validation",
            "parsing",
            "compiled",
            "api",
            "origins",
            "rendering",
            "interface",
            "file_urls",
            "operations",
            "segments",
            "references",
            "fields",
        ),
        "The web": ("html", "text", "patterns"),
        "History": ("legacy",),
        "Safety": ("readers", "policies", "fetching", "redirect_uris"),
        "Data": ("keys", "columns", "column_files"),
    },
    beside=("__init__", "__main__", "integrations", "testing", "viewer"),
)

DJANGO_APP: Final = Package(
    "django_whatwg_url",
    ROOT / "django_whatwg_url",
    (
        {
            "columns": (
                (
                    "char_fields",
                    "computed_text",
                    "encoded_pieces",
                    "literals",
                    "spellings",
                    "storage",
                    "values",
                ),
                ("attributes", "saving", "text_lookups", "typed_text", "updates"),
                ("kept", "searched_text", "text_values", "written"),
                ("foreign_keys",),
            ),
            "messages": (),
            "encoders": (),
            "links": (),
            "policies": (),
            "redirects": (),
            "remaking": (),
            "setting_checks": (),
            "text_comparisons": (),
            "__init__": (),
        },
        {
            "parts": (
                ("below", "operands", "policies", "sql"),
                ("lookups", "sure"),
                ("under",),
                ("fields", "patterns"),
            ),
            "managers": (),
            "validators": (),
            "widgets": (),
        },
        {"functions": (), "forms": (), "linkify": ()},
        {
            "templatetags": (("whatwg_url",),),
            "canonicalizing": (
                ("planned_constraints", "policies", "scratch"),
                ("reading", "table"),
                ("database_rules", "derived", "loading", "report", "rules"),
                ("duplicates", "journal"),
                ("references",),
                ("aside", "merging", "writing"),
                ("run", "undoing"),
                ("restoring",),
            ),
            "checks": (("collations", "parts", "references", "rows", "written"), ("fields",)),
            "indexes": (),
            "lookups": (),
            "origins": (),
        },
        {
            "companions": (),
            "exact": (),
            "generated": (),
            "references": (),
            "url_patterns": (),
        },
        {"recomputing": (), "url_keys": ()},
        {"duplicates": (("groups", "one"), ("__init__",)), "fields": (), "operations": ()},
        {
            "admin": (),
            "constraints": (),
            "management": (
                ("commands.canonicalize_urls", "commands.url_duplicates", "recomputing"),
                ("commands.update_registrable_domains", "commands.update_url_keys"),
            ),
            "integrations": (
                (
                    "allauth",
                    "django_tables2",
                    "drf_spectacular",
                    "hypothesis",
                    "import_export",
                    "model_bakery",
                    "ninja",
                    "oauth2_provider",
                    "strawberry",
                    "subclasses",
                    "wagtail",
                ),
                ("django_filters", "rest_framework"),
            ),
            "migration_checks": (),
            "model_checks": (),
            "planned": (),
        },
        {"apps": ()},
    ),
    upward={},
    wings={},
    beside=(),
)

PACKAGES: Final = (WEBURL, DJANGO_APP)

_MAP: Final = re.compile(r"(<!-- map: (\w+) -->\n).*?(?=<!-- end of map -->)", re.DOTALL)


def drawn(package: Package) -> str:
    """Return a package's rooms and the imports between them as a Mermaid diagram.

    Each wing is a subgraph. An arrow that a chain of others implies is left out. Those of
    `Package.upward` are dotted.
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
    lines += [f"    {_id(room_of(low))} -.-> {_id(room_of(high))}" for low, high in package.upward]
    for room in reversed(drawn_rooms):
        implied = set().union(*(reached[other] for other in below[room]))
        lines += [f"    {_id(room)} --> {_id(other)}" for other in sorted(below[room] - implied)]
    return "\n".join([*lines, "```", ""])


def _box(package: Package, room: str) -> str:
    return f'    {_id(room)}["{_label(package, room)}"]'


def _id(room: str) -> str:
    return f"room_{room.strip('_')}"


def _label(package: Package, room: str) -> str:
    """Return what a room is called in the diagram: one of several files ends in a slash."""
    name = {"__init__": package.name, "__main__": f"python -m {package.name}"}.get(room, room)
    return f"{name}/" if package.rooms[room] else name


def with_maps(page: str) -> str:
    """Return the text of a page with its diagrams drawn anew."""
    packages = {package.name: package for package in PACKAGES}
    return _MAP.sub(lambda found: found[1] + drawn(packages[found[2]]), page)


def main() -> int:
    """Draw the maps of the architecture page."""
    page = ARCHITECTURE.read_text(encoding="utf-8")
    ARCHITECTURE.write_text(with_maps(page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
