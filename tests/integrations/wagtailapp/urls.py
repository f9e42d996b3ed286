"""The addresses of the site: Wagtail's admin, and its API."""

from __future__ import annotations

from typing import Any

from django.urls import include, path
from wagtail.admin import urls as admin_urls
from wagtail.api.v2.router import WagtailAPIRouter
from wagtail.api.v2.views import PagesAPIViewSet
from wagtail.api.v3.urls import api as newest_api

from django_whatwg_url.integrations.wagtail import URLAPIMixin


class PagesView(URLAPIMixin, PagesAPIViewSet):  # type: ignore[misc]
    """Pages, also by their URLs."""


router: Any = WagtailAPIRouter("api")
router.register_endpoint("pages", PagesView)

urlpatterns = [
    path("cms/", include(admin_urls)),
    path("api/", router.urls),
    path("api3/", newest_api.urls),
]
