"""The widget for a URL in Django's admin. Import it only if the admin is installed."""

from __future__ import annotations

from django_whatwg_url.forms.widgets import AdminCanonicalURLWidget

__all__ = ["AdminCanonicalURLWidget"]
