"""What type checkers make of the package's own names: checked, never run."""

from __future__ import annotations

from typing import assert_type

import weburl
from weburl import URL, URLRecord, parse, parze  # type: ignore[attr-defined]  # the last is none


def names() -> None:
    """Names that are loaded when asked for have their types, and misspelt ones are found."""
    assert_type(weburl.URL("https://h/"), URL)
    assert_type(weburl.render(parse("https://h/")), str)
    parze("https://h/")
    weburl.rendre(parse("https://h/"))  # type: ignore[attr-defined]


def frozen(record: URLRecord) -> None:
    """Write to a record, to its path as text too: what cannot be."""
    assert_type(record.path, tuple[str, ...] | str)
    assert_type(record.path_text, str)
    record.query = None  # type: ignore[misc]
    record.path_text = "/"  # type: ignore[misc]
