"""`weburl.standard.url.value` writes components as text."""

from __future__ import annotations

import pytest

from weburl.standard.url.value import serialize_path, serialize_url

Path = tuple[str, ...] | str


def serialized(
    scheme: str = "foo",
    *,
    username: str = "",
    password: str = "",
    host: str | None = None,
    port: int | None = None,
    path: Path = "",
    query: str | None = None,
    fragment: str | None = None,
) -> str:
    """Return the text of a URL with only these components."""
    text = serialize_path(path)
    return serialize_url(scheme, username, password, host, port, text, query, fragment)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), ""),
        (("",), "/"),
        (("a",), "/a"),
        (("a", ""), "/a/"),
        (("", ""), "//"),
        (("", "a", "b"), "//a/b"),
        ("", ""),
        ("a/b", "a/b"),
        (" a", " a"),
    ],
)
def test_every_segment_of_a_path_has_a_slash_before_it(path: Path, expected: str) -> None:
    """An opaque path is already text."""
    assert serialize_path(path) == expected


@pytest.mark.parametrize(
    ("username", "password", "expected"),
    [
        ("", "", "https://h/"),
        ("u", "", "https://u@h/"),
        ("", "p", "https://:p@h/"),
        ("u", "p", "https://u:p@h/"),
    ],
)
def test_credentials_have_a_colon_only_before_a_password(
    username: str, password: str, expected: str
) -> None:
    """They have an at sign only if they are not empty."""
    assert (
        serialized("https", username=username, password=password, host="h", path=("",)) == expected
    )


@pytest.mark.parametrize(
    ("host", "port", "expected"),
    [
        (None, None, "foo:/a"),
        ("", None, "foo:///a"),
        ("h", None, "foo://h/a"),
        ("[::1]", 0, "foo://[::1]:0/a"),
        ("h", 65535, "foo://h:65535/a"),
    ],
)
def test_a_host_that_is_not_null_has_two_slashes(
    host: str | None, port: int | None, expected: str
) -> None:
    """An empty host has them too, and port 0 is written."""
    assert serialized(host=host, port=port, path=("a",)) == expected


@pytest.mark.parametrize(
    ("host", "path", "expected"),
    [
        (None, ("", "a"), "foo:/.//a"),
        (None, ("", ""), "foo:/.//"),
        (None, ("", "", ""), "foo:/.///"),
        (None, ("",), "foo:/"),
        (None, ("a", ""), "foo:/a/"),
        (None, (), "foo:"),
        ("", ("", "a"), "foo:////a"),
        ("h", ("", "a"), "foo://h//a"),
    ],
)
def test_a_dot_keeps_an_empty_first_segment_from_being_read_as_a_host(
    host: str | None, path: Path, expected: str
) -> None:
    """The dot is written only if there is no host, and another segment follows."""
    assert serialized(host=host, path=path) == expected


@pytest.mark.parametrize(
    ("query", "fragment", "expected"),
    [
        (None, None, "foo:a"),
        ("", None, "foo:a?"),
        (None, "", "foo:a#"),
        ("", "", "foo:a?#"),
        ("q?", "f#", "foo:a?q?#f#"),
    ],
)
def test_an_empty_query_and_an_empty_fragment_keep_their_delimiters(
    query: str | None, fragment: str | None, expected: str
) -> None:
    """A query or fragment that is null has no delimiter."""
    assert serialized(path="a", query=query, fragment=fragment) == expected


def test_all_components_are_in_the_standards_order() -> None:
    """One URL has all of them."""
    text = serialized(
        "https",
        username="u",
        password="p",
        host="h",
        port=1,
        path=("a", "b"),
        query="q",
        fragment="f",
    )
    assert text == "https://u:p@h:1/a/b?q#f"
