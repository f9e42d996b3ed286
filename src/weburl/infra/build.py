"""Whether this copy of the package has the room `compiled`, compiled, or does without."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from pathlib import Path
from typing import Final

_ROOM: Final = "weburl.compiled"


def _is_compiled(name: str) -> bool:
    """Return whether a module of the room is a library. Nothing is imported for it."""
    found = PathFinder.find_spec(f"{_ROOM}.{name}", [str(Path(__file__).parents[1] / "compiled")])
    return found is not None and str(found.origin).endswith(tuple(EXTENSION_SUFFIXES))


COMPILED: Final = _is_compiled("parser")
"""True where the compiled parser stands before the general one; False elsewhere."""
