"""The models of the journal. This module also registers fields and filters with other apps.

Django imports it in the order of INSTALLED_APPS, before it creates the admin's objects. So classes
that later apps define next to their models can use the registered fields and filters.
"""

from __future__ import annotations

from django.apps import apps

from django_whatwg_url.rows.journal import Change, Run

__all__ = ["Change", "Run"]

if apps.is_installed("rest_framework"):
    from django_whatwg_url.integrations import rest_framework

    rest_framework.register()
if apps.is_installed("django_filters"):
    from django_whatwg_url.integrations import django_filters

    django_filters.register()
