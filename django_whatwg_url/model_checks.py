"""System checks of whole models, which no field makes by itself: indexes, constraints and rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.core import checks
from django.db import models

from django_whatwg_url.checks.references import check_url_field
from django_whatwg_url.checks.rows import check_rows
from django_whatwg_url.fields import CanonicalURLField


def check_names(
    app_configs: Sequence[AppConfig] | None = None, **_kwargs: object
) -> list[checks.CheckMessage]:
    """Return what is wrong with the fields that indexes and constraints of this package name."""
    return [
        message
        for model in _models(app_configs)
        for named in (*model._meta.indexes, *model._meta.constraints)
        if isinstance(url_field := getattr(named, "url_field", None), str)
        for message in check_url_field(
            model, f"{type(named).__name__} {named.name!r}", model, url_field
        )
    ]


def check_stored_urls(
    app_configs: Sequence[AppConfig] | None = None,
    databases: Sequence[str] | None = None,
    **_kwargs: object,
) -> list[checks.CheckMessage]:
    """Return what is wrong with the rows, in the databases that may be asked, none for None."""
    fields: list[Any] = [
        field
        for model in _models(app_configs)
        for field in model._meta.local_concrete_fields
        if isinstance(field, CanonicalURLField)
    ]
    return check_rows(fields, databases)


def _models(app_configs: Sequence[AppConfig] | None) -> Iterator[type[models.Model]]:
    for config in apps.get_app_configs() if app_configs is None else app_configs:
        # A proxy has the columns and indexes of another model, which is checked itself.
        yield from (model for model in config.get_models() if not model._meta.proxy)
