"""The routes of Wagtail's admin and of its APIs."""

from __future__ import annotations

from typing import Any

from django.urls import include, path
from wagtail.admin import urls as admin_urls
from wagtail.api.v2.router import WagtailAPIRouter
from wagtail.api.v2.views import PagesAPIViewSet
from wagtail.api.v3.urls import api as newest_api

from django_whatwg_url.integrations.wagtail import URLAPIMixin


class PagesView(URLAPIMixin, PagesAPIViewSet):  # type: ignore[misc]
    """An API for pages, which can be found by URL."""


router: Any = WagtailAPIRouter("api")
router.register_endpoint("pages", PagesView)

urlpatterns = [
    path("cms/", include(admin_urls)),
    path("api/", router.urls),
    path("api3/", newest_api.urls),
]
