"""The classes that were made of another app's class before it was told of the fields here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def with_subclasses(parent: type[Any]) -> Iterator[type[Any]]:
    """Yield a class and all that are made of it, at any depth."""
    yield parent
    for child in parent.__subclasses__():
        yield from with_subclasses(child)
