"""The app's configuration."""

from __future__ import annotations

from django.apps import AppConfig


class TextAppConfig(AppConfig):
    """Found as ``tests.django.textapp``."""

    name = "tests.django.textapp"
    label = "textapp"
    default_auto_field = "django.db.models.BigAutoField"
