"""The demo's settings: one app, one SQLite file next to `manage.py`, access only from this machine.

The environment variable DEMO_DATABASE sets another path for the database file.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

BASE_DIR = Path(__file__).resolve().parent.parent

# Nothing that is signed outlives the process, so the key does not need to be kept.
SECRET_KEY = secrets.token_urlsafe(50)
DEBUG = False
ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django_whatwg_url",
    "bookmarks",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "bookmarks.urls"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
    }
]

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ.get("DEMO_DATABASE") or BASE_DIR / "db.sqlite3",
        "OPTIONS": {
            # Transactions here read first and then write, so they take the write lock at once.
            "transaction_mode": "IMMEDIATE",
            # Concurrent writers wait for one another. Readers do not block anyone.
            "timeout": 60,
            "init_command": "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
        },
    }
}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

# Without DEBUG, Django mails the traceback of a failed request. Show it in the terminal instead.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"terminal": {"class": "logging.StreamHandler", "level": "ERROR"}},
    "loggers": {"django.request": {"handlers": ["terminal"]}},
}
