"""The URL Standard as it was in 2024: parse, serialize, compare, origin, and its API.

Most of it is in `url_standard_2020`. Hosts follow Unicode 15.1, which was current for most of that
year. docs/history.md lists what has changed since, with examples.
"""

from __future__ import annotations

from typing import Final

import attrs

from weburl.history import url_standard_2020
from weburl.history.errors import LegacyURLError
from weburl.history.facts import BLOB_ORIGIN_SCHEMES_2024, FRAGMENT_SET
from weburl.history.hosts import Host2020, parse_host_2024
from weburl.history.machine_2020 import Machine, State, is_normalized_drive_letter
from weburl.history.url_standard_2020 import (
    Attribute,
    GetAttribute,
    URLRecord2020,
    Year,
    draft_with,
    is_valid_by,
    parse_by,
    record_of,
)
from weburl.history.writing import GRAMMAR_2024
from weburl.standard.infra.code_points import PercentEncodeSet
from weburl.standard.infra.percent_encoding import (
    percent_encode_after_encoding,
    utf8_percent_encode,
)

__all__ = ["URLRecord2024", "get_attribute", "is_valid_url_string", "parse", "set_attribute"]


class Machine2024(Machine):
    """The machine of 2024. A comment in each method explains what changed."""

    state: State
    pointer: int

    def parse_host(self, text: str) -> Host2020:
        return parse_host_2024(text, not self.url.is_special)

    def host(self, c: str) -> bool | None:
        # The hostname setter ignores a value with a port.
        is_hostname = self.override == "hostname" and self.url.scheme != "file"
        if is_hostname and c == ":" and not self.bracket_flag:
            return True
        return super().host(c)

    hostname = host

    def file(self, c: str) -> None:
        # The host of a file URL is never null, and a drive letter does not change it.
        url, base = self.url, self.base
        url.scheme, url.host = "file", ""
        if c in ("/", "\\"):
            self.state = self.file_slash
            return
        self.state = self.path
        if base is not None and base.scheme == "file":
            url.host, url.path, url.query = base.host, list(base.path), base.query
            if c in ("", "?", "#"):
                self.start_query_or_fragment(c)
                return
            url.query = None
            if self.starts_with_a_drive_letter():
                url.path = []
            else:
                url.shorten_path()
        self.pointer -= 1

    def file_slash(self, c: str) -> None:
        # The host is the host of the base, with or without a drive letter.
        url, base = self.url, self.base
        if c in ("/", "\\"):
            self.state = self.file_host
            return
        if base is not None and base.scheme == "file":
            url.host = base.host
            if not self.starts_with_a_drive_letter() and is_normalized_drive_letter(base.path[0]):
                url.path.append(base.path[0])
        self.state = self.path
        self.pointer -= 1

    def path_start(self, c: str) -> None:
        # Without a host, setting the path to "" gives one empty segment.
        url = self.url
        if not c and self.override is not None and url.host is None and not url.is_special:
            url.path.append("")
            return
        super().path_start(c)

    def drop_host_before_drive_letter(self) -> None:
        return  # Since 2024, the host is kept.

    def drop_empty_segments(self) -> None:
        return  # Since 2024, the segments are kept.

    def encode_query(self, text: str, percent_encode_set: PercentEncodeSet) -> str:
        # Encoded as a whole. This matters for ISO-2022-JP, which has a state.
        return percent_encode_after_encoding(self.encoding, text, percent_encode_set)

    def fragment(self, c: str) -> None:
        # U+0000 is encoded like every control.
        if c:
            encoded = utf8_percent_encode(self.take_rest(), FRAGMENT_SET)
            self.url.fragment = (self.url.fragment or "") + encoded


@attrs.frozen(repr=False, eq=False)
class URLRecord2024(URLRecord2020):
    """A URL as the standard of 2024 understood it.

    It is like `URLRecord2020`, but the host of a file URL is never None, and the standard called
    ``cannot_be_a_base_url`` "has an opaque path".

    Document: the URL Standard of 2024, §4.1.
    """

    @property
    def origin(self) -> str:
        """The origin as text, "null" for an opaque one.

        Document: the URL Standard of 2024, §4.7.
        """
        if self.scheme != "blob":
            return self.tuple_origin()
        try:
            inner = parse(self.path_text)
        except LegacyURLError:
            return "null"
        return inner.tuple_origin() if inner.scheme in BLOB_ORIGIN_SCHEMES_2024 else "null"

    def _between_scheme_and_path(self) -> str:
        # Without "/." an empty first segment would be read as the start of a host.
        starts_empty = not self.cannot_be_a_base_url and len(self.path) > 1 and not self.path[0]
        return "/." if starts_empty else ""


_YEAR: Final = Year(URLRecord2024, Machine2024, GRAMMAR_2024)


def parse(
    input: str, base: str | URLRecord2024 | None = None, *, encoding: str = "utf-8"
) -> URLRecord2024:
    """Return the record of the URL that ``input`` writes.

    Arguments and errors are the same as for `url_standard_2020.parse`.

    Document: the URL Standard of 2024, §4.4, "basic URL parser".
    """
    return parse_by(_YEAR, input, base, encoding)


def set_attribute(record: URLRecord2024, attribute: Attribute, value: str) -> URLRecord2024:
    """Return ``record`` with the API's ``attribute`` set to ``value``.

    Errors are the same as for `url_standard_2020.set_attribute`.

    Document: the URL Standard of 2024, §6.1.
    """
    url = draft_with(_YEAR, record, attribute, value)
    if (
        attribute in ("search", "hash")
        and not value
        and url.cannot_be_a_base_url
        and url.fragment is None
        and url.query is None
    ):
        # Otherwise parsing the text of the URL would give another URL.
        url.path[0] = url.path[0].rstrip(" ")
    return record_of(url, URLRecord2024)


def get_attribute(record: URLRecord2024, attribute: GetAttribute) -> str:
    """Return the value of the API's ``attribute``. Errors are the same as for `url_standard_2020`.

    Document: the URL Standard of 2024, §6.1.
    """
    return url_standard_2020.get_attribute(record, attribute)


def is_valid_url_string(text: str, base: str | URLRecord2024 | None = None) -> bool:
    """Return whether ``text`` is what the standard of 2024 let people write as a URL.

    Errors are the same as for `url_standard_2020.is_valid_url_string`.

    Document: the URL Standard of 2024, §4.3.
    """
    return is_valid_by(_YEAR, text, base)
