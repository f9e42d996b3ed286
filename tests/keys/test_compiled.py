"""Compiled keys with plans that do not fit, long queries, and columns."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.standard.compiled.equality import PIECES
from weburl import COMPILED, canonicalize
from weburl.keys import KeyRules, url_key
from weburl.keys.rules import key_of_href, plan_by
from weburl.public_suffix import packaged_list

if not COMPILED:
    pytest.skip("there are no compiled keys in this build", allow_module_level=True)

keys: Any = importlib.import_module("weburl.keys.compiled.plans")
column: Any = importlib.import_module("weburl.columns.compiled.keys")
PAGE = KeyRules.page()


@pytest.mark.parametrize(
    "names",
    [
        [(b"%d" % number, 1) for number in range(257)],
        [(b"b", 0), (b"a", 0)],
        [(b"", 0)],
    ],
)
def test_names_that_do_not_fit_are_refused(names: Any) -> None:
    """Nothing is written outside the tables."""
    with pytest.raises(ValueError, match="names"):
        keys.KeyPlan({"drop_params"}, b"", b"", names, packaged_list)


def test_the_most_names() -> None:
    """A plan can have 256 names, which may all begin with the same byte."""
    for names in ([b"\xff%d" % at for at in range(256)], [bytes([at]) for at in range(256)]):
        plan = keys.KeyPlan({"changes_query"}, b"", b"", [(name, 2) for name in names], None)
        assert plan.key_of("https://a/?%FF") is None
        assert plan.key_of("https://a/?a") == ("https://a/" if b"a" in names else "https://a/?a")


@pytest.mark.parametrize("value", [None, 1, b"https://a/", "\ud800", "https://a b/", "a"])
def test_other_values_are_declined(value: object) -> None:
    """This concerns bad text and values that are not text."""
    assert plan_by(PAGE).key_of(value) is None


@pytest.mark.parametrize("count", [1, 63, 64, 65, 1000])
def test_queries_of_many_pairs(count: int) -> None:
    """More than 64 pairs are not sorted in compiled code, and long URLs do not fit on the stack."""
    names = [f"n{at * 7919 % count:04}" for at in range(count)]
    url = "https://www.a.b/c/?" + "&".join(f"{name}={'x' * 20}" for name in names)
    expected = "https://a.b/c?" + "&".join(f"{name}={'x' * 20}" for name in sorted(names))
    assert url_key(url, PAGE) == expected == key_of_href(url, PAGE)
    assert (plan_by(PAGE).key_of(url) is None) == (count > 64)


@given(
    parts=st.lists(
        st.sampled_from([*PIECES, "www.", "a.b", "co.uk", "&", "=", "utm_x", "b", "%7e", "%eb"]),
        max_size=9,
    ),
    start=st.sampled_from(["", "http://", "https://www.", "https://a.b/", "https://a.b/?x"]),
)
def test_mutated_texts(parts: list[str], start: str) -> None:
    """A key is None or equal to the key of the href."""
    text = start + "".join(parts)
    for rules in (PAGE, KeyRules.crawl(), KeyRules(fold_www=True, sort_params=True)):
        key = plan_by(rules).key_of(text)
        assert key is None or key == key_of_href(canonicalize(text), rules)


def test_a_column() -> None:
    """It has nulls, rows that are declined, rows that do not parse, and bytes."""
    pa = pytest.importorskip("pyarrow")
    columns = importlib.import_module("weburl.columns")
    texts = [
        *("https://www.a.b/c/", None, "https://a.b/?%61&b", "bad", "https://\u00e9.b/?b&a"),
        *("https://youtu.be/?si=1", "https://a.b/" + "c" * 5000, "foo:bar", ""),
        *("https://www.co.uk/%7E%eb?a=%7e", "https://www.www.co.uk./%zz"),
    ]
    expected = [
        *("https://a.b/c", None, "https://a.b/?a&b", None, "https://xn--9ca.b/?a&b"),
        *("https://youtu.be/", "https://a.b/" + "c" * 5000, "foo:bar", None),
        *("https://www.co.uk/~%EB?a=~", "https://www.co.uk/%25zz"),
    ]
    for kind in (pa.string(), pa.large_string()):
        made = columns.key(pa.array(texts * 9, kind))
        assert made.to_pylist() == expected * 9
        assert made.type == kind
        made.validate(full=True)
    assert columns.key(pa.array(texts).slice(2, 3)).to_pylist() == expected[2:5]
    bad = pa.array([b"\xff", b"https://www.a.b/"])
    assert columns.key(bad).to_pylist() == [None, "https://a.b/"]


def test_buffers_that_do_not_fit_are_refused() -> None:
    """The reader of columns refuses them too."""
    past_the_end = (b"https://a", b"\0\0\0\0\xff\0\0\0", b"", 0, 1, False)
    for arguments in (past_the_end, (b"", b"", b"", 0, 1, True)):
        with pytest.raises(ValueError, match="an array's"):
            column.key_column(plan_by(PAGE), arguments, lambda *_: None)
