"""Tests of a pattern in the viewer: what matches and what does not, errors, and bounds."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlencode

import pytest

from weburl import URLPattern, parse
from weburl.viewer import ViewerRequest, ViewerResponse, report, respond
from weburl.viewer.report import MAX_PATTERN, MAX_PRODUCT, matching, takes_linear_time
from weburl.viewer.view import GROUPS_SHOWN


def get(**query: str) -> ViewerResponse:
    """Ask for the page."""
    return respond(ViewerRequest("GET", "", urlencode(query)))


def section(page: ViewerResponse) -> str:
    """Return the text of the section about the pattern."""
    found = re.search('<section class="pattern".*?</section>', page.body.decode(), re.DOTALL)
    assert found is not None
    return unescape(re.sub("<[^>]*>", " ", found[0]))


def found_for(pattern: str, url: str, base: str | None = None) -> Any:
    """Return what the report says of a pattern."""
    return report(url, base, pattern=pattern)["pattern"]


def test_every_component_is_shown_with_its_groups() -> None:
    """The pattern, what the URL has there, and whether it matches."""
    found = found_for("https://*.example.com/users/:id", "https://a.example.com/users/7?x")
    assert found["matches"] is True and found["error"] is None
    by_name = {each["name"]: each for each in found["components"]}
    assert list(by_name) == [
        "protocol", "username", "password", "hostname", "port", "pathname", "search", "hash",
    ]  # fmt: skip
    assert by_name["pathname"] == {
        "name": "pathname",
        "pattern": "/users/:id",
        "input": "/users/7",
        "matches": True,
        "groups": [["id", "7"]],
    }
    assert by_name["search"]["pattern"] == "*"


def test_the_components_that_do_not_match_are_named() -> None:
    """And only these."""
    found = found_for("https://*.example.com/users/:id", "http://a.example.com/user")
    wrong = [each["name"] for each in found["components"] if not each["matches"]]
    assert wrong == ["protocol", "pathname"]
    assert found["matches"] is False
    page = get(url="http://a.example.com/user", pattern="https://*.example.com/users/:id")
    assert "The URL does not match: see protocol, pathname." in section(page)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("https://example.com/:a?/b", "https://example.com/b"),
        ("https://example.com/*", "https://example.org/"),
        ("data\\:*", "data:x"),
        ("https://[\\:\\:1]/", "https://[::1]"),
    ],
)
def test_it_says_what_the_pattern_says(pattern: str, url: str) -> None:
    """The same as `URLPattern.exec`."""
    result = URLPattern(pattern).exec(url)
    found = found_for(pattern, url)
    assert found["matches"] is (result is not None)
    if result is not None:
        for each in found["components"]:
            component = getattr(result, each["name"])
            assert each["input"] == component.input
            assert dict(each["groups"]) == dict(component.groups)


def test_the_base_is_that_of_the_pattern_too() -> None:
    """As `new URLPattern(pattern, base)` in a browser."""
    found = found_for("c/:b", "../a/c/x", "https://example.com/a/")
    assert found["pattern"] == "https://example.com/a/c/:b"
    assert found["matches"] is True


def test_an_error_has_its_place() -> None:
    """In the text of the component, with what was expected."""
    error = found_for("https://example.com/{:id", "https://example.com/7")["error"]
    assert error["component"] == "pathname"
    assert error["input"] == "/{:id" and error["start"] == error["end"] == 5
    page = get(url="https://example.com/", pattern="https://example.com/:a/:a")
    assert "In the pathname: " in section(page)
    assert re.search("/:a/<mark>:a</mark></p>", page.body.decode())


def test_an_error_shows_no_password() -> None:
    """The page of a pattern with credentials has no address, and its errors are masked."""
    page = get(url="https://example.com/", pattern="https://u:secret@example.com/{")
    assert "secret" not in section(page)
    sent = urlencode({"url": "https://h/", "pattern": "https://u:secret@example.com/"}).encode()
    kind = "application/x-www-form-urlencoded"
    answer = respond(ViewerRequest("POST", "", "", kind, len(sent), lambda _length: sent))
    assert answer.status == "200 OK"
    assert "because it may contain a password" in answer.body.decode()


@pytest.mark.parametrize("regexp", ["(^a+)", "((?=a)a+)", "(\\ba)"])
def test_what_could_take_exponential_time_is_not_run(regexp: str) -> None:
    """The reason is shown instead."""
    pattern = f"https://example.com/{regexp}"
    assert not takes_linear_time(URLPattern(pattern))
    found = found_for(pattern, "https://example.com/a")
    assert found["matches"] is None
    assert "not run here" in found["error"]["message"]
    assert takes_linear_time(URLPattern("https://example.com/(a+)/:b"))


def test_long_texts_are_not_matched() -> None:
    """Neither a long pattern, nor a long URL with a pattern of some length."""
    assert "longer than" in found_for("/" * (MAX_PATTERN + 1), "https://h/")["error"]["message"]
    record = parse(f"https://h/{'a' * (MAX_PRODUCT // 20)}")
    error = matching("https://h/:a-:b-:c-:d", None, record)["error"]
    assert "too long" in error["message"]


def test_the_page_shows_a_bounded_part() -> None:
    """Of many groups."""
    pattern = "https://h/" + "".join(f":a{number}-" for number in range(GROUPS_SHOWN + 10))
    page = get(url="https://h/" + "x-" * (GROUPS_SHOWN + 10), pattern=pattern)
    assert "… and 10 more" in section(page)


def test_a_url_that_does_not_parse_is_not_matched() -> None:
    """The pattern is still read."""
    assert "There is no URL to match." in section(get(url="nope", pattern="https://h/"))
    assert "A relative pattern" in section(get(url="nope", pattern="/a"))


def test_without_a_pattern_nothing_is_shown() -> None:
    """Neither a section nor a key with a value."""
    assert b'class="pattern"' not in get(url="https://h/").body
    assert report("https://h/")["pattern"] is None


def test_a_form_keeps_its_pattern() -> None:
    """In the address, with its backslashes, whether escapes are read or not."""
    pairs = [("url", "https://h/\\n"), ("pattern", "https://h\\:80/\\d"), ("escapes", "1")]
    sent = urlencode(pairs).encode()
    kind = "application/x-www-form-urlencoded"
    answer = respond(ViewerRequest("POST", "", "", kind, len(sent), lambda _length: sent))
    location = dict(answer.headers)["Location"]
    assert parse_qs(location[1:])["pattern"] == ["https://h\\:80/\\d"]
    assert "https://h\\:80/\\d</textarea>" in get(**dict(pairs)).body.decode()


@pytest.mark.parametrize(
    "attack", ["</textarea><script>x</script>", "https://h/<script>", '"><img src=x>', "\ud800("]
)
def test_a_pattern_never_becomes_html(attack: str) -> None:
    """Neither in the field nor in an error."""
    body = {"url": "https://h/", "pattern": attack}
    sent = json.dumps(body).encode()
    answer = respond(
        ViewerRequest(
            "POST", "report.json", "", "application/json", len(sent), lambda _length: sent
        )
    )
    assert answer.status == "200 OK"
    page = get(url="https://h/", pattern=attack.replace("\ud800", "\ufffd")).body.decode()
    assert "<script>" not in page and "<img" not in page
