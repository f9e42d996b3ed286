"""A URL as callers give it: text, a record, or a value that has a record."""

from __future__ import annotations

from typing import TypeAlias

from weburl.standard.url.record import URLRecord


class HasARecord:
    """A value with a record that may change: the class `URL`, which is in a room above this one."""

    __slots__ = ()

    @property
    def record(self) -> URLRecord:
        """The current value as a record."""
        raise NotImplementedError


AnyURL: TypeAlias = str | URLRecord | HasARecord
"""The types that public functions accept for a URL: text, a `URLRecord` or a `URL`."""


def text_or_record(url: object, what: str) -> str | URLRecord:
    """Return a URL as text or as a record. Raises TypeError, with ``what``, for other values.

    ``what``: a noun with its article, such as "a URL".
    """
    if isinstance(url, str | URLRecord):
        return url
    if isinstance(url, HasARecord):
        return url.record
    from weburl.standard.infra.guesses import url_of_type

    raise TypeError(f"{what} must be text, a URLRecord or a URL, not {url_of_type(url)}")
