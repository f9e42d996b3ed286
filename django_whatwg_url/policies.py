"""Finds policies that a project names in its settings, or in the options of a field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

from weburl import URLPolicy

__all__ = ["PolicyOption", "policy_of"]

PolicyOption: TypeAlias = URLPolicy | str | Callable[[], URLPolicy]
"""The option ``policy``: a policy, or a reference to one.

A string is a name in ``settings.URL_POLICIES``, or the import path of a policy or of a function
without arguments that returns one. The function itself is also allowed. It is called each time a
URL is checked.
"""

_ALLOWED: Final = (
    "a weburl.URLPolicy, a name in settings.URL_POLICIES, the import path of a policy such as"
    " 'myapp.policies.links', or a function that returns one"
)


def policy_of(option: PolicyOption) -> URLPolicy:
    """Return the current policy for an option.

    Raises ImproperlyConfigured if a name or an import path does not lead to a policy. Errors that a
    function raises are not caught.
    """
    if isinstance(option, URLPolicy):
        return option
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
    named: object = getattr(settings, "URL_POLICIES", {})
    if not isinstance(named, Mapping):
        raise ImproperlyConfigured("URL_POLICIES is a dictionary of policies by name.")
    if option in named:
        return named[option]
    if "." not in option:
        known = ", ".join(sorted(map(repr, named))) or "none"
        raise ImproperlyConfigured(
            f"URL_POLICIES has no policy {option!r}. It has: {known}. The option policy is "
            f"{_ALLOWED}."
        )
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
    """Return the string of a reference, or the name of the function, for messages."""
    return option if isinstance(option, str) else getattr(option, "__qualname__", str(option))


def check_policy_option(option: object) -> None:
    """Raise TypeError if the option is neither a policy nor a reference to one."""
    if not (isinstance(option, URLPolicy) or _is_reference(option)):
        raise TypeError(f"policy must be {_ALLOWED}, not {option!r}")


def _is_reference(option: object) -> bool:
    if isinstance(option, str):
        return all(part.isidentifier() for part in option.replace("-", "_").split("."))
    return callable(option) and not isinstance(option, type)
