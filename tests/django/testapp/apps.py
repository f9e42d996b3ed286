"""The test app's configuration."""

from __future__ import annotations

from django.apps import AppConfig


class TestAppConfig(AppConfig):
    """Found as ``tests.django.testapp``."""

    name = "tests.django.testapp"
    label = "testapp"
    default_auto_field = "django.db.models.BigAutoField"
