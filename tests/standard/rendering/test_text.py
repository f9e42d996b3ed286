"""Tests of `weburl.standard.rendering.text`, which shows URLs to people."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.strategies import url_texts
from weburl import Domain, URLParseError, URLRecord, parse, render
from weburl.standard.hosts.values import trusted_domain
from weburl.standard.rendering.text import Wanted, parts_for_people

ISOLATES = re.compile("[\u2066\u2068\u2069]")

HEBREW = "https://\u05d0\u05d1.\u05d2\u05d3.example/%D7%94/x?a=%D7%95&1"


@st.composite
def records(draw: st.DrawFn) -> URLRecord:
    """Draw records of all kinds, with hosts in many scripts."""
    text = draw(
        st.one_of(
            url_texts,
            st.builds(
                "".join,
                st.tuples(
                    st.sampled_from(("https://", "http://u:p@", "blob:https://u@", "file://")),
                    st.lists(
                        st.sampled_from(
                            ("a", "www", "bücher", "аррӏе", "пример", "אב", "مثال", "中文", "xn--0",
                             "paypal", "xn--bcher-kva", "e" * 70, "")
                        ),
                        max_size=5,
                    ).map(".".join),
                    st.sampled_from((".com", ".co.uk", ".рф", ".example.", "", ".github.io")),
                    st.sampled_from(("", ":81", ":65535")),
                    st.sampled_from(
                        ("", "/", "/a/b?c#d", "/%D7%90/%C3%A9?%E9#%41", "/%43:/%2e%25", "?q", "#f",
                         "/%43|/x", "/%F0%9F%94%92%e2%81%84")
                    ),
                ),
            ),
        )
    )  # fmt: skip
    try:
        return parse(text)
    except URLParseError:
        assume(False)
        raise


def essence(record: URLRecord) -> str:
    """Return the registrable domain or the host, in ASCII, which must always be shown."""
    if record.scheme == "blob" and record.origin != "null":
        record = parse(record.path_text)
    host = record.host
    if host is None:
        return ""
    if not isinstance(host, Domain):
        return str(host)
    if host.registrable_domain is not None:
        return host.registrable_domain.value
    if host.public_suffix is not None:
        return host.value
    names = re.findall(r"[^.]+(?:\.[^.]+)*", host.value)
    if not names:
        return host.value
    dots = len(host.value) - len(host.value.rstrip("."))
    # Not `Domain`: with other labels gone, what is left may be a number.
    return str(trusted_domain(names[-1]).registrable_domain or names[-1]) + "." * dots


@given(records(), st.sampled_from((None, True, False)))
def test_a_rendering_parses_to_the_url_it_shows(record: URLRecord, isolate: bool | None) -> None:
    """Only credentials and the spelling of a blob URL's path may differ."""
    again = parse(ISOLATES.sub("", render(record, isolate=isolate)))
    inner = record.scheme == "blob" and record.origin != "null"
    expected = parse(record.path_text) if inner else record
    if expected.includes_credentials:
        expected = expected.with_username("").with_password("")
    href = f"blob:{expected.href}" if inner else expected.href
    if inner:
        suffix = record.with_query(None).with_fragment(None).href
        href += record.href.removeprefix(suffix)
    assert again.href == href
    assert (again.scheme, again.port, again.origin) == (record.scheme, record.port, record.origin)
    assert again.host == record.host
    assert not again.includes_credentials


@pytest.mark.parametrize(
    "href",
    ["foo:%41", "https://h/%61?%61#%61", "https://h/%c3%a9", "https://h/%C3%A9%41%c3%A9?%C3%A9",
     "file:///%43:/x", "file:///%43%7C/x", "https://h/%2541%%C3%A9%4%C3%A9"],
)  # fmt: skip
def test_what_was_written_encoded_without_need_is_shown_encoded(href: str) -> None:
    """Showing "A" for "%41" would show another URL."""
    assert parse(render(parse(href))).href == parse(href).href == href


@given(records(), st.integers(1, 60))
def test_elision_keeps_to_the_length_or_shows_nothing_but_the_essence(
    record: URLRecord, max_length: int
) -> None:
    """Scheme, registrable domain and port are always shown, in their places."""
    whole = ISOLATES.sub("", render(record))
    text = ISOLATES.sub("", render(record, max_length=max_length))
    parts = {
        name: ISOLATES.sub("", part)
        for name, part in parts_for_people(
            record, Wanted(None, None, None, omit_www=False), right_to_left=True
        )
    }
    scheme, subdomain = parts["scheme"], parts.get("subdomain", "")
    name = parts.get("registrable-domain", parts.get("host", "")) + parts.get("port", "")
    # The whole host, or "…" and whole labels of it.
    labels = subdomain.split(".")
    befores = [subdomain, *("…" + ".".join(labels[at:]) for at in range(1, len(labels)))]
    starts = [start for start in befores if text.startswith(f"{scheme}{start}{name}")]
    assert starts
    before = starts[0]
    after = text.removeprefix(f"{scheme}{before}{name}")
    if len(whole) <= max_length:
        assert text == whole
    elif len(text) > max_length:
        assert before in ("", "…")
        assert len(after) <= 2
    assert whole.startswith(scheme + subdomain + name + after.removesuffix("…"))
    assert text.count("…") <= 2


@given(records(), st.none() | st.integers(1, 120), st.sampled_from((None, True, False)))
def test_a_url_that_fits_is_its_parts_in_a_row(
    record: URLRecord, max_length: int | None, isolate: bool | None
) -> None:
    """Most URLs are shown without splitting them, with the same result."""
    wanted = Wanted(max_length, None, None, omit_www=False)
    parts = parts_for_people(record, wanted, right_to_left=isolate is not False)
    text = "".join(part for _, part in parts)
    shown = render(record, max_length=max_length, isolate=isolate)
    assert shown.removeprefix("\u2066").removesuffix("\u2069") == text.removesuffix("\u2069")


@given(records(), st.integers(1, 60))
def test_the_host_alone_ends_in_what_must_be_seen(record: URLRecord, max_length: int) -> None:
    """In Unicode, it is another spelling of the same host."""
    name = ISOLATES.sub("", render(record, only="registrable_domain"))
    host = ISOLATES.sub("", render(record, only="host", max_length=max_length))
    assert host.endswith(name)
    assert len(host) <= max_length or host in (name, f"…{name}")
    if name:
        # That of a blob URL may be of the URL in its path.
        scheme = "https" if record.is_special or record.origin != "null" else "foo"
        assert str(parse(f"{scheme}://{name}").host) == essence(record)
    else:
        assert essence(record) == ""


@pytest.mark.parametrize(
    ("url", "options", "text"),
    [
        ("https://example.com", {}, "https://example.com/"),
        ("https://user:secret@example.com:8080/a?b#c", {}, "https://example.com:8080/a?b#c"),
        ("https://paypal.com@evil.example", {}, "https://evil.example/"),
        ("https://paypal.com%2F:x@evil.example", {}, "https://evil.example/"),
        ("blob:https://paypal.com@evil.example/id#f", {}, "blob:https://evil.example/id#f"),
        ("blob:x:y", {}, "blob:x:y"),
        ("https://bücher.example/%C3%A9", {}, "https://bücher.example/é"),
        ("https://аррӏе.com/", {}, "https://xn--80ak6aa92e.com/"),
        ("https://аррӏе.bücher.com/", {}, "https://xn--80ak6aa92e.bücher.com/"),
        ("https://faß.example/", {}, "https://faß.example/"),
        ("https://example.com/%E2%81%84evil%EF%BC%8F", {}, "https://example.com/%E2%81%84evil%EF%BC%8F"),
        ("file:///%43:/x", {}, "file:///%43:/x"),
        ("file:///%43|/%43:", {}, "file:///%43|/%43:"),
        ("file:///C|/x", {}, "file:///C:/x"),
        ("file://server/%C3%A9", {}, "file://server/é"),
        ("https://h/%43:/", {}, "https://h/%43:/"),
        ("file:///x?/%43:#/%C3%A9", {}, "file:///x?/%43:#/é"),
        ("web+demo:/.//x", {}, "web+demo:/.//x"),
        ("web+demo://", {}, "web+demo://"),
        ("mailto:%6Aos%C3%A9@example.com", {}, "mailto:%6Aosé@example.com"),
        ("http://[::1]:65535/", {}, "http://[::1]:65535/"),
        ("http://0x7f.1/", {}, "http://127.0.0.1/"),
        ("https://www.example.com/", {"omit_www": True}, "https://example.com/"),
        ("https://m.example.com/", {"omit_www": True}, "https://example.com/"),
        ("https://www.com/", {"omit_www": True}, "https://www.com/"),
        ("https://www.www.example.com/", {"omit_www": True}, "https://www.example.com/"),
        ("https://wwwx.example.com/", {"omit_www": True}, "https://wwwx.example.com/"),
        ("https://www.a..com/", {"omit_www": True}, "https://www.a..com/"),
        ("foo://www.example.com/", {"omit_www": True}, "foo://www.example.com/"),
        ("https://example.com/a", {"omit_scheme": "https"}, "example.com/a"),
        ("http://example.com/a", {"omit_scheme": "https"}, "http://example.com/a"),
        ("javascript://example.com/%0Aalert(1)", {"omit_scheme": "javascript"},
         "javascript://example.com/%0Aalert(1)"),
        ("file:///etc", {"omit_scheme": "file"}, "file:///etc"),
        ("blob:https://h.example/x", {"omit_scheme": "https"}, "blob:https://h.example/x"),
        ("https://a.b.example.co.uk:81/c", {"only": "host"}, "a.b.example.co.uk"),
        ("https://a.b.example.co.uk:81/c", {"only": "registrable_domain"}, "example.co.uk"),
        ("https://co.uk/c", {"only": "registrable_domain"}, "co.uk"),
        ("https://[::1]/c", {"only": "registrable_domain"}, "[::1]"),
        ("mailto:x", {"only": "host"}, ""),
        ("file:///x", {"only": "registrable_domain"}, ""),
    ],
)  # fmt: skip
def test_a_url_is_shown(url: str, options: dict[str, Any], text: str) -> None:
    """Irrelevant parts are left out, and characters do not mislead."""
    assert render(parse(url), **options) == text


@pytest.mark.parametrize(
    ("url", "max_length", "text"),
    [
        ("https://example.com/abc", 23, "https://example.com/abc"),
        ("https://example.com/abc", 22, "https://example.com/a…"),
        ("https://example.com/abc", 1, "https://example.com/…"),
        ("https://example.com/", 1, "https://example.com/"),
        ("https://example.com/a", 1, "https://example.com/a"),
        ("https://example.com/a?bcd", 23, "https://example.com/a?…"),
        ("https://example.com/a?b#cde", 25, "https://example.com/a?b#…"),
        ("https://example.com/a%20b", 24, "https://example.com/a…"),
        ("https://example.com/a%20b", 23, "https://example.com/a…"),
        ("https://example.com/%F0%9F%94%92x", 24, "https://example.com/…"),
        ("https://examplecorp.com.evil.com/", 32, "https://…com.evil.com/"),
        ("https://examplecorp.com.evil.com/", 33, "https://examplecorp.com.evil.com/"),
        ("https://a.b.c.evil.co.uk/path", 1, "https://…evil.co.uk/…"),
        ("https://a.b.c.evil.co.uk/path", 23, "https://…c.evil.co.uk/…"),
        ("https://a.b.c.evil.co.uk/path", 26, "https://a.b.c.evil.co.uk/…"),
        ("https://www.example.com:65535/", 1, "https://…example.com:65535/"),
        (f"https://paypal.com.{'a' * 60}.evil.example/paypal.com", 40, "https://…evil.example/…"),
        (f"https://{'a.' * 5000}evil.example/", 30, "https://…a.a.a.a.evil.example/"),
        (f"https://paypal.com.{'a.' * 100}.evil.example/", 20, "https://…evil.example/"),
        (f"paypal.com.{'a' * 99}://evil/x", 9, f"paypal.com.{'a' * 28}…://evil/x"),
        (f"{'a' * 40}:x", 1, f"{'a' * 40}:x"),
        ("https://x..paypal.com.evil.example/", 1, "https://…evil.example/"),
        ("https://x.abc.evil.com/", 23, "https://x.abc.evil.com/"),
        ("https://x.abc.evil.com/", 22, "https://…abc.evil.com/"),
        ("https://x.abc.evil.com/", 21, "https://…evil.com/"),
        ("https://1.2.3.4/abcdef", 10, "https://1.2.3.4/…"),
        ("https://[1:2:3:4:5:6:7:8]/abcdef", 10, "https://[1:2:3:4:5:6:7:8]/…"),
        ("foo://paypal.com.evil.example/x/y", 10, "foo://paypal.com.evil.example/…"),
        ("foo://h", 1, "foo://h"),
        ("foo://h?abc", 1, "foo://h?…"),
        ("https://foo.github.io/abc", 1, "https://foo.github.io/…"),
        ("https://github.io/abc", 1, "https://github.io/…"),
        ("https://a.example.com./", 1, "https://…example.com./"),
        ("javascript:alert(document.domain)", 20, "javascript:alert(do…"),
        ("data:text/html,<b>hello</b>", 20, "data:text/html,<b>h…"),
        ("blob:https://a.evil.example/0123456", 30, "blob:https://a.evil.example/0…"),
        ("file:///etc/passwd", 12, "file:///etc…"),
        ("https://x.example/%E0%A4%A8%E0%A4%A8%E0%A5%87x", 21, "https://x.example/न…"),
    ],
)
def test_what_does_not_fit_is_elided(url: str, max_length: int, text: str) -> None:
    """First the end is elided, then the start of the host, but never what must be shown."""
    assert render(parse(url), max_length=max_length) == text


def test_text_from_right_to_left_is_isolated_piece_by_piece() -> None:
    """Labels, segments and names keep their order inside one outer isolate."""
    assert render(parse(HEBREW)) == (
        "\u2066https://\u2068\u05d0\u05d1\u2069.\u2068\u05d2\u05d3\u2069.example/"
        "\u2068\u05d4\u2069/x?a=\u2068\u05d5\u2069&1\u2069"
    )
    assert render(parse(HEBREW), isolate=False) == parse(HEBREW).href
    assert render(parse("https://h/é"), isolate=True) == "\u2066https://h/é\u2069"


def test_isolates_take_no_room() -> None:
    """The maximum length counts visible characters only."""
    whole = render(parse(HEBREW))
    room = len(ISOLATES.sub("", whole))
    assert render(parse(HEBREW), max_length=room) == whole
    shorter = render(parse(HEBREW), max_length=room - 1)
    assert len(ISOLATES.sub("", shorter)) == room - 1
    assert shorter.endswith("…\u2069")


@pytest.mark.parametrize("max_length", range(1, 60))
def test_elided_text_from_right_to_left_keeps_its_isolates_in_pairs(max_length: int) -> None:
    """No isolate is open or empty, and none counts."""
    text = render(parse(HEBREW.replace("%D7%94", "%D7%94" * 20)), max_length=max_length)
    depth = 0
    for char in text:
        depth += {"\u2066": 1, "\u2068": 1, "\u2069": -1}.get(char, 0)
        assert 0 <= depth <= 2
    assert depth == 0
    assert "\u2068\u2069" not in text
    assert len(ISOLATES.sub("", text)) <= max(max_length, len("https://…xx.example/…"))


def test_a_label_too_long_for_the_domain_name_system_stays_in_ascii() -> None:
    """Encoded, it has 64 characters, and no such name exists."""
    label = "ü" + "a" * 58
    shown = parse(f"https://{label}.example/")
    assert render(parse(f"https://{label[:-5]}.example/")) == f"https://{label[:-5]}.example/"
    assert len(str(shown.host).split(".")[0]) > 63
    assert render(shown) == shown.href


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"record": None}, TypeError),
        ({"max_length": 0}, ValueError),
        ({"max_length": -1}, ValueError),
        ({"max_length": 1.5}, TypeError),
        ({"max_length": True}, TypeError),
        ({"only": "path"}, ValueError),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], error: type[Exception]) -> None:
    """The error says what is expected."""
    with pytest.raises(error):
        render(**{"record": parse("https://example.com/"), **arguments})


def test_a_host_too_long_for_the_domain_name_system_stays_in_ascii() -> None:
    """Many labels were once compared with a long last one, in quadratic time."""
    href = f"https://{'xn--80ak6aa92e.' * 2000}xn--{'p1a' * 5000}/"
    long = URLRecord("https", host=trusted_domain(href[8:-1]))
    for max_length in (None, 60):
        assert render(long, max_length=max_length).startswith(
            "https://xn--80ak6" if max_length is None else "https://…"
        )
    label = "xn--bcher-kva."
    longest = f"{label * 17}{'a' * 9}.com"
    assert len(longest) == 251
    assert "bücher" in render(parse(f"https://{longest}/"))
    assert "bücher" in render(parse(f"https://aa{longest}./"))
    assert "bücher" not in render(parse(f"https://aaa{longest}/"))


def test_what_is_hostile_and_huge_is_rendered() -> None:
    """A megabyte of each shape is shown whole and elided."""
    size = 1_000_000
    for url, length in [
        (f"data:text/html,{'<b>' * (size // 3)}", 60),
        (f"https://h.example/{'%D0%BF' * (size // 6)}", 60),
        (f"https://h.example/{'%E9' * (size // 3)}", 60),
        (f"https://h.example/{'%D7%90/' * (size // 7)}", 60),
        (f"https://h.example/?{'%E0%A4%95' + '%E0%A5%8D' * (size // 9)}", 60),
        (f"https://{'a.' * (size // 2)}evil.example/", 60),
        (f"https://{'é.' * (size // 40)}evil.example/", 60),
        (f"https://{'a' * size}.example/", size + 18),
    ]:
        record = parse(url)
        elided = ISOLATES.sub("", render(record, max_length=60))
        assert len(elided) <= length
        assert "…" in elided or length > 60
        assert len(render(record)) > 10_000


def test_rendering_ascii_loads_no_tables_of_unicode() -> None:
    """Only other characters need them."""
    import subprocess
    import sys

    program = (
        "import sys, weburl; weburl.render(weburl.parse('http://127.0.0.1/%41%20?b#c')); "
        "weburl.render_html(weburl.parse('mailto:x')); "
        "print([name for name in ('regex', 'unicodedata2', 'idna') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert result.stdout.strip() == "[]"
