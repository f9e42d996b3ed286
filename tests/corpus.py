"""Where a list of real links is found, and how it is read.

The list is no part of this project: a test that needs it is skipped where there is none.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest

THOROUGH: Final = bool(os.environ.get("WEBURL_THOROUGH"))
"""Whether tests take all of their data instead of a part of it, as `.ci/nightly` does."""

_VARIABLE = "LINKS_CORPUS"
_BESIDE_THE_PROJECT = Path(__file__).resolve().parents[2] / "shared" / "corpora" / "links-48k.txt"


def corpus() -> list[str]:
    """Return the links of the corpus, each once; skip the running test where there is none."""
    named = os.environ.get(_VARIABLE)
    path = Path(named) if named else _BESIDE_THE_PROJECT
    if not path.is_file():
        reason = f"no corpus in {path}: {_VARIABLE} may name a file with a link a line"
        if named:
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    return list(dict.fromkeys(text.split("\n")))
