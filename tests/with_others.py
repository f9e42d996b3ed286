"""The folders of tests, and of documents, that need packages which few people have all of."""

from __future__ import annotations

from typing import Final

WITH_OTHERS: Final = {
    "integrations": "the packages that weburl works with: `make test-integrations` installs them",
    "columns": "data engines: `make test-columns` installs them, but for Java",
    "site": "Sphinx, and the site: `make docs` installs the one and builds the other",
    "browser": "Playwright and Chromium: `make test-browser` installs the first of them",
}

NEEDS_AS: Final = {"coming-from": "integrations"}
"""Folders of documents that need what another folder needs."""
