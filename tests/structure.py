"""Draws the maps in `docs/architecture.md` from the imports and the contracts in `pyproject.toml`.

``python -m tests.structure`` (`make map`) draws the rooms and wings of `weburl`, and lists the
floors of `django_whatwg_url`. import-linter checks both. This needs the dependency group "check".
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any, Final

import grimp

ROOT: Final = Path(__file__).resolve().parents[1]
ARCHITECTURE: Final = ROOT / "docs" / "architecture.md"
_MAP: Final = re.compile(r"(<!-- map: (\w+) -->\n).*?(?=<!-- end of map -->)", re.DOTALL)
_NAMES: Final = {"__init__": "weburl", "__main__": "python -m weburl"}


def _contracts() -> dict[str, list[list[str]]]:
    """Return the layers of each contract that has some, the highest first, by the container."""
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, list[list[str]]] = {}
    for contract in project["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers":
            name = contract["name"] if ":" in contract["name"] else contract["containers"][0]
            found[name] = [re.split(r" [|:] ", layer) for layer in contract["layers"]]
    return found


def wings() -> dict[str, list[str]]:
    """Return the rooms of each wing, the highest wing first."""
    contracts = _contracts()
    (name,) = (name for name in contracts if ":" in name)
    inner = [f"standard.{room}" for layer in contracts["weburl.standard"] for room in layer]
    rooms = [[*layer, *(inner if "standard" in layer else ())] for layer in contracts[name]]
    return dict(zip(name.partition(": ")[2].split(", "), rooms, strict=True))


def _room(module: str) -> str:
    """Return the room of a module: "keys" for "weburl.keys.lists"."""
    _, first, *rest = [*module.split("."), "", ""][:3] if "." in module else (module, "__init__")
    return f"{first}.{rest[0]}" if first == "standard" and rest[0] else first


def _imported_rooms() -> dict[str, set[str]]:
    """Return what the files of each room of weburl import from other rooms."""
    graph = grimp.build_graph("weburl")
    found: dict[str, set[str]] = {}
    for module in graph.modules:
        others = map(_room, graph.find_modules_directly_imported_by(module))
        found.setdefault(_room(module), set()).update(others)
    return {room: others - {room, "standard"} for room, others in found.items()}


def _drawn() -> str:
    """Return the rooms of weburl as a Mermaid diagram, without arrows that a chain implies."""
    below = _imported_rooms()
    del below["standard"]

    def reached(room: str) -> set[str]:
        return below[room].union(*map(reached, below[room]))

    order = sorted(below, key=lambda room: (-len(reached(room)), room))
    wing_of = {room: wing for wing, rooms in wings().items() for room in rooms}
    lines = ["```mermaid", "flowchart TD"]
    lines += [f"    {_box(room)}" for room in order if room not in wing_of]
    for wing in wings():
        lines += [f'    subgraph wing_{wing.lower().replace(" ", "_")}["{wing}"]']
        lines += [f"        {_box(room)}" for room in order if wing_of.get(room) == wing]
        lines += ["    end"]
    for room in order:
        implied = set().union(*map(reached, below[room]))
        lines += [f"    {_id(room)} --> {_id(other)}" for other in sorted(below[room] - implied)]
    return "\n".join([*lines, "```", ""])


def _box(room: str) -> str:
    path = room.replace(".", "/")
    is_folder = (ROOT / "src" / "weburl" / path / "__init__.py").exists()
    return f'{_id(room)}["{_NAMES.get(room, f"{path}/" if is_folder else path)}"]'


def _id(room: str) -> str:
    return f"room_{room.strip('_').replace('.', '_')}"


def _listed() -> str:
    """Return the floors of the app as a numbered list, the lowest first."""
    floors = _contracts()["django_whatwg_url"][::-1]
    folders = {path.parent.name for path in (ROOT / "django_whatwg_url").glob("*/__init__.py")}
    lines = []
    for number, floor in enumerate(floors, 1):
        names = (f"`{room}/`" if room in folders else f"`{room}`" for room in floor)
        lines.append(f"{number}. {', '.join(names)}")
    return "\n".join([*lines, ""])


def with_maps(page: str) -> str:
    """Return the text of a page with its diagram and its list as they are now."""
    return _MAP.sub(
        lambda found: found[1] + (_drawn() if found[2] == "weburl" else _listed()), page
    )


def main() -> int:
    """Draw the maps of the architecture page."""
    page = ARCHITECTURE.read_text(encoding="utf-8")
    ARCHITECTURE.write_text(with_maps(page), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
