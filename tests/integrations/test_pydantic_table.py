"""The table of `docs/integrations/pydantic.md`, with pydantic's types and ours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final

import pydantic
import pytest
from pydantic import TypeAdapter

from weburl import URLRecord
from weburl.integrations.pydantic import URLRules

PAGE: Final = (
    Path(__file__).resolve().parents[2] / "docs" / "integrations" / "pydantic.md"
).read_text(encoding="utf-8")
TYPES: Final = re.findall(r"^\| `(\w+)` \| `(.+)` \|$", PAGE, re.MULTILINE)
NAMES: Final[dict[str, Any]] = {
    "Annotated": Annotated,
    "URLRecord": URLRecord,
    "URLRules": URLRules,
}
SAMPLES: Final = (
    "https://example.com/a?b#c",
    "http://example.com",
    "HTTPS:Example.com",
    "ws://example.com",
    "wss://example.com",
    "file:///a/b",
    "ftp://example.com/a",
    "mailto:you@example.com",
    "javascript:alert(1)",
    "https://example.com/" + "a" * 2063,
    "https://example.com/" + "a" * 2064,
    "example.com",
    "https://",
    "",
)


def accepted(kind: Any, text: str) -> str | None:
    """Return the URL that a type makes of ``text``, or None if the type refuses it."""
    try:
        return str(TypeAdapter(kind).validate_python(text))
    except pydantic.ValidationError:
        return None


def test_the_table_was_found() -> None:
    """All of its rows were found."""
    assert len(TYPES) == 5


@pytest.mark.parametrize(("theirs", "ours"), TYPES)
def test_the_types_accept_the_same_texts(theirs: str, ours: str) -> None:
    """Both types accept the same samples, and return the same URLs."""
    kinds = getattr(pydantic, theirs), eval(ours, NAMES)
    found = [[accepted(kind, text) for text in SAMPLES] for kind in kinds]
    assert found[0] == found[1]
    assert None in found[0]
    assert any(found[0])
