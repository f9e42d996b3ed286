"""System checks of what names a URL field: whether there is such a field, and what it is.

`GeneratedURLPartField` and the checks of models call this. Nothing here is registered with Django.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core import checks
from django.core.exceptions import FieldDoesNotExist
from django.db import models

from django_whatwg_url.columns.attributes import URLAttribute


def check_url_field(
    obj: object, subject: str, model: type[models.Model], name: str
) -> Iterator[checks.CheckMessage]:
    """Yield what is wrong with ``name``, which ``obj`` has as the name of a URL field of ``model``.

    ``subject``: how a message begins, such as "URLIndex 'by_host'".
    """
    field = _column(model, name)
    if field is not None and issubclass(field.descriptor_class, URLAttribute):
        return
    if isinstance(field, (models.CharField, models.TextField)):
        yield checks.Warning(
            f"{subject} is made of {name!r}, which is not a CanonicalURLField. Its parts are right "
            "only where the text is canonical.",
            hint=f"Make {name!r} a CanonicalURLField.",
            obj=obj,
            id="django_whatwg_url.W006",
        )
    else:
        what = "there is no such column in this table" if field is None else "which is no URL"
        yield checks.Error(
            f"{subject} is made of {name!r}, but {what}."
            if field is None
            else f"{subject} is made of {name!r}, {what}.",
            hint="Name the CanonicalURLField of the same table.",
            obj=obj,
            id="django_whatwg_url.E006",
        )


def _column(model: type[models.Model], name: str) -> Any:
    """Return the field of a column of the model's own table, or None.

    For a foreign key it is the field that the key points at, whose text the column has.
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
