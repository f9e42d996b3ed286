"""§4.4 of the URL Standard of 2020: how its state machine runs, and the states from the path on.

The earlier states are in `machine_2020`. No state here leads back to one of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Final, TypeAlias

from weburl.history.drafts_2020 import Draft, encode_query, is_drive_letter
from weburl.history.facts_2020 import (
    C0_CONTROL_SET,
    DOUBLE_DOT_SEGMENTS,
    FRAGMENT_SET,
    PATH_SET,
    QUERY_SET,
    SINGLE_DOT_SEGMENTS,
    SPECIAL_QUERY_SET,
    STARTS_WITH_A_DRIVE_LETTER,
)
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.strings import remove_tabs_and_newlines

State: TypeAlias = Callable[[str], bool | None]

PATH_RUN: Final = re.compile(r"[^/?#\\]+")
_BEFORE_QUERY: Final = re.compile("[^?#]+")
_BEFORE_FRAGMENT: Final = re.compile("[^#]+")


class Override(Enum):
    """The states in which the setters of the API start. §6.1."""

    SCHEME_START = "scheme_start"
    HOST = "host"
    HOSTNAME = "hostname"
    PORT = "port"
    PATH_START = "path_start"
    QUERY = "query"
    FRAGMENT = "fragment"


class PathStates:
    """A run of the state machine from the path on.

    A state is a method. If it returns True, the run ends.
    """

    state: State

    def __init__(
        self, input: str, base: Draft | None, encoding: str, url: Draft, override: Override | None
    ) -> None:
        self.input: str = remove_tabs_and_newlines(input)
        self.base = base
        self.encoding: str = encoding
        self.url = url
        self.override = override
        self.buffer: list[str] = []
        self.pointer: int = 0

    def run(self) -> None:
        end = len(self.input)
        while True:
            at = self.pointer
            if self.state(self.input[at] if at < end else ""):
                return
            if self.pointer >= end:
                return
            self.pointer += 1

    def take(self, pattern: re.Pattern[str], c: str) -> str:
        """Return the run of code points from c on that ``pattern`` matches, or c if it does not.

        The pointer moves to the last of them. Only for states that treat each of them alike.
        """
        found = pattern.match(self.input, self.pointer)
        if found is None:
            return c
        self.pointer = found.end() - 1
        return found[0]

    def take_buffer(self) -> str:
        """Return the text in the buffer and empty it."""
        text = "".join(self.buffer)
        self.buffer.clear()
        return text

    def remaining_starts_with(self, text: str) -> bool:
        return self.input.startswith(text, self.pointer + 1)

    def starts_with_a_drive_letter(self) -> bool:
        return STARTS_WITH_A_DRIVE_LETTER.match(self.input, self.pointer) is not None

    def is_backslash_of_special(self, c: str) -> bool:
        return c == "\\" and self.url.is_special

    def start_query_or_fragment(self, c: str) -> None:
        """Enter the query state for "?" and the fragment state for "#"; else do nothing."""
        if c == "?":
            self.url.query = ""
            self.state = self.query
        elif c == "#":
            self.url.fragment = ""
            self.state = self.fragment

    def path_start(self, c: str) -> None:
        url = self.url
        if url.is_special:
            self.state = self.path
            if c not in ("/", "\\"):
                self.pointer -= 1
        elif self.override is None and c in ("?", "#"):
            self.start_query_or_fragment(c)
        elif c:
            self.state = self.path
            if c != "/":
                self.pointer -= 1

    def path(self, c: str) -> None:
        url = self.url
        is_slash = c == "/" or self.is_backslash_of_special(c)
        ends = c == "" or (self.override is None and c in ("?", "#"))
        if not is_slash and not ends:
            self.buffer.append(utf8_percent_encode(self.take(PATH_RUN, c), PATH_SET))
            return
        segment = self.take_buffer()
        if segment in DOUBLE_DOT_SEGMENTS:
            url.shorten_path()
            if not is_slash:
                url.path.append("")
        elif segment in SINGLE_DOT_SEGMENTS:
            if not is_slash:
                url.path.append("")
        else:
            if url.scheme == "file" and not url.path and is_drive_letter(segment):
                self.drop_host_before_drive_letter()
                segment = f"{segment[0]}:"
            url.path.append(segment)
        if url.scheme == "file" and (c in ("", "?", "#")):
            self.drop_empty_segments()
        if ends:
            self.start_query_or_fragment(c)

    def drop_host_before_drive_letter(self) -> None:
        if self.url.host is not None:
            self.url.host = ""

    def drop_empty_segments(self) -> None:
        path = self.url.path
        last = len(path) - 1
        filled = next((at for at, segment in enumerate(path) if segment), last)
        del path[: min(filled, last)]

    def cannot_be_a_base_url_path(self, c: str) -> None:
        if c in ("?", "#"):
            self.start_query_or_fragment(c)
        elif c:
            run = self.take(_BEFORE_QUERY, c)
            self.url.path[0] += utf8_percent_encode(run, C0_CONTROL_SET)

    def query(self, c: str) -> None:
        url = self.url
        if not url.is_special or url.scheme in ("ws", "wss"):
            self.encoding = "utf-8"
        if c == "#" and self.override is None:
            self.start_query_or_fragment(c)
        elif c:
            run = self.take(_BEFORE_FRAGMENT, c) if self.override is None else self.take_rest()
            encode_set = SPECIAL_QUERY_SET if url.is_special else QUERY_SET
            url.query = (url.query or "") + encode_query(self.encoding, run, encode_set)

    def fragment(self, c: str) -> None:
        if c:
            run = self.take_rest().replace("\0", "")
            self.url.fragment = (self.url.fragment or "") + utf8_percent_encode(run, FRAGMENT_SET)

    def take_rest(self) -> str:
        rest = self.input[self.pointer :]
        self.pointer = len(self.input) - 1
        return rest
