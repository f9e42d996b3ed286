"""Finds the column that an argument of a command names."""

from __future__ import annotations

from django.apps import apps
from django.core.management.base import CommandError
from django.db import models


def named_column(label: str) -> tuple[type[models.Model], str]:
    """Return the model and the name of a field for "app_label.Model.field". Raises CommandError."""
    model_label, _, name = label.rpartition(".")
    if model_label.count(".") != 1:
        raise CommandError(f"{label!r} is not a column. Write app_label.Model.field.")
    try:
        return apps.get_model(model_label), name
    except LookupError as error:
        raise CommandError(str(error)) from error
