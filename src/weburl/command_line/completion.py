"""``weburl completion``: a script that completes the words of ``weburl`` in a shell.

It is made of the parsers of the commands, so that it has every option. Nothing of `weburl` runs
when the shell completes a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from weburl.command_line.arguments import PROGRAM, parser_of
from weburl.standard.infra.arguments import ArgumentParser, Option

SHELLS: Final = ("bash", "zsh", "fish")


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``completion``."""
    parser = parser_of(
        "completion",
        "Print a script that completes commands and options. Evaluate it where your shell starts: "
        'in ~/.bashrc, eval "$(weburl completion bash)"; in ~/.zshrc, after compinit, the same '
        "with zsh; in fish, weburl completion fish | source.",
        'eval "$(weburl completion bash)"',
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))
    return parser


def script(shell: str, commands: Mapping[str, str], parsers: Mapping[str, ArgumentParser]) -> str:
    """Return the script for a shell. ``commands``: what each does."""
    lines = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]
    return "\n".join(lines(commands, {name: each.options() for name, each in parsers.items()}))


_Options = Mapping[str, list[Option]]


def _bash(commands: Mapping[str, str], options: _Options) -> Iterator[str]:
    """Yield the lines for bash, from 3.2 on. With no answer, it completes names of files."""
    yield f"_{PROGRAM}() {{"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""'
    yield "    COMPREPLY=()"
    yield '    case "$COMP_CWORD,${COMP_WORDS[1]} $before" in'
    yield f"        1,*) words={_quoted(' '.join(commands))} ;;"
    yield f"        2,help*) words={_quoted(' '.join(commands))} ;;"
    for name, found in options.items():
        for option in found:
            if option.flags and option.takes_value:
                for flag in option.flags:
                    choices = _quoted(" ".join(option.choices))
                    yield f"        *,{_quoted(f'{name} {flag}')}) words={choices} ;;"
    for name, found in options.items():
        words = [
            *(flag for option in found for flag in option.flags if flag.startswith("--")),
            *(choice for option in found if not option.flags for choice in option.choices),
        ]
        yield f"        *,{name}\\ *) words={_quoted(' '.join(words))} ;;"
    yield "    esac"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield f"complete -o default -F _{PROGRAM} {PROGRAM}"


def _zsh(commands: Mapping[str, str], options: _Options) -> Iterator[str]:
    yield f"#compdef {PROGRAM}"
    yield f"_{PROGRAM}() {{"
    yield "    local -a commands"
    yield "    commands=("
    for name, text in commands.items():
        yield f"        {_quoted(f'{name}:{text}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then"
    yield "        _describe -t commands command commands"
    yield "        return"
    yield "    fi"
    yield "    shift words"
    yield "    (( CURRENT-- ))"
    yield '    case "$words[1]" in'
    yield "        help) _describe -t commands command commands ;;"
    for name, found in options.items():
        yield f"        {name}) _arguments {' '.join(_zsh_specs(found))} ;;"
    yield "    esac"
    yield "}"
    yield f'if [ "$funcstack[1]" = "_{PROGRAM}" ]; then'
    yield f'    _{PROGRAM} "$@"'
    yield "else"
    yield f"    compdef _{PROGRAM} {PROGRAM}"
    yield "fi"


def _zsh_specs(options: list[Option]) -> Iterator[str]:
    """Yield what ``_arguments`` of zsh takes for options, and for words that are not options."""
    place = 0
    for option in options:
        action = "_files" if option.takes_file else f"({' '.join(option.choices)})"
        value = f":{option.metavar or 'value'}:{' ' if action == '()' else action}"
        if not option.flags:
            place += 1
            yield _quoted(f"{'*' if option.repeats else place}{value}")
        for flag in option.flags:
            text = re.sub(r"([\[\]:\\])", r"\\\1", _summary(option))
            yield _quoted(f"*{flag}[{text}]{value if option.takes_value else ''}")


def _fish(commands: Mapping[str, str], options: _Options) -> Iterator[str]:
    first = f"complete -c {PROGRAM} -n __fish_use_subcommand -f"
    yield f"complete -c {PROGRAM} -f"
    for name, text in commands.items():
        yield f"{first} -a {name} -d {_fish_quoted(text)}"
    yield f"{first} -l version -d 'print the version'"
    within = f"complete -c {PROGRAM} -n '__fish_seen_subcommand_from"
    yield f"{within} help' -f -a {_quoted(' '.join(commands))}"
    for name, found in options.items():
        for option in found:
            start = f"{within} {name}'"
            if not option.flags:
                if option.takes_file:
                    yield f"{start} -F"
                elif option.choices:
                    yield f"{start} -f -a {_quoted(' '.join(option.choices))}"
                continue
            for flag in option.flags:
                kind = f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                value = "" if not option.takes_value else " -r -F" if option.takes_file else " -x"
                if option.choices:
                    value += f" -a {_quoted(' '.join(option.choices))}"
                yield f"{start} {kind}{value} -d {_fish_quoted(_summary(option))}"


def _summary(option: Option) -> str:
    """Return the first part of the help of an option."""
    return re.split("[:;(]", option.help, maxsplit=1)[0].strip()


def _quoted(text: str) -> str:
    """Return a word for bash and zsh, in single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
