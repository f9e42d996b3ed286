"""Django settings for the tests in a browser: those of `tests.django`, with static files."""

from __future__ import annotations

from tests.django import settings as _tests
from tests.django.settings import (
    DATABASES,
    DEFAULT_AUTO_FIELD,
    MIGRATION_MODULES,
    PASSWORD_HASHERS,
    SECRET_KEY,
    STATIC_URL,
    TEMPLATES,
    USE_TZ,
)

__all__ = [
    "DATABASES",
    "DEFAULT_AUTO_FIELD",
    "MIGRATION_MODULES",
    "PASSWORD_HASHERS",
    "SECRET_KEY",
    "STATIC_URL",
    "TEMPLATES",
    "USE_TZ",
]

INSTALLED_APPS = [*_tests.INSTALLED_APPS, "django.contrib.staticfiles"]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "tests.browser.urls"
