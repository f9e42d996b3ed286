"""Hatchling's hooks of both distributions: the README on PyPI, and the compiled modules.

`weburl` is built in this directory, and `django-whatwg-url` in the one above. Where there is a C
compiler, each directory `compiled` of `weburl` is compiled with Cython, all of them or none. The
wheel is then for one platform and one Python. `WEBURL_BUILD` names one of the two builds:
"compiled", which fails if it cannot be made, or "interpreted", whose wheel has no such directory.
An editable install is interpreted unless the variable is "compiled", and then has the libraries
among its sources.
"""

from __future__ import annotations

import ast
import contextlib
import os
import posixpath
import re
import shlex
import shutil
import sys
import sysconfig
import tempfile
import textwrap
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "WEBURL_BUILD"
PACKAGE = "weburl"
ROOM = "compiled"  # the name of each directory whose modules are compiled
LIBRARIES = "lib"  # the directory of what a build makes
# The code checks the end of the text before it reads a byte, so Cython need not check again.
DIRECTIVES = {
    "language_level": 3,
    "binding": False,  # The interpreter calls a builtin function faster.
    "boundscheck": False,
    "cdivision": True,
    "freethreading_compatible": True,  # tests/standard/compiled/test_shared_state.py says why
    "initializedcheck": False,
    "wraparound": False,
}
COMPILER_FLAGS = ["/O2"] if sys.platform == "win32" else ["-O3", "-g0"]
if "CFLAGS" in os.environ:  # Our flags would come last and override those of the user.
    COMPILER_FLAGS = []


class MetadataHook(MetadataHookInterface):
    """Sets the README with absolute links, because PyPI does not have the files of a checkout.

    `django-whatwg-url` also gets its dependencies here, because it needs just its own version of
    `weburl`, and the addresses of `weburl`.
    """

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the README, and what `django-whatwg-url` has in common with `weburl`."""
        if "dependencies" in self.config:
            weburl = f"weburl=={metadata['version']}"
            metadata["dependencies"] = [*self.config["dependencies"], weburl]
            project = Path(__file__).with_name("pyproject.toml").read_text(encoding="utf-8")
            metadata["urls"] = tomllib.loads(project)["project"]["urls"]
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        text = with_absolute_links(
            text,
            metadata["urls"]["Source"],
            f"v{metadata['version']}",
            self.config.get("directory", ""),
        )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class WheelHook(BuildHookInterface[Any]):
    """Adds the compiled modules to a wheel if they can be compiled."""

    PLUGIN_NAME = "custom"
    temporary: str

    def dependencies(self) -> list[str]:
        """Return what a build needs besides Hatchling."""
        return ["cython>=3.1", "setuptools"] if self._modules and not why_interpreted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the modules in a temporary directory if possible, and say which build it is."""
        self.temporary = tempfile.mkdtemp()
        if not self._modules:
            return
        reason = why_interpreted(version)
        if not reason:
            try:
                self._compile(version, build_data)
            except Exception as error:
                if os.environ.get(VARIABLE) == "compiled":
                    raise
                reason = textwrap.shorten(f"{type(error).__name__}: {error}", 150)
        if reason and version != "editable":
            # Such a wheel imports none of them. The source distribution has them.
            excluded = self.build_config.target_config.setdefault("exclude", [])
            excluded.append(f"/{PACKAGE}/**/{ROOM}/")
        which = f"interpreted ({reason})" if reason else "compiled"
        self.app.display_info(f"This build of weburl is {which}.")

    @property
    def _modules(self) -> list[str]:
        """The modules to compile. The app has none."""
        return modules_to_compile(Path(self.root))

    def _compile(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the modules. The wheel is then for this platform and this Python."""
        source = Path(self.root)
        made = Path(self.temporary)
        for library in compiled(source, self._modules, made):
            if version == "editable":
                shutil.copy(made / LIBRARIES / library, source / library)
            else:
                build_data["force_include"][str(made / LIBRARIES / library)] = library
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


def why_interpreted(version: str = "standard") -> str:
    """Return why not to compile, or "" to try. Raises ValueError if `WEBURL_BUILD` names no build.

    Args:
        version: What Hatchling builds: "standard" is a wheel, "editable" an editable install.
    """
    build = os.environ.get(VARIABLE) or "any"
    if build not in {"any", "compiled", "interpreted"}:
        raise ValueError(f'{VARIABLE} is {build!r}, and can be "compiled" or "interpreted"')
    if build == "interpreted":
        return f"{VARIABLE} asks for it"
    if build == "compiled":
        return ""
    if version == "editable":
        return f"editable installs are compiled if {VARIABLE} is compiled"
    if sys.implementation.name != "cpython":
        return "only CPython has a compiled build"
    # On Windows, setuptools searches the registry for the compiler.
    command = os.environ.get("CC") or sysconfig.get_config_var("CC")
    if command and not shutil.which(shlex.split(command)[0]):
        return f"there is no C compiler {command!r}"
    return ""


_LINK = re.compile(r"(\]\()([^()\s:#]+)(?=[#)])")
_PICTURE = re.compile(r"((?:src|srcset)=\")([^\":]+)(?=\")")


def with_absolute_links(text: str, source: str, tag: str, directory: str = "") -> str:
    """Return a Markdown text whose links to files of the checkout are absolute.

    Args:
        text: The text.
        source: The address of the repository.
        tag: The tag of the version whose files are linked.
        directory: The directory of the text in the checkout.
    """

    def path(found: re.Match[str]) -> str:
        return posixpath.normpath(posixpath.join(directory, found[2]))

    text = _LINK.sub(lambda found: f"{found[1]}{source}/blob/{tag}/{path(found)}", text)
    return _PICTURE.sub(lambda found: f"{found[1]}{source}/raw/{tag}/{path(found)}", text)


def modules_to_compile(source: Path) -> list[str]:
    """Return the names of the modules to compile: "weburl.standard.compiled.scan"."""
    paths = Path(source, PACKAGE).rglob(f"{ROOM}/*.py")
    return sorted(
        ".".join(path.relative_to(source).with_suffix("").parts)
        for path in paths
        if path.stem != "__init__"
    )


def compiled(source: Path, names: list[str], directory: Path) -> list[str]:
    """Compile modules, and return the paths of the libraries below the directory `LIBRARIES`.

    Raises RuntimeError if one is missing.
    """
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    linked = [name for name in in_one_library(source) if name in names]
    libraries = {name: [name] for name in names if name not in linked}
    if linked:
        libraries[linked[-1]] = linked
    here = Path.cwd()
    os.chdir(source)  # Cython derives a module's name from its relative path.
    try:
        with contextlib.redirect_stdout(sys.stderr):  # It names each module: pip -v shows that.
            translated = cythonize(
                [Extension(name, [f"{name.replace('.', '/')}.py"]) for name in names],
                build_dir=str(directory / "c"),
                compiler_directives=DIRECTIVES,
            )
        sources = {module.name: module.sources for module in translated}
        extensions = [
            Extension(
                name,
                [path for member in members for path in sources[member]],
                extra_compile_args=COMPILER_FLAGS,
            )
            for name, members in libraries.items()
        ]
        print(f"Compiling {len(extensions)} libraries of C.", file=sys.stderr, flush=True)
        command = build_ext(Distribution({"ext_modules": extensions}))
        command.build_lib, command.build_temp = str(directory / LIBRARIES), str(directory / "o")
        command.parallel = os.cpu_count()
        command.ensure_finalized()
        command.run()
    finally:
        os.chdir(here)
    paths = Path(directory, LIBRARIES).rglob("*.*")
    made = sorted(path.relative_to(directory / LIBRARIES).as_posix() for path in paths)
    found = sorted(path.partition(".")[0].replace("/", ".") for path in made)
    if not names or found != sorted(libraries):
        raise RuntimeError(f"compiled {found} of {names}")
    return made


def in_one_library(source: Path) -> list[str]:
    """Return which modules the package `weburl.standard.compiled` loads from one library.

    The library has the name of the last one.
    """
    package = Path(source, PACKAGE, "standard", ROOM)
    for statement in ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="_IN_LIBRARY")], value=value):
                names = ast.literal_eval(value)
                return [f"{PACKAGE}.standard.{ROOM}.{name}" for name in names]
    return []
