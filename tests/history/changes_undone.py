"""Today's literal state machine with each change since 2020, or since 2024, undone: two oracles.

`weburl.history.machine_2020` was written beside the text of 2020, and the one of 2024 was made from
it. These were not: they start from `tests.reference`, which was written beside today's text, and
undo the changes one by one. Where both agree, docs/history.md and changes.py list all changes.
"""

from __future__ import annotations

from typing import Final

from tests.reference.hosts import (
    Host,
    IPv4Address,
    host_serializer,
    ipv4_number_parser,
    ipv6_parser,
)
from tests.reference.hosts import host_parser as todays_host_parser
from tests.reference.machine import Run, State, _Machine, is_windows_drive_letter
from tests.reference.outcomes import FAILURE, ErrorLog, Failure
from tests.reference.records import ReferenceRecord
from tests.reference.terms import (
    ASCII_TAB_OR_NEWLINE,
    C0_CONTROL_OR_SPACE,
    C0_CONTROL_PERCENT_ENCODE_SET,
    EOF,
    USERINFO_PERCENT_ENCODE_SET,
    percent_decode,
    to_scalar_value_string,
    utf8_percent_encode,
)
from weburl.history.idna_editions import UNICODE_13, UNICODE_15_1
from weburl.standard.hosts import punycode, uts46
from weburl.standard.infra import code_points
from weburl.standard.infra.percent_encoding import percent_encode_after_encoding

_FORBIDDEN_HOST_CODE_POINTS: Final = "\0\t\n\r #%/:?@[\\]"
_STATES: Final = {
    "protocol": State.SCHEME_START,
    "host": State.HOST,
    "hostname": State.HOSTNAME,
    "port": State.PORT,
    "pathname": State.PATH_START,
    "search": State.QUERY,
    "hash": State.FRAGMENT,
}

Components = tuple[
    str, str, str, str | None, int | None, tuple[str, ...], bool, str | None, str | None
]


def domain_to_ascii(domain: str) -> str | None:
    """Return the domain in ASCII, or None.

    Undone: what was refused by Unicode 13 is not any more; U+1E9E becomes U+00DF and not "ss";
    and what Punycode decodes to is neither ASCII, nor empty, nor begins with "xn--".
    """
    if UNICODE_13.refused.search(domain):
        return None
    restored: list[str | None] = []
    labels: list[str] = []
    for label in uts46.map_and_normalize(domain.replace("\u1e9e", "ss")).split("."):
        instead = label
        outcome: str | None = None
        if label.startswith("xn--"):
            decoded = punycode.decode(label[4:])
            if decoded is None or UNICODE_13.refused.search(decoded):
                return None
            # Letters stand for the prefix, so that today's rules take it for a plain label.
            if decoded.isascii():
                instead, outcome = decoded.replace("xn--", "aaaa", 1), decoded
            elif decoded.startswith("xn--"):
                instead, outcome = "aaaa" + decoded[4:], label
        labels.append(instead)
        restored.append(outcome)
    result = uts46.to_ascii(".".join(labels), False)
    if result is None:
        return None
    return ".".join(
        label if outcome is None else outcome
        for label, outcome in zip(result.split("."), restored, strict=True)
    )


def host_parser(input: str, is_opaque: bool) -> Host | Failure:
    """Return the host, or failure.

    Undone: "<", ">", "^", "|" and, in domains, controls are forbidden; a domain that ends in a
    number is an address or nothing; ASCII domains are only lowercased; none is empty; and what
    `domain_to_ascii` says.
    """
    if input.startswith("["):
        return ipv6_parser(input[1:-1], ErrorLog(None)) if input.endswith("]") else FAILURE
    if is_opaque:
        if any(c in _FORBIDDEN_HOST_CODE_POINTS.replace("%", "") for c in input):
            return FAILURE
        return utf8_percent_encode(input, C0_CONTROL_PERCENT_ENCODE_SET)
    domain = domain_to_ascii(percent_decode(input).decode("utf-8", "replace"))
    if domain is None or any(c in _FORBIDDEN_HOST_CODE_POINTS for c in domain):
        return FAILURE
    parts = domain.removesuffix(".").split(".")
    if len(parts) > 4 or not all(parts):
        return domain
    numbers: list[int] = []
    for part in parts:
        result = ipv4_number_parser(part)
        if isinstance(result, Failure):
            return domain
        numbers.append(result[0])
    if max(numbers[:-1], default=0) > 255 or numbers[-1] >= 256 ** (5 - len(numbers)):
        return FAILURE
    return IPv4Address(
        sum(number * 256 ** (3 - at) for at, number in enumerate(numbers[:-1])) + numbers[-1]
    )


class MachineOf2024(_Machine):
    """Each method says what is undone there."""

    def host_parse_the_buffer(self) -> Host | Failure:
        """Look at the Punycode of a domain in ASCII too; and go by Unicode 15.1."""
        text = "".join(self.buffer)
        if self.url.is_special and not text.startswith("["):
            domain = percent_decode(text).decode("utf-8", "replace")
            if UNICODE_15_1.refused.search(domain):
                return FAILURE
            if not domain.isascii() or "xn--" in domain.lower():
                labels = uts46._process(domain, False)
                if labels is None or UNICODE_15_1.refused.search(".".join(labels)):
                    return FAILURE
        return todays_host_parser(text, not self.url.is_special, ErrorLog(None))

    def path_state(self) -> Run:
        """Keep "^"."""
        if self.c == "^":
            self.buffer.append("^")
            return Run.KEEP_RUNNING
        return super().path_state()

    def opaque_path_state(self) -> Run:
        """Keep a space at the end of an opaque path."""
        if self.c == " ":
            self.opaque_path.append(" ")
            return Run.KEEP_RUNNING
        return super().opaque_path_state()


class MachineOf2020(MachineOf2024):
    """Each method says what else is undone there."""

    def scheme_state(self) -> Run:
        """Take it that a file URL's host may be null."""
        url = self.url
        if self.c == ":" and self.state_override and url.scheme == "file" and url.host is None:
            return Run.RETURN
        return super().scheme_state()

    def host_parse_the_buffer(self) -> Host | Failure:
        """See `host_parser`."""
        return host_parser("".join(self.buffer), not self.url.is_special)

    def host_state(self) -> Run:
        """Take the host before a port in the hostname setter, which now takes neither."""
        ends_host = self.c == ":" and not self.inside_brackets and self.buffer
        if not ends_host or self.state_override is not State.HOSTNAME or self.url.scheme == "file":
            return super().host_state()
        host = self.host_parse_the_buffer()
        if host is FAILURE:
            return Run.RETURN_FAILURE
        self.url.host = host
        return Run.RETURN

    def file_state(self) -> Run:
        """Let a file URL's host start as null, and lose it with a drive letter."""
        run = super().file_state()
        has_base = self.base is not None and self.base.scheme == "file"
        if not has_base or self.state is State.FILE_SLASH:
            self.url.host = None
        elif self.state is State.PATH:
            self.pointer += 1
            if self.starts_with_a_windows_drive_letter_at_the_pointer():
                self.url.host = None
            self.pointer -= 1
        return run

    def file_slash_state(self) -> Run:
        """Take no host from the base where either has a drive letter."""
        starts_with_drive = self.starts_with_a_windows_drive_letter_at_the_pointer()
        run = super().file_slash_state()
        if self.state is State.PATH and (starts_with_drive or self.url.path):
            self.url.host = None
        return run

    def path_start_state(self) -> Run:
        """Let a path be set to nothing where the host is null."""
        if self.c == EOF and self.state_override is not None and not self.url.is_special:
            return Run.KEEP_RUNNING
        return super().path_start_state()

    def path_state(self) -> Run:
        """Drop the host before a drive letter, and empty first segments of files."""
        url, c = self.url, self.c
        ends = c in (EOF, "/") or (url.is_special and c == "\\")
        ends = ends or (self.state_override is None and c in ("?", "#"))
        is_file = ends and url.scheme == "file"
        if is_file and not url.path and is_windows_drive_letter("".join(self.buffer)) and url.host:
            url.host = ""
        run = super().path_state()
        if is_file and c not in ("/", "\\"):
            while len(url.path) > 1 and url.path[0] == "":
                url.path = url.path_segments[1:]
        return run

    def fragment_state(self) -> Run:
        """U+0000 is dropped from fragments."""
        return Run.KEEP_RUNNING if self.c == "\0" else super().fragment_state()

    def percent_encode_the_buffer_after_encoding(self) -> str:
        """Encode the query code point by code point."""
        if self.encoding == "utf-8":
            return super().percent_encode_the_buffer_after_encoding()
        encode_set = code_points.SPECIAL_QUERY_PERCENT_ENCODE_SET
        return "".join(
            percent_encode_after_encoding(self.encoding, c, encode_set) for c in self.buffer
        )


def parse(
    machine: type[MachineOf2024],
    input: str,
    base: ReferenceRecord | None,
    encoding: str = "utf-8",
) -> ReferenceRecord | None:
    """Return the record of a URL as of the year of the machine, or None."""
    url = ReferenceRecord()
    text = to_scalar_value_string(input).strip("".join(C0_CONTROL_OR_SPACE))
    failed = _run(machine, text, base, url, None, encoding) is Run.RETURN_FAILURE
    return None if failed else url


def set_attribute(
    machine: type[MachineOf2024], url: ReferenceRecord, attribute: str, value: str
) -> None:
    """Set an attribute of the API. In 2024, an opaque path then does not end in a space."""
    value = to_scalar_value_string(value)
    if attribute in ("username", "password", "port") and url.cannot_have_a_username_password_port:
        return
    if attribute in ("host", "hostname", "pathname") and url.has_opaque_path:
        return
    if attribute in ("username", "password"):
        setattr(url, attribute, utf8_percent_encode(value, USERINFO_PERCENT_ENCODE_SET))
        return
    if attribute == "port" and not value:
        url.port = None
        return
    if attribute in ("search", "hash"):
        name, sign = ("query", "?") if attribute == "search" else ("fragment", "#")
        setattr(url, name, "" if value else None)
        if not value:
            ends_in_path = isinstance(url.path, str) and url.query is None and url.fragment is None
            if ends_in_path and machine is MachineOf2024:
                url.path = str(url.path).rstrip(" ")
            return
        value = value.removeprefix(sign)
    if attribute == "pathname":
        url.path = []
    value += ":" if attribute == "protocol" else ""
    _run(machine, value, None, url, _STATES[attribute], "utf-8")


def _run(
    machine: type[MachineOf2024],
    input: str,
    base: ReferenceRecord | None,
    url: ReferenceRecord,
    state: State | None,
    encoding: str,
) -> Run:
    input = "".join(c for c in input if c not in ASCII_TAB_OR_NEWLINE)
    running = machine(input, base, encoding, url, state, ErrorLog(None))
    while (run := running.run()) is Run.KEEP_RUNNING:
        if running.pointer >= len(input):
            break
        running.pointer += 1
    return run


def components(record: ReferenceRecord) -> Components:
    """Return a record's components, an opaque path as one segment and True behind it."""
    path = (record.path,) if isinstance(record.path, str) else tuple(record.path)
    return (
        record.scheme,
        record.username,
        record.password,
        None if record.host is None else host_serializer(record.host),
        record.port,
        path,
        record.has_opaque_path,
        record.query,
        record.fragment,
    )
