"""The configuration of the app."""

from __future__ import annotations

from django.apps import AppConfig


class OAuthAppConfig(AppConfig):
    """An app with the project's own model of applications."""

    name = "tests.integrations.oauthapp"
    label = "oauthapp"
    default_auto_field = "django.db.models.BigAutoField"
