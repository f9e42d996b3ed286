"""Finds rows whose URLs are the same page: the one that a new row repeats, or all of a table.

Nothing here changes a row. It may use `url_keys`, `columns`, `messages`, and `canonicalizing` for
SQL and for texts without passwords.
"""

from __future__ import annotations

from django_whatwg_url.duplicates.one import row_with_same_key, same_page_error

__all__ = ["row_with_same_key", "same_page_error"]
