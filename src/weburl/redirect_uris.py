"""Redirect URIs of OAuth and OpenID Connect: which may be registered, and which match.

`RedirectURIs` holds what one client has registered. It compares text, as RFC 9700 requires, and
never follows a URI.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypedDict

import attrs

from weburl.policies import rules
from weburl.policies.names import classes_of_name
from weburl.policies.readers import MAX_LENGTH, readings
from weburl.standard.hosts.values import Domain, Host, IPv4Address, IPv6Address
from weburl.standard.infra.credentials import masked, masked_value
from weburl.standard.infra.one_value import FrozenValue, check_boolean
from weburl.standard.infra.schemes import SPECIAL_SCHEMES
from weburl.standard.infra.strings import shortened
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

if TYPE_CHECKING:
    from typing import Unpack

__all__ = [
    "MAX_LENGTH",
    "Match",
    "Mismatch",
    "RedirectURIError",
    "RedirectURIProblem",
    "RedirectURIs",
]

Part: TypeAlias = Literal[
    "url", "scheme", "credentials", "host", "port", "path", "query", "fragment"
]

_PROBLEMS: Final[dict[str, tuple[Part, str]]] = {
    "too-long": ("url", f"It has more than {MAX_LENGTH} characters."),
    "not-a-url": ("url", "It is not an absolute URL."),
    "scheme-not-allowed": ("scheme", "A browser must not be sent to a URL with this scheme."),
    "scheme-without-dot": (
        "scheme",
        "The scheme of an app must be a domain of its maker in reverse, as in 'com.example.app'.",
    ),
    "not-encrypted": (
        "scheme",
        "The scheme http is allowed only for a loopback address, such as 127.0.0.1.",
    ),
    "credentials": ("credentials", "It contains a username or a password."),
    "fragment": ("fragment", "It contains a fragment."),
    "wildcard": ("host", "It contains '*', and URIs are compared as text, without wildcards."),
    "wildcard-misplaced": (
        "host",
        "'*' may only begin the first label of a host, before a domain that its owner registered.",
    ),
    "localhost": (
        "host",
        "The name localhost may lead to another machine. Register 127.0.0.1 or [::1].",
    ),
    "not-canonical": ("url", "A browser changes its spelling. Register {suggestion} instead."),
    "readers-disagree": ("url", "Programs do not agree on where it leads."),
}

_MISMATCHES: Final[dict[str, tuple[Part, str]]] = {
    "nothing-registered": ("url", "No redirect URI is registered."),
    "not-a-url": ("url", "The redirect URI is not an absolute URL."),
    "credentials": ("credentials", "The redirect URI contains a username or a password."),
    "fragment": ("fragment", "The redirect URI contains a fragment."),
    "scheme-differs": ("scheme", "The scheme differs from that of the registered {registered}."),
    "host-differs": ("host", "The host differs from that of the registered {registered}."),
    "port-differs": ("port", "The port differs from that of the registered {registered}."),
    "path-differs": ("path", "The path differs from that of the registered {registered}."),
    "query-differs": ("query", "The query differs from that of the registered {registered}."),
    "spelling-differs": (
        "url",
        "It is the registered {registered} in another spelling. Send it exactly as registered.",
    ),
    "readers-disagree": ("url", "Programs do not agree on where the redirect URI leads."),
}

PROBLEM_CODES: Final = tuple(_PROBLEMS)
"""Every code that a `RedirectURIProblem` may have."""

MISMATCH_CODES: Final = tuple(_MISMATCHES)
"""Every code that a `Mismatch` may have."""

# Programs run code that is in such a URL, or open something of the user's own machine.
_NEVER: Final = SPECIAL_SCHEMES.keys() - {"http", "https"} | {
    "about",
    "blob",
    "data",
    "filesystem",
    "javascript",
    "vbscript",
    "view-source",
}

_PORT: Final = re.compile(r":([1-9][0-9]{0,4})(?![0-9])", re.ASCII)
_QUERY: Final = re.compile(r"(\?.*)?$", re.DOTALL)
_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)


@attrs.frozen
class RedirectURIProblem(FrozenValue):
    """A reason why a redirect URI cannot be registered.

    ``entry``: the URI, shortened, without credentials, query and fragment. ``code``: which rule; a
    name with hyphens, which does not change between versions. ``suggestion``: for the code
    "not-canonical", the same URI as a browser spells it, or else "".
    """

    entry: str
    code: str
    suggestion: str = attrs.field(default="", repr=False)

    @property
    def part(self) -> Part:
        """The part of the URI that breaks the rule; "url" for the whole."""
        return _PROBLEMS[self.code][0]

    @property
    def reason(self) -> str:
        """What is wrong, as a sentence in English that does not name the URI."""
        return _PROBLEMS[self.code][1].format(suggestion=repr(_shown(self.suggestion)))

    @property
    def message(self) -> str:
        """What is wrong, in English, with the URI."""
        return f"The redirect URI {self.entry!r} cannot be registered. {self.reason}"

    def __str__(self) -> str:
        return self.message


class RedirectURIError(ValueError):
    """Raised for redirect URIs that cannot be registered.

    ``problems``: one `RedirectURIProblem` for each of these URIs.
    """

    def __init__(self, problems: tuple[RedirectURIProblem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        return " ".join(problem.message for problem in self.problems)


@attrs.frozen
class Match(FrozenValue):
    """The redirect URI of a request is registered. True as a boolean.

    ``registered``: the registered URI, which may have another port or a wildcard. ``url``: where a
    browser goes. Add the parameters of the response to this record, and redirect to its href.
    """

    registered: str = attrs.field(repr=lambda text: repr(_shown(text)))
    url: URLRecord

    def __bool__(self) -> Literal[True]:
        return True


@attrs.frozen
class Mismatch(FrozenValue):
    """The redirect URI of a request is not registered. False as a boolean.

    Do not redirect to it, not even with an error. ``code``: why; a name with hyphens, which does
    not change between versions. ``registered``: the registered URI that is most like it, shortened
    and without its query; "" if it was compared with none.
    """

    code: str
    registered: str = ""

    def __bool__(self) -> Literal[False]:
        return False

    @property
    def part(self) -> Part:
        """The part that differs, or that must not be there; "url" for the whole."""
        return _MISMATCHES[self.code][0]

    @property
    def message(self) -> str:
        """What differs, as a sentence in English."""
        return _MISMATCHES[self.code][1].format(registered=repr(self.registered))

    def __str__(self) -> str:
        return self.message


class Options(TypedDict, total=False):
    """The arguments of `RedirectURIs` that say what may be registered."""

    allow_localhost: bool
    allow_http: bool
    schemes: Iterable[str]
    subdomain_wildcards: bool


class _Entry(NamedTuple):
    """A registered URI, and what a browser reads in it."""

    text: str
    record: URLRecord


def _texts(values: Iterable[str]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise TypeError("redirect URIs are an iterable of texts, not one text")
    texts = []
    for value in values:
        if not isinstance(value, str):
            raise TypeError(f"a redirect URI must be text, not {type(value).__name__}")
        texts.append(str.__str__(value))
    return tuple(dict.fromkeys(texts))


def _schemes(values: Iterable[str]) -> tuple[str, ...]:
    found = rules.schemes(values) or ()
    for scheme in found:
        if scheme in SPECIAL_SCHEMES or scheme in _NEVER:
            raise ValueError(
                f"{masked_value(scheme)} is not a scheme that an app can have to itself"
            )
    return found


@attrs.frozen
class RedirectURIs(FrozenValue):
    """The redirect URIs that one client has registered. Iterating gives them as strings.

    A URI is registered in the spelling of a browser. Only the slash after a host may be missing.
    Its scheme is https, http with a loopback address, or a private-use scheme with a dot. It has no
    username, password, fragment or wildcard, and all `weburl.readings` agree on where it leads.

    Args:
        uris: the URIs. Duplicates are left out.
        allow_localhost: whether the host may be "localhost". RFC 8252 prefers an address.
        allow_http: whether http is allowed for other hosts too, for tests in a private network.
        schemes: private-use schemes without a dot that are allowed too, such as "cursor".
        subdomain_wildcards: whether "https://*.example.com/cb" and "https://*-app.example.com/cb"
            may be registered. "*" means one or more characters of the first label. RFC 9700 does
            not allow this: whoever controls one subdomain gets the codes of all. The domain after
            the first label is never a public suffix.

    Raises:
        TypeError: an argument has the wrong type.
        RedirectURIError: some URIs cannot be registered. It names them all.
        ValueError: ``schemes`` has a value that is not allowed.

    Spec: RFC 9700, section 2.1; RFC 8252, sections 7 and 8
    """

    uris: tuple[str, ...] = attrs.field(
        converter=_texts, repr=lambda uris: repr(tuple(map(_shown, uris)))
    )
    allow_localhost: bool = attrs.field(default=False, validator=check_boolean, kw_only=True)
    allow_http: bool = attrs.field(default=False, validator=check_boolean, kw_only=True)
    schemes: tuple[str, ...] = attrs.field(default=(), converter=_schemes, kw_only=True)
    subdomain_wildcards: bool = attrs.field(default=False, validator=check_boolean, kw_only=True)
    _entries: tuple[_Entry, ...] = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        read = [self._read(text) for text in self.uris]
        problems = tuple(each for each in read if isinstance(each, RedirectURIProblem))
        if problems:
            raise RedirectURIError(problems)
        entries = tuple(each for each in read if isinstance(each, _Entry))
        object.__setattr__(self, "_entries", entries)

    @classmethod
    def from_stored(cls, uris: Iterable[str], **options: Unpack[Options]) -> RedirectURIs:
        """Return the URIs of ``uris`` that can be registered, and leave out the others.

        For rows that were stored before they were checked. ``options``: the other arguments of the
        class. Raises its errors, except `RedirectURIError`.
        """
        texts = _texts(uris)
        try:
            return cls(texts, **options)
        except RedirectURIError:
            rules = cls((), **options)
            return cls((text for text in texts if rules.problem(text) is None), **options)

    def __iter__(self) -> Iterator[str]:
        return iter(self.uris)

    def __len__(self) -> int:
        return len(self.uris)

    def match(self, text: str) -> Match | Mismatch:
        """Return whether ``text``, the ``redirect_uri`` of a request, is registered.

        It must be the same text as a registered URI. Only an http URI with a loopback address, or
        with "localhost" if that is allowed, may have another port, from 1 to 65535. Raises
        TypeError if ``text`` is not text.

        Spec: RFC 9700, section 2.1; RFC 8252, section 7.3
        """
        if not isinstance(text, str):
            raise TypeError(f"a redirect URI must be text, not {type(text).__name__}")
        text = str.__str__(text)
        for entry in self._entries:
            if entry.text == text and not _has_wildcard(entry.record):
                return Match(entry.text, entry.record)
        for entry in self._entries:
            if self._is_another_port(text, entry) or _fills_wildcard(text, entry):
                return _judged(text, entry)
        return self._mismatch(text)

    def problem(self, text: str) -> RedirectURIProblem | None:
        """Return why ``text`` cannot be registered with the options of this value, or None.

        Raises TypeError if ``text`` is not text.
        """
        (text,) = _texts([text])
        found = self._read(text)
        return found if isinstance(found, RedirectURIProblem) else None

    # Registering.

    def _read(self, text: str) -> _Entry | RedirectURIProblem:
        if len(text) > MAX_LENGTH:
            return RedirectURIProblem(_shown(text), "too-long")
        try:
            record = parse(text)
        except URLParseError:
            return RedirectURIProblem(_shown(text), "not-a-url")
        code = self._code_of(record)
        if code is not None:
            return RedirectURIProblem(_shown(text), code)
        if not _is_canonical(text, record):
            return RedirectURIProblem(_shown(text), "not-canonical", record.href)
        # Each program reads a host with "*" as it likes, and a browser is never sent there.
        if not _is_read_by_all(text.replace("://*", "://a", 1)):
            return RedirectURIProblem(_shown(text), "readers-disagree")
        return _Entry(text, record)

    def _code_of(self, record: URLRecord) -> str | None:
        """Return the code of the first rule that ``record`` breaks, or None."""
        if record.scheme in _NEVER:
            return "scheme-not-allowed"
        if record.includes_credentials:
            return "credentials"
        if record.fragment is not None:
            return "fragment"
        if record.scheme not in SPECIAL_SCHEMES:
            is_private = "." in record.scheme or record.scheme in self.schemes
            return self._code_of_wildcards(record) if is_private else "scheme-without-dot"
        if isinstance(record.host, Domain) and "loopback" in classes_of_name(record.host.value):
            if not self.allow_localhost:
                return "localhost"
        elif record.scheme == "http" and not (self.allow_http or _is_loopback(record.host)):
            return "not-encrypted"
        return self._code_of_wildcards(record)

    def _code_of_wildcards(self, record: URLRecord) -> str | None:
        if "*" not in str(record.host) and "*" not in record.path_text:
            return None
        if not self.subdomain_wildcards:
            return "wildcard"
        label, _, parent = str(record.host).partition(".")
        is_well_placed = (
            _has_wildcard(record)
            and "*" not in parent + record.path_text
            and _LABEL.fullmatch(f"a{label[1:]}") is not None
            and parent != ""
            and Domain(parent).registrable_domain is not None
        )
        return None if is_well_placed else "wildcard-misplaced"

    # Matching.

    def _is_another_port(self, text: str, entry: _Entry) -> bool:
        """Return whether ``text`` is the URI of ``entry`` with another port, which may vary."""
        if not self._may_have_any_port(entry.record):
            return False
        start = f"http://{entry.record.host}"
        if not text.startswith(start):
            return False
        return _without_port(text[len(start) :]) == _without_port(entry.text[len(start) :])

    def _may_have_any_port(self, record: URLRecord) -> bool:
        if record.scheme != "http":
            return False
        return _is_loopback(record.host) or (
            self.allow_localhost and record.host == Domain("localhost")
        )

    def _mismatch(self, text: str) -> Mismatch:
        try:
            record = parse(text)
        except URLParseError:
            return Mismatch("not-a-url")
        if record.includes_credentials:
            return Mismatch("credentials")
        if record.fragment is not None:
            return Mismatch("fragment")
        if not self._entries:
            return Mismatch("nothing-registered")
        equal, nearest = max(
            ((self._equal_parts(record, entry.record), entry) for entry in self._entries),
            key=lambda found: found[0],
        )
        return Mismatch(_DIFFERENCES[equal], _shown(nearest.text))

    def _equal_parts(self, given: URLRecord, registered: URLRecord) -> int:
        """Return how many of scheme, host, port, path and query agree before the first difference.

        At most 5, if all agree.
        """
        parts = (
            given.scheme == registered.scheme,
            _is_same_host(given.host, registered),
            given.port == registered.port
            or (given.port != 0 and self._may_have_any_port(registered)),
            given.path_text == registered.path_text,
            given.query == registered.query,
        )
        return (*parts, False).index(False)


_DIFFERENCES: Final = (
    "scheme-differs",
    "host-differs",
    "port-differs",
    "path-differs",
    "query-differs",
    "spelling-differs",
)


def _judged(text: str, entry: _Entry) -> Match | Mismatch:
    """Return the result for a string that is not the registered one, but may be equivalent."""
    try:
        record = parse(text)
    except URLParseError:  # A label such as "xn--a", which is in no domain.
        return Mismatch("not-a-url")
    if not _is_read_by_all(text):
        return Mismatch("readers-disagree", _shown(entry.text))
    return Match(entry.text, record)


def _is_read_by_all(text: str) -> bool:
    """Return whether all readers that know the scheme of ``text`` agree on where it leads.

    urllib3 does not read a scheme with a dot. It finds none then, and does not open apps.
    """
    found = readings(text)
    if found.agree:
        return True
    return found.standard.scheme not in SPECIAL_SCHEMES and all(
        each.scheme is None for each in found.disagreeing
    )


def _is_canonical(text: str, record: URLRecord) -> bool:
    """Return whether a browser keeps ``text``, except that it may add the slash after a host."""
    if text == record.href:
        return True
    return record.is_special and _QUERY.sub(r"/\1", text, count=1) == record.href


def _is_loopback(host: Host | None) -> bool:
    """Spec: RFC 5735, section 3; RFC 4291, section 2.5.3."""
    if isinstance(host, IPv4Address):
        return str(host).startswith("127.")
    return isinstance(host, IPv6Address) and str(host) == "[::1]"


def _has_wildcard(record: URLRecord) -> bool:
    return isinstance(record.host, Domain) and record.host.value.startswith("*")


def _is_same_host(host: Host | None, registered: URLRecord) -> bool:
    if not _has_wildcard(registered) or not isinstance(host, Domain):
        return host == registered.host
    label, _, parent = host.value.partition(".")
    registered_label, _, registered_parent = str(registered.host).partition(".")
    return parent == registered_parent and _fills(label, registered_label[1:])


def _fills_wildcard(text: str, entry: _Entry) -> bool:
    """Return whether ``text`` is the URI of ``entry`` with characters in place of the wildcard."""
    if not _has_wildcard(entry.record):
        return False
    start, _, rest = entry.text.partition("*")
    label, dot, end = rest.partition(".")
    if not (text.startswith(start) and text.endswith(dot + end)):
        return False
    return _fills(text[len(start) : len(text) - len(dot + end)], label)


def _fills(label: str, end: str) -> bool:
    """Return whether ``label`` is a label that is longer than its ``end``."""
    return label.endswith(end) and len(label) > len(end) and _LABEL.fullmatch(label) is not None


def _without_port(rest: str) -> str:
    """Return what follows a host, without the port, if it is one that can be connected to."""
    found = _PORT.match(rest)
    if found is None or int(found[1]) > 0xFFFF:
        return rest
    return rest[found.end() :]


def _shown(text: str) -> str:
    """Return a URI for a message: no credentials, no query and no fragment, which may be secret."""
    return shortened(re.split("[?#]", masked(text), maxsplit=1)[0])
