"""Policies that a project names in its settings."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from weburl import URLPolicy

__all__ = ["named_policy"]


def named_policy(name: str) -> URLPolicy:
    """Return the policy with this name in ``settings.URL_POLICIES``.

    The setting is a dictionary of names and `URLPolicy` values. Raises ImproperlyConfigured if it
    is not, or does not have the name.
    """
    policies: object = getattr(settings, "URL_POLICIES", {})
    if not isinstance(policies, Mapping):
        raise ImproperlyConfigured("URL_POLICIES is a dictionary of policies by name.")
    if name not in policies:
        known = ", ".join(sorted(map(repr, policies))) or "none"
        raise ImproperlyConfigured(f"URL_POLICIES has no policy {name!r}. It has: {known}.")
    policy = policies[name]
    if not isinstance(policy, URLPolicy):
        raise ImproperlyConfigured(
            f"URL_POLICIES[{name!r}] is a {type(policy).__name__}, not a URLPolicy."
        )
    return policy
