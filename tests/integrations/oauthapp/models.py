"""An application of django-oauth-toolkit, as a project declares it."""

from __future__ import annotations

from oauth2_provider.models import AbstractApplication

from django_whatwg_url.integrations.oauth2_provider import RedirectURIsMixin


class Application(RedirectURIsMixin, AbstractApplication):  # type: ignore[misc]  # no types
    """An application whose redirect URIs are compared as text."""
