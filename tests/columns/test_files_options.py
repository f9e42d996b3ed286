"""``--key`` with rules of one's own, ``--without`` and ``--no-private``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.columns.commands import Command, read_rows
from tests.columns.scalars import record_or_none, registrable_domain, without_private
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


def test_every_row_is_as_the_functions_for_one_url_say(command: Command) -> None:
    """For real links, with rules of a file and of the command line."""
    texts = [*TEXTS, *corpus()[::200]]
    assert len(texts) >= 200
    source = command.write("in.txt", "".join(f"{text}\n" for text in texts))
    rules = command.write("rules.json", JSON)
    done = command(
        source, command.path("out.jsonl"), "--key", rules, "--key", '{"drop_fragment": true}',
        "--key", "page", "--without", "ref, utm_*", "--add", "registrable_domain,site",
        "--no-private", "--prefix", "x_",
    )  # fmt: skip
    assert done.status == 0
    rows = read_rows(command.path("out.jsonl"))
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


def test_hosts_without_private_domains(command: Command) -> None:
    """The registrable domain, the public suffix and what comes before both."""
    source = command.write("in.txt", "a.u.github.io\nwww.example.co.uk\n")
    done = command(
        source, command.path("out.jsonl"), "--hosts", "--no-private",
        "--add", "registrable_domain,public_suffix,subdomain",
    )  # fmt: skip
    assert done.status == 0
    assert [list(row.values())[1:] for row in read_rows(command.path("out.jsonl"))] == [
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
        (("--param", "q", "--param", "Q"), "'param_Q', 'param_q' would be added twice"),
        (("--without", "a,,b"), "--without: the names of params are separated by commas"),
        (("--without", "*"), "--without: an empty prefix would remove every param"),
        (("--without", "a", "--hosts"), "--hosts cannot be combined with"),
        (("--add", "hosts"), "--add does not accept 'hosts'; it accepts canonical, error"),
        (("--add", "key"), "for 'key', use --key page"),
        (("--add", ""), "--add is empty"),
        (("--add", "allowed"), "--policy (or --refused-hosts-file) and --add allowed or refusal"),
        (
            ("--add", "allowed", "--policy", "none.json"),
            "--policy takes public-link, webhook, image",
        ),
        (("--add", "host", "--base", "b"), "has no column 'b'; it has 'url'"),
        (("--add", "host", "--base", "http://u:secret@["), "--base: "),
        (("--add", "host", "--partition-by", "host", "--to", "text"), "leaves none: use --to"),
        (("--add", "host", "--buckets", "3"), "--buckets need each other"),
        (("--add", "host", "--malformed", "keep"), "--malformed keep needs --bad FILE"),
        (("--add", "host", "--bad", "-"), "'-' has no extension: name a file"),
        (("--add", "host", "--bad", ""), "'' needs one of the extensions"),
        (("--add", "host", "--column", "link"), "has no column 'link'; it has 'url'"),
        (("--add", "host", "--column", ""), "has no column ''; it has 'url'"),
    ],
)
def test_wrong_values_are_refused(command: Command, options: tuple[str, ...], message: str) -> None:
    """Before anything is written."""
    source = command.write("in.txt", "https://h/\n")
    assert message in command(source, command.path("out.txt"), *options).refused()
    assert command.names() == ["in.txt"]


def test_rules_and_policies_may_begin_with_a_byte_order_mark(command: Command) -> None:
    """As editors on Windows write them."""
    mark = "\ufeff"
    source = command.write("in.csv", "u\nhttps://a.example/#f\n")
    rules = command.write("r.json", f'{mark}{{"name": "own", "drop_fragment": true}}')
    policy = command.write("p.json", f'{mark}{{"schemes": ["http"]}}')
    done = command(
        source, command.path("out.jsonl"), "--column", "u", "--key", rules, "--policy", policy,
        "--add", "allowed",
    )  # fmt: skip
    assert done.status == 0, done.err
    (row,) = read_rows(command.path("out.jsonl"))
    assert row["allowed"] is False
    assert row["key_own"]


@pytest.mark.parametrize("name", ["public_link", "public-link"])
def test_a_ready_policy_has_both_spellings(command: Command, name: str) -> None:
    """With an underscore as in Python, with a hyphen as in other options."""
    source = command.write("in.csv", "u\nhttps://a.example/\nhttp://127.0.0.1/\n")
    done = command(
        source, command.path("out.jsonl"), "--column", "u", "--policy", name, "--add", "allowed"
    )
    assert done.status == 0, done.err
    assert [row["allowed"] for row in read_rows(command.path("out.jsonl"))] == [True, False]


def test_the_help_names_the_ready_policies() -> None:
    """In the spelling of the other commands."""
    text = " ".join(argument_parser().format_help().split())
    assert "public-link, webhook, image" in text


def test_an_empty_list_of_kinds_is_refused(command: Command) -> None:
    """Instead of no links."""
    source = command.write("in.csv", "u,h\n")
    with pytest.raises(SystemExit) as stopped:
        command(
            source, command.path("o.csv"), "--links", "h", "--base", "https://a/", "--kinds", ","
        )
    assert stopped.value.code == 2


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--threads", "x", "must be a number from 1 to 256"),
        ("--buckets", "0", "must be a number from 1 to 65536"),
        ("--max-output", "-1", "must be a number from 1 to 1152921504606846976"),
    ],
)
def test_a_number_out_of_range_is_refused(
    command: Command, capsys: pytest.CaptureFixture[str], option: str, value: str, message: str
) -> None:
    """The message says what is allowed."""
    with pytest.raises(SystemExit) as stopped:
        command("in.csv", "o.csv", "--column", "u", option, value)
    assert stopped.value.code == 2
    assert f"argument {option}: {message}" in capsys.readouterr().err
