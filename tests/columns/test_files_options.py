"""``--key`` with rules of one's own, ``--without`` and ``--no-private``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.columns.commands import Command, read_rows
from tests.columns.scalars import failure, record_or_none, registrable_domain, without_private
from tests.columns.sql_answers import site_without_private
from tests.corpus import corpus
from weburl import URLRecord
from weburl.columns.files.arguments import argument_parser
from weburl.keys import KeyRules, url_key

JSON: Final = '{"from": "page", "also_drop_params": ["q"], "name": "mine"}'
ADDED: Final[dict[str, Callable[[URLRecord], Any]]] = {
    "registrable_domain": without_private,
    "site": site_without_private,
    "key_mine": lambda url: url_key(url, KeyRules.from_json(JSON)),
    "key_custom": lambda url: url_key(url, KeyRules(drop_fragment=True)),
    "key_page": lambda url: url_key(url, KeyRules.page()),
    "without_params": lambda url: url.without_query_params("ref", prefixes="utm_").href,
}
"""What is added to each URL, by the functions for one URL."""
TEXTS: Final = ["https://u.github.io/?utm_a=1&q=2", "nope", "https://A.b.co.uk/?ref=1#f"]


@pytest.fixture
def columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Give a command with a folder of its own."""
    return Command(tmp_path, capsys)


def test_every_row_is_as_the_functions_for_one_url_say(columns: Command) -> None:
    """For real links, with rules of a file and of the command line."""
    texts = [*TEXTS, *corpus()[::200]]
    assert len(texts) >= 200
    source = columns.write("in.txt", "".join(f"{text}\n" for text in texts))
    rules = columns.write("rules.json", JSON)
    done = columns(
        source, columns.path("out.jsonl"), "--key", rules, "--key", '{"drop_fragment": true}',
        "--key", "page", "--without", "ref, utm_*", "--add", "registrable_domain,site",
        "--no-private", "--prefix", "x_",
    )  # fmt: skip
    assert done.status == 0
    rows = read_rows(columns.path("out.jsonl"))
    assert len(rows) == len(texts)
    for text, row in zip(texts, rows, strict=True):
        record = record_or_none(text)
        assert row == {
            "url": text,
            **{
                f"x_{name}": None if record is None else value(record)
                for name, value in ADDED.items()
            },
        }
    assert any(
        row["x_registrable_domain"] != registrable_domain(record)
        for text, row in zip(texts, rows, strict=True)
        if (record := record_or_none(text)) is not None
    )


def test_hosts_without_private_domains(columns: Command) -> None:
    """The registrable domain, the public suffix and what comes before both."""
    source = columns.write("in.txt", "a.u.github.io\nwww.example.co.uk\n")
    done = columns(
        source, columns.path("out.jsonl"), "--hosts", "--no-private",
        "--add", "registrable_domain,public_suffix,subdomain",
    )  # fmt: skip
    assert done.status == 0
    assert [list(row.values())[1:] for row in read_rows(columns.path("out.jsonl"))] == [
        ["github.io", "io", "a.u"],
        ["example.co.uk", "co.uk", "www"],
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--key", "pages"), "--key does not accept 'pages'; it accepts browser, page, crawl"),
        (("--key-hash", "pages"), "--key-hash does not accept 'pages'; it accepts browser"),
        (("--key", '{"drop": 1}'), "--key: the rules have no option 'drop'"),
        (("--key", '{"name": "page"}', "--key", "page"), "'key_page' would be added twice"),
        (("--without", "a,,b"), "--without: the names of params are separated by commas"),
        (("--without", "*"), "--without: an empty prefix would remove every param"),
        (("--without", "a", "--hosts"), "--hosts cannot be combined with"),
        (("--add", "host", "--work", "w"), "--work is for an output that is a URL"),
    ],
)
def test_wrong_values_are_refused(columns: Command, options: tuple[str, ...], message: str) -> None:
    """Before anything is written."""
    source = columns.write("in.txt", "https://h/\n")
    assert message in columns(source, columns.path("out.txt"), *options).refused()
    assert columns.names() == ["in.txt"]


LISTS: Final[list[dict[str, Any]]] = [
    {"id": 1, "links": [{"url": "HTTPS://A/"}, {"url": None}, None, {"url": "nope"}]},
    {"id": 2, "links": []},
    {"id": 3, "links": None},
    {"id": 4, "links": [{"url": "x"}, {"url": "http://["}]},
    {"id": 5, "links": [{"url": "https://b.co.uk/"}]},
]


def of_each(function: Callable[[str], Any]) -> list[Any]:
    """Return what a function gives for each URL in the lists."""
    answers: list[Any] = []
    for row in LISTS:
        links = row["links"]
        urls = None if links is None else [None if link is None else link["url"] for link in links]
        answers.append(urls and [None if url is None else function(url) for url in urls])
    return answers


@pytest.mark.parametrize("target", ["parquet", "jsonl"])
@pytest.mark.parametrize("dictionary", [False, True])
def test_urls_in_lists_of_structs_give_lists(
    columns: Command, target: str, dictionary: bool
) -> None:
    """A list for each row, null where the list is; a bad row has a bad URL."""
    table = pa.Table.from_pylist(LISTS)
    pq.write_table(table, columns.path("in.parquet"), use_dictionary=dictionary)
    bad = columns.path(f"bad.{target}")
    done = columns(
        columns.path("in.parquet"), columns.path(f"out.{target}"), "--column", "links.url",
        "--add", "canonical,error,host,port,can_parse", "--bad", bad, "--workers", 2,
    )  # fmt: skip
    assert (done.status, done.err.splitlines()[0]) == (0, "5 rows, 2 of them bad")
    rows = read_rows(columns.path(f"out.{target}"))
    records = {name: record_or_none(name) for name in ("HTTPS://A/", "https://b.co.uk/")}
    assert [row["canonical"] for row in rows] == of_each(
        lambda text: None if (record := records.get(text)) is None else record.href
    )
    assert [row["host"] for row in rows] == of_each(
        lambda text: None if (record := records.get(text)) is None else record.hostname
    )
    assert [row["error"] for row in rows] == of_each(failure)
    assert [row["can_parse"] for row in rows] == of_each(lambda text: text in records)
    assert [row["id"] for row in read_rows(bad)] == [1, 4]


def test_lists_of_text_lists_of_lists_and_bases(columns: Command) -> None:
    """Lists in lists become one list; each URL is joined to the base of its row or of its place."""
    rows = [
        {
            "page": "https://a/x/",
            "urls": ["y", "../z"],
            "deep": [[{"u": "1"}], [], [{"u": "2"}]],
            "on": ["https://c/", "https://d/"],
        },
        {"page": "https://b/", "urls": None, "deep": [], "on": None},
    ]
    pq.write_table(pa.Table.from_pylist(rows), columns.path("in.parquet"))
    for column, base, due in (
        ("urls", "page", [["https://a/x/y", "https://a/z"], None]),
        ("urls", "on", [["https://c/y", "https://d/z"], None]),
        ("deep.u", "page", [["https://a/x/1", "https://a/x/2"], []]),
    ):
        words = (columns.path("in.parquet"), columns.path("out.jsonl"), "--overwrite")
        options = ("--column", column, "--base-column", base, "--add", "canonical")
        done = columns(*words, *options)
        assert done.status == 0
        assert [row["canonical"] for row in read_rows(columns.path("out.jsonl"))] == due
    wrong = columns(
        columns.path("in.parquet"),
        columns.path("no.jsonl"),
        "--column",
        "page",
        "--base-column",
        "on",
    )
    assert "'on' is in other lists than the URLs" in wrong.refused()


def test_lists_of_urls_cannot_be_cells(columns: Command) -> None:
    """Of CSV."""
    pq.write_table(pa.Table.from_pylist(LISTS), columns.path("in.parquet"))
    done = columns(columns.path("in.parquet"), columns.path("out.csv"), "--column", "links.url")
    assert "a cell of CSV cannot represent 'links'" in done.refused()


def test_rules_and_policies_may_begin_with_a_byte_order_mark(columns: Command) -> None:
    """As editors on Windows write them."""
    mark = "\ufeff"
    source = columns.write("in.csv", "u\nhttps://a.example/#f\n")
    rules = columns.write("r.json", f'{mark}{{"name": "own", "drop_fragment": true}}')
    policy = columns.write("p.json", f'{mark}{{"schemes": ["http"]}}')
    done = columns(
        source, columns.path("out.jsonl"), "--column", "u", "--key", rules, "--policy", policy,
        "--add", "allowed",
    )  # fmt: skip
    assert done.status == 0, done.err
    (row,) = read_rows(columns.path("out.jsonl"))
    assert row["allowed"] is False
    assert row["key_own"]


@pytest.mark.parametrize("name", ["public_link", "public-link"])
def test_a_ready_policy_has_both_spellings(columns: Command, name: str) -> None:
    """With an underscore as in Python, with a hyphen as in other options."""
    source = columns.write("in.csv", "u\nhttps://a.example/\nhttp://127.0.0.1/\n")
    done = columns(
        source, columns.path("out.jsonl"), "--column", "u", "--policy", name, "--add", "allowed"
    )
    assert done.status == 0, done.err
    assert [row["allowed"] for row in read_rows(columns.path("out.jsonl"))] == [True, False]


def test_the_help_names_the_ready_policies() -> None:
    """In the spelling of the other commands."""
    text = " ".join(argument_parser().format_help().split())
    assert "public-link, webhook, image" in text


def test_an_empty_list_of_kinds_is_refused(columns: Command) -> None:
    """Instead of no links."""
    source = columns.write("in.csv", "u,h\n")
    with pytest.raises(SystemExit) as stopped:
        columns(
            source, columns.path("o.csv"), "--links", "h", "--base", "https://a/", "--kinds", ","
        )
    assert stopped.value.code == 2


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--workers", "x", "must be a number from 1 to 256"),
        ("--buckets", "0", "must be a number from 1 to 65536"),
        ("--keep-seconds", "nan", "must be a number of seconds from 0 to 86400"),
    ],
)
def test_a_number_out_of_range_is_refused(
    columns: Command, capsys: pytest.CaptureFixture[str], option: str, value: str, message: str
) -> None:
    """The message says what is allowed."""
    with pytest.raises(SystemExit) as stopped:
        columns("in.csv", "o.csv", "--column", "u", option, value)
    assert stopped.value.code == 2
    assert f"argument {option}: {message}" in capsys.readouterr().err
