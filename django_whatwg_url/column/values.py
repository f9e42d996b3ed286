"""The values of a URL attribute: a record, None, or text that does not parse.

Converting a value to one of these never raises an error. The fields decide what to refuse.
`StoredText` marks text that is already in a row or a fixture.
"""

from __future__ import annotations

import re
from typing import Any, Final, Self

import weburl.integrations.building_blocks
from weburl import URLParseError, URLRecord

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class UnparsableURLError(AttributeError):
    """Raised when code reads a part of an `UnparsableURL`, which is text that does not parse."""

    __module__ = "django_whatwg_url.fields"


class UnparsableURL(weburl.integrations.building_blocks.UnparsableURL):
    """Text that does not parse, unchanged, as the value of a URL attribute.

    It is the result of assigning such text, or of reading a row that another program wrote. It is a
    `str`, so it can be shown and edited. ``error`` says what is wrong with it. ``full_clean()`` and
    every way of saving raise ValidationError for it, unless it was read from a row, which may keep
    it. It does not have the attributes of a `URLRecord`. Reading one of them raises
    `UnparsableURLError`, which says what to do.
    """

    __module__ = "django_whatwg_url.fields"

    __slots__ = ()

    def missing_part(self, name: str) -> UnparsableURLError:
        """Return the error to raise if the attribute ``name`` of a record is read."""
        return UnparsableURLError(
            f"There is no {name!r}, because {self.error.input_without_password!r} is not a URL: "
            f"{self.error.reason} Check isinstance(value, UnparsableURL) first, or fix such rows "
            "with the command canonicalize_urls.",
            name=name,
            obj=self,
        )


class SpelledText(str):
    """Canonical text that also has its original spelling. It is the value of a form field.

    A model field with ``written`` stores both.
    """

    __slots__ = ("written",)

    written: str

    def __new__(cls, href: str, written: str) -> Self:
        self = super().__new__(cls, href)
        self.written = written
        return self

    def __reduce__(self) -> tuple[type[Self], tuple[str, str]]:
        return type(self), (str(self), self.written)


def written_of(text: str) -> str:
    """Return the original spelling of ``text``, which is ``text`` itself for a plain string."""
    return text.written if isinstance(text, SpelledText) else text_of(text)


class StoredText(str):
    """Text from a row or a fixture. It may be stored again, even if its field refuses it."""

    __slots__ = ()


class StoredUnparsableURL(StoredText, UnparsableURL):
    """An `UnparsableURL` from a row or a fixture."""

    __slots__ = ()


def url_of_row(text: str | None) -> URLRecord | UnparsableURL | None:
    """Return the value of a URL attribute for text from a column or from a fixture."""
    url = url_of_text(text)
    return StoredUnparsableURL(url, url.error) if isinstance(url, UnparsableURL) else url


def is_same(value: object, stored: object) -> bool:
    """Return whether a value is the text ``stored``, or another spelling of the same URL."""
    if value is None or stored is None:
        return value is stored
    if text_of(value) == text_of(stored):
        return True
    url = to_url(value)
    return isinstance(url, URLRecord) and url == to_url(stored)


def stored_value(field: Any, instance: Any) -> Any:
    """Return the value that the row of ``instance`` has for ``field`` and may keep, or None.

    This is the current value of the attribute, so call it before the attribute changes. It is None
    for a field with ``check_unchanged=True``, for a field of another class, for a new row, and for
    a deferred attribute, which would run a query.
    """
    if getattr(field, "check_unchanged", True) or instance._state.adding:  # noqa: SLF001
        return None
    return field.value_from_object(instance) if field.attname in vars(instance) else None


def note_stored_value(field: Any, instance: Any) -> Any:
    """Return the `stored_value`, and remember it on the instance for `noted_value`.

    A form calls this before it changes the instance. Only the first call for an instance remembers
    the value.
    """
    stored = stored_value(field, instance)
    if stored is not None and noted_value(field, instance) is None:
        setattr(instance, f"_{field.attname}_stored", stored)
    return stored


def noted_value(field: Any, instance: Any) -> Any:
    """Return the value of the row before a form changed the instance, or None."""
    return getattr(instance, f"_{field.attname}_stored", None)


def is_url_field(field: object) -> bool:
    """Return whether ``field`` is a `CanonicalURLField`, for modules that `fields` imports."""
    return bool(getattr(field, "holds_urls", False))


def to_url(value: object) -> URLRecord | UnparsableURL | None:
    """Return the value of a URL attribute after ``value`` was assigned to it.

    It is None for None and for the empty string, which is not a URL. A value that is neither text
    nor a record is converted with ``str()`` first.
    """
    if isinstance(value, URLRecord):
        return canonical(value)
    if value is None or isinstance(value, UnparsableURL):
        return value
    return url_of_text(text_of(value))


def url_of_text(text: str | None) -> URLRecord | UnparsableURL | None:
    """Return `to_url` of a plain string or None."""
    if not text:
        return None
    try:
        return weburl.parse(text)
    except URLParseError as error:
        return UnparsableURL(text, error)


def text_of(value: object) -> str:
    """Return ``value`` as a plain string, converted with ``str()`` if it is not text.

    ``str()`` of a subclass of `str` may be different text, for example of an `enum.Enum` member.
    """
    return str.__str__(value) if isinstance(value, str) else str(value)


def scalar_values(text: str) -> str:
    """Return ``text`` with each lone surrogate replaced by U+FFFD, as the parser does."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def is_expression(value: object) -> bool:
    """Return whether the database evaluates ``value``."""
    # Check the most common types first, because looking up a missing attribute is slow.
    return not isinstance(value, (str, URLRecord)) and hasattr(value, "resolve_expression")


def canonical(record: URLRecord) -> URLRecord:
    """Return the record that results from parsing the href of ``record``.

    It is the record itself, with one exception: the standard's protocol setter can make
    ``file://localhost/``, and the parser removes that host.

    Spec: #scheme-state
    """
    return weburl.parse(record.href) if record.scheme == "file" else record
