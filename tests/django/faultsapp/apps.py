"""The app's configuration."""

from __future__ import annotations

from django.apps import AppConfig


class FaultsAppConfig(AppConfig):
    """Found as ``tests.django.faultsapp``."""

    name = "tests.django.faultsapp"
    label = "faultsapp"
    default_auto_field = "django.db.models.BigAutoField"
