"""The basic URL parser as the standard writes it: one code point at a time, a state each.

Every state is a method whose steps carry the standard's numbers; the text appended to the
username, the password, an opaque path or the fragment is gathered in lists and joined when the
state is left, so that the machine stays linear. Host parsing is in `hosts`, setters in `api`.
Of `weburl` it uses legacy encodings alone, with the one percent-encode set that they take.
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import overload

from tests.reference.hosts import Host, host_parser
from tests.reference.outcomes import FAILURE, ErrorLog, Failure, ReferenceValidationError
from tests.reference.records import SPECIAL_SCHEMES, ReferenceRecord
from tests.reference.terms import (
    ASCII_ALPHA,
    ASCII_ALPHANUMERIC,
    ASCII_DIGITS,
    ASCII_TAB_OR_NEWLINE,
    C0_CONTROL_OR_SPACE,
    C0_CONTROL_PERCENT_ENCODE_SET,
    EOF,
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
    ascii_lowercase,
    is_url_code_point,
    join_surrogate_pairs,
    starts_with_two_ascii_hex_digits,
    to_scalar_value_string,
    utf8_percent_encode,
    value_up_to,
)
from weburl.standard.infra import code_points
from weburl.standard.infra import encodings as weburl_encodings
from weburl.standard.infra.percent_encoding import percent_encode_after_encoding


class State(StrEnum):
    """The states by their names in the standard. Spec: #concept-basic-url-parser"""

    SCHEME_START = "scheme start state"
    SCHEME = "scheme state"
    NO_SCHEME = "no scheme state"
    SPECIAL_RELATIVE_OR_AUTHORITY = "special relative or authority state"
    PATH_OR_AUTHORITY = "path or authority state"
    RELATIVE = "relative state"
    RELATIVE_SLASH = "relative slash state"
    SPECIAL_AUTHORITY_SLASHES = "special authority slashes state"
    SPECIAL_AUTHORITY_IGNORE_SLASHES = "special authority ignore slashes state"
    AUTHORITY = "authority state"
    HOST = "host state"
    HOSTNAME = "hostname state"
    PORT = "port state"
    FILE = "file state"
    FILE_SLASH = "file slash state"
    FILE_HOST = "file host state"
    PATH_START = "path start state"
    PATH = "path state"
    OPAQUE_PATH = "opaque path state"
    QUERY = "query state"
    FRAGMENT = "fragment state"


class Run(Enum):
    """How one run of the state machine ends: keep running, return, or return failure."""

    KEEP_RUNNING = "keep running"
    RETURN = "return"
    RETURN_FAILURE = "return failure"


@overload
def basic_url_parse(
    input: str,
    base: ReferenceRecord | None = None,
    *,
    encoding: str = "utf-8",
    errors: list[ReferenceValidationError] | None = None,
) -> ReferenceRecord | Failure: ...


@overload
def basic_url_parse(
    input: str,
    base: ReferenceRecord | None = None,
    *,
    encoding: str = "utf-8",
    url: ReferenceRecord | None,
    state_override: State | None,
    errors: list[ReferenceValidationError] | None = None,
) -> ReferenceRecord | Failure | None: ...


def basic_url_parse(
    input: str,
    base: ReferenceRecord | None = None,
    *,
    encoding: str = "utf-8",
    url: ReferenceRecord | None = None,
    state_override: State | None = None,
    errors: list[ReferenceValidationError] | None = None,
) -> ReferenceRecord | Failure | None:
    """Run the basic URL parser.

    Return a new record, or `FAILURE`. With `url` and `state_override` (given together or not at
    all) change `url` in place, also in part before a failure, and return `url`, `FAILURE`, or
    None where the standard returns nothing. `encoding` is a label of the Encoding Standard.
    Validation errors are appended to `errors` in the order in which they arise.

    Spec: #concept-basic-url-parser
    """
    assert (url is None) == (state_override is None)
    log = ErrorLog(errors)
    input = join_surrogate_pairs(input)
    if url is None:  # 1
        url = ReferenceRecord()  # 1.1
        trimmed = input.strip("".join(C0_CONTROL_OR_SPACE))
        if trimmed != input:  # 1.2
            log.validation_error("invalid-URL-unit")
        input = trimmed  # 1.3
    if any(c in ASCII_TAB_OR_NEWLINE for c in input):  # 2
        log.validation_error("invalid-URL-unit")
    input = "".join(c for c in input if c not in ASCII_TAB_OR_NEWLINE)  # 3
    machine = _Machine(input, base, encoding, url, state_override, log)  # 4 to 8
    while True:  # 9
        run = machine.run()
        if run is Run.RETURN:
            return None
        if run is Run.RETURN_FAILURE:
            return FAILURE
        if machine.pointer >= len(input):
            break
        machine.pointer += 1
    return url  # 10


def get_output_encoding(label: str) -> str:
    """Return the lower-case name of the encoding to encode with, for a label.

    Spec: https://encoding.spec.whatwg.org/#get-an-output-encoding
    """
    if ascii_lowercase(label) in ("utf-8", "utf8"):
        return "utf-8"
    return ascii_lowercase(weburl_encodings.get_output_encoding(label))


def is_windows_drive_letter(string: str) -> bool:
    """Spec: #windows-drive-letter"""
    return len(string) == 2 and string[0] in ASCII_ALPHA and string[1] in (":", "|")


def is_normalized_windows_drive_letter(string: str) -> bool:
    """Spec: #normalized-windows-drive-letter"""
    return is_windows_drive_letter(string) and string[1] == ":"


def starts_with_a_windows_drive_letter(string: str) -> bool:
    """Tell it of a string of which the first three code points suffice.

    Spec: #start-with-a-windows-drive-letter
    """
    return (
        len(string) >= 2
        and is_windows_drive_letter(string[:2])
        and (len(string) == 2 or string[2] in ("/", "\\", "?", "#"))
    )


def is_single_dot_url_path_segment(segment: str) -> bool:
    """Spec: #single-dot-path-segment"""
    return ascii_lowercase(segment) in (".", "%2e")


def is_double_dot_url_path_segment(segment: str) -> bool:
    """Spec: #double-dot-path-segment"""
    return ascii_lowercase(segment) in ("..", ".%2e", "%2e.", "%2e%2e")


def shorten_path(url: ReferenceRecord) -> None:
    """Remove the last segment, unless it is the drive letter of a file URL.

    Spec: #shorten-a-urls-path
    """
    assert not url.has_opaque_path  # 1
    path = url.path_segments  # 2
    if (  # 3
        url.scheme == "file" and len(path) == 1 and is_normalized_windows_drive_letter(path[0])
    ):
        return
    if path:  # 4
        path.pop()


class _Machine:
    """The variables of the algorithm, and one method for each state."""

    def __init__(
        self,
        input: str,
        base: ReferenceRecord | None,
        encoding: str,
        url: ReferenceRecord,
        state_override: State | None,
        log: ErrorLog,
    ) -> None:
        self.input = input
        self.base = base
        self.url = url
        self.state_override = state_override
        self.log = log
        self.state = state_override or State.SCHEME_START  # 4
        self.encoding = get_output_encoding(encoding)  # 5
        self.buffer: list[str] = []  # 6; strings still to be joined
        self.at_sign_seen = False  # 7
        self.inside_brackets = False
        self.password_token_seen = False
        self.pointer = 0  # 8
        # What was appended to a component of the record since its state was entered.
        self.username: list[str] = []
        self.password: list[str] = []
        self.opaque_path: list[str] = []
        self.fragment: list[str] = []

    def run(self) -> Run:  # noqa: C901  # the standard's steps, kept whole
        """Run the machine once, in its present state."""
        match self.state:
            case State.SCHEME_START:
                return self.scheme_start_state()
            case State.SCHEME:
                return self.scheme_state()
            case State.NO_SCHEME:
                return self.no_scheme_state()
            case State.SPECIAL_RELATIVE_OR_AUTHORITY:
                return self.special_relative_or_authority_state()
            case State.PATH_OR_AUTHORITY:
                return self.path_or_authority_state()
            case State.RELATIVE:
                return self.relative_state()
            case State.RELATIVE_SLASH:
                return self.relative_slash_state()
            case State.SPECIAL_AUTHORITY_SLASHES:
                return self.special_authority_slashes_state()
            case State.SPECIAL_AUTHORITY_IGNORE_SLASHES:
                return self.special_authority_ignore_slashes_state()
            case State.AUTHORITY:
                return self.authority_state()
            case State.HOST | State.HOSTNAME:
                return self.host_state()
            case State.PORT:
                return self.port_state()
            case State.FILE:
                return self.file_state()
            case State.FILE_SLASH:
                return self.file_slash_state()
            case State.FILE_HOST:
                return self.file_host_state()
            case State.PATH_START:
                return self.path_start_state()
            case State.PATH:
                return self.path_state()
            case State.OPAQUE_PATH:
                return self.opaque_path_state()
            case State.QUERY:
                return self.query_state()
            case State.FRAGMENT:
                return self.fragment_state()

    @property
    def c(self) -> str:
        """The code point that the pointer points to, or EOF."""
        assert self.pointer >= 0
        return self.input[self.pointer] if self.pointer < len(self.input) else EOF

    def remaining_starts_with(self, *prefixes: str) -> bool:
        """Tell whether one of the prefixes stands right after the pointer."""
        assert self.c != EOF
        return self.input.startswith(prefixes, self.pointer + 1)

    def validation_error(self, name: str, *, is_failure: bool = False) -> None:
        """Record an error where the pointer is."""
        self.log.validation_error(name, pointer=self.pointer, is_failure=is_failure)

    def failure(self, name: str) -> Run:
        """Record an error that is followed by "return failure"."""
        self.validation_error(name, is_failure=True)
        return Run.RETURN_FAILURE

    def validation_errors_of_a_url_unit(self) -> None:
        """Report c where a path, query or fragment takes any code point but wants URL units."""
        if not is_url_code_point(self.c) and self.c != "%":
            self.validation_error("invalid-URL-unit")
        if self.c == "%" and not starts_with_two_ascii_hex_digits(self.input, self.pointer + 1):
            self.validation_error("invalid-URL-unit")

    def scheme_start_state(self) -> Run:
        """Spec: #scheme-start-state"""
        if self.c in ASCII_ALPHA:  # 1
            self.buffer.append(ascii_lowercase(self.c))
            self.state = State.SCHEME
        elif self.state_override is None:  # 2
            self.state = State.NO_SCHEME
            self.pointer -= 1
        else:  # 3
            return Run.RETURN_FAILURE
        return Run.KEEP_RUNNING

    def scheme_state(self) -> Run:  # noqa: C901  # the standard's steps, kept whole
        """Spec: #scheme-state"""
        url, base, c = self.url, self.base, self.c
        if c in ASCII_ALPHANUMERIC or c in ("+", "-", "."):  # 1
            self.buffer.append(ascii_lowercase(c))
        elif c == ":":  # 2
            buffer = "".join(self.buffer)
            if self.state_override is not None:  # 2.1
                if url.is_special and buffer not in SPECIAL_SCHEMES:  # 2.1.1
                    return Run.RETURN
                if not url.is_special and buffer in SPECIAL_SCHEMES:  # 2.1.2
                    return Run.RETURN
                if (url.includes_credentials or url.port is not None) and buffer == "file":  # 2.1.3
                    return Run.RETURN
                if url.scheme == "file" and url.host == "":  # 2.1.4
                    return Run.RETURN
            url.scheme = buffer  # 2.2
            if self.state_override is not None:  # 2.3
                if url.port == url.default_port:  # 2.3.1
                    url.port = None
                return Run.RETURN  # 2.3.2
            self.buffer = []  # 2.4
            if url.scheme == "file":  # 2.5
                if not self.remaining_starts_with("//"):  # 2.5.1
                    self.validation_error("special-scheme-missing-following-solidus")
                self.state = State.FILE  # 2.5.2
            elif url.is_special and base is not None and base.scheme == url.scheme:  # 2.6
                assert base.is_special  # 2.6.1
                assert not base.has_opaque_path
                self.state = State.SPECIAL_RELATIVE_OR_AUTHORITY  # 2.6.2
            elif url.is_special:  # 2.7
                self.state = State.SPECIAL_AUTHORITY_SLASHES
            elif self.remaining_starts_with("/"):  # 2.8
                self.state = State.PATH_OR_AUTHORITY
                self.pointer += 1
            else:  # 2.9
                url.path = ""
                self.state = State.OPAQUE_PATH
        elif self.state_override is None:  # 3
            self.buffer = []
            self.state = State.NO_SCHEME
            self.pointer = -1  # the machine goes on to the first code point
        else:  # 4
            return Run.RETURN_FAILURE
        return Run.KEEP_RUNNING

    def no_scheme_state(self) -> Run:
        """Spec: #no-scheme-state"""
        url, base, c = self.url, self.base, self.c
        if base is None or (base.has_opaque_path and c != "#"):  # 1
            return self.failure("missing-scheme-non-relative-URL")
        if base.has_opaque_path and c == "#":  # 2
            url.scheme = base.scheme
            url.path = base.path
            url.query = base.query
            url.fragment = ""
            self.state = State.FRAGMENT
        elif base.scheme != "file":  # 3
            self.state = State.RELATIVE
            self.pointer -= 1
        else:  # 4
            self.state = State.FILE
            self.pointer -= 1
        return Run.KEEP_RUNNING

    def special_relative_or_authority_state(self) -> Run:
        """Spec: #special-relative-or-authority-state"""
        if self.c == "/" and self.remaining_starts_with("/"):  # 1
            self.state = State.SPECIAL_AUTHORITY_IGNORE_SLASHES
            self.pointer += 1
        else:  # 2
            self.validation_error("special-scheme-missing-following-solidus")
            self.state = State.RELATIVE
            self.pointer -= 1
        return Run.KEEP_RUNNING

    def path_or_authority_state(self) -> Run:
        """Spec: #path-or-authority-state"""
        if self.c == "/":  # 1
            self.state = State.AUTHORITY
        else:  # 2
            self.state = State.PATH
            self.pointer -= 1
        return Run.KEEP_RUNNING

    def relative_state(self) -> Run:
        """Spec: #relative-state"""
        url, base, c = self.url, self.base, self.c
        assert base is not None
        assert base.scheme != "file"  # 1
        url.scheme = base.scheme  # 2
        if c == "/":  # 3
            self.state = State.RELATIVE_SLASH
        elif url.is_special and c == "\\":  # 4
            self.validation_error("invalid-reverse-solidus")
            self.state = State.RELATIVE_SLASH
        else:  # 5
            url.username = base.username  # 5.1
            url.password = base.password
            url.host = base.host
            url.port = base.port
            url.path = list(base.path_segments)
            url.query = base.query
            if c == "?":  # 5.2
                url.query = ""
                self.state = State.QUERY
            elif c == "#":  # 5.3
                url.fragment = ""
                self.state = State.FRAGMENT
            elif c != EOF:  # 5.4
                url.query = None  # 5.4.1
                shorten_path(url)  # 5.4.2
                self.state = State.PATH  # 5.4.3
                self.pointer -= 1
        return Run.KEEP_RUNNING

    def relative_slash_state(self) -> Run:
        """Spec: #relative-slash-state"""
        url, base, c = self.url, self.base, self.c
        assert base is not None
        if url.is_special and c in ("/", "\\"):  # 1
            if c == "\\":  # 1.1
                self.validation_error("invalid-reverse-solidus")
            self.state = State.SPECIAL_AUTHORITY_IGNORE_SLASHES  # 1.2
        elif c == "/":  # 2
            self.state = State.AUTHORITY
        else:  # 3
            url.username = base.username
            url.password = base.password
            url.host = base.host
            url.port = base.port
            self.state = State.PATH
            self.pointer -= 1
        return Run.KEEP_RUNNING

    def special_authority_slashes_state(self) -> Run:
        """Spec: #special-authority-slashes-state"""
        if self.c == "/" and self.remaining_starts_with("/"):  # 1
            self.state = State.SPECIAL_AUTHORITY_IGNORE_SLASHES
            self.pointer += 1
        else:  # 2
            self.validation_error("special-scheme-missing-following-solidus")
            self.state = State.SPECIAL_AUTHORITY_IGNORE_SLASHES
            self.pointer -= 1
        return Run.KEEP_RUNNING

    def special_authority_ignore_slashes_state(self) -> Run:
        """Spec: #special-authority-ignore-slashes-state"""
        if self.c not in ("/", "\\"):  # 1
            self.state = State.AUTHORITY
            self.pointer -= 1
        else:  # 2
            self.validation_error("special-scheme-missing-following-solidus")
        return Run.KEEP_RUNNING

    def authority_state(self) -> Run:
        """Spec: #authority-state"""
        url, c = self.url, self.c
        if c == "@":  # 1
            self.validation_error("invalid-credentials")  # 1.1
            if self.at_sign_seen:  # 1.2
                self.buffer[:0] = "%40"
            self.at_sign_seen = True  # 1.3
            for code_point in self.buffer:  # 1.4
                if code_point == ":" and not self.password_token_seen:  # 1.4.1
                    self.password_token_seen = True
                    continue
                encoded_code_points = utf8_percent_encode(  # 1.4.2
                    code_point, USERINFO_PERCENT_ENCODE_SET
                )
                if self.password_token_seen:  # 1.4.3
                    self.password.append(encoded_code_points)
                else:  # 1.4.4
                    self.username.append(encoded_code_points)
            self.buffer = []  # 1.5
        elif c in (EOF, "/", "?", "#") or (url.is_special and c == "\\"):  # 2
            url.username += "".join(self.username)
            url.password += "".join(self.password)
            if self.at_sign_seen and not self.buffer:  # 2.1
                return self.failure("host-missing")
            self.pointer -= len(self.buffer) + 1  # 2.2
            self.buffer = []
            self.state = State.HOST
        else:  # 3
            self.buffer.append(c)
        return Run.KEEP_RUNNING

    def host_state(self) -> Run:  # noqa: C901  # the standard's steps, kept whole
        """Run the host state or the hostname state, which differ by the state override only.

        Spec: #host-state
        """
        url, c = self.url, self.c
        if self.state_override is not None and url.scheme == "file":  # 1
            self.pointer -= 1
            self.state = State.FILE_HOST
        elif c == ":" and not self.inside_brackets:  # 2
            if not self.buffer:  # 2.1
                return self.failure("host-missing")
            if self.state_override is State.HOSTNAME:  # 2.2
                return Run.RETURN_FAILURE
            host = self.host_parse_the_buffer()  # 2.3
            if host is FAILURE:  # 2.4
                return Run.RETURN_FAILURE
            url.host = host  # 2.5
            self.buffer = []
            self.state = State.PORT
        elif c in (EOF, "/", "?", "#") or (url.is_special and c == "\\"):  # 3
            self.pointer -= 1
            if url.is_special and not self.buffer:  # 3.1
                return self.failure("host-missing")
            if (  # 3.2
                self.state_override is not None
                and not self.buffer
                and (url.includes_credentials or url.port is not None)
            ):
                return Run.RETURN_FAILURE
            host = self.host_parse_the_buffer()  # 3.3
            if host is FAILURE:  # 3.4
                return Run.RETURN_FAILURE
            url.host = host  # 3.5
            self.buffer = []
            self.state = State.PATH_START
            if self.state_override is not None:  # 3.6
                return Run.RETURN
        else:  # 4
            if c == "[":  # 4.1
                self.inside_brackets = True
            if c == "]":  # 4.2
                self.inside_brackets = False
            self.buffer.append(c)  # 4.3
        return Run.KEEP_RUNNING

    def host_parse_the_buffer(self) -> Host | Failure:
        """Host parse the buffer, as opaque host if the URL is not special."""
        return host_parser("".join(self.buffer), not self.url.is_special, self.log)

    def port_state(self) -> Run:
        """Spec: #port-state"""
        url, c = self.url, self.c
        if c in ASCII_DIGITS:  # 1
            self.buffer.append(c)
        elif (  # 2
            c in (EOF, "/", "?", "#")
            or (url.is_special and c == "\\")
            or self.state_override is not None
        ):
            if self.buffer:  # 2.1
                port = value_up_to("".join(self.buffer), 10, 2**16 - 1)  # 2.1.1
                if port > 2**16 - 1:  # 2.1.2
                    return self.failure("port-out-of-range")
                url.port = None if port == url.default_port else port  # 2.1.3
                self.buffer = []  # 2.1.4
                if self.state_override is not None:  # 2.1.5
                    return Run.RETURN
            if self.state_override is not None:  # 2.2
                return Run.RETURN_FAILURE
            self.state = State.PATH_START  # 2.3
            self.pointer -= 1
        else:  # 3
            return self.failure("port-invalid")
        return Run.KEEP_RUNNING

    def starts_with_a_windows_drive_letter_at_the_pointer(self) -> bool:
        """Test the substring from the pointer to the end of the input."""
        return starts_with_a_windows_drive_letter(self.input[self.pointer : self.pointer + 3])

    def file_state(self) -> Run:
        """Spec: #file-state"""
        url, base, c = self.url, self.base, self.c
        url.scheme = "file"  # 1
        url.host = ""  # 2
        if c in ("/", "\\"):  # 3
            if c == "\\":  # 3.1
                self.validation_error("invalid-reverse-solidus")
            self.state = State.FILE_SLASH  # 3.2
        elif base is not None and base.scheme == "file":  # 4
            url.host = base.host  # 4.1
            url.path = list(base.path_segments)
            url.query = base.query
            if c == "?":  # 4.2
                url.query = ""
                self.state = State.QUERY
            elif c == "#":  # 4.3
                url.fragment = ""
                self.state = State.FRAGMENT
            elif c != EOF:  # 4.4
                url.query = None  # 4.4.1
                if not self.starts_with_a_windows_drive_letter_at_the_pointer():  # 4.4.2
                    shorten_path(url)
                else:  # 4.4.3
                    self.validation_error("file-invalid-Windows-drive-letter")  # 4.4.3.1
                    url.path = []  # 4.4.3.2
                self.state = State.PATH  # 4.4.4
                self.pointer -= 1
        else:  # 5
            self.state = State.PATH
            self.pointer -= 1
        return Run.KEEP_RUNNING

    def file_slash_state(self) -> Run:
        """Spec: #file-slash-state"""
        url, base, c = self.url, self.base, self.c
        if c in ("/", "\\"):  # 1
            if c == "\\":  # 1.1
                self.validation_error("invalid-reverse-solidus")
            self.state = State.FILE_HOST  # 1.2
        else:  # 2
            if base is not None and base.scheme == "file":  # 2.1
                url.host = base.host  # 2.1.1
                if (  # 2.1.2
                    not self.starts_with_a_windows_drive_letter_at_the_pointer()
                    and is_normalized_windows_drive_letter(base.path_segments[0])
                ):
                    url.path_segments.append(base.path_segments[0])
            self.state = State.PATH  # 2.2
            self.pointer -= 1
        return Run.KEEP_RUNNING

    def file_host_state(self) -> Run:
        """Spec: #file-host-state"""
        url, c = self.url, self.c
        if c in (EOF, "/", "\\", "?", "#"):  # 1
            self.pointer -= 1
            if self.state_override is None and is_windows_drive_letter("".join(self.buffer)):  # 1.1
                self.validation_error("file-invalid-Windows-drive-letter-host")
                self.state = State.PATH  # the buffer is kept for it
            elif not self.buffer:  # 1.2
                url.host = ""  # 1.2.1
                if self.state_override is not None:  # 1.2.2
                    return Run.RETURN
                self.state = State.PATH_START  # 1.2.3
            else:  # 1.3
                host = self.host_parse_the_buffer()  # 1.3.1
                if host is FAILURE:  # 1.3.2
                    return Run.RETURN_FAILURE
                if host == "localhost":  # 1.3.3
                    host = ""
                url.host = host  # 1.3.4
                if self.state_override is not None:  # 1.3.5
                    return Run.RETURN
                self.buffer = []  # 1.3.6
                self.state = State.PATH_START
        else:  # 2
            self.buffer.append(c)
        return Run.KEEP_RUNNING

    def path_start_state(self) -> Run:
        """Spec: #path-start-state"""
        url, c = self.url, self.c
        if url.is_special:  # 1
            if c == "\\":  # 1.1
                self.validation_error("invalid-reverse-solidus")
            self.state = State.PATH  # 1.2
            if c not in ("/", "\\"):  # 1.3
                self.pointer -= 1
        elif self.state_override is None and c == "?":  # 2
            url.query = ""
            self.state = State.QUERY
        elif self.state_override is None and c == "#":  # 3
            url.fragment = ""
            self.state = State.FRAGMENT
        elif c != EOF:  # 4
            self.state = State.PATH  # 4.1
            if c != "/":  # 4.2
                self.pointer -= 1
        elif self.state_override is not None and url.host is None:  # 5
            url.path_segments.append("")
        return Run.KEEP_RUNNING

    def path_state(self) -> Run:
        """Spec: #path-state"""
        url, c = self.url, self.c
        is_separator = c == "/" or (url.is_special and c == "\\")
        if (  # 1
            c == EOF or is_separator or (self.state_override is None and c in ("?", "#"))
        ):
            if url.is_special and c == "\\":  # 1.1
                self.validation_error("invalid-reverse-solidus")
            buffer = "".join(self.buffer)
            if is_double_dot_url_path_segment(buffer):  # 1.2
                shorten_path(url)  # 1.2.1
                if not is_separator:  # 1.2.2
                    url.path_segments.append("")
            elif is_single_dot_url_path_segment(buffer) and not is_separator:  # 1.3
                url.path_segments.append("")
            elif not is_single_dot_url_path_segment(buffer):  # 1.4
                if (  # 1.4.1
                    url.scheme == "file"
                    and not url.path_segments
                    and is_windows_drive_letter(buffer)
                ):
                    buffer = f"{buffer[0]}:"
                url.path_segments.append(buffer)  # 1.4.2
            self.buffer = []  # 1.5
            if c == "?":  # 1.6
                url.query = ""
                self.state = State.QUERY
            if c == "#":  # 1.7
                url.fragment = ""
                self.state = State.FRAGMENT
        else:  # 2
            self.validation_errors_of_a_url_unit()  # 2.1, 2.2
            self.buffer.append(utf8_percent_encode(c, PATH_PERCENT_ENCODE_SET))  # 2.3
        return Run.KEEP_RUNNING

    def opaque_path_state(self) -> Run:
        """Spec: #cannot-be-a-base-url-path-state"""
        url, c = self.url, self.c
        if c == "?":  # 1
            url.query = ""
            self.state = State.QUERY
        elif c == "#":  # 2
            url.fragment = ""
            self.state = State.FRAGMENT
        elif c == " ":  # 3
            self.validation_error("invalid-URL-unit")  # 3.1
            if self.remaining_starts_with("?", "#"):  # 3.2
                self.opaque_path.append("%20")
            else:  # 3.3
                self.opaque_path.append(" ")
        elif c != EOF:  # 4
            self.validation_errors_of_a_url_unit()  # 4.1, 4.2
            self.opaque_path.append(utf8_percent_encode(c, C0_CONTROL_PERCENT_ENCODE_SET))  # 4.3
        if c in (EOF, "?", "#"):
            assert isinstance(url.path, str)
            url.path += "".join(self.opaque_path)
        return Run.KEEP_RUNNING

    def query_state(self) -> Run:
        """Spec: #query-state"""
        url, c = self.url, self.c
        if self.encoding != "utf-8" and (  # 1
            not url.is_special or url.scheme in ("ws", "wss")
        ):
            self.encoding = "utf-8"
        if (self.state_override is None and c == "#") or c == EOF:  # 2
            assert url.query is not None
            url.query += self.percent_encode_the_buffer_after_encoding()  # 2.1, 2.2
            self.buffer = []  # 2.3
            if c == "#":  # 2.4
                url.fragment = ""
                self.state = State.FRAGMENT
        elif c != EOF:  # 3
            self.validation_errors_of_a_url_unit()  # 3.1, 3.2
            self.buffer.append(c)  # 3.3
        return Run.KEEP_RUNNING

    def percent_encode_the_buffer_after_encoding(self) -> str:
        """Percent-encode the buffer as a query. Spec: #string-percent-encode-after-encoding"""
        buffer = "".join(self.buffer)
        if self.encoding == "utf-8":
            return utf8_percent_encode(
                buffer,
                SPECIAL_QUERY_PERCENT_ENCODE_SET
                if self.url.is_special
                else QUERY_PERCENT_ENCODE_SET,
            )
        # Step 1 of the query state has left legacy encodings to special URLs only.
        assert self.url.is_special
        return percent_encode_after_encoding(
            self.encoding,
            to_scalar_value_string(buffer),
            code_points.SPECIAL_QUERY_PERCENT_ENCODE_SET,
        )

    def fragment_state(self) -> Run:
        """Spec: #fragment-state"""
        if self.c != EOF:  # 1
            self.validation_errors_of_a_url_unit()  # 1.1, 1.2
            self.fragment.append(utf8_percent_encode(self.c, FRAGMENT_PERCENT_ENCODE_SET))  # 1.3
        else:
            assert self.url.fragment is not None
            self.url.fragment += "".join(self.fragment)
        return Run.KEEP_RUNNING
