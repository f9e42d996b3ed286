"""The options for rows that cannot simply be changed.

The default is always "report": do not change the row, and report it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Final, TypeAlias

import attrs
from django.core.exceptions import ImproperlyConfigured
from django.db import models

from django_whatwg_url.policies import PolicyOption, check_policy_option, require_policy
from django_whatwg_url.rules.validators import normalized_schemes

DEFAULT_BATCH_SIZE: Final = 5000

ChooseRow: TypeAlias = Callable[[Sequence[Any]], models.Model | None]
"""Chooses the row to keep. It is called with the instances with the same URL, ordered by key, and
returns one of them, or None to keep all of them."""

AfterChange: TypeAlias = Callable[[Sequence[Any]], object]
"""Called with the instances whose URL a batch has written, read again, in the same transaction."""

Follow: TypeAlias = Callable[[type[models.Model], str], AfterChange | None]
"""Returns the function to call with the rows in which a column was written, or None."""


class OnDuplicate(StrEnum):
    """What to do if several rows would get the same URL, which only one row may have."""

    REPORT = "report"
    KEEP = "keep"
    KEEP_OLDEST = "keep-oldest"
    KEEP_NEWEST = "keep-newest"
    KEEP_MOST_REFERENCED = "keep-most-referenced"


class Disposal(StrEnum):
    """What to do with text that is not a URL, is too long, or is refused by the field."""

    REPORT = "report"
    KEEP = "keep"
    NULL = "null"
    DELETE = "delete"

    @property
    def leaves_the_row(self) -> bool:
        """Whether the row is not changed."""
        return self in {Disposal.REPORT, Disposal.KEEP}


def _disposal(named: str) -> Disposal:
    if named not in set(Disposal):
        raise ValueError(f"{named!r} is not a choice. The choices are {', '.join(Disposal)}.")
    return Disposal(named)


def _duplicate_choice(choice: str | ChooseRow) -> OnDuplicate | ChooseRow:
    if callable(choice):
        return choice
    if choice not in set(OnDuplicate):
        known = ", ".join(OnDuplicate)
        raise ValueError(f"{choice!r} is not a choice. A choice is {known} or a callable.")
    return OnDuplicate(choice)


def _field_names(names: Sequence[str] | None) -> tuple[str, ...] | None:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names or ()):
        raise ValueError(f'unique_with must be a list of names such as ["owner"], not {names!r}')
    return None if names is None else tuple(names)


def _scheme(scheme: str | None) -> str | None:
    if scheme is None:
        return None
    return normalized_schemes([scheme])[0]


def _schemes(schemes: Sequence[str] | None) -> tuple[str, ...] | None:
    if schemes is None:
        return None
    named = [schemes] if isinstance(schemes, str) else list(schemes)
    if not named:
        raise ValueError('schemes is empty. Name some, or "*" for every scheme.')
    return ("*",) if named == ["*"] else normalized_schemes(named)


def _policy(option: PolicyOption | None) -> PolicyOption | None:
    if option is None:
        return None
    try:
        check_policy_option(option)
        require_policy(option)
    except (TypeError, ImproperlyConfigured) as error:
        raise ValueError(str(error)) from error
    return option


def _positive(_instance: object, attribute: Any, value: int | None) -> None:
    if value is not None and (not isinstance(value, int) or value < 1):
        raise ValueError(f"{attribute.name} must be 1 or more, not {value!r}")


@attrs.frozen(kw_only=True)
class Options:
    """The options of a run. Raises ValueError for options that are not valid.

    Args:
        on_duplicate: A name of `OnDuplicate`, or a `ChooseRow`.
        on_invalid: A name of `Disposal`.
        on_too_long: A name of `Disposal`.
        on_empty: A name of `Disposal`.
        on_not_allowed: A name of `Disposal`, for URLs that the field refuses. With "report" and
            "keep", they are kept, in canonical form.
        schemes: The allowed schemes, or ["*"] for every scheme. None means the schemes of
            the field, or http and https for a column of another class.
        policy: A policy, or a reference to one. None means the policy of the field.
        assume_scheme: The scheme for text without one, as in the form field.
        max_length: The longest canonical form. None means the length that both the column and a
            `CanonicalURLField` can store.
        unique_with: The names of other fields. Rows with the same URL are duplicates if these are
            equal, in addition to the unique constraints of the model. An empty list means that only
            the URL counts. None means only the constraints.
        batch_size: The number of rows in a transaction.
        dry_run: Whether to change nothing, and only report.
    """

    on_duplicate: OnDuplicate | ChooseRow = attrs.field(
        default=OnDuplicate.REPORT, converter=_duplicate_choice
    )
    on_invalid: Disposal = attrs.field(default=Disposal.REPORT, converter=_disposal)
    on_too_long: Disposal = attrs.field(default=Disposal.REPORT, converter=_disposal)
    on_empty: Disposal = attrs.field(default=Disposal.REPORT, converter=_disposal)
    on_not_allowed: Disposal = attrs.field(default=Disposal.REPORT, converter=_disposal)
    schemes: tuple[str, ...] | None = attrs.field(default=None, converter=_schemes)
    policy: PolicyOption | None = attrs.field(default=None, converter=_policy)
    assume_scheme: str | None = attrs.field(default=None, converter=_scheme)
    max_length: int | None = attrs.field(default=None, validator=_positive)
    unique_with: tuple[str, ...] | None = attrs.field(default=None, converter=_field_names)
    batch_size: int = attrs.field(default=DEFAULT_BATCH_SIZE, validator=_positive)
    dry_run: bool = False

    def named(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, by name."""
        fields = {
            field.name: getattr(self, field.name)
            for field in attrs.fields(type(self))
            if field.name != "dry_run"
        }
        return {name: value for name, value in fields.items() if value != getattr(_DEFAULT, name)}

    @property
    def merges(self) -> bool:
        """Whether rows with the same URL are merged."""
        return self.on_duplicate not in {OnDuplicate.REPORT, OnDuplicate.KEEP}


_DEFAULT: Final = Options()
