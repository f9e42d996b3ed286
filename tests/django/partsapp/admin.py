"""The admin of the parts' test app: URLs as links, and lists by a part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin

from django_whatwg_url.admin import URLAdminMixin, URLHostListFilter
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.widgets import AdminCanonicalURLWidget
from tests.django.partsapp.models import Indexed, Plain

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


@admin.register(Plain)
class PlainAdmin(URLAdminMixin, _ModelAdmin):
    """A URL to edit, and one that is only shown."""

    list_display = ("pk", "url", "other")
    list_filter = (("url", URLHostListFilter),)
    readonly_fields = ("other",)
    formfield_overrides: ClassVar = {
        CanonicalURLField: {"assume_scheme": "http", "widget": AdminCanonicalURLWidget}
    }


@admin.register(Indexed)
class IndexedAdmin(URLAdminMixin, _ModelAdmin):
    """The URL leads to the row's page, and stands in fieldsets."""

    list_display = ("url",)
    fieldsets = (("Where", {"fields": (("url", "year"),)}),)
    url_max_length = 20
