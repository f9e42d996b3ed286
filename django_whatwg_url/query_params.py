"""The value of a query parameter. The field is in `fields`."""

from __future__ import annotations

from django_whatwg_url.beside.query_params import ShortenedValue, query_param

__all__ = ["ShortenedValue", "query_param"]
