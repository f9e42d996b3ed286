"""The admin of the keys' test app: a page that each owner has once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from django_whatwg_url.admin import URLAdminMixin
from tests.django.keysapp.models import Bookmark, Owner

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Any]
else:
    _ModelAdmin = admin.ModelAdmin

admin.site.register(Owner)


@admin.register(Bookmark)
class BookmarkAdmin(URLAdminMixin, _ModelAdmin):
    """A URL that is refused if its page is there."""

    fields = ("url", "title", "owner")
