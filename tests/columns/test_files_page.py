"""What the page `docs/columns/files.md` shows and ``--help`` lists is what the command does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from tests.columns.commands import outside
from weburl.columns.files.arguments import NAMES, argument_parser

GUIDE = (Path(__file__).parents[2] / "docs" / "columns" / "files.md").read_text("utf-8")
STEPS = [
    (command, output)
    for block in re.findall(r"```console\n(.*?)```", GUIDE, re.DOTALL)
    for command, output in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE)
    if not command.startswith("pip ") and "s3://" not in command
]


def test_the_examples_print_what_the_page_shows(tmp_path: Path) -> None:
    """In their order. A file that no command has written is an input."""
    assert len(STEPS) == 13
    made: set[Path] = set()
    for command, output in STEPS:
        words = shlex.split(command)
        if words[0] == "cat":
            path = tmp_path / words[1]
            if path.exists():
                assert path.read_text("utf-8") == output
                made.add(path)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(output, encoding="utf-8")
        else:
            assert words[:2] == ["weburl", "columns"]
            done = outside(*words[2:], cwd=tmp_path)
            assert (done.returncode, done.stderr.decode()) == (0, output)
    assert {path.name for path in made} == {
        "out.csv",
        "clean.csv",
        "bad.csv.malformed.jsonl",
        "found.csv",
        "part-0.csv",
    }


def test_the_page_names_only_options_of_the_command() -> None:
    """Those of ``--help``, which says something of each one."""
    actions = argument_parser()._actions
    options = {option for action in actions for option in action.option_strings}
    assert set(re.findall(r"`(--[a-z-]+)", GUIDE)) <= options
    assert len(options) >= 27
    assert all(action.help for action in actions)


def test_the_help_knows_every_name() -> None:
    """Among what ``--add`` accepts."""
    (add,) = (action for action in argument_parser()._actions if "--add" in action.option_strings)
    assert set(re.findall(r"\w+", add.help or "")) >= {*NAMES}
