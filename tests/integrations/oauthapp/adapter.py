"""The adapter that the settings name for allauth's provider."""

from __future__ import annotations

from allauth.idp.oidc.adapter import DefaultOIDCAdapter

from django_whatwg_url.integrations.allauth import RedirectURIsAdapterMixin


class Adapter(RedirectURIsAdapterMixin, DefaultOIDCAdapter):  # type: ignore[misc]  # no types
    """Checks the redirect URIs of clients that register themselves."""
