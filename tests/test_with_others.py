"""Tests that need other packages say so when they are skipped."""

from __future__ import annotations

import os

import pytest

from tests.with_others import WITH_OTHERS


@pytest.mark.parametrize(("folder", "needs"), WITH_OTHERS.items())
def test_they_run(folder: str, needs: str) -> None:
    """They run where they are asked for by name, and are counted as skipped elsewhere."""
    if os.environ.get("WEBURL_TEST_WITH") != folder:
        pytest.skip(f"tests/{folder} needs {needs}")
