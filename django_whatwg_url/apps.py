"""The app: Django finds its template filters, commands, checks and translations here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig, apps
from django.core import checks
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

__all__ = ["DjangoWhatwgURLConfig"]


class DjangoWhatwgURLConfig(AppConfig):
    """Add ``"django_whatwg_url"`` to INSTALLED_APPS. The app has no models and no settings."""

    name = "django_whatwg_url"
    verbose_name: _StrOrPromise = _("URL Standard")

    def import_models(self) -> None:
        super().import_models()
        # Not in ready(): the admin's own may come first, and it makes its objects there.
        if apps.is_installed("django.contrib.admin"):
            _give_the_admin_its_widget()

    def ready(self) -> None:
        # Not before the models are there.
        from django_whatwg_url.migration_checks import check_migrations

        checks.register(check_migrations, checks.Tags.models)


def _give_the_admin_its_widget() -> None:
    """Let ``formfield_overrides`` add options to the widget, as for Django's own fields.

    The admin finds widgets by the class of the field, and starts from this table.
    """
    from django.contrib.admin.options import FORMFIELD_FOR_DBFIELD_DEFAULTS

    from django_whatwg_url.fields import CanonicalURLField
    from django_whatwg_url.widgets import AdminCanonicalURLWidget

    FORMFIELD_FOR_DBFIELD_DEFAULTS.setdefault(
        CanonicalURLField, {"widget": AdminCanonicalURLWidget}
    )
