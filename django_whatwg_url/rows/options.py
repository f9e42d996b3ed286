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


class _Choice(StrEnum):
    @classmethod
    def _missing_(cls, value: object) -> None:
        raise ValueError(f"{value!r} is not a choice. The choices are {', '.join(cls)}.")


class OnDuplicate(_Choice):
    """What to do if several rows would get the same URL, which only one row may have."""

    REPORT = "report"
    KEEP = "keep"
    KEEP_OLDEST = "keep-oldest"
    KEEP_NEWEST = "keep-newest"
    KEEP_MOST_REFERENCED = "keep-most-referenced"


class Disposal(_Choice):
    """What to do with text that is not a URL, is too long, or is refused by the field."""

    REPORT = "report"
    KEEP = "keep"
    NULL = "null"
    DELETE = "delete"

    @property
    def leaves_the_row(self) -> bool:
        """Whether the row is not changed."""
        return self in {Disposal.REPORT, Disposal.KEEP}


def _duplicate_choice(choice: str | ChooseRow) -> OnDuplicate | ChooseRow:
    return choice if callable(choice) else OnDuplicate(choice)


def _field_names(names: Sequence[str] | None) -> tuple[str, ...] | None:
    if isinstance(names, str) or not all(isinstance(name, str) for name in names or ()):
        raise ValueError(f'unique_with must be a list of names such as ["owner"], not {names!r}')
    return None if names is None else tuple(names)


def _scheme(scheme: str | None) -> str | None:
    return None if scheme is None else normalized_schemes([scheme])[0]


def _schemes(schemes: Sequence[str] | None) -> tuple[str, ...] | None:
    if schemes is None:
        return None
    named = [schemes] if isinstance(schemes, str) else list(schemes)
    if not named:
        raise ValueError('schemes is empty. Name some, or "*" for every scheme.')
    return ("*",) if named == ["*"] else normalized_schemes(named)


def _policy(option: PolicyOption | None) -> PolicyOption | None:
    try:
        if option is not None:
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

    They are the arguments of `operations.CanonicalizeURLs`, which documents them, and ``dry_run``:
    whether to change nothing, and only report.
    """

    on_duplicate: OnDuplicate | ChooseRow = attrs.field(
        default=OnDuplicate.REPORT, converter=_duplicate_choice
    )
    on_invalid: Disposal = attrs.field(default=Disposal.REPORT, converter=Disposal)
    on_too_long: Disposal = attrs.field(default=Disposal.REPORT, converter=Disposal)
    on_empty: Disposal = attrs.field(default=Disposal.REPORT, converter=Disposal)
    on_not_allowed: Disposal = attrs.field(default=Disposal.REPORT, converter=Disposal)
    schemes: tuple[str, ...] | None = attrs.field(default=None, converter=_schemes)
    policy: PolicyOption | None = attrs.field(default=None, converter=_policy)
    assume_scheme: str | None = attrs.field(default=None, converter=_scheme)
    max_length: int | None = attrs.field(default=None, validator=_positive)
    unique_with: tuple[str, ...] | None = attrs.field(default=None, converter=_field_names)
    batch_size: int = attrs.field(default=DEFAULT_BATCH_SIZE, validator=_positive)
    dry_run: bool = False

    def named(self) -> dict[str, Any]:
        """Return the options that differ from their defaults, by name."""
        default = Options(dry_run=self.dry_run)
        named = attrs.asdict(self, recurse=False)
        return {name: value for name, value in named.items() if value != getattr(default, name)}

    @property
    def merges(self) -> bool:
        """Whether rows with the same URL are merged."""
        return self.on_duplicate not in {OnDuplicate.REPORT, OnDuplicate.KEEP}
