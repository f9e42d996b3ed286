"""System checks of the model field: options that contradict each other, or what they say of URLs.

The field calls `check_field`; nothing here is registered with Django by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, Protocol

from django.core import checks
from django.utils.choices import flatten_choices

from django_whatwg_url.values import to_url
from weburl import URLRecord

# InnoDB's limit for an index key, in bytes, which are characters of an ASCII column.
_MYSQL_INDEX_LIMIT: Final = 3072


class CheckedField(Protocol):
    """What is asked of the field: its options."""

    blank: Any
    null: Any
    default: Any
    db_default: Any
    choices: Any
    allowed_schemes: Any
    db_collation: Any
    max_length: Any


def check_field(field: CheckedField, found: list[checks.CheckMessage]) -> list[checks.CheckMessage]:
    """Return the messages about ``field``: those of CharField, ``found``, and those of URLs."""
    messages = [message for message in found if not _is_unfounded(field, message)]
    messages += [*_check_blank(field), *_check_defaults(field)]
    if not {"fields.E004", "fields.E005"} & {message.id for message in found}:
        # Otherwise the choices are no pairs.
        messages += _check_choices(field)
    return messages


def _is_unfounded(field: CheckedField, message: checks.CheckMessage) -> bool:
    # MySQL's limit on unique columns is in bytes, and this column has one per character.
    return (
        message.id == "mysql.W003"
        and not field.db_collation
        and field.max_length is not None
        and field.max_length <= _MYSQL_INDEX_LIMIT
    )


def _check_blank(field: CheckedField) -> Iterator[checks.CheckMessage]:
    if field.blank and not field.null:
        yield checks.Warning(
            "blank=True lets this field be left empty, but without null=True nothing can be "
            "stored then.",
            hint=(
                "An empty string is no URL, so this field stores NULL for it. Set null=True "
                "as well, or remove blank=True."
            ),
            obj=field,
            id="django_whatwg_url.W001",
        )


def _check_defaults(field: CheckedField) -> Iterator[checks.CheckMessage]:
    for option in ("default", "db_default"):
        default = getattr(field, option)
        if not isinstance(default, (str, URLRecord)):
            continue  # Nothing, a callable or an expression.
        url = to_url(default)
        if isinstance(url, URLRecord):
            yield from _check_scheme(field, f"{option}={str(default)!r}", url)
        elif url is not None or not field.null:
            reason = "an empty string is no URL" if url is None else url.error.reason
            yield checks.Error(
                f"{option}={default!r} cannot be stored: {reason}",
                hint="Set it to a URL, or remove it.",
                obj=field,
                id="django_whatwg_url.E001",
            )


def _check_choices(field: CheckedField) -> Iterator[checks.CheckMessage]:
    choices: Any = field.choices
    pairs: Iterable[tuple[Any, Any]] = flatten_choices(choices)
    for key, _label in pairs:
        if key in (None, ""):
            continue
        url = to_url(key)
        expected = url.href if isinstance(url, URLRecord) else None
        if key != expected:
            yield checks.Error(
                f"'choices' contains {str(key)!r}, which is not the canonical text of a URL.",
                hint=f"Write {expected!r}." if expected else "Write a URL.",
                obj=field,
                id="django_whatwg_url.E002",
            )
        elif isinstance(url, URLRecord):
            yield from _check_scheme(field, f"choice {key!r}", url)


def _check_scheme(
    field: CheckedField, subject: str, url: URLRecord
) -> Iterator[checks.CheckMessage]:
    if field.allowed_schemes is not None and url.scheme not in field.allowed_schemes:
        yield checks.Warning(
            f"{subject} has a scheme that allowed_schemes does not name, so full_clean() and "
            "forms refuse it.",
            hint=f"Add {url.scheme!r} to allowed_schemes, or use another URL.",
            obj=field,
            id="django_whatwg_url.W002",
        )
