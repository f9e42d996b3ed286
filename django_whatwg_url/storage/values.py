"""The values of a URL attribute: a record, None, or text that does not parse.

Converting a value to one of these never raises an error. The fields decide what to refuse.
"""

from __future__ import annotations

import weburl.integrations.building_blocks
from weburl import URLParseError, URLRecord


class UnparsableURLError(AttributeError):
    """Raised when code reads a part of an `UnparsableURL`, which is text that does not parse."""

    __module__ = "django_whatwg_url.fields"


class UnparsableURL(weburl.integrations.building_blocks.UnparsableURL):
    """Text that does not parse, unchanged, as the value of a URL attribute.

    It comes from assigning such text, or from a row that another program wrote. It is a `str`, so
    it can be shown and edited. ``error`` says what is wrong with it. No field accepts it:
    ``full_clean()`` and every way of saving raise ValidationError. It does not have the attributes
    of a `URLRecord`: reading one raises `UnparsableURLError`, which says what to do.
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


def to_url(value: object) -> URLRecord | UnparsableURL | None:
    """Return what a URL attribute returns after ``value`` was assigned to it.

    None and the empty string give None, because an empty string is not a URL. A value that is
    neither text nor a record is converted with ``str()`` first.
    """
    if isinstance(value, URLRecord):
        return canonical(value)
    if value is None or isinstance(value, UnparsableURL):
        return value
    return url_of_text(text_of(value))


def url_of_text(text: str | None) -> URLRecord | UnparsableURL | None:
    """Return what `to_url` does, for a plain string or None. This runs for every row read."""
    if not text:
        return None
    try:
        return weburl.parse(text)
    except URLParseError as error:
        return UnparsableURL(text, error)


def text_of(value: object) -> str:
    """Return ``value`` as a plain string, converted with ``str()`` if it is not text.

    A subclass of `str` may print as different text, as a member of an `enum.Enum` does.
    """
    return str.__str__(value) if isinstance(value, str) else str(value)


def is_expression(value: object) -> bool:
    """Return whether the database evaluates ``value``."""
    # Check the most common types first: looking up a missing attribute is slow.
    return not isinstance(value, (str, URLRecord)) and hasattr(value, "resolve_expression")


def canonical(record: URLRecord) -> URLRecord:
    """Return the record that results from parsing the href of ``record``.

    It is the record itself, with one exception: the standard's protocol setter can make
    ``file://localhost/``, and the parser drops that host.

    Spec: #scheme-state
    """
    return weburl.parse(record.href) if record.scheme == "file" else record
