"""The commands as filters: a line in, a line out, and what is wrong on standard error."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.corpus import corpus
from tests.test_main import call, run
from weburl.__main__ import main
from weburl.command_line import reading
from weburl.command_line.main import COMMANDS, loaded

_BASE = "https://base.example/a/b"
_LINES = st.lists(
    (strategies.url_texts | st.text()).map(lambda text: text.replace("\n", "").replace("\r", "")),
    min_size=1,
    max_size=6,
)
_POLICY = weburl.URLPolicy.public_link()


def filtered(words: list[str], data: bytes, end: str = "\n") -> tuple[int, list[str], list[str]]:
    """Run a command in this process; return the status, the records and the complaints."""
    streams = sys.stdin, sys.stdout, sys.stderr
    sys.stdin = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    sys.stderr = io.StringIO()
    try:
        status = main(words)
        sys.stdout.seek(0)
        records = sys.stdout.read().split(end)
        complaints = sys.stderr.getvalue().splitlines()
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    assert records.pop() == ""
    return status, records, complaints


def _is_utf_8(text: str) -> bool:
    """Return whether the bytes of a line, read as the commands read them, are UTF-8."""
    return text.isascii() or not any("\udc80" <= character <= "\udcff" for character in text)


def _or_none(function: Callable[[], str | None]) -> str | None:
    try:
        return function()
    except ValueError:
        return None


_ANSWERS: dict[tuple[str, ...], Callable[[str], str | None]] = {
    ("canonicalize",): weburl.canonicalize,
    ("canonicalize", "--base", _BASE): lambda text: weburl.canonicalize(text, _BASE),
    ("allowed", "--policy", "public-link"): lambda text: _POLICY.parse(text).href,
}


@pytest.mark.parametrize("words", _ANSWERS, ids=" ".join)
@given(lines=_LINES)
@settings(max_examples=60)
def test_a_filter_answers_as_the_library_does(words: tuple[str, ...], lines: list[str]) -> None:
    """One record for each line with an answer; the others are named by their number."""
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    read = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").split("\n")
    if read[-1] == "":
        read.pop()
    answers = [
        _or_none(lambda line=line: _ANSWERS[words](line)) if _is_utf_8(line) else None  # type: ignore[misc]
        for line in read
    ]
    status, records, complaints = filtered(list(words), data)
    assert records == [answer for answer in answers if answer is not None]
    assert status == int(None in answers)
    wrong = [number for number, answer in enumerate(answers, 1) if answer is None]
    named = [int(line.partition(":")[0].removeprefix("line ")) for line in complaints]
    assert named == wrong


def test_real_links_come_out_as_the_library_makes_them() -> None:
    """All at once, so that they are read in many chunks."""
    links = [link.removeprefix("\ufeff") for link in corpus() if "\r" not in link]
    data = "\n".join(links).encode("utf-8", "surrogateescape")
    answers = [
        _or_none(lambda link=link: weburl.canonicalize(link)) if _is_utf_8(link) else None  # type: ignore[misc]
        for link in links
    ]
    if links[-1] == "":
        answers.pop()
    _, records, complaints = filtered(["canonicalize", "--unique"], data)
    assert records == list(dict.fromkeys(answer for answer in answers if answer is not None))
    assert len(complaints) == answers.count(None)
    assert len(records) > 40_000


@pytest.mark.parametrize("end", [b"\n", b"\0"])
@given(data=st.data())
def test_chunks_make_no_difference(end: bytes, data: Any) -> None:
    """Texts are those between the ends, wherever a chunk of the input ends."""
    pieces = st.sampled_from([b"a", b"\xc3\xa9", b"\xff", b"\r", end, end, b"bc" * 9])
    whole = b"".join(data.draw(st.lists(pieces, max_size=30)))
    expected = whole.split(end)
    if expected[-1] == b"":
        expected.pop()
    texts = [text.rstrip(b"\r") if end == b"\n" else text for text in expected]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_CHUNK", data.draw(st.integers(1, 9)))
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(whole)))
        found = list(reading.Source([], [], null=end == b"\0").batches())
    assert [text for batch in found for text in batch.texts] == [
        text.decode("utf-8", "surrogateescape") for text in texts
    ]
    numbers = [number for batch in found for number, _ in enumerate(batch.texts, batch.first)]
    assert numbers == list(range(1, len(texts) + 1))


@given(data=st.data())
def test_a_line_that_is_too_long_is_named_and_left_out(data: Any) -> None:
    """It never is in memory as a whole, and the lines after it keep their numbers."""
    lines = data.draw(st.lists(st.integers(0, 60).map(lambda n: b"x" * n), min_size=1))
    with pytest.MonkeyPatch.context() as patch:
        chunk = data.draw(st.integers(1, 20))
        patch.setattr(reading, "_CHUNK", chunk)
        patch.setattr(reading, "LONGEST", 20)
        patch.setattr(
            sys, "stdin", io.TextIOWrapper(io.BytesIO(b"".join(b"%s\n" % x for x in lines)))
        )
        found = list(reading.Source([], []).batches())
    kept = {number: text for batch in found for number, text in enumerate(batch.texts, batch.first)}
    dropped = [batch.first - 1 for batch in found if batch.after_too_long]
    assert sorted([*kept, *dropped]) == list(range(1, len(lines) + 1))
    assert all(text == lines[number - 1].decode() for number, text in kept.items())
    # A line that fits into a chunk, or nearly, is not worth to be left out.
    assert all(len(lines[number - 1]) > 20 for number in dropped)
    assert all(len(text) <= 20 + chunk for text in kept.values())


def test_a_line_that_is_too_long_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its number, as every other bad line."""
    monkeypatch.setattr(reading, "LONGEST", 1000)
    monkeypatch.setattr(reading, "_CHUNK", 100)
    data = b"https://a/\nhttps://a/%s\nhttps://b/\nx\n" % (b"y" * 2000)
    status, records, complaints = filtered(["canonicalize"], data)
    assert (status, records) == (1, ["https://a/", "https://b/"])
    assert [line.partition(":")[0] for line in complaints] == ["line 2", "line 4"]


def test_nul_separates_in_and_out() -> None:
    """A line break is then part of a URL, and the parser removes it."""
    data = b"https://a/\nb\0x\0HTTP://c"
    status, records, complaints = filtered(["canonicalize", "--null"], data, "\0")
    assert (status, records) == (1, ["https://a/b", "http://c/"])
    assert complaints[0].startswith("item 2: missing-scheme")


def test_files_are_read_in_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hyphen is standard input, and the name of a file is in each of its complaints."""
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_bytes(b"\xef\xbb\xbfhttps://a/\r\nx")
    Path("two.txt").write_bytes(b"\nhttps://b/\n")
    files = ["--file", "one.txt", "--file", "-", "--file", "two.txt"]
    status, records, complaints = filtered(["canonicalize", *files], b"https://c/\ny\n")
    assert (status, records) == (1, ["https://a/", "https://c/", "https://b/"])
    assert [line.rpartition(": ")[0].partition(": ")[0] for line in complaints] == [
        "one.txt:2",
        "line 2",
        "two.txt:1",
    ]


@pytest.mark.parametrize("name", ["nothing.txt", ".", "a\0b", "https://me:s3cret@h/"])
def test_a_file_that_cannot_be_read_is_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Of every command that takes files."""
    monkeypatch.chdir(tmp_path)
    for words in (
        ["canonicalize", "--file", name],
        ["links", name],
        ["links", "--from", "html", name],
        ["allowed", "--hosts-file", name],
    ):
        status, records, complaints = filtered(words, b"https://h/\n")
        assert (status, records, len(complaints)) == (2, [], 1)
        assert complaints[0].startswith("weburl: ")
        assert "s3cret" not in complaints[0]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["{}", "https://example.com/"], 0),
        (["{}", "https://example.com:99999/"], 1),
        (["{}", "https://example.com/", "--base", "nothing"], 2),
        (["{}", "https://example.com/", "--file", "x"], 2),
    ],
)
def test_statuses_mean_the_same_in_every_command(
    capsys: pytest.CaptureFixture[str], words: list[str], status: int
) -> None:
    """0: all is well; 1: a URL is bad; 2: wrong usage."""
    commands: dict[str, list[str]] = {
        "parse": [],
        "check": [],
        "canonicalize": [],
        "allowed": ["--schemes", "https"],
    }
    for name, others in commands.items():
        assert main([word.format(name) for word in words[:1]] + others + words[1:]) == status
        capsys.readouterr()


def test_json_has_what_came_in_and_out() -> None:
    """One object for each URL."""
    data = b"http://www.A.b/?utm_source=1\n"
    cases: list[tuple[list[str], dict[str, object]]] = [
        (["canonicalize"], {}),
        (["allowed", "--schemes", "http"], {"allowed": True, "violations": []}),
    ]
    for words, more in cases:
        status, records, _ = filtered([*words, "--json"], data)
        assert (status, list(map(json.loads, records))) == (
            0,
            [
                {
                    "input": "http://www.A.b/?utm_source=1",
                    "href": "http://www.a.b/?utm_source=1",
                    **more,
                }
            ],
        )


@pytest.mark.parametrize(
    ("words", "record"),
    [
        (["canonicalize"], {"input": "a.example:80/B", "href": "http://a.example/B"}),
        (
            ["allowed", "--hosts", "a.example"],
            {
                "input": "a.example:80/B",
                "href": "http://a.example/B",
                "allowed": True,
                "violations": [],
            },
        ),
        (["parse"], {"href": "http://a.example/B"}),
    ],
)
def test_a_scheme_may_be_assumed(words: list[str], record: dict[str, object]) -> None:
    """For lines without one. The input in JSON is what was read; a path is not a host."""
    data = b"a.example:80/B\n/B\n"
    status, records, complaints = filtered([*words, "--json", "--assume-scheme", "HTTP"], data)
    assert status == 1
    first = json.loads(records[0])
    assert {name: first[name] for name in record} == record
    (complaint,) = complaints
    assert complaint.startswith("line 2: missing-scheme-non-relative-URL: ")
    assert complaint.endswith(" '/B'")


@pytest.mark.parametrize("command", ["parse", "canonicalize", "allowed"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--assume-scheme", "https:"], "'https:' is not a scheme, such as https"),
        (["--assume-scheme", "https", "--base", "https://h/"], "not allowed with argument"),
    ],
)
def test_a_scheme_that_cannot_be_assumed_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], command: str, options: list[str], message: str
) -> None:
    """A base makes other URLs of the same text."""
    with pytest.raises(SystemExit) as raised:
        main([command, *options])
    assert raised.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["public_link", "public-link"])
def test_a_ready_policy_has_both_spellings(name: str) -> None:
    """With an underscore as in Python, with a hyphen as in other options."""
    data = b"https://a.example/\nhttp://127.0.0.1/\n"
    status, records, complaints = filtered(["allowed", "--policy", name], data)
    assert (status, records, len(complaints)) == (1, ["https://a.example/"], 1)


def test_refused_urls_have_their_reasons(tmp_path: Path) -> None:
    """On standard error, or in JSON."""
    block = tmp_path / "block.txt"
    block.write_text("0.0.0.0 evil.example\n||ads.example^\n||x.example/path\n", encoding="utf-8")
    words = ["allowed", "--policy", "public-link", "--refused-hosts-file", str(block)]
    data = b"https://EVIL.example/\nhttps://me:s3cret@a.ads.example/\nhttps://good.example\nx\n"
    status, records, complaints = filtered(words, data)
    assert (status, records) == (1, ["https://good.example/"])
    assert complaints[0].startswith(f"{block}:3: left out: ")
    assert complaints[1].startswith("line 1: https://evil.example/ host-refused: ")
    assert "credentials-not-allowed" in complaints[2] and "host-refused" in complaints[2]
    assert complaints[3].startswith("line 4: missing-scheme")
    assert "s3cret" not in "".join(complaints)
    status, records, complaints = filtered([*words, "--json"], data)
    assert (status, len(records), len(complaints)) == (1, 3, 2)
    assert [json.loads(record)["allowed"] for record in records] == [False, False, True]


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--hosts", "example.com:80"],
        ["--hosts", "a.example", "--hosts-file", "x"],
        ["--networks", "nonsense"],
        ["--ports", "70000"],
    ],
)
def test_rules_that_are_wrong_are_errors(words: list[str]) -> None:
    """No rule at all is one, too: it would allow everything."""
    status, records, complaints = filtered(["allowed", *words], b"https://h/\n")
    assert (status, records, len(complaints)) == (2, [], 1)


@pytest.mark.parametrize(
    ("options", "rules"),
    [
        (["--schemes", "https, http"], {"schemes": ["https", "http"]}),
        (["--hosts", ".example.com"], {"hosts": [".example.com"]}),
        (["--refused-hosts", "example.com"], {"refused_hosts": ["example.com"]}),
        (["--registrable-domains", "example.com"], {"registrable_domains": ["example.com"]}),
        (
            ["--refused-registrable-domains", "example.com"],
            {"refused_registrable_domains": ["example.com"]},
        ),
        (["--networks", "10.0.0.0/8"], {"networks": ["10.0.0.0/8"]}),
        (["--ports", "443,8080"], {"ports": [443, 8080]}),
        (["--no-credentials"], {"credentials": False}),
        (["--no-ip-hosts"], {"ip_hosts": False}),
    ],
)
def test_each_rule_is_that_of_a_policy(options: list[str], rules: dict[str, Any]) -> None:
    """With and without a ready-made policy."""
    urls = [
        "https://example.com/",
        "http://www.example.com:8080/",
        "ftp://me@example.com/",
        "https://10.1.1.1/",
        "https://other.example/",
    ]
    data = "\n".join(urls).encode()
    for more, policy in (([], weburl.URLPolicy()), (["--policy", "webhook"], None)):
        ready = weburl.URLPolicy.webhook() if policy is None else policy
        expected = [url for url in urls if ready.narrowed(**rules).allows(url)]
        assert filtered(["allowed", *more, *options], data)[1] == expected


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_help_with_an_example_that_works(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """By --help and by the command help. Its words are those that the command takes."""
    if name in ("columns", "help", "view"):  # the first and the last have pages of their own
        return
    shown = []
    for words in ([name, "--help"], ["help", name]):
        with pytest.raises(SystemExit) as caught:
            main(words)
        assert caught.value.code == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert "Exit status: 0" in " ".join(shown[0].split())
    example = shown[0].partition("Example:\n  ")[2].partition("\n")[0]
    assert example.startswith(f"weburl {name} ")
    typed = example.partition(" <")[0]
    done = subprocess.run(
        ["bash", "-c", f'set -- {typed}; printf "%s\\0" "$@"'], capture_output=True, check=True
    )
    loaded(name).argument_parser().parse_args(done.stdout.decode().split("\0")[2:-1])


def test_help_is_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    """It names every command, and is not read as a URL."""
    for words in (["help"], ["--help"], ["-h"]):
        with pytest.raises(SystemExit) as caught:
            main(words)
        out, err = capsys.readouterr()
        assert (caught.value.code, err) == (0, "")
        for name in COMMANDS:
            assert f"\n  {name} " in out
    with pytest.raises(SystemExit) as caught:
        main(["help", "nonsense"])
    assert caught.value.code == 2


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    """On one line, with the build."""
    build = "compiled" if weburl.COMPILED else "interpreted"
    assert call(capsys, "--version") == (0, [f"weburl {weburl.__version__} ({build})"], [])


# --- processes and terminals ------------------------------------------------------------------


@pytest.fixture
def slow() -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that canonicalizes what a test writes to it, and can be interrupted.

    A shell starts programs in the background so that they ignore Ctrl-C, and their children too.
    """
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from weburl.__main__ import main; sys.exit(main(['canonicalize']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(weburl.__file__).parents[1])},
    ) as process:
        yield process
        process.kill()


def test_a_line_is_answered_before_the_next_one_comes(slow: subprocess.Popen[bytes]) -> None:
    """So it can be used between programs that wait for each other."""
    assert slow.stdin is not None and slow.stdout is not None
    for number in range(3):
        slow.stdin.write(b"HTTP://h/%d\n" % number)
        slow.stdin.flush()
        assert slow.stdout.readline() == b"http://h/%d\n" % number


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_ctrl_c_ends_it_without_a_traceback(slow: subprocess.Popen[bytes]) -> None:
    """With the status that shells expect."""
    assert slow.stdin is not None and slow.stdout is not None and slow.stderr is not None
    slow.stdin.write(b"http://h/\n")
    slow.stdin.flush()
    slow.stdout.readline()
    slow.send_signal(signal.SIGINT)
    assert slow.wait(timeout=600) == 130
    assert slow.stderr.read() == b""


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words",
    [
        ["canonicalize", "http://h/"],
        ["--version"],
        ["help"],
        ["help", "links"],
    ],
    ids=" ".join,
)
def test_a_full_disk_stops_it_with_a_reason(words: list[str], unbuffered: str) -> None:
    """And with the status 3. What is not about URLs had a traceback."""
    environment = {**os.environ, "PYTHONPATH": str(Path(weburl.__file__).parents[1])}
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "weburl", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**environment, "PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert done.returncode == 3
    assert done.stderr == b"weburl: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("words", [["parse"], ["check"], ["canonicalize"], ["links"]])
def test_no_bytes_make_it_crash(words: list[str]) -> None:
    """Whatever they are, there is an answer or a complaint for each line."""
    done = run(*words, input=bytes(range(256)) * 3 + b"\nhttps://h/\xff\xfe\n\xed\xa0\x80\n\0")
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr


_SHOWN: Final = "not-UTF-8: There are bytes that are not UTF-8. 'https://"


@pytest.mark.parametrize(
    "words",
    [
        ["canonicalize"],
        ["canonicalize", "--base", _BASE],
        ["allowed", "--policy", "public-link"],
        ["allowed", "--policy", "public-link", "--json"],
        ["parse", "--json"],
        ["check"],
    ],
    ids=" ".join,
)
def test_a_line_that_is_not_utf_8_is_named_and_left_out(words: list[str]) -> None:
    """As in `weburl columns`, with the same name. Browsers would put U+FFFD into it."""
    good = b"https://a.example/\nhttps://\xc3\xa9.example/\xf0\x9f\x98\x80\nhttps://z.example/\n"
    _, wanted, _ = filtered(words, good)
    lines = good.splitlines(keepends=True)
    lines.insert(1, b"https://b.example/\xff\xfe\r\n")
    lines.insert(3, b"https://\xed\xa0\x80.example/\n")
    status, records, complaints = filtered(words, b"".join(lines))
    assert (status, records) == (1, wanted)
    assert complaints == [
        f"line 2: {_SHOWN}b.example/\\xff\\xfe'",
        f"line 4: {_SHOWN}\\xed\\xa0\\x80.example/'",
    ]


def test_a_line_that_is_not_utf_8_shows_no_password() -> None:
    """Wherever the other bytes are."""
    data = b"https://me:s3\xffcret@h/\nhttps://m\xffe:s3cret@h/\nhttps://me:s3cret@h/\xff\n"
    status, records, complaints = filtered(["canonicalize"], data)
    assert (status, records) == (1, [])
    assert [complaint.count("***") for complaint in complaints] == [2, 2, 2]
    assert not any(part in "".join(complaints) for part in ("s3", "cret", "me:", "xffe"))


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def _on_a_terminal(words: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.setattr(sys, "stdout", out := _Terminal())
    monkeypatch.setattr(sys, "stderr", err := _Terminal())
    main(words)
    return out.getvalue(), err.getvalue()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no colours there")
def test_colours_are_only_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not if the user does not want them."""
    words = ["check", "https://h\\a"]
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    out, _ = _on_a_terminal(words, monkeypatch)
    assert "\x1b[31minvalid-reverse-solidus\x1b[0m: " in out and "\x1b[31m^\x1b[0m" in out
    plain = "".join(
        part.partition("m")[2] if at else part for at, part in enumerate(out.split("\x1b["))
    )
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            assert _on_a_terminal(words, patch)[0] == plain
    assert filtered(words, b"")[1] == plain.splitlines()
    assert "\x1b[1mhref\x1b[0m      https://h/" in _on_a_terminal(["https://h/"], monkeypatch)[0]


def test_options_may_come_between_arguments() -> None:
    """The arguments after them were not recognized."""
    words = ["canonicalize", "a:", "--unique", "b:", "--null", "a:"]
    assert filtered(words, b"", "\0")[:2] == (0, ["a:", "b:"])
    assert filtered(["--base", "https://a/", "--", "--json"], b"")[0] == 0


def test_no_argument_is_read_as_a_file(tmp_path: Path) -> None:
    """An argument is never read as the name of a file, which may come from a stranger."""
    path = tmp_path / "secret.txt"
    path.write_text("https://secret.example/\n", encoding="utf-8")
    for name in ("parse", "check", "canonicalize"):
        done = run(name, str(path))
        assert b"secret.example" not in done.stdout + done.stderr


def test_a_list_of_hosts_that_refuses_nothing_is_an_error(tmp_path: Path) -> None:
    """An empty file, or one with comments only; a line that is left out is seen in the status."""
    block = tmp_path / "block.txt"
    words = ["allowed", "--refused-hosts-file", str(block)]
    for text in ("", "# nothing yet\n", "1,evil.example\n"):
        block.write_text(text, encoding="utf-8")
        status, records, complaints = filtered(words, b"https://evil.example/\n")
        assert (status, records) == (2, [])
        assert len(complaints) == 1
    block.write_text("evil.example\n2,bad.example\n", encoding="utf-8")
    status, records, complaints = filtered(words, b"https://good.example/\n")
    assert (status, records) == (1, ["https://good.example/"])
    assert "block.txt:2" in complaints[0]


def test_each_rule_narrows() -> None:
    """Of two lists, a URL must be in both."""
    words = ["allowed", "--hosts", "a.example.com", "--registrable-domains", "example.com"]
    data = b"https://a.example.com/\nhttps://b.example.com/\n"
    assert filtered(words, data)[:2] == (1, ["https://a.example.com/"])


def test_a_base_does_not_drop_the_agreement_of_readers() -> None:
    """The text of a whole URL is compared, with a base and without."""
    for more in ([], ["--base", "https://example.org/"]):
        words = ["allowed", "--policy", "webhook", *more]
        status, records, complaints = filtered(words, rb"https:\\example.com\a" + b"\n")
        assert (status, records) == (1, [])
        assert "readers-disagree" in complaints[0]
