"""Whether this copy of the package runs compiled, or in the interpreter, from the same files."""

from __future__ import annotations

from typing import Final


def _probe() -> None:
    """Be compiled, or not."""


COMPILED: Final = not hasattr(_probe, "__code__")
"""True where the modules that take the time are compiled by mypyc; False elsewhere."""
