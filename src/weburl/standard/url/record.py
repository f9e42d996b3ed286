"""`URLRecord`, the public class: the value of `value`, frozen, with the methods that people call.

This is the one place where the methods are bound to the value. Each is a line that calls a function
of a file below, which is loaded when it is first needed. A record made by hand is checked here.

Two methods need what is above this file: `join` calls what `api` names by `use_parser`, and
`relative_to` the module that `weburl` names by `use_references`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import attrs

from weburl.standard.hosts.values import Domain, Host, exact_if_text, trusted_domain
from weburl.standard.infra.comparisons import unequal
from weburl.standard.infra.guesses import (
    OF_RECORD,
    keywords_refused,
    url_of_type,
    with_guesses,
)
from weburl.standard.infra.one_value import OneValue, one_value
from weburl.standard.storage import plain_class
from weburl.standard.url.value import STATE, RecordStorage, redacted, serialize_path

if TYPE_CHECKING:
    from weburl.standard.url.params import QueryPairs, QueryValue
    from weburl.standard.url.references import ReferenceKind, RelativeReference

    class References(Protocol):
        """What `relative_to` needs of the module `references`, which is above this one."""

        def relative_to(
            self, url: URLRecord, base: AnyURL, prefer: ReferenceKind | None, /
        ) -> RelativeReference:
            """Return the reference from a base to a URL."""


_state: Final = attrgetter(*STATE)
_DEFAULT_PATH: Final[Any] = object()  # the real default depends on the scheme and the host

# Set by `use_parser`.
_join_quickly: Callable[[object, object], URLRecord | None]
_parse: Callable[[AnyURL, URLRecord], URLRecord]
_references: Callable[[], References]  # set by `use_references`


@plain_class
@with_guesses(OF_RECORD)
@one_value
@attrs.frozen(init=False, slots=False, eq=False, repr=False)
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
        ValueError: the parser cannot return such a record. The message explains why.

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

    scheme: str = attrs.field(metadata={"doc": 'lowercase, without ":"'})
    username: str = attrs.field(default="", metadata={"doc": "percent-encoded; may be empty"})
    password: str = attrs.field(
        default="",
        repr=False,
        metadata={"doc": "percent-encoded; may be empty", "secret": True},
    )
    host: Host | None = attrs.field(default=None, metadata={"doc": "a host value, or None"})
    port: int | None = attrs.field(
        default=None, metadata={"doc": "0 to 65535; None for no port and for the default port"}
    )
    path: tuple[str, ...] | str = attrs.field(
        default=_DEFAULT_PATH,
        metadata={"doc": "percent-encoded segments, or one string if the path is opaque"},
    )
    query: str | None = attrs.field(
        default=None, metadata={"doc": 'percent-encoded, without "?"; None for no query'}
    )
    fragment: str | None = attrs.field(
        default=None, metadata={"doc": 'percent-encoded, without "#"; None for no fragment'}
    )

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
        from weburl.standard.url.invariants import check_components, default_path

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

    def __getstate__(self) -> tuple[object, ...]:
        scheme, username, password, host, *others = _state(self)
        # As text, a domain takes half the time and space.
        return scheme, username, password, host.value if type(host) is Domain else host, *others

    def __setstate__(self, state: tuple[object, ...]) -> None:
        for name, value in zip(STATE, state, strict=True):
            part = trusted_domain(value) if name == "host" and type(value) is str else value
            object.__setattr__(self, name, part)

    @property
    def decoded_username(self) -> str:
        """The username, percent-decoded. Bytes that are not UTF-8 become U+FFFD.

        Spec: #concept-url-username
        """
        from weburl.standard.infra.percent_encoding import percent_decode_to_text

        return percent_decode_to_text(self.username)

    @property
    def decoded_password(self) -> str:
        """The password, percent-decoded. Bytes that are not UTF-8 become U+FFFD.

        Spec: #concept-url-password
        """
        from weburl.standard.infra.percent_encoding import percent_decode_to_text

        return percent_decode_to_text(self.password)

    @property
    def registrable_domain(self) -> str | None:
        """The registrable domain of the host as text, or None: "example.co.uk".

        See `weburl.Domain.registrable_domain`.

        Spec: #host-registrable-domain
        """
        found = None if self.host is None else self.host.registrable_domain
        return None if found is None else found.value

    @property
    def public_suffix(self) -> str | None:
        """The public suffix of the host as text, or None: "co.uk".

        See `weburl.Domain.public_suffix`.

        Spec: #host-public-suffix
        """
        found = None if self.host is None else self.host.public_suffix
        return None if found is None else found.value

    @property
    def query_pairs(self) -> tuple[tuple[str, str], ...]:
        """The names and values in the query, decoded like form data; empty if there is no query.

        Spec: #concept-urlencoded-string-parser
        """
        if self.query is None:
            return ()
        from weburl.standard.url.forms import parse_form_urlencoded

        return tuple(parse_form_urlencoded(self.query))

    @property
    def origin(self) -> str:
        """The origin as text: ``https://example.com:8080``, or "null" for an opaque origin.

        An opaque origin is different from every other origin, so do not compare "null" with "null".

        Spec: #concept-url-origin
        """
        from weburl.standard.url.origin import serialize_origin

        return serialize_origin(self)

    @property
    def query_params(self) -> Mapping[str, list[str]]:
        """The values of each name in the query, decoded like form data, in order.

        A new read-only mapping each time you read this; empty if there is no query.

        Spec: #concept-urlencoded-string-parser
        """
        params: dict[str, list[str]] = {}
        for name, value in self.query_pairs:
            params.setdefault(name, []).append(value)
        return MappingProxyType(params)

    @property
    def full_path(self) -> str:
        """The path with the query, as in a request, but without the fragment: "/a?q=1".

        Spec: #concept-url-path
        """
        return self.path_text if self.query is None else f"{self.path_text}?{self.query}"

    @property
    def segments(self) -> tuple[str, ...]:
        """The segments of the path, percent-decoded: "%2F" is a "/" inside a segment.

        Bytes that are not UTF-8 become U+FFFD. The path "/" has one segment, "". An opaque path has
        none. `path` has the segments as they are written.

        Spec: #url-path-segment
        """
        from weburl.standard.url.segments import segments_of_path

        return tuple(segments_of_path(self.path_text))

    @property
    def name(self) -> str:
        """The last segment of the path, percent-decoded.

        "" if the path ends with a slash, is empty or is opaque. A name can contain a "/", which is
        written as "%2F".

        Spec: #url-path-segment
        """
        from weburl.standard.url.segments import name_of_path

        return name_of_path(self.path_text)

    @property
    def suffix(self) -> str:
        """The end of `name` from its last dot on: ".gz" for "a.tar.gz".

        "" if there is no dot, or only one at the start or at the end of the name.

        Spec: #url-path-segment
        """
        from weburl.standard.url.segments import suffix_of_name

        return suffix_of_name(self.name)

    @property
    def parent(self) -> URLRecord:
        """The URL without the last segment of its path, and without query and fragment.

        The parent of "/a/b" and of "/a/" is "/a". The parent of "/a" and of "/" is "/". An opaque
        path is kept.

        Spec: #url-path-segment
        """
        from weburl.standard.url.segments import parent_of

        return parent_of(self)

    @property
    def origin_url(self) -> URLRecord:
        """The URL of the root of the origin: ``https://example.com:8080/``.

        Raises `URLParseError` if the origin is opaque, like the origin of a "file" URL.

        Spec: #concept-url-origin
        """
        from weburl.standard.url.origin import origin_url

        return origin_url(self)

    @classmethod
    def build(
        cls,
        *,
        scheme: str,
        username: str = "",
        password: str = "",
        host: str | Host | None = None,
        port: int | None = None,
        path: str | Sequence[str] | None = None,
        segments: Iterable[str] = (),
        query: str | QueryPairs | None = None,
        fragment: str | None = None,
    ) -> URLRecord:
        """Return the record of these parts, each encoded for its place.

        Args:
            scheme: in any letter case, without ":".
            username: percent-encoded where needed, as `with_username` takes it.
            password: as `with_password` takes it.
            host: text that the host parser reads, or a `Host`. None for a URL without a host, and
                for the empty host of a "file" URL.
            port: 0 to 65535; None for the default port.
            path: the path as it is written, as `with_path` takes it: "/a/b".
            segments: instead of ``path``, the segments as `segments` has them. Each is data, so "/"
                and "%" are percent-encoded. Without both, the path is the path of a URL that is
                written without one.
            query: names and values, which are data, or text, as `with_query` takes it.
            fragment: data, so "%" is percent-encoded too.

        Raises:
            URLParseError: a part that a URL cannot have, such as the segment "..". The message
                names the part.
            TypeError: a part of another type, or both ``path`` and ``segments``.

        Spec: #concept-url
        """
        from weburl.standard.url.edits import build

        return frozen(
            build(scheme, username, password, host, port, path, segments, query, fragment)
        )

    def join(self, input: AnyURL) -> URLRecord:
        """Parse ``input`` with this URL as its base, and return the record.

        Raises `URLParseError` if ``input`` does not parse. A record is returned as it is.

        Spec: #concept-url-parser
        """
        record = _join_quickly(self, input)
        return _parse(input, self) if record is None else record

    def relative_to(
        self, base: AnyURL, *, prefer: ReferenceKind | None = None
    ) -> RelativeReference:
        """Return the shortest relative reference whose `join` with ``base`` gives this URL again.

        Each part in it is written as in `href`. Of two references with the same length, a fragment
        is preferred, then a query, a relative path, an absolute path and a host. A "//" reference
        to a URL with credentials contains them.

        Args:
            base: a URL.
            prefer: "path-absolute", "path-relative", "scheme-relative", "query" or "fragment": the
                result is of this kind if one of this kind leads here.

        Raises:
            URLParseError: no relative reference leads here, for example because the schemes differ,
                or ``base`` is text that is not a URL.
            ValueError: there is no such kind.

        Spec: #relative-url-with-fragment-string
        """
        return _references().relative_to(self, base, prefer)

    def with_scheme(self, scheme: str) -> URLRecord:
        """Return this URL with another scheme: ``"https"`` or ``"https:"``.

        Raises `URLParseError` if the text is not a scheme, or if this URL cannot have it. A special
        scheme cannot replace one that is not special, nor the other way round, and a "file" URL
        cannot have credentials or a port. It is also raised if the new href would be parsed as a
        different URL.

        Spec: #dom-url-protocol
        """
        from weburl.standard.url.edits import with_scheme

        return with_scheme(self, scheme)

    def with_username(self, username: str) -> URLRecord:
        """Return this URL with another username, percent-encoded where needed; "" removes it.

        Raises `URLParseError` if the URL cannot have one: it has no host, or its scheme is "file".

        Spec: #set-the-username
        """
        from weburl.standard.url.edits import with_username

        return with_username(self, username)

    def with_password(self, password: str) -> URLRecord:
        """Return this URL with another password, percent-encoded where needed; "" removes it.

        Raises `URLParseError` if the URL cannot have one: it has no host, or its scheme is "file".

        Spec: #set-the-password
        """
        from weburl.standard.url.edits import with_password

        return with_password(self, password)

    def with_host(self, host: str | Host) -> URLRecord:
        """Return this URL with another host: ``"example.com"`` or ``"example.com:8080"``.

        If ``host`` has no port, the URL keeps its port. Raises `URLParseError` if the host does not
        parse, if other text follows it, or if the URL has an opaque path.

        Spec: #dom-url-host
        """
        from weburl.standard.url.edits import with_host

        return with_host(self, host)

    def with_hostname(self, hostname: str | Host) -> URLRecord:
        """Return this URL with another host and the same port.

        Raises `URLParseError` as `with_host` does, and if ``hostname`` has a port.

        Spec: #dom-url-hostname
        """
        from weburl.standard.url.edits import with_hostname

        return with_hostname(self, hostname)

    def with_port(self, port: int | str | None) -> URLRecord:
        """Return this URL with another port, 0 to 65535; None or "" for the default port.

        Raises `URLParseError` for any other value, and for a port if the URL cannot have one.

        Spec: #dom-url-port
        """
        from weburl.standard.url.edits import with_port

        return with_port(self, port)

    def with_path(self, path: str | Sequence[str]) -> URLRecord:
        """Return this URL with another path: text, or a sequence of segments.

        In text, "/" separates segments, and dot segments are resolved. In a sequence, a "/" inside
        a segment is percent-encoded, and "%" is kept, as in `path`. Raises `URLParseError` if a
        segment cannot be part of a path, such as "..", and if the URL has an opaque path.

        Spec: #dom-url-pathname
        """
        from weburl.standard.url.edits import with_path

        return with_path(self, path)

    def joinpath(self, *segments: str) -> URLRecord:
        """Return this URL with more segments, and without query and fragment.

        Each argument is one segment. It is data, so "/", "?", "#" and "%" are percent-encoded.
        There is one slash before it, whether or not the path ends with one. "" adds a slash at the
        end. ``url / "a"`` is ``url.joinpath("a")``.

        Raises `URLParseError` for "." and "..", also if a dot is written as "%2e", because browsers
        and servers resolve them, and if the path is opaque. Raises TypeError for what is not text.

        Spec: #url-path-segment
        """
        from weburl.standard.url.segments import joinpath

        return joinpath(self, segments)

    def __truediv__(self, segment: str) -> URLRecord:
        if not isinstance(segment, str):
            return NotImplemented
        from weburl.standard.url.segments import joinpath

        return joinpath(self, (segment,))

    def with_name(self, name: str) -> URLRecord:
        """Return this URL with another last segment, and without query and fragment.

        ``name`` is data, as in `joinpath`. "" leaves a slash at the end. Raises the same errors as
        `joinpath`.

        Spec: #url-path-segment
        """
        from weburl.standard.url.segments import with_name

        return with_name(self, name)

    def with_suffix(self, suffix: str) -> URLRecord:
        """Return this URL with another `suffix` of its name, and without query and fragment.

        ``suffix`` is data: "" removes the suffix, and any other starts with "." and has more text.
        Raises `URLParseError` for any other text, if the name is empty, and if the path is opaque.

        Spec: #url-path-segment
        """
        from weburl.standard.url.segments import with_suffix

        return with_suffix(self, suffix)

    def without_credentials(self) -> URLRecord:
        """Return this URL without username and password.

        Spec: #include-credentials
        """
        from weburl.standard.url.value import replaced

        return replaced(self, username="", password="")

    def without_fragment(self) -> URLRecord:
        """Return this URL without its fragment.

        Spec: #concept-url-fragment
        """
        return self.with_fragment(None)

    @keywords_refused
    def update_query(self, query: str | QueryPairs) -> URLRecord:
        """Return this URL with new values for some names. Every other byte of the query is kept.

        A new value takes the place of the first pair with its name, and the other pairs with that
        name are removed. A name that is not in the query is added at the end. If a name has several
        values, they become pairs of that name, and no value removes the name.

        ``query``: a mapping, pairs or a query as text, as `URLSearchParams` takes it. Raises its
        errors.

        Spec: #concept-urlencoded-serializer
        """
        from weburl.standard.url.params import update_query

        return update_query(self, query)

    @keywords_refused
    def with_query(self, query: str | QueryPairs | None) -> URLRecord:
        """Return this URL with another query, without "?"; None removes the query.

        A mapping or pairs, as `URLSearchParams` takes them, are encoded like form data. If they are
        empty, the query is removed. In text, a "?" at the start is part of the query. Raises the
        errors of `URLSearchParams`.

        Spec: #dom-url-search
        """
        from weburl.standard.url.edits import with_query

        return with_query(self, query)

    def without_query_params(self, *names: str, prefixes: str | Iterable[str] = ()) -> URLRecord:
        """Return this URL without the params of these names. All other bytes are kept.

        ``names``: decoded names, as in `query_pairs`. ``prefixes``: what names begin with, such as
        "utm_". The comparison is exact. If the last param is removed, so is the "?". If
        no param is removed, this URL is returned. Raises TypeError for names that are not text, and
        ValueError for an empty prefix.

        Spec: #dom-urlsearchparams-delete
        """
        from weburl.standard.url.params import without_query_params

        return without_query_params(self, *names, prefixes=prefixes)

    def keep_query_params(self, *names: str) -> URLRecord:
        """Return this URL with only the parameters of these names. Each keeps its spelling.

        ``names``: decoded names, as in `query_pairs`. If no parameter is left, the "?" is removed.
        If all are kept, this URL is returned. Raises TypeError for names that are not text.

        Spec: #dom-urlsearchparams-delete
        """
        from weburl.standard.url.params import keep_query_params

        return keep_query_params(self, *names)

    def with_query_param(self, name: str, value: QueryValue) -> URLRecord:
        """Return this URL with one param of this name. All other bytes of the query are kept.

        The first param of the name gets the value, and other params of the name are removed. If
        there is no such parameter, it is added at the end. One that already has the value keeps its
        spelling. ``name`` and ``value`` are encoded as in a form. A list or tuple gives the name
        several values, and an empty one removes it, as in `update_query`. Raises the errors of
        `URLSearchParams`.

        Spec: #dom-urlsearchparams-set
        """
        from weburl.standard.url.params import with_query_param

        return with_query_param(self, name, value)

    def add_query_param(self, name: str, value: QueryValue) -> URLRecord:
        """Return this URL with another param at the end. All bytes of the query are kept.

        A list or tuple adds a parameter for each of its values.

        Raises the errors of `with_query_param`.

        Spec: #dom-urlsearchparams-append
        """
        from weburl.standard.url.params import add_query_param

        return add_query_param(self, name, value)

    def sort_query_params(self) -> URLRecord:
        """Return this URL with its params sorted by name. Each keeps its spelling.

        They are ordered by UTF-16 code units. Params of the same name keep their order. An "&" that
        separates nothing is removed.

        Spec: #dom-urlsearchparams-sort
        """
        from weburl.standard.url.params import sort_query_params

        return sort_query_params(self)

    def with_fragment(self, fragment: str | None) -> URLRecord:
        """Return this URL with another fragment, without "#"; None removes the fragment.

        Spec: #dom-url-hash
        """
        from weburl.standard.url.edits import with_fragment

        return with_fragment(self, fragment)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, URLRecord):
            return _state(self) == _state(other)
        return unequal(self, other)

    def __hash__(self) -> int:
        return hash(_state(self))

    def __str__(self) -> str:
        return self.href

    def redacted(self) -> str:
        """Return the URL as text for logs and messages: `href` with "***" for credentials.

        The username and the password each become "***", if there is one, and so do the credentials
        of URLs inside the path, the query and the fragment. Other secrets, such as a token in the
        query, are shown. The text is for people: do not parse it.
        """
        return redacted(self)

    def __repr__(self) -> str:
        return f"URLRecord({self.redacted()!r})"

    def __rich_repr__(self) -> Iterator[str]:
        # rich would show each of the fields, and also those that a URL does not have.
        yield self.redacted()

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


# --- URLs as callers give them --------------------------------------------------------------------


class HasARecord:
    """A value with a record that may change: the class `URL`, which is in a room above this one."""

    __slots__ = ()

    @property
    def record(self) -> URLRecord:
        """The current value as a record."""
        raise NotImplementedError


AnyURL: TypeAlias = str | URLRecord | HasARecord
"""The types that public functions accept for a URL: text, a `URLRecord` or a `URL`."""


def text_or_record(url: object, what: str) -> str | URLRecord:
    """Return a URL as text or as a record. Raises TypeError, with ``what``, for other values.

    ``what``: a noun with its article, such as "a URL".
    """
    if isinstance(url, str | URLRecord):
        return url
    if isinstance(url, HasARecord):
        return url.record
    raise TypeError(f"{what} must be text, a URLRecord or a URL, not {url_of_type(url)}")


def frozen(record: RecordStorage) -> URLRecord:
    """Return the same object as a `URLRecord`, which cannot be changed."""
    record.__class__ = URLRecord
    return record  # type: ignore[return-value]  # mypy does not follow the change of class


def use_parser(
    parse: Callable[[AnyURL, URLRecord], URLRecord],
    join_quickly: Callable[[object, object], URLRecord | None],
) -> None:
    """Let `URLRecord.join` call these. The second is tried first, and returns None if unsure."""
    # Compiled, `join` takes 110 ns this way. An attribute of another module adds 5 %, a call of
    # `parse` 60 %, and an import inside `join` 150 %.
    global _join_quickly, _parse
    _join_quickly, _parse = join_quickly, parse


def use_references(load: Callable[[], References]) -> None:
    """Let `URLRecord.relative_to` call the module that ``load`` returns, once it is needed."""
    global _references  # noqa: PLW0603
    _references = load
