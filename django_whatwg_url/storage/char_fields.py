"""What the types of our text fields share: Django's field with type arguments, and its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import TypedDict

    from django.db.models.expressions import Expression
    from django.utils.choices import _ChoicesInput
    from django.utils.functional import _StrOrPromise

    from weburl import URLRecord

    class CharFieldOptions(TypedDict, total=False):
        """The options of CharField that our fields pass on to it."""

        name: str | None
        unique: bool
        blank: bool
        db_index: bool
        db_default: type[models.NOT_PROVIDED] | Expression | URLRecord | str | None
        editable: bool
        auto_created: bool
        serialize: bool
        unique_for_date: str | None
        unique_for_month: str | None
        unique_for_year: str | None
        choices: _ChoicesInput | None
        help_text: _StrOrPromise
        db_column: str | None
        db_comment: str | None
        db_tablespace: str | None
        validators: Iterable[Callable[[Any], None]]
        error_messages: Mapping[str, _StrOrPromise] | None
        db_collation: str | None

    _GenericCharField = models.CharField
else:

    class _GenericCharField(models.CharField):
        """Django's field, which accepts type arguments only in the stubs."""

        def __class_getitem__(cls, types: Any) -> type:
            return cls
