"""The admin of the app: fields that keep text as it was typed, and filters with options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from django_whatwg_url.admin import (
    URLAdminMixin,
    URLHasQueryParamListFilter,
    URLPathListFilter,
    URLQueryParamListFilter,
)
from tests.django.siteapp.models import (
    Feed,
    FollowedFeed,
    Issuer,
    Item,
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
class IssuerAdmin(_ModelAdmin):
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


class NumberListFilter(URLQueryParamListFilter):
    """A parameter with a column."""

    param = "id"


class QueryListFilter(URLQueryParamListFilter):
    """A parameter without a column, whose name is not one of Python."""

    param = "q-1"
    max_choices = 3


class TrackingListFilter(URLHasQueryParamListFilter):
    """Parameters that advertisements add."""

    params = ("utm_source", "fb clid")


class SectionListFilter(URLPathListFilter):
    """Parts of a site."""

    paths = ("/docs", "/caf\u00e9/")


FILTERS = (NumberListFilter, QueryListFilter, TrackingListFilter, SectionListFilter)


@admin.register(Item)
class ItemAdmin(URLAdminMixin, _ModelAdmin):
    """A list with every filter that has options."""

    list_filter = tuple(("url", each) for each in FILTERS)


@admin.register(RatedItem)
class RatedItemAdmin(URLAdminMixin, _ModelAdmin):
    """The same filters at the other end of a relation."""

    list_filter = tuple(("item_ptr__url", each) for each in FILTERS)
