"""Columns of bare hosts, and functions of two columns, beyond what is compared with one text."""

from __future__ import annotations

import warnings

import pyarrow as pa
import pytest

import weburl
from tests.columns.scalars import OF_TEXT
from tests.wpt import load_cases
from weburl import columns
from weburl.columns import BareHostsWarning
from weburl.public_suffix import parse_list

HOSTS = ["WWW.Example.co.uk", "0x7f.1", "[::1]", "co.uk", "a.example:80", "", None, "a b"]
OF_HOSTS = ("canonical_host", "is_ip", "registrable_domain_of_host", "public_suffix", "subdomain")


@pytest.mark.parametrize("name", OF_HOSTS)
def test_every_domain_of_web_platform_tests(name: str) -> None:
    """As the literal reading of the standard reads it."""
    hosts = [
        case["input"]
        for file in ("IdnaTestV2.json", "toascii.json")
        for case in load_cases(file)
        if not any(0xD800 <= ord(char) < 0xE000 for char in case["input"])
    ]
    function, of_text = OF_TEXT[name]
    assert function(pa.array(hosts)).to_pylist() == [of_text(host) for host in hosts]
    assert len(hosts) > 2000


@pytest.mark.parametrize("name", OF_HOSTS)
@pytest.mark.parametrize(
    "type",
    [pa.large_string(), pa.string_view(), pa.binary(), pa.dictionary(pa.int8(), pa.string())],
    ids=str,
)
def test_every_type_of_text(name: str, type: pa.DataType) -> None:
    """In one array and in chunks."""
    function, of_text = OF_TEXT[name]
    array = pa.array(HOSTS, pa.string()).cast(type)
    wanted = [of_text(host) for host in HOSTS]
    got = function(array)
    got.validate(full=True)
    assert got.to_pylist() == wanted
    chunked = function(pa.chunked_array([array.slice(0, 3), array.slice(3)]))
    assert chunked.to_pylist() == wanted
    assert chunked.num_chunks == 2


def test_why_a_host_does_not_parse() -> None:
    """By name, and as the error of the first row."""
    hosts = pa.array([None, "a", "", "[::1", "a:80", b"\xff"], pa.binary())
    named = columns.is_ip(hosts, errors="name").to_pylist()
    assert [row and row["error"] for row in named] == [
        None,
        None,
        "host-missing",
        "IPv6-unclosed",
        "domain-to-ASCII",
        "not-UTF-8",
    ]
    for row in range(2, 6):
        with pytest.raises(weburl.URLParseError) as caught:
            columns.subdomain(hosts.slice(row), errors="raise")
        assert "row 0 of the column" in caught.value.__notes__[0]


def test_a_list_of_public_suffixes_of_ones_own() -> None:
    """And without the private section."""
    hosts = pa.array(["a.b.github.io"])
    assert columns.public_suffix(hosts).to_pylist() == ["github.io"]
    assert columns.public_suffix(hosts, private=False).to_pylist() == ["io"]
    own = parse_list("b.github.io")
    assert columns.subdomain(hosts, suffixes=own).to_pylist() == [""]


@pytest.mark.parametrize("function", [columns.host, columns.registrable_domain, columns.site])
@pytest.mark.parametrize("chunks", [[HOSTS[:2], ["x.example"]], [[None], ["a.example", None]]])
def test_hosts_in_place_of_urls_give_a_warning(function: object, chunks: list[list[str]]) -> None:
    """Where every row is one."""
    assert callable(function)
    hosts = pa.chunked_array(chunks, pa.string())
    with pytest.warns(BareHostsWarning, match="registrable_domain_of_host"):
        assert function(hosts).null_count == len(hosts)
    with pytest.warns(BareHostsWarning):
        function(hosts.combine_chunks().dictionary_encode())


@pytest.mark.parametrize(
    "texts", [[], [None], [""], ["."], ["nope"], ["a.example", "https://b"], ["a.example", "a b"]]
)
def test_other_texts_give_no_warning(texts: list[str | None]) -> None:
    """Those that are not all hosts."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        columns.host(pa.array(texts, pa.string()))
        columns.check(pa.array(["a.example"]))
        columns.host(pa.array(["a.example"]), errors="name")
        columns.resolve(pa.array(["a.example"]), "https://h/")
        columns.subdomain(pa.array(["co.uk"]))


def test_columns_of_another_length_are_errors() -> None:
    """And what is no column."""
    urls = pa.array(["https://a", "https://b"])
    with pytest.raises(ValueError, match="there are 2 URLs, but 1 names"):
        columns.search_param(urls, pa.array(["q"]))
    with pytest.raises(ValueError, match="there are 2 URLs, but 1 other URLs"):
        columns.same_site(urls, pa.array(["https://a"]))
    with pytest.raises(TypeError, match="a name must be"):
        columns.search_param(urls, 1)  # type: ignore[arg-type]
    with pytest.raises(weburl.URLParseError):
        columns.same_site(urls, "nope")


def test_names_of_params_in_a_column_and_errors() -> None:
    """Each of the three ways."""
    urls = pa.chunked_array([["https://a/?q=1&r=2", "nope"], ["https://a/?q=3", None]])
    names = pa.array(["r", "q", None, "q"])
    assert columns.search_param(urls, names).to_pylist() == ["2", None, None, None]
    named = columns.search_param(urls, names, errors="name").to_pylist()
    assert named == [
        {"value": "2", "error": None},
        {"value": None, "error": "missing-scheme-non-relative-URL"},
        {"value": None, "error": None},
        None,
    ]
    with pytest.raises(weburl.URLParseError):
        columns.search_param(urls, names, errors="raise")


def test_one_other_url_as_text_or_as_a_record() -> None:
    """Opaque origins have no site in common, not even with themselves."""
    urls = pa.array(["https://a.example.com/", "http://example.com", "data:,x", "nope", None])
    wanted = [True, False, False, None, None]
    assert columns.same_site(urls, "https://example.com").to_pylist() == wanted
    assert columns.same_site(urls, weburl.parse("https://example.com")).to_pylist() == wanted
    assert columns.same_site(urls, "data:,x").to_pylist() == [False, False, False, None, None]
