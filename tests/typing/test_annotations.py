"""What programs that read annotations at run time get of everything public."""

from __future__ import annotations

import sys
import typing
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

import pytest

import weburl
import weburl.standard

ROOMS: Final = [
    "weburl",
    *(room.name for room in iter_modules(weburl.__path__, "weburl.")),
    *(room.name for room in iter_modules(weburl.standard.__path__, "weburl.standard.")),
]


def public(room: str) -> list[type[Any]]:
    """Return the public classes of a room.

    Functions name what is imported when they are called, so that `import weburl` is quick.
    """
    if room == "weburl.columns":
        pytest.importorskip("pyarrow", reason="weburl.columns needs pyarrow.")
    module = import_module(room)
    named = [getattr(module, name) for name in getattr(module, "__all__", ())]
    return [each for each in named if isinstance(each, type)]


@pytest.mark.parametrize("room", ROOMS)
def test_annotations_mean_something_at_run_time(room: str) -> None:
    """Each name in them is found where the class says that it is."""
    unknown = []
    for each in public(room):
        try:
            typing.get_type_hints(each)
        except NameError as error:
            unknown.append((each.__qualname__, str(error)))
    assert unknown == []


@pytest.mark.skipif(sys.version_info < (3, 14), reason="annotationlib is new in Python 3.14")
@pytest.mark.parametrize("room", ROOMS)
def test_annotations_are_read_in_each_format_of_python_314(room: str) -> None:
    """Which are the same names in each, because our modules keep annotations as text."""
    annotationlib = import_module("annotationlib")
    for each in public(room):
        values, forward, text = (
            annotationlib.get_annotations(each, format=annotationlib.Format[name])
            for name in ("VALUE", "FORWARDREF", "STRING")
        )
        assert values.keys() == forward.keys() == text.keys()
        assert all(isinstance(hint, str) for hint in text.values())
