"""What the attribute of a URL column holds: a record, None, or text that does not parse.

Turning a value into one of these never raises an error. The fields decide what to refuse.
"""

from __future__ import annotations

import weburl.fields
from weburl import URLParseError, URLRecord


class UnparsableURLError(AttributeError):
    """Raised if a part of an `UnparsableURL` is read, which is text that does not parse."""

    __module__ = "django_whatwg_url.fields"


class UnparsableURL(weburl.fields.UnparsableURL):
    """Text that does not parse, unchanged, in the place of a URL.

    It comes from assigning such text, or from a row that another program wrote. It is a `str`, so
    it can be shown and edited. ``error`` says what is wrong with it. No field accepts it:
    ``full_clean()`` and every way of saving raise ValidationError. It has none of the attributes of
    a `URLRecord`: reading one raises `UnparsableURLError`, which says what to do.
    """

    __module__ = "django_whatwg_url.fields"

    __slots__ = ()

    def missing_part(self, name: str) -> UnparsableURLError:
        """Return the error to raise if the attribute ``name`` of a record is read."""
        return UnparsableURLError(
            f"There is no {name!r}, because {self.error.input_without_password!r} is not a URL: "
            f"{self.error.reason} Ask isinstance(value, UnparsableURL) first, or mend such rows "
            "with the command canonicalize_urls.",
            name=name,
            obj=self,
        )


def to_url(value: object) -> URLRecord | UnparsableURL | None:
    """Return the value that stands for ``value`` in a URL attribute, whatever it is.

    None and the empty string give None: an empty string is no URL. Anything that is
    neither text nor a record counts as the text that ``str()`` makes of it.
    """
    if isinstance(value, URLRecord):
        return canonical(value)
    if value is None or isinstance(value, UnparsableURL):
        return value
    text = text_of(value)
    if text == "":
        return None
    try:
        return weburl.parse(text)
    except URLParseError as error:
        return UnparsableURL(text, error)


def text_of(value: object) -> str:
    """Return the text that ``value`` is, or that ``str()`` makes of it, as a plain string.

    Text of a subclass may print as something else, as a member of an `enum.Enum` does.
    """
    return str.__str__(value) if isinstance(value, str) else str(value)


def is_expression(value: object) -> bool:
    """Return whether ``value`` is for the database to evaluate."""
    # The commonest are told without looking for an attribute that they lack.
    return not isinstance(value, (str, URLRecord)) and hasattr(value, "resolve_expression")


def canonical(record: URLRecord) -> URLRecord:
    """Return the record that parsing ``record``'s href gives.

    It is the record itself, with one exception: the standard's protocol setter can make
    ``file://localhost/``, and the parser drops that host.

    Spec: #scheme-state
    """
    return weburl.parse(record.href) if record.scheme == "file" else record
