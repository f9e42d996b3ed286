"""The command line: what it prints, where, and with which exit status.

Most tests call `main` in this process; what concerns bytes, pipes and the interpreter's own
streams runs `python -m weburl` in another.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import weburl
from weburl.__main__ import main

_SOURCES = Path(weburl.__file__).resolve().parents[1]


def run(
    *arguments: str, input: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run `python -m weburl` with buffered streams, as a shell would."""
    return subprocess.run(
        [sys.executable, "-m", "weburl", *arguments],
        input=input,
        capture_output=True,
        env=_environment(environment),
        timeout=600,
        check=False,
    )


def _environment(changes: dict[str, str]) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    path = os.pathsep.join([str(_SOURCES), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**kept, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **changes}


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], list[str]]:
    """Return the exit status and the lines of standard output and standard error."""
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out.splitlines(), err.splitlines()


# --- python -m weburl URL ---------------------------------------------------------------------


def test_one_url_is_shown_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each component; "-" for none and quotation marks for an empty one."""
    assert call(capsys, "HTTPS://u:p@Example.com:8080/a/../b c?#f") == (
        0,
        [
            "href      https://u:p@example.com:8080/b%20c?#f",
            "scheme    https",
            "username  u",
            "password  p",
            "host      example.com",
            "port      8080",
            "path      /b%20c",
            'query     ""',
            "fragment  f",
            "origin    https://example.com:8080",
        ],
        [],
    )


@pytest.mark.parametrize(
    ("url", "host", "path", "query"),
    [
        ("foo:", "-", '""', "-"),
        ("foo:a b", "-", "a b", "-"),
        ("foo:/a", "-", "/a", "-"),
        ("foo:/.//a", "-", "//a", "-"),
        ("foo://", '""', '""', "-"),
        ("foo:///", '""', "/", "-"),
        ("foo://h?q", "h", '""', "q"),
        ("file:", '""', "/", "-"),
        ("http://[::1]", "[::1]", "/", "-"),
    ],
)
def test_the_table_tells_none_from_empty(
    capsys: pytest.CaptureFixture[str], url: str, host: str, path: str, query: str
) -> None:
    """For hosts, paths and queries alike."""
    _, lines, _ = call(capsys, url)
    cells = dict(line.split(None, 1) for line in lines)
    assert (cells["host"], cells["path"], cells["query"]) == (host, path, query)


def test_json_has_every_component(capsys: pytest.CaptureFixture[str]) -> None:
    """One line; null for none, a list for a path that is not opaque."""
    status, lines, errors = call(capsys, "--json", "https://h:8/a/b?q")
    assert (status, len(lines), errors) == (0, 1, [])
    assert json.loads(lines[0]) == {
        "href": "https://h:8/a/b?q",
        "scheme": "https",
        "username": "",
        "password": "",
        "host": "h",
        "port": 8,
        "path": ["a", "b"],
        "query": "q",
        "fragment": None,
        "origin": "https://h:8",
    }
    _, lines, _ = call(capsys, "foo:x y", "--json")
    opaque = json.loads(lines[0])
    assert (opaque["host"], opaque["path"], opaque["origin"]) == (None, "x y", "null")


def test_a_url_that_fails_is_explained_on_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With the standard's name, the sentence and the carets of the exception."""
    status, lines, errors = call(capsys, "https://h:99999/")
    assert (status, lines) == (1, [])
    with pytest.raises(weburl.URLParseError) as caught:
        weburl.parse("https://h:99999/")
    assert "\n".join(errors) == f"port-out-of-range: {caught.value}"


def test_one_failure_among_many_shows_in_the_status_and_stops_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The others are still printed."""
    status, lines, errors = call(capsys, "https://a/", "x", "https://b/")
    assert status == 1
    assert [json.loads(line)["host"] for line in lines] == ["a", "b"]
    assert errors[0].startswith("missing-scheme-non-relative-URL: ")


def test_a_base_makes_relative_urls_absolute(capsys: pytest.CaptureFixture[str]) -> None:
    """And may stand before or behind them."""
    assert call(capsys, "../c", "--base", "https://h/a/b/")[1][0] == "href      https://h/a/c"
    assert call(capsys, "--base", "https://h/a/b/", "c")[1][0] == "href      https://h/a/b/c"


@pytest.mark.parametrize("command", [[], ["check"]])
def test_a_base_that_fails_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    """Nothing can be said of any URL then."""
    status, lines, errors = call(capsys, *command, "--base", "https://", "https://h/")
    assert (status, lines) == (2, [])
    assert errors[0].startswith("weburl: host-missing: ")


@pytest.mark.parametrize(
    "arguments", [["--nope"], ["-x"], ["--base"], ["check", "--nope"], ["check", "--base"]]
)
def test_wrong_usage_is_status_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """And says how it is used, on standard error."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: weburl")


def test_a_url_that_starts_with_a_hyphen_or_is_the_word_check_can_be_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Behind "--", and as "./check"."""
    base = ["--base", "https://h/"]
    assert call(capsys, *base, "--", "-x")[1][0] == "href      https://h/-x"
    assert call(capsys, "./check", *base)[1][0] == "href      https://h/check"
    assert call(capsys, *base, "check")[1][0] == "href      https://h/check"
    assert call(capsys, "check", *base, "check")[1][0] == "check"


# --- python -m weburl check -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("urls", "status"),
    [
        (["https://example.com/"], 0),
        (["https://example.com/", "foo:x"], 0),
        (["https://example.com/|"], 1),
        (["https://example.com/", "https://u@h/", "foo:x"], 1),
        (["x"], 1),
        (["https://u@h/", "x", "https://example.com/"], 1),
    ],
)
def test_the_status_of_check_is_that_of_the_worst_url(
    capsys: pytest.CaptureFixture[str], urls: list[str], status: int
) -> None:
    """0 for valid, 1 for errors and for failure; the same with JSON."""
    assert call(capsys, "check", *urls)[0] == status
    assert call(capsys, "check", "--json", *urls)[0] == status


def test_check_prints_every_error_with_carets(capsys: pytest.CaptureFixture[str]) -> None:
    """The URL, what becomes of it, and the report, indented."""
    status, lines, errors = call(capsys, "check", "https:\\h/|")
    report = str(weburl.check("https:\\h/|"))
    assert (status, errors) == (1, [])
    assert lines == [
        "https:\\h/|",
        "  parses as https://h/|; 3 validation errors",
        *[f"  {line}" for line in report.splitlines()],
    ]


def test_check_says_how_many_errors_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    """None, one, or a number; and whether the URL parses."""
    assert call(capsys, "check", "https://h")[1] == [
        "https://h",
        "  parses as https://h/; no validation errors",
    ]
    assert call(capsys, "check", "https://h/ x")[1][1].endswith("; one validation error")
    assert call(capsys, "check", "x")[1][1] == "  cannot be parsed; one validation error"
    lines = call(capsys, "check", "https://h/" + "|" * 1500)[1]
    assert lines[1].endswith("; 1500 validation errors")
    assert lines[-1] == "  … and 500 more"


def test_check_takes_a_base(capsys: pytest.CaptureFixture[str]) -> None:
    """Validity depends on it too."""
    assert call(capsys, "check", "--base", "https://h/a", "b", "?c")[0] == 0
    assert call(capsys, "check", "--base", "foo:x", "b")[0] == 1
    status, lines, _ = call(capsys, "check", "c|/x", "--json", "--base", "file:///d:/")
    types = [error["type"] for error in json.loads(lines[0])["errors"]]
    assert (status, types) == (1, ["file-invalid-Windows-drive-letter", "invalid-URL-unit"])


def test_check_in_json_is_the_whole_report(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each URL, also for one alone."""
    status, lines, errors = call(capsys, "check", "--json", "https://u@h:x/", "https://h/")
    assert (status, len(lines), errors) == (1, 2, [])
    got = json.loads(lines[0])
    report = weburl.check("https://u@h:x/")
    assert got == {
        "input": "https://u@h:x/",
        "href": None,
        "is_valid_url_string": False,
        "error_count": 2,
        "errors": [
            {
                "type": error.type.value,
                "start": error.start,
                "end": error.end,
                "is_failure": error.is_failure,
                "message": error.message,
                "hint": error.hint,
                "spec_url": error.spec_url,
            }
            for error in report.errors
        ],
        "suspicions": [],
    }
    assert [error["is_failure"] for error in got["errors"]] == [False, True]
    assert json.loads(lines[1])["href"] == "https://h/"
    assert json.loads(lines[1])["is_valid_url_string"] is True


# --- standard input ---------------------------------------------------------------------------


def with_input(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    """Put data on the standard input of this process."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))


def test_a_byte_order_mark_before_the_first_line_is_not_of_the_url(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists of links come with one; on a later line it belongs to the text."""
    with_input(monkeypatch, b"\xef\xbb\xbfhttps://a/\n\xef\xbb\xbfhttps://b/\n")
    status, lines, _ = call(capsys)
    assert status == 1
    assert [json.loads(line)["href"] for line in lines] == ["https://a/"]


def test_an_empty_input_is_no_url(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is printed, and nothing is wrong."""
    for arguments in ([], ["check"], ["check", "--json"]):
        with_input(monkeypatch, b"")
        assert call(capsys, *arguments) == (0, [], [])


def test_check_reads_standard_input_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same for each line as for an argument."""
    with_input(monkeypatch, "https://ä_/\nx\n".encode())
    from_input = call(capsys, "check")
    assert from_input == call(capsys, "check", "https://ä_/", "x")
    assert from_input[0] == 1


# --- bytes, pipes and terminals ---------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are text there")
def test_an_argument_that_is_not_utf_8_is_complained_of_too() -> None:
    """As the operating system passes it, such as from xargs."""
    done = subprocess.run(
        [sys.executable, "-m", "weburl", "--json", b"https://h/\xff"],
        capture_output=True,
        env=_environment({}),
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"not-UTF-8: ") and b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_what_the_output_cannot_encode_is_escaped(encoding: str) -> None:
    """A report quotes the input, and the input may be anything."""
    done = run("check", "https://日|本/", "foo:💩 ", PYTHONIOENCODING=encoding)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    assert b"\\u65e5|\\u672c" in done.stdout
    assert b"\\U0001f4a9" in done.stdout
    done = run("https://日|本/", PYTHONIOENCODING=encoding)
    assert done.returncode == 1
    assert b"\\u65e5|\\u672c" in done.stderr


def test_no_control_of_the_input_reaches_the_terminal() -> None:
    """Neither from a report nor from a failure."""
    hostile = "https://\x1b]0;title\x07\x1b[2J\u202e|/"
    for arguments in (["check", hostile], [hostile]):
        done = run(*arguments)
        assert done.returncode in (1, 2)
        for char in ("\x1b", "\x07", "\u202e"):
            assert char.encode() not in done.stdout + done.stderr


@pytest.mark.parametrize("arguments", [["https://a/"], ["check", "https://a/ b"], ["x:y", "z:"]])
def test_a_pipe_that_nobody_reads_is_no_reason_to_complain(arguments: list[str]) -> None:
    """Also where the output is so short that it is written at the very end."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed_pipe:
        done = subprocess.run(
            [sys.executable, "-m", "weburl", *arguments],
            stdout=closed_pipe,
            stderr=subprocess.PIPE,
            env=_environment({}),
            timeout=600,
            check=False,
        )
    assert done.stderr == b""
    assert done.returncode == 3


@pytest.mark.parametrize("arguments", [[], ["check"]])
def test_a_reader_that_has_read_enough_ends_it_quietly(
    tmp_path: Path, arguments: list[str]
) -> None:
    """As in a pipe to `head`."""
    links = tmp_path / "links.txt"
    links.write_bytes(b"https://example.com/a b\n" * 20_000)
    with (
        links.open("rb") as urls,
        subprocess.Popen(
            [sys.executable, "-m", "weburl", *arguments],
            stdin=urls,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment({}),
        ) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(timeout=600)
    assert errors == b""
    assert process.returncode == 3


def test_without_a_standard_input_there_are_no_urls() -> None:
    """A program started without one, as by some supervisors, has no stream at all."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.stdin = None; from weburl.__main__ import main; sys.exit(main([]))",
        ],
        capture_output=True,
        env=_environment({}),
        timeout=600,
        check=False,
    )
    assert b"Traceback" not in done.stderr


def test_without_a_standard_output_there_is_nothing_to_complain_of() -> None:
    """The exit status is still there to be had."""
    script = "import sys; sys.stdout = None; from weburl.__main__ import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", script, "http://h/", "//"],
        capture_output=True,
        env=_environment({}),
        timeout=600,
        check=False,
    )
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["parse", "--base", "//"], ["chek"], ["links", "--kinds", ",", "x"], ["columns", "x", "y"]],
)
def test_without_a_standard_error_no_message_is_data(arguments: list[str]) -> None:
    """As after `2>&-` in a shell."""
    script = 'exec "$@" 2>&-'
    done = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "weburl", *arguments],
        capture_output=True,
        env=_environment({}),
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1 if arguments == ["chek"] else 2, b"")


@pytest.mark.parametrize(
    ("words", "readings"),
    [
        (["check"], {"href": "https://us3r:s3cret@h/"}),
        (["canonicalize"], {"href": "https://us3r:s3cret@h/"}),
        (["allowed", "--no-credentials"], {"allowed": False}),
    ],
)
def test_json_has_the_text_of_the_url_as_it_was_read(
    capsys: pytest.CaptureFixture[str], words: list[str], readings: dict[str, object]
) -> None:
    """In every command, so that it can be joined to the lines. Only messages mask something."""
    url = "HTTPS://us3r:s3cret@h"
    _, lines, errors = call(capsys, words[0], "--json", *words[1:], url)
    (found,) = map(json.loads, lines)
    assert (found["input"], errors) == (url, [])
    assert {name: found[name] for name in readings} == readings


def test_a_url_that_cannot_be_read_shows_no_password_even_with_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Standard error has only messages, also for people who ask for JSON."""
    for command in ("parse", "canonicalize"):
        _, lines, errors = call(capsys, command, "--json", "https://us3r:s3cret@[h/")
        assert (lines, len(errors) > 0) == ([], True)
        assert "s3cret" not in "".join(errors) and "us3r" not in "".join(errors)


# --- misspelt commands ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [("colums", "columns"), ("column", "columns"), ("chek", "check"), ("alowed", "allowed")],
)
def test_a_misspelt_command_gives_a_hint(
    capsys: pytest.CaptureFixture[str], misspelt: str, meant: str
) -> None:
    """It is read as a URL, which fails, or its options are unknown."""
    hint = f"Did you mean 'weburl {meant}'?"
    status, _, err = call(capsys, misspelt, "in.csv", "out.csv")
    assert (status, err[-1]) == (1, hint)
    with pytest.raises(SystemExit) as wrong:
        main([misspelt, "in.csv", "out.csv", "--column", "url"])
    assert wrong.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == hint


@pytest.mark.parametrize(
    "arguments",
    [["colums:"], ["./colums"], ["colums", "--base", "https://h/"], ["https://[", "colums"], []],
)
def test_other_arguments_give_no_hint(
    capsys: pytest.CaptureFixture[str], arguments: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are read as they were meant, or that are not the first."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    main(arguments)
    assert "Did you mean" not in capsys.readouterr().err
