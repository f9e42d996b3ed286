"""The parts that all clients share: they judge each hop, check addresses and count what arrives.

A `Guard` belongs to a client. A `Chain` is one fetch with its redirects, and a `Hop` is one request
of it. The clients' modules decide when to call them.
"""

from __future__ import annotations

import ipaddress
import re
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import ContextVar
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes
from weakref import ref

from weburl.fetching import errors, unpacking
from weburl.fetching.addresses import Resolve, in_turn, start_resolving, system_addresses
from weburl.fetching.bounds import FetchBounds
from weburl.fetching.errors import URLFetchError
from weburl.policies.addresses import address_classes
from weburl.policies.policy import URLPolicy, check_addresses, require_policy
from weburl.policies.violations import PolicyViolation
from weburl.standard.hosts.values import Domain, IPv4Address, IPv6Address
from weburl.standard.infra.credentials import masked_value
from weburl.standard.infra.schemes import DEFAULT_PORTS
from weburl.standard.url.api import parse
from weburl.standard.url.record import URLRecord
from weburl.standard.url.report import URLParseError

RedirectPolicy: TypeAlias = URLPolicy | Literal["same-site", "same-origin"] | None
"""What redirects must obey: another policy instead of the client's, or the client's policy and the
same site or origin as the first URL. None is only the client's policy."""

CREDENTIAL_HEADERS: Final = frozenset(("authorization", "cookie", "proxy-authorization"))
"""Which headers are not sent to an origin other than the first one, in lowercase."""
# A Host header of the caller names the first origin.
_HOST: Final = frozenset(("host",))

# Any other text would withhold nothing. RFC 9110, section 5.6.2.
_NAME_OF_HEADER: Final = re.compile(r"[!#$%&'*+.^_`|~0-9a-z-]+")
_NOT_ASCII: Final = re.compile(r"[^\0-\x7f]")
_REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
# Longer strings are judged again each time, so that a cache cannot hold much memory.
_LONGEST_REMEMBERED: Final = 4096
_REMEMBERED: Final = 256

current_hop: ContextVar[Hop | None] = ContextVar("weburl_current_hop", default=None)
"""The request that the running code sends or receives. Connections have no other way to know."""


class Judged(NamedTuple):
    """A URL and what a policy has against it.

    ``endpoint``: where it leads, see `endpoint`. ``href``: without the fragment. ``target``: the
    path and the query, as the request line has them. ``suffixes``: the Public Suffix List, if the
    policy uses it.
    """

    record: URLRecord
    violations: tuple[PolicyViolation, ...]
    endpoint: tuple[str, str, int | None]
    href: str
    target: str
    suffixes: object


class Guard:
    """The arguments of the constructor of a client.

    ``error``: the client's own kind of `URLFetchError`.
    """

    def __init__(
        self,
        policy: URLPolicy,
        redirect_policy: RedirectPolicy,
        bounds: FetchBounds | None,
        credential_headers: Iterable[str],
        resolve: Resolve | None,
        *,
        error: type[URLFetchError],
    ) -> None:
        require_policy(policy)
        if not isinstance(redirect_policy, URLPolicy | None) and redirect_policy not in (
            "same-site",
            "same-origin",
        ):
            raise ValueError(
                "redirect_policy is a URLPolicy, 'same-site', 'same-origin' or None, "
                f"not {masked_value(redirect_policy)}"
            )
        if isinstance(credential_headers, str):
            raise TypeError("credential_headers must be an iterable of names, not one string")
        withheld = frozenset(map(str.lower, credential_headers))
        if not all(map(_NAME_OF_HEADER.fullmatch, withheld)):
            # A value may be there, too, so it is not shown.
            raise ValueError("credential_headers are only names of headers, such as 'X-Api-Key'")
        if not isinstance(bounds, FetchBounds | None):
            raise TypeError(f"bounds must be a FetchBounds or None, not {type(bounds).__name__}")
        self.policy: URLPolicy = policy
        self.redirect_policy: RedirectPolicy = redirect_policy
        self.bounds: FetchBounds = FetchBounds() if bounds is None else bounds
        self.withheld_headers: frozenset[str] = CREDENTIAL_HEADERS.union(_HOST, withheld)
        self.resolve: Resolve = system_addresses if resolve is None else resolve
        self.error: type[URLFetchError] = error
        self._remembered: dict[str, Judged] = {}
        self._suffixes = _suffixes_of(policy)
        # The addresses of pooled connections that `policy` allows.
        self.peers: set[str] = set()

    def judged(self, policy: URLPolicy, text: str) -> Judged:
        """Return what ``policy`` has against ``text``. Raises URLParseError.

        The results of the client's own policy are kept, because the readers of a webhook's policy
        take a millisecond. A policy may use the Public Suffix List, which a program can replace.
        """
        if policy is not self.policy or len(text) > _LONGEST_REMEMBERED:
            return _judged(policy, text)
        found = self._remembered.get(text)
        if found is None or (found.suffixes is not None and found.suffixes is not self._suffixes()):
            found = _judged(policy, text)
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[text] = found
        return found

    def hop(
        self,
        chain: Chain | None,
        text: str,
        seen: tuple[str, str, int | None],
        request: object = None,
    ) -> Hop:
        """Return the next request of a chain, or the first one of a new chain.

        ``text``: the URL, as the client has it. ``seen``: the scheme, the host without brackets and
        the port that the client will use; None is the scheme's default. ``request``: the client's
        own object for the request, if it has one.

        Raises `URLFetchError` if the policy refuses the URL, the client reads it differently, or
        there are too many redirects or no time is left.
        """
        if chain is None or chain.starts_with(request):
            chain = Chain(self)
            chain.first_request = None if request is None else ref(request)
        # A client may repeat a request, for example because a pooled connection is lost.
        if chain.location is not None or text != chain.text:
            chain.hops += 1
        hop = Hop(self, chain, chain.hops)
        if chain.hops > self.bounds.redirects + 1:
            raise hop.refusal(errors.TOO_MANY_REDIRECTS)
        hop.judge(text, seen)
        return hop


class Chain:
    """A fetch with its redirects: its deadline, and where the last answer led."""

    def __init__(self, guard: Guard) -> None:
        self.deadline: float = time.monotonic() + guard.bounds.seconds
        self.hops: int = 0
        self.first: Judged | None = None
        self.last: Judged | None = None
        self.location: str | None = None
        # The URL of the last request, as the client has it.
        self.text: str | None = None
        # The client's own object, so that sending it again is a new fetch and not a redirect.
        self.first_request: ref[Any] | None = None

    def starts_with(self, request: object) -> bool:
        """Return whether ``request`` is the client's object for the first request."""
        return self.first_request is not None and self.first_request() is request


class Hop:
    """One request of a chain, and the answer to it."""

    def __init__(self, guard: Guard, chain: Chain, number: int) -> None:
        self.guard: Guard = guard
        self.chain: Chain = chain
        self.number: int = number
        self.policy: URLPolicy = guard.policy
        self.judged: Judged = _NOTHING
        self._addresses: list[str] | None = None
        self._head_bytes = 0
        self._has_head = False

    # Before the request.

    def judge(self, text: str, seen: tuple[str, str, int | None]) -> None:
        """Raise `URLFetchError` unless the policy allows the URL and the client reads the same."""
        guard, chain = self.guard, self.chain
        if self.number > 1:
            assert chain.first is not None
            if guard.redirect_policy is not None:
                self.policy = _policy_of_redirect(guard, chain.first)
            self._judge_location()
        expected = self.judged
        self._judge_text(text)
        if self.number == 1:
            chain.first = self.judged
        elif expected.endpoint != self.judged.endpoint:
            raise self.refusal(errors.READ_DIFFERENTLY)
        elif _decoded(expected.target) == _decoded(self.judged.target):
            # The client may have percent-encoded the redirect in its own way.
            self.judged = expected
        if seen != self.judged.endpoint and _normalized(seen) != self.judged.endpoint:
            raise self.refusal(errors.READ_DIFFERENTLY)
        chain.last = self.judged
        chain.text = text
        chain.location = None
        if self.number > 1:
            self.remaining()

    def _judge_location(self) -> None:
        """Judge where the last answer led.

        A client may have taken the credentials out of the URL since. A client that repeats a
        request, for example to log in, does not change the origin.
        """
        assert self.chain.last is not None
        self.judged = self.chain.last
        if self.chain.location is not None:
            self._judge_text(self.chain.location)

    def _judge_text(self, text: str) -> None:
        try:
            self.judged = self.guard.judged(self.policy, text)
        except URLParseError:
            self.judged = _NOTHING
            raise self.refusal(errors.NOT_A_URL) from None
        found = self.judged.violations
        if found:
            raise self.refusal(found[0].code, found)

    @property
    def leaves_first_origin(self) -> bool:
        """Whether this request is sent to an origin other than the first one of the chain."""
        first = self.chain.first
        return first is not None and first.endpoint != self.judged.endpoint

    def is_withheld(self, header: str) -> bool:
        """Return whether this header must not be sent, because it is for another origin."""
        return header.lower() in self.guard.withheld_headers and self.leaves_first_origin

    # Connecting.

    def addresses(self) -> list[str]:
        """Return the addresses to try in turn, all of them allowed. Resolves the name once.

        Raises `URLFetchError` if the policy refuses one, and OSError if there are none.
        """
        if self._addresses is None:
            if isinstance(self.judged.record.host, Domain):
                try:
                    found = self.start_resolving().result(self.remaining())
                except TimeoutError:
                    raise self.refusal(errors.TOO_SLOW) from None
            else:
                found = [self._name_and_port()[0]]
            self.take_addresses(found)
        assert self._addresses is not None
        return self._addresses

    def start_resolving(self) -> Future[list[str]]:
        """Return a future of what the name resolves to, for `take_addresses`."""
        return start_resolving(self.guard.resolve, *self._name_and_port())

    def take_addresses(self, found: Iterable[str]) -> list[str]:
        """Check the addresses that the name resolves to, and remember them in the order to try."""
        addresses = list(found)
        self._check_addresses(addresses)
        self._addresses = in_turn(addresses)
        return self._addresses

    def check_peer(self, address: str) -> None:
        """Raise `URLFetchError` unless a connection to ``address`` may serve this request.

        A pooled connection was made for an earlier request, whose policy may have been another.
        """
        if self._addresses is not None and address in self._addresses:
            return
        peers = self.guard.peers
        if self.policy is not self.guard.policy:
            self._check_addresses([address])
        elif address not in peers:
            self._check_addresses([address])
            if len(peers) >= _REMEMBERED:
                peers.clear()
            peers.add(address)

    def _check_addresses(self, addresses: list[str]) -> None:
        found = _violations_of_addresses(self.policy, tuple(addresses))
        if found:
            classes = frozenset().union(*map(address_classes, addresses))
            allowed = self.policy.address_classes
            raise self.refusal(
                found[0].code, found, classes if allowed is None else classes.difference(allowed)
            )

    def _name_and_port(self) -> tuple[str, int]:
        _scheme, host, port = self.judged.endpoint
        assert port is not None
        return host, port

    # Time.

    def remaining(self) -> float:
        """Return the seconds that are left, above 0. Raises `URLFetchError` if none are."""
        left = self.chain.deadline - time.monotonic()
        if left <= 0:
            raise self.refusal(errors.TOO_SLOW)
        return left

    def seconds(self, timeout: float | None) -> float:
        """Return the client's own time-out, or what is left if that is less."""
        left = self.remaining()
        return left if timeout is None else min(timeout, left)

    @property
    def is_late(self) -> bool:
        """Whether no time is left."""
        return time.monotonic() >= self.chain.deadline

    def share(self, timeout: float | None, parts: int) -> float:
        """Return the seconds for one of ``parts`` attempts to connect."""
        left = self.remaining()
        return min(left / parts, left if timeout is None else timeout)

    # The answer.

    def sends(self) -> None:
        """Expect a new answer: a client may repeat a request by itself."""
        self._head_bytes = 0
        self._has_head = False

    def received(self, count: int) -> None:
        """Count bytes that arrived before the body, and perhaps the start of it."""
        if not self._has_head:
            if self._head_bytes >= self.guard.bounds.header_bytes:
                raise self.refusal(errors.HEADERS_TOO_LONG)
            self._head_bytes += count

    def answered(
        self,
        status: int,
        headers: Sequence[tuple[bytes, bytes]],
        read: Callable[[str], object],
        failure: type[Exception] = ValueError,
    ) -> str | None:
        """Check the head of the answer, and return where it leads, or None.

        Clients decode the header Location in different ways, so they must get what is returned, the
        URL as browsers read it. ``headers``: names and values. ``read``: what the client does with
        a URL. ``failure``: what that raises if it cannot, an exception that users of the client
        would not expect.
        """
        self._has_head = True
        if len(headers) > self.guard.bounds.headers:
            raise self.refusal(errors.TOO_MANY_HEADERS)
        if status not in _REDIRECTS:
            return None
        values = [value for name, value in headers if name.lower() == b"location"]
        if not any(values):
            return None
        location = ", ".join(value.decode("latin-1") for value in values)
        try:
            # Browsers percent-encode the bytes. So it does not matter what they are in.
            href = parse(_NOT_ASCII.sub(_percent_encoded, location), self.judged.record).href
            read(href)
        except (failure, ValueError):
            raise self.refusal(errors.BAD_LOCATION) from None
        self.chain.location = href
        return href

    def refusal(
        self,
        code: str,
        violations: tuple[PolicyViolation, ...] = (),
        classes: frozenset[Any] | None = None,
    ) -> URLFetchError:
        """Return the exception to raise."""
        record = self.judged.record
        if classes is None:
            kinds = ", ".join([violation.kinds for violation in violations if violation.kinds])
            classes = frozenset(kinds.split(", ") if kinds else ())
            if violations and not kinds and isinstance(record.host, IPv4Address | IPv6Address):
                classes = address_classes(record.host)
        origin = "" if self.judged is _NOTHING else record.origin
        if origin == "null":
            origin = f"{record.scheme[:20]}:"
        elif len(origin) > 300:
            origin = f"{origin[:297]}…"
        return self.guard.error(
            code, violations=violations, hop=self.number, origin=origin, address_classes=classes
        )


class Body:
    """Counts the body of an answer, as it is sent and as it will be when it is unpacked.

    ``encoding``: the value of Content-Encoding. Raises `URLFetchError` if it cannot be bounded.
    """

    def __init__(self, hop: Hop, encoding: str | None) -> None:
        self._hop = hop
        self._count = 0
        self._measure = None
        if encoding:
            try:
                self._measure = unpacking.Measure(encoding, hop.guard.bounds.unpacked_bytes)
            except unpacking.Unacceptable as problem:
                raise hop.refusal(problem.code) from None

    @property
    def left(self) -> int:
        """How many more bytes may be sent, at least 0."""
        return max(self._hop.guard.bounds.body_bytes - self._count, 0)

    def received(self, data: bytes) -> None:
        """Count bytes of the body as they were sent. Raises `URLFetchError`."""
        hop = self._hop
        hop.remaining()
        self._count += len(data)
        if self._count > hop.guard.bounds.body_bytes:
            raise hop.refusal(errors.BODY_TOO_LONG)
        if self._measure is None:
            if self._count > hop.guard.bounds.unpacked_bytes:
                raise hop.refusal(errors.UNPACKED_TOO_LONG)
            return
        try:
            self._measure.add(data)
        except unpacking.Unacceptable as problem:
            raise hop.refusal(problem.code) from None


def endpoint(record: URLRecord) -> tuple[str, str, int | None]:
    """Return where a URL leads: its scheme, its host without brackets, and its port."""
    port = DEFAULT_PORTS.get(record.scheme) if record.port is None else record.port
    return record.scheme, str(record.host).strip("[]"), port


def _normalized(seen: tuple[str, str, int | None]) -> tuple[str, str, int | None]:
    """Return what a client read, spelled as the standard spells it."""
    scheme, host, port = seen[0].lower(), seen[1].strip("[]").lower(), seen[2]
    if ":" in host:
        with suppress(ValueError):
            host = str(IPv6Address.from_ipaddress(ipaddress.IPv6Address(host))).strip("[]")
    return scheme, host, DEFAULT_PORTS.get(scheme) if port is None else port


def _judged(policy: URLPolicy, text: str) -> Judged:
    record = parse(text)
    path, query = record.path_text, record.query
    href = record.href if record.fragment is None else record.with_fragment(None).href
    return Judged(
        record,
        policy.check(record, written=text),
        endpoint(record),
        href,
        path if query is None else f"{path}?{query}",
        _suffixes_of(policy)(),
    )


@lru_cache(_REMEMBERED)
def _violations_of_addresses(
    policy: URLPolicy, addresses: tuple[str, ...]
) -> tuple[PolicyViolation, ...]:
    return check_addresses(policy, addresses)


def _suffixes_of(policy: URLPolicy) -> Callable[[], object]:
    """Return what returns the Public Suffix List in use, or None if the policy does not use it."""
    if policy.public_suffixes and policy.unknown_suffixes and not policy.registrable_domains:
        return lambda: None
    from weburl.standard.hosts.public_suffix import current_list  # It loads ten thousand rules.

    return current_list


def _policy_of_redirect(guard: Guard, judged: Judged) -> URLPolicy:
    """Return the policy of requests after the first one."""
    policy, wanted, first = guard.policy, guard.redirect_policy, judged.record
    if isinstance(wanted, URLPolicy):
        return wanted
    host = first.host
    if wanted == "same-origin":
        scheme, _, port = judged.endpoint
        assert port is not None
        return policy & URLPolicy(schemes=[scheme], hosts=[str(host)], ports=[port])
    site = host.registrable_domain if isinstance(host, Domain) else None
    if site is None:
        return policy & URLPolicy(hosts=[str(host)])
    return policy & URLPolicy(registrable_domains=[str(site)])


def _percent_encoded(char: re.Match[str]) -> str:
    return f"%{ord(char[0]):02X}"


def _decoded(target: str) -> bytes:
    """Return the same bytes for targets that clients spell differently."""
    return unquote_to_bytes(target.removesuffix("?"))


def hop_to(host: str, port: int) -> Hop:
    """Return the request for which a connection to ``host`` is made.

    Raises `URLFetchError` if the connection is for another host or port than the request, and
    RuntimeError if it is made outside of the guarded client.
    """
    hop = current_hop.get()
    if hop is None:
        raise RuntimeError("the connection is made outside of a request of the guarded client")
    seen = hop.judged.endpoint[0], host, port
    if seen != hop.judged.endpoint and _normalized(seen) != hop.judged.endpoint:
        raise hop.refusal(errors.READ_DIFFERENTLY)
    return hop


_NOTHING: Final = _judged(URLPolicy(), "about:blank")
