"""The admin of the app: fields that keep text as it was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from django_whatwg_url.admin import URLAdminMixin
from tests.django.siteapp.models import (
    Feed,
    FollowedFeed,
    Issuer,
    Link,
    MenuItem,
    RatedItem,
)

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin


@admin.register(Feed)
class FeedAdmin(_ModelAdmin):
    """How a URL was written is shown, and filled from the URL."""

    list_display = ("url_written", "url")
    readonly_fields = ("url_written",)


@admin.register(FollowedFeed)
class FollowedFeedAdmin(URLAdminMixin, _ModelAdmin):
    """The same, where passwords are masked."""

    list_display = ("pk", "url_written")
    list_filter = ("url_written",)
    readonly_fields = ("url_written",)


@admin.register(Issuer)
class IssuerAdmin(URLAdminMixin, _ModelAdmin):
    """URLs as text: shown and searched."""

    list_display = ("url", "home")
    search_fields = ("url",)


@admin.register(MenuItem)
class MenuItemAdmin(URLAdminMixin, _ModelAdmin):
    """Paths and URLs."""

    list_display = ("pk", "link", "image")
    list_filter = ("link",)


@admin.register(Link)
class LinkAdmin(URLAdminMixin, _ModelAdmin):
    """URLs with the site of each."""

    list_display = ("pk", "site")
    list_filter = ("site", "url")


@admin.register(RatedItem)
class RatedItemAdmin(URLAdminMixin, _ModelAdmin):
    """A list of rows whose URL is in another table."""
