"""Wagtail: URL fields in its admin and its API. Only inputs show passwords.

`register` registers URL fields with Wagtail. The app calls it if "wagtail.admin" is in
INSTALLED_APPS. Projects use the classes in their own code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from django.apps import apps
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString

from django_whatwg_url.column.values import text_of, to_url
from django_whatwg_url.fields import CanonicalURLField, ExactURLField, URLReferenceField
from django_whatwg_url.links import link
from django_whatwg_url.rules.messages import sentences, without_credentials
from weburl import URLRecord
from weburl.integrations.building_blocks import required

with required("wagtail>=7"):
    from wagtail.admin.compare import TextFieldComparison, diff_text, register_comparison_class
    from wagtail.admin.panels import FieldPanel
    from wagtail.admin.ui.components import Component
    from wagtail.admin.ui.fields import register_display_class
    from wagtail.admin.ui.tables import Column

_ICON: Final = "link-external"

__all__ = [
    "URLAPIMixin",
    "URLColumn",
    "URLComparison",
    "URLDisplay",
    "URLPanel",
    "register",
]


if TYPE_CHECKING:  # These classes have no types.

    class _Untyped:
        def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    _TextFieldComparison = _Untyped
    _Component = _Untyped
    _FieldPanel = _Untyped
    _Column = _Untyped
else:
    _TextFieldComparison, _Component = TextFieldComparison, Component
    _FieldPanel, _Column = FieldPanel, Column


class URLComparison(_TextFieldComparison):
    """Shows the difference between the URLs of two revisions, with passwords masked."""

    val_a: Any
    val_b: Any

    def htmldiff(self) -> SafeString:
        before, after = ("" if url is None else _masked(url) for url in (self.val_a, self.val_b))
        html: SafeString = diff_text(before, after).to_html()
        return html


class URLDisplay(_Component):
    """Shows a URL as a link where Wagtail shows an object that cannot be edited."""

    def __init__(self, value: object) -> None:
        self.value = value

    def render_html(self, parent_context: object = None) -> SafeString:  # noqa: ARG002
        return _shown(self.value)


class URLPanel(_FieldPanel):
    """Wagtail's ``FieldPanel``. A read-only URL is shown as a link without a password."""

    def format_value_for_display(self, value: object) -> Any:
        panel: Any = super()
        return _shown(panel.format_value_for_display(value))


class URLColumn(_Column):
    """A column of ``list_display`` that shows a URL as a link, without a password."""

    def get_value(self, instance: object) -> SafeString:
        column: Any = super()
        return _shown(column.get_value(instance))


class URLAPIMixin:
    """A mixin for viewsets of Wagtail's API. It responds to bad text in a URL filter with 400."""

    def filter_queryset(self, queryset: Any) -> Any:
        """Return the rows for the request.

        Raises Wagtail's ``BadRequestError`` if a filter cannot be looked up.
        """
        from wagtail.api.v2.utils import BadRequestError

        views: Any = super()
        try:
            return views.filter_queryset(queryset)
        except ValidationError as error:
            # The message of a lookup is for programmers, and that of its cause for people.
            cause = error.__cause__ if isinstance(error.__cause__, ValidationError) else error
            raise BadRequestError(sentences(cause.messages)) from error


def register() -> None:
    """Register how Wagtail compares and shows URL fields, their icon, and which a draft requires.

    The app calls this if "wagtail.admin" is in INSTALLED_APPS. Even a draft requires a URL that
    cannot be NULL, because an empty URL cannot be stored, except with ``as_text=True``.
    """
    for field in (CanonicalURLField, ExactURLField, URLReferenceField):
        register_comparison_class(field, comparison_class=URLComparison)
        register_display_class(field, display_class=URLDisplay)
        # The key is the name of the class, as for Django's URLField.
        FieldPanel.BoundPanel.default_field_icons.setdefault(field.__name__, _ICON)
    # By default, Wagtail assumes that a text field may be empty.
    vars_of_field: Any = CanonicalURLField
    vars_of_field.required_on_save = property(_has_no_empty_value)
    if apps.is_installed("wagtail.api.v3"):
        _register_with_newest_api()


def _register_with_newest_api() -> None:
    """Register the type of a URL field with version 3 of the API, which uses django-ninja."""
    from pydantic.fields import FieldInfo
    from wagtail.api.v3.schemas.generators.read import read_generator
    from wagtail.api.v3.schemas.generators.write import create_generator, patch_generator

    from django_whatwg_url.integrations.ninja import ModelFieldRules

    def type_of(field: Any) -> Any:
        return Annotated[
            str if field.as_text else URLRecord, ModelFieldRules(field.model, field.name)
        ]

    def read(_generator: object, field: Any) -> tuple[Any, Any, None]:
        return type_of(field) | None, None, None

    def write(_generator: object, field: Any) -> tuple[Any, Any]:
        if _has_no_empty_value(field):
            return type_of(field), FieldInfo()
        return type_of(field) | None, field.no_url

    read_generator.register_field_schema(CanonicalURLField, read)
    for generator in (create_generator, patch_generator):
        generator.register_field_schema(CanonicalURLField, write)


def _has_no_empty_value(field: CanonicalURLField[Any, Any]) -> bool:
    return not field.null and field.no_url is None


def _masked(url: object) -> str:
    return without_credentials(text_of(url))


def _shown(url: object) -> SafeString:
    record = to_url(url)
    if record is None:
        return SafeString("")
    if isinstance(record, URLRecord):
        return link(record)
    return format_html("<bdi>{}</bdi>", _masked(record))
