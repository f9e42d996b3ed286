"""The admin of the app: fields that keep text as it was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from tests.django.siteapp.models import Feed, Issuer, MenuItem

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


@admin.register(Feed)
class FeedAdmin(_ModelAdmin):
    """How a URL was written is shown, and filled from the URL."""

    list_display = ("url_written", "url")
    readonly_fields = ("url_written",)


@admin.register(Issuer)
class IssuerAdmin(_ModelAdmin):
    """URLs as text: shown and searched."""

    list_display = ("url", "home")
    search_fields = ("url",)


@admin.register(MenuItem)
class MenuItemAdmin(_ModelAdmin):
    """Paths and URLs."""

    list_display = ("link", "image")
