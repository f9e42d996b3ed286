"""Columns that Python computes from a URL: its domain, its key, its parameters and its spelling.

`base` has the base classes of the fields, and `managers` fills the columns in updates. Nothing here
imports the URL fields.
"""

from __future__ import annotations

from django_whatwg_url.beside.registrable_domains import registrable_domain

__all__ = ["registrable_domain"]
