"""Options that are written almost right are refused, in every command."""

from __future__ import annotations

import argparse

import pytest

from weburl.command_line.main import COMMANDS, loaded, main

_REPEATED = {"--file", "--param", "--key", "--key-hash"}
_VALUES = {"--assume-scheme": "https", "--kinds": "hyperlink"}
# What a command needs besides the option.
_ARGUMENTS = {
    "columns": ["a", "b"],
    "view": [],
}


def _options(name: str) -> list[argparse.Action]:
    return [option for option in loaded(name).argument_parser()._actions if option.option_strings]


_OPTIONS = [(name, option) for name in COMMANDS if name != "help" for option in _options(name)]
_WITH_VALUES = [
    (name, flag := option.option_strings[-1], _VALUES.get(flag, (*(option.choices or ()), "1")[0]))
    for name, option in _OPTIONS
    if option.nargs != 0
]


def _refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the last line of what a command says about its arguments."""
    with pytest.raises(SystemExit) as raised:
        main(words)
    out, err = capsys.readouterr()
    assert (raised.value.code, out) == (2, "")
    return err.splitlines()[-1]


@pytest.mark.parametrize(("name", "flag", "value"), _WITH_VALUES)
def test_an_option_with_a_value_may_be_given_only_once(
    capsys: pytest.CaptureFixture[str], name: str, flag: str, value: str
) -> None:
    """Unless the values are collected. The last one would replace the others without a word."""
    if flag in _REPEATED:
        words = [flag, "1", flag, "2", *_ARGUMENTS.get(name, [])]
        given = loaded(name).argument_parser().parse_intermixed_args(words)
        assert ["1", "2"] in vars(given).values()
    else:
        message = f"weburl {name}: error: argument {flag}: may be given only once"
        assert _refused(capsys, name, flag, value, flag, value) == message


def test_there_are_options_with_values() -> None:
    """So the test above is not empty, and knows those that may be repeated."""
    assert len(_WITH_VALUES) > 20
    assert {flag for _, flag, _ in _WITH_VALUES} > _REPEATED


@pytest.mark.parametrize(
    ("name", "flag"),
    [(name, flag) for name, option in _OPTIONS for flag in option.option_strings if len(flag) > 4],
)
def test_an_option_has_no_abbreviation(
    capsys: pytest.CaptureFixture[str], name: str, flag: str
) -> None:
    """A new option would change what it means, and it may be a mistake."""
    known = {each for _, option in _OPTIONS for each in option.option_strings}
    short = flag[:-1]
    if short not in known:
        message = _refused(capsys, name, *_ARGUMENTS.get(name, ["a:"]), short)
        assert message == f"weburl {name}: error: unrecognized arguments: {short}"


def test_no_control_of_an_argument_reaches_the_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Names of files and options may come from others, too."""
    assert _refused(capsys, "canonicalize", "--\x1b[31m").endswith(" --\ufffd[31m")
    assert main(["links", "\x1b[31m"]) == 2
    assert capsys.readouterr().err.startswith("weburl: cannot read \ufffd[31m: ")
