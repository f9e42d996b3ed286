"""The admin of the test app."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin

from django_whatwg_url.admin import URLAdminMixin, URLValuesListFilter
from tests.django.testapp.models import Bookmark, Chosen, Page, Visit

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
    _TabularInline = admin.TabularInline[Any, Any]
else:
    _ModelAdmin = admin.ModelAdmin
    _TabularInline = admin.TabularInline


class VisitInline(_TabularInline):
    """Rows that refer to a bookmark by its URL, and to a site by its primary key, a URL too."""

    model = Visit
    extra = 1
    autocomplete_fields = ("bookmark",)


@admin.register(Bookmark)
class BookmarkAdmin(_ModelAdmin):
    """Everything of the changelist that touches a field."""

    list_display = ("url", "title")
    list_filter = (("url", URLValuesListFilter),)
    search_fields = ("url__holds", "url__typed")
    ordering = ("url",)
    prepopulated_fields: ClassVar = {"title": ("url",)}
    inlines = (VisitInline,)


@admin.register(Page)
class PageAdmin(_ModelAdmin):
    """A nullable URL, editable in the list, and one that is only shown."""

    list_display = ("pk", "url", "source")
    list_editable = ("url",)
    list_filter = (("url", admin.EmptyFieldListFilter),)
    readonly_fields = ("source",)


@admin.register(Chosen)
class ChosenAdmin(URLAdminMixin, _ModelAdmin):
    """A URL with choices."""

    list_display = ("url",)
    list_filter = ("url",)
