"""The configuration of the app, which registers its checks and signal receivers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig, apps
from django.core import checks
from django.db.backends.signals import connection_created
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

__all__ = ["DjangoWhatwgURLConfig"]


class DjangoWhatwgURLConfig(AppConfig):
    """Add ``"django_whatwg_url"`` to INSTALLED_APPS. Its models are the journal of runs.

    Its settings are optional: ``URL_REFERENCE_BASES``, see `references.named_base`, and
    ``URL_POLICIES``, see `policies.PolicyOption`.
    """

    name = "django_whatwg_url"
    verbose_name: _StrOrPromise = _("URL Standard")

    def ready(self) -> None:
        # These imports need the models, which are loaded now.
        from django_whatwg_url.beside.managers import followers_of, write_after_saving
        from django_whatwg_url.checks.migrations import check_changed_models, check_migrations
        from django_whatwg_url.checks.models import check_managers, check_names, check_sources
        from django_whatwg_url.checks.rows import check_stored_companions, check_stored_urls
        from django_whatwg_url.query.decoding import add_sqlite_functions

        for model in apps.get_models(include_auto_created=True):
            if any(followers_of(model)):
                post_save.connect(write_after_saving, sender=model, dispatch_uid=self.name)
        for check in (check_changed_models, check_names, check_managers, check_sources):
            checks.register(check, checks.Tags.models)
        for with_rows in (check_migrations, check_stored_urls, check_stored_companions):
            checks.register(with_rows, checks.Tags.database)
        connection_created.connect(add_sqlite_functions, dispatch_uid="django_whatwg_url")
        if apps.is_installed("wagtail.admin"):
            from django_whatwg_url.integrations import wagtail

            wagtail.register()
