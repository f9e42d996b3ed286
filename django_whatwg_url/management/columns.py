"""Finds the columns and databases that the arguments of a command name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.apps import apps
from django.core.management.base import CommandError
from django.db import models, router

from django_whatwg_url.canonicalizing.recomputing import models_labelled
from django_whatwg_url.fields import CanonicalURLField


def named_column(label: str) -> tuple[type[models.Model], str]:
    """Return the model and the name of a field for "app_label.Model.field". Raises CommandError."""
    model_label, _, name = label.rpartition(".")
    if model_label.count(".") != 1:
        raise CommandError(f"{label!r} is not a column. Write app_label.Model.field.")
    try:
        return apps.get_model(model_label), name
    except LookupError as error:
        raise CommandError(str(error)) from error


def named_columns(
    labels: Sequence[str], database: str, *, everything: bool = False
) -> list[tuple[type[models.Model], str]]:
    """Return the columns that labels of columns, models and apps name, without duplicates.

    ``everything``: whether to return all columns of URLs. Raises CommandError.
    """
    if everything:
        if labels:
            raise CommandError("Write --all without names of columns.")
        return url_columns(apps.get_models(), database)
    found: dict[tuple[type[models.Model], str], None] = {}
    for label in labels:
        if label.count(".") > 1:
            found[named_column(label)] = None
            continue
        try:
            columns = url_columns(models_labelled([label]), database)
        except LookupError as error:
            raise CommandError(str(error)) from error
        if not columns:
            raise CommandError(f"{label} has no columns of URLs. Write app_label.Model.field.")
        found |= dict.fromkeys(columns)
    return [*found]


def url_columns(
    classes: Iterable[type[models.Model]], database: str
) -> list[tuple[type[models.Model], str]]:
    """Return the `URLField` and `CanonicalURLField` columns of the models in a database."""
    return [
        (model, field.name)
        for model in classes
        if model._meta.managed and not model._meta.proxy
        if router.allow_migrate_model(database, model)
        for field in model._meta.local_concrete_fields
        if isinstance(field, models.URLField | CanonicalURLField)
    ]
