"""Hypothesis: teaches ``from_model()`` and ``from_form()`` the fields of this package.

Hypothesis loads this module through its entry point. The module itself imports neither Django nor
Hypothesis, because either may be installed without the other.
"""

from __future__ import annotations

import sys
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

# Of a policy's hosts, which may be a million.
_MOST_NAMES: Final = 1000

__all__ = ["register"]


def register() -> None:
    """Register strategies for the fields of this package with Hypothesis's Django support.

    Hypothesis calls this when it is imported. It does nothing if the fields have not been loaded by
    then. They have with ``manage.py test`` and pytest-django. A program that imports Hypothesis
    before it calls ``django.setup()`` must call this itself. Calling it twice is harmless.
    """
    if "django_whatwg_url.fields" not in sys.modules:
        return
    from hypothesis.extra.django import _fields as of_hypothesis

    from django_whatwg_url import fields, forms

    # `register_field_strategy` does not tell a strategy which field it is for. The length, the
    # schemes and the rules of the field would only filter its values, perhaps all of them.
    known = of_hypothesis._global_field_lookup  # noqa: SLF001
    known[fields.CanonicalURLField] = _urls_for
    known[forms.CanonicalURLField] = _texts_for
    known[forms.CanonicalURLTextField] = _texts_for


def _urls_for(field: fields.CanonicalURLField[Any, Any]) -> SearchStrategy[URLRecord | str]:
    """Return a strategy for URLs that fit a model field. Hypothesis also runs its validators."""
    from weburl.testing import urls

    records = urls(**_options(field))
    return records.map(str) if field.as_text else records


def _texts_for(field: forms.CanonicalURLField) -> SearchStrategy[str]:
    """Return a strategy for texts that fit a form field, in many spellings if it accepts them."""
    from weburl.testing import url_texts, urls

    options = _options(field)
    if field.strictness != "browser":
        return urls(**options).map(str)
    return url_texts(**options)


def _options(field: fields.CanonicalURLField[Any, Any] | forms.CanonicalURLField) -> dict[str, Any]:
    """Return the options for the strategies that follow from the options of a field."""
    from django_whatwg_url.policies import policy_of
    from weburl import readings

    lengths = [field.max_length]
    options: dict[str, Any] = {"schemes": field.allowed_schemes}
    if field.policy is not None:
        policy = policy_of(field.policy)
        if policy.require_agreement:
            # It imports the libraries that the policy asks. Some of them draw a random number then,
            # which Hypothesis does not allow while it makes an example.
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
    # Use only names that could be registered on the Internet.
    return st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8).map("www.{}.com".format)
