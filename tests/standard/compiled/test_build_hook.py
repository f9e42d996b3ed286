"""`hatch_build` chooses the build, and a compiled build has every module."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from pathlib import Path
from typing import Final
from zipfile import ZipFile

import pytest
from Cython.Compiler.Errors import CompileError

from tests.build_hook import FILE, hatch_build
from weburl import ValidationErrorType
from weburl.standard.hosts import public_suffix

ROOM: Final = "weburl/standard/compiled"
PACKAGE: Final = "weburl.standard.compiled"

# The name of a compiled module, where another one takes something from it.
USED: Final = r"^from (?:cython\.cimports\.)?weburl\.standard\.compiled\.(\w+) c?import"


def source_with(directory: Path, modules: dict[str, str]) -> Path:
    """Make a source tree with these compiled modules."""
    source = directory / "src"
    room = source / ROOM
    room.mkdir(parents=True)
    for package in (room, room.parent, room.parent.parent):
        (package / "__init__.py").touch()
    for name, text in modules.items():
        (room / f"{name}.py").write_text(text, encoding="utf-8")
    return source


def test_each_module_becomes_a_library(tmp_path: Path) -> None:
    """The name of a library has the ending that this interpreter looks for."""
    source = source_with(
        tmp_path, {"one": "X = 1", "two": "import cython\nY = cython.declare(cython.int, 2)"}
    )
    names = hatch_build.modules_to_compile(source)
    assert names == [f"{PACKAGE}.one", f"{PACKAGE}.two"]
    libraries = hatch_build.compiled(source, names, tmp_path / "made")
    assert libraries == [f"{ROOM}/{name}{EXTENSION_SUFFIXES[0]}" for name in ("one", "two")]


def test_every_directory_with_the_name_is_compiled(tmp_path: Path) -> None:
    """Modules of two rooms may have the same name, and one may use the declarations of another."""
    source = source_with(tmp_path, {"one": "X = 1"})
    other = source / "weburl" / "keys" / "compiled"
    other.mkdir(parents=True)
    for package in (other, other.parent):
        (package / "__init__.py").touch()
    (source / ROOM / "numbers.pxd").write_text("cdef enum:\n    ONE = 1", encoding="utf-8")
    text = f"from cython.cimports.{PACKAGE}.numbers import ONE\nX = ONE"
    (other / "one.py").write_text(text, encoding="utf-8")
    names = hatch_build.modules_to_compile(source)
    assert names == ["weburl.keys.compiled.one", f"{PACKAGE}.one"]
    libraries = hatch_build.compiled(source, names, tmp_path / "made")
    assert [path.rpartition("/")[0] for path in libraries] == ["weburl/keys/compiled", ROOM]


def test_modules_that_are_loaded_together_become_one_library(tmp_path: Path) -> None:
    """It has the name of the last one, and the interpreter finds each module in it."""
    source = source_with(tmp_path, {"one": "X = 1", "two": "Y = 2", "three": "Z = 3"})
    room = source / ROOM
    (room / "__init__.py").write_text('_IN_LIBRARY = ("three", "one")', encoding="utf-8")
    made = tmp_path / "made"
    libraries = hatch_build.compiled(source, hatch_build.modules_to_compile(source), made)
    assert libraries == [f"{ROOM}/{name}{EXTENSION_SUFFIXES[0]}" for name in ("one", "two")]
    library = str(made / hatch_build.LIBRARIES / libraries[0])
    for name, value in (("one", "X"), ("three", "Z")):
        loader = ExtensionFileLoader(f"{PACKAGE}.{name}", library)
        module = loader.create_module(ModuleSpec(loader.name, loader, origin=library))
        loader.exec_module(module)
        assert hasattr(module, value)


def test_the_library_holds_what_its_modules_use() -> None:
    """Each module comes after the modules that it uses, so the import system looks for no file."""
    room = FILE.parent / ROOM
    full_names = hatch_build.in_one_library(FILE.parent)
    names = [name.removeprefix(f"{PACKAGE}.") for name in full_names]
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
    text = (FILE.parent / ROOM / "failures.pxd").read_text(encoding="utf-8")
    found = {name: int(number) for name, number in re.findall(r"    (\w+) = (\d+)", text)}
    order = {type.name: number for number, type in enumerate(ValidationErrorType, 1)}
    assert len(found) == 10
    assert found.items() <= order.items()


def test_the_kinds_of_names_in_a_public_suffix_list_have_the_same_numbers() -> None:
    """`suffixes.pxd` writes them once more, as constants of C."""
    text = (FILE.parent / ROOM / "suffixes.pxd").read_text(encoding="utf-8")
    for name in ("RULE", "WILDCARD", "EXCEPTION", "UNKNOWN"):
        assert f"    {name} = {getattr(public_suffix, name)}\n" in text


def test_attributes_of_functions_in_c_come_first() -> None:
    """C23, the default of gcc 16, allows `[[maybe_unused]]` only before "static"."""
    declarations = [
        line
        for file in Path(FILE).parent.rglob("compiled/*.pxd")
        for line in file.read_text(encoding="utf-8").splitlines()
        if "CYTHON_UNUSED" in line
    ]
    assert len(declarations) >= 9
    assert all(line.strip().startswith("CYTHON_UNUSED static ") for line in declarations)


def test_a_module_that_does_not_compile_stops_the_build(tmp_path: Path) -> None:
    """It is not left out."""
    source = source_with(tmp_path, {"one": "X = 1", "two": "def :"})
    with pytest.raises(CompileError):
        hatch_build.compiled(source, [f"{PACKAGE}.one", f"{PACKAGE}.two"], tmp_path / "made")


def test_a_module_that_is_not_there_stops_the_build(tmp_path: Path) -> None:
    """A package without modules stops it too."""
    source = source_with(tmp_path, {"one": "X = 1"})
    with pytest.raises(ValueError, match="two"):
        hatch_build.compiled(source, [f"{PACKAGE}.one", f"{PACKAGE}.two"], tmp_path / "made")
    with pytest.raises((RuntimeError, OSError)):
        hatch_build.compiled(source, [], tmp_path / "nothing")


PROJECT: Final = f"""
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "weburl"
version = "1.0"
dynamic = ["readme"]
license = "MIT"
[project.urls]
Source = "https://source.invalid/"
[tool.hatch.metadata.hooks.custom]
path = {str(FILE)!r}
[tool.hatch.build.targets.wheel]
packages = ["weburl"]
[tool.hatch.build.targets.wheel.hooks.custom]
path = {str(FILE)!r}
"""


def built(source: Path, **variables: str) -> tuple[int, str, list[bool]]:
    """Build a wheel, and return the exit status, the output, and whether each wheel is pure."""
    (source / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (source / "README.md").touch()
    result = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel"],
        cwd=source,
        env={**os.environ, "WEBURL_BUILD": "", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        encoding="utf-8",
    )
    wheels = [path.name.endswith("-none-any.whl") for path in source.glob("dist/*.whl")]
    return result.returncode, result.stdout, wheels


def test_a_wheel_is_compiled_where_that_is_possible(tmp_path: Path) -> None:
    """WEBURL_BUILD may be empty or "compiled"."""
    for number, build in enumerate(["", "compiled"]):
        source = source_with(tmp_path / str(number), {"one": "X = 1"})
        status, output, wheels = built(source, WEBURL_BUILD=build)
        assert (status, wheels) == (0, [False]), output
        assert "This build of weburl is compiled.\n" in output


@pytest.mark.parametrize(
    ("variables", "text", "reason"),
    [
        ({"WEBURL_BUILD": "interpreted"}, "X = 1", "WEBURL_BUILD asks for it"),
        ({"CC": "no-such-compiler -O2"}, "X = 1", "there is no C compiler 'no-such-compiler -O2'"),
        ({"CC": "false"}, "X = 1", "CompileError: "),
        ({}, "def :", "CompileError: "),
    ],
)
def test_a_wheel_that_is_not_compiled_says_why(
    tmp_path: Path, variables: dict[str, str], text: str, reason: str
) -> None:
    """The reason is in one line, and the wheel is for all platforms."""
    status, output, wheels = built(source_with(tmp_path, {"one": text}), **variables)
    assert (status, wheels) == (0, [True]), output
    (line,) = (line for line in output.splitlines() if line.startswith("This build"))
    assert line.startswith(f"This build of weburl is interpreted ({reason}")


def test_a_wheel_has_the_sources_of_its_libraries_only(tmp_path: Path) -> None:
    """An interpreted one imports nothing from there."""
    for build, expected in (("interpreted", set()), ("compiled", {"__init__.py", "one.py"})):
        source = source_with(tmp_path / build, {"one": "X = 1"})
        (source / "weburl" / "other.py").touch()
        status, output, _ = built(source, WEBURL_BUILD=build)
        assert status == 0, output
        (wheel,) = source.glob("dist/*.whl")
        names = ZipFile(wheel).namelist()
        assert "weburl/other.py" in names
        inside = {Path(name).name for name in names if "/compiled/" in name}
        assert {name for name in inside if name.endswith(".py")} == expected


def test_two_builds_in_different_places_are_equal(tmp_path: Path) -> None:
    """Neither a time nor a path is in a wheel, compiled or not."""
    text = "def f(x):\n    assert x\n    return [x for _ in range(3)]"
    for build in ("interpreted", "compiled"):
        wheels = []
        for place in ("a", "some/where/else"):
            source = source_with(tmp_path / build / place, {"one": text})
            status, output, _ = built(source, WEBURL_BUILD=build, SOURCE_DATE_EPOCH="1700000000")
            assert status == 0, output
            (wheel,) = source.glob("dist/*.whl")
            wheels.append(wheel.read_bytes())
        assert wheels[0] == wheels[1], build


@pytest.mark.parametrize("variables", [{"CC": "no-such-compiler"}, {"CC": "false"}])
def test_a_wheel_that_must_be_compiled_is_compiled_or_an_error(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    """No wheel is made in case of an error."""
    source = source_with(tmp_path, {"one": "X = 1"})
    status, output, wheels = built(source, WEBURL_BUILD="compiled", **variables)
    assert (status, wheels) == (1, []), output


def test_only_the_two_builds_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error for another name lists both."""
    monkeypatch.setenv("WEBURL_BUILD", "pure")
    with pytest.raises(ValueError, match='"compiled" or "interpreted"'):
        hatch_build.why_interpreted()


def test_an_editable_install_is_compiled_only_if_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Otherwise, a change to a compiled module would have no effect."""
    monkeypatch.delenv("WEBURL_BUILD", raising=False)
    assert "WEBURL_BUILD" in hatch_build.why_interpreted("editable")
    monkeypatch.setenv("WEBURL_BUILD", "compiled")
    assert hatch_build.why_interpreted("editable") == ""
