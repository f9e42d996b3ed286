"""`.ci/check_versions.py`: the version, the change log and the tag."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from typing import Final

import pytest

import check_versions
import weburl
from check_versions import Section, complaints, top_section, written_version

TODAY: Final = dt.date(2026, 11, 22)


def changes(head: str) -> str:
    """Return a change log whose top section has this head."""
    return f"# Changes\n\n## {head}\n\n- A line.\n\n## 0.9.0 (2026-01-01)\n\n- The first.\n"


def said(
    version: str, head: str, *, for_release: bool = False, tag: str | None = None
) -> list[str]:
    """Return the complaints about a version and a change log with this head."""
    return complaints(version, changes(head), today=TODAY, for_release=for_release, tag=tag)


def test_this_checkout_agrees() -> None:
    """Its change log begins with the version of the package that is imported."""
    version = check_versions.version_of_the_source()
    assert version == weburl.__version__
    text = check_versions.CHANGES.read_text(encoding="utf-8")
    assert complaints(version, text, today=dt.date.max, for_release=False) == []


def test_the_version_is_asked_of_no_metadata() -> None:
    """Which `import weburl` would take time for: it does not load what reads it."""
    program = (
        "import sys, attrs, typing; before = set(sys.modules); import weburl; weburl.__version__; "
        "print('importlib.metadata' in set(sys.modules) - before)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert result.stdout == "False\n"


def test_the_version_is_read_without_running_the_module() -> None:
    """By itself, or not at all."""
    assert written_version('"""x"""\nimport nothing\n__version__ = "1.2.0"\n') == "1.2.0"
    with pytest.raises(ValueError, match="no __version__"):
        written_version("version = 1")


@pytest.mark.parametrize("version", ["1.2.0", "1.2.0rc1", "1.2.0.post1"])
def test_a_release_with_its_date_is_well(version: str) -> None:
    """With its tag too."""
    head = f"{version} (2026-11-22)"
    assert said(version, head, for_release=True, tag=f"v{version}") == []


@pytest.mark.parametrize(
    ("version", "head", "tag", "complaint"),
    [
        ("1.2.0", "1.1.0 (2026-11-22)", None, "begins with 1.1.0"),
        ("1.2.0", "1.2.0 (unreleased)", None, "no date"),
        ("1.2.0", "1.2.0 (2026-11-23)", None, "in the future"),
        ("1.2.0", "1.2.0 (soon)", None, "neither a date"),
        ("1.2.0", "1.2.0 (2026-11-22)", "v1.1.0", "the tag is 'v1.1.0'"),
        ("1.2.0", "1.2.0 (2026-11-22)", "1.2.0", "requires 'v1.2.0'"),
        ("1.2", "1.2 (2026-11-22)", None, "not a version such as"),
    ],
)
def test_what_is_wrong_is_said(version: str, head: str, tag: str | None, complaint: str) -> None:
    """In one sentence for each mistake."""
    (found,) = said(version, head, for_release=True, tag=tag)
    assert complaint in found


def test_every_mistake_is_said() -> None:
    """And not only the first."""
    assert len(said("1.2", "1.1.0 (unreleased)", for_release=True, tag="v3")) == 4


def test_between_releases_no_date_is_asked_for() -> None:
    """But the version has to be the next one."""
    assert said("1.2.0", "1.2.0 (unreleased)") == []
    assert len(said("1.1.0", "1.2.0 (unreleased)")) == 1


def test_the_top_section_is_the_first() -> None:
    """A change log without any is found wanting."""
    assert top_section(changes("1.2.0 (unreleased)")) == Section("1.2.0", "unreleased")
    assert top_section("# Changes\n") is None
    assert complaints("1.2.0", "", today=TODAY, for_release=False) != []
