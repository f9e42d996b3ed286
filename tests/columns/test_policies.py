"""Policies for columns: as `URLPolicy` answers for each URL, in each engine and with workers."""

from __future__ import annotations

import pickle
from typing import Any, Final

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl.columns.pandas
import weburl.columns.polars
from tests import strategies
from tests.columns.scalars import failure, record_or_none
from tests.columns.spark_session import spark_session
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
    "leading_hyphens": st.booleans(),
    "not_like": st.just(["example.org"]),
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
