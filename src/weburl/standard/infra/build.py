"""Finds the library of the room `compiled`, if this copy of the package has one.

An interpreter that would give wrong answers raises an ImportError here.
"""

from __future__ import annotations

import os  # pathlib is slow to import
import re
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from typing import Final

if sys.implementation.name == "pypy" and re.match("(?:ab)*+c", "ababc") is None:
    raise ImportError("weburl needs PyPy 8.0 or newer: regular expressions of this one are wrong")


def _library() -> str | None:
    """Return the path of the library with the compiled parser, or None. Imports nothing."""
    room = os.path.join(os.path.dirname(os.path.dirname(__file__)), "compiled")  # noqa: PTH118, PTH120
    paths = (os.path.join(room, f"parser{suffix}") for suffix in EXTENSION_SUFFIXES)  # noqa: PTH118
    return next(filter(os.path.isfile, paths), None)


LIBRARY: Final = _library()
"""The library of the room `compiled` that holds the modules which parsing needs, or None."""
