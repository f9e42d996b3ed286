"""All readings of one text, and whether they agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import attrs

from weburl.policies.readers.libraries import library_names, read_by_libraries
from weburl.policies.readers.reading import Reading
from weburl.policies.readers.standards import (
    RFC_3986,
    STANDARD_2020,
    read_by_rfc_3986,
    read_by_the_standard,
    read_by_the_standard_of_2020,
)
from weburl.standard.infra.one_value import FrozenValue
from weburl.standard.url.api import text_of
from weburl.standard.url.record import AnyURL
from weburl.standard.url.writing import is_plain_link

MAX_LENGTH: Final = 8192
"""The longest text that other readers get, in code points; they may be slow on longer text."""


@attrs.frozen
class Readings(FrozenValue):
    """The reading of ``text`` by each reader. Iterating gives a `Reading` for each.

    ``readings``: all of them. ``standard``: the reading of the URL Standard, which is always the
    first.
    """

    __module__ = "weburl"

    text: str = attrs.field(repr=False)
    readings: tuple[Reading, ...]

    def __iter__(self) -> Iterator[Reading]:
        return iter(self.readings)

    def __len__(self) -> int:
        return len(self.readings)

    def __getitem__(self, reader: str) -> Reading:
        """Return the reading of the reader with this name. Raises KeyError for an unknown name."""
        for each in self.readings:
            if each.reader == reader:
                return each
        raise KeyError(reader)

    @property
    def standard(self) -> Reading:
        """The reading of the URL Standard, as in a browser."""
        return self.readings[0]

    @property
    def agree(self) -> bool:
        """Whether the standard's parser accepts the text, and no reader disagrees.

        Readers that refuse the text do not count. False if the text was too long for the other
        readers.
        """
        return (
            self.standard.failure is None and not self.disagreeing and len(self.text) <= MAX_LENGTH
        )

    @property
    def disagreeing(self) -> tuple[Reading, ...]:
        """The readings that have another scheme, host or port than the standard's reading.

        This is empty if the text is not a URL by the standard, because there is nothing to compare
        with.
        """
        if self.standard.failure is not None:
            return ()
        expected = _place(self.standard)
        return tuple(
            each for each in self.readings if each.failure is None and _place(each) != expected
        )

    @property
    def summary(self) -> str:
        """One line: where the URL leads by the standard, and by each reader that disagrees."""
        if len(self.text) > MAX_LENGTH:
            return f"it is longer than {MAX_LENGTH} characters"
        return ", ".join(map(str, (self.standard, *self.disagreeing)))


def _place(reading: Reading) -> tuple[str | None, str | None, int | None]:
    return reading.scheme, reading.host, reading.port


def readings(text: AnyURL) -> Readings:
    """Return the scheme, host and port that each reader finds in ``text``.

    The readers are the URL Standard, the URL Standard of 2020, RFC 3986, Python's ``urllib.parse``,
    and whichever of urllib3, requests, httpx and yarl are installed. Text of more than 8,192 code
    points is read by today's standard only. So is a link that is so plain that all readers read it
    alike. The text of a record is its href. Raises TypeError for other types.

    Spec: #concept-url-parser
    """
    text = text_of(text)
    if len(text) > MAX_LENGTH:
        others = (STANDARD_2020, RFC_3986, *library_names())
        unread = (Reading(name, failure="not asked: the text is too long") for name in others)
        return Readings(text, (read_by_the_standard(text), *unread))
    if is_plain_link(text):
        return _shared_readings(text)
    return Readings(
        text,
        (
            read_by_the_standard(text),
            read_by_the_standard_of_2020(text),
            read_by_rfc_3986(text),
            *read_by_libraries(text),
        ),
    )


def _shared_readings(text: str) -> Readings:
    """Return the readings of a plain link, which is read only once."""
    standard = read_by_the_standard(text)
    scheme, host, port = _place(standard)
    others = (STANDARD_2020, RFC_3986, *library_names())
    return Readings(text, (standard, *(Reading(name, scheme, host, port) for name in others)))
