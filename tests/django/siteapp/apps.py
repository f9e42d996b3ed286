"""The app's configuration."""

from __future__ import annotations

from django.apps import AppConfig


class SiteAppConfig(AppConfig):
    """Found as ``tests.django.siteapp``."""

    name = "tests.django.siteapp"
    label = "siteapp"
    default_auto_field = "django.db.models.BigAutoField"
