"""`weburl.columns.files` and its command: what the statement writes, and what is refused."""

from __future__ import annotations

import csv
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.scalars import TEXTS, failure, record_or_none
from weburl.__main__ import main
from weburl.columns import files
from weburl.columns.duckdb import register
from weburl.columns.kernels import first_value
from weburl.keys import KeyRules, url_key

DOCS = Path(__file__).parents[2] / "docs" / "columns"
ROWS = [{"id": f"00{number}", "url": text} for number, text in enumerate(TEXTS)]


class Command:
    """Runs the command in a folder of its own."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: str, status: int = 0) -> str:
        """Run it, and return what it printed."""
        assert main(["columns", *words]) == status
        out, err = self._capsys.readouterr()
        return out or err


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """Return what runs the command."""
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


def rows_of(path: str) -> list[dict[str, Any]]:
    """Return the rows of a file, as DuckDB reads it without help."""
    found = duckdb.execute(f"FROM {files._reader(path)}")
    names = [name for name, *_ in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.mark.parametrize(
    "target", ["o.csv", "o.tsv", "o.jsonl", "o.parquet", "o.csv.gz", "o.jsonl.zst"]
)
@pytest.mark.parametrize("source", ["i.csv", "i.tsv", "i.jsonl", "i.parquet", "i.csv.gz"])
def test_every_format_becomes_every_other(command: Command, source: str, target: str) -> None:
    """All rows and columns stay, and the new ones are those of the functions for one text."""
    options = files._FORMATS[source.split(".")[1]] + (
        ", COMPRESSION gzip" if "gz" in source else ""
    )
    rows = pa.Table.from_pylist(ROWS)
    duckdb.sql(f"COPY (FROM rows) TO '{source}' ({options})")
    del rows
    shown = command(
        source, target, "--add", "host,canonical,error,port", "--param", "q", "--key", "page"
    )
    failures = [failure(row["url"]) for row in ROWS]
    bad = [name for name in failures if name is not None]
    assert shown.splitlines()[0] == f"{len(ROWS)} rows, bad URLs: {len(bad)}"
    assert len(bad) > 3
    made = rows_of(target)
    for row, name, found in zip(ROWS, failures, made, strict=True):
        record = record_or_none(row["url"])
        assert (found["id"], found["url"], found["error"]) == (row["id"], row["url"], name)
        assert found["canonical"] == (record and record.href)
        assert found["host"] == (
            None if record is None or record.host is None else str(record.host)
        )
        assert str(found["port"]) == str(record and record.port)
        assert found["param_q"] == (record and first_value(record.query or "", "q"))
        assert found["key_page"] == (record and url_key(record, KeyRules.page()))


def test_cells_of_csv_stay_to_the_letter(command: Command) -> None:
    """Numbers keep their zeros; an empty cell and "" stay two things; quotes where needed."""
    Path("in.csv").write_text(
        '\ufeffn,url,"a ""b"""\r\n007,a:b,1.10\r\n,"",""\r\n1e5,"a:,","x\ny"\r\n'
    )
    command("in.csv", "out.csv", "--add", "canonical,error")
    assert Path("out.csv").read_bytes() == (
        b'n,url,"a ""b""",canonical,error\n'
        b"007,a:b,1.10,a:b,\n"
        b',"","",,missing-scheme-non-relative-URL\n'
        b'1e5,"a:,","x\ny","a:,",\n'
    )


def test_plain_text_has_a_url_on_each_line(command: Command) -> None:
    """In a column ``url``."""
    Path("in.txt").write_text("HTTPS://a,b\n\nb:\"c'\n")
    command("in.txt", "out.csv", "--add", "canonical")
    assert [row["canonical"] for row in rows_of("out.csv")] == ["https://a,b/", None, "b:\"c'"]


def test_bases(command: Command) -> None:
    """One for all rows, or a column; the parts are those of the joined URL."""
    Path("in.csv").write_text(
        "url,page\n../x?q=1,https://a.example/b/c\ny,\n//h,http://b/\nhttp://[,a:b\n"
    )
    command("in.csv", "one.csv", "--base", "https://base/d/", "--add", "canonical,error,host")
    assert [(row["canonical"], row["error"], row["host"]) for row in rows_of("one.csv")] == [
        ("https://base/x?q=1", None, "base"),
        ("https://base/d/y", None, "base"),
        ("https://h/", None, "h"),
        (None, "IPv6-unclosed", None),
    ]
    shown = command("in.csv", "each.csv", "--base", "page", "--add", "canonical,error")
    assert [(row["canonical"], row["error"]) for row in rows_of("each.csv")] == [
        ("https://a.example/x?q=1", None),
        (None, "missing-scheme-non-relative-URL"),
        ("http://h/", None),
        (None, "IPv6-unclosed"),
    ]
    assert shown.splitlines()[0] == "4 rows, bad URLs: 2"


def test_every_name_can_be_added(command: Command) -> None:
    """Those of SQL that take one column, and the parts that only ``url_parse`` has."""
    Path("in.csv").write_text("url\nhttps://u:p@example.com/a.gz?b#c\n")
    names = [name for name, sql in files.NAMES.items() if not sql.startswith("host_")]
    command("in.csv", "out.parquet", "--add", ",".join(names))
    (row,) = pq.read_table("out.parquet").to_pylist()
    assert list(row) == ["url", *names]
    assert (row["username"], row["password"], row["host_kind"]) == ("u", "p", "domain")
    assert (row["file_extension"], row["registrable_domain"]) == (".gz", "example.com")
    assert len(names) > 20
    Path("hosts.csv").write_text("h\nWWW.Example.co.uk\n0x7f.1\na b\n")
    added = "host_canonicalize,host_is_ip,host_public_suffix"
    command("hosts.csv", "hosts.parquet", "--column", "h", "--add", added)
    assert [list(row.values())[1:] for row in pq.read_table("hosts.parquet").to_pylist()] == [
        ["www.example.co.uk", False, "co.uk"],
        ["127.0.0.1", True, None],
        [None, None, None],
    ]


def test_links_of_pages(command: Command) -> None:
    """A row for each link, with the other columns of its page."""
    Path("in.jsonl").write_text(
        '{"url": "https://a.example/x/", "body": "<a href=../y>Next</a> <img src=b>", "n": 1}\n'
        '{"url": "https://b.example/", "body": null, "n": 2}\n'
    )
    shown = command(
        "in.jsonl", "out.parquet", "--links", "body", "--add", "href,kind", "--prefix", "l_"
    )
    assert pq.read_table("out.parquet").to_pylist() == [
        {
            "url": "https://a.example/x/",
            "n": 1,
            "l_href": f"https://a.example/{path}",
            "l_kind": kind,
        }
        for path, kind in (("y", "hyperlink"), ("x/b", "resource"))
    ]
    assert shown == "2 rows, bad pages: 1\n  1 no-body\n"
    assert "'link'" not in command("in.jsonl", "o.csv", "--links", "body", "--sql")


def test_folders_by_a_new_column(command: Command) -> None:
    """Every engine reads the column from their names. Another column cannot be one."""
    Path("in.csv").write_text("url\nhttps://x.b.co.uk\nhttp://c.example\nx\n")
    command("in.csv", "out", "--add", "registrable_domain", "--partition-by", "registrable_domain")
    assert sorted(path.name for path in Path("out").iterdir()) == [
        "registrable_domain=__HIVE_DEFAULT_PARTITION__",
        "registrable_domain=b.co.uk",
        "registrable_domain=c.example",
    ]
    assert len(duckdb.execute("FROM 'out/**/*.parquet'").fetchall()) == 3
    assert "remove it first" in command("in.csv", "out", "--add", "host", "--partition-by", "host",
                                        "--overwrite", status=2)  # fmt: skip
    assert "one of the new columns" in command("in.csv", "p", "--partition-by", "url", status=2)


def test_a_pattern_is_many_files_and_a_name_is_one(command: Command) -> None:
    """A file is meant to the letter, also if its name looks like a pattern."""
    for name in ("a1.csv", "a2.csv", "a[12].csv"):
        Path(name).write_text(f"url\nx://{name[1]}\n")
    assert command("a?.csv", "o.csv").startswith("2 rows")
    assert command("a[12].csv", "p.csv").startswith("1 rows")
    Path("folder").mkdir()
    assert "'folder/*.parquet'" in command("folder", "q.csv", status=2)


@pytest.mark.parametrize("name", ['u"r', "u'r", "a.b", "a b", "ü", "link", 'x" FROM y; --'])
def test_any_name_of_a_column(command: Command, name: str) -> None:
    """Quotes do not end a name or a string."""
    with Path("in.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", name], ["1", "HTTPS://a"]])
    command("in.csv", "o'ut.csv", "--column", name, "--add", "canonical", "--prefix", "'\"")
    assert rows_of("o'ut.csv") == [{"id": "1", name: "HTTPS://a", "'\"canonical": "https://a/"}]
    message = command("in.csv", "x.csv", "--column", f"{name}?", "--add", "canonical", status=2)
    assert message.startswith(f"weburl: there is no column '{name}?'; there are: 'id'")


def test_a_field_of_a_struct(command: Command) -> None:
    """Named with a dot."""
    Path("in.jsonl").write_text('{"page": {"url": "HTTPS://a", "n": 1}}\n')
    command("in.jsonl", "out.parquet", "--column", "page.url", "--add", "canonical")
    assert pq.read_table("out.parquet")["canonical"].to_pylist() == ["https://a/"]
    assert "no column 'n.url'" in command("in.jsonl", "o.csv", "--column", "n.url", status=2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["in.csv", "o.csv", "--add", "hots"], "--add does not accept 'hots', only canonical, "),
        (["in.csv", "o.csv", "--add", "host,host"], "--add has host twice"),
        (["in.csv", "o.csv", "--add", "host"], "there is a column 'host' already: use --prefix"),
        (["in.csv", "o.xls"], "'o.xls': the extension must be one of csv, "),
        (["in.warc", "o.csv"], "'in.warc': the extension must be one of csv, "),
        (["in.csv", "in.csv"], "'in.csv' already exists: use --overwrite"),
        (["in.csv", "no/o.csv"], "'no/o.csv' cannot be written: No such file or directory"),
        (["no.csv", "o.csv"], 'No files found that match the pattern "no.csv"'),
        (["in.csv", "o.csv", "--key", "x"], "they are browser, page, crawl"),
        (["in.csv", "o.csv", "--base", "http://["], "[^]]"),
        (["in.csv", "o\0.csv"], "U+0000"),
        (["n.parquet", "o.csv", "--column", "n"], "the column 'n' is not text, but BIGINT"),
    ],
)
def test_wrong_arguments_have_clear_errors(
    command: Command, words: list[str], message: str
) -> None:
    """And leave nothing."""
    Path("in.csv").write_text("url,HOST\nx:y,1\n")
    pq.write_table(pa.table({"n": [1]}), "n.parquet")
    if message == "[^]]":  # A base that does not parse leaves every row without an answer.
        assert command(*words).startswith("1 rows, bad URLs: ")
        return
    assert message in command(*words, status=2)
    assert sorted(path.name for path in Path().iterdir()) == ["in.csv", "n.parquet"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("in.csv", "url,n\nhttps://me:s3cret@h/,1\nhttps://me:s3cret@h/?token=s3cret,2,3\n"),
        ("in.csv", 'url,n\nx:,1\nhttps://me:s3cret@h/,"s3cret"x\n'),
        ("in.jsonl", '{"url": "https://me:s3cret@h/", "n": 1}\n{"url": "s3cret"\n'),
        ("in.parquet", "s3cret"),
    ],
)
def test_a_damaged_file_is_named_without_what_is_in_it(
    command: Command, name: str, text: str
) -> None:
    """The place is named, and nothing is left of the output."""
    Path(name).write_text(text)
    message = command(name, "out.csv", status=2)
    assert "s3cret" not in message
    assert name in message or re.search(r"Line: \d", message)
    assert [path.name for path in Path().iterdir()] == [name]


def test_bad_urls_count_only_if_asked_for(command: Command) -> None:
    """In the status."""
    Path("in.csv").write_text("url\nx\n\n")
    assert command("in.csv", "a.csv") == (
        "2 rows, bad URLs: 1\n  1 missing-scheme-non-relative-URL\n"
    )
    command("in.csv", "b.csv", "--strict", status=1)
    assert command("in.csv", "c.csv", "--quiet") == ""
    assert command("in.csv", "c.csv", "--overwrite", "--quiet") == ""


def test_the_statement_runs_by_itself(command: Command) -> None:
    """Where the functions are registered. Nothing is written before."""
    Path("in.csv").write_text("url\nHTTPS://a\n")
    shown = command("in.csv", "out.csv", "--add", "canonical", "--key", "page", "--sql")
    assert not Path("out.csv").exists()
    with duckdb.connect() as connection:
        register(connection)
        connection.execute(shown)
    assert (
        Path("out.csv").read_text() == "url,canonical,key_page\nHTTPS://a,https://a/,https://a/\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    """DuckDB stops, and the file that is half written is removed."""
    (tmp_path / "in.csv").write_text("url\n" + "https://example.com/a/b/c?d\n" * 1_000_000)
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
        "from weburl.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    words = ["columns", "in.csv", "out.csv", "--add", "host,canonical,site"]
    with subprocess.Popen([sys.executable, "-c", program, *words], cwd=tmp_path) as process:
        while not any(path.name.startswith(".weburl-") for path in tmp_path.iterdir()):
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=600) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_ctrl_c_while_a_function_of_python_runs_is_no_error_of_duckdb() -> None:
    """DuckDB then raises its own error, whose message is empty without the words about Python."""

    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    connection = duckdb.connect()
    connection.create_function("interrupted", interrupted, ["VARCHAR"], "VARCHAR")
    job = files.Job(source="in.csv", target="out.csv", column="url", add=())
    with pytest.raises(KeyboardInterrupt), files._explained(job):
        connection.execute("SELECT interrupted('a')").fetchall()


@pytest.mark.parametrize("missing", ["DuckDB", "NumPy", "PyArrow"])
def test_the_help_needs_no_duckdb(missing: str) -> None:
    """And without it, or what it needs, the command says what to install."""
    program = (
        f"import sys; sys.modules['{missing.lower()}'] = None; from weburl.__main__ import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    words = [sys.executable, "-c", program, "columns"]
    done = subprocess.run([*words, "--help"], capture_output=True, text=True, check=True)
    assert "--partition-by" in done.stdout
    done = subprocess.run([*words, "a.csv", "b.csv"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"weburl: columns needs {missing}: pip install 'weburl[duckdb]'\n"


def test_the_examples_of_the_page_print_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In their order. A file that no command has written is an input."""
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "files.md").read_text("utf-8")
    steps = [
        (command, output)
        for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL)
        for command, output in re.findall(r"^\$ (.*)\n((?:[^$].*\n)*)", block, re.MULTILINE)
        if not command.startswith("pip ")
    ]
    assert len(steps) == 7
    for command, output in steps:
        name, *words = shlex.split(command)
        if name == "cat" and not Path(words[0]).exists():
            Path(words[0]).write_text(output, encoding="utf-8")
        elif name == "cat":
            assert Path(words[0]).read_text("utf-8") == output
        else:
            assert main(words) == 0
            assert "".join(capsys.readouterr()) == output
