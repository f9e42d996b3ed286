"""docs/support.md says what pyproject.toml says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGE = (ROOT / "docs" / "support.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE))


def classified(prefix: str) -> list[str]:
    """Return the versions that the classifiers name after a prefix."""
    pattern = re.compile(rf"{re.escape(prefix)} :: (\d+\.\d+)")
    return [found[1] for each in PROJECT["classifiers"] if (found := pattern.fullmatch(each))]


def test_the_versions_are_those_of_the_classifiers() -> None:
    """In the same order, and each with the month of its end."""
    pythons, djangos = ROWS["Python"].split(", "), ROWS["Django"].split(", ")
    assert pythons == classified("Programming Language :: Python")
    assert djangos == classified("Framework :: Django")
    ends = [name.removesuffix(" (LTS)") for name in ROWS if re.match(r"(Python|Django) \d", name)]
    assert ends == [f"Python {each}" for each in pythons] + [f"Django {each}" for each in djangos]
    assert all(re.fullmatch(r"[A-Z][a-z]+ 20\d\d", ROWS[name]) for name in ROWS if " " in name)


def test_the_oldest_versions_are_those_that_pip_requires() -> None:
    """So pip installs no release where it is not supported."""
    requirements = {each.name: each for each in map(Requirement, PROJECT["dependencies"])}
    assert PROJECT["requires-python"] == f">={ROWS['Python'].split(', ')[0]}"
    assert str(requirements["django"].specifier) == f">={ROWS['Django'].split(', ')[0]}"


def test_no_dependency_has_an_upper_bound() -> None:
    """As the page says; also of Python."""
    specifiers = [Requirement(each).specifier for each in PROJECT["dependencies"]]
    specifiers.append(SpecifierSet(PROJECT["requires-python"]))
    assert {each.operator for specifier in specifiers for each in specifier} == {">="}
