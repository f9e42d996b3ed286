"""Tests of `weburl.HostList`: what it has, how large it is, and what it reads."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import weburl
from weburl import HostList, URLPolicy
from weburl.policies.host_list import has_text, matches, refuses, table_in
from weburl.policies.host_table import ITSELF, table_of
from weburl.policies.hosts import host_of
from weburl.standard.hosts import punycode

LABELS = st.sampled_from(["a", "b", "xn--bcher-kva", "x_y", "0a", "a-b"])
NAMES = st.lists(LABELS, min_size=1, max_size=4).map(".".join).map(lambda name: f"{name}.example")
ADDRESSES = st.sampled_from(["10.0.0.1", "127.0.0.1", "[::1]", "[::ffff:10.0.0.1]", "[64:ff9b::1]"])
RULES = st.lists(
    st.one_of(ADDRESSES, st.tuples(st.sampled_from(["", ".", "*."]), NAMES).map("".join)),
    max_size=12,
)
HOSTS = st.one_of(
    ADDRESSES,
    st.tuples(st.sampled_from(["", "."]), NAMES, st.sampled_from(["", ".", ".."])).map("".join),
)


@given(RULES, HOSTS)
def test_it_means_what_the_same_rules_mean_in_a_policy(rules: list[str], text: str) -> None:
    """For every host and every list of rules."""
    hosts = HostList(rules)
    plain = URLPolicy(refused_hosts=rules)
    host = weburl.parse(f"https://{text}/").host
    assert host is not None
    assert refuses(host, hosts) == refuses(host, plain.refused_hosts) == (host in hosts)
    assert matches(host, hosts) == matches(host, plain.refused_hosts)
    assert HostList(plain.refused_hosts) == hosts


_SHORT = st.text("ab.", min_size=1, max_size=5)


@given(
    st.lists(
        st.tuples(st.sampled_from(["", ".", "*."]), st.sampled_from(["a", "b", "a.b", "b.a"]))
    ),
    _SHORT,
)
@example([("*.", "a")], ".a")
@example([("*.", "a")], "a.a")
def test_a_list_and_the_same_rules_agree_on_short_hosts(
    rules: list[tuple[str, str]], text: str
) -> None:
    """With empty labels anywhere: nothing is below "a" in ".a"."""
    written = ["".join(rule) for rule in rules]
    host = host_of(text)
    assert host is not None
    assert matches(host, HostList(written)) == matches(host, written)
    assert refuses(host, HostList(written)) == refuses(host, written)


def test_a_host_is_found_in_any_spelling() -> None:
    """Capital letters, dots at the end, IDN, and addresses in every form."""
    hosts = HostList(
        [".evil.example", "*.below.example", "one.example", "0x7f.1", "BÜCHER.example."]
    )
    assert sorted(hosts) == [
        "*.below.example",
        ".evil.example",
        "127.0.0.1",
        "one.example",
        "xn--bcher-kva.example",
    ]
    listed = [
        "evil.example",
        "WWW.Evil.example.",
        "a.b.below.example",
        "one.example..",
        "127.1",
        "[::ffff:127.0.0.1]",
        "bücher.example",
    ]
    assert [text for text in listed if text not in hosts] == []
    others = ["notevil.example", "below.example", "www.one.example", "example", "127.0.0.2", ""]
    assert [text for text in others if text in hosts] == []
    assert weburl.parse("foo://EVIL.example/").host in hosts
    assert weburl.parse("mailto:x@evil.example").host not in hosts
    assert weburl.parse("file:///a").host not in hosts


# Of texts that are longer than a name: some are hosts, of which some are in the list.
PIECES = st.sampled_from(
    [
        *("a", "\u00e9", "\u00c9", "\ufdfa", "%C3%A9", "\u05d0", "\u0628\u200c", "\u0301", "%"),
        "<\u0338",
        *(".", "\u3002", "..", "xn--9ca", "xn--", "[", ":", "1", "0x", "%2E", "\u2488", "\u00ad"),
        "\ud800",
    ]
)
TIMES = st.sampled_from([1, 2, 248, 249, 250, 251, 252, 253, 254, 300])
LONG = st.lists(st.tuples(PIECES, TIMES), min_size=1, max_size=4).map(
    lambda pieces: "".join(piece * times for piece, times in pieces)
)


@given(LONG, st.sampled_from(["", "evil.example", ".evil.example", "..evil.example.", ".7", "..."]))
@example("\u00e9" * 254, ".evil.example")
@example("\u00e9" * 254, ".example")
@example("evil.example" + "." * 300 + "\u00e9" * 254, "...")
@example("\u00e9" * 254 + "<", ".evil.example")
def test_a_long_text_is_found_as_the_host_that_it_is(start: str, end: str) -> None:
    """Or is not a host. A long label is not written in Punycode."""
    hosts = HostList(["*.evil.example", ".xn--9ca", "*.a", "aaa.a", "0.0.0.1"])
    host = host_of(start + end)
    assert has_text(hosts, start + end) == (None if host is None else refuses(host, hosts))


def test_a_long_label_is_not_written_in_punycode(monkeypatch: pytest.MonkeyPatch) -> None:
    """That takes most of the time: a minute for ten megabytes."""
    hosts = HostList([".evil.example"])
    lengths: list[int] = []
    encode = punycode.encode

    def count(label: str) -> str:
        lengths.append(len(label))
        return encode(label)

    monkeypatch.setattr(punycode, "encode", count)
    long = "\u00e9" * 1_000_000
    assert f"{long}.\u00e9.evil.example" in hosts
    assert f"evil.example.{long}" not in hosts
    assert "%C3%A9" * 100_000 not in hosts
    assert lengths == [1]


def test_names_with_subdomains() -> None:
    """Names without a start of their own get one; addresses cannot have one."""
    hosts = HostList(["evil.example", "10.0.0.1", "*.only.example"], subdomains=True)
    assert sorted(hosts) == ["*.only.example", ".evil.example", "10.0.0.1"]


def test_two_rules_for_one_name_are_one() -> None:
    """They mean what both mean."""
    assert list(HostList(["*.a.example", "a.example"])) == [".a.example"]
    assert len(HostList(["a.example", "A.example", "a.example."])) == 1


@pytest.mark.parametrize(
    "wrong",
    ["", "exa mple", "https://evil.example/", "evil.example:80", "evil.example/x"],
)
def test_what_is_no_host_is_an_error(wrong: str) -> None:
    """In the list, and as what is looked for."""
    with pytest.raises(ValueError, match="is not a host"):
        HostList([wrong])
    if wrong:
        with pytest.raises(ValueError, match=r"is not a host|not a host\."):
            assert wrong in HostList(["evil.example"])


def test_other_errors() -> None:
    """Each says what is taken, and shows no password."""
    with pytest.raises(ValueError, match="is not a host"):
        HostList(["a.*.example"])
    with pytest.raises(TypeError, match="not one string"):
        HostList("evil.example")
    with pytest.raises(TypeError, match="hosts must be an iterable of hosts, not NoneType"):
        HostList(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not int"):
        HostList([1])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"url\.host in hosts"):
        assert weburl.parse("https://evil.example/") in HostList(["evil.example"])
    with pytest.raises(ValueError, match="253"):
        HostList([".".join(["a" * 60] * 5)])
    with pytest.raises(ValueError, match=r"\*@x") as raised:
        assert "user:secret@x.example" in HostList()
    assert "secret" not in str(raised.value)


def test_no_line_of_a_hosts_file_is_skipped_in_silence() -> None:
    """A name without a dot is a host; only the names of every machine are left out."""
    lines = ["0.0.0.0 ads", "fe80::1%lo0 localhost", "ff02::1 ip6-allnodes", "fe80::2 printer"]
    hosts, problems = HostList.read(lines)
    assert set(hosts) == {"ads"}
    assert [(problem.line, problem.text) for problem in problems] == [(4, "fe80::2 printer")]


def test_it_is_a_value() -> None:
    """It compares, hashes, pickles, and prints itself."""
    first, second = HostList(["a.example", ".b.example"]), HostList([".b.example", "a.example"])
    assert first == second
    assert hash(first) == hash(second)
    assert first != HostList(["a.example"])
    assert first != HostList(["a.example", "b.example"])
    assert pickle.loads(pickle.dumps(first)) == first
    assert copy.deepcopy(first) is first
    assert first | HostList(["c.example"]) == HostList(["c.example", *first])
    path, args, kwargs = first.deconstruct()
    assert path == "weburl.HostList"
    assert HostList(*args, **kwargs) == first
    assert repr(first) == "HostList(['.b.example', 'a.example'])"
    many = HostList(f"{number}.example" for number in range(1000))
    assert repr(many).startswith("<HostList of 1000 hosts, ")
    assert repr(many) != repr(HostList(f"*.{host}" for host in many))
    assert not HostList()
    assert "a.example" not in HostList()


def test_it_is_small_and_a_long_host_is_no_work() -> None:
    """A host with a hundred thousand labels is as fast as any."""
    names = [f"host-{number * 7919:x}.sub.example" for number in range(50_000)]
    hosts = HostList(names)
    table = table_in(hosts)
    size = sum(map(sys.getsizeof, (table.texts, table.ends, table.kinds, table.starts)))
    assert size < 50 * len(hosts)  # 100 MB for a million would be 100 for each
    assert all(name in hosts for name in names[::100])
    long = weburl.parse(f"https://{'a.' * 100_000}example/").host
    assert long not in hosts


@pytest.mark.parametrize("count", [2, 3, 4, 5, 1024, 1025])
def test_the_index_of_a_table_has_a_place_for_each_name_and_few_more(count: int) -> None:
    """A power of two, because it is of the first bits of a checksum."""
    table = table_of({b"%d" % number: ITSELF for number in range(count)})
    places = len(table.starts) - 1
    assert count <= places < 2 * count
    assert places.bit_count() == 1
    assert all(table.find(str(number)[::-1]) is not None for number in range(count))


def test_names_with_one_checksum_are_found_in_few_steps() -> None:
    """Two equal checksums come from any common difference, so many can be made from few."""
    same = sorted(_names_with_equal_bits(2000), key=lambda name: name[::-1])
    table = table_of({name[::-1].encode(): ITSELF for name in same})
    compared = 0

    class Counted(bytes):
        def __getitem__(self, key: Any) -> Any:
            nonlocal compared
            compared += 1
            return super().__getitem__(key)

    counting = type(table)(Counted(table.texts), table.ends, table.kinds, table.starts)
    assert all(table.find(name) is not None for name in same)
    assert counting.find(same[-1]) is not None
    assert compared < 4 * 20


def _names_with_equal_bits(count: int) -> Iterator[str]:
    """Yield names whose checksums, read from the end, begin with the same 8 bits."""
    wanted = None
    number = 0
    while count:
        number += 1
        name = f"{number}x"
        bits = crc32(name[::-1].encode()) >> 24
        if wanted is None:
            wanted = bits
        if bits == wanted:
            count -= 1
            yield name


LINES = """\
# a list
! of an ad blocker
[Adblock Plus 2.0]

127.0.0.1 localhost
::1 localhost ip6-localhost
255.255.255.255 broadcasthost
fe80::1%lo0 localhost
0.0.0.0 0.0.0.0
0.0.0.0 ads.example  Tracker.EXAMPLE\t# with a comment
||bad.example^
||bad.example^$third-party
||prefix.example
@@||good.example^
192.168.1.5 nas.example
https://user:secret@x.example/
plain.example
*.star.example
.dot.example
example.com##.banner
0.0.0.0 exa%20mple.example fine.example
\udcff.example
"""


def test_a_list_is_read_and_its_problems_have_numbers(tmp_path: Path) -> None:
    """Whichever way the lines come."""
    hosts, problems = HostList.read(LINES.splitlines())
    assert sorted(hosts) == [
        "*.star.example",
        ".bad.example",
        ".dot.example",
        "ads.example",
        "fine.example",
        "plain.example",
        "tracker.example",
    ]
    assert [problem.line for problem in problems] == [12, 13, 14, 15, 16, 20, 21, 22]
    assert "secret" not in repr(problems)
    assert str(problems[3]) == (
        "line 15: this line of a hosts file gives a name its address, and blocks nothing"
    )
    path = tmp_path / "hosts.txt"
    path.write_bytes(b"\xef\xbb\xbf" + LINES.encode(errors="surrogateescape"))
    assert HostList.read(path) == (hosts, problems)
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as file:
        assert HostList.read(file) == (hosts, problems)
    wider, _ = HostList.read(LINES.splitlines(), subdomains=True)
    assert "www.ads.example" in wider
    assert "www.ads.example" not in hosts


def test_a_page_instead_of_a_list_is_an_error() -> None:
    """An empty list would block nothing."""
    with pytest.raises(ValueError, match="this is not a list of hosts: line 1: "):
        HostList.read(["<!doctype html>", "<title>404 not found</title>"])
    with pytest.raises(TypeError, match="not one text"):
        HostList.read("evil.example")
    with pytest.raises(TypeError, match="not bytes"):
        HostList.read([b"evil.example"])  # type: ignore[list-item]
    assert HostList.read([]) == (HostList(), [])


def test_a_long_line_is_no_work() -> None:
    """Neither without spaces nor with many."""
    hosts, problems = HostList.read(["a.example", "x" * 10_000_000, "0.0.0.0" + " a.b" * 500_000])
    assert [problem.line for problem in problems] == [2]
    assert len(problems[0].text) < 200
    assert sorted(hosts) == ["a.b", "a.example"]


def test_it_works_in_policies() -> None:
    """Where hosts are allowed and where they are refused, and in combinations."""
    blocked = HostList.read(["||evil.example^"])[0]
    policy = URLPolicy.public_link().narrowed(refused_hosts=blocked)
    assert policy.refused_hosts is blocked
    assert policy.allows("https://example.com/")
    assert [each.code for each in policy.check("https://www.evil.example./")] == ["host-refused"]
    assert pickle.loads(pickle.dumps(policy)) == policy
    more = policy.narrowed(refused_hosts=["other.example"])
    assert more.refused_hosts == blocked | HostList(["other.example"])
    assert policy.narrowed(ports=[443]).refused_hosts == blocked
    allowed = URLPolicy(hosts=HostList([".example.com"]), registrable_domains=["example.org"])
    assert allowed.allows("https://a.example.com/")
    assert allowed.allows("https://a.example.org/")
    (problem,) = allowed.check("https://example.net/")
    assert problem.allowed == ".example.com, example.org"
    both = allowed & URLPolicy(hosts=HostList(["a.example.com"]))
    assert both == URLPolicy(hosts=HostList(["a.example.com"])) & allowed
    assert [both.allows(f"https://{name}/") for name in ("a.example.com", "b.example.com")] == [
        True,
        False,
    ]
    assert [
        each.code
        for each in weburl.check_addresses(
            URLPolicy(refused_hosts=HostList(["10.0.0.1"])), ["10.0.0.1"]
        )
    ] == ["host-refused"]


@pytest.mark.parametrize(
    "line",
    ["1,evil.example", '"evil.example",', "evil.example;", "evil.example$third-party", "evil(.)x"],
)
def test_a_line_of_another_format_is_a_problem(line: str) -> None:
    """It would be a host that no link has, and refuse nothing."""
    hosts, problems = HostList.read(["good.example", line])
    assert len(hosts) == 1
    assert [(problem.line, problem.message.partition(":")[2]) for problem in problems] == [
        (2, " is this CSV, JSON or a program?")
    ]
