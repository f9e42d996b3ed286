"""The app's configuration."""

from __future__ import annotations

from django.apps import AppConfig


class KeysAppConfig(AppConfig):
    """Found as ``tests.django.keysapp``."""

    name = "tests.django.keysapp"
    label = "keysapp"
    default_auto_field = "django.db.models.BigAutoField"
