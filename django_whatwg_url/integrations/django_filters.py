"""django-filter: filters for URL fields, their parts, and registrable domains.

`register` makes every `FilterSet` use them. The app calls it if "django_filters" is in
INSTALLED_APPS. Every value is checked before it is used in a query, so bad text is a form error.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.db import NotSupportedError
from django.db.models import QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.utils.translation import gettext as _

from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH
from django_whatwg_url.column.values import text_of
from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from django_whatwg_url.forms import CanonicalURLField as CanonicalURLFormField
from django_whatwg_url.forms import HostField
from django_whatwg_url.forms.fields import TypedField
from django_whatwg_url.functions import PART_EXPRESSIONS
from django_whatwg_url.generated import GeneratedURLPartField, URLPartField, URLPortField
from django_whatwg_url.lookups import base_url_operand
from django_whatwg_url.query.encoded import PARAM_VALUE
from django_whatwg_url.query.operands import operand_forms
from weburl.integrations.building_blocks import required

with required("django-filter>=25.1"):
    from django_filters.fields import BaseCSVField
    from django_filters.filters import BaseCSVFilter, BaseRangeFilter, Filter
    from django_filters.filterset import BaseFilterSet
    from django_filters.rest_framework.filterset import FilterSet as RestFilterSet
    from django_filters.widgets import BaseCSVWidget

__all__ = ["CanonicalURLFilter", "RegistrableDomainFilter", "register"]

# Lookups whose operand is a whole URL or a whole part, which is made canonical.
_WHOLE: Final = frozenset({"exact", "in", "gt", "gte", "lt", "lte", "range"})
_DEFAULT_LOOKUP: Final = "exact"
_PORT: Final = "port"
_HOSTS: Final = ("host", "hostname")
_MAX_PORT: Final = 65535
# The transform whose text is compared decoded.
_DECODED: Final = "query_params"
_TEXT: Final = {"type": "string"}


class _OperandField(forms.CharField):
    """Accepts text for which ``check`` does not raise ValidationError."""

    def __init__(self, *, check: Callable[[str], object], **kwargs: Any) -> None:
        self._check = check
        super().__init__(**kwargs)

    def clean(self, value: Any) -> str:
        text: str = super().clean(value)
        if text:
            self._check(text)
        return text


class _PartField(_OperandField, TypedField):
    """The same for a part or a whole URL, which is text from left to right."""


class _ListWidget(BaseCSVWidget):
    """Reads ``?host__in=a,b`` and ``?host__in=a&host__in=b``. Only a single value is split."""

    comma = re.compile(",")

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str] | None:  # noqa: ARG002
        values = data.getlist(name) if hasattr(data, "getlist") else data.get(name)
        if isinstance(values, str):
            values = [values]
        if not values:
            return None
        if len(values) == 1:
            values = self.comma.split(text_of(values[0]))
        return [value for value in values if value.strip()]


class _ListField(BaseCSVField):
    base_widget_class = _ListWidget


class _URLListWidget(_ListWidget):
    # A URL may contain a comma, so only a comma before a scheme is a separator.
    comma = re.compile(r",(?=\s*[A-Za-z][A-Za-z0-9+.-]*:)")


class _URLListField(BaseCSVField):
    base_widget_class = _URLListWidget


class _CheckedFilter(Filter):
    """A filter whose form field depends on the lookup."""

    field_class: type[Any]
    base_field_class: type[Any]

    def __init__(
        self,
        field_name: str | None = None,
        lookup_expr: str | None = None,
        *,
        max_length: int | None = DEFAULT_MAX_LENGTH,
        **kwargs: Any,
    ) -> None:
        super().__init__(field_name, lookup_expr, **kwargs)  # type: ignore[no-untyped-call]
        lookup = self.lookup_expr.rpartition(LOOKUP_SEP)[2]
        self.field_class, options, schema = self.form_field(lookup)
        if not issubclass(self.field_class, forms.IntegerField):
            # No row contains a longer text, and some databases limit the length of a pattern.
            options = {"max_length": max_length, **options}
        self.extra: dict[str, Any] = {**options, **self.extra}
        if isinstance(self, BaseCSVFilter) and not isinstance(self, BaseRangeFilter):
            is_url = issubclass(self.field_class, CanonicalURLFormField)
            self.base_field_class = _URLListField if is_url else _ListField
        # drf-spectacular's extend_schema_field() sets this attribute. Nothing else uses it.
        description = {"description": text} if (text := kwargs.get("help_text")) else {}
        self._spectacular_annotation = {"field": {**schema, **description}}

    def form_field(self, lookup: str) -> tuple[type[Any], dict[str, Any], dict[str, Any]]:
        """Return the class of the form field, its options, and its JSON schema."""
        raise NotImplementedError


class CanonicalURLFilter(_CheckedFilter):
    """A filter for a URL field or for a part of it.

    Text that is not a URL, or that cannot be the part, is a form error. The lookups ``typed``,
    ``holds``, ``contains`` and similar lookups accept any text.

    Args:
        field_name: The name of the model field.
        lookup_expr: The lookup, "exact" by default. It may begin with a part: "host__under".
        part: The name of the part, only for a column that contains a part.
        **kwargs: ``max_length`` of the text (2048 by default), arguments of django-filter's
            ``Filter``, and options of the form field, such as ``assume_scheme``.
    """

    def __init__(
        self,
        field_name: str | None = None,
        lookup_expr: str | None = None,
        *,
        part: str | None = None,
        **kwargs: Any,
    ) -> None:
        head = (lookup_expr or _DEFAULT_LOOKUP).partition(LOOKUP_SEP)[0]
        self.part: str | None = head if part is None and head in PART_EXPRESSIONS else part
        self._is_decoded: bool = head == _DECODED
        super().__init__(field_name, lookup_expr, **kwargs)

    def form_field(self, lookup: str) -> tuple[type[Any], dict[str, Any], dict[str, Any]]:
        if self._is_decoded:
            return _OperandField, {"check": self._check_decoded}, _TEXT
        if self.part is not None:
            return self._part_field(self.part, _DEFAULT_LOOKUP if lookup == self.part else lookup)
        url = {"type": "string", "format": "uri"}
        if lookup in _WHOLE:
            return CanonicalURLFormField, {"assume_scheme": None, "schemes": None}, url
        if lookup == "under":
            return _PartField, {"check": base_url_operand}, url
        return TypedField, {}, _TEXT

    def _check_decoded(self, value: object) -> None:
        """Raise ValidationError if the database cannot search for ``value`` exactly."""
        lookup = f"{self.field_name}{LOOKUP_SEP}{self.lookup_expr}"
        rows: Any = QuerySet(self.model)  # type: ignore[attr-defined]  # the FilterSet sets it
        try:
            rows.filter(**{lookup: [value] if isinstance(self, BaseCSVFilter) else value})
        except NotSupportedError as error:
            raise ValidationError(
                _("This cannot be looked up: %(reason)s") % {"reason": error}, code="invalid"
            ) from error

    def _part_field(
        self, part: str, lookup: str
    ) -> tuple[type[Any], dict[str, Any], dict[str, Any]]:
        if part == _PORT:
            schema = {"type": "integer", "minimum": 0, "maximum": _MAX_PORT}
            return forms.IntegerField, {"min_value": 0, "max_value": _MAX_PORT}, schema
        if lookup == "under" and part in _HOSTS:
            return HostField, {}, _TEXT
        if lookup in _WHOLE or lookup == "under":
            return _PartField, {"check": partial(operand_forms, part)}, _TEXT
        return TypedField, {}, _TEXT


class RegistrableDomainFilter(_CheckedFilter):
    """A filter for a `RegistrableDomainField`. Text that is not a domain is a form error."""

    def form_field(self, lookup: str) -> tuple[type[Any], dict[str, Any], dict[str, Any]]:
        if lookup in _WHOLE or lookup == "iexact":
            return _PartField, {"check": _ANY_DOMAIN.to_python}, _TEXT
        return TypedField, {}, _TEXT


_ANY_DOMAIN: Final = RegistrableDomainField("url")


def register() -> None:
    """Make every `FilterSet` use these filters for URL fields.

    The app calls this if "django_filters" is in INSTALLED_APPS. A FilterSet class that sets another
    filter in its own ``FILTER_DEFAULTS`` or ``filter_overrides`` keeps it.
    """
    # django-filter has a second table, for the views of Django REST framework.
    for filter_set in (BaseFilterSet, RestFilterSet):
        for field, choice in _CHOICES.items():
            filter_set.FILTER_DEFAULTS.setdefault(field, choice)


_CHOICES: Final[dict[type[Any], dict[str, Any]]] = {
    CanonicalURLField: {
        "filter_class": CanonicalURLFilter,
        "extra": lambda field: {"max_length": field.max_length},
    },
    RegistrableDomainField: {"filter_class": RegistrableDomainFilter},
    **{
        kind: {
            "filter_class": CanonicalURLFilter,
            "extra": lambda field: {"part": getattr(field, "part", _PORT)},
        }
        for kind in (URLPartField, URLPortField, GeneratedURLPartField)
    },
    type(PARAM_VALUE): {"filter_class": CanonicalURLFilter},
}
