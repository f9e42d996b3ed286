"""The app's configuration."""

from __future__ import annotations

from django.apps import AppConfig


class PartsAppConfig(AppConfig):
    """A test app for queries by the parts of a URL."""

    name = "tests.django.partsapp"
