"""§4.4 of the URL Standard of 2024: the states of its machine that differ from 2020."""

from __future__ import annotations

from weburl.history.facts import FRAGMENT_SET
from weburl.history.hosts import Host2020, parse_host_2024
from weburl.history.machine_2020 import Machine, State, is_normalized_drive_letter
from weburl.standard.infra.code_points import PercentEncodeSet
from weburl.standard.infra.percent_encoding import (
    percent_encode_after_encoding,
    utf8_percent_encode,
)


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
