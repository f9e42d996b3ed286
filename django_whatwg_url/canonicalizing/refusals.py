"""Which URLs of existing rows a field would refuse now: by its schemes, strictness and policy."""

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
"""Takes the canonical text of a URL. Returns None for one that is allowed."""


def allow_all(_href: str) -> Refusal | None:
    """Refuse nothing."""
    return None


def refusals_of(field: Any, **instead: Any) -> Refuses:
    """Return what the field of a column refuses of the URLs that it could store.

    A field without such options is judged as a `CanonicalURLField`. A policy that the field refers
    to is looked up once.

    Args:
        field: The field of a model.
        instead: Values for ``allowed_schemes`` and ``policy`` instead of those of the field.

    Raises:
        PolicyFailedError: a function that is to return the policy raised an error, or the reference
            leads to no policy. The message names it.
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
    """Return the policy that the option of a field means now.

    Raises `PolicyFailedError` if it leads to no policy, or if a function raises an error. The
    message names the policy.
    """
    try:
        return policy_of(option)
    except ImproperlyConfigured as error:
        raise PolicyFailedError(str(error)) from error
    except Exception as error:  # The function may be anyone's, and may query any database.
        text = without_credentials(str(error).strip().partition("\n")[0])
        raised = f"{type(error).__name__}: {text}".removesuffix(": ")
        raise PolicyFailedError(f"The policy {policy_name(option)!r} raised {raised}") from error
