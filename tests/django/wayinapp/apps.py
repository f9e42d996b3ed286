"""The app's configuration."""

from __future__ import annotations

from django.apps import AppConfig


class WayInAppConfig(AppConfig):
    """Found as ``tests.django.wayinapp``."""

    name = "tests.django.wayinapp"
    label = "wayinapp"
    default_auto_field = "django.db.models.BigAutoField"
