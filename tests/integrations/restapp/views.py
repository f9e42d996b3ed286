"""Serializers, views and routes, as in a typical project."""

from __future__ import annotations

from typing import Any, ClassVar

from django.urls import include, path
from django_filters.rest_framework.backends import DjangoFilterBackend
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import renderers, serializers, viewsets
from rest_framework.decorators import api_view, renderer_classes
from rest_framework.filters import OrderingFilter, SearchFilter
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter

from django_whatwg_url.integrations.rest_framework import (
    CanonicalURLField,
    URLJSONRenderer,
    URLPartField,
    URLSlugRelatedField,
)
from tests.integrations.restapp.models import Hook, Page


class PageSerializer(serializers.ModelSerializer[Page]):
    """All fields of a page, and parts of its URL."""

    origin = URLPartField(source="url.origin")
    port = URLPartField(source="url.port")
    canonical_host = URLPartField(source="canonical.host")

    class Meta:
        model = Page
        fields: ClassVar[Any] = [
            "id",
            "url",
            "title",
            "canonical",
            "site",
            "origin",
            "port",
            "canonical_host",
        ]


class HookSerializer(serializers.ModelSerializer[Hook]):
    """A hook that refers to its page by URL."""

    page = URLSlugRelatedField(
        slug_field="url", queryset=Page.objects.all(), allow_null=True, required=False
    )

    class Meta:
        model = Hook
        fields: ClassVar[Any] = ["id", "page", "target", "strict", "anything", "checked"]


class LinkedPageSerializer(serializers.HyperlinkedModelSerializer[Page]):
    """A page whose address in this API contains its URL."""

    class Meta:
        model = Page
        fields: ClassVar[Any] = ["self", "url", "title"]
        extra_kwargs: ClassVar[Any] = {
            "self": {"lookup_field": "url", "view_name": "linked-detail"}
        }

    url_field_name = "self"


class PageViews(viewsets.ModelViewSet[Page]):
    """Pages, with every kind of filter."""

    queryset = Page.objects.order_by("pk")
    serializer_class = PageSerializer
    renderer_classes = (renderers.JSONRenderer, renderers.BrowsableAPIRenderer)
    filter_backends = (DjangoFilterBackend, SearchFilter, OrderingFilter)
    filterset_fields: ClassVar[Any] = {
        "url": ["exact", "host", "host__under", "under", "origin", "typed", "holds", "port"],
        "site": ["exact"],
    }
    search_fields = ("url", "url__holds")


class HookViews(viewsets.ModelViewSet[Hook]):
    """Hooks, with a dict of lookups."""

    queryset = Hook.objects.order_by("pk")
    serializer_class = HookSerializer
    filter_backends = (DjangoFilterBackend,)
    filterset_fields: ClassVar[Any] = {
        "anything": ["exact", "in", "isnull", "port__in", "host__in"]
    }


class LinkedPageViews(viewsets.ModelViewSet[Page]):
    """Pages that are looked up by URL."""

    queryset = Page.objects.order_by("pk")
    serializer_class = LinkedPageSerializer
    lookup_field = "url"
    lookup_value_regex = ".+"


class SendSerializer(serializers.Serializer[Any]):
    """A serializer without a model."""

    url = CanonicalURLField(assume_scheme=None)
    others = serializers.ListField(child=CanonicalURLField(max_length=40), required=False)
    after = CanonicalURLField(default="HTTPS://Example.com", allow_blank=True)
    secret = CanonicalURLField(default="https://me:s3cret@example.com/")


@extend_schema(request=SendSerializer, responses=SendSerializer)
@api_view(["GET", "POST"])
@renderer_classes([URLJSONRenderer])
def values(request: Request) -> Response:
    """Return rows that did not pass through a serializer."""
    pages = Page.objects.order_by("pk")
    return Response({"rows": pages.values("url", "title"), "first": pages[0].url, "n": len(pages)})


router = DefaultRouter()
router.register("pages", PageViews)
router.register("hooks", HookViews)
router.register("linked", LinkedPageViews, basename="linked")
urlpatterns = [
    path("", include(router.urls)),
    path("values/", values),
    path("schema/", SpectacularAPIView.as_view()),
]
