"""What the documents show in other ways than as Python is run too."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import weburl
from weburl import ValidationErrorType

DOCS = Path(__file__).parent.parent / "docs"

CONSOLE_EXAMPLES = [
    (match[1], match[2])
    for match in re.finditer(
        r"```console\n\$ python (-m weburl .*)\n((?:.*\n)*?)```",
        (DOCS / "command-line.md").read_text(encoding="utf-8"),
    )
]

NAME_ROWS = re.findall(
    r"^\| `([\w-]+)` \| (yes|sometimes|) ?\| `(.+?)`(?: \(`(.+)`\))? \|$",
    (DOCS / "validation-errors.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


@pytest.mark.parametrize(("command", "output"), CONSOLE_EXAMPLES)
def test_the_command_line_prints_what_its_page_shows(command: str, output: str) -> None:
    """The console examples are the program's own output."""
    result = subprocess.run(
        [sys.executable, *shlex.split(command)],
        capture_output=True,
        check=False,
        encoding="utf-8",
        env={"PYTHONIOENCODING": "utf-8", "PYTHONPATH": str(DOCS.parent / "src")},
    )
    assert result.stdout == output


def test_the_page_shows_all_four_commands() -> None:
    """The examples above were found at all."""
    assert len(CONSOLE_EXAMPLES) == 4


def test_the_table_names_every_validation_error_once() -> None:
    """31 rows, in the standard's order."""
    assert [row[0] for row in NAME_ROWS] == [type.value for type in ValidationErrorType]


@pytest.mark.parametrize(("name", "fails", "example", "base"), NAME_ROWS)
def test_an_example_in_the_table_has_the_error_of_its_row(
    name: str, fails: str, example: str, base: str
) -> None:
    """Each example makes its error, and no URL where the row says so."""
    report = weburl.check(example.replace("\\|", "|"), base or None)
    error = next(error for error in report.errors if error.type == name)
    if fails != "sometimes":
        assert error.is_failure == (fails == "yes")
    assert (report.record is None) == error.is_failure
