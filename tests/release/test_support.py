"""docs/support.md says what both files pyproject.toml say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
WEBURL, APP = (
    tomllib.loads((ROOT / name).read_text(encoding="utf-8"))
    for name in ("src/pyproject.toml", "pyproject.toml")
)
NEEDS_OF_APP = APP["tool"]["hatch"]["metadata"]["hooks"]["custom"]["dependencies"]
NEEDS = list(map(Requirement, [*WEBURL["project"]["dependencies"], *NEEDS_OF_APP]))
PAGE = (ROOT / "docs" / "support.md").read_text(encoding="utf-8").partition("\n## Threads")[0]
ROWS = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE))


def classified(prefix: str, of: dict[str, Any] = APP) -> list[str]:
    """Return the versions that the classifiers of a project name after a prefix."""
    pattern = re.compile(rf"{re.escape(prefix)} :: (\d+\.\d+)")
    return [found[1] for each in of["project"]["classifiers"] if (found := pattern.fullmatch(each))]


def test_the_versions_are_those_of_the_classifiers() -> None:
    """In the same order."""
    pythons, djangos = ROWS["Python"].split(", "), ROWS["Django"].split(", ")
    assert pythons == classified("Programming Language :: Python")
    assert pythons == classified("Programming Language :: Python", WEBURL)
    assert djangos == classified("Framework :: Django")


def test_the_oldest_versions_are_those_that_pip_requires() -> None:
    """So pip installs no release where it is not supported."""
    requirements = {each.name: each for each in NEEDS}
    for project in (WEBURL, APP):
        assert project["project"]["requires-python"] == f">={ROWS['Python'].split(', ')[0]}"
    oldest = re.search(r"^Django 5\.2 means (5\.2\.\d+) or newer", PAGE, re.MULTILINE)
    assert oldest is not None
    assert oldest[1].startswith(f"{ROWS['Django'].split(', ')[0]}.")
    assert str(requirements["django"].specifier) == f">={oldest[1]}"


def test_no_dependency_has_an_upper_bound() -> None:
    """As the page says; also of Python."""
    specifiers = [each.specifier for each in NEEDS]
    specifiers += [SpecifierSet(each["project"]["requires-python"]) for each in (WEBURL, APP)]
    assert {each.operator for specifier in specifiers for each in specifier} == {">="}


def test_weburl_needs_neither_django_nor_what_only_its_commands_use() -> None:
    """And both distributions say the same of what they have in common."""
    assert {each.name for each in map(Requirement, WEBURL["project"]["dependencies"])}.isdisjoint(
        {"django", "tqdm"}
    )
    for name in ("license", "license-files", "requires-python", "authors"):
        assert WEBURL["project"][name] == APP["project"][name]
    assert (ROOT / "LICENSE").read_bytes() == (ROOT / "src" / "LICENSE").read_bytes()
