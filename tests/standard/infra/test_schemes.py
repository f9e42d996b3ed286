"""Tests of `infra.schemes`, with the table and everything that restates it.

`tests/django/test_one_more_scheme.py` shows that the whole package follows the table.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

import weburl
from tests.reference.machine import basic_url_parse
from tests.reference.outcomes import FAILURE
from tests.reference.records import SPECIAL_SCHEMES as SCHEMES_OF_THE_ORACLE
from tests.reference.serializing import origin as origin_of_the_oracle
from weburl import SPECIAL_SCHEMES, Scheme, default_port
from weburl.standard.infra.code_point_regexes import SCHEME
from weburl.standard.infra.schemes import (
    DEFAULT_PORTS,
    ENCODING_KEEPING_SCHEMES,
    TUPLE_ORIGIN_SCHEMES,
)

SEE: Final = "see CONTRIBUTING.md, How to add."

# The table as the standard of today has it: default port, tuple origin, encoding of the document.
SNAPSHOT: Final = {
    "http": (80, True, True),
    "https": (443, True, True),
    "ws": (80, True, False),
    "wss": (443, True, False),
    "ftp": (21, True, True),
    "file": (None, False, True),
}


def test_the_table_is_the_standards() -> None:
    """It has the six special schemes of the standard."""
    found = {
        scheme.name: (scheme.default_port, scheme.has_tuple_origin, scheme.keeps_encoding)
        for scheme in SPECIAL_SCHEMES.values()
    }
    assert found == SNAPSHOT, f"The table of special schemes changed. If it should, {SEE}"


def test_the_oracle_has_the_same_special_schemes() -> None:
    """The literal state machine has its own table, so that it does not share our mistakes."""
    ports = {scheme.name: scheme.default_port for scheme in SPECIAL_SCHEMES.values()}
    assert ports == SCHEMES_OF_THE_ORACLE, (
        f"tests/reference/records.py has other special schemes: {SEE}"
    )


@pytest.mark.parametrize("scheme", SPECIAL_SCHEMES.values(), ids=str)
def test_the_oracle_agrees_about_each_scheme(scheme: Scheme) -> None:
    """The machine's origin and query are those that the table predicts."""
    record = basic_url_parse(f"{scheme.name}://h/?é", encoding="windows-1252")
    assert record is not FAILURE
    assert (origin_of_the_oracle(record) is not None) == scheme.has_tuple_origin, (
        f"`origin` in tests/reference/serializing.py disagrees about {scheme.name!r}: {SEE}"
    )
    assert (record.query == "%E9") == scheme.keeps_encoding, (
        f"`query_state` in tests/reference/machine.py disagrees about {scheme.name!r}: {SEE}"
    )


@pytest.mark.parametrize("scheme", SPECIAL_SCHEMES.values(), ids=str)
def test_the_parser_follows_the_table(scheme: Scheme) -> None:
    """It uses the default port, the origin and the encoding of the table."""
    record = weburl.parse(f"{scheme.name}:\\\\EXAMPLE.com/?é", encoding="windows-1252")
    assert record.is_special
    assert str(record.host) == "example.com"
    assert (record.origin != "null") == scheme.has_tuple_origin
    assert record.query == ("%E9" if scheme.keeps_encoding else "%C3%A9")
    if scheme.default_port is not None:
        assert weburl.parse(f"{scheme.name}://h:{scheme.default_port}/").port is None
        assert weburl.parse(f"{scheme.name}://h:{scheme.default_port + 1}/").port is not None


@pytest.mark.parametrize(("name", "scheme"), SPECIAL_SCHEMES.items())
def test_each_row_could_be_the_scheme_of_a_record(name: str, scheme: Scheme) -> None:
    """Names are lowercase schemes, and ports have at most 16 bits."""
    assert name == scheme.name
    assert SCHEME.fullmatch(name) is not None
    assert scheme.default_port is None or 0 <= scheme.default_port <= 0xFFFF


def test_what_is_derived_holds_what_the_table_says() -> None:
    """Default ports, tuple origins and encodings are derived from the table."""
    assert {name: row[0] for name, row in SNAPSHOT.items() if row[0] is not None} == DEFAULT_PORTS
    assert {name for name, row in SNAPSHOT.items() if row[1]} == TUPLE_ORIGIN_SCHEMES
    assert {name for name, row in SNAPSHOT.items() if row[2]} == ENCODING_KEEPING_SCHEMES


def test_the_table_and_its_rows_cannot_be_changed() -> None:
    """Other modules keep what they read at import."""
    table: Any = SPECIAL_SCHEMES
    with pytest.raises(TypeError, match="does not support item assignment"):
        table["zap"] = table["http"]
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        table["http"].default_port = 81


@pytest.mark.parametrize(
    ("scheme", "port"),
    [
        ("http", 80),
        ("HTTPS", 443),
        ("wSs", 443),
        ("ftp", 21),
        ("file", None),
        ("mailto", None),
        ("https:", None),
        (" https", None),
        ("", None),
        ("\u212a", None),
        ("http\u017f", None),
        ("\ud800", None),
        ("x" * 1_000_000, None),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_default_port_is_that_of_the_scheme_or_none(scheme: str, port: int | None) -> None:
    """ASCII letters may be uppercase. Other text gives None."""
    assert default_port(scheme) == port


_SCHEME: Final = r"`?(?:https?|wss?|ftp|file)`?"
_LISTS: Final = re.compile(rf"{_SCHEME}(?:(?:,| and| or|, and|, or)\s+{_SCHEME}){{3,}}")
# What lists of schemes in prose are about.
_MEANT: Final = (
    frozenset(SPECIAL_SCHEMES),
    TUPLE_ORIGIN_SCHEMES,
    ENCODING_KEEPING_SCHEMES,
)


def test_the_lists_in_prose_are_those_of_the_table() -> None:
    """A list of four schemes or more, in documents and docstrings, restates the table."""
    root = Path(__file__).resolve().parents[3]
    pages = [root / "README.md", *(root / "docs").rglob("*.md"), *(root / "src").rglob("*.py")]
    pages += (root / "django_whatwg_url").rglob("*.py")
    found = {
        (str(page.relative_to(root)), match[0])
        for page in sorted(pages)
        for match in _LISTS.finditer(page.read_text(encoding="utf-8"))
    }
    wrong = [
        each
        for each in found
        if frozenset(re.findall(r"[a-z]+", each[1])) - {"and", "or"} not in _MEANT
    ]
    assert len(found) >= 3
    assert wrong == []
