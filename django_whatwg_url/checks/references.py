"""System checks of references to a URL field: whether the field exists, and whether it is a URL.

`GeneratedURLPartField` and the checks of models call this. This module registers nothing with
Django.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import models

from django_whatwg_url.storage.values import is_url_field


def check_url_field(
    obj: object, subject: str, model: type[models.Model], name: str
) -> Iterator[checks.CheckMessage]:
    """Yield a message if ``name`` is not the name of a URL field.

    Args:
        obj: The object that refers to the field.
        subject: The beginning of the message, such as "URLIndex 'by_host'".
        model: The model of the field.
        name: The name of the field.
    """
    field = _column(model, name)
    if field is not None and is_url_field(field):
        return
    if isinstance(field, (models.CharField, models.TextField)):
        yield checks.Warning(
            f"{subject} refers to {name!r}, which is not a CanonicalURLField. The result is wrong "
            "for text that is not canonical.",
            hint=f"Make {name!r} a CanonicalURLField.",
            obj=obj,
            id="django_whatwg_url.W006",
        )
    else:
        what = (
            "but there is no such column in this table"
            if field is None
            else "which is not a text column"
        )
        yield checks.Error(
            f"{subject} refers to {name!r}, {what}.",
            hint="Use the name of a CanonicalURLField in the same table.",
            obj=obj,
            id="django_whatwg_url.E006",
        )


def _column(model: type[models.Model], name: str) -> Any:
    """Return the field of a column in the model's own table, or None.

    For a foreign key, it is the field that the key refers to, because the column holds its text.
    """
    try:
        field: Any = model._meta.get_field(name)
    except FieldDoesNotExist:
        return None
    if field not in model._meta.local_concrete_fields:
        return None
    while field.remote_field:
        field = field.target_field
    return field
