"""What runs weburl in the visitor's browser: Pyodide, and the wheels of weburl and its needs.

`make docs` puts both into the environment, and the site gets copies. The page loads nothing that is
not part of the site.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

INSTALLED: Final = Path(sys.prefix) / "playground"
"""Where `make` installs Pyodide, and puts the wheels."""

_WHEELS: Final = "wheels"
_PYODIDE: Final = "pyodide"
_OWN: Final = "weburl"
# What Pyodide itself loads. The package has pages with a console, too.
_FILES_OF_PYODIDE: Final = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
_OF_PLAYGROUND: Final = ("worker.js", "answering.py")


class Package(NamedTuple):
    """A package that the browser loads: its name, its version, and its size in bytes."""

    name: str
    version: str
    size: int


class Engine(NamedTuple):
    """Pyodide, as npm installs it, and wheels for any platform. The first wheel is ours."""

    pyodide: Path
    wheels: tuple[Path, ...]

    @property
    def packages(self) -> tuple[Package, ...]:
        """Pyodide, then the packages of the wheels."""
        said = json.loads((self.pyodide / "package.json").read_text(encoding="utf-8"))
        size = sum((self.pyodide / name).stat().st_size for name in _FILES_OF_PYODIDE)
        return (
            Package("Pyodide", said["version"], size),
            *(Package(*_named(wheel), wheel.stat().st_size) for wheel in self.wheels),
        )

    @property
    def python(self) -> str:
        """The version of Python that Pyodide is, such as "3.14.2"."""
        lock = json.loads((self.pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
        return str(lock["info"]["python"])

    @property
    def scripts(self) -> dict[str, int]:
        """The sizes in bytes of the modules of Pyodide, relative to the files of the playground."""
        return {
            f"{_PYODIDE}/{name}": (self.pyodide / name).stat().st_size
            for name in _FILES_OF_PYODIDE
            if name.endswith(".mjs")
        }

    @property
    def names_of_wheels(self) -> list[str]:
        """The wheels, relative to the files of the playground."""
        return [f"{_WHEELS}/{wheel.name}" for wheel in self.wheels]

    def copy(self, directory: Path) -> None:
        """Copy everything that the page loads later into the directory of its files."""
        for source, place in self._copies():
            (directory / place).parent.mkdir(exist_ok=True)
            shutil.copyfile(source, directory / place)

    def _copies(self) -> Iterator[tuple[Path, Path]]:
        for name in _OF_PLAYGROUND:
            yield Path(__file__).parent / name, Path(name)
        for name in _FILES_OF_PYODIDE:
            yield self.pyodide / name, Path(_PYODIDE, name)
        for wheel in self.wheels:
            yield wheel, Path(_WHEELS, wheel.name)


def found(directory: Path = INSTALLED) -> Engine | None:
    """Return what `make` has put into ``directory``, or None if it has not.

    Raises ValueError for a wheel that is not for any platform, and without a single wheel of ours.
    """
    pyodide = directory / "node_modules" / _PYODIDE
    wheels = sorted((directory / _WHEELS).glob("*.whl"))
    if not wheels or not all((pyodide / name).is_file() for name in _FILES_OF_PYODIDE):
        return None
    if wrong := [wheel.name for wheel in wheels if not wheel.stem.endswith("-none-any")]:
        raise ValueError(f"Pyodide cannot run {', '.join(wrong)}")
    own = [wheel for wheel in wheels if _named(wheel)[0] == _OWN]
    if len(own) != 1:
        raise ValueError(f"there are {len(own)} wheels of {_OWN} in {directory}")
    return Engine(pyodide, (*own, *(wheel for wheel in wheels if wheel not in own)))


def _named(wheel: Path) -> tuple[str, str]:
    name, version, *_tags = wheel.name.split("-")
    return name, version
