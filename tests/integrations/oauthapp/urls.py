"""The endpoints of both providers."""

from __future__ import annotations

from allauth.idp.oidc.views import AuthorizationView, LogoutView
from django.urls import include, path

from django_whatwg_url.integrations.allauth import LogoutForm, RedirectURIsViewMixin


class Authorization(RedirectURIsViewMixin, AuthorizationView):  # type: ignore[misc]  # no types
    """Compares the redirect URI before allauth does."""


urlpatterns = [
    path("identity/o/authorize", Authorization.as_view()),
    path("identity/o/logout", LogoutView.as_view(form_class=LogoutForm)),
    path("", include("allauth.idp.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("o/", include("oauth2_provider.urls", namespace="oauth2_provider")),
]
