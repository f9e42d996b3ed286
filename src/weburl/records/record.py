"""The URL record: the immutable value that the parser returns.

A record made by hand is checked. A record made by the parser is trusted.
The path is stored as text, which takes a third of the memory of a tuple of segments. It is split
each time `path` is read.

Nothing is parsed here. A method that needs the parser calls a function of `operations`, and imports
it when it is called, because the parser imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from weburl.hosts.values import EmptyHost, Host, exact_if_text
from weburl.infra.credentials import masked, without_credentials
from weburl.infra.form_urlencoded import parse_form_urlencoded
from weburl.infra.one_value import OneValue, one_value
from weburl.infra.schemes import SPECIAL_SCHEMES
from weburl.records.invariants import check_components, default_path
from weburl.records.serializer import serialize_path, serialize_url

_State: TypeAlias = tuple[str, str, str, Host | None, int | None, str, str | None, str | None]
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
_state: Final = attrgetter(*STATE)
_DEFAULT_PATH: Final[Any] = object()  # the real default depends on the scheme and the host

_join_quickly: Callable[[object, object], URLRecord | None]  # set by `use_fast_path`


class RecordStorage:
    """The slots of a record, writable until its class is set to `URLRecord`."""

    __slots__ = (
        "__weakref__",
        "fragment",
        "host",
        "password",
        "path_text",
        "port",
        "query",
        "scheme",
        "username",
    )
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
        if text.startswith("/"):
            return tuple(text[1:].split("/"))
        return text if self.host is None else ()


@one_value(init=False, slots=False, eq=False, repr=False)
class URLRecord(RecordStorage, OneValue):
    """A parsed URL: an immutable value.

    Records with the same href are equal and have the same hash. Records are ordered by href.
    ``str()`` returns the href. `path_text` is the path as text, of either kind: "/a/b", "" or
    "you@example.com".

    Args:
        scheme: lowercase, without ":".
        username: percent-encoded; may be empty.
        password: percent-encoded; may be empty.
        host: a `Host`, or None.
        port: 0 to 65535, or None for no port. The default port of the scheme is None too.
        path: a tuple of percent-encoded segments, or one string if the path is opaque
            (``mailto:you``). The default is the path of a URL that is written without one.
        query: percent-encoded, without "?", or None.
        fragment: percent-encoded, without "#", or None.

    Raises:
        ValueError: the parser cannot return such a record. The message says why.

    Spec: #concept-url
    """

    __module__ = "weburl"

    __slots__ = ()
    __match_args__ = (
        "scheme",
        "username",
        "password",
        "host",
        "port",
        "path",
        "query",
        "fragment",
    )

    scheme: str
    username: str = ""
    password: str = ""
    host: Host | None = None
    port: int | None = None
    path: tuple[str, ...] | str = _DEFAULT_PATH
    query: str | None = None
    fragment: str | None = None

    if TYPE_CHECKING:

        @property
        def path_text(self) -> str: ...  # type: ignore[override]  # frozen, like the others

    def __init__(
        self,
        scheme: str,
        username: str = "",
        password: str = "",
        host: Host | None = None,
        port: int | None = None,
        path: tuple[str, ...] | str = _DEFAULT_PATH,
        query: str | None = None,
        fragment: str | None = None,
    ) -> None:
        scheme, username, password = map(exact_if_text, (scheme, username, password))
        query = None if query is None else exact_if_text(query)
        fragment = None if fragment is None else exact_if_text(fragment)
        if path is _DEFAULT_PATH:
            path = default_path(scheme, host)
        elif isinstance(path, tuple):
            path = tuple(map(exact_if_text, path))
        else:
            path = exact_if_text(path)
        check_components(scheme, username, password, host, port, path, query, fragment)
        text = serialize_path(path)
        self.__setstate__((scheme, username, password, host, port, text, query, fragment))

    def __getstate__(self) -> _State:
        return _state(self)

    def __setstate__(self, state: _State) -> None:
        for name, value in zip(STATE, state, strict=True):
            object.__setattr__(self, name, value)

    @property
    def href(self) -> str:
        """The URL as canonical ASCII text. Parsing it gives this record again.

        Spec: #concept-url-serializer
        """
        return _href(self, self.password)

    def get_absolute_url(self) -> str:
        """Return `href`. Django's ``redirect()`` calls this method.

        Spec: #concept-url-serializer
        """
        return self.href

    @property
    def query_pairs(self) -> tuple[tuple[str, str], ...]:
        """The names and values in the query, decoded like form data; empty if there is no query.

        Spec: #concept-urlencoded-string-parser
        """
        return () if self.query is None else tuple(parse_form_urlencoded(self.query))

    @property
    def origin(self) -> str:
        """The origin as text: ``https://example.com:8080``, or "null" for an opaque origin.

        An opaque origin is different from every other origin, so do not compare "null" with "null".

        Spec: #concept-url-origin
        """
        import weburl.origins.of_url

        return weburl.origins.of_url.serialize_origin(self)

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

    def join(self, input: str) -> URLRecord:
        """Parse ``input`` with this URL as its base, and return the record.

        Raises `URLParseError` if ``input`` does not parse.

        Spec: #concept-url-parser
        """
        record = _join_quickly(self, input)
        if record is not None:
            return record
        import weburl.api

        return weburl.api.parse(input, self)

    def with_scheme(self, scheme: str) -> URLRecord:
        """Return this URL with another scheme: ``"https"`` or ``"https:"``.

        Raises `URLParseError` if the text is not a scheme, or if this URL cannot have it. A special
        scheme cannot replace one that is not special, nor the other way round, and a "file" URL
        cannot have credentials or a port. It is also raised if the new href would be parsed as a
        different URL.

        Spec: #dom-url-protocol
        """
        import weburl.operations

        return weburl.operations.with_scheme(self, scheme)

    def with_username(self, username: str) -> URLRecord:
        """Return this URL with another username, percent-encoded where needed; "" removes it.

        Raises `URLParseError` if the URL cannot have one: it has no host, or its scheme is "file".

        Spec: #set-the-username
        """
        import weburl.operations

        return weburl.operations.with_username(self, username)

    def with_password(self, password: str) -> URLRecord:
        """Return this URL with another password, percent-encoded where needed; "" removes it.

        Raises `URLParseError` if the URL cannot have one: it has no host, or its scheme is "file".

        Spec: #set-the-password
        """
        import weburl.operations

        return weburl.operations.with_password(self, password)

    def with_host(self, host: str | Host) -> URLRecord:
        """Return this URL with another host: ``"example.com"`` or ``"example.com:8080"``.

        If ``host`` has no port, the URL keeps its port. Raises `URLParseError` if the host does not
        parse, if other text follows it, or if the URL has an opaque path.

        Spec: #dom-url-host
        """
        import weburl.operations

        return weburl.operations.with_host(self, host)

    def with_hostname(self, hostname: str | Host) -> URLRecord:
        """Return this URL with another host and the same port.

        Raises `URLParseError` as `with_host` does, and if ``hostname`` has a port.

        Spec: #dom-url-hostname
        """
        import weburl.operations

        return weburl.operations.with_hostname(self, hostname)

    def with_port(self, port: int | str | None) -> URLRecord:
        """Return this URL with another port, 0 to 65535; None or "" for the default port.

        Raises `URLParseError` for any other value, and if the URL cannot have a port.

        Spec: #dom-url-port
        """
        import weburl.operations

        return weburl.operations.with_port(self, port)

    def with_path(self, path: str | Sequence[str]) -> URLRecord:
        """Return this URL with another path: text, or a sequence of segments.

        In text, "/" separates segments, and dot segments are resolved. In a sequence, a "/" inside
        a segment is percent-encoded, and "%" is kept, as in `path`. Raises `URLParseError` if a
        segment cannot be part of a path, such as "..", and if the URL has an opaque path.

        Spec: #dom-url-pathname
        """
        import weburl.operations

        return weburl.operations.with_path(self, path)

    def with_query(
        self, query: str | Mapping[str, str] | Iterable[tuple[str, str]] | None
    ) -> URLRecord:
        """Return this URL with another query, without "?"; None removes the query.

        Names and values, such as a `URLSearchParams`, are encoded like form data. An empty list of
        them removes the query. In text, a "?" at the start is part of the query. Raises the same
        errors as `URLSearchParams`.

        Spec: #dom-url-search
        """
        import weburl.operations

        return weburl.operations.with_query(self, query)

    def with_fragment(self, fragment: str | None) -> URLRecord:
        """Return this URL with another fragment, without "#"; None removes the fragment.

        Spec: #dom-url-hash
        """
        import weburl.operations

        return weburl.operations.with_fragment(self, fragment)

    def __eq__(self, other: object) -> bool:
        return _state(self) == _state(other) if isinstance(other, URLRecord) else NotImplemented

    def __hash__(self) -> int:
        return hash(_state(self))

    def __str__(self) -> str:
        return self.href

    def __repr__(self) -> str:
        if self.has_opaque_path:  # It may be another URL, whose credentials may contain "?" or "#".
            return f"URLRecord({masked(self.href)!r})"
        shown = serialize_url(
            self.scheme,
            self.username and "***",
            self.password and "***",
            None if self.host is None else without_credentials(str(self.host), after="//"),
            self.port,
            without_credentials(self.path_text),
            None if self.query is None else without_credentials(self.query),
            None if self.fragment is None else without_credentials(self.fragment),
        )
        return f"URLRecord({shown!r})"

    def __format__(self, format_spec: str) -> str:
        return format(self.href, format_spec)

    def __lt__(self, other: object) -> bool:
        return self.href < other.href if isinstance(other, URLRecord) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.href <= other.href if isinstance(other, URLRecord) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.href > other.href if isinstance(other, URLRecord) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.href >= other.href if isinstance(other, URLRecord) else NotImplemented


def use_fast_path(
    join_quickly: Callable[[object, object], URLRecord | None],
    href: Callable[[URLRecord], str] | None = None,
    path: Callable[[URLRecord], tuple[str, ...] | str] | None = None,
) -> None:
    """Let a record call these functions directly. `parsing.fast_path` calls this once.

    Args:
        join_quickly: what `join` tries first. It returns None for what it cannot join.
        href, path: the compiled bodies of the two properties, in a compiled build.
    """
    # Compiled, `join` takes 110 ns this way. An attribute of another module adds 5 %, a call of
    # `parse` 60 %, and an import inside `join` 150 %. Compiled, `href` takes 40 ns instead of 220,
    # and `path` 65 instead of 230.
    global _join_quickly  # noqa: PLW0603
    _join_quickly = join_quickly
    if href is not None:
        URLRecord.href = property(href, doc=URLRecord.href.__doc__)  # type: ignore[assignment]
    if path is not None:
        RecordStorage.path = property(path, doc=RecordStorage.path.__doc__)  # type: ignore[assignment]


def _href(record: URLRecord, password: str) -> str:
    host = record.host
    return serialize_url(
        record.scheme,
        record.username,
        password,
        None if host is None else str(host),
        record.port,
        record.path_text,
        record.query,
        record.fragment,
    )
