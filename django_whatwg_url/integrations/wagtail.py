"""Wagtail: URL fields in its admin and in its API, without passwords where nothing is edited.

`register` is for what Wagtail asks of a field. The app calls it if "wagtail.admin" is in
INSTALLED_APPS. The classes are for what a project names itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.safestring import SafeString
from wagtail.admin.compare import TextFieldComparison, diff_text, register_comparison_class
from wagtail.admin.panels import FieldPanel
from wagtail.admin.ui.components import Component
from wagtail.admin.ui.fields import register_display_class
from wagtail.admin.ui.tables import Column

from django_whatwg_url.columns.values import text_of
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.links import link
from django_whatwg_url.messages import without_credentials
from weburl import URLRecord

__all__ = [
    "URLAPIMixin",
    "URLColumn",
    "URLComparison",
    "URLDisplay",
    "URLPanel",
    "register",
]


if TYPE_CHECKING:  # without types of their own

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
    """Shows how two revisions differ in a URL, with a password masked."""

    val_a: Any
    val_b: Any

    def htmldiff(self) -> SafeString:
        before, after = ("" if url is None else _masked(url) for url in (self.val_a, self.val_b))
        html: SafeString = diff_text(before, after).to_html()
        return html


class URLDisplay(_Component):
    """Shows a URL as a link, where Wagtail shows an object and does not edit it."""

    def __init__(self, value: object) -> None:
        self.value = value

    def render_html(self, parent_context: object = None) -> SafeString:  # noqa: ARG002
        return _shown(self.value)


class URLPanel(_FieldPanel):
    """Wagtail's ``FieldPanel``, whose URL is a link without a password if it is read-only."""

    def format_value_for_display(self, value: object) -> Any:
        panel: Any = super()
        return _shown(panel.format_value_for_display(value))


class URLColumn(_Column):
    """A column of ``list_display`` that shows a URL as a link, without a password."""

    def get_value(self, instance: object) -> SafeString:
        column: Any = super()
        return _shown(column.get_value(instance))


class URLAPIMixin:
    """For a viewset of Wagtail's API: bad text in a filter by URL is a 400."""

    def filter_queryset(self, queryset: Any) -> Any:
        """Return the rows that the request asks for. Raises Wagtail's ``BadRequestError``."""
        from wagtail.api.v2.utils import BadRequestError

        views: Any = super()
        try:
            return views.filter_queryset(queryset)
        except ValidationError as error:
            raise BadRequestError(" ".join(error.messages)) from error


def register() -> None:
    """Tell Wagtail how to compare and to show URL fields, and which of them a draft needs.

    The app does this by itself if "wagtail.admin" is in INSTALLED_APPS. A URL that may not be NULL
    is needed by a draft, too: there is no empty URL.
    """
    register_comparison_class(CanonicalURLField, comparison_class=URLComparison)
    register_display_class(CanonicalURLField, display_class=URLDisplay)
    # What Wagtail asks a field for. It knows by itself only of fields that are no text.
    vars_of_field: Any = CanonicalURLField
    vars_of_field.required_on_save = property(_has_no_empty_value)


def _has_no_empty_value(field: CanonicalURLField[Any, Any]) -> bool:
    return not field.null


def _masked(url: object) -> str:
    return without_credentials(text_of(url))


def _shown(url: object) -> SafeString:
    if url is None:
        return SafeString("")
    return link(url) if isinstance(url, URLRecord) else format_html("<bdi>{}</bdi>", _masked(url))
