"""The app: where Django finds its template filters, its command and its translations."""

from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DjangoWhatwgURLConfig(AppConfig):
    """``"django_whatwg_url"`` in INSTALLED_APPS; it has no models and no settings."""

    name = "django_whatwg_url"
    verbose_name = _("URL Standard")
