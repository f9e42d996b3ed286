"""The key of a URL. The field is in `fields`."""

from __future__ import annotations

from django_whatwg_url.beside.url_keys import rules_named, url_key

__all__ = ["rules_named", "url_key"]
