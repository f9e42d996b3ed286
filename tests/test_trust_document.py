"""Whether the tests that docs/trust.md names exist."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

TESTS: Final = Path(__file__).parent
PAGE: Final = TESTS.parent / "docs" / "trust.md"


def test_every_test_that_the_page_on_trust_names_exists() -> None:
    """A test that is renamed or removed would leave a promise without one."""
    named = set(re.findall(r"`(test_[a-z0-9_]+)`", PAGE.read_text("utf-8")))
    assert len(named) >= 11
    defined: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text("utf-8")
        defined.update(re.findall(r"^ *(?:async )?def (test_[a-z0-9_]+)\(", text, re.MULTILINE))
    assert sorted(named - defined) == []
