"""Today's literal state machine with each change since 2024 undone: an oracle.

As `changes_undone`, for `history.url_standard_2024`, which was made from the machine of 2020.
"""

from __future__ import annotations

from tests.history.changes_undone import attribute_is_ignored
from tests.reference.hosts import Host, host_parser
from tests.reference.machine import Run, State, _Machine
from tests.reference.outcomes import FAILURE, ErrorLog, Failure
from tests.reference.records import ReferenceRecord
from tests.reference.terms import (
    ASCII_TAB_OR_NEWLINE,
    C0_CONTROL_OR_SPACE,
    USERINFO_PERCENT_ENCODE_SET,
    percent_decode,
    to_scalar_value_string,
    utf8_percent_encode,
)
from weburl.history.idna_editions import UNICODE_15_1
from weburl.standard.hosts import uts46

_STATES = {
    "protocol": State.SCHEME_START,
    "host": State.HOST,
    "hostname": State.HOSTNAME,
    "port": State.PORT,
    "pathname": State.PATH_START,
    "search": State.QUERY,
    "hash": State.FRAGMENT,
}


class MachineWithChangesUndone(_Machine):
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
        return host_parser(text, not self.url.is_special, ErrorLog(None))

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


def parse(
    input: str, base: ReferenceRecord | None, encoding: str = "utf-8"
) -> ReferenceRecord | None:
    """Return the record of a URL as of 2024, or None."""
    url = ReferenceRecord()
    text = to_scalar_value_string(input).strip("".join(C0_CONTROL_OR_SPACE))
    return url if _run(text, base, url, None, encoding) is not Run.RETURN_FAILURE else None


def set_attribute(url: ReferenceRecord, attribute: str, value: str) -> None:
    """Set an attribute of the API, as of 2024: no space stays behind an opaque path's end."""
    value = to_scalar_value_string(value)
    if attribute_is_ignored(url, attribute):
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
            if isinstance(url.path, str) and url.query is None and url.fragment is None:
                url.path = url.path.rstrip(" ")
            return
        value = value.removeprefix(sign)
    if attribute == "pathname":
        url.path = []
    _run(value + (":" if attribute == "protocol" else ""), None, url, _STATES[attribute], "utf-8")


def _run(
    input: str,
    base: ReferenceRecord | None,
    url: ReferenceRecord,
    state: State | None,
    encoding: str,
) -> Run:
    input = "".join(c for c in input if c not in ASCII_TAB_OR_NEWLINE)
    machine = MachineWithChangesUndone(input, base, encoding, url, state, ErrorLog(None))
    while (run := machine.run()) is Run.KEEP_RUNNING:
        if machine.pointer >= len(input):
            break
        machine.pointer += 1
    return run
