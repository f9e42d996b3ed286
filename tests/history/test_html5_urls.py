"""`weburl.history.html5_urls`: the HTML5 draft, 2.6.1 to 2.6.3."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given

from tests import strategies
from weburl.history import html5_urls, web_addresses
from weburl.history.errors import LegacyURLError
from weburl.history.html5_urls import (
    is_absolute_url,
    is_authority_based_url,
    is_hierarchical_url,
    is_valid_url,
    parse,
    resolve,
)
from weburl.history.resolving import AddressComponents

# The example of both documents, with what follows it there left out.
EXAMPLE = "//example.com/a^b\u263ac%FFd%z/?e"


@pytest.mark.parametrize(
    ("url", "components"),
    [
        ("http://example.com:8080/a?b#c",
         ("http", "example.com", "8080", "example.com:8080", "/a", "b", "c", "/a?b#c")),
        ("http://example.com:80/",
         ("http", "example.com", "80", "example.com", "/", None, None, "/")),
        ("HTTP://h:0080", ("HTTP", "h", "0080", "h", "", None, None, "")),
        ("http://h:", ("http", "h", "", "h", "", None, None, "")),
        ("foo://h:80", ("foo", "h", "80", "h:80", "", None, None, "")),
        ("//h:81", (None, "h", "81", "h", "", None, None, "")),
        ("http://u:p@h/", ("http", "h", None, "h", "/", None, None, "/")),
        ("mailto:a@b?c", ("mailto", None, None, None, "a@b", "c", None, "mailto:a@b?c")),
        ("", (None, None, None, None, "", None, None, "")),
        (" \t\n\f\ra\xa0 ", (None, None, None, None, "a\xa0", None, None, "a\xa0")),
        ('a b<"{}|\\^`[]>\0\x7f\u263a\ud800',
         (None, None, None, None, 'a b<"{}|\\^`[]>\0\x7f\u263a\ud800', None, None,
          'a b<"{}|\\^`[]>\0\x7f\u263a\ud800')),
        ("/%zz?%#%#%", (None, None, None, None, "/%zz", "%", "%#%", "/%zz?%#%#%")),
        ("//[::1]:8", (None, "[::1]", "8", "[::1]", "", None, None, "")),
        ("//[a]b", (None, "[a]b", None, "[a]b", "", None, None, "")),
        ("//[:8", (None, "[", "8", "[", "", None, None, "")),
        ("//%@h", (None, "h", None, "h", "", None, None, "")),
    ],
)  # fmt: skip
def test_the_components_of_a_url(url: str, components: tuple[str | None, ...]) -> None:
    """2.6.2: RFC 3986 with its exceptions."""
    assert parse(url) == AddressComponents(*components)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "url",
    ["//a%zz/", "//a:b/", "//a@b@c/", "1a:b", "\u00e9:b", ":b", "a b:c", "//[::zz]", "//[::1"],
)
def test_a_url_that_cannot_be_parsed(url: str) -> None:
    """A host holds no "%" alone; nothing else has a "@" too many, and schemes are schemes."""
    with pytest.raises(LegacyURLError):
        parse(url)


@pytest.mark.parametrize("resolve", [html5_urls.resolve, web_addresses.resolve])
@pytest.mark.parametrize(
    ("url", "base", "resolved"),
    [
        (EXAMPLE, "http://x/", "http://example.com/a%5Eb%E2%98%BAc%FFd%z/?e"),
        ("a b", "http://h/c/d?e#f", "http://h/c/a%20b"),
        ("", "http://h/c?e#f", "http://h/c?e"),
        ("#\u00e9 #", "http://h/c?e", "http://h/c?e#\u00e9 #"),
        ("//B\u00fccher.example", "http://h/", "http://xn--bcher-kva.example"),
        ("//b%C3%BCcher.example:80", "http://h/", "http://xn--bcher-kva.example:80"),
        ("//%41.example", "http://h/", "http://A.example"),
        ("HTTP://h/../a", None, "HTTP://h/a"),
        ("\\a\\b", "http://h/c", "http://h/%5Ca%5Cb"),
        ("#a\\b", "http://h/", "http://h/#a/b"),
        ("#a\\b", "mailto:x", "mailto:x#a\\b"),
        ("http://[::1]:8/x", None, "http://[::1]:8/x"),
        ("file:///a b", None, "file:///a%20b"),
        ("mailto:\u00e9", None, "mailto:%C3%A9"),
        ("?\ud800", "http://h/", "http://h/?%EF%BF%BD"),
        ("http://u\\p@h/", None, "http://u/p@h/"),
        ("http:a", None, None),
        ("http:\\\\h\\", None, None),
        ("http:///", None, None),
        ("a", None, None),
        ("a", "b", None),
        ("//a_b", "http://h/", None),
        ("//a..b", "http://h/", None),
        ("//%FF", "http://h/", None),
        ("data://x/y", None, None),
        ("//x/y", "data:a", None),
        ("/.//x", "foo:/a", None),
        ("//a@b@c", "http://h/", None),
    ],
)
def test_what_both_documents_resolve_alike(
    resolve: Callable[[str, str | None], str], url: str, base: str | None, resolved: str | None
) -> None:
    """2.6.3, and the same steps in "Web addresses in HTML 5"."""
    if resolved is None:
        with pytest.raises(LegacyURLError):
            resolve(url, base)
    else:
        assert resolve(url, base) == resolved


@pytest.mark.parametrize(
    ("query", "encoding", "encoded"),
    [
        ("\u00fc\u20ac", "utf-8", "%C3%BC%E2%82%AC"),
        ("\u00fc\u20ac", "windows-1252", "%FC%80"),
        ("\u00fc\u3042", "latin1", "%FC?"),
        ("\u00fc", "UTF-16", "%C3%BC"),
        ("\u3042a\u3042", "shift_jis", "%82%A0a%82%A0"),
        ("\u3042\u3042", "iso-2022-jp", "%1B%24%42%24%22%1B%28%42" * 2),
        ("a%zz[]", "utf-8", "a%zz%5B%5D"),
        ("a%zz[]", "latin1", "a%zz%5B%5D"),
    ],
)
def test_a_query_is_encoded_with_the_documents_encoding(
    query: str, encoding: str, encoded: str
) -> None:
    """Step 8: what it cannot express becomes "?", and UTF-16 is UTF-8."""
    assert resolve(f"?{query}", "http://h/", encoding=encoding) == f"http://h/?{encoded}"


def test_an_encoding_that_nobody_knows_is_refused() -> None:
    """Whether or not the text at hand has a query to encode."""
    for text in ("?a", "a"):
        with pytest.raises(ValueError, match="there is no encoding with the label"):
            resolve(text, "http://h/", encoding="no such")
        with pytest.raises(TypeError, match="must be text, not NoneType"):
            resolve(text, "http://h/", encoding=None)  # type: ignore[arg-type]
    for text in ("?\u00e9", "a"):
        with pytest.raises(ValueError, match="there is no encoding with the label"):
            is_valid_url(text, encoding="no such")


@pytest.mark.parametrize(
    ("url", "absolute", "hierarchical", "authority_based"),
    [
        ("http://h/a", True, True, True),
        ("foo:/a", True, True, False),
        ("mailto:a", True, False, False),
        ("foo:", True, False, False),
        (" http://h ", True, True, True),
        ("//h/a", False, False, False),
        ("a", False, False, False),
        ("", False, False, False),
        ("http://a_b/", False, False, False),
        ("foo:/.//a", False, False, False),
    ],
)
def test_kinds_of_absolute_urls(
    url: str, absolute: bool, hierarchical: bool, authority_based: bool
) -> None:
    """2.6.3, at its end."""
    assert is_absolute_url(url) == absolute
    assert is_hierarchical_url(url) == hierarchical
    assert is_authority_based_url(url) == authority_based


@given(strategies.url_texts)
def test_an_absolute_url_resolves_to_the_same_whatever_the_base(text: str) -> None:
    """That is what the word means; and any other needs a base, or cannot be resolved at all."""
    if is_absolute_url(text):
        assert resolve(text) == resolve(text, "http://h/a?b") == resolve(text, "foo:bar")
        return
    with pytest.raises(LegacyURLError):
        resolve(text)


@given(strategies.url_texts)
def test_resolving_what_was_resolved_changes_nothing(text: str) -> None:
    """But where a backslash became the slash that ends the authority, or ends a name."""
    for document in (html5_urls, web_addresses):
        try:
            resolved = document.resolve(text, "http://h/a/b")
        except LegacyURLError:
            continue
        if "\\" not in text:
            # What is left behind may end in space characters, which are stripped.
            assert document.resolve(resolved) == resolved.rstrip(" \t\n\f\r")


@pytest.mark.parametrize(
    ("url", "encoding", "valid"),
    [
        ("", "utf-8", True),
        ("http://example.com/?a#b", "latin1", True),
        ("/\u00e9", "latin1", True),
        ("/\u00e9?a%20b", "latin1", True),
        ("/?\u00e9", "latin1", False),
        ("/?\u00e9", "utf-8", True),
        ("/?\u00e9", "UTF-8", True),
        ("/?\u00e9", "utf-16", True),
        ("/?\u00e9", "UTF-16BE", True),
        ("/?\u00e9", "iso-2022-kr", False),
        ("a b", "utf-8", False),
        ("%", "utf-8", False),
        ("\\", "utf-8", False),
        ("#a#b", "utf-8", False),
        (" a", "utf-8", False),
        ("about:legacy-compat", "utf-8", True),
        ("about:srcdoc", "utf-8", True),
    ],
)
def test_a_valid_url(url: str, encoding: str, valid: bool) -> None:
    """2.6.1: a URI reference, or an IRI reference whose query any encoding gives alike."""
    assert is_valid_url(url, encoding=encoding) == valid
    assert web_addresses.is_valid_web_address(url, encoding=encoding) == valid
