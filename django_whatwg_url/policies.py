"""Finds policies that a project names in its settings, or in the options of a field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from weburl import URLPolicy

__all__ = ["PolicyOption", "named_policy", "policy_of"]

PolicyOption: TypeAlias = URLPolicy | str | Callable[[], URLPolicy]
"""The option ``policy`` of a field: a policy, or a reference to one.

A string is the import path of a policy, or of a function without arguments that returns one. The
function itself is also allowed. A field calls it each time it checks a URL.
"""


def policy_of(option: PolicyOption) -> URLPolicy:
    """Return the current policy for the option of a field.

    Raises ImproperlyConfigured if an import path does not lead to a policy. Errors that a function
    raises are not caught.
    """
    found = _referred(option)
    if callable(found):
        found = found()
    return _required(found, option)


def require_policy(option: PolicyOption | None) -> None:
    """Raise ImproperlyConfigured if the option of a field does not lead to a policy.

    A function is not called, because it may query a database.
    """
    if option is not None:
        found = _referred(option)
        if not callable(found):
            _required(found, option)


def _referred(option: PolicyOption) -> object:
    if not isinstance(option, str):
        return option
    try:
        return import_string(option)
    except ImportError as error:
        raise ImproperlyConfigured(f"The policy {option!r} cannot be imported: {error}") from error


def _required(found: object, option: PolicyOption) -> URLPolicy:
    if isinstance(found, URLPolicy):
        return found
    raise ImproperlyConfigured(
        f"The policy {policy_name(option)!r} is a {type(found).__name__}, not a weburl.URLPolicy."
    )


def policy_name(option: PolicyOption) -> str:
    """Return the import path of a policy, or the name of the function, for messages."""
    return option if isinstance(option, str) else getattr(option, "__qualname__", str(option))


def check_policy_option(option: object) -> None:
    """Raise TypeError if the option is neither a policy nor a reference to one."""
    if not (isinstance(option, URLPolicy) or _is_path(option) or _is_function(option)):
        raise TypeError(
            f"policy must be a weburl.URLPolicy, the import path of one such as"
            f" 'myapp.policies.links', or a function that returns one, not {option!r}"
        )


def _is_path(option: object) -> bool:
    return (
        isinstance(option, str)
        and "." in option
        and all(part.isidentifier() for part in option.split("."))
    )


def _is_function(option: object) -> bool:
    return callable(option) and not isinstance(option, type)


def named_policy(name: str) -> URLPolicy:
    """Return the policy with this name in ``settings.URL_POLICIES``.

    The setting is a dictionary of names and `URLPolicy` values. Raises ImproperlyConfigured if it
    is not, or does not contain the name.
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
