"""Hatchling's hook: compiles the room `weburl/compiled/` with Cython, all of it or nothing.

It is off unless HATCH_BUILD_HOOKS_ENABLE is set, as in `make compiled`. The wheel is then for one
platform and one Python. An editable install puts the libraries among the sources.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOM = "weburl/compiled"
# The code checks the end of the text before it reads a byte, so Cython need not check again.
DIRECTIVES = {
    "language_level": 3,
    "binding": False,  # The interpreter calls a builtin function faster.
    "boundscheck": False,
    "cdivision": True,
    "initializedcheck": False,
    "wraparound": False,
}
COMPILER_FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]
if "CFLAGS" in os.environ:  # Our flags would come last and override those of the user.
    COMPILER_FLAGS = []


class CompiledRoomHook(BuildHookInterface[Any]):
    """Compiles the room, and makes the name of the wheel specific to the platform."""

    PLUGIN_NAME = "custom"
    temporary: str

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a temporary directory, and add the libraries to the wheel."""
        source = Path(self.root) / "src"
        names = sorted(
            path.stem for path in (source / ROOM).glob("*.py") if path.stem != "__init__"
        )
        self.temporary = tempfile.mkdtemp()
        libraries = compiled(source, names, Path(self.temporary))
        for library in libraries:
            if version == "editable":
                shutil.copy(library, source / ROOM)
            else:
                build_data["force_include"][str(library)] = f"{ROOM}/{library.name}"
        build_data["infer_tag"] = True
        build_data["pure_python"] = False

    def finalize(
        self,
        version: str,  # noqa: ARG002
        build_data: dict[str, Any],  # noqa: ARG002
        artifact_path: str,  # noqa: ARG002
    ) -> None:
        """Remove the temporary directory."""
        shutil.rmtree(self.temporary, ignore_errors=True)


def compiled(source: Path, names: list[str], directory: Path) -> list[Path]:
    """Return the compiled libraries of the modules. Raises RuntimeError if one is missing."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    package = ROOM.replace("/", ".")
    extensions = [
        Extension(f"{package}.{name}", [f"{ROOM}/{name}.py"], extra_compile_args=COMPILER_FLAGS)
        for name in names
    ]
    here = Path.cwd()
    os.chdir(source)  # Cython derives a module's name from its relative path.
    try:
        modules = cythonize(
            extensions,
            build_dir=str(directory / "c"),
            compiler_directives=DIRECTIVES,
            quiet=True,
        )
        command = build_ext(Distribution({"ext_modules": modules}))
        command.build_lib, command.build_temp = str(directory / "lib"), str(directory / "o")
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(here)
    libraries = sorted((directory / "lib" / ROOM).iterdir())
    found = [library.name.partition(".")[0] for library in libraries]
    if not names or found != names:
        raise RuntimeError(f"compiled {found} of {names}")
    return libraries
