"""Finds rows whose URLs are the same page: the one that a new row repeats, or all of a table.

Nothing here changes a row.
"""

from __future__ import annotations

from django_whatwg_url.duplicates.one import row_with_same_key, same_page_error

__all__ = ["row_with_same_key", "same_page_error"]
