"""`weburl.history.rfc3986` and `rfc3987`: the grammars, and the RFC's examples of resolution."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import strategies
from weburl.history.errors import LegacyURLError
from weburl.history.rfc3986 import (
    URI,
    Components,
    Grammar,
    merge,
    parse,
    remove_dot_segments,
    resolve,
    split,
)
from weburl.history.rfc3987 import parse_iri_reference

BASE = "http://a/b/c/d;p?q"

# Sections 5.4.1 and 5.4.2.
RESOLUTIONS = [
    ("g:h", "g:h"),
    ("g", "http://a/b/c/g"),
    ("./g", "http://a/b/c/g"),
    ("g/", "http://a/b/c/g/"),
    ("/g", "http://a/g"),
    ("//g", "http://g"),
    ("?y", "http://a/b/c/d;p?y"),
    ("g?y", "http://a/b/c/g?y"),
    ("#s", "http://a/b/c/d;p?q#s"),
    ("g#s", "http://a/b/c/g#s"),
    ("g?y#s", "http://a/b/c/g?y#s"),
    (";x", "http://a/b/c/;x"),
    ("g;x", "http://a/b/c/g;x"),
    ("g;x?y#s", "http://a/b/c/g;x?y#s"),
    ("", "http://a/b/c/d;p?q"),
    (".", "http://a/b/c/"),
    ("./", "http://a/b/c/"),
    ("..", "http://a/b/"),
    ("../", "http://a/b/"),
    ("../g", "http://a/b/g"),
    ("../..", "http://a/"),
    ("../../", "http://a/"),
    ("../../g", "http://a/g"),
    ("../../../g", "http://a/g"),
    ("../../../../g", "http://a/g"),
    ("/./g", "http://a/g"),
    ("/../g", "http://a/g"),
    ("g.", "http://a/b/c/g."),
    (".g", "http://a/b/c/.g"),
    ("g..", "http://a/b/c/g.."),
    ("..g", "http://a/b/c/..g"),
    ("./../g", "http://a/b/g"),
    ("./g/.", "http://a/b/c/g/"),
    ("g/./h", "http://a/b/c/g/h"),
    ("g/../h", "http://a/b/c/h"),
    ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
    ("g;x=1/../y", "http://a/b/c/y"),
    ("g?y/./x", "http://a/b/c/g?y/./x"),
    ("g?y/../x", "http://a/b/c/g?y/../x"),
    ("g#s/./x", "http://a/b/c/g#s/./x"),
    ("g#s/../x", "http://a/b/c/g#s/../x"),
    ("http:g", "http:g"),
]

APPENDIX_B = re.compile(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?", re.DOTALL)


@pytest.mark.parametrize(("reference", "target"), RESOLUTIONS)
def test_the_rfcs_examples_of_resolution(reference: str, target: str) -> None:
    """All of section 5.4, read strictly."""
    assert str(parse(reference, BASE)) == target
    assert str(resolve(split(reference), split(BASE))) == target


def test_the_rfc_has_that_many_examples() -> None:
    """23 normal ones and 19 abnormal."""
    assert len(RESOLUTIONS) == 42


@pytest.mark.parametrize(
    ("base", "path", "merged"),
    [
        ("http://h", "a", "/a"),
        ("http://h/", "a", "/a"),
        ("http://h/b/c", "a", "/b/a"),
        ("foo:b/c", "a", "b/a"),
        ("foo:b", "a", "a"),
        ("foo:", "a", "a"),
    ],
)
def test_a_relative_path_is_merged_with_the_bases(base: str, path: str, merged: str) -> None:
    """Section 5.2.3: a base with an authority has a root, if it has no path."""
    assert merge(split(base), path) == merged


def literally_without_dot_segments(path: str) -> str:
    """Run the steps of section 5.2.4 as they are written, in quadratic time."""
    output = ""
    while path:
        if path.startswith("../"):
            path = path[3:]
        elif path.startswith(("./", "/./")):
            path = path[2:]
        elif path == "/.":
            path = "/"
        elif path.startswith("/../") or path == "/..":
            path = "/" + path[4:]
            output = output[: max(output.rfind("/"), 0)]
        elif path in (".", ".."):
            path = ""
        else:
            end = path.find("/", 1)
            end = len(path) if end < 0 else end
            output += path[:end]
            path = path[end:]
    return output


@given(st.lists(st.sampled_from(["/", ".", "..", "a", "..."]), max_size=9).map("".join))
def test_removing_dot_segments_in_linear_time_is_the_rfcs_algorithm(path: str) -> None:
    """On every arrangement of slashes and dots."""
    assert remove_dot_segments(path) == literally_without_dot_segments(path)


@pytest.mark.parametrize(
    ("text", "components"),
    [
        ("foo://example.com:8042/over/there?name=ferret#nose",
         ("foo", None, "example.com", "8042", "/over/there", "name=ferret", "nose")),
        ("urn:example:animal:ferret:nose",
         ("urn", None, None, None, "example:animal:ferret:nose", None, None)),
        ("ldap://[2001:db8::7]/c=GB?objectClass?one",
         ("ldap", None, "[2001:db8::7]", None, "/c=GB", "objectClass?one", None)),
        ("//u:p@h:", (None, "u:p", "h", "", "", None, None)),
        ("//@:?#", (None, "", "", "", "", "", "")),
        ("//[v1.a:b]:8", (None, None, "[v1.a:b]", "8", "", None, None)),
        ("", (None, None, None, None, "", None, None)),
        ("a:", ("a", None, None, None, "", None, None)),
        ("./a:b", (None, None, None, None, "./a:b", None, None)),
        ("//%41.1.2.3", (None, None, "%41.1.2.3", None, "", None, None)),
    ],
)  # fmt: skip
def test_components_of_a_uri_reference(text: str, components: tuple[str | None, ...]) -> None:
    """Sections 1.1.2 and 3; what is there and empty is not what is not there."""
    assert URI.parse(text) == Components(*components)  # type: ignore[arg-type]
    assert str(URI.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1a:b", "before the first ':'"),
        (":a", "before the first ':'"),
        ("a b", "' ' is not allowed in the path"),
        ("a%zz", "'%' is not allowed in the path"),
        ("\u00e9", r"^'\u00e9' \(U\+00E9\) is not allowed in the path"),
        ("\u200b", r"^U\+200B is not allowed in the path"),
        ("a\\b", r"^'\\' is not allowed in the path"),
        ("?[", r"'\[' is not allowed in the query"),
        ("#a#b", "'#' is not allowed in the fragment"),
        ("//a:b", "':' is not allowed in the host"),
        ("//[::g]", r"'\[' is not allowed in the host"),
        ("//[::1", r"'\[' is not allowed in the host"),
        ("//[v.a]", r"'\[' is not allowed in the host"),
        ("//[1.2.3.4]", r"'\[' is not allowed in the host"),
        ("//a%4/", "'%' is not allowed in the host"),
        ("//a:\u0663", "':' is not allowed in the host"),
        ("//s\xdfcret@h", "the userinfo has"),
        ("//a@b@c", "the userinfo has"),
    ],
)
def test_text_that_is_no_uri_reference_is_refused_with_the_reason(text: str, reason: str) -> None:
    """And nothing of a userinfo is quoted."""
    with pytest.raises(LegacyURLError, match=reason) as caught:
        URI.parse(text)
    assert "\\xdf" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "base", "reason"),
    [
        ("a", None, "there is no base"),
        ("a", "b", "the base is relative"),
        ("a", "http://[", "in the base: "),
        ("/.//a", "foo:/b", "begins with '//'"),
        ("foo:/.//a", None, "begins with '//'"),
    ],
)
def test_a_reference_without_a_target_is_refused(text: str, base: str | None, reason: str) -> None:
    """No base, no good base, or a target that would be read as another."""
    with pytest.raises(LegacyURLError, match=reason):
        parse(text, base)


@given(strategies.url_texts)
def test_splitting_is_the_regular_expression_of_appendix_b(text: str) -> None:
    """Where its scheme is a scheme."""
    found = APPENDIX_B.match(text)
    assert found is not None
    components = split(text)
    assert str(components) == text
    if found[2] is None or components.scheme is not None:
        assert (
            components.scheme,
            components.authority,
            components.path,
            components.query,
            components.fragment,
        ) == found.group(2, 4, 5, 7, 9)


@given(strategies.url_texts)
def test_a_target_resolves_to_itself(text: str) -> None:
    """Whatever the base."""
    try:
        target = str(parse(text, BASE))
    except LegacyURLError:
        return
    assert str(parse(target)) == str(parse(target, "foo:bar")) == target


def test_a_repr_leaves_the_userinfo_out() -> None:
    """It may hold a password."""
    assert repr(split("http://u:secret@h/")) == "Components('http://h/')"


@pytest.mark.parametrize(
    ("text", "is_iri"),
    [
        ("http://r\u00e9sum\u00e9.example/\u00e9?\u00e9#\u00e9", True),
        ("?\ue000\U00100000", True),
        ("/\ue000", False),
        ("#\ue000", False),
        ("\x7f", False),
        ("\x9f", False),
        ("\xa0", True),
        ("\ufdcf", True),
        ("\ufdd0", False),
        ("\uffef", True),
        ("\ufff0", False),
        ("\U0001fffd", True),
        ("\U0001fffe", False),
        ("\U000e0fff", False),
        ("\U000e1000", True),
        ("\ud800", False),
        ("a\u202eb", False),
        ("\u200f", False),
        ("a b", False),
    ],
)
def test_what_an_iri_reference_may_hold(text: str, is_iri: bool) -> None:
    """RFC 3987, sections 2.2 and 4.1."""
    try:
        parse_iri_reference(text)
    except LegacyURLError:
        assert not is_iri
    else:
        assert is_iri


@given(st.text(max_size=6))
def test_what_is_escaped_can_stand_there(text: str) -> None:
    """For each component that is escaped anywhere."""
    text = text.encode("utf-8", "replace").decode()
    for component, prefix in (("host", "//"), ("path", "/"), ("query", "?"), ("fragment", "#")):
        escaped = URI.escape(component, text)
        if not escaped.startswith("/"):
            assert str(URI.parse(prefix + escaped)) == prefix + escaped


def test_a_grammar_can_be_widened() -> None:
    """By what is unreserved, by "%" alone, and by "#" in fragments."""
    wide = Grammar("a-z<", lone_percent=True, hash_in_fragment=True)
    assert str(wide.parse("a<%#<%#")) == "a<%#<%#"
    with pytest.raises(LegacyURLError):
        wide.parse("//%")
