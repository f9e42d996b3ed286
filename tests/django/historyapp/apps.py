"""The app of the tests of migrations."""

from __future__ import annotations

from django.apps import AppConfig


class HistoryAppConfig(AppConfig):
    """Its migrations are those that a test writes."""

    name = "tests.django.historyapp"
    label = "historyapp"
