"""`weburl.history.url_standard_2024`, against its document."""

from __future__ import annotations

import pytest

from weburl.history import url_standard_2020
from weburl.history.url_standard_2024 import (
    parse,
    set_attribute,
)


@pytest.mark.parametrize(
    ("input", "expected"),
    [
        ("blob:https://h/x", "https://h"),
        ("blob:http://h:80/x", "http://h"),
        ("blob:ftp://h/x", "null"),
        ("blob:blob:https://h/", "null"),
        ("blob:file:///x", "null"),
        ("blob:/https:b:0/x", "null"),
        ("blob:", "null"),
        ("ftp://h/", "ftp://h"),
        ("foo://h/", "null"),
    ],
)
def test_an_origin_of_2024(input: str, expected: str) -> None:
    """A blob URL's is that of an http or https URL in its path."""
    assert parse(input).origin == expected


def test_records_of_two_years_are_not_mixed_up() -> None:
    """Neither as bases, nor for setters, nor by comparing."""
    old, new = url_standard_2020.parse("http://u:p@h/a"), parse("http://u:p@h/a")
    assert old.href == new.href and old != new
    assert repr(new) == "URLRecord2024('http://***:***@h/a')"
    with pytest.raises(TypeError, match="a URLRecord2024 or None"):
        parse("b", old)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a URLRecord2020 or None"):
        url_standard_2020.parse("b", new)
    with pytest.raises(TypeError, match="must be a URLRecord2024"):
        set_attribute(old, "hash", "")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="compared with a record"):
        new.equals(old)
    assert parse("b", new).href == "http://u:p@h/b"
