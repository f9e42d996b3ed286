"""The value of a URL: its eight parts, its text, and how one is made. The standard's "URL record".

Everything below the public class works with this one: the states of the parser, the setters, and
the edits. It holds what the parser returned, and is writable until its class is set to `URLRecord`,
which is in `record` and has the methods. The path is stored as text, which takes a third of the
memory of a tuple of segments. It is split each time `path` is read.

Nothing is parsed or checked here: `invariants` says what a record made by hand must be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from weburl.standard.hosts.values import EmptyHost, Host
from weburl.standard.infra.credentials import masked, without_credentials
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.storage import COMPILED, RecordSlots, plain_class

STATE: Final = (
    "scheme",
    "username",
    "password",
    "host",
    "port",
    "path_text",
    "query",
    "fragment",
)


# --- §4.5: from parts to text -------------------------------------------------------------------


def serialize_path(path: tuple[str, ...] | str) -> str:
    """Return a path as text. It is a tuple of segments, or one string if it is opaque.

    Spec: #url-path-serializer
    """
    if isinstance(path, str):
        return path
    return "/" + "/".join(path) if path else ""


def serialize_url(
    scheme: str,
    username: str,
    password: str,
    host: str | None,
    port: int | None,
    path: str,
    query: str | None,
    fragment: str | None,
) -> str:
    """Return the URL of these components as text. ``host`` and ``path`` are text already.

    Spec: #concept-url-serializer
    """
    if host is None:
        # Without "/.", a path that starts with an empty segment would be parsed as a host.
        output = f"{scheme}:/.{path}" if path.startswith("//") else f"{scheme}:{path}"
    else:
        credentials = f"{username}:{password}@" if password else f"{username}@" if username else ""
        port_text = "" if port is None else f":{port}"
        output = f"{scheme}://{credentials}{host}{port_text}{path}"
    if query is not None:
        output = f"{output}?{query}"
    if fragment is not None:
        output = f"{output}#{fragment}"
    return output


# --- the parts ----------------------------------------------------------------------------------


@plain_class
class RecordStorage(RecordSlots):
    """The slots of a record, writable until its class is set to `URLRecord`."""

    __slots__ = ()
    scheme: str
    username: str
    password: str
    host: Host | None
    port: int | None
    path_text: str
    query: str | None
    fragment: str | None

    @property
    def path(self) -> tuple[str, ...] | str:
        """The segments of the path, or one string if the path is opaque.

        The text is split each time you read this.

        Spec: #concept-url-path
        """
        text = self.path_text
        # With a host, the path is empty or starts with a slash. Asking the host takes a tenth of
        # the time of `startswith`.
        if self.host is None and not text.startswith("/"):
            return text
        return tuple(text[1:].split("/")) if text else ()

    @property
    def href(self) -> str:
        """The URL as canonical ASCII text. Parsing it gives this record again.

        Spec: #concept-url-serializer
        """
        host = self.host
        return serialize_url(
            self.scheme,
            self.username,
            self.password,
            None if host is None else str(host),
            self.port,
            self.path_text,
            self.query,
            self.fragment,
        )

    @property
    def hostname(self) -> str:
        """The host as text, without the port: "example.com", "[::1]", or "" if there is none.

        Compare this with the name of a host. `host` is a value, which never equals text.

        Spec: #dom-url-hostname
        """
        host = self.host
        return "" if host is None else str(host)

    @property
    def host_port(self) -> str:
        """The host with the port: "example.com:8080". Without the default port of the scheme.

        Spec: #dom-url-host
        """
        return self.hostname if self.port is None else f"{self.hostname}:{self.port}"

    @property
    def userinfo(self) -> str:
        """The username and the password as they are written: "ana", "ana:secret", ":secret" or "".

        Spec: #include-credentials
        """
        return f"{self.username}:{self.password}" if self.password else self.username

    @property
    def is_special(self) -> bool:
        """Whether the scheme is special: one of `weburl.SPECIAL_SCHEMES`, such as http and file.

        Spec: #is-special
        """
        return self.scheme in SPECIAL_SCHEMES

    @property
    def has_opaque_path(self) -> bool:
        """Whether the path is opaque: one string, to which no relative URL can be joined.

        Spec: #url-opaque-path
        """
        return self.host is None and not self.path_text.startswith("/")

    @property
    def includes_credentials(self) -> bool:
        """Whether the URL has a username or a password.

        Spec: #include-credentials
        """
        return bool(self.username or self.password)

    @property
    def cannot_have_a_username_password_or_port(self) -> bool:
        """Whether the host is None or empty, or the scheme is "file".

        Spec: #cannot-have-a-username-password-port
        """
        return self.scheme == "file" or self.host is None or isinstance(self.host, EmptyHost)


def redacted(record: RecordStorage) -> str:
    """Return the URL with "***" for credentials. See `URLRecord.redacted`."""
    if record.host is None or isinstance(record.host, EmptyHost):
        # The path may begin with what another parser takes for credentials.
        return masked(record.href)
    return serialize_url(
        record.scheme,
        record.username and "***",
        record.password and "***",
        None if record.host is None else without_credentials(str(record.host), after="//"),
        record.port,
        without_credentials(record.path_text),
        None if record.query is None else without_credentials(record.query),
        None if record.fragment is None else without_credentials(record.fragment),
    )


# --- how one is made, without checks --------------------------------------------------------------

_Record = TypeVar("_Record", bound=RecordStorage)


def filled(
    scheme: str,
    username: str,
    password: str,
    host: Host | None,
    port: int | None,
    path: str,
    query: str | None,
    fragment: str | None,
) -> RecordStorage:
    """Return these parts, without checks. ``path`` is text."""
    # The frozen `__init__` and its checks take longer than parsing. Filling the slots and then
    # setting the class takes a third of the time of eight calls of a slot's `__set__`.
    record = RecordStorage()
    record.scheme = scheme
    record.username = username
    record.password = password
    record.host = host
    record.port = port
    record.path_text = path
    record.query = query
    record.fragment = fragment
    return record


if COMPILED and not TYPE_CHECKING:
    from weburl.standard.compiled.values import filled


def trusted_relative(base: _Record, path: str, query: str | None, fragment: str | None) -> _Record:
    """Return ``base`` with another path, query and fragment, without checks."""
    parts = base.scheme, base.username, base.password, base.host, base.port
    made = filled(*parts, path, query, fragment)
    made.__class__ = base.__class__
    return made  # type: ignore[return-value]  # mypy does not follow the change of class


def replaced(record: _Record, **parts: object) -> _Record:
    """Return ``record`` with some of its slots replaced, without checks."""
    values: list[Any] = [parts[name] if name in parts else getattr(record, name) for name in STATE]
    made = filled(*values)
    made.__class__ = record.__class__
    return made  # type: ignore[return-value]
