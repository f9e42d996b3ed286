"""Django settings for the tests: SQLite in memory, or the server that WEBURL_TEST_DATABASE names.

For instance ``postgres://postgres@127.0.0.1:5432/weburl`` or ``mysql://root@127.0.0.1:3306/weburl``.
The tests make and drop a database of their own there, whose name begins with ``test_``.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any
from urllib.parse import unquote, urlsplit

import django

_ENGINES = {
    "postgres": "django.db.backends.postgresql",
    "postgresql": "django.db.backends.postgresql",
    "mysql": "django.db.backends.mysql",
    "sqlite": "django.db.backends.sqlite3",
}


def database(url: str) -> dict[str, Any]:
    """Return the DATABASES entry for ``scheme://user:password@host:port/name``.

    For SQLite, ``sqlite:///path/of/a/file``, or ``sqlite://`` for memory.
    """
    parts = urlsplit(url)
    engine = _ENGINES[parts.scheme]
    if parts.scheme == "sqlite":
        return {"ENGINE": engine, "NAME": parts.path or ":memory:"}
    if parts.scheme == "mysql":
        import_module("pymysql").install_as_MySQLdb()
    name = parts.path.removeprefix("/")
    return {
        "ENGINE": engine,
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "TEST": {"NAME": f"test_{name}", "CHARSET": "utf8mb4"}
        if parts.scheme == "mysql"
        else {"NAME": f"test_{name}"},
    }


DATABASES = {"default": database(os.environ.get("WEBURL_TEST_DATABASE") or "sqlite://")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django_whatwg_url",
    "tests.django.keysapp",
    "tests.django.siteapp",
    "tests.django.testapp",
    "tests.django.partsapp",
    "tests.django.wayinapp",
    "tests.django.faultsapp",
    "tests.django.historyapp",
    "tests.django.textapp",
    "tests.django.crossings",
    *(["tests.django.databaseapp"] if django.VERSION >= (6, 1) else []),
    "bookmarks",
]
# Apps of the tests have no migrations, and PostgreSQL wants first what their tables refer to.
MIGRATION_MODULES = dict.fromkeys(("auth", "contenttypes", "admin", "sessions"))
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
ROOT_URLCONF = "tests.django.urls"
SECRET_KEY = "for the tests only"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STATIC_URL = "/static/"
USE_TZ = True
