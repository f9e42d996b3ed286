"""The attribute of a foreign key whose column holds a URL: ``visit.site_id`` returns a record.

If the URL field has ``as_text=True``, it returns canonical text.

Django's own attribute keeps the text that was assigned, so two spellings of a URL would be two keys
until the row is read again. A field cannot change the foreign keys that point at it. So this module
looks for foreign keys when models are complete, and replaces the attribute of those that lead to a
URL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import ForeignKey
from django.db.models.fields.related_descriptors import ForeignKeyDeferredAttribute
from django.db.models.signals import class_prepared

from django_whatwg_url.storage.attributes import URLAttribute
from django_whatwg_url.storage.text_values import URLTextAttribute, canonical_text
from django_whatwg_url.storage.values import UnparsableURL, is_expression, text_of, to_url

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model

    _ForeignKey = ForeignKey[Any, Any]
else:
    _ForeignKey = ForeignKey

_WATCHER: Final = "django_whatwg_url.foreign_keys"


class URLForeignKeyAttribute(ForeignKeyDeferredAttribute):
    """The attribute with the key of the other row. It returns a record, whatever was assigned.

    Assigning another spelling of the same URL is not a change: the other row is not fetched again.
    """

    def __set__(self, instance: Model, value: object) -> None:
        if not is_expression(value):
            value = to_url(value)
        super().__set__(instance, value)


class URLTextForeignKeyAttribute(ForeignKeyDeferredAttribute):
    """The same for a URL field with ``as_text=True``. It returns canonical text."""

    def __set__(self, instance: Model, value: object) -> None:
        if not is_expression(value):
            value = canonical_text(value, no_url="")
            if isinstance(value, UnparsableURL):
                value = text_of(value)
        super().__set__(instance, value)


def watch_foreign_keys() -> None:
    """Replace the attribute of every foreign key that leads to a URL, in all models loaded later.

    When a model with a URL as a key is loaded, the foreign keys to it in models that were loaded
    before are converted too.
    """
    class_prepared.connect(_watch, dispatch_uid=_WATCHER)


def _watch(sender: type[Model], **_kwargs: object) -> None:
    # A foreign key knows its target as soon as both models are registered, which happens right
    # after this signal.
    key = (sender._meta.app_label, sender._meta.model_name)
    sender._meta.apps.lazy_model_operation(_look, key)


def _look(model: type[Model]) -> None:
    for foreign_key in _foreign_keys(model):
        _convert_if_url(foreign_key)
    if any(_is_url(field) and _may_be_key(field) for field in model._meta.local_fields):
        _convert_those_to(model)


def _convert_if_url(foreign_key: _ForeignKey) -> None:
    """Replace the attribute of a foreign key with one that converts, if it leads to a URL."""
    model, attribute = foreign_key.model, foreign_key.attname
    # Leave an attribute alone that a project defined itself.
    if type(vars(model).get(attribute)) is not ForeignKeyDeferredAttribute:
        return
    target = _target(foreign_key)
    if target is None or not _is_url(target):
        return
    kind = URLTextForeignKeyAttribute if _is_text(target) else URLForeignKeyAttribute
    setattr(model, attribute, kind(foreign_key))
    if _may_be_key(foreign_key):
        _convert_those_to(model)


def _convert_those_to(model: type[Model]) -> None:
    """Convert the foreign keys to ``model`` in models that were loaded before it."""
    for models in list(model._meta.apps.all_models.values()):
        for other in list(models.values()):
            for foreign_key in _foreign_keys(other):
                if foreign_key.remote_field.model is model:
                    _convert_if_url(foreign_key)


def _foreign_keys(model: type[Model]) -> Iterator[_ForeignKey]:
    for field in model._meta.local_fields:
        if isinstance(field, ForeignKey):
            yield field


def _target(foreign_key: _ForeignKey) -> Any:
    """Return the field that a foreign key refers to, or None if its model is not loaded yet."""
    other = foreign_key.remote_field.model
    if isinstance(other, str):
        return None
    name = foreign_key.remote_field.field_name
    # Django's own property raises an error for an unknown name, which its checks report later.
    return next((field for field in other._meta.concrete_fields if field.name == name), None)


def _may_be_key(field: Any) -> bool:
    """Return whether a foreign key may refer to a field, because its values are unique."""
    constraints = field.model._meta.total_unique_constraints
    return field.unique or any(one.fields == (field.name,) for one in constraints)


def _is_url(field: Any) -> bool:
    """Return whether a field is a URL field or a foreign key to one."""
    attribute = vars(field.model).get(field.attname)
    return _is_text(field) or isinstance(attribute, (URLAttribute, URLForeignKeyAttribute))


def _is_text(field: Any) -> bool:
    """Return whether a field is a URL field with ``as_text=True``, or a foreign key to one."""
    attribute = vars(field.model).get(field.attname)
    return isinstance(attribute, (URLTextAttribute, URLTextForeignKeyAttribute))
