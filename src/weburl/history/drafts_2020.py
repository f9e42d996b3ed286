"""The data of the state machine of 2020: an unfinished URL, its encoding, drive letters.

§1.3, §4.1 and §4.2 of that document. The states are in `machine_2020` and `path_states_2020`.
"""

from __future__ import annotations

from weburl.history.facts_2020 import DRIVE_LETTER, NORMALIZED_DRIVE_LETTER, SPECIAL_SCHEMES
from weburl.history.hosts_2020 import Host2020
from weburl.standard.infra.code_points import PercentEncodeSet
from weburl.standard.infra.percent_encoding import percent_encode_after_encoding


class Draft:
    """A URL while the machine works on it. §4.1."""

    def __init__(self) -> None:
        self.scheme = ""
        self.username: str = ""
        self.password: str = ""
        self.host: Host2020 | None = None
        self.port: int | None = None
        self.path: list[str] = []
        self.query: str | None = None
        self.fragment: str | None = None
        self.cannot_be_a_base_url = False

    @property
    def is_special(self) -> bool:
        """Whether the scheme is a special one. §4.2."""
        return self.scheme in SPECIAL_SCHEMES

    @property
    def includes_credentials(self) -> bool:
        """Whether there is a username or a password. §4.2."""
        return bool(self.username or self.password)

    def take_authority(self, base: Draft) -> None:
        """Take username, password, host and port from ``base``."""
        self.username, self.password = base.username, base.password
        self.host, self.port = base.host, base.port

    def shorten_path(self) -> None:
        """Remove the last segment, if any, unless it is the drive letter of a file URL. §4.2."""
        path = self.path
        if self.scheme == "file" and len(path) == 1 and is_normalized_drive_letter(path[0]):
            return
        if path:
            path.pop()


def encode_query(encoding: str, text: str, percent_encode_set: PercentEncodeSet) -> str:
    """Return ``text`` encoded and percent-encoded one code point at a time. §4.4, query state."""
    if encoding != "iso-2022-jp":
        return percent_encode_after_encoding(encoding, text, percent_encode_set)
    # ISO-2022-JP is the only encoding with a state. The state starts and ends with each code point.
    encoded = {
        code_point: percent_encode_after_encoding(encoding, code_point, percent_encode_set)
        for code_point in set(text)
    }
    return "".join([encoded[code_point] for code_point in text])


def is_drive_letter(text: str) -> bool:
    """Return whether ``text`` is a letter followed by ":" or "|". §4.2."""
    return DRIVE_LETTER.fullmatch(text) is not None


def is_normalized_drive_letter(text: str) -> bool:
    """Return whether ``text`` is a letter followed by ":". §4.2."""
    return NORMALIZED_DRIVE_LETTER.fullmatch(text) is not None
