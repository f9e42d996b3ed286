"""Django settings for the tests of integrations, with the apps of other packages."""

from __future__ import annotations

from tests.django.settings import *  # noqa: F403
from tests.django.settings import INSTALLED_APPS as _APPS
from tests.django.settings import MIDDLEWARE as _MIDDLEWARE
from tests.django.settings import MIGRATION_MODULES

INSTALLED_APPS = [*_APPS, "tests.integrations.linksapp"]
INSTALLED_APPS += ["rest_framework", "django_filters", "drf_spectacular"]
INSTALLED_APPS += ["tests.integrations.restapp"]
REST_FRAMEWORK = {"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema"}
INSTALLED_APPS += ["django_tables2", "import_export", "strawberry_django"]
INSTALLED_APPS += [
    *(f"wagtail.{name}" for name in ("snippets", "documents", "images", "search", "admin")),
    *(
        "wagtail.users",
        "wagtail.sites",
        "wagtail.api.v2",
        "wagtail.api.v3",
        "wagtail",
        "modelcluster",
        "taggit",
    ),
    *("django.contrib.staticfiles", "tests.integrations.wagtailapp"),
]
WAGTAIL_SITE_NAME = "Sources"
WAGTAILADMIN_BASE_URL = "https://example.com"
# Wagtail's tables without their history, which takes long: no test needs it.
MIGRATION_MODULES |= {
    **{f"wagtail{name}": None for name in ("core", "admin", "search", "docs", "images", "users")},
    "wagtailapi_v2": None,
    "taggit": None,
}
WAGTAILSEARCH_BACKENDS = {"default": {"BACKEND": "modelsearch.backends.database.fallback"}}
INSTALLED_APPS += ["oauth2_provider", "corsheaders", "tests.integrations.oauthapp"]
INSTALLED_APPS += ["allauth", "allauth.account", "allauth.idp.oidc"]
MIDDLEWARE = [*_MIDDLEWARE, "allauth.account.middleware.AccountMiddleware"]
OAUTH2_PROVIDER_APPLICATION_MODEL = "oauthapp.Application"
OAUTH2_PROVIDER = {
    "ALLOWED_REDIRECT_URI_SCHEMES": ["http", "https", "com.example.app"],
    "PKCE_REQUIRED": False,
}
MIGRATION_MODULES |= dict.fromkeys(("oauth2_provider", "account", "allauth_idp_oidc"))
