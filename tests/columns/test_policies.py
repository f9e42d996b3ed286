"""Policies for columns: as `URLPolicy` answers for each URL, in each engine and with workers."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl.columns.pandas
import weburl.columns.polars
from tests import strategies
from tests.columns.commands import Command, environment, read_rows
from tests.columns.scalars import failure, record_or_none
from tests.columns.spark_session import spark_session
from tests.corpus import corpus
from weburl import HostList, URLPolicy, columns
from weburl.columns import running, workers
from weburl.columns.duckdb import register
from weburl.columns.judging import REASONS, looks_at_each
from weburl.columns.sql import functions_by_name
from weburl.policies.violations import CODES

# Arrow has no lone surrogates.
texts = strategies.url_texts.map(lambda text: text.encode("utf-8", "replace").decode())
HOSTS: Final = ["example.com", ".example.org", "*.example.net", "127.0.0.1", "a.b.co.uk", "[::1]"]
SOME_HOSTS: Final = st.lists(st.sampled_from(HOSTS), min_size=1, max_size=3)
PATTERNS: Final = st.lists(
    st.sampled_from(["https://*:*/*", "http{s}?://*.com/*", {"pathname": "/:one"}]), min_size=1
)
RULES: Final[dict[Any, Any]] = {
    "schemes": st.lists(st.sampled_from(["http", "https", "file", "foo", "blob"]), min_size=1),
    "hosts": SOME_HOSTS | SOME_HOSTS.map(HostList),
    "registrable_domains": st.just(["example.com", "b.co.uk"]),
    "refused_hosts": SOME_HOSTS | SOME_HOSTS.map(HostList),
    "ports": st.lists(st.sampled_from([80, 443, 8080, 22]), min_size=1),
    "credentials": st.booleans(),
    "fragments": st.booleans(),
    "max_length": st.integers(1, 60),
    "ip_hosts": st.booleans(),
    "address_classes": st.just(["global"]),
    "networks": st.just(["10.0.0.0/8", "::/0"]),
    "single_labels": st.booleans(),
    "special_use_names": st.booleans(),
    "public_suffixes": st.booleans(),
    "unknown_suffixes": st.booleans(),
    "unresolvable_names": st.booleans(),
    "require_agreement": st.booleans(),
    "patterns": PATTERNS,
}
one_policy = st.fixed_dictionaries({}, optional=RULES).map(lambda rules: URLPolicy(**rules))
policies = one_policy | st.builds(lambda one, other: one & other, one_policy, one_policy)

URLS: Final = [
    "https://a.example.co.uk/",
    "HTTPS://A.example.co.uk:443/b#c",
    "http://10.1/",
    "https://user:secret@example.com/",
    "https://example.com:8080/",
    "ftp://example.com/",
    "https://www.evil.example/",
    "http://[",
    "nope",
    "",
    None,
    "mailto:you@example.com",
    "https://example.com/" + "a" * 100,
]
POLICY: Final = URLPolicy.public_link().narrowed(refused_hosts=[".evil.example"], max_length=80)
REFUSALS: Final = [
    None,
    None,
    "address-not-allowed",
    "credentials-not-allowed",
    None,
    "scheme-not-allowed",
    "host-refused",
    "IPv6-unclosed",
    "missing-scheme-non-relative-URL",
    "missing-scheme-non-relative-URL",
    None,
    "scheme-not-allowed",
    "too-long",
]
ALLOWED: Final = [
    None if url is None else why is None for url, why in zip(URLS, REFUSALS, strict=True)
]
ROWS: Final = list(zip(ALLOWED, REFUSALS, strict=True))
QUERY: Final = "SELECT url_allowed(url, 'links'), url_refusal(url, 'links') FROM links"


def reason(policy: URLPolicy, text: str | None) -> str | None:
    """Return the first reason why a policy does not allow a text."""
    record = record_or_none(text)
    if record is None:
        return failure(text)
    return next((each.code for each in policy.check(record, written=text)), None)


@given(policies, st.lists(st.none() | texts | st.sampled_from(URLS), max_size=12))
def test_columns_answer_as_the_policy_does(policy: URLPolicy, urls: list[str | None]) -> None:
    """For any rules and their combinations, each row as if it were alone."""
    column = pa.array(urls, pa.string())
    allowed = columns.allowed(column, policy)
    assert allowed.type == pa.bool_()
    assert allowed.to_pylist() == [None if url is None else policy.allows(url) for url in urls]
    assert columns.refusal(column, policy).to_pylist() == [reason(policy, url) for url in urls]


@pytest.mark.parametrize(
    "policy", [URLPolicy.public_link(), URLPolicy.image().replaced(require_agreement=False)]
)
def test_real_links(policy: URLPolicy) -> None:
    """In chunks and as a dictionary, too."""
    links = corpus()[::20]
    assert len(links) > 1000
    wanted = [policy.allows(link) for link in links]
    assert set(wanted) == {True, False}
    chunked = pa.chunked_array([links[:700], links[700:]], pa.large_string())
    for column in (pa.array(links), chunked, chunked.dictionary_encode(), chunked.cast("binary")):
        assert columns.allowed(column, policy).to_pylist() == wanted


def test_each_reason_in_the_order_of_a_check() -> None:
    """The first violation is told, and no password."""
    for column in (pa.array(URLS), pa.array(URLS).dictionary_encode()):
        assert columns.allowed(column, POLICY).to_pylist() == ALLOWED
        assert columns.refusal(column, POLICY).to_pylist() == REFUSALS
    made = columns.refusal(pa.array(URLS), POLICY)
    assert made.type == pa.dictionary(pa.int8(), pa.string())
    assert made.dictionary.to_pylist() == list(REASONS)
    assert set(CODES) < set(REASONS)
    assert len(REASONS) < 128


def test_bytes_that_are_not_text_are_not_allowed() -> None:
    """They have a name of their own."""
    column = pa.array([b"https://a.example.com/\xff", b"https://a.example.com/", None])
    assert columns.allowed(column, POLICY).to_pylist() == [False, True, None]
    assert columns.refusal(column, POLICY).to_pylist() == ["not-UTF-8", None, None]


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_workers(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads share what they know of hosts, and processes get the policy."""
    monkeypatch.setattr(workers, "threads_pay", lambda **_: kind == "threads")
    monkeypatch.setattr(running, "BATCH", 5)
    policy = POLICY.narrowed(patterns=["https://*:*/*"])
    urls = URLS * 3
    got = columns.refusal(pa.array(urls), policy, workers=2).to_pylist()
    assert got == [reason(policy, url) for url in urls]


def test_only_rules_that_look_at_each_url_need_processes() -> None:
    """Patterns and the agreement of readers."""
    assert not looks_at_each(URLPolicy.public_link())
    assert not looks_at_each(URLPolicy(hosts=["a.example"]) & URLPolicy(hosts=[".example"]))
    assert looks_at_each(URLPolicy.webhook())
    assert looks_at_each(URLPolicy(patterns=["https://*/*"]))
    two = URLPolicy(patterns=["https://*/*"]) & URLPolicy(patterns=["https://*/a"])
    assert looks_at_each(two)


def test_what_is_not_a_policy_is_refused() -> None:
    """The message says what to write."""
    for function in (columns.allowed, columns.refusal):
        with pytest.raises(TypeError, match=r"URLPolicy\(schemes"):
            function(pa.array(URLS), {"schemes": ["https"]})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name of a policy"):
        functions_by_name(policies={1: POLICY})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match=r"URLPolicy\(schemes"):
        functions_by_name(policies={"links": HostList()})  # type: ignore[dict-item]


def test_names_of_policies() -> None:
    """One for all rows, or another in each; the function can be sent to other processes."""
    given = {"links": POLICY, "none": URLPolicy(schemes=[])}
    allowed, refusal = pickle.loads(pickle.dumps(functions_by_name(policies=given)))
    urls = pa.array(URLS[:3])
    names = pa.array(["links", "none", None])
    assert allowed.compute(urls, names).to_pylist() == [True, False, None]
    assert refusal.compute(urls, names).to_pylist() == [None, "scheme-not-allowed", None]
    with pytest.raises(ValueError, match="no policy named 'link'; there are 'links', 'none'"):
        allowed.compute(urls, pa.array(["link"] * 3))


def test_in_duckdb() -> None:
    """A policy that is given again replaces the one before."""
    with duckdb.connect() as connection:
        register(connection, policies={"links": POLICY})
        connection.register("links", pa.table({"url": URLS}))
        assert connection.sql(QUERY).fetchall() == ROWS
        register(connection, policies={"links": URLPolicy()})
        found: Any = connection.sql(QUERY).fetchall()
        assert [row[0] for row in found] == [
            None if url is None else weburl.can_parse(url) for url in URLS
        ]


def test_in_spark() -> None:
    """In SQL, and for DataFrames."""
    from weburl.columns import spark as functions

    spark = spark_session()
    functions.register(spark, policies={"links": POLICY})
    frame = spark.createDataFrame([(url,) for url in URLS], "url string")
    frame.createOrReplaceTempView("links")
    assert [tuple(row) for row in spark.sql(QUERY).collect()] == ROWS
    made = frame.select(functions.url_allowed("url", POLICY), functions.url_refusal("url", POLICY))
    assert [tuple(row) for row in made.collect()] == ROWS


def test_in_polars_and_pandas() -> None:
    """As methods, also in a lazy frame."""
    urls = pl.col("url").weburl  # type: ignore[attr-defined]
    frame = pl.LazyFrame({"url": URLS}).select(a=urls.allowed(POLICY), r=urls.refusal(POLICY))
    assert frame.collect().rows() == ROWS
    series: Any = pd.Series(URLS, dtype="string")
    assert series.weburl.allowed(POLICY).astype(object).where(series.notna(), None).tolist() == (
        ALLOWED
    )
    assert list(series.weburl.refusal(POLICY).isna()) == [why is None for why in REFUSALS]


# --- on the command line --------------------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs the command."""
    return Command(tmp_path, capsys)


def test_a_file_is_added_what_a_policy_says(command: Command) -> None:
    """With a ready policy, or with one in a file."""
    pq.write_table(pa.table({"u": URLS}), command.path("in.parquet"))
    rules = {"from": "public_link", "refused_hosts": [".evil.example"], "max_length": 80}
    policy = command.write("policy.json", json.dumps(rules))
    arguments = (command.path("in.parquet"), command.path("o.parquet"), "--column", "u",
                 "--add", "allowed,refusal", "--policy")  # fmt: skip
    assert command(*arguments, policy).status == 0
    rows = [(row["allowed"], row["refusal"]) for row in read_rows(command.path("o.parquet"))]
    assert rows == ROWS
    assert command(*arguments, "image", "--overwrite").status == 0
    rows = [(row["allowed"], row["refusal"]) for row in read_rows(command.path("o.parquet"))]
    image = URLPolicy.image()
    assert rows == [
        (None if url is None else image.allows(url), reason(image, url)) for url in URLS
    ]


@pytest.mark.parametrize("name", ["own_policies:links", "own_policies.links", "own_policies:made"])
def test_a_policy_by_its_import_path(
    command: Command, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The policy itself, or a function that returns it."""
    command.write(
        "own_policies.py",
        "import weburl\nlinks = weburl.URLPolicy.image()\ndef made():\n    return links\n",
    )
    monkeypatch.syspath_prepend(command.folder)
    monkeypatch.delitem(sys.modules, "own_policies", raising=False)
    pq.write_table(pa.table({"u": URLS}), command.path("in.parquet"))
    result = command(command.path("in.parquet"), command.path("o.parquet"), "--column", "u",
                     "--add", "allowed,refusal", "--policy", name)  # fmt: skip
    assert result.status == 0, result.err
    image = URLPolicy.image()
    assert [(row["allowed"], row["refusal"]) for row in read_rows(command.path("o.parquet"))] == [
        (None if url is None else image.allows(url), reason(image, url)) for url in URLS
    ]


def test_an_import_path_is_found_from_the_folder_where_the_script_is_run(command: Command) -> None:
    """A script has its own folder where ``python -m`` has this one."""
    command.write("my_policies.py", "import weburl\nlinks = weburl.URLPolicy.image()\n")
    command.write("in.csv", "u\nhttp://127.0.0.1/\n")
    command.path("bin").mkdir()
    script = command.write(
        "bin/script.py", "import sys\nfrom weburl.__main__ import main\nsys.exit(main())\n"
    )
    words = ["columns", "in.csv", "o.csv", "--column", "u", "--add", "allowed", "--policy"]
    for options, status in ([], 0), (["-P"], 2):
        done = subprocess.run(
            [sys.executable, *options, script, *words, "my_policies:links", "--overwrite"],
            cwd=command.folder,
            env=environment(),
            capture_output=True,
            check=False,
        )
        assert done.returncode == status, done.stderr


@pytest.mark.parametrize("ready", [None, "public_link"])
def test_a_block_list_refuses_more(command: Command, ready: str | None) -> None:
    """It narrows the policy; lines without a host are told with their numbers."""
    block = command.write("block.txt", "0.0.0.0 evil.example\n||ads.example^\n||ads.example/x^\n")
    urls = [*URLS, "https://EVIL.example/", "https://www.ads.example/", "https://example.com/"]
    pq.write_table(pa.table({"u": urls}), command.path("in.parquet"))
    result = command(command.path("in.parquet"), command.path("o.parquet"), "--column", "u",
                     "--add", "allowed,refusal", "--refused-hosts-file", block,
                     *([] if ready is None else ["--policy", ready]))  # fmt: skip
    assert result.status == 0, result.err
    assert result.err.startswith(f"{block}:3: left out: ")
    hosts = HostList(["evil.example", "ads.example", ".ads.example"])
    policy = URLPolicy() if ready is None else URLPolicy.public_link()
    policy = policy.narrowed(refused_hosts=hosts)
    rows = [(row["allowed"], row["refusal"]) for row in read_rows(command.path("o.parquet"))]
    assert rows == [
        (None if url is None else policy.allows(url), reason(policy, url)) for url in urls
    ]
    assert rows[-3:] == [(False, "host-refused"), (False, "host-refused"), (True, None)]


@pytest.mark.parametrize("form", ["text", "dictionary"])
@pytest.mark.parametrize("base", ["https://base.example.com/", "b"])
def test_a_base_does_not_drop_the_agreement_of_readers(
    command: Command, base: str, form: str
) -> None:
    """A whole URL was compared as it became, so it was allowed with a base, and not without."""
    urls = pa.array(["https://a.example.com\\@b.example.com/", "/x", "https:c.example.com/", None,
                     "https://b.example.com/", "https://["])  # fmt: skip
    table = pa.table({
        "u": urls.dictionary_encode() if form == "dictionary" else urls,
        "b": ["https://base.example.com/"] * len(urls),
    })  # fmt: skip
    pq.write_table(table, command.path("in.parquet"))
    result = command(command.path("in.parquet"), command.path("o.parquet"), "--column", "u",
                     "--policy", "webhook", "--add", "allowed,refusal", "--base", base)  # fmt: skip
    assert result.status == 0, result.err
    assert [(row["allowed"], row["refusal"]) for row in read_rows(command.path("o.parquet"))] == [
        (False, "readers-disagree"),
        (True, None),
        (False, "readers-disagree"),
        (None, None),
        (True, None),
        (False, "IPv6-unclosed"),
    ]


def test_a_policy_of_relative_urls(command: Command) -> None:
    """It sees each URL on its base."""
    command.write("in.csv", "u\n/a\n//localhost/\nhttp://[\n\n")
    assert command(command.path("in.csv"), command.path("o.csv"), "--column", "u", "--policy",
                   "public_link", "--add", "allowed,refusal", "--base", "https://example.com/",
                   ).status == 0  # fmt: skip
    assert [(row["allowed"], row["refusal"]) for row in read_rows(command.path("o.csv"))] == [
        ("true", None),
        ("false", "address-not-allowed"),
        ("false", "IPv6-unclosed"),
        (None, None),
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--add", "allowed"],
            "--refused-hosts-file) and --add allowed or refusal need each other",
        ),
        (["--add", "host", "--policy", "image"], "need each other"),
        (
            ["--add", "allowed", "--policy", "links"],
            "takes public-link, webhook, image, a file or an",
        ),
        (["--add", "allowed", "--policy", "policy.json"], "no option 'port'"),
        (["--add", "allowed", "--policy", "image", "--hosts"], "does not accept 'allowed'"),
        (["--add", "allowed", "--policy", "nowhere:links"], "No module named 'nowhere'"),
        (["--add", "allowed", "--policy", "weburl:nothing"], "has no attribute 'nothing'"),
        (
            ["--add", "allowed", "--policy", "weburl.__name__"],
            "it is a str, not a weburl.URLPolicy",
        ),
        (["--add", "host", "--refused-hosts-file", "block.txt"], "need each other"),
        (["--add", "allowed", "--refused-hosts-file", "none.txt"], "none.txt cannot be read: "),
        (["--add", "allowed", "--refused-hosts-file", "policy.json"], "policy.json: "),
        (
            ["--add", "allowed", "--refused-hosts-file", "empty.txt"],
            "there is no host in this list",
        ),
    ],
)
def test_options_that_do_not_fit(
    command: Command, monkeypatch: pytest.MonkeyPatch, options: list[str], message: str
) -> None:
    """Nothing is written."""
    monkeypatch.chdir(command.folder)
    command.write("in.csv", "u\na:b\n")
    command.write("policy.json", '{"port": [443]}')
    command.write("block.txt", "evil.example\n")
    command.write("empty.txt", "# nothing\n")
    assert message in command("in.csv", "o.csv", "--column", "u", *options).refused()
