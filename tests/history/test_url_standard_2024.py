"""`weburl.history.url_standard_2024`, against its document."""

from __future__ import annotations

import pytest

from weburl.history import url_standard_2020
from weburl.history.url_standard_2024 import (
    parse,
    set_attribute,
)


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
