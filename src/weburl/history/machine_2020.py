"""§4.4 of the URL Standard of 2020: the basic URL parser, its state machine step by step.

It follows that text closely and has the state override, but leaves out validation errors, which had
no names yet. A state that would take code points one by one takes a run of them at once, so ten
megabytes take seconds. Nothing here may depend on today's parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from weburl.history.errors import LegacyURLError
from weburl.history.facts import (
    C0_CONTROL_SET,
    DOUBLE_DOT_SEGMENTS,
    DRIVE_LETTER,
    FRAGMENT_SET,
    NORMALIZED_DRIVE_LETTER,
    PATH_SET,
    QUERY_SET,
    SINGLE_DOT_SEGMENTS,
    SPECIAL_QUERY_SET,
    SPECIAL_SCHEMES,
    STARTS_WITH_A_DRIVE_LETTER,
    USERINFO_SET,
)
from weburl.history.hosts import Host2020, parse_host_2020
from weburl.standard.infra.code_points import PercentEncodeSet
from weburl.standard.infra.percent_encoding import (
    percent_encode_after_encoding,
    utf8_percent_encode,
)
from weburl.standard.infra.strings import (
    ascii_lowercase,
    remove_tabs_and_newlines,
)

State: TypeAlias = Callable[[str], bool | None]

Override: TypeAlias = Literal[
    "scheme_start", "host", "hostname", "port", "path_start", "query", "fragment"
]
"""The states in which the setters of the API start. §6.1."""

_SCHEME_START: Final = re.compile("[A-Za-z]")
_SCHEME_RUN: Final = re.compile("[A-Za-z0-9+.-]+")
_AUTHORITY_RUN: Final = re.compile(r"[^@/?#\\]+")
_HOST_RUN: Final = re.compile(r"[^:/?#\\\[\]]+")
_DIGIT_RUN: Final = re.compile("[0-9]+")
_PATH_RUN: Final = re.compile(r"[^/?#\\]+")
_BEFORE_QUERY: Final = re.compile("[^?#]+")
_BEFORE_FRAGMENT: Final = re.compile("[^#]+")
_ENDS_AUTHORITY: Final = frozenset(("", "/", "?", "#"))
_MAX_PORT: Final = 0xFFFF
_MAX_PORT_DIGITS: Final = 5


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


class Machine:
    """One run of the state machine, from the scheme on or from the state ``override``.

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
        self.at_flag: bool = False
        self.bracket_flag: bool = False
        self.password_token_seen: bool = False
        self.usernames: list[str] = []
        self.passwords: list[str] = []
        self.host_start: int = 0
        self.state = self.scheme_start if override is None else getattr(self, override)

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

    def parse_host(self, text: str) -> Host2020:
        return parse_host_2020(text, not self.url.is_special)

    def scheme_start(self, c: str) -> None:
        if c and _SCHEME_START.match(c):
            self.buffer.append(ascii_lowercase(c))
            self.state = self.scheme
        elif self.override is None:
            self.state = self.no_scheme
            self.pointer -= 1
        else:
            raise LegacyURLError("a scheme must start with a letter")

    def scheme(self, c: str) -> bool | None:  # noqa: C901  # the standard's steps, kept whole
        url, base = self.url, self.base
        if c and _SCHEME_RUN.match(c):
            self.buffer.append(ascii_lowercase(self.take(_SCHEME_RUN, c)))
        elif c == ":":
            scheme = self.take_buffer()
            if self.override is not None:
                if url.is_special != (scheme in SPECIAL_SCHEMES):
                    return True
                if scheme == "file" and (url.includes_credentials or url.port is not None):
                    return True
                if url.scheme == "file" and not url.host:
                    return True
            url.scheme = scheme
            if self.override is not None:
                if url.port == SPECIAL_SCHEMES.get(scheme):
                    url.port = None
                return True
            if scheme == "file":
                self.state = self.file
            elif url.is_special and base is not None and base.scheme == scheme:
                self.state = self.special_relative_or_authority
            elif url.is_special:
                self.state = self.special_authority_slashes
            elif self.remaining_starts_with("/"):
                self.state = self.path_or_authority
                self.pointer += 1
            else:
                url.cannot_be_a_base_url = True
                url.path.append("")
                self.state = self.cannot_be_a_base_url_path
        elif self.override is None:
            self.buffer.clear()
            self.state = self.no_scheme
            self.pointer = -1  # Start over.
        else:
            raise LegacyURLError("a scheme can only have letters, digits, '+', '-' and '.'")
        return None

    def no_scheme(self, c: str) -> None:
        url, base = self.url, self.base
        if base is None or (base.cannot_be_a_base_url and c != "#"):
            raise LegacyURLError(
                "the URL is relative, and there is no base"
                if base is None
                else "the URL is relative, and no URL can be relative to the base"
            )
        if base.cannot_be_a_base_url:
            url.scheme, url.path, url.query = base.scheme, list(base.path), base.query
            url.fragment = ""
            url.cannot_be_a_base_url = True
            self.state = self.fragment
        else:
            self.state = self.file if base.scheme == "file" else self.relative
            self.pointer -= 1

    def special_relative_or_authority(self, c: str) -> None:
        if c == "/" and self.remaining_starts_with("/"):
            self.state = self.special_authority_ignore_slashes
            self.pointer += 1
        else:
            self.state = self.relative
            self.pointer -= 1

    def path_or_authority(self, c: str) -> None:
        if c == "/":
            self.state = self.authority
        else:
            self.state = self.path
            self.pointer -= 1

    def relative(self, c: str) -> None:
        url, base = self.url, self.base
        assert base is not None
        url.scheme = base.scheme
        if c == "/" or self.is_backslash_of_special(c):
            self.state = self.relative_slash
            return
        url.take_authority(base)
        url.path = list(base.path)
        if c in ("", "#"):
            url.query = base.query
        if not c or c in "?#":
            self.start_query_or_fragment(c)
        else:
            if url.path:
                url.path.pop()
            self.state = self.path
            self.pointer -= 1

    def relative_slash(self, c: str) -> None:
        url, base = self.url, self.base
        assert base is not None
        if url.is_special and c in ("/", "\\"):
            self.state = self.special_authority_ignore_slashes
        elif c == "/":
            self.state = self.authority
        else:
            url.take_authority(base)
            self.state = self.path
            self.pointer -= 1

    def special_authority_slashes(self, c: str) -> None:
        self.state = self.special_authority_ignore_slashes
        if c == "/" and self.remaining_starts_with("/"):
            self.pointer += 1
        else:
            self.pointer -= 1

    def special_authority_ignore_slashes(self, c: str) -> None:
        if c not in ("/", "\\"):
            self.state = self.authority
            self.pointer -= 1

    def authority(self, c: str) -> None:
        if not self.at_flag and not self.buffer:
            self.host_start = self.pointer
        if c == "@":
            text = ("%40" if self.at_flag else "") + self.take_buffer()
            self.at_flag = True
            if not self.password_token_seen:
                username, colon, text = text.partition(":")
                self.usernames.append(utf8_percent_encode(username, USERINFO_SET))
                self.password_token_seen = bool(colon)
            self.passwords.append(utf8_percent_encode(text, USERINFO_SET))
            self.host_start = self.pointer + 1
        elif c in _ENDS_AUTHORITY or self.is_backslash_of_special(c):
            if self.at_flag and not self.buffer:
                raise LegacyURLError("there is no host after the credentials")
            self.url.username += "".join(self.usernames)
            self.url.password += "".join(self.passwords)
            self.pointer = self.host_start - 1
            self.buffer.clear()
            self.state = self.host
        else:
            self.buffer.append(self.take(_AUTHORITY_RUN, c))

    def host(self, c: str) -> bool | None:
        url = self.url
        if self.override is not None and url.scheme == "file":
            self.pointer -= 1
            self.state = self.file_host
        elif c == ":" and not self.bracket_flag:
            if not self.buffer:
                raise LegacyURLError("there is no host before the port")
            url.host = self.parse_host(self.take_buffer())
            self.state = self.port
            return self.override == "hostname"
        elif c in _ENDS_AUTHORITY or self.is_backslash_of_special(c):
            self.pointer -= 1
            if url.is_special and not self.buffer:
                raise LegacyURLError("there is no host")
            if (
                self.override is not None
                and not self.buffer
                and (url.includes_credentials or url.port is not None)
            ):
                return True
            url.host = self.parse_host(self.take_buffer())
            self.state = self.path_start
            return self.override is not None
        else:
            if c in ("[", "]"):
                self.bracket_flag = c == "["
            self.buffer.append(self.take(_HOST_RUN, c))
        return None

    hostname = host

    def port(self, c: str) -> bool | None:
        url = self.url
        if c and c in "0123456789":
            self.buffer.append(self.take(_DIGIT_RUN, c))
        elif c in _ENDS_AUTHORITY or self.is_backslash_of_special(c) or self.override is not None:
            if self.buffer:
                significant = self.take_buffer().lstrip("0")
                # Converting a long number to an int would take quadratic time.
                if len(significant) > _MAX_PORT_DIGITS or int(significant or "0") > _MAX_PORT:
                    raise LegacyURLError("the port is greater than 65535")
                port = int(significant or "0")
                url.port = None if port == SPECIAL_SCHEMES.get(url.scheme) else port
            if self.override is not None:
                return True
            self.state = self.path_start
            self.pointer -= 1
        else:
            raise LegacyURLError("the port is not a number")
        return None

    def file(self, c: str) -> None:
        url, base = self.url, self.base
        url.scheme = "file"
        if c in ("/", "\\"):
            self.state = self.file_slash
        elif base is not None and base.scheme == "file":
            if c in ("", "?", "#"):
                url.host, url.path = base.host, list(base.path)
                url.query = base.query
                self.start_query_or_fragment(c)
                return
            if not self.starts_with_a_drive_letter():
                url.host, url.path = base.host, list(base.path)
                url.shorten_path()
            self.state = self.path
            self.pointer -= 1
        else:
            self.state = self.path
            self.pointer -= 1

    def file_slash(self, c: str) -> None:
        url, base = self.url, self.base
        if c in ("/", "\\"):
            self.state = self.file_host
            return
        if base is not None and base.scheme == "file" and not self.starts_with_a_drive_letter():
            if base.path and is_normalized_drive_letter(base.path[0]):
                url.path.append(base.path[0])
            else:
                url.host = base.host
        self.state = self.path
        self.pointer -= 1

    def file_host(self, c: str) -> bool | None:
        if c not in _ENDS_AUTHORITY and c != "\\":
            self.buffer.append(self.take(_PATH_RUN, c))
            return None
        self.pointer -= 1
        text = "".join(self.buffer)
        if self.override is None and is_drive_letter(text):
            self.state = self.path  # That state reads the buffer.
            return None
        self.buffer.clear()
        host = self.parse_host(text) if text else ""
        self.url.host = "" if str(host) == "localhost" else host
        self.state = self.path_start
        return self.override is not None

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
            self.buffer.append(utf8_percent_encode(self.take(_PATH_RUN, c), PATH_SET))
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
            url.query = (url.query or "") + self.encode_query(run, encode_set)

    def encode_query(self, text: str, percent_encode_set: PercentEncodeSet) -> str:
        """Return ``text`` encoded and percent-encoded one code point at a time."""
        if self.encoding != "iso-2022-jp":
            return percent_encode_after_encoding(self.encoding, text, percent_encode_set)
        # It is the only encoding with a state. The state starts and ends with each code point.
        encoded = {
            char: percent_encode_after_encoding(self.encoding, char, percent_encode_set)
            for char in set(text)
        }
        return "".join([encoded[char] for char in text])

    def fragment(self, c: str) -> None:
        if c:
            run = self.take_rest().replace("\0", "")
            self.url.fragment = (self.url.fragment or "") + utf8_percent_encode(run, FRAGMENT_SET)

    def take_rest(self) -> str:
        rest = self.input[self.pointer :]
        self.pointer = len(self.input) - 1
        return rest


def is_drive_letter(text: str) -> bool:
    """Return whether ``text`` is a letter followed by ":" or "|". §4.2."""
    return DRIVE_LETTER.fullmatch(text) is not None


def is_normalized_drive_letter(text: str) -> bool:
    """Return whether ``text`` is a letter followed by ":". §4.2."""
    return NORMALIZED_DRIVE_LETTER.fullmatch(text) is not None
