"""The policy: rules about a URL, as one frozen value.

`addresses`, `names` and `hosts` say what the rules mean. This module combines them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

import attrs

from weburl.lookalikes import ProtectedNames
from weburl.patterns.pattern import URLPattern
from weburl.policies import names, rules
from weburl.policies.addresses import (
    ADDRESS_CLASSES,
    AddressClass,
    AnyAddress,
    address_classes,
    common_networks,
    is_in_networks,
    to_address,
)
from weburl.policies.host_list import HostList, matches, refuses
from weburl.policies.hosts import (
    has_registrable_domain_in,
    is_known_suffix,
    judged_host,
    public_suffix,
)
from weburl.policies.violations import PolicyViolation, URLPolicyError
from weburl.standard.hosts.values import Domain, Host, IPv4Address, IPv6Address, OpaqueHost
from weburl.standard.infra.credentials import masked_value, without_credentials
from weburl.standard.infra.one_value import FrozenValue, check_boolean
from weburl.standard.infra.schemes import DEFAULT_PORTS
from weburl.standard.infra.strings import require_text, shortened
from weburl.standard.support.json_options import FROM, options_in
from weburl.standard.url.api import parse, record_of
from weburl.standard.url.record import AnyURL, URLRecord
from weburl.standard.url.report import URLParseError
from weburl.standard.url.writing import is_plain_link

if TYPE_CHECKING:
    from typing import Unpack

    from weburl.policies.rules import Rules


# For a list in a message. All classes of addresses fit.
_LONGEST_LIST: Final = 200
_MANY_HOSTS: Final = 1000
READY_POLICIES: Final = ("public_link", "webhook", "image", "self_hosted")
"""The ready policies without arguments."""
READY_POLICIES_OF_COMMANDS: Final = tuple(name.replace("_", "-") for name in READY_POLICIES)
"""Their names in the help of commands, which accept both spellings."""


@attrs.frozen(kw_only=True, repr=False)
class URLPolicy(FrozenValue):
    """Rules about a URL. Without arguments there are no rules, and every URL is allowed.

    A policy that names hosts or classes refuses every URL without a host. Policies with the same
    rules are equal and have the same hash. ``a & b`` allows what both allow.

    Args:
        schemes: only these schemes are allowed.
        hosts: only these hosts are allowed. "example.com" is only that host, "*.example.com" is
            any host below it, and ".example.com" is both. For very many, a `HostList`.
        registrable_domains: only hosts of these domains are allowed. Together with ``hosts``, a
            host of either list is allowed.
        refused_hosts: these hosts, written as in ``hosts``, are refused in any spelling, with or
            without a trailing dot. "example.com" alone does not refuse "www.example.com".
        refused_registrable_domains: these domains are refused, with all hosts below them.
        ports: only these ports are allowed. Write the default port of a scheme as its number.
        credentials: whether a URL may have a username or a password.
        fragments: whether a URL may have a fragment.
        max_length: the highest number of characters in the href, at least 1.
        ip_hosts: whether the host may be an IP address.
        address_classes: an IP address must be in one of these classes, see `address_classes`. A
            name such as "localhost" has a class too.
        networks: an IP address must be in one of these networks, such as "10.0.0.0/8", and so must
            every address that a name resolves to, see `check_addresses`.
        single_labels: whether the host may be a name without a dot.
        special_use_names: whether the host may be a name that does not exist on the public
            Internet, such as "printer.local" or "x.internal".
        public_suffixes: whether the host may be a name under which people register others, such
            as "co.uk".
        unknown_suffixes: whether the host, if it has a dot, may end in a suffix that the Public
            Suffix List does not have.
        unresolvable_names: whether the host may be a name that the DNS cannot hold: one of more
            than 253 characters, or with a label that is empty or longer than 63 characters. A dot
            at the end does not count.
        leading_hyphens: whether the host or the username may begin with "-", which a command that
            gets it as an argument reads as an option.
        not_like: the host must not look like one of these names, as
            `weburl.lookalikes.ProtectedNames` finds it by default. List your own sites.
        require_agreement: whether all readers of `readings` must read the same scheme, host and
            port.
        patterns: only URLs that match one of these are allowed. They are `URLPattern` values, or
            what makes one.
        and_also: policies that only name hosts, patterns or look-alikes, and that must also allow
            the URL. ``&`` makes them if both sides name some.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument has a value that is not allowed. For a pattern, it is a
            `URLPatternError`.
    """

    __module__ = "weburl"

    schemes: tuple[str, ...] | None = attrs.field(default=None, converter=rules.schemes)
    hosts: tuple[str, ...] | HostList | None = attrs.field(default=None, converter=rules.hosts)
    registrable_domains: tuple[str, ...] | None = attrs.field(default=None, converter=rules.domains)
    refused_hosts: tuple[str, ...] | HostList = attrs.field(
        default=(), converter=rules.refused_hosts
    )
    refused_registrable_domains: tuple[str, ...] = attrs.field(
        default=(), converter=rules.refused_domains
    )
    ports: tuple[int, ...] | None = attrs.field(default=None, converter=rules.ports)
    credentials: bool = attrs.field(default=True, validator=check_boolean)
    fragments: bool = attrs.field(default=True, validator=check_boolean)
    max_length: int | None = attrs.field(default=None, validator=rules.check_max_length)
    ip_hosts: bool = attrs.field(default=True, validator=check_boolean)
    address_classes: tuple[str, ...] | None = attrs.field(default=None, converter=rules.classes)
    networks: tuple[str, ...] | None = attrs.field(default=None, converter=rules.networks)
    single_labels: bool = attrs.field(default=True, validator=check_boolean)
    special_use_names: bool = attrs.field(default=True, validator=check_boolean)
    public_suffixes: bool = attrs.field(default=True, validator=check_boolean)
    unknown_suffixes: bool = attrs.field(default=True, validator=check_boolean)
    unresolvable_names: bool = attrs.field(default=True, validator=check_boolean)
    leading_hyphens: bool = attrs.field(default=True, validator=check_boolean)
    not_like: tuple[str, ...] = attrs.field(default=(), converter=rules.not_like)
    require_agreement: bool = attrs.field(default=False, validator=check_boolean)
    patterns: tuple[URLPattern, ...] | None = attrs.field(default=None, converter=rules.patterns)
    and_also: tuple[URLPolicy, ...] = attrs.field(default=())

    @and_also.validator
    def _check_and_also(
        self, _attribute: attrs.Attribute[Any], value: tuple[URLPolicy, ...]
    ) -> None:
        if not isinstance(value, tuple) or not all(isinstance(each, URLPolicy) for each in value):
            raise TypeError("and_also is a tuple of policies")
        for policy in value:
            if policy != _of_lists(_lists_of(policy)):
                raise ValueError(
                    "and_also takes policies that only name hosts, patterns or look-alikes;"
                    " combine others with &"
                )

    # Asking.

    def allows(self, record: AnyURL, *, written: str | None = None) -> bool:
        """Return whether `check` finds no violation. False for text that does not parse."""
        if isinstance(record, str):
            if written is None:
                written = record
            try:
                record = parse(record)
            except URLParseError:
                return False
        return next(self._violations(record_of(record), written), None) is None

    def check(self, record: AnyURL, *, written: str | None = None) -> tuple[PolicyViolation, ...]:
        """Return all violations of this policy by ``record``, in the order of a URL's parts.

        ``written``: the text that was parsed, which ``require_agreement`` reads too. Other programs
        may read text differently: pass on the record that `parse` returns, not the text that you
        checked. Raises the errors of `weburl.parse`.
        """
        if written is None and isinstance(record, str):
            written = record
        record = record_of(record)
        return tuple(dict.fromkeys(self._violations(record, written)))

    def parse(self, input: AnyURL, base: AnyURL | None = None) -> URLRecord:
        """Parse ``input`` as `weburl.parse` does, and return the record if this policy allows it.

        Raises `URLPolicyError` if it does not, and the errors of `weburl.parse`.
        """
        record = parse(input, base)
        found = self.check(
            record, written=input if base is None and isinstance(input, str) else None
        )
        if found:
            raise URLPolicyError(found)
        return record

    # Combining.

    def __and__(self, other: URLPolicy) -> URLPolicy:
        if not isinstance(other, URLPolicy):
            return NotImplemented
        first, *rest = _all_lists(self, other)
        return URLPolicy(
            schemes=_both(self.schemes, other.schemes),
            hosts=first[0],
            registrable_domains=first[1],
            patterns=first[2],
            not_like=first[3],
            refused_hosts=_either(self.refused_hosts, other.refused_hosts),
            refused_registrable_domains=(
                *self.refused_registrable_domains,
                *other.refused_registrable_domains,
            ),
            ports=_both(self.ports, other.ports),
            max_length=min(filter(None, (self.max_length, other.max_length)), default=None),
            address_classes=cast(
                "tuple[AddressClass, ...] | None",
                _both(self.address_classes, other.address_classes),
            ),
            networks=(
                _both(self.networks, other.networks)
                if self.networks is None or other.networks is None
                else common_networks(self.networks, other.networks)
            ),
            require_agreement=self.require_agreement or other.require_agreement,
            and_also=tuple(map(_of_lists, rest)),
            **{name: getattr(self, name) and getattr(other, name) for name in _PERMISSIONS},
        )

    def narrowed(self, **others: Unpack[Rules]) -> URLPolicy:
        """Return a policy that allows what both this one and ``URLPolicy(**others)`` allow."""
        return self & URLPolicy(**others)

    def replaced(self, **others: Unpack[Rules]) -> URLPolicy:
        """Return this policy with some rules replaced. The new policy may allow more."""
        return attrs.evolve(self, **others)

    # Ready-made.

    @classmethod
    def public_link(cls) -> URLPolicy:
        """Return a policy for links that a page shows to everyone.

        It allows http and https, on ports for the web. It refuses credentials, addresses and names
        of a private network, public suffixes such as "co.uk", and names that the DNS cannot hold.
        """
        return cls(
            schemes=("http", "https"),
            ports=(80, 443, 8000, 8080, 8443),
            credentials=False,
            address_classes=("global",),
            single_labels=False,
            special_use_names=False,
            public_suffixes=False,
            unresolvable_names=False,
        )

    @classmethod
    def webhook(cls) -> URLPolicy:
        """Return a policy for URLs from strangers that a server will send requests to.

        It allows https on port 443 or 8443. The host must be a name that can be registered and
        resolved, not an address, and all `readings` must agree. Check what the name resolves to
        with `check_addresses`.
        """
        return cls(
            schemes=("https",),
            ports=(443, 8443),
            credentials=False,
            max_length=2048,
            ip_hosts=False,
            address_classes=("global",),
            single_labels=False,
            special_use_names=False,
            public_suffixes=False,
            unknown_suffixes=False,
            unresolvable_names=False,
            require_agreement=True,
        )

    @classmethod
    def image(cls) -> URLPolicy:
        """Return a policy for pictures from outside that a server fetches or a page shows.

        It is like `webhook`, but allows http too, and only the schemes' default ports.
        """
        return cls.webhook().replaced(schemes=("http", "https"), ports=(80, 443))

    @classmethod
    def own_sites(cls, *hosts: str) -> URLPolicy:
        """Return a policy for links within your own sites.

        ``hosts``: "example.com", ".example.com", as in `URLPolicy`. It allows http and https on
        their default ports, and refuses credentials. Raises the errors of `URLPolicy`, and
        ValueError if there is no host.
        """
        if not hosts:
            raise ValueError("own_sites takes at least one host")
        return cls(schemes=("http", "https"), hosts=hosts, ports=(80, 443), credentials=False)

    @classmethod
    def internal(cls, *, networks: Iterable[str], names: Iterable[str] | None = None) -> URLPolicy:
        """Return a policy for a server that fetches from its own network on purpose.

        ``networks``: "10.1.0.0/16", "fd00::/8". All addresses of a host must be in one of them.
        ``names``: the only hosts that are allowed, as in ``hosts``. Their addresses must be in
        ``networks``, too. With None, any host is allowed whose addresses are there. The policy
        allows http and https on any port, and refuses credentials. It refuses a cloud's metadata
        service even if it is in ``networks``.

        Raises the errors of `URLPolicy`, and ValueError if there is no network.
        """
        policy = cls(
            schemes=("http", "https"),
            hosts=names,
            credentials=False,
            networks=networks,
            address_classes=[each for each in ADDRESS_CLASSES if each != "metadata"],
        )
        if not policy.networks:
            raise ValueError("internal takes at least one network")
        return policy

    @classmethod
    def self_hosted(cls) -> URLPolicy:
        """Return a policy for a program that people run in their own network.

        It allows http and https on any port, also to private networks, the machine itself and names
        without a dot, such as "nas". It refuses credentials, link-local addresses, a cloud's
        metadata service, and names that the DNS cannot hold. It does not protect the other machines
        and programs of the network from requests.
        """
        return cls(
            schemes=("http", "https"),
            credentials=False,
            address_classes=("global", "private", "loopback", "carrier-grade"),
            unresolvable_names=False,
        )

    @classmethod
    def from_json(cls, text: str) -> URLPolicy:
        """Return the policy in a JSON object whose names are the arguments of `URLPolicy`.

        One more name, "from", is the name of a ready policy without arguments to build on:
        ``{"from": "public_link", "refused_hosts": [".evil.example"]}``. Other rules replace those
        of the ready policy. More than a thousand hosts become a `HostList`.

        Raises:
            TypeError: ``text`` is not text, or a rule has the wrong type.
            ValueError: ``text`` is not such an object, a value is not allowed, or there is no
                rule, so that every URL would be allowed.
        """
        names = [each.name for each in attrs.fields(cls) if each.name != "and_also"]
        example = '{"from": "public_link"}'
        given = options_in(require_text(text, "JSON"), "rules", [*names, FROM], example)
        is_ready = FROM in given
        name = given.pop(FROM, "")
        if is_ready and name not in READY_POLICIES:
            known = ", ".join(READY_POLICIES)
            raise ValueError(f"there is no ready policy {masked_value(name)}: they are {known}")
        for of_hosts in ("hosts", "refused_hosts"):
            hosts = given.get(of_hosts)
            if isinstance(hosts, list) and len(hosts) > _MANY_HOSTS:
                given[of_hosts] = HostList(hosts)
        policy = getattr(cls, name)().replaced(**given) if is_ready else cls(**given)
        if policy == cls():
            raise ValueError("there are no rules, so every URL would be allowed")
        return policy

    # Showing and writing.

    def __repr__(self) -> str:
        rules = ", ".join(f"{name}={value!r}" for name, value in self._given().items())
        return f"URLPolicy({rules})"

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, Any]]:
        """Return what Django's migrations write: the import path and the rules not at default."""
        return "weburl.URLPolicy", (), self._given()

    def _given(self) -> dict[str, Any]:
        pairs = ((field, getattr(self, field.name)) for field in attrs.fields(URLPolicy))
        return {field.name: value for field, value in pairs if value != field.default}

    # The rules.

    def _violations(self, record: URLRecord, written: str | None) -> Iterator[PolicyViolation]:
        if self.max_length is not None and len(record.href) > self.max_length:
            yield PolicyViolation("too-long", str(len(record.href)), str(self.max_length))
        if self.schemes is not None and record.scheme not in self.schemes:
            yield PolicyViolation(
                "scheme-not-allowed", shortened(record.scheme), _listed(self.schemes)
            )
        if not self.credentials and record.includes_credentials:
            yield PolicyViolation("credentials-not-allowed")
        if not self.leading_hyphens and (
            _begins_with_hyphen(record.username) or _begins_with_hyphen(record.hostname)
        ):
            yield PolicyViolation("leading-hyphen")
        yield from self._violations_of_host(record.host)
        if self.ports is not None and record.host is not None:
            port = DEFAULT_PORTS.get(record.scheme) if record.port is None else record.port
            if port not in self.ports:
                culprit = "" if port is None else str(port)
                yield PolicyViolation("port-not-allowed", culprit, _listed(self.ports))
        if not self.fragments and record.fragment is not None:
            yield PolicyViolation("fragment-not-allowed")
        if self.patterns is not None and not any(each.test(record) for each in self.patterns):
            listed = _listed(map(repr, self.patterns))
            yield PolicyViolation("no-pattern-matches", "", listed)
        if self.require_agreement:
            yield from _disagreements(record, written)
        for policy in self.and_also:
            yield from policy._violations(record, written)  # noqa: SLF001

    def _violations_of_host(self, given: Host | None) -> Iterator[PolicyViolation]:
        host = judged_host(given)
        if host is None:
            if (
                self.hosts,
                self.registrable_domains,
                self.address_classes,
                self.networks,
            ) != (None, None, None, None):
                yield PolicyViolation("no-host")
            return
        text = _shown(host)
        if given is not None and not self._names(given):
            allowed = _listed(chain(self.hosts or (), self.registrable_domains or ()))
            yield PolicyViolation("host-not-allowed", text, allowed)
        if self.refuses(host):
            yield PolicyViolation("host-refused", text)
        if isinstance(host, Domain):
            yield from self._violations_of_domain(host, text)
        elif isinstance(host, IPv4Address | IPv6Address):
            if not self.ip_hosts:
                yield PolicyViolation("ip-host", text)
            yield from _violations_of_address(self, text, host)
        elif self._judges_names and isinstance(host, OpaqueHost):
            yield PolicyViolation("host-not-understood", text)

    def _violations_of_domain(self, domain: Domain, text: str) -> Iterator[PolicyViolation]:
        name = domain.value
        if classes := names.classes_of_name(name):
            yield from _violations_of_classes(self, text, classes)
        is_single_label = names.is_single_label(name)
        if is_single_label and not self.single_labels:
            yield PolicyViolation("single-label", text)
        if not self.special_use_names and names.is_special_use(name):
            yield PolicyViolation("special-use-name", text)
        if not self.unresolvable_names and not names.is_resolvable(name):
            yield PolicyViolation("unresolvable-name", text)
        if self.not_like:
            found = cast("ProtectedNames", self._protected).looks_like(domain)
            if found is not None:
                yield PolicyViolation("look-alike", text, found.name)
        if self.public_suffixes and self.unknown_suffixes:
            return
        suffix = public_suffix(name)
        is_known = is_known_suffix(suffix)
        # By the list, every single label is a suffix. Here, only one that the list names is.
        if is_single_label and not (self.single_labels and is_known):
            return
        if not self.public_suffixes and suffix == name:
            yield PolicyViolation("public-suffix", text)
        if not (self.unknown_suffixes or is_known or names.is_for_documentation(name)):
            yield PolicyViolation("unknown-suffix", text)

    def _names(self, host: Host) -> bool:
        if self.hosts is None and self.registrable_domains is None:
            return True
        return matches(host, self.hosts or ()) or has_registrable_domain_in(
            host, self.registrable_domains or ()
        )

    def refuses(self, host: Host) -> bool:
        """Return whether ``refused_hosts`` or ``refused_registrable_domains`` name ``host``."""
        if not (self.refused_hosts or self.refused_registrable_domains):
            return False
        return any(refuses(host, rules) for rules in self.refused)

    @property
    def refused(self) -> tuple[tuple[str, ...] | HostList, ...]:
        """What `refused_hosts` and `refused_registrable_domains` refuse, as lists of hosts."""
        of_domains = tuple(f".{name}" for name in self.refused_registrable_domains)
        return tuple(filter(None, (self.refused_hosts, of_domains)))

    @cached_property
    def _protected(self) -> object:  # attrs keeps the type, and would look for its name in `weburl`
        return ProtectedNames(self.not_like)

    @property
    def _judges_names(self) -> bool:
        """Whether a rule needs to know what the host is."""
        return (self.address_classes, self.networks) != (None, None) or not (
            self.ip_hosts
            and self.single_labels
            and self.special_use_names
            and self.public_suffixes
            and self.unknown_suffixes
            and self.unresolvable_names
            and not self.refused
            and not self.not_like
        )


def _begins_with_hyphen(text: str) -> bool:
    return text.startswith(("-", "%2D", "%2d"))


def _shown(host: Host) -> str:
    """Return ``host`` for a message."""
    if isinstance(host, Domain):  # It has no "@", and is not percent-encoded.
        return shortened(host.value)
    return shortened(without_credentials(str(host), after="//"))


def require_policy(policy: object) -> URLPolicy:
    """Return ``policy`` if it is one. Raises TypeError otherwise."""
    if not isinstance(policy, URLPolicy):
        raise TypeError(
            f"the policy must be a weburl.URLPolicy, not {type(policy).__name__}: write"
            f" URLPolicy(schemes=[...]), or URLPolicy.public_link()"
        )
    return policy


def check_addresses(
    policy: URLPolicy, addresses: Iterable[AnyAddress]
) -> tuple[PolicyViolation, ...]:
    """Return the violations of ``policy`` by ``addresses``, to which a name was resolved.

    This checks the rules about classes of addresses, networks and refused hosts. One bad address
    among good ones is a violation, and so is an empty list. Connect to one of exactly these
    addresses, because resolving the name again may give others.

    Raises TypeError and ValueError for a value that is not an address, and TypeError for a policy
    that is not a `URLPolicy`.
    """
    require_policy(policy)
    if isinstance(addresses, str):
        raise TypeError("addresses must be an iterable of addresses, not one string")
    checked = list(map(to_address, addresses))
    found = [] if checked else [PolicyViolation("no-address")]
    for address in checked:
        text = str(address)
        found += _violations_of_address(policy, text, address)
        if policy.refuses(address):
            found.append(PolicyViolation("host-refused", text))
    return tuple(dict.fromkeys(found))


def _violations_of_address(
    policy: URLPolicy, text: str, address: IPv4Address | IPv6Address
) -> Iterator[PolicyViolation]:
    yield from _violations_of_classes(policy, text, address_classes(address))
    if policy.networks is not None and not is_in_networks(address, policy.networks):
        yield PolicyViolation("host-not-allowed", text, _listed(policy.networks))


def _violations_of_classes(
    policy: URLPolicy, text: str, classes: frozenset[AddressClass]
) -> Iterator[PolicyViolation]:
    allowed = policy.address_classes
    if allowed is not None and not classes.issubset(allowed):
        kinds = _listed(sorted(classes.difference(allowed)))
        yield PolicyViolation("address-not-allowed", text, _listed(allowed), kinds)


_PERMISSIONS: Final = (
    "credentials",
    "fragments",
    "ip_hosts",
    "single_labels",
    "special_use_names",
    "public_suffixes",
    "unknown_suffixes",
    "unresolvable_names",
    "leading_hyphens",
)

_T = TypeVar("_T")

_Lists: TypeAlias = tuple[
    tuple[str, ...] | HostList | None,
    tuple[str, ...] | None,
    tuple[URLPattern, ...] | None,
    tuple[str, ...],
]
_NO_LISTS: Final[_Lists] = (None, None, None, ())


def _lists_of(policy: URLPolicy) -> _Lists:
    """Return the lists of a policy that cannot be combined into one."""
    return policy.hosts, policy.registrable_domains, policy.patterns, policy.not_like


def _of_lists(lists: _Lists) -> URLPolicy:
    hosts, domains, patterns, not_like = lists
    return URLPolicy(hosts=hosts, registrable_domains=domains, patterns=patterns, not_like=not_like)


def _all_lists(*policies: URLPolicy) -> list[_Lists]:
    """Return the different lists in ``policies``, or only `_NO_LISTS` if there are none."""
    found = {_lists_of(each) for policy in policies for each in (policy, *policy.and_also)}
    found.discard(_NO_LISTS)
    return sorted(found, key=repr) or [_NO_LISTS]


def _both(first: tuple[_T, ...] | None, second: tuple[_T, ...] | None) -> tuple[_T, ...] | None:
    """Return what two lists of what is allowed have in common; None allows all."""
    if first is None or second is None:
        return second if first is None else first
    return tuple(each for each in first if each in second)


def _either(
    first: tuple[str, ...] | HostList, second: tuple[str, ...] | HostList
) -> tuple[str, ...] | HostList:
    """Return the hosts of both; a `HostList` if one is, and the very one if the other is empty."""
    if not (first and second):
        return first or second
    if isinstance(first, HostList) or isinstance(second, HostList):
        return HostList(first) | HostList(second)
    return first + second


def _listed(values: Iterable[object]) -> str:
    """Return the values with commas. If there are many, the last is "…" in place of the others."""
    shown: list[str] = []
    length = 0
    for value in values:
        text = shortened(str(value))
        length += len(text) + 2
        if shown and length > _LONGEST_LIST:
            shown.append("…")
            break
        shown.append(text)
    return ", ".join(shown) or "none"


def _disagreements(record: URLRecord, written: str | None) -> Iterator[PolicyViolation]:
    from weburl.policies.readers import MAX_LENGTH, readings  # It loads other libraries.

    for text in dict.fromkeys((record.href if written is None else written, record.href)):
        if len(text) <= MAX_LENGTH and is_plain_link(text):
            continue
        found = readings(text)
        if not found.agree and found.standard.failure is None:
            yield PolicyViolation("readers-disagree", found.summary)
