"""Tests of `infra.credentials`, and that no message or repr of `weburl` shows what it masks."""

from __future__ import annotations

import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import weburl
from tests.strategies import url_texts
from weburl import (
    Domain,
    OpaqueHost,
    TupleOrigin,
    URLParseError,
    URLPattern,
    URLRecord,
    parse,
    parse_host,
)
from weburl.standard.infra.credentials import (
    masked,
    masked_before_at_sign,
    masking,
    without_credentials,
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("postgres://user:p#ss@db/x", "postgres://***:***@db/x"),
        ("postgres://user:p/s?s@db/x", "postgres://***:***@db/x"),
        ("https://u:a@b:c@h/", "https://***:***@h/"),
        ("https://token@h:99999/", "https://***@h:99999/"),
        ("https:token@h:x", "https:***@h:x"),
        ("https:/token@h:x", "https:/***@h:x"),
        ("\\\\token@h:x", "\\\\***@h:x"),
        (" \thttps:/\t/u:secret@h", " \thttps:/\t/***:***@h"),
        ("jdbc:mysql://u:secret@h:x", "jdbc:mysql://***:***@h:x"),
        ("view-source:https://u:secret@[", "view-source:https://***:***@["),
        ("user:secret@h", "user:***@h"),
        ("u:s@h?x=a@b", "u:***@b"),
        ("https://exa mple/a:b@c", "https://exa mple/a:***@c"),
        ("https://exa mple/@name", "https://exa mple/@name"),
        ("https://TOKEN@a b/x:y@z", "https://***@a b/x:***@z"),
        ("view-source:https://TOKEN@h/x:y@z", "view-source:https://***@h/x:***@z"),
        ("https://a%3Ab@exa mple/?at=12:30@h", "https://***@exa mple/?at=12:***@h"),
        ("%mailto:user:pw@\uff41\uff05/", "%mailto:***@\uff41\uff05/"),
        ("mailto:me@example.com", "mailto:me@example.com"),
        ("https://h:99999/", "https://h:99999/"),
        ("foo:/a/b@c", "foo:/a/b@c"),
        ("me@example.com", "me@example.com"),
        ("#://user:secret@h", "#://***:***@h"),
        ("a@b/://user:secret@h", "***@b/:***@h"),
        ("user:secret@h//x", "user:***@h//x"),
        ("@", "@"),
        ("", ""),
    ],
)
def test_what_may_be_a_username_or_a_password_is_masked(text: str, shown: str) -> None:
    """The number of stars does not depend on its length, which would help to guess it."""
    assert masked(text) == shown


@pytest.mark.parametrize("at_sign", ["@", "\ufe6b", "\uff20", "%40", "%2540", "%252540"])
def test_credentials_before_any_form_of_the_at_sign_are_masked(at_sign: str) -> None:
    """Text without any form of "@" is returned at once, so that check must know all of them."""
    assert masked(f"https://secret{at_sign}h") == f"https://***{at_sign}h"
    assert masked_before_at_sign(f"secret{at_sign}h") == f"***{at_sign}h"
    assert "secret" not in without_credentials(f"/https://secret{at_sign}h")


def test_regexes_of_credentials_are_compiled_when_text_may_have_them() -> None:
    """Compiling them would make the import of the package slower."""
    program = (
        "import sys, weburl; url = weburl.parse('https://example.com/a?b'); repr(url);"
        " before = 'weburl.standard.infra.masking' in sys.modules;"
        " repr(weburl.parse('https://u:p@example.com/x@y'));"
        " print(before, 'weburl.standard.infra.masking' in sys.modules)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert shown.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://u:secret@h/x", "https://***:***@h/x"),
        ("https://u:se/cret@h/x", "https://***:***@h/x"),
        ("/web/https://u:secret@h/x", "/web/https://***@h/x"),
        ("next=https://a@b@h&http://c@d", "next=https://***@h&http://***@d"),
        ("me@example.com", "me@example.com"),
        ("/@name", "/@name"),
    ],
)
def test_credentials_of_urls_inside_a_part_are_masked(text: str, shown: str) -> None:
    """An e-mail address is not masked."""
    assert without_credentials(text) == shown


def test_everything_before_the_last_at_sign_of_a_part_is_masked() -> None:
    """A host with credentials was meant to be more than a host."""
    assert masked_before_at_sign("user:se@cret@h") == "***@h"
    assert masked_before_at_sign("h:80") == "h:80"


def said_of(error: BaseException) -> str:
    """Return everything that is printed of an error."""
    said = [str(error), repr(error), *traceback.format_exception(error)]
    if isinstance(error, URLParseError):
        said += [str(error.report), repr(error.report), error.reason]
    return "\n".join(said)


@pytest.mark.parametrize(
    "call",
    [
        lambda: parse("postgres://user:12hunter2#ss@db/x"),
        lambda: parse("https://user:12345678#hunter2@db/x"),
        lambda: parse("https://u:x/hunter2@h", "https://u:hunter2@h/"),
        lambda: parse("foo:x").with_username("hunter2"),
        lambda: parse("foo:x").with_password("hunter2"),
        lambda: URLRecord("https", "", "", "u:hunter2@h"),  # type: ignore[arg-type]
        lambda: URLRecord("https", "", " hunter2 ", Domain("h")),
        lambda: URLRecord("https", "", "\u00e9", Domain("h")),
        lambda: URLRecord("https", "", b"hunter2", Domain("h")),  # type: ignore[arg-type]
        lambda: TupleOrigin("https", "u:hunter2@h", None),  # type: ignore[arg-type]
    ],
)
def test_no_error_has_a_password_in_it(call: Callable[[], object]) -> None:
    """Neither does a traceback. More calls and texts are below."""
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    said = "\n".join(line for line in said_of(caught.value).splitlines() if "lambda: " not in line)
    assert "hunter2" not in said
    assert "12345678" not in said


def test_an_error_still_has_its_input() -> None:
    """A program may need it to repair the text. Pickling keeps it."""
    text = "postgres://user:p#ss@db/x"
    with pytest.raises(URLParseError) as caught:
        parse(text)
    assert caught.value.input == text
    assert caught.value.input_without_password == "postgres://***:***@db/x"
    assert caught.value.report is not None
    assert caught.value.report.input_without_credentials == "postgres://***:***@db/x"
    assert pickle.loads(pickle.dumps(caught.value)).input == text


@given(url_texts, st.text(max_size=5), st.text(max_size=5))
@example("http:.\\a@b/", "", "")  # Masked again, "b/" is masked too.
def test_masking_hides_the_password_and_keeps_all_after_the_last_at_sign(
    start: str, username: str, end: str
) -> None:
    """This holds for any text, and for text that is masked already."""
    text = f"{start}://{username}:hunter2@{end}"
    for shown in (masked(text), masked(masked(text))):
        assert "hunter2" not in shown
        assert shown.rpartition("@")[2] == text.rpartition("@")[2]


@pytest.mark.parametrize("text", [
    "https://user:hunter2@h/a?b", "//user@h", "user:hunter2@h", "https://h/?next=https://u:p@i/",
    "postgres://u:p#ss@db/x", "blob:https://u:p@h/1", "ssh://git@h:22/x", "me@h, https://u:p@h/",
])  # fmt: skip
def test_masking_again_changes_nothing(text: str) -> None:
    """Messages about messages show the same text."""
    assert masked(masked(text)) == masked(text)


@given(url_texts, st.text(max_size=5), st.text(max_size=5), st.data())
def test_a_place_in_the_text_is_found_in_the_masked_text(
    start: str, username: str, end: str, data: st.DataObject
) -> None:
    """Other text has the same content, and a place in a secret is the whole mask."""
    text = f"{start}://{username}:hunter2@{end}"
    shown = masking(text)
    assert shown.text == masked(text)
    edges = [0, *(at for secret in shown.secrets for at in secret[:2]), len(text)]
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        assert shown.culprit(left, right) == text[left:right]
    for secret in shown.secrets:
        first = data.draw(st.integers(secret.start, secret.end - 1))
        last = data.draw(st.integers(first + 1, secret.end))
        assert shown.culprit(first, last) == "***"
    assert shown.place(0, len(text)) == (0, len(shown.text))


@pytest.mark.parametrize("call", [
    lambda secret: parse(f"https://u:{secret}@h:99999/"),
    lambda secret: parse(f"postgres://{secret}:{secret}#x@db/x"),
    lambda secret: parse_host(f"{secret}@h"),
    lambda secret: parse("https://h/").with_hostname(f"u:{secret}@h"),
    lambda secret: parse("https://h/").with_port(f"80{secret}@h"),
    lambda secret: parse("foo:x").with_password(secret),
    lambda secret: URLPattern(f"https://u:{secret}@h/("),
    lambda secret: URLPattern({"password": f"{secret}("}),
    lambda secret: OpaqueHost(f"u:{secret}@h"),
])  # fmt: skip
def test_no_error_shows_how_long_a_secret_is(call: Callable[[str], object]) -> None:
    """The carets are below the same text. Only the offsets of a report differ."""
    said = []
    for secret in ("s", "a-longer-secret"):
        with pytest.raises((ValueError, TypeError)) as caught:
            call(secret)
        report = getattr(caught.value, "report", None)
        said.append((str(caught.value), repr(caught.value), str(report)))
    assert said[0] == said[1]


def test_carets_are_under_the_masked_text() -> None:
    """The offsets of the error are those of the original text."""
    with pytest.raises(URLParseError) as caught:
        parse("https://user:a-longer-secret@h:99999/")
    report = caught.value.report
    assert report is not None
    assert report.failure is not None
    assert report.input[report.failure.start : report.failure.end] == "99999"
    assert report.culprit(report.failure) == "99999"
    assert str(caught.value).splitlines()[1:] == [
        "  https://***:***@h:99999/",
        "                    ^^^^^",
    ]


SECRET = "Hunter2"
# What may come before a URL inside another one.
BEFORE = ("", " ", "\t", "view-source:", "blob:", "jdbc:", "%", "\ufeff", "https://h/web/",
          "https://h/?next=", "https://h/#", "https://exa mple/x:y/")  # fmt: skip
SPECIAL = ("https:", "HTTP:", "ht\ttps:", "file:", "wss\uff1a", "https%3A", "ftp%253a")
SLASHES = ("", "/", "\\", "/\t", "%2F")
TWO_SLASHES = ("//", "\\\\", "/\\", "/\t/", "\n///", "\uff0f\uff0f", "%2F%2f", "%255C%252F")
OTHERS = ("", "foo:", "git+ssh:", "mailto:", "javascript:", "s\u0131p:")
USERINFOS = ("{}", "u:{}", "{}:x", "u%3A{}", "u\uff1a{}", "a@b:{}", "u:p@{}", "u:{}\\x", "{}%40x",
             "{}%", "u: {}", ":{}", "\u00e9\ud800:{}")  # fmt: skip
# What parsers read as delimiters: a password should have been percent-encoded.
UNENCODED = ("u:p#{}", "u:p/{}", "u:p?{}", "u:p#{}/x?y", "a@b:c/{}")
AFTER = ("h", "h/", "a b/x:y@z", "exa mple.com/?at=12:30@home", "\uff41\uff05/", "[::1", "h:99999",
         "h:x/@name", "h/me@example.com", "", "xn--/", "1.2.3.4.5", "h#a@b")  # fmt: skip


def joined_from(*parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return a strategy for texts with one of each part, in this order."""
    return st.tuples(*parts).map("".join)


def any_of(*texts: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Return a strategy for the texts of all tuples."""
    return st.sampled_from([text for each in texts for text in each])


with_userinfo = joined_from(
    any_of(BEFORE),
    joined_from(any_of(SPECIAL), any_of(SLASHES, TWO_SLASHES))
    | joined_from(any_of(OTHERS), any_of(TWO_SLASHES)),
    any_of(USERINFOS).map(lambda text: text.format(SECRET)),
    any_of(("@", "\uff20", "\ufe6b", "%40", "%2540")),
    any_of(AFTER),
)
with_unencoded_password = joined_from(
    any_of(("", " ", "\t", "view-source:", "blob:", "jdbc:")),
    any_of(("https://", "HTTP:\\\\", "ht\ttps:/\\", "wss:/\t/", "foo://", "postgres://")),
    any_of(UNENCODED).map(lambda text: text.format(SECRET)),
    st.just("@"),
    any_of(AFTER),
)
without_slashes = joined_from(
    any_of(("foo:", "git+ssh:", "view-source:https:", "%mailto:", "sip:", "u:", "mailto:u:")),
    any_of(USERINFOS).map(lambda text: text.format(SECRET)),
    st.just("@"),
    any_of(AFTER),
)


@given(with_userinfo | with_unencoded_password | without_slashes)
def test_no_public_function_says_a_secret_where_any_parser_may_see_credentials(text: str) -> None:
    """The text is a URL, a base, and a part of another URL."""
    base = parse("https://base.example/a")
    attempts: list[Callable[[], object]] = [
        lambda: parse(text),
        # Only the error: the same text may be a path there, and a path may contain "@".
        lambda: (parse(text, "https://base.example/"), None)[1],
        # Here, too: of "…/u:secret/x@h", a segment stays that nothing shows to be a password.
        lambda: (parse("x", text), None)[1],
        lambda: weburl.check(text),
        lambda: weburl.check("x", text).errors,
        lambda: weburl.URL(text),
        lambda: (weburl.URL("x", text), None)[1],
        lambda: setattr(weburl.URL("foo:x"), "href", text),
        lambda: base.with_scheme(text),
        lambda: base.with_host(text),
        lambda: base.with_hostname(text),
        lambda: base.with_port(text),
        lambda: parse("foo:x").with_path(text),
        lambda: Domain(text),
        lambda: OpaqueHost(text),
        lambda: URLRecord(text),
        lambda: weburl.URLPolicy.webhook().parse(text),
    ]
    for attempt in attempts:
        try:
            value = attempt()
        except (ValueError, TypeError) as error:
            value, said = None, str(error) + repr(error)
            if isinstance(error, URLParseError):
                said += f"{error.reason}{error.report!r}{error.report}"
        else:
            said = repr(value)
        if isinstance(value, weburl.Report):
            said += str(value)
        assert SECRET.lower() not in said.lower(), said


@pytest.mark.parametrize("text", [
    "https://exa mple.com/a:b", "https://exa mple.com/users/me@example.com", "https://a b/?q=@home",
    "https://exa mple.com/?mail=me%40example.com&at=12:30", "mailto:me@example.com?subject=Re: a@b",
    "me@example.com", "/@name", "data:text/html,me@example.com", "https://exa mple.com/@name",
])  # fmt: skip
def test_messages_about_ordinary_urls_stay_useful(text: str) -> None:
    """An e-mail address in a path, a query or a mailto URL is not masked."""
    assert masked(text) == text


@pytest.mark.parametrize("authority", ["://", "http:/", "//a:b/", "https:?"])
def test_many_authorities_after_the_last_password_take_linear_time(authority: str) -> None:
    """The last "@" is searched for once, and not after each of them."""
    assert masked("https://u:secret@[x" + authority * 100_000).startswith("https://***:***@[x")
