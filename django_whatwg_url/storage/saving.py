"""Which attributes of an instance were expressions when its save began.

Since Django 6.1, `save()` replaces an expression with the value that the database returns before it
sends `post_save`. So whatever needs to know has to look before.
"""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models.signals import pre_save

from django_whatwg_url.storage.values import is_expression

_NOTED: Final = "_attributes_saved_as_expressions"


def note_expressions(model: type[models.Model]) -> None:
    """Note the expressions of each instance of ``model`` that is saved from now on."""
    pre_save.connect(_note, sender=model, dispatch_uid="django_whatwg_url.storage.saving")


def was_expression(instance: models.Model, attname: str) -> bool:
    """Return whether the attribute was an expression when the last save of ``instance`` began."""
    return attname in vars(instance).get(_NOTED, ())


def _note(instance: models.Model, **_kwargs: object) -> None:
    values = vars(instance)
    values.pop(_NOTED, None)
    names = {name for name, value in values.items() if is_expression(value)}
    if names:
        values[_NOTED] = frozenset(names)
