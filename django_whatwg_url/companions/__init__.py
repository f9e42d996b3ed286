"""The columns beside a URL, which Python fills from it: its domain, key and parameters, as written.

`base` has what the fields have in common, and `managers` fills the columns in updates. Nothing here
imports the URL fields.
"""

from __future__ import annotations

from django_whatwg_url.companions.registrable_domains import registrable_domain

__all__ = ["registrable_domain"]
