"""Decides which URLs of existing rows a field would refuse: by scheme, strictness or policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.core.exceptions import ImproperlyConfigured

from django_whatwg_url.forms.messages import sentences, without_credentials
from django_whatwg_url.forms.validators import (
    DEFAULT_ALLOWED_SCHEMES,
    URLPolicyValidator,
    URLSchemeValidator,
    URLStrictnessValidator,
    collect_errors,
)
from django_whatwg_url.policies import PolicyOption, policy_name, policy_of
from weburl import URLPolicy, parse


class PolicyFailedError(ImproperlyConfigured):
    """Raised if the policy of a field is not available. Its cause is the error of the function."""


class Refusal(NamedTuple):
    """The code of the first error of a URL, and a sentence for people."""

    code: str
    reason: str


Refuses = Callable[[str], Refusal | None]
"""Takes the canonical text of a URL, and returns None if the URL is allowed."""


def allow_all(_href: str) -> Refusal | None:
    """Refuse nothing."""
    return None


def refusals_of(field: Any, **instead: Any) -> Refuses:
    """Return a function that returns why the field of a column would refuse a URL, or None.

    A field without such options is treated as a `CanonicalURLField`. A reference to a policy is
    looked up only once.

    Args:
        field: The field of a model.
        instead: Values that replace the field's ``allowed_schemes`` and ``policy``.

    Raises:
        PolicyFailedError: The function for the policy raised an error, or the reference does not
            lead to a policy. The message names the reference.
    """
    schemes = instead.get(
        "allowed_schemes", getattr(field, "allowed_schemes", DEFAULT_ALLOWED_SCHEMES)
    )
    strictness = URLStrictnessValidator(getattr(field, "strictness", "browser"))
    policy = instead.get("policy", getattr(field, "policy", None))
    rules: list[Any] = [URLSchemeValidator(schemes)]
    surely_allowed = frozenset(rules[0].allowed_schemes or ())
    if strictness.strictness != "browser":
        rules.append(strictness)
    if policy is not None:
        rules.append(URLPolicyValidator(_policy_now(policy)))
    if len(rules) > 1:
        surely_allowed = frozenset()
    elif schemes is None:
        return allow_all

    def refuses(href: str) -> Refusal | None:
        if href.partition(":")[0] in surely_allowed:
            return None
        for error in collect_errors(rules, parse(href), None, {}):
            return Refusal(error.code or "invalid", sentences(error.messages))
        return None

    return refuses


def _policy_now(option: PolicyOption) -> URLPolicy:
    """Return the current policy for the option of a field.

    Raises `PolicyFailedError` if there is none, or if a function raises an error. The message names
    the policy.
    """
    try:
        return policy_of(option)
    except ImproperlyConfigured as error:
        raise PolicyFailedError(str(error)) from error
    except Exception as error:  # The project's function may raise any error.
        text = without_credentials(str(error).strip().partition("\n")[0])
        raised = f"{type(error).__name__}: {text}".removesuffix(": ")
        raise PolicyFailedError(f"The policy {policy_name(option)!r} raised {raised}") from error
