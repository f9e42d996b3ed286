"""Hypothesis: strategies for the fields of this package, in ``from_model()`` and ``from_form()``.

Hypothesis loads this module through its entry point. The module itself imports neither Django nor
Hypothesis, because either may be installed without the other.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from django_whatwg_url import fields, forms
    from weburl import URLPolicy, URLRecord

_NO_HOST_RULES: Final[dict[str, Any]] = {
    "refused_hosts": (),
    "refused_registrable_domains": (),
    "ip_hosts": True,
    "address_classes": None,
    "networks": None,
    "single_labels": True,
    "special_use_names": True,
    "public_suffixes": True,
    "unknown_suffixes": True,
    "unresolvable_names": True,
}

# How many of a policy's hosts to use. There may be a million.
_MOST_NAMES: Final = 1000

__all__ = ["register", "urls_for"]


def register() -> None:
    """Register strategies for the fields of this package with Hypothesis's Django support.

    They are for fields with the default options. Hypothesis filters them by the validators of a
    field. If that leaves few URLs, pass a strategy from `urls_for`.

    Hypothesis calls this when it is imported. It does nothing if the fields are not loaded yet.
    With ``manage.py test`` and pytest-django, they are. A program that imports Hypothesis before it
    calls ``django.setup()`` must call this itself. Calling it twice is harmless.
    """
    if "django_whatwg_url.fields" not in sys.modules:
        return
    from hypothesis.errors import InvalidArgument
    from hypothesis.extra.django import register_field_strategy

    from django_whatwg_url import fields, forms

    for kind in (fields.CanonicalURLField, forms.CanonicalURLField, forms.CanonicalURLTextField):
        with suppress(InvalidArgument):  # The project has registered its own strategy.
            register_field_strategy(kind, _deferred(kind))


def _deferred(kind: Any) -> SearchStrategy[URLRecord | str]:
    """Return a strategy that is made when it is used.

    `weburl.testing` may be importing Hypothesis now, so it cannot be imported yet.
    """
    from hypothesis import strategies as st

    return st.deferred(lambda: urls_for(kind()))


def urls_for(
    field: fields.CanonicalURLField[Any, Any] | forms.CanonicalURLField,
) -> SearchStrategy[URLRecord | str]:
    """Return a strategy for values that a field accepts: URLs for a model field, text for a form.

    It respects the length, the schemes, the strictness, the policy and the other validators.
    """
    from django.core.exceptions import ValidationError

    from django_whatwg_url import forms
    from weburl.testing import url_texts, urls

    options = _options(field)
    strategy: SearchStrategy[URLRecord | str]
    if isinstance(field, forms.CanonicalURLField) and field.strictness == "browser":
        strategy = url_texts(**options)
    elif isinstance(field, forms.CanonicalURLField) or field.as_text:
        strategy = urls(**options).map(str)
    else:
        strategy = urls(**options)

    def is_accepted(value: URLRecord | str) -> bool:
        with suppress(ValidationError):
            field.run_validators(value)
            return True
        return False

    return strategy.filter(is_accepted)


def _options(field: fields.CanonicalURLField[Any, Any] | forms.CanonicalURLField) -> dict[str, Any]:
    """Return the options of a strategy for the options of a field."""
    from django_whatwg_url.policies import policy_of
    from weburl import readings

    lengths = [field.max_length]
    options: dict[str, Any] = {"schemes": field.allowed_schemes}
    if field.policy is not None:
        policy = policy_of(field.policy)
        if policy.require_agreement:
            # Import the libraries that the policy uses. Some draw a random number on import, which
            # Hypothesis does not allow while it makes an example.
            readings("")
        lengths.append(policy.max_length)
        options |= {"credentials": policy.credentials, "hosts": _hosts_of(policy)}
    options["max_length"] = min((each for each in lengths if each is not None), default=None)
    return options


def _hosts_of(policy: URLPolicy) -> SearchStrategy[str] | None:
    """Return a strategy for hosts that a policy may allow, or None if it has no rules for hosts."""
    from hypothesis import strategies as st

    named = [
        name.replace("*", "www").removeprefix(".")
        for each in (policy, *policy.and_also)
        for name in islice(chain(each.hosts or (), each.registrable_domains or ()), _MOST_NAMES)
    ]
    if named:
        return st.sampled_from(named)
    if policy == evolve(policy, **_NO_HOST_RULES):
        return None
    # Make only names that could be registered on the Internet.
    return st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8).map("www.{}.com".format)
