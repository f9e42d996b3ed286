"""The configuration of the demo's only app."""

from __future__ import annotations

from django.apps import AppConfig


class BookmarksConfig(AppConfig):
    """The shelf of bookmarks."""

    name = "bookmarks"
    default_auto_field = "django.db.models.BigAutoField"
