"""Tells whether this copy of the package has the compiled modules of the room `compiled`."""

from __future__ import annotations

import os  # pathlib is slow to import
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from typing import Final

_ROOM: Final = os.path.join(os.path.dirname(os.path.dirname(__file__)), "compiled")  # noqa: PTH118, PTH120


def _is_compiled(name: str) -> bool:
    """Return whether a module of the room is an extension module. Imports nothing."""
    found = PathFinder.find_spec(f"weburl.standard.compiled.{name}", [_ROOM])
    return found is not None and str(found.origin).endswith(tuple(EXTENSION_SUFFIXES))


COMPILED: Final = _is_compiled("parser")
"""Whether the compiled parser runs before the general one."""
