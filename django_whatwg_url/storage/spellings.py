"""The text from which a record or canonical text was made, for as long as that value exists.

A record does not know how its URL was written. A form returns a record, and the model field that
gets it may have to store the text that was typed. This module knows nothing about forms or columns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import ref

import weburl
from weburl import URLParseError, URLRecord

if TYPE_CHECKING:
    _Reference = ref[URLRecord]
else:
    _Reference = ref

# The parser ignores these at both ends of its input.
_C0_CONTROLS_AND_SPACE: Final = "".join(map(chr, range(0x21)))


class _Spelled(_Reference):
    """A weak reference to a record, with the text from which it was parsed."""

    __slots__ = ("key", "text")

    key: int
    text: str


# By the id of the record: records with the same URL are equal, but their texts may differ.
_spelled: Final[dict[int, _Spelled]] = {}


def remember_spelling(record: URLRecord, text: str) -> None:
    """Remember that ``record`` was made from ``text``, until the record is deleted."""
    spelled = _Spelled(record, _forget)
    spelled.key = id(record)
    spelled.text = text
    _spelled[spelled.key] = spelled


def spelling_of(record: URLRecord) -> str | None:
    """Return the text that was remembered for this very object, or None."""
    spelled = _spelled.get(id(record))
    return spelled.text if spelled is not None and spelled() is record else None


def _forget(spelled: _Spelled) -> None:
    _spelled.pop(spelled.key, None)


class SpelledText(str):
    """Canonical text that knows from which text it was made, as the value of a form.

    A model field with ``as_text`` and ``written`` stores both. After that, the attribute of the
    instance is a plain `str`.
    """

    __slots__ = ("written",)

    written: str


def spelled_text(record: URLRecord) -> str:
    """Return the href of ``record``, with the text that was remembered for it, if any."""
    written = spelling_of(record)
    if written is None:
        return record.href
    text = SpelledText(record.href)
    text.written = written
    return text


def written_of(text: str) -> str:
    """Return the text from which ``text`` was made, which is ``text`` itself if it is plain."""
    return text.written if isinstance(text, SpelledText) else str.__str__(text)


def trimmed(text: str) -> str:
    """Return ``text`` without what the parser ignores at its ends: C0 controls and spaces."""
    return text.strip(_C0_CONTROLS_AND_SPACE)


def spells(text: str, href: str) -> bool:
    """Return whether a person may have written ``text`` for the URL ``href``.

    The scheme may be missing from ``text``, as in "example.com". ``href``: a canonical URL.
    """
    if text == href:
        return True
    scheme = href.partition(":")[0]
    slashes = "" if text.startswith("//") else "//"
    return any(_canonical(it) == href for it in (text, f"{scheme}:{slashes}{text}"))


def _canonical(text: str) -> str | None:
    try:
        return weburl.canonicalize(text)
    except URLParseError:
        return None
