"""Tests of the report: it says what the public functions say."""

from __future__ import annotations

import json

import pytest

import weburl
from weburl.lookalikes import Reason
from weburl.viewer import Stored, report
from weburl.viewer.report import attributes, attributes_of

HOSTILE = (
    "",
    " ",
    "\0",
    "https://\ud800/",
    "https://h/\ud800?\udfff#\0",
    "https://[",
    "https://" + "a." * 3000,
    "https://h/" + "%" * 3000,
    "x" * 50 + ":",
    "https://h/?" + "&=" * 3000,
    "\u202ehttps://moc.elpmaxe",
    "blob:https://h/x",
    "https://xn--a/",
    "https://h:99999/",
)


def test_the_attributes_are_those_of_the_web_interface() -> None:
    """In the order of the page, or none for text that does not parse."""
    found = attributes_of("//u:p@H:8/a?b=c#d", "https://x/")
    assert found == (
        *("https://u:p@h:8/a?b=c#d", "https://h:8", "https:", "u", "p", "h:8", "h", "8", "/a"),
        *("?b=c", "b=c", "#d"),
    )
    assert attributes_of("//h:x/", "https://x/") is None


def test_a_report_holds_everything_that_is_shown() -> None:
    """As plain values."""
    found = report("HTTPS://Bücher.co.uk:443/a/../b?q=ä&q=2#x")
    href = "https://xn--bcher-kva.co.uk/b?q=%C3%A4&q=2#x"
    assert found["attributes"]["href"] == found["stored"]["text"] == href
    assert found["stored"]["length"] == len(href)
    assert found["search_params"] == [["q", "ä"], ["q", "2"]]
    assert found["validation"]["parses"] and found["validation"]["error_count"] == 0
    assert found["identity"] == {
        "origin": "https://xn--bcher-kva.co.uk",
        "site": "https://xn--bcher-kva.co.uk",
        "host": {
            "kind": "Domain",
            "ascii": "xn--bcher-kva.co.uk",
            "unicode": "bücher.co.uk",
            "shown": "bücher.co.uk",
            "may_be_shown_in_unicode": True,
            "suspicions": [],
            "public_suffix": "co.uk",
            "registrable_domain": "xn--bcher-kva.co.uk",
        },
    }
    record = weburl.parse(href)
    assert found["rendered"] == [
        {"max_length": width, "text": weburl.render(record, max_length=width)}
        for width in (20, 40, 80)
    ]
    readers = [each["reader"] for each in found["readings"]["readings"]]
    assert readers[:4] == ["URL Standard", "URL Standard of 2020", "RFC 3986", "urllib.parse"]


def test_a_host_that_misleads_may_not_be_shown_in_unicode() -> None:
    """Cyrillic letters in place of Latin ones."""
    host = report("https://раураl.example/")["identity"]["host"]
    assert host["unicode"] == "раураl.example"
    assert host["shown"] == host["ascii"]
    assert not host["may_be_shown_in_unicode"]
    assert host["suspicions"] == [
        {
            "label": host["ascii"].partition(".")[0],
            "reason": "mixed-scripts",
            "is_warning": True,
            "sentence": Reason.MIXED_SCRIPTS.sentence,
            "characters": "рау",
            "reads_as": "paypal",
        }
    ]


def test_a_base_is_joined_or_is_what_the_errors_are_about() -> None:
    """The readers are asked about the joined URL."""
    found = report("../b", "https://h/x/y")
    assert found["attributes"]["href"] == found["readings"]["text"] == "https://h/b"
    found = report("../b", "nothing")
    assert found["attributes"] is None
    assert found["validation"]["is_about_base"]
    assert [e["type"] for e in found["validation"]["errors"]] == ["missing-scheme-non-relative-URL"]


def test_the_field_says_what_would_be_stored() -> None:
    """It gets the text as typed, or the joined URL."""
    asked = []

    def field(text: str) -> Stored:
        asked.append(text)
        return Stored(None, ("No.",))

    found = report("example.com", None, field)
    assert found["stored"] == {
        "text": None, "length": None, "messages": ["No."], "by_field": True,
    }  # fmt: skip
    report("b", "https://h/a", field)
    assert report("b", "nothing", field)["stored"]["messages"] == []
    assert asked == ["example.com", "https://h/b"]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("base", [None, "https://example.com/a?b#c", "mailto:x", "\ud800"])
def test_any_text_has_a_report_that_json_can_hold(text: str, base: str | None) -> None:
    """And each attribute is what a record has."""
    found = report(text, base)
    assert json.loads(json.dumps(found)) == found
    if found["attributes"] is not None:
        assert tuple(found["attributes"].values()) == attributes(weburl.parse(text, base))
