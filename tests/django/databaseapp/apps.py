"""The app's configuration."""

from __future__ import annotations

from django.apps import AppConfig


class DatabaseAppConfig(AppConfig):
    """Found as ``tests.django.databaseapp``."""

    name = "tests.django.databaseapp"
    label = "databaseapp"
    default_auto_field = "django.db.models.BigAutoField"
