"""Finds subclasses of another app's class that were created before `register` changed it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def with_subclasses(parent: type[Any]) -> Iterator[type[Any]]:
    """Yield a class and all its subclasses, at any depth."""
    yield parent
    for child in parent.__subclasses__():
        yield from with_subclasses(child)
