"""The slots of domains and records, which compiled code makes if there is any.

The garbage collector does not know the values of a compiled build: they hold only text, numbers and
hosts, so they can be in no cycle of references. Python's class statement always makes a class that
the collector knows. Each value then takes 16 bytes more, and brings the next run of the collector
closer.

This uses only the room `compiled`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

from weburl.standard.infra.build import COMPILED

_T = TypeVar("_T")


class DomainSlots:
    """The slot of a domain."""

    __slots__ = ("value",)


class RecordSlots:
    """The slots of a record."""

    __slots__ = (
        "__weakref__",
        "fragment",
        "host",
        "password",
        "path_text",
        "port",
        "query",
        "scheme",
        "username",
    )


def plain_class(cls: type[_T]) -> type[_T]:
    """Return the same class, but unknown to the garbage collector in a compiled build.

    Its base must be such a class too, or `DomainSlots` or `RecordSlots`. It may not have slots of
    its own, nor use ``super()`` without arguments.
    """
    return cls


if COMPILED and not TYPE_CHECKING:
    _slots = DomainSlots.__slots__, RecordSlots.__slots__
    with suppress(ImportError):  # `fast_path` warns of it
        from weburl.standard.compiled.storage import (  # noqa: F401  # hosts and records use them
            DomainSlots,
            RecordSlots,
            plain_class,
        )

        # Code that adds slots to a subclass, such as attrs, reads which slots there are.
        DomainSlots.__slots__, RecordSlots.__slots__ = _slots
