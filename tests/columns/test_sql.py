"""The table of functions for SQL, before any engine has it."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

import weburl
from tests import strategies
from tests.columns.sql_answers import COLUMN_OF, Row, differences, more_columns
from weburl.columns import sql
from weburl.columns.sql import FUNCTIONS, SQLFunction

# Some of the texts happen to be hosts.
pytestmark = [
    pytest.mark.filterwarnings("ignore::weburl.columns.BareHostsWarning"),
    # Columns of patterns, on URLs with ports; test_ports.py has the warning.
    pytest.mark.filterwarnings("ignore::weburl.columns.OtherPortsWarning"),
]

FUNCTION = {function.name: function for function in FUNCTIONS}
# Arrow has no lone surrogates.
TEXTS = strategies.url_texts.map(lambda text: text.encode("utf-8", "replace").decode())
NAMES = ["q", "a", "", "\u00e9", "a b"]


def computed(rows: Sequence[Row], type: pa.DataType | None = None) -> dict[str, list[Any]]:
    """Return what each function gives for rows."""
    text = pa.string() if type is None else type
    given = {
        "url": [url for url, _ in rows],
        "other": [other for _, other in rows],
        **more_columns(rows),
    }
    columns = {name: pa.array(texts, pa.string()).cast(text) for name, texts in given.items()}
    found = {}
    for function in FUNCTIONS:
        answers = function.compute(*[columns[COLUMN_OF[name]] for name in function.arguments])
        answers.validate(full=True)
        assert answers.type == function.result
        found[function.name] = answers.to_pylist()
    return found


@pytest.mark.parametrize(
    "type",
    [pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()), pa.binary()],
    ids=str,
)
def test_the_type_of_an_answer_is_the_declared_one(type: pa.DataType) -> None:
    """Whatever type of text an engine passes; text is no dictionary, in structs neither."""
    rows: list[Row] = [("HTTPS://u:p@a.b.example/?q=1", "q"), (None, "q"), ("nope", None)]
    assert differences(rows, computed(rows, type)) == []


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.name)
def test_chunks_and_no_rows(function: SQLFunction) -> None:
    """An array gives an array, and chunks give chunks."""
    for length in (0, 3):
        texts = {"rules": "page"}
        columns = [
            pa.array([texts.get(name, "https://a/?q=1")] * length, pa.string())
            for name in function.arguments
        ]
        answers = function.compute(*columns)
        assert isinstance(answers, pa.Array)
        assert len(answers) == length
        chunked = function.compute(*map(pa.chunked_array, ([column] for column in columns)))
        assert isinstance(chunked, pa.ChunkedArray)
        assert chunked.type == function.result
        assert chunked.to_pylist() == answers.to_pylist()


def test_bytes_that_are_no_text() -> None:
    """As a URL they have an error of ours; as a name they are in no query."""
    urls = pa.array([b"https://a/?\xff=1", b"https://a/?q=1"])
    assert FUNCTION["url_error"].compute(urls).to_pylist() == ["not-UTF-8", None]
    names = pa.array([b"q", b"\xff"])
    assert FUNCTION["url_search_param"].compute(urls, names).to_pylist() == [None, None]


def test_columns_that_do_not_fit_are_refused() -> None:
    """By number, by type, by length."""
    urls = pa.array(["https://a"])
    for function in FUNCTIONS:
        with pytest.raises(TypeError, match=f"{function.name} takes"):
            function.compute(*[urls] * (len(function.arguments) + 1))
        with pytest.raises(TypeError, match="must be"):
            function.compute(pa.array([1]), *[urls] * (len(function.arguments) - 1))
    for name in ("url_resolve", "url_search_param", "url_key"):
        with pytest.raises(ValueError, match="there are 1 URLs, but 2"):
            FUNCTION[name].compute(urls, pa.array(["a", "b"]))


def test_rules_that_do_not_exist_are_an_error() -> None:
    """In whatever row they are, also where there is no URL."""
    urls = pa.array(["https://a", None, "https://www.a"])
    names = pa.array(["page", "pages", None])
    with pytest.raises(ValueError, match="no ready rules 'pages': they are browser, page, crawl"):
        FUNCTION["url_key"].compute(urls, names)


def test_functions_can_be_sent_to_other_processes() -> None:
    """As Spark does."""
    urls = pa.array(["https://a.example/?q=1"])
    for function in FUNCTIONS:
        sent = pickle.loads(pickle.dumps(function))
        columns = [urls] * len(function.arguments)
        if "rules" in function.arguments:
            columns[1] = pa.array(["page"])
        assert sent.compute(*columns).equals(function.compute(*columns))


def test_names() -> None:
    """All differ and begin with the prefix, which can be another."""
    assert len(FUNCTION) == len(FUNCTIONS)
    assert all(name.startswith((sql.PREFIX, "host_", "html_")) for name in FUNCTION)
    assert FUNCTION["url_host"].named("weburl_") == "weburl_host"
    assert FUNCTION["url_host"].named("") == "host"
    for prefix in ("a-", "x y", '"', "1", "\u00e9", ";", "\0", "\ud800"):
        with pytest.raises(ValueError, match="a prefix may have only"):
            FUNCTION["url_host"].named(prefix)


def test_url_matches() -> None:
    """With a pattern for each row; a text that is not a pattern is an error."""
    urls = pa.array(["https://a/users/1", "https://b/", None, "nope", "https://a/users/2"])
    patterns = pa.array(["https://a/users/:id", "https://a/*", "https://a/", "https://a/", None])
    answers = FUNCTION["url_matches"].compute(urls, patterns)
    assert answers.to_pylist() == [True, False, None, None, None]
    with pytest.raises(weburl.URLPatternError):
        FUNCTION["url_matches"].compute(urls, pa.array(["https://a/{"] * 5))
