"""Whether this copy of the package has the room `compiled`, compiled, or does without."""

from __future__ import annotations

import os  # pathlib takes a while to load
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from typing import Final

_ROOM: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "compiled")  # noqa: PTH118, PTH120


def _is_compiled(name: str) -> bool:
    """Return whether a module of the room is a library. Nothing is imported for it."""
    found = PathFinder.find_spec(f"weburl.compiled.{name}", [_ROOM])
    return found is not None and str(found.origin).endswith(tuple(EXTENSION_SUFFIXES))


COMPILED: Final = _is_compiled("parser")
"""True where the compiled parser stands before the general one; False elsewhere."""
