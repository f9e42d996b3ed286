"""Follows docs/quickstart.md and docs/tutorial.md in empty directories, as a new user would.

Blocks in comments are ignored, because a reader does not see them. A block is one of these:

- Commands (```console) run one after the other in one shell. The lines below a command are its
  expected output, in which `...` can be any text.
- A session (Python with ``>>>``) is typed into the command in backticks in the sentence before it,
  such as `python`. It continues the session before it if there is only text between the two.
- A file (any other language) is named in backticks in the sentence before it. It is written as
  shown, or appended if the sentence says "at the end of".

Two things differ from the page. The checkout that it installs is this one, and the wheels are then
installed over it, so that both ways are tried. A server gets a free port. The address in the
sentence before a server is opened.

Usage: quickstart.py WHEEL... [PYTHON ...]. Without PYTHON, it uses those of `.ci/pythons`.
Prints the result for each Python and page, and returns 1 if a step does not do what the page says.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
PAGES: Final = tuple(ROOT / "docs" / name for name in ("quickstart.md", "tutorial.md"))
CHECKOUT: Final = "django-whatwg-url"
"""The checkout that a page installs, next to the directory in which it is followed."""

SERVERS: Final = {"python manage.py runserver": "{port}", "uvicorn ": "--port {port}"}
"""How the commands that start a server begin, and how each takes a port."""

SECONDS: Final = 1800.0
"""How long a command may take, and how long a server may take to answer.

It takes a second or two alone, and minutes on a machine that does much else. Only what hangs ever
takes as long as this.
"""

HIDDEN: Final = re.compile(r"<!--.*?-->", re.DOTALL)
BLOCK: Final = re.compile(r"^```([\w+-]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED: Final = re.compile(r"`([^`]+)`")
ADDRESS: Final = re.compile(r"http://127\.0\.0\.1:8000(/[^\s:,;]*)")

# The input of Python or of `manage.py shell`, which runs a program from its standard input.
SESSION: Final = """\
import doctest, sys
page = doctest.DocTestParser().get_doctest({text!r}, dict(globals()), "page", "page", {line})
sys.exit(doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(page).failed)
"""


class StepError(Exception):
    """Raised if a step does not do what the page says."""


class Step(NamedTuple):
    """A block of the page, with the number of its first line and the sentence before it."""

    line: int
    sentence: str
    language: str
    text: str

    @property
    def is_session(self) -> bool:
        """Whether it is typed into Python."""
        return self.text.startswith(">>>")

    @property
    def interpreter(self) -> str | None:
        """The command in the sentence that a session is typed into, or None."""
        named = NAMED.findall(self.sentence)
        return next((name for name in named if shlex.split(name)[:1] == ["python"]), None)


@dataclass
class Shell:
    """A directory, and the environment variables as the previous commands have left them."""

    directory: Path
    environment: dict[str, str]

    def run(self, command: str, program: str | None = None) -> str:
        """Run a command, and return what it prints.

        ``program``: its standard input, if any. Raises `StepError` if it fails or does not end.
        """
        after = self.directory.parent / "environment"
        script = f"{command}\nstatus=$?; env -0 >{str(after)!r}; exit $status"
        try:
            result = subprocess.run(
                ["bash", "-c", script],
                cwd=self.directory,
                env=self.environment,
                input=program or "",
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                check=False,
                encoding="utf-8",
            )
        except subprocess.TimeoutExpired as error:
            raise StepError(f"`{command}` did not end within {SECONDS:.0f} s") from error
        if result.returncode:
            raise StepError(f"`{command}` ended with status {result.returncode}:\n{result.stdout}")
        variables = after.read_text(encoding="utf-8", errors="surrogateescape").split("\0")
        self.environment = dict(each.split("=", 1) for each in variables if each)
        return result.stdout


def steps(page: str) -> list[Step]:
    """Return the visible blocks of a page, in order. A session of several blocks is one step."""
    # Keep the line numbers, on the page and inside a session.
    seen = HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n"), page)
    found: list[Step] = []
    end = 0
    for block in BLOCK.finditer(seen):
        paragraphs = seen[end : block.start()].strip().split("\n\n")
        line = seen.count("\n", 0, block.start()) + 2
        step = Step(line, " ".join(paragraphs[-1].split()), block[1], block[2])
        if step.is_session and not step.interpreter and found and found[-1].is_session:
            last = found.pop()
            gap = line - last.line - last.text.count("\n")
            step = last._replace(text=last.text + "\n" * gap + step.text)
        found.append(step)
        end = block.end()
    return found


def commands(step: Step) -> list[tuple[str, str]]:
    """Return the commands of a block, each with the output shown below it, or ""."""
    found: list[tuple[str, str]] = []
    for line in step.text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:].strip(), ""))
        elif not found:
            raise StepError(f"output before a command: {line}")
        else:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def file_of(step: Step) -> str:
    """Return the name of the file that a block shows."""
    named = [name for name in NAMED.findall(step.sentence) if Path(name).suffix]
    if len(named) != 1:
        raise StepError(f"the sentence before it does not name one file: {step.sentence!r}")
    return str(named[0])


def do(step: Step, shell: Shell, wheels: Sequence[Path]) -> None:
    """Do what a block says. Raises `StepError` if the result differs."""
    if step.is_session:
        converse(step, shell)
    elif step.language in {"console", "shell"}:
        for command, shown in commands(step):
            if command.startswith(tuple(SERVERS)):
                serve(command, step, shell)
                continue
            printed = shell.run(command)
            if command == f"pip install ../{CHECKOUT}/src ../{CHECKOUT}":
                files = shlex.join(map(str, wheels))
                shell.run(f"pip install --force-reinstall --no-deps {files}")
            if shown and not doctest.OutputChecker().check_output(shown, printed, doctest.ELLIPSIS):
                raise StepError(f"`{command}` prints\n{printed}instead of\n{shown}")
    else:
        write(step, shell.directory)


def converse(step: Step, shell: Shell) -> None:
    """Type a session into the Python that its sentence names."""
    if step.interpreter is None:
        raise StepError(f"no sentence names its command, such as `python`: {step.sentence!r}")
    program = SESSION.format(text=step.text, line=step.line - 1)
    shell.run(step.interpreter, program)


def write(step: Step, directory: Path) -> None:
    """Write a file, or append to one."""
    path = directory / file_of(step)
    if "At the end of" in step.sentence:
        if not path.is_file():
            raise StepError(f"{path.name} does not exist, so nothing can be appended")
        with path.open("a", encoding="utf-8") as file:
            file.write("\n" + step.text)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(step.text, encoding="utf-8")


def serve(command: str, step: Step, shell: Shell) -> None:
    """Start a server, open the address in the sentence, and stop the server."""
    address = ADDRESS.search(step.sentence)
    if not address:
        raise StepError(f"the sentence names no address to open: {step.sentence!r}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    option = next(each for start, each in SERVERS.items() if command.startswith(start))
    server = subprocess.Popen(
        ["bash", "-c", f"exec {command} {option.format(port=port)}"],
        cwd=shell.directory,
        env=shell.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # To end its reloader, too, which is another process.
    )
    try:
        opened(f"http://127.0.0.1:{port}{address[1]}", server)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(SECONDS)


def opened(url: str, server: subprocess.Popen[bytes]) -> None:
    """Open an address as soon as it answers. Raises `StepError` for an error or no answer."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=SECONDS):
                return
        except urllib.error.HTTPError as error:
            raise StepError(f"{url} answers with {error.code}") from error
        except OSError:
            time.sleep(0.1)
    raise StepError(f"{url} does not answer")


def follow(page: str, wheels: Sequence[Path], python: str) -> int:
    """Follow a page with a Python in a new directory, and return the number of steps.

    Raises `StepError` with the line of the step that fails.
    """
    top = Path(tempfile.mkdtemp(prefix="quickstart-"))
    try:
        # The page says `python3`.
        directory, programs = top / "work", top / "bin"
        for each in (directory, programs):
            each.mkdir()
        (top / CHECKOUT).symlink_to(ROOT)
        named = programs / "python3"
        named.write_text(f"#!/bin/sh\nexec '{python}' \"$@\"\n", encoding="utf-8")
        named.chmod(0o755)
        ours = ("PYTHON", "VIRTUAL_ENV", "DJANGO_")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        environment["PATH"] = f"{programs}{os.pathsep}{environment['PATH']}"
        environment["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
        environment["WEBURL_BUILD"] = "interpreted"  # The wheels replace it.
        shell = Shell(directory, environment)
        found = steps(page)
        for step in found:
            try:
                do(step, shell, wheels)
            except StepError as error:
                raise StepError(f"line {step.line}: {error}") from error
        return len(found)
    finally:
        shutil.rmtree(top)


def main(wheels: Sequence[Path], pythons: Sequence[str]) -> int:
    """Follow the pages with each Python, and return the exit status."""
    if not pythons:
        listed = subprocess.run([ROOT / ".ci" / "pythons"], stdout=subprocess.PIPE, check=True)
        pythons = tuple(listed.stdout.decode().split()) or (sys.executable,)

    def report(python: str, page: Path) -> bool:
        start = time.monotonic()
        try:
            text = page.read_text(encoding="utf-8")
            count = follow(text, [wheel.resolve() for wheel in wheels], python)
        except StepError as error:
            print(f"{python}: {page.name}, {error}", file=sys.stderr, flush=True)
            return False
        seconds = time.monotonic() - start
        print(
            f"{python}: {count} steps of {page.name} do what they say, {seconds:.0f} s", flush=True
        )
        return True

    with ThreadPoolExecutor() as pool:
        done = [pool.submit(report, python, page) for python in pythons for page in PAGES]
        return 0 if all(each.result() for each in done) else 1


if __name__ == "__main__":
    given = sys.argv[1:]
    wheels_first = [Path(name) for name in given if name.endswith(".whl")]
    sys.exit(main(wheels_first, given[len(wheels_first) :]))
