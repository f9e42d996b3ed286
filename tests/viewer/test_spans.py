"""Tests of the colours: what is called a part is what the parser made the part of."""

from __future__ import annotations

import json

import pytest

import weburl
from tests.wpt import wpt_path
from weburl.standard.infra.schemes import DEFAULT_PORTS
from weburl.standard.infra.strings import remove_tabs_and_newlines
from weburl.viewer.spans import spans


def texts(text: str, base: str | None = None) -> dict[str, str]:
    """Return the parts of a text as texts."""
    record = None if base is None else weburl.parse(base)
    return {span.part: text[span.start : span.end] for span in spans(text, record)}


@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        (
            "https://u:p@h:1/a?b#c",
            None,
            {
                "scheme": "https",
                "username": "u",
                "password": "p",
                "host": "h",
                "port": "1",
                "path": "/a",
                "query": "b",
                "fragment": "c",
            },
        ),
        ("  https:\\\\a@b@h\\c ", None,
         {"scheme": "https", "username": "a@b", "host": "h", "path": "\\c"}),
        ("ht\ntp://[::1]:8\t0", None, {"scheme": "ht\ntp", "host": "[::1]", "port": "8\t0"}),
        ("https:a/b", "https://h/c/", {"scheme": "https", "path": "a/b"}),
        ("https:a/b", "http://h/c/", {"scheme": "https", "host": "a", "path": "/b"}),
        ("\\/h/b", "http://h/c/", {"host": "h", "path": "/b"}),
        ("\\/h/b", "foo://h/c/", {"path": "\\/h/b"}),
        ("//C|/x", "file:///d", {"path": "C|/x"}),
        ("file://h:1/x", None, {"scheme": "file", "host": "h:1", "path": "/x"}),
        ("mailto:a@b?c", None, {"scheme": "mailto", "path": "a@b", "query": "c"}),
        ("foo:///x", None, {"scheme": "foo", "host": "", "path": "/x"}),
        ("#f", "mailto:x", {"fragment": "f"}),
        ("?q", "https://h", {"query": "q"}),
        ("no base", None, {}),
        ("\ud83d\ude00:x", "https://h", {"path": "\ud83d\ude00:x"}),
        ("https://h/\ud83d\ude00?\ud800#\udc00", None,
         {"scheme": "https", "host": "h", "path": "/\ud83d\ude00", "query": "\ud800",
          "fragment": "\udc00"}),
        ("", None, {}),
    ],
)  # fmt: skip
def test_the_parts_of(text: str, base: str | None, expected: dict[str, str]) -> None:
    """Delimiters belong to nobody."""
    assert texts(text, base) == expected


def test_they_are_what_the_parser_reads_in_every_case_of_web_platform_tests() -> None:
    """Each piece alone gives the component of the record that it is named for."""
    count = 0
    for case in json.loads(wpt_path("urltestdata.json").read_text(encoding="utf-8")):
        if isinstance(case, str):
            continue
        text, base_text = case["input"], case["base"]
        base = None if base_text is None else weburl.parse(base_text)
        found = spans(text, base)
        edges = [edge for span in found for edge in (span.start, span.end)]
        assert edges == sorted(edges) and all(0 <= edge <= len(text) for edge in edges), text
        if case.get("failure"):
            continue
        count += 1
        record = weburl.parse(text, base)
        part = {s.part: remove_tabs_and_newlines(text[s.start : s.end]) for s in found}
        assert ("fragment" in part) == (record.fragment is not None), text
        if "query" in part:
            assert record.query is not None, text
        else:
            assert record.query in {None, base and base.query}, text
        if "host" in part:  # Without one, its base has what there is.
            assert bool(part.get("username")) == bool(record.username), text
            assert bool(part.get("password")) == bool(record.password), text
        if "scheme" in part:
            assert part["scheme"].lower() == record.scheme, text
        if part.get("host"):
            assert weburl.parse(f"{record.scheme}://{part['host']}/").host == record.host, text
        if part.get("port"):
            default = DEFAULT_PORTS.get(record.scheme)
            expected = default if record.port is None else record.port
            assert int(part["port"]) == expected, text
    assert count > 550
