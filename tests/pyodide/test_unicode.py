"""Unicode in Pyodide, beside what unicodedata2 says, which `make test-pyodide` writes to a file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.pyodide.answers import FILES, answers
from tests.wpt import load_cases
from weburl.standard.infra import unicode_data

FACTS: Final = Path("/packages/unicode.json")

pytestmark = pytest.mark.skipif(sys.platform != "emscripten", reason="make test-pyodide runs this")


@pytest.fixture(scope="module")
def facts() -> Any:
    """Return what unicodedata2 says of all code points, and all test data of hosts."""
    return json.loads(FACTS.read_text(encoding="utf-8"))


def test_each_code_point_that_python_knows_is_as_in_unicodedata2(facts: Any) -> None:
    """In all properties and normalization forms."""
    known = list(filter(unicode_data.knows, map(chr, range(0x110000))))
    assert not unicode_data.COMPLETE
    assert len(known) == 294_579  # of Unicode 16, which Python 3.14 has
    for name, values in facts["properties"].items():
        ours = getattr(unicode_data, name)
        assert [char for char in known if ours(char) != values[ord(char)]] == []
    for form, changed in facts["forms"].items():
        assert [
            char
            for char in known
            if unicode_data.normalize(form, char) != changed.get(f"{ord(char):X}", char)
        ] == []


def test_the_test_data_of_hosts_are_right_or_declined(facts: Any) -> None:
    """All 2778 rows: 60 hold a code point that Unicode 16 did not have, and none is wrong."""
    rows = [case["input"] for name in FILES for case in load_cases(name)]
    assert [domain for domain, *_ in facts["answers"]] == rows
    declined, wrong = 0, []
    for domain, *expected in facts["answers"]:
        found = answers(domain)
        declined += "declined" in found
        if any(one not in ("declined", other) for one, other in zip(found, expected, strict=True)):
            wrong.append(domain)
    assert (len(facts["answers"]), declined, wrong) == (2778, 60, [])
