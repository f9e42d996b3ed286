"""Tests of what the viewer answers: pages without scripts, JSON, headers, and refusals."""

from __future__ import annotations

import io
import json
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, urlencode

import attrs
import pytest

from weburl.lookalikes import Reason
from weburl.viewer import SiteLink, ViewerRequest, ViewerResponse, respond
from weburl.viewer.report import ATTRIBUTES
from weburl.viewer.responding import CONTENT_SECURITY_POLICY, MAX_BATCH, MAX_BODY
from weburl.viewer.state import EXAMPLES, State

ATTACKS = (
    "https://h/<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</textarea><script>alert(1)</script>",
    "javascript:alert(1)",
    "https://h/?<b>=</td><script>",
    "'\"&<>`",
)


def get(path: str = "", **query: str) -> ViewerResponse:
    """Ask for a page."""
    return respond(ViewerRequest("GET", path, urlencode(query)))


def post(path: str, body: bytes, kind: str = "application/json", site: str = "") -> ViewerResponse:
    """Send something."""
    read = io.BytesIO(body).read
    return respond(ViewerRequest("POST", path, "", kind, len(body), read, site))


def ask(value: Any, path: str = "report.json") -> Any:
    """Send JSON, and return what is answered."""
    response = post(path, json.dumps(value).encode())
    assert response.status == "200 OK", response.body
    return json.loads(response.body)


def send(*pairs: tuple[str, str]) -> ViewerResponse:
    """Send the form, as a browser does without scripts."""
    return post("", urlencode(pairs).encode(), "application/x-www-form-urlencoded")


def located(response: ViewerResponse) -> dict[str, str]:
    """Return what the address holds to which a form was answered."""
    assert response.status == "303 See Other"
    location = dict(response.headers)["Location"]
    assert location.startswith("?")
    return dict(parse_qsl(location[1:], keep_blank_values=True))


@pytest.mark.parametrize("path", ["", "list", "static/viewer.css", "static/viewer.js", "nothing"])
def test_every_answer_forbids_what_it_does_not_need(path: str) -> None:
    """No inline script or style, nothing from elsewhere, no HTML out of a script."""
    response = get(path)
    headers = dict(response.headers)
    assert headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert "default-src 'none'" in CONTENT_SECURITY_POLICY
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    if headers["Content-Type"].startswith("text/html"):
        html = response.body.decode()
        assert not re.search(
            r"<style| style=|<script(?! type=\"module\" src=\"static/)| on\w+=", html
        )
        assert not re.search(r'(src|href)="(https?:)?//', html)


def test_the_address_shows_a_case_without_scripts() -> None:
    """Everything but the column of the browser, which is hidden."""
    html = get(url="HTTPS://Bücher.example:443/a\\b?q=1#f").body.decode()
    text = unescape(re.sub(r"<[^>]+>", "", html))
    assert "This opens bücher.example." in text
    assert "1 validation error: invalid-reverse-solidus." in text
    assert "invalid-reverse-solidus" in text
    assert "https://xn--bcher-kva.example/a/b?q=1#f" in text
    assert "Yes: it does not mislead anyone." in text
    assert "urllib.parse" in text
    assert '<span class="part host">Bücher.example</span>' in html
    assert '<mark class="part path">\\</mark>' in html
    cells = re.findall(r"<t[hd][^>]*data-browser[^>]*>", html)
    assert len(cells) == 1 + len(ATTRIBUTES)
    assert all(" hidden" in cell for cell in cells)


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_text_is_data(attack: str) -> None:
    """In the fields, in every part, in the errors and in the title."""
    for query in (
        {"url": attack},
        {"url": attack, "base": "https://h/"},
        {"url": "x", "base": attack},
    ):
        html = get(**query).body.decode()
        assert not re.search(r"<(script(?! type)|img|b>)", html)
        fields = re.findall(r"<textarea[^>]*>\n(.*?)</textarea>", html, re.DOTALL)
        assert [unescape(field) for field in fields[:2]] == [query["url"], query.get("base", "")]
        assert 'href="javascript' not in html


def test_a_form_is_answered_by_the_address_that_shows_the_same() -> None:
    """So that a reload sends nothing, and the address can be given to somebody."""
    state = {"url": "../x?ä=1", "base": "https://h/a/"}
    assert located(send(*state.items())) == state
    assert located(send(("url", ""), ("base", ""))) == {}
    assert located(send(("url", "a\r\nb"), ("base", ""))) == {"url": "a\nb"}


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("https://user:s3cret@h/", ""),
        ("x", "https://user:s3cret@h/"),
        ("https://h/" + "a" * 9000, ""),
        ("https://h/" + "ä" * 3000, ""),
    ],
)
def test_no_address_carries_a_password_or_what_is_too_long(url: str, base: str) -> None:
    """The form is answered by the page itself, which says so."""
    response = send(("url", url), ("base", base))
    assert response.status == "200 OK"
    assert "The address of this page leaves this URL out" in response.body.decode()
    answer = ask({"url": url, "base": base})
    assert answer["address"] is None and answer["note"]
    assert "s3cret" not in re.sub(r"(?s)<main.*", "", response.body.decode())


def test_escapes_carry_what_no_address_can() -> None:
    """A lone surrogate and NUL, as people write them and as they come."""
    answer = ask({"url": r"https://h/\ud800\0", "base": "", "escapes": True})
    assert answer["report"]["input"] == "https://h/\ud800\0"
    assert dict(parse_qsl(answer["address"][1:]))["url"] == r"https://h/\ud800\0"
    html = get(url=r"https://h/\ud800\0", escapes="1").body.decode()
    assert "U+D800" in html and "checked" in html
    answer = ask({"url": "https://h/\ud800"})
    assert dict(parse_qsl(answer["address"][1:])) == {"url": r"https://h/\ud800", "escapes": "1"}


def test_the_query_is_edited_without_scripts() -> None:
    """Rows are changed, added and removed."""
    rows = [("url", "https://h?a=1&b=2#f"), ("base", "")]
    rows += [("name", "a"), ("value", "9"), ("row", "0")]
    rows += [("name", "b"), ("value", "2"), ("row", "1")]
    rows += [("name", ""), ("value", ""), ("row", "")]
    assert located(send(*rows)) == {"url": "https://h?a=9&b=2#f"}
    assert located(send(*rows, ("remove", "1"))) == {"url": "https://h?a=9#f"}
    rows[-3:] = [("name", "c"), ("value", "ä b"), ("row", "")]
    assert located(send(*rows)) == {"url": "https://h?a=9&b=2&c=%C3%A4+b#f"}


def test_the_query_is_edited_by_a_script() -> None:
    """The answer brings the text for the field."""
    asked = {
        "url": "https://h?a=1",
        "base": "",
        "rows": [["a", "2", "0"], ["b", "", ""], ["", "", ""]],
    }
    answer = ask(asked)
    assert answer["state"] == {
        "url": "https://h?a=2&b=",
        "base": "",
        "escapes": False,
        "pattern": "",
    }
    assert answer["report"]["search_params"] == [["a", "2"], ["b", ""]]


def test_a_batch_is_answered_in_order() -> None:
    """By the attributes, or null."""
    answers = ask([["HTTP://H:80", None], ["x", None], ["x", "https://h/a"]], "batch.json")
    assert [answer and answer[0] for answer in answers] == ["http://h/", None, "https://h/x"]


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("report.json", b"", 400),
        ("report.json", b"[]", 400),
        ("report.json", b"\xff", 400),
        ("report.json", b'{"url": 1}', 400),
        ("report.json", b'{"url": "x", "rows": 1}', 400),
        ("report.json", b'{"url": "x", "rows": [["a"]]}', 400),
        ("report.json", b"[" * 100_000, 400),
        ("batch.json", b"{}", 400),
        ("batch.json", b"[1]", 400),
        ("batch.json", b'[["x"]]', 400),
        ("batch.json", json.dumps([["x", None]] * (MAX_BATCH + 1)).encode(), 400),
        ("list", b"", 405),
        ("nothing", b"", 404),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(path: str, body: bytes, status: int) -> None:
    """With the status for it."""
    response = post(path, body)
    assert int(response.status.split()[0]) == status
    assert b"<main" in response.body


def test_other_sites_and_other_types_are_refused() -> None:
    """A page elsewhere cannot make this machine work."""
    body = b'{"url": "https://h"}'
    assert post("report.json", body, site="cross-site").status.startswith("403")
    assert post("report.json", body, site="same-site").status.startswith("403")
    assert post("report.json", body, site="same-origin").status.startswith("200")
    assert post("report.json", body, kind="text/plain").status.startswith("415")


def test_a_body_that_is_too_large_is_not_read() -> None:
    """The size that is announced counts."""
    request = ViewerRequest(
        "POST", "report.json", "", "application/json", MAX_BODY + 1,
        lambda _size: pytest.fail("it was read"),
    )  # fmt: skip
    assert respond(request).status.startswith("413")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "../responding.py",
        "..\\page.py",
        "none.css",
        "/etc/passwd",
        "%2e%2e/x.js",
        "a" * 300 + ".css",
        "\0.css",
        "\ud800.css",
    ],
)
def test_no_other_file_is_served(name: str) -> None:
    """But those in one folder."""
    assert get(f"static/{name}").status.startswith("404")


def test_a_head_has_no_body_and_links_lead_to_other_pages() -> None:
    """As a GET otherwise."""
    assert respond(ViewerRequest("HEAD", "")).body == b""
    assert respond(ViewerRequest("HEAD", "")).headers == get().headers
    html = respond(
        ViewerRequest("GET", ""), links=[SiteLink("Home & more", "/a?b&c")]
    ).body.decode()
    assert '<a href="/a?b&amp;c">Home &amp; more</a>' in html


@pytest.mark.parametrize(
    "text",
    ["\0", "\r\n", "a" * 300_000, "https://h/?" + "a=b&" * 5000, "https://h/\ud800" * 1000,
     " " * 100_000, "https://" + "%" * 50_000],
)  # fmt: skip
def test_any_text_is_shown(text: str) -> None:
    """Shortened where it is long."""
    answer = ask({"url": text})
    assert answer["report"]["input"] == text
    assert len(json.dumps(answer["results"])) < 400_000


@pytest.mark.parametrize(
    "pairs",
    [
        [("row", "1")],
        [("name", "a"), ("row", "1")],
        [("name", "a"), ("value", "b"), ("row", "0"), ("row", "1")],
        [("name", "a"), ("value", "b"), ("row", "1" * 5000)],
    ],
)
def test_a_form_with_a_wrong_row_is_refused(pairs: list[tuple[str, str]]) -> None:
    """A row needs a name and a value, and a short index."""
    assert send(("url", "https://h/?a=b"), *pairs).status == "400 Bad Request"
    rows = [["a", "b", "1" * 5000]]
    body = json.dumps({"url": "https://h/?a=b", "rows": rows}).encode()
    assert post("report.json", body).status == "400 Bad Request"


@pytest.mark.parametrize("unit", ["<", "a=b&", "\u00e9", "a/", "\u202e", "\t<", "<=&", "\u05d0."])
def test_of_a_long_text_a_page_shows_the_start_and_says_how_much_is_left_out(unit: str) -> None:
    """Otherwise 5 MB made a page of 60 MB, which took 17 seconds."""
    text = f"https://h/?{unit * (400_000 // len(unit))}"
    answer = ask({"url": text})
    shown = json.dumps([answer["results"], answer["query"]])
    assert len(shown) < 200_000
    assert "more characters" in shown
    assert "too many to edit here" in shown


def test_all_errors_that_a_report_holds_can_be_read() -> None:
    """The first fifty are shown, others can be opened, and the rest is listed by kind."""
    answer = ask({"url": "https://h/" + "|" * 300})
    first, rest, by_kind = errors_shown(answer)
    assert (len(first[2]), rest[0], rest[1]) == (50, "details", {})
    summary, others = rest[2]
    assert summary[2] == ["150 more"]
    assert (others[1], len(others[2])) == ({"start": "51"}, 150)
    summary, kinds = by_kind[2]
    assert summary[2] == ["100 more, by kind"]
    [(link, where)] = [item[2] for item in kinds[2]]
    assert link[2] == ["invalid-URL-unit"]
    places = where[2][0].removeprefix(" at ").split(", ")
    assert (places[0], places[-1], len(places)) == ("210–211", "309–310", 100)


def test_a_page_of_very_many_errors_is_short() -> None:
    """It lists the thousand that a report holds, and says when the others are."""
    answer = ask({"url": "https://h/" + "|[ " * 50_000})
    *_, by_kind, left = errors_shown(answer)
    places = [item[2][1][2][0] for item in by_kind[2][1][2]]
    assert sum(text.count(",") + 1 for text in places) == 800
    assert left[2] == [
        "… and 149,000 more, which are listed when some of these 1,000 are corrected."
    ]
    assert len(json.dumps(answer["results"])) < 200_000


def errors_shown(answer: Any) -> list[Any]:
    """Return what the section of the errors has after its heading."""
    [errors] = [each for each in answer["results"] if each[1]["class"] == "errors"]
    return list(errors[2][1:])


def test_right_to_left_words_keep_their_place() -> None:
    """Each is in an element of its own, so that the path does not come before the host."""
    text = "https://\u05d0\u05d1.\u05d2\u05d3/\u05d4\u05d5?q=\u05d6"
    page = get(url=text).body.decode()
    words = ["\u05d0\u05d1", "\u05d2\u05d3", "\u05d4\u05d5", "\u05d6"]
    shown = "https://<bdi>{}</bdi>.<bdi>{}</bdi>/<bdi>{}</bdi>?q=<bdi>{}</bdi>".format(*words)
    assert f'<bdi dir="ltr">{shown}</bdi>' in page
    assert f'<span dir="ltr"><bdi>{words[0]}</bdi>.<bdi>{words[1]}</bdi></span>' in page
    assert f'<span class="part host"><bdi>{words[0]}</bdi>.<bdi>{words[1]}</bdi></span>' in page


def test_a_host_that_could_be_mistaken_is_not_called_correct() -> None:
    """Its letters are valid, and those of another script."""
    page = get(url="https://\u0430\u0440\u0440\u04cf\u0435.com/").body.decode()
    headline = re.findall(r'<p class="verdict">(.*?)</p>', page)
    assert [re.sub("<[^>]+>", "", line) for line in headline] == [
        "This opens xn--80ak6aa92e.com, which looks like apple.com."
    ]
    assert Reason.READS_AS_LATIN.sentence in page
    assert " It reads as <code>apple</code>." in page


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            r"https://user:p%40ss@good.example\@evil.example:443/a",
            ["This opens good.example.",
             "2 validation errors: invalid-credentials, invalid-reverse-solidus.",
             "another host: evil.example."],
        ),
        ("https://h:8080/", ["This opens h:8080.", "No validation errors.", "same host"]),
        ("https://exa mple.com/", ["Not a URL: nothing opens it.", "contains a space"]),
        ("mailto:a@h", ["This mailto: URL has no host."]),
        ("ftp://h/", ["The host of this ftp: URL is h."]),
        ("https://h/\ud800", ["1 validation error: invalid-URL-unit."]),
    ],
)  # fmt: skip
def test_the_first_lines_say_what_opens_and_what_is_wrong(text: str, lines: list[str]) -> None:
    """In the report's order; screen readers get the same as one text."""
    said = ask({"url": text})["verdict"]
    places = [said.find(line) for line in lines]
    assert -1 not in places, said
    assert places == sorted(places)


@pytest.mark.parametrize("state", [state for _, state in EXAMPLES])
def test_every_example_has_an_address_that_shows_it(state: State) -> None:
    """Also those whose text looks like a password; all other text with one has none."""
    address = state.address
    assert address.query is not None and address.note == ""
    assert State.of_pairs(parse_qsl(address.query[1:])) == state
    other = attrs.evolve(state, url=f"https://me:s3cret@h/{len(state.url)}")
    assert other.address.query is None


def test_readers_that_agree_share_a_row() -> None:
    """The name of the standard comes first."""
    page = get(url="https://example.com/").body.decode()
    [readers] = re.findall('<table class="readers">.*?</table>', page)
    assert readers.count("<tr") == 2
    assert ">URL Standard, URL Standard of 2020, RFC 3986" in readers
