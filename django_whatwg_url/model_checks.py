"""System checks of whole models: indexes, constraints and rows. The app registers them."""

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
    """Return the messages about fields that this package's indexes and constraints refer to."""
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
    """Return the messages about rows that are not canonical.

    ``databases``: the aliases of the databases to query. With None, no database is queried.
    """
    fields: list[Any] = [
        field
        for model in _models(app_configs)
        for field in model._meta.local_concrete_fields
        if isinstance(field, CanonicalURLField)
    ]
    return check_rows(fields, databases)


def _models(app_configs: Sequence[AppConfig] | None) -> Iterator[type[models.Model]]:
    for config in apps.get_app_configs() if app_configs is None else app_configs:
        # A proxy shares its columns and indexes with another model, which is checked too.
        yield from (model for model in config.get_models() if not model._meta.proxy)
