"""`.ci/release_check.py` and `.ci/audit.py`: everything is tried, and nothing passes in silence."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

import audit
import release_check
from release_check import Step, has_target, steps


def dependency(name: str, *known: dict[str, Any]) -> dict[str, Any]:
    """Return what pip-audit says of a package that it looked up."""
    return {"name": name, "version": "1.0", "vulns": [*known]}


def answer(*dependencies: dict[str, Any]) -> str:
    """Return the output of pip-audit."""
    return json.dumps({"dependencies": [*dependencies], "fixes": []})


WANTED = ["one==1.0", "two==1.0"]
KNOWN = {"id": "PYSEC-1", "fix_versions": ["1.1"]}
SKIPPED = {"name": "two", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("output", "status", "said"),
    [
        (answer(dependency("one"), dependency("two")), audit.NOTHING_KNOWN, "in 2 packages"),
        (answer(dependency("one", KNOWN), dependency("two")), audit.VULNERABLE, "fixed in 1.1"),
        (answer(dependency("one", KNOWN), SKIPPED), audit.VULNERABLE, "not looked up: two==1.0"),
        (answer(dependency("one"), SKIPPED), audit.NOT_ASKED, "not looked up: two==1.0"),
        (answer(dependency("one")), audit.NOT_ASKED, "not looked up: two==1.0"),
        (answer(), audit.NOT_ASKED, "not known whether there are vulnerabilities"),
        ("", audit.NOT_ASKED, "nothing was looked up"),
        ("Traceback", audit.NOT_ASKED, "nothing was looked up"),
    ],
)
def test_only_what_was_looked_up_counts(output: str, status: int, said: str) -> None:
    """pip-audit ends well where it finds no package at all."""
    found, lines = audit.judged(WANTED, output)
    assert found == status
    assert said in "\n".join(lines)


def test_no_packages_are_no_audit() -> None:
    """Nothing was asked."""
    assert audit.judged([], answer())[0] == audit.NOT_ASKED


def test_what_is_looked_up_are_the_packages_here() -> None:
    """Each with its version."""
    names = {requirement.partition("==")[0] for requirement in audit.requirements()}
    assert {"attrs", "django", "idna"} <= names


def test_a_target_is_a_rule_and_no_directory() -> None:
    """Nor a variable or a command."""
    makefile = "docs := x\nsite: docs\n\tdocs: x\nwheels : y\n"
    assert not has_target(makefile, "docs")
    assert has_target(makefile, "site") and has_target(makefile, "wheels")


def test_the_site_cannot_pass_where_there_is_none() -> None:
    """Each of the other steps has a command."""
    assert [step.name for step in steps("") if step.command is None] == ["site"]
    assert all(step.command for step in steps("docs: x\n"))


def test_every_step_is_taken_whatever_fails(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The last lines say what became of each."""

    def ending(name: str, status: int) -> Step:
        return Step(name, "", [sys.executable, "-c", f"print('{name} ran'); exit({status})"])

    taken = [
        ending("first", 2),
        ending("audit", audit.NOT_ASKED),
        Step("site", "", None),
        ending("left", 1),
        ending("last", 0),
    ]
    monkeypatch.setattr(release_check, "steps", lambda _: taken)
    monkeypatch.setattr(sys, "argv", ["release_check.py", "--without", "left"])
    assert release_check.main() == 1
    lines = capfd.readouterr().out
    assert "last ran" in lines and "left ran" not in lines
    assert [line.split(maxsplit=1)[1] for line in lines.splitlines()[-7:-2]] == [
        "FAILED",
        "NOT CHECKED",
        "NOT CHECKED",
        "left out",
        "passed",
    ]
    arguments = ["release_check.py"]
    for name in ("first", "audit", "site", "left"):
        arguments += ["--without", name]
    monkeypatch.setattr(sys, "argv", arguments)
    assert release_check.main() == 0
    assert "This can be released." in capfd.readouterr().out
