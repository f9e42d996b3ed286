"""The endpoints of the provider, and of the login of django-allauth."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [
    path("accounts/", include("allauth.account.urls")),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
]
