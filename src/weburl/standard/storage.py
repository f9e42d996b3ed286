"""Tells whether compiled code runs, and has the slots of domains and records.

The garbage collector does not track the values of a compiled build, which hold only text and
numbers. Python's class statement always makes a class that it tracks. Each value then takes 16
bytes more, and brings the next run of the collector closer.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, TypeVar

from weburl.standard.infra.build import LIBRARY

_T = TypeVar("_T")

COMPILED = False
"""Whether this interpreter runs the compiled modules."""


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
    """Return the same class, but not tracked by the garbage collector in a compiled build.

    Its base must be such a class too, or `DomainSlots` or `RecordSlots`. It may not have slots of
    its own, nor use ``super()`` without arguments.
    """
    return cls


if LIBRARY is not None and not TYPE_CHECKING:
    _slots = DomainSlots.__slots__, RecordSlots.__slots__
    try:
        from weburl.standard.compiled.storage import (  # noqa: F401  # hosts and records use them
            DomainSlots,
            RecordSlots,
            plain_class,
        )
    except ImportError as _error:
        # Only one interpreter of a process can load Cython's modules. mod_wsgi, for example, runs
        # each application in an interpreter of its own.
        warnings.warn(
            f"weburl is slower here, because its compiled modules cannot be loaded: {_error}",
            RuntimeWarning,
            stacklevel=2,
        )
    else:
        # Code that adds slots to a subclass, such as attrs, reads which slots there are.
        DomainSlots.__slots__, RecordSlots.__slots__ = _slots
        COMPILED = True
