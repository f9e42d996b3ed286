"""Settings for the database that WEBURL_TEST_DATABASE names. Its tables are in one of their own."""

from __future__ import annotations

import os

from tests.django.settings import database

DATABASES = {"default": database(os.environ.get("WEBURL_TEST_DATABASE") or "sqlite://")}
if DATABASES["default"]["NAME"] != ":memory:":
    # The tests may run on the same server.
    DATABASES["default"]["TEST"] = {
        **DATABASES["default"].get("TEST", {}),
        "NAME": f"{DATABASES['default']['NAME']}_rows",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = ["django_whatwg_url", "benchmarks.rows"]
MIGRATION_MODULES = {"rows": None}
SECRET_KEY = "only for measuring"
SILENCED_SYSTEM_CHECKS = ["models.W046", "mysql.W003"]
USE_TZ = True
