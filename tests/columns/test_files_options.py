"""``--key`` with rules of one's own, ``--without`` and ``--no-private``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.columns.commands import Command, read_rows
from tests.columns.scalars import record_or_none, registrable_domain, without_private
from tests.columns.sql_answers import site_without_private
from tests.corpus import corpus
from weburl.keys import KeyRules, url_key

JSON: Final = '{"from": "page", "also_drop_params": ["q"], "name": "mine"}'
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
                for name, value in {
                    "registrable_domain": without_private,
                    "site": site_without_private,
                    "key_mine": lambda url: url_key(url, KeyRules.from_json(JSON)),
                    "key_custom": lambda url: url_key(url, KeyRules(drop_fragment=True)),
                    "key_page": lambda url: url_key(url, KeyRules.page()),
                    "without_params": lambda url: (
                        url.without_query_params("ref", prefixes="utm_").href
                    ),
                }.items()
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
        (("--key", '{"drop": 1}'), "--key: the rules have no option 'drop'"),
        (("--key", '{"name": "page"}', "--key", "page"), "'key_page' would be added twice"),
        (("--without", "a,,b"), "--without: the names of params are separated by commas"),
        (("--without", "*"), "--without: an empty prefix would remove every param"),
        (("--without", "a", "--hosts"), "--hosts cannot be combined with"),
    ],
)
def test_wrong_values_are_refused(columns: Command, options: tuple[str, ...], message: str) -> None:
    """Before anything is written."""
    source = columns.write("in.txt", "https://h/\n")
    assert message in columns(source, columns.path("out.txt"), *options).refused()
    assert columns.names() == ["in.txt"]
