"""Finds the row that already has the key of an instance, and makes the error that shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS, models
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.column.values import is_expression, text_of
from django_whatwg_url.rules.messages import presentable

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

__all__ = ["row_with_same_key", "same_page_error"]

SAME_PAGE: Final = "same-page"
"""The code of the error."""

OWN_PAGE: Final[_StrOrPromise] = _("You have this page already: %(url)s")
# This does not show the URL, because the row may belong to someone else, and its URL may contain a
# token.
ANY_PAGE: Final[_StrOrPromise] = _(
    "Another entry already leads to this page, perhaps in another spelling."
)


def row_with_same_key(
    instance: models.Model,
    key_field: str,
    within: Iterable[str] = (),
    *,
    using: str = DEFAULT_DB_ALIAS,
) -> models.Model | None:
    """Return another row with the key of ``instance``, the first by primary key, or None.

    Args:
        instance: A row, saved or not.
        key_field: The name of its `URLKeyField`.
        within: The names of fields whose values must be equal too, such as "owner". If one of them
            is NULL, there is no such row, as for a constraint.
        using: The alias of the database.
    """
    key: Any = instance._meta.get_field(key_field)
    wanted: dict[str, Any] = {}
    for name in (*within, key_field):
        field: Any = instance._meta.get_field(name)
        value = getattr(instance, field.attname)
        if value is None or is_expression(value):
            return None
        wanted[field.attname] = value
    # Like the validation of Django's constraints, this uses the default manager.
    rows: Any = key.model._default_manager.using(using).filter(**wanted)  # noqa: SLF001
    if instance.pk is not None and not instance._state.adding:  # noqa: SLF001
        rows = rows.exclude(pk=instance.pk)
    found: models.Model | None = rows.order_by("pk").first()
    return found


def same_page_error(
    row: models.Model, key_field: str, message: _StrOrPromise = OWN_PAGE
) -> ValidationError:
    """Return the ValidationError for a URL that ``row`` already has, with the code "same-page".

    Its ``params`` are ``row``, the row itself, and ``url``, its URL without a password.

    Args:
        row: The existing row.
        key_field: The name of its `URLKeyField`.
        message: The message, which may contain "%(url)s".
    """
    key: Any = row._meta.get_field(key_field)
    url = presentable(text_of(getattr(row, key.from_field)))
    return ValidationError(message, code=SAME_PAGE, params={"url": url, "row": row})
