"""`hatch_build`: a build that lacks a module does not come to be."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from Cython.Compiler.Errors import CompileError

from tests.build_hook import hatch_build


def source_with(directory: Path, modules: dict[str, str]) -> Path:
    """Make a source tree whose room holds these modules."""
    source = directory / "src"
    room = source / hatch_build.ROOM
    room.mkdir(parents=True)
    for package in (room, room.parent):
        (package / "__init__.py").touch()
    for name, text in modules.items():
        (room / f"{name}.py").write_text(text, encoding="utf-8")
    return source


def test_each_module_becomes_a_library(tmp_path: Path) -> None:
    """In the room, with the ending that this interpreter looks for."""
    source = source_with(
        tmp_path, {"one": "X = 1", "two": "import cython\nY = cython.declare(cython.int, 2)"}
    )
    libraries = hatch_build.compiled(source, ["one", "two"], tmp_path / "made")
    assert [library.name for library in libraries] == [
        f"{name}{EXTENSION_SUFFIXES[0]}" for name in ("one", "two")
    ]


def test_a_module_that_does_not_compile_stops_the_build(tmp_path: Path) -> None:
    """Rather than be left out."""
    source = source_with(tmp_path, {"one": "X = 1", "two": "def :"})
    with pytest.raises(CompileError):
        hatch_build.compiled(source, ["one", "two"], tmp_path / "made")


def test_a_module_that_is_not_there_stops_the_build(tmp_path: Path) -> None:
    """And so does a room without any."""
    source = source_with(tmp_path, {"one": "X = 1"})
    with pytest.raises(ValueError, match="two"):
        hatch_build.compiled(source, ["one", "two"], tmp_path / "made")
    with pytest.raises((RuntimeError, OSError)):
        hatch_build.compiled(source, [], tmp_path / "nothing")
