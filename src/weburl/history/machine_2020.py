"""§4.4 of the URL Standard of 2020: the basic URL parser, its state machine step by step.

It follows that text closely and has the state override, but leaves out validation errors, which had
no names yet. A state that would take code points one by one takes a run of them at once, so ten
megabytes take seconds. Nothing here may depend on today's parser.
"""

from __future__ import annotations

import re
from typing import Final

from weburl.history.drafts_2020 import Draft, is_drive_letter, is_normalized_drive_letter
from weburl.history.errors import LegacyURLError
from weburl.history.facts_2020 import SPECIAL_SCHEMES, USERINFO_SET
from weburl.history.hosts_2020 import Host2020, parse_host
from weburl.history.path_states_2020 import PATH_RUN, Override, PathStates, State
from weburl.standard.infra.percent_encoding import utf8_percent_encode
from weburl.standard.infra.strings import ascii_lowercase, to_scalar_value_string

_SCHEME_START: Final = re.compile("[A-Za-z]")
_SCHEME_RUN: Final = re.compile("[A-Za-z0-9+.-]+")
_AUTHORITY_RUN: Final = re.compile(r"[^@/?#\\]+")
_HOST_RUN: Final = re.compile(r"[^:/?#\\\[\]]+")
_DIGIT_RUN: Final = re.compile("[0-9]+")
_ENDS_AUTHORITY: Final = frozenset(("", "/", "?", "#"))
_MAX_PORT: Final = 0xFFFF
_MAX_PORT_DIGITS: Final = 5


class Machine(PathStates):
    """One run of the whole state machine, from the scheme on or from the state ``override``."""

    # Declared again, as in PathStates, because some type checkers otherwise infer narrower types.
    state: State
    pointer: int

    def __init__(
        self, input: str, base: Draft | None, encoding: str, url: Draft, override: Override | None
    ) -> None:
        super().__init__(input, base, encoding, url, override)
        self.at_flag: bool = False
        self.bracket_flag: bool = False
        self.password_token_seen: bool = False
        self.usernames: list[str] = []
        self.passwords: list[str] = []
        self.host_start: int = 0
        self.state = self.scheme_start if override is None else getattr(self, override.value)

    def parse_host(self, text: str) -> Host2020:
        return parse_host(text, not self.url.is_special)

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
            return self.override is Override.HOSTNAME
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
            self.buffer.append(self.take(PATH_RUN, c))
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


def parse_basic_url(input: str, base: Draft | None, encoding: str, machine: type[Machine]) -> Draft:
    """Return the URL that ``input`` writes; raises `LegacyURLError`.

    ``encoding`` is the name of an output encoding, for the query. ``machine``: the machine of a
    year.
    """
    url = Draft()
    text = to_scalar_value_string(input).strip("".join(map(chr, range(0x21))))
    machine(text, base, encoding, url, None).run()
    return url


def parse_into(input: str, url: Draft, override: Override, machine: type[Machine]) -> None:
    """Parse ``input`` into ``url``, from the state ``override``; raises `LegacyURLError`.

    ``url`` may then be partly changed, as in the standard.
    """
    machine(to_scalar_value_string(input), None, "utf-8", url, override).run()
