"""What the browser is shown: the demo, the admin, a login, and a view that redirects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.generic.base import RedirectView

from bookmarks.models import Bookmark
from django_whatwg_url.admin import URLAdminMixin, URLHostListFilter
from django_whatwg_url.redirects import SafeRedirectURLMixin, safe_redirect_url
from tests.django.testapp.models import Visit

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Visit]
    _ShelfAdmin = admin.ModelAdmin[Bookmark]
else:
    _ModelAdmin = _ShelfAdmin = admin.ModelAdmin


@admin.register(Visit)
class VisitAdmin(_ModelAdmin):
    """A foreign key to a URL, by autocompletion."""

    autocomplete_fields = ("bookmark",)


class ShelfAdmin(URLAdminMixin, _ShelfAdmin):
    """The demo's bookmarks, for pictures."""

    list_display = ("url", "added")
    list_filter = (("url", URLHostListFilter),)
    readonly_fields = ("added",)
    url_max_length = 46


shelf_admin = admin.AdminSite("shelf")
shelf_admin.register(Bookmark, ShelfAdmin)


class Login(SafeRedirectURLMixin, LoginView):
    """Django's login, by the admin's own page."""

    template_name = "admin/login.html"
    next_page = "/home/"
    extra_context = {"site_header": "Login"}  # noqa: RUF012


class Away(RedirectView):
    """Redirects to what the query's ``to`` names, if that is safe."""

    def get_redirect_url(self, *_args: Any, **_kwargs: Any) -> str | None:
        url = safe_redirect_url(self.request, self.request.GET.get("to"))
        return None if url is None else url.href


def home(_: HttpRequest) -> HttpResponse:
    """Return the page that people are sent to when nothing else is safe."""
    return HttpResponse("<!doctype html><title>Home</title><h1>Home</h1>")


urlpatterns = [
    path("admin/", admin.site.urls),
    path("shelf-admin/", shelf_admin.urls),
    path("login/", Login.as_view()),
    path("home/", home),
    path("away/", Away.as_view()),
    path("", include("bookmarks.urls")),
]
