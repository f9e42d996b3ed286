"""The script that follows the quickstart: what it does with a page, and what it complains about."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest

ROOT: Final = Path(__file__).parent.parent

PAGE: Final = """# A page

Make a file. In `folder/names.txt`:

```text
one
```

At the end of `folder/names.txt`:

```text
two
```

<!--- hidden
```console
$ false
```
-->

Read it:

```console
$ NAME=folder && cd . && export NAME
$ cat $NAME/names.txt
one

two
```

Start `python3`, which is `python` too:

```python
>>> from pathlib import Path
>>> names = Path("folder/names.txt")

```

Go on:

```python
>>> len(names.read_text())
9

```
"""


def script() -> ModuleType:
    """Return the script as a module."""
    path = ROOT / ".ci" / "quickstart.py"
    spec = importlib.util.spec_from_file_location("quickstart", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["quickstart"] = module
    spec.loader.exec_module(module)
    return module


QUICKSTART: Final = script()


def follow(page: str) -> int:
    """Follow a page that installs nothing, where `python` is the one of the tests."""
    return int(QUICKSTART.follow(page, ROOT / "none.whl", sys.executable))


@pytest.fixture(autouse=True)
def _python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "python").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


def test_a_page_is_followed() -> None:
    """Files, commands with their output, and a session that goes on; nothing that is hidden."""
    assert follow(PAGE) == 4


@pytest.mark.parametrize(
    ("written", "instead", "complaint"),
    [
        ("one\n\ntwo", "one\n\nthree", r"line 24: `cat \$NAME/names.txt` prints\none\n\ntwo\n"),
        ("\n9\n", "\n8\n", r"line 34: `python` ended(.|\n)*line 42(.|\n)*Got:\n    9"),
        ("cat $NAME", "cat elsewhere", "ended with status 1"),
        ("which is `python` too", "as you like", "no sentence names its command"),
        ("In `folder/names.txt`", "In a file", "does not name one file"),
        ("In `folder/names.txt`", "At the end of `folder/names.txt`", "names.txt does not exist"),
        ("$ cat", "cat", "`NAME=folder && cd . && export NAME` prints"),
        ("$ NAME", "NAME", "output before a command"),
    ],
)
def test_what_the_page_says_and_what_happens_are_compared(
    written: str, instead: str, complaint: str
) -> None:
    """The error names the line of the step, and shows both."""
    assert written in PAGE
    with pytest.raises(QUICKSTART.StepError, match=complaint):
        follow(PAGE.replace(written, instead, 1))


def test_every_block_of_the_quickstart_says_what_to_do_with_it() -> None:
    """A sentence names its file, or the Python to type it into; the rest are commands."""
    steps = QUICKSTART.steps((ROOT / "docs" / "quickstart.md").read_text(encoding="utf-8"))
    commands = []
    for step in steps:
        if step.is_session:
            assert step.interpreter
        elif step.language == "console":
            commands += [command for command, _ in QUICKSTART.commands(step)]
        else:
            assert QUICKSTART.file_of(step)
    assert (
        sum(
            command == f"pip install ../{QUICKSTART.CHECKOUT}/src ../{QUICKSTART.CHECKOUT}"
            for command in commands
        )
        == 1
    )
    assert len(steps) > 10
