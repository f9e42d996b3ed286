"""What is promised of modules that import the packages of data engines."""

from __future__ import annotations

import importlib

import pytest

from tests.test_promises import ROWS


@pytest.mark.parametrize("module", [name for name in ROWS if name.startswith("weburl.columns")])
def test_the_file_and_the_module_name_the_same(module: str) -> None:
    """`__all__` holds what is promised, and nothing else."""
    assert sorted(ROWS[module]) == sorted(importlib.import_module(module).__all__)
