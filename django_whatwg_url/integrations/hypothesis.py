"""What Hypothesis loads by its entry point: ``from_model()`` and ``from_form()`` know our fields.

Importing this imports neither Django nor Hypothesis: they may be there without each other.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from attrs import evolve

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

    from django_whatwg_url import fields, forms
    from weburl import URLPolicy, URLRecord

_NO_HOST_RULES: Final[dict[str, Any]] = {
    "refused_hosts": (),
    "ip_hosts": True,
    "address_classes": None,
    "single_labels": True,
    "special_use_names": True,
    "public_suffixes": True,
    "unknown_suffixes": True,
}

__all__ = ["register"]


def register() -> None:
    """Tell Hypothesis's Django support which strategies our fields have.

    Hypothesis calls this when it is imported, and it does nothing unless the fields are loaded by
    then, as with ``manage.py test`` and pytest-django. A program that imports Hypothesis before it
    calls ``django.setup()`` calls this itself. It does no harm to call it twice.
    """
    if "django_whatwg_url.fields" not in sys.modules:
        return
    from hypothesis.extra.django import _fields as of_hypothesis

    from django_whatwg_url import fields, forms

    # Not `register_field_strategy`, whose strategies do not know the field they are for: its
    # length, schemes and rules would only be a filter, through which nothing may pass.
    known = of_hypothesis._global_field_lookup  # noqa: SLF001
    known[fields.CanonicalURLField] = _urls_for
    known[forms.CanonicalURLField] = _texts_for


def _urls_for(field: fields.CanonicalURLField[Any, Any]) -> SearchStrategy[URLRecord]:
    """Return a strategy for URLs that fit a model field; Hypothesis asks its validators, too."""
    from weburl.testing import urls

    return urls(**_options(field))


def _texts_for(field: forms.CanonicalURLField) -> SearchStrategy[str]:
    """Return a strategy for texts that fit a form field: in many spellings, if it takes them."""
    from weburl.testing import url_texts, urls

    options = _options(field)
    if field.strictness != "browser":
        return urls(**options).map(str)
    return url_texts(**options)


def _options(field: fields.CanonicalURLField[Any, Any] | forms.CanonicalURLField) -> dict[str, Any]:
    """Return the options of the strategies that a field's own options ask for."""
    lengths = [field.max_length]
    options: dict[str, Any] = {"schemes": field.allowed_schemes}
    policy = field.policy
    if policy is not None:
        lengths.append(policy.max_length)
        options |= {"credentials": policy.credentials, "hosts": _hosts_of(policy)}
    options["max_length"] = min((each for each in lengths if each is not None), default=None)
    return options


def _hosts_of(policy: URLPolicy) -> SearchStrategy[str] | None:
    """Return a strategy for hosts that a policy may allow, or None where it has no such rules."""
    from hypothesis import strategies as st

    named = [
        name.replace("*", "www")
        for each in (policy, *policy.and_also)
        for name in (*(each.hosts or ()), *(each.registrable_domains or ()))
    ]
    if named:
        return st.sampled_from(named)
    if policy == evolve(policy, **_NO_HOST_RULES):
        return None
    # Names that are registered, or could be: those of the Internet.
    return st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8).map("www.{}.com".format)
