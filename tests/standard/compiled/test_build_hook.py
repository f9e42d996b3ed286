"""`hatch_build`: a build that lacks a module does not come to be."""

from __future__ import annotations

import re
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from pathlib import Path
from typing import Final

import pytest
from Cython.Compiler.Errors import CompileError

from tests.build_hook import FILE, hatch_build
from weburl import ValidationErrorType

# The name of a compiled module, where another one takes something from it.
USED: Final = r"^from (?:cython\.cimports\.)?weburl\.standard\.compiled\.(\w+) c?import"


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


def test_modules_that_are_loaded_together_become_one_library(tmp_path: Path) -> None:
    """Named after the last of them, in which the interpreter finds each by its name."""
    source = source_with(tmp_path, {"one": "X = 1", "two": "Y = 2", "three": "Z = 3"})
    room = source / hatch_build.ROOM
    (room / "__init__.py").write_text('_IN_LIBRARY = ("three", "one")', encoding="utf-8")
    libraries = hatch_build.compiled(source, ["one", "three", "two"], tmp_path / "made")
    assert [library.name for library in libraries] == [
        f"{name}{EXTENSION_SUFFIXES[0]}" for name in ("one", "two")
    ]
    library = str(libraries[0])
    for name, value in (("one", "X"), ("three", "Z")):
        loader = ExtensionFileLoader(f"weburl.standard.compiled.{name}", library)
        module = loader.create_module(ModuleSpec(loader.name, loader, origin=library))
        loader.exec_module(module)
        assert hasattr(module, value)


def test_the_library_holds_what_its_modules_use() -> None:
    """Each module comes after those that it uses, so that the import system looks for none."""
    room = FILE.parent / hatch_build.ROOM
    names = hatch_build.in_one_library(room / "__init__.py")
    compiled = {path.stem for path in room.glob("*.py")}
    assert len(names) > 20
    for at, name in enumerate(names):
        used: set[str] = set()
        for path in (room / f"{name}.py", room / f"{name}.pxd"):
            if path.exists():
                used |= set(re.findall(USED, path.read_text(encoding="utf-8"), re.MULTILINE))
        assert used & compiled - {name} <= set(names[:at]), name
    assert names[-1] == "parser"  # which `infra.build` looks for


def test_the_numbers_of_failures_are_places_in_the_standards_table() -> None:
    """`failures.pxd` has no code that could look them up."""
    text = (FILE.parent / hatch_build.ROOM / "failures.pxd").read_text(encoding="utf-8")
    found = {name: int(number) for name, number in re.findall(r"    (\w+) = (\d+)", text)}
    order = {type.name: number for number, type in enumerate(ValidationErrorType, 1)}
    assert len(found) == 10
    assert found.items() <= order.items()


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
