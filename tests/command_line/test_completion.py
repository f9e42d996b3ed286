"""``weburl completion``: what real shells offer after its script."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.test_main import call
from weburl.__main__ import main
from weburl.command_line.main import COMMANDS

# The words on a command line, the last one to be completed, and what must and must not be offered.
_CASES = [
    (["weburl", ""], set(COMMANDS), {"--base"}),
    (["weburl", "ca"], {"canonicalize"}, {"check"}),
    (["weburl", "links", "--"], {"--base", "--from", "--kinds", "--unique"}, {"--rules"}),
    (["weburl", "links", "--from", ""], {"html", "markdown", "text"}, {"--base"}),
    (["weburl", "key", "--rules", "p"], {"page"}, {"crawl"}),
    (["weburl", "allowed", "--policy", "web"], {"webhook"}, {"image"}),
    (["weburl", "completion", ""], {"bash", "zsh", "fish"}, {"parse"}),
    (["weburl", "help", "his"], {"history"}, {"help"}),
    (["weburl", "columns", "--mal"], {"--malformed"}, {"--null"}),
    (["weburl", "canonicalize", "--file", "no"], {"notes.md"}, {"--null"}),
]


@pytest.fixture
def scripts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Write the scripts to a folder in which there is also a file to complete."""
    for shell in ("bash", "zsh", "fish"):
        status, lines, errors = call(capsys, "completion", shell)
        assert (status, errors) == (0, [])
        (tmp_path / f"weburl.{shell}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "notes.md").touch()
    return tmp_path


def _run(shell: str, program: str, folder: Path, *more: str) -> str:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run(
        [path, *more, "-c", program],
        cwd=folder,
        env={"HOME": str(folder), "TERM": "dumb", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


def _in_bash(words: list[str], folder: Path) -> set[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    program = (
        f"source weburl.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _weburl; "
        # What `complete -o default` does where the function has no answer.
        f"if [ ${{#COMPREPLY[@]}} = 0 ]; then compgen -f -- '{words[-1]}'; fi; "
        'printf "%s\\n" "${COMPREPLY[@]}"; complete -p weburl'
    )
    *offered, how = _run("bash", program, folder, "--norc").splitlines()
    assert how == "complete -o default -F _weburl weburl"
    return set(offered)


def _in_fish(words: list[str], folder: Path) -> set[str]:
    line = " ".join(words)
    program = f"source weburl.fish; complete --do-complete '{line}'"
    return {line.partition("\t")[0] for line in _run("fish", program, folder).splitlines()}


@pytest.mark.parametrize(
    ("words", "offered", "others"), _CASES, ids=[" ".join(words) for words, _, _ in _CASES]
)
@pytest.mark.parametrize("complete", [_in_bash, _in_fish], ids=["bash", "fish"])
def test_a_shell_offers_commands_options_and_values(
    complete: Callable[[list[str], Path], set[str]],
    words: list[str],
    offered: set[str],
    others: set[str],
    scripts: Path,
) -> None:
    """And names of files where a file is wanted."""
    found = complete(words, scripts)
    assert offered <= found
    assert not others & found


def test_zsh_offers_the_same(scripts: Path) -> None:
    """It completes only what is typed on a terminal, so this test types on one."""
    path = shutil.which("zsh")
    if path is None:
        pytest.skip("zsh is not installed")
    import pty

    ours, its = pty.openpty()
    environment = {"HOME": str(scripts), "TERM": "dumb", "PATH": "/usr/bin:/bin", "PS1": ""}
    with subprocess.Popen(
        [path, "-f", "-i"],
        cwd=scripts,
        env=environment,
        stdin=its,
        stdout=its,
        stderr=its,
        start_new_session=True,
    ) as shell:

        def shown(typed: str, wanted: set[str]) -> list[str]:
            """Type, and return the words that are shown, when those that are wanted are."""
            os.write(ours, typed.encode())
            seen = ""
            while not wanted <= {*seen.split()} and select.select([ours], [], [], 30)[0]:
                seen += os.read(ours, 4096).decode(errors="replace")
            return seen.split()

        setup = "stty columns 200 rows 100; LISTMAX=1000; setopt no_beep; bindkey '^X' list-choices"
        start = "autoload -U compinit && compinit -u -D; source ./weburl.zsh"
        assert "READY" in shown(f"{setup}; {start}; print REA''DY\n", {"READY"})
        for words, offered, others in _CASES:
            found = shown(f"\x15{' '.join(words)}\x18", offered)
            assert offered <= {*found}, words
            assert not others & {*found} - {*words}, words
        shell.kill()
    os.close(ours)
    os.close(its)


def test_an_unknown_shell_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """With those that are known."""
    with pytest.raises(SystemExit) as caught:
        main(["completion", "csh"])
    assert caught.value.code == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err
