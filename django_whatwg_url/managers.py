"""The queryset for models with columns that are computed from a URL."""

from __future__ import annotations

from django_whatwg_url.beside.managers import URLQuerySet

__all__ = ["URLQuerySet"]
