"""`weburl.public_suffix` finds registrable domains, with the Public Suffix List or another."""

from __future__ import annotations

import importlib.resources
import pickle
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import publicsuffixlist
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl.public_suffix as psl
from tests.standard_tables import PUBLIC_SUFFIXES
from tests.strategies import hosts
from weburl import URLParseError, parse
from weburl.standard.hosts.values import (
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
)

SMALL_LIST = """\
// ===BEGIN ICANN DOMAINS===
com
*.ck
!www.ck
jp
*.kobe.jp
!city.kobe.jp
co.uk   and what stands behind a rule is no part of it
\u516c\u53f8.cn
STRASSE.example

// ===END ICANN DOMAINS===
// ===BEGIN PRIVATE DOMAINS===
\tgithub.io
*.a.b.c.d.example
// ===END PRIVATE DOMAINS===
"""
SMALL = psl.parse_list(SMALL_LIST)


def host_of(text: str) -> Host:
    """Return the host of a special URL."""
    host = parse(f"https://{text}/").host
    assert host is not None
    return host


def both(host: Host) -> tuple[str | None, str | None]:
    """Return the public suffix and the registrable domain of a host as text."""
    suffix, registrable = host.public_suffix, host.registrable_domain
    return (
        None if suffix is None else suffix.value,
        None if registrable is None else registrable.value,
    )


@pytest.fixture(autouse=True)
def packages_list() -> Iterator[None]:
    """Use the list of the package before and after each test."""
    psl.use_list(None)
    yield
    psl.use_list(None)


@pytest.mark.parametrize(("text", "suffix", "registrable"), PUBLIC_SUFFIXES)
def test_the_standards_examples_are_as_it_says(
    text: str, suffix: str | None, registrable: str | None
) -> None:
    """All twelve of its table hold with the list of the package."""
    assert both(host_of(text)) == (suffix, registrable)


def test_the_test_vectors_that_come_with_the_list_are_as_they_say() -> None:
    """The package has them. The root of a wildcard is not among them."""
    vectors = (importlib.resources.files(publicsuffixlist) / "test_psl.txt").read_text("utf-8")
    cases = re.findall(r"^checkPublicSuffix\('(.+)', (?:'(.+)'|null)\);$", vectors, re.MULTILINE)
    wrong = [
        (name, expected, found)
        for name, expected in cases
        if (found := both(host_of(name))[1]) != (str(host_of(expected)) if expected else None)
    ]
    assert wrong == []
    assert len(cases) >= 77  # The package may come to ship more.


@pytest.mark.parametrize(
    "host", [IPv4Address(1), IPv6Address(1), OpaqueHost("example.com"), EmptyHost()]
)
def test_only_a_domain_has_a_public_suffix(host: Host) -> None:
    """Addresses and opaque hosts have none."""
    assert host.public_suffix is None
    assert host.registrable_domain is None


@pytest.mark.parametrize(
    ("domain", "suffix", "registrable"),
    [
        # In the published algorithm, a wildcard does not match its own root.
        ("kobe.jp", "jp", "kobe.jp"),
        ("city.kobe.jp", "kobe.jp", "city.kobe.jp"),
        # A rule in Unicode, and one in capitals.
        ("xn--55qx5d.cn", "xn--55qx5d.cn", None),
        ("xn--85x722f.xn--55qx5d.cn", "xn--55qx5d.cn", "xn--85x722f.xn--55qx5d.cn"),
        ("a.strasse.example", "strasse.example", "a.strasse.example"),
        # The root's dot.
        ("com.", "com.", None),
        ("b.a.ck.", "a.ck.", "b.a.ck."),
        # An empty label is not a name.
        (".", None, None),
        (".com", None, None),
        ("a..b.com", None, None),
        ("com..", None, None),
    ],
)
def test_the_prevailing_rule_gives_the_suffix(
    domain: str, suffix: str | None, registrable: str | None
) -> None:
    """The list is small, with a rule of every kind."""
    with psl.using_list(SMALL):
        assert both(Domain(domain)) == (suffix, registrable)


def test_a_single_wildcard_changes_nothing() -> None:
    """It is the rule for every top-level domain without another rule."""
    only_the_default = psl.parse_list("*\ncom")
    assert only_the_default.public_suffix("b.a.net") == "net"
    assert only_the_default == psl.parse_list("com")


def test_a_domain_in_unicode_matches_the_rule_in_unicode() -> None:
    """Both become ASCII in the same way. A sharp s is not two s, as it was in IDNA 2003."""
    sharp = psl.parse_list("stra\u00dfe")
    with psl.using_list(sharp):
        assert both(host_of("a.b.stra\u00dfe")) == ("xn--strae-oqa", "b.xn--strae-oqa")
        assert both(host_of("a.b.strasse")) == ("strasse", "b.strasse")
    with psl.using_list(psl.parse_list("b.\U0001f4a9.la")):  # Not in the interpreter's IDNA at all.
        assert both(host_of("a.b.\U0001f4a9.la")) == ("b.xn--ls8h.la", "a.b.xn--ls8h.la")


def test_private_domains_can_be_left_out() -> None:
    """Some callers want to know what a registry offers, not what a site is."""
    icann = psl.parse_list(SMALL_LIST, private=False)
    assert icann.registrable_domain("whatwg.github.io") == "github.io"
    assert icann.registrable_domain("a.b.com") == "b.com"
    assert len(SMALL) - len(icann) == 2


@pytest.mark.parametrize(
    "text",
    ["a..b", ".com", "com.", "*", "", "// com", "a.*.b", "*.*.b", "*.", "!", "!com", "!*.com",
     "a/b", "a:b", "\u00ad", "xn--a.\u00e9", "\ud800", "\0", "**.a"],
)  # fmt: skip
def test_text_that_is_not_a_list_is_refused(text: str) -> None:
    """Examples are a page that says "not found" and an empty file."""
    with pytest.raises(ValueError, match="public suffix list"):
        psl.parse_list(text)


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_comment_goes_on_to_the_end_of_its_line(separator: str) -> None:
    """Only LF, with or without CR, ends a line. Other separators of Unicode do not."""
    text = f"// of{separator}example.com\r\ncom\r\n\r\n// of\r\nco.uk"
    assert psl.parse_list(text) == psl.parse_list("com\nco.uk")


@pytest.mark.parametrize("label", ["a.", "\u00e9."])
def test_a_rule_that_no_name_of_the_dns_can_match_is_refused(label: str) -> None:
    """A list keeps each ending of a rule, so a rule of 64 kB took half a gigabyte."""
    assert psl.parse_list("a." * 126 + "b")
    with pytest.raises(ValueError, match=r"^line 2 of the public suffix list is not a rule: '"):
        psl.parse_list("com\n" + label * 130 + "b")


def test_a_line_that_is_not_a_rule_is_named() -> None:
    """The error has its number and its beginning."""
    with pytest.raises(
        ValueError, match=r"^line 3 of the public suffix list is not a rule: '<{100}'$"
    ):
        psl.parse_list("com\n\n" + "<" * 1_000_000)


def test_a_line_with_a_password_is_named_without_it() -> None:
    """The file may be a list of URLs by mistake."""
    with pytest.raises(ValueError, match=r"^line 1 of the public suffix list") as caught:
        psl.parse_list("https://user:hunter2@example.com/")
    assert "hunter2" not in str(caught.value)
    assert "example.com" in str(caught.value)


@pytest.mark.parametrize("rule", ["*.!b.example", "!*.b.example", "!!b.example", "*.*.b.example"])
def test_a_rule_has_one_mark_at_its_start(rule: str) -> None:
    """A rule cannot be a wildcard and an exception, and marks are not part of names."""
    with pytest.raises(ValueError, match=r"^line 2 of the public suffix list is not a rule: '"):
        psl.parse_list(f"com\n{rule}")


def test_a_list_is_read_from_a_file(tmp_path: Path) -> None:
    """The file is in UTF-8, with or without a byte order mark."""
    path = tmp_path / "list.dat"
    for bom in ("", "\ufeff"):
        path.write_text(bom + SMALL_LIST, encoding="utf-8")
        assert psl.read_list(path) == psl.read_list(str(path)) == SMALL
        assert psl.read_list(path, private=False) == psl.parse_list(SMALL_LIST, private=False)
    path.write_bytes(b"com\n\xff")
    with pytest.raises(ValueError, match="utf-8"):
        psl.read_list(path)
    with pytest.raises(FileNotFoundError):
        psl.read_list(tmp_path / "none")


def test_a_list_is_a_value() -> None:
    """Its rules determine equality and hash. Its repr does not show ten thousand rules."""
    assert psl.parse_list("a\nb.a") == psl.parse_list("// twice\nb.a\na\na")
    assert psl.parse_list("a") != psl.parse_list("*.a") != psl.parse_list("!a.a")
    copy = pickle.loads(pickle.dumps(SMALL))
    assert copy == SMALL
    assert hash(copy) == hash(SMALL)
    assert copy.registrable_domain("y.z.a.b.c.d.example") == "y.z.a.b.c.d.example"
    assert repr(SMALL) == "<PublicSuffixList of 11 rules>"
    with pytest.raises(ValueError, match="more than one label"):
        psl.PublicSuffixList(frozenset(), frozenset(), frozenset({"com"}))


def test_another_list_is_used_by_the_process_or_within_a_block() -> None:
    """A block applies only to its own thread and those that inherit its context."""
    # Threads inherit it by default on free-threaded Python 3.14.
    threads_inherit = getattr(sys.flags, "thread_inherit_context", 0)
    seen: list[psl.PublicSuffixList] = []
    psl.use_list(SMALL)
    assert psl.current_list() is SMALL
    other = psl.parse_list("co.com")
    with psl.using_list(other) as within:
        assert psl.current_list() is within is other
        thread = threading.Thread(target=lambda: seen.append(psl.current_list()))
        thread.start()
        thread.join()
        with pytest.raises(KeyError), psl.using_list(SMALL):
            raise KeyError
        assert psl.current_list() is other
    assert seen == [other if threads_inherit else SMALL]
    assert psl.current_list() is SMALL
    psl.use_list(None)
    assert psl.current_list() is psl.packaged_list()
    empty = psl.PublicSuffixList(frozenset(), frozenset(), frozenset())
    with psl.using_list(empty):
        assert both(Domain("a.co.uk")) == ("uk", "co.uk")
    psl.use_list(empty)
    assert both(Domain("a.co.uk")) == ("uk", "co.uk")


@pytest.mark.parametrize("value", ["com", "list.dat", ["com"], 1])
def test_only_a_list_is_used(value: Any) -> None:
    """Text and paths are refused, and the current list stays in use."""
    with pytest.raises(TypeError, match="parse_list"):
        psl.use_list(value)
    with pytest.raises(TypeError, match="parse_list"), psl.using_list(value):
        pass
    assert psl.current_list() is psl.packaged_list()


def test_the_packages_list_is_whole() -> None:
    """It is read only once."""
    assert len(psl.packaged_list()) > 9_000
    assert psl.packaged_list() is psl.packaged_list()


@given(hosts)
def test_the_registrable_domain_is_the_suffix_and_one_label_more(text: str) -> None:
    """Both are valid domains, and end the domain at the start of a label."""
    try:
        host = host_of(text)
    except URLParseError:
        return
    suffix, registrable = both(host)
    if suffix is None:
        assert registrable is None
        assert not isinstance(host, Domain) or "" in host.value.removesuffix(".").split(".")
    else:
        assert f".{host}".endswith(f".{suffix}")
        assert Domain(suffix).public_suffix == Domain(suffix)
        if registrable is None:
            assert suffix == str(host)
        else:
            assert f".{host}".endswith(f".{registrable}")
            assert registrable.partition(".")[2] == suffix
            assert Domain(registrable).registrable_domain == Domain(registrable)


@pytest.mark.parametrize(
    "domain",
    ["a" * 1_000_000, "a." * 500_000, "." * 1_000_000, "a" * 500_000 + "." + "b" * 500_000,
     "xn--a." * 200_000, "com." * 250_000, "www.ck." * 140_000],
    ids=lambda domain: domain[:7],
)  # fmt: skip
def test_a_megabyte_of_labels_takes_no_longer_than_its_length(domain: str) -> None:
    """No step looks at more labels than the longest rule has."""
    host = Domain(domain)
    suffix, registrable = both(host)
    assert suffix is None or domain.endswith(suffix)
    assert registrable is None or domain.endswith(registrable)


_LABELS = st.sampled_from(["a", "b", "c", "d"])
_NAMES = st.lists(_LABELS, min_size=1, max_size=4).map(".".join)
_SETS = st.frozensets(_NAMES, max_size=6)


def suffix_by_the_text(suffixes: psl.PublicSuffixList, domain: str) -> str:
    """Return the public suffix as the list's website defines it."""
    labels = domain.split(".")
    matching = [
        (is_exception, len(rule))
        for is_exception, rules in (
            (False, [name.split(".") for name in suffixes.rules]),
            (False, [["*", *name.split(".")] for name in suffixes.wildcards]),
            (True, [name.split(".") for name in suffixes.exceptions]),
        )
        for rule in rules
        if len(rule) <= len(labels)
        and all(one in ("*", other) for one, other in zip(rule[::-1], labels[::-1], strict=False))
    ]
    is_exception, count = max(matching, default=(False, 1))
    return ".".join(labels[-(count - 1 if is_exception else count) :])


@given(_SETS, _SETS, _SETS, st.lists(_LABELS, min_size=1, max_size=7).map(".".join))
def test_the_suffix_is_the_one_of_the_rule_that_prevails(
    rules: frozenset[str], wildcards: frozenset[str], exceptions: frozenset[str], domain: str
) -> None:
    """This holds for any list, even if its rules contradict each other."""
    exceptions = frozenset(name for name in exceptions if "." in name)
    suffixes = psl.PublicSuffixList(rules, wildcards, exceptions)
    expected = suffix_by_the_text(suffixes, domain)
    assert suffixes.public_suffix(domain) == expected
    assert suffixes.public_suffix(f"{domain}.") == f"{expected}."
    rest = domain.removesuffix(expected).removesuffix(".")
    registrable = f"{rest.rpartition('.')[2]}.{expected}" if rest else None
    assert suffixes.registrable_domain(domain) == registrable
