"""Clients that are too old for a policy are refused when they are imported."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from weburl.fetching.releases import require

# The last releases that are too old, and the first that are not.
RELEASES = [
    ("httpx", "0.27.2", "0.28"),
    ("httpx2", "2.15.9", "2.16"),
    ("requests", "2.31.0", "2.32"),
    ("urllib3", "2.6.2", "2.6.3"),
    ("aiohttp", "3.13.2", "3.14"),
]


@pytest.mark.parametrize(("client", "old", "oldest"), RELEASES)
def test_an_old_client_is_an_import_error_that_says_what_to_install(
    client: str, old: str, oldest: str
) -> None:
    """In a process of its own, because the modules are imported here already."""
    code = f"import {client}; {client}.__version__ = '{old}'; import weburl.fetching.{client}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        f"ImportError: weburl needs {client} {oldest} or newer, and {old} is installed:"
        f" pip install '{client}>={oldest}'"
    )


@pytest.mark.parametrize(("client", "_old", "oldest"), RELEASES)
def test_the_oldest_client_and_later_ones_are_enough(client: str, _old: str, oldest: str) -> None:
    """Numbers are compared as numbers, and development releases count as their release."""
    library = ModuleType(client)
    major, _, rest = oldest.partition(".")
    for release in (oldest, f"{oldest}.1", f"{oldest}rc1", f"{int(major) + 9}.0", f"{major}.100"):
        library.__version__ = release  # type: ignore[attr-defined]
        require(library, oldest)
    assert rest
