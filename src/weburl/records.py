"""The URL record: the value that everything else makes, changes, stores or shows.

Frozen, and valid from birth: one made by hand is checked, one made by the parser is trusted.
No URL is parsed here; what a record's methods need of the parser is bound to them from
above, in `operations`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Protocol

import attrs

from weburl.code_points import SPECIAL_SCHEMES
from weburl.form_urlencoded import parse_form_urlencoded
from weburl.hosts import EmptyHost, Host
from weburl.invariants import check_components, default_path
from weburl.serializer import serialize_path, serialize_url


class Operations(Protocol):
    """What a record's methods need from the floors above."""

    def join(self, base: URLRecord, input: str) -> URLRecord: ...
    def origin(self, record: URLRecord) -> str: ...
    def with_component(self, record: URLRecord, component: str, value: object) -> URLRecord: ...


@attrs.frozen(order=False, repr=False)
class URLRecord:
    """A URL, as the parser understands it: an immutable value.

    ``scheme``: lowercase, without ":". ``username``, ``password``: percent-encoded, may be
    empty. ``host``: a `Host`, or None. ``port``: 0 to 65535, or None, also when it is the
    scheme's default. ``path``: a tuple of percent-encoded segments, or one string when the
    path is opaque (``mailto:you``); by default that of a host alone, or the empty opaque one.
    ``query``, ``fragment``: percent-encoded, without "?" and "#", or None.

    Made by hand, a record is checked: ValueError, with the reason, for one that could not
    come from the parser. Records are equal, and hash alike, when their hrefs are equal; they
    are ordered by href; ``str()`` is the href.

    Spec: #concept-url
    """

    scheme: str
    username: str = ""
    password: str = ""
    host: Host | None = None
    port: int | None = None
    path: tuple[str, ...] | str = attrs.Factory(default_path, takes_self=True)
    query: str | None = None
    fragment: str | None = None

    _operations: ClassVar[Operations]

    def __attrs_post_init__(self) -> None:
        check_components(self)

    @property
    def href(self) -> str:
        """The URL as text, canonical and ASCII: parsing it gives this record again.

        Spec: #concept-url-serializer
        """
        return _href(self, self.password)

    @property
    def path_text(self) -> str:
        """The path as text, whatever its kind: "/a/b", "" or "you@example.com".

        Spec: #url-path-serializer
        """
        return serialize_path(self.path)

    @property
    def query_pairs(self) -> tuple[tuple[str, str], ...]:
        """The query as the names and values of a form, decoded; empty where there is none.

        Spec: #concept-urlencoded-string-parser
        """
        return () if self.query is None else tuple(parse_form_urlencoded(self.query))

    @property
    def origin(self) -> str:
        """The origin as text: ``https://example.com:8080``, or "null" where there is none.

        Two URLs whose origin is "null" are of the same origin with nobody, not with each other.

        Spec: #concept-url-origin
        """
        return self._operations.origin(self)

    @property
    def is_special(self) -> bool:
        """Whether the scheme is one of ftp, file, http, https, ws, wss.

        Spec: #is-special
        """
        return self.scheme in SPECIAL_SCHEMES

    @property
    def has_opaque_path(self) -> bool:
        """Whether the path is one string that no relative URL can be joined to.

        Spec: #url-opaque-path
        """
        return isinstance(self.path, str)

    @property
    def includes_credentials(self) -> bool:
        """Whether there is a username or a password.

        Spec: #include-credentials
        """
        return bool(self.username or self.password)

    @property
    def cannot_have_a_username_password_or_port(self) -> bool:
        """Whether the host is null or empty, or the scheme "file".

        Spec: #cannot-have-a-username-password-port
        """
        return self.scheme == "file" or self.host is None or isinstance(self.host, EmptyHost)

    def join(self, input: str) -> URLRecord:
        """Return ``input`` parsed with this URL as its base.

        Raises `URLParseError` where that fails.

        Spec: #concept-url-parser
        """
        return self._operations.join(self, input)

    def with_scheme(self, scheme: str) -> URLRecord:
        """Return this URL with another scheme, ``"https"`` or ``"https:"``.

        Raises `URLParseError` for text that is no scheme, and for a scheme that this URL
        cannot have: a special one does not become one that is not, nor the reverse; "file"
        takes neither credentials nor a port, and no URL whose href would then read
        differently.

        Spec: #dom-url-protocol
        """
        return self._operations.with_component(self, "scheme", scheme)

    def with_username(self, username: str) -> URLRecord:
        """Return this URL with ``username``, percent-encoded where need be; "" for none.

        Raises `URLParseError` where the URL cannot have one: no host, or "file".

        Spec: #set-the-username
        """
        return self._operations.with_component(self, "username", username)

    def with_password(self, password: str) -> URLRecord:
        """Return this URL with ``password``, percent-encoded where need be; "" for none.

        Raises `URLParseError` where the URL cannot have one: no host, or "file".

        Spec: #set-the-password
        """
        return self._operations.with_component(self, "password", password)

    def with_host(self, host: str | Host) -> URLRecord:
        """Return this URL with another host, ``"example.com"`` or ``"example.com:8080"``.

        Without a port in ``host`` the port stays. Raises `URLParseError` for a host that
        does not parse, for text that goes on behind it, and for a URL with an opaque path.

        Spec: #dom-url-host
        """
        return self._operations.with_component(self, "host", host)

    def with_hostname(self, hostname: str | Host) -> URLRecord:
        """Return this URL with another host and the port it has.

        Raises `URLParseError` as `with_host`, and for a port in ``hostname``.

        Spec: #dom-url-hostname
        """
        return self._operations.with_component(self, "hostname", hostname)

    def with_port(self, port: int | str | None) -> URLRecord:
        """Return this URL with another port, 0 to 65535; None or "" for the default.

        Raises `URLParseError` for any other, and where the URL cannot have a port.

        Spec: #dom-url-port
        """
        return self._operations.with_component(self, "port", port)

    def with_path(self, path: str | Sequence[str]) -> URLRecord:
        """Return this URL with another path: text, or a sequence of segments.

        Text is parsed as a path is: "/" separates, dot segments are resolved. In a segment
        of a sequence "/" is percent-encoded; "%" stays, as in `path`. Raises `URLParseError`
        for a segment that a path cannot hold, such as "..", and for a URL with an opaque path.

        Spec: #dom-url-pathname
        """
        return self._operations.with_component(self, "path", path)

    def with_query(
        self, query: str | Mapping[str, str] | Iterable[tuple[str, str]] | None
    ) -> URLRecord:
        """Return this URL with another query, without "?"; None for none.

        Names and values, such as a `URLSearchParams`, are written as a form writes them; where
        there are none, there is no query. In text, a "?" at the start belongs to the query.
        Raises as `URLSearchParams`.

        Spec: #dom-url-search
        """
        return self._operations.with_component(self, "query", query)

    def with_fragment(self, fragment: str | None) -> URLRecord:
        """Return this URL with another fragment, without "#"; None for none.

        Spec: #dom-url-hash
        """
        return self._operations.with_component(self, "fragment", fragment)

    def __str__(self) -> str:
        return self.href

    def __repr__(self) -> str:
        return f"URLRecord({_href(self, self.password and '***')!r})"

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


def bind_operations(operations: Operations) -> None:
    """Give the records' methods what they need. Called once, when the package is imported."""
    URLRecord._operations = operations  # noqa: SLF001


def _href(record: URLRecord, password: str) -> str:
    host = record.host
    return serialize_url(
        record.scheme,
        record.username,
        password,
        None if host is None else str(host),
        record.port,
        record.path,
        record.query,
        record.fragment,
    )


# The frozen `__init__` and its checks cost more than parsing does, so what the parser makes
# is filled through the slots' own descriptors (tests/benchmarks has the figures).
_new: Final = object.__new__
_set_scheme: Final = URLRecord.__dict__["scheme"].__set__
_set_username: Final = URLRecord.__dict__["username"].__set__
_set_password: Final = URLRecord.__dict__["password"].__set__
_set_host: Final = URLRecord.__dict__["host"].__set__
_set_port: Final = URLRecord.__dict__["port"].__set__
_set_path: Final = URLRecord.__dict__["path"].__set__
_set_query: Final = URLRecord.__dict__["query"].__set__
_set_fragment: Final = URLRecord.__dict__["fragment"].__set__


def trusted_record(
    scheme: str,
    username: str,
    password: str,
    host: Host | None,
    port: int | None,
    path: tuple[str, ...] | str,
    query: str | None,
    fragment: str | None,
) -> URLRecord:
    """Return the record that the parser made, unchecked."""
    record = _new(URLRecord)
    _set_scheme(record, scheme)
    _set_username(record, username)
    _set_password(record, password)
    _set_host(record, host)
    _set_port(record, port)
    _set_path(record, path)
    _set_query(record, query)
    _set_fragment(record, fragment)
    return record


def replaced(record: URLRecord, **components: object) -> URLRecord:
    """Return ``record`` with some components replaced, unchecked."""
    values: list[Any] = [
        components[name] if name in components else getattr(record, name)
        for name in URLRecord.__match_args__
    ]
    return trusted_record(*values)
