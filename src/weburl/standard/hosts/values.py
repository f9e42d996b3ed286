"""The five kinds of host, as frozen values.

A host made by hand is checked. The parser makes domains with `trusted_domain`, which does not check
them. Nothing is parsed here. A method that few programs call loads what it needs.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias, TypeGuard

import attrs

from weburl.standard.infra.code_points import C0_CONTROL_PERCENT_ENCODE_SET
from weburl.standard.infra.comparisons import unequal
from weburl.standard.infra.credentials import masked_value, without_credentials
from weburl.standard.infra.one_value import OneValue, one_value
from weburl.standard.infra.strings import ascii_lowercase, exact
from weburl.standard.storage import DomainSlots, plain_class

if TYPE_CHECKING:
    import ipaddress
    from collections.abc import Callable

    from weburl.standard.hosts.public_suffix import PublicSuffixList


def refuse_unless(condition: bool, reason: str) -> None:
    """Raise ValueError with ``reason`` unless ``condition`` is true."""
    if not condition:
        raise ValueError(reason)


def exact_if_text(value: str) -> str:
    """Return text as `exact` does, and any other value unchanged: a later check refuses it."""
    return exact(value) if isinstance(value, str) else value


@cache  # An import statement takes longer, even if the module is already loaded.
def _serializer_of_ipv4() -> Callable[[int], str]:
    from weburl.standard.hosts.ipv4 import serialize_ipv4

    return serialize_ipv4


@cache
def _serializer_of_ipv6() -> Callable[[int], str]:
    from weburl.standard.hosts.ipv6 import serialize_ipv6

    return serialize_ipv6


@cache
def _list_in_use() -> Callable[[], PublicSuffixList]:
    # It loads ten thousand rules, and Unicode's tables.
    from weburl.standard.hosts.public_suffix import current_list

    return current_list


@plain_class
class DomainStorage(DomainSlots):
    """The slot of a domain, writable until its class is set to `Domain`."""

    __slots__ = ()
    value: str


class _Host(OneValue):
    """A host. It is equal to hosts of its own class with the same value."""

    __slots__ = ()
    if TYPE_CHECKING:

        @property
        def value(self) -> int | str: ...

    def __eq__(self, other: object) -> bool:
        if other.__class__ is self.__class__:
            return self.value == other.value
        return unequal(self, other)

    def __hash__(self) -> int:
        return hash((self.__class__, self.value))

    # One method here, because attrs would compile one for each class when this is imported.
    def __repr__(self) -> str:
        return f"{self.__class__.__qualname__}(value={self._shown_value()})"

    def _shown_value(self) -> str:
        return repr(self.value)


class _NoDomain(_Host):
    """A host that is not a domain, so no one can register it."""

    __slots__ = ()

    def to_unicode(self) -> str:
        """Return the host as text, as ``str()`` does: only domains have a Unicode form."""
        return str(self)

    @property
    def public_suffix(self) -> None:
        """None: only domains have one.

        Spec: #host-public-suffix
        """
        return

    @property
    def registrable_domain(self) -> None:
        """None: only domains have one.

        Spec: #host-registrable-domain
        """
        return


@plain_class
@one_value
@attrs.frozen(init=False, slots=False, eq=False, repr=False)
class Domain(DomainStorage, _Host):
    """A domain, in the ASCII form that the parser gives it.

    ``value``: not empty, ASCII, lowercase, without forbidden domain code points; it does not end in
    a number. Raises ValueError for any other value.

    Spec: #concept-domain
    """

    __module__ = "weburl"

    __slots__ = ()
    __match_args__ = ("value",)

    value: str

    def __init__(self, value: str) -> None:
        self.__setstate__(exact_if_text(value))
        self.__attrs_post_init__()

    def __attrs_post_init__(self) -> None:  # what fills an attrs class without `__init__` calls it
        from weburl.standard.hosts.ipv4 import ends_in_a_number
        from weburl.standard.infra.code_point_regexes import FORBIDDEN_DOMAIN_CODE_POINT

        value = self.value
        refuse_unless(
            isinstance(value, str) and value.isascii() and value != "",
            f"a domain must be a non-empty ASCII string, not {masked_value(value)}",
        )
        refuse_unless(
            value == ascii_lowercase(value) and not FORBIDDEN_DOMAIN_CODE_POINT.search(value),
            "a domain must be lowercase, without forbidden domain code points:"
            f" {masked_value(value)}",
        )
        refuse_unless(
            not ends_in_a_number(value),
            f"a host that ends in a number is an IPv4 address, not a domain: {masked_value(value)}",
        )

    def __getstate__(self) -> str:
        return self.value

    def __setstate__(self, value: str) -> None:
        object.__setattr__(self, "value", value)

    def __str__(self) -> str:
        return self.value

    def to_unicode(self) -> str:
        """Return the domain in Unicode; the ASCII form if it has no valid Unicode form.

        Spec: #concept-domain-to-unicode
        """
        from weburl.standard.hosts.domains import domain_to_unicode

        return domain_to_unicode(self.value)

    @property
    def public_suffix(self) -> Domain | None:
        """The part under which people can register names: "com", "co.uk", "github.io".

        It comes from the Public Suffix List in use (`weburl.public_suffix`). If no rule of the list
        matches, it is the last label. It ends with a dot if the domain does. It is None if a label
        is empty.

        Spec: #host-public-suffix
        """
        suffix = _list_in_use()().public_suffix(self.value)
        return None if suffix is None else trusted_domain(suffix)

    @property
    def registrable_domain(self) -> Domain | None:
        """The public suffix and the label before it: "example.co.uk". None without such a label.

        For security decisions compare origins if you can, because programs use different editions
        of the list.

        Spec: #host-registrable-domain
        """
        registrable = _list_in_use()().registrable_domain(self.value)
        return None if registrable is None else trusted_domain(registrable)


@one_value
@attrs.frozen(eq=False, repr=False)
class IPv4Address(_NoDomain):
    """An IPv4 address. ``value``: 0 to 2**32 - 1. Raises ValueError for any other value.

    Spec: #concept-ipv4
    """

    __module__ = "weburl"

    value: int

    def __attrs_post_init__(self) -> None:
        # The message takes as long as the parser, so it is only made when needed.
        if type(self.value) is not int or not 0 <= self.value < 1 << 32:
            raise ValueError(
                f"an IPv4 address must be an integer from 0 to 2**32 - 1,"
                f" not {masked_value(self.value)}"
            )

    def __str__(self) -> str:
        return _serializer_of_ipv4()(self.value)

    @classmethod
    def from_ipaddress(cls, address: ipaddress.IPv4Address) -> IPv4Address:
        """Return the host for an `ipaddress.IPv4Address` of the standard library."""
        return cls(int(address))

    def to_ipaddress(self) -> ipaddress.IPv4Address:
        """Return the address as an `ipaddress.IPv4Address`."""
        import ipaddress  # takes a while to load, and few programs need it

        return ipaddress.IPv4Address(self.value)


@one_value
@attrs.frozen(eq=False, repr=False)
class IPv6Address(_NoDomain):
    """An IPv6 address. ``value``: 0 to 2**128 - 1. Raises ValueError for any other value.

    ``str()`` returns it in brackets, as in a URL.

    Spec: #concept-ipv6
    """

    __module__ = "weburl"

    value: int

    def __attrs_post_init__(self) -> None:
        if type(self.value) is not int or not 0 <= self.value < 1 << 128:
            raise ValueError(
                f"an IPv6 address must be an integer from 0 to 2**128 - 1,"
                f" not {masked_value(self.value)}"
            )

    def __str__(self) -> str:
        return f"[{_serializer_of_ipv6()(self.value)}]"

    @classmethod
    def from_ipaddress(cls, address: ipaddress.IPv6Address) -> IPv6Address:
        """Return the host for an `ipaddress.IPv6Address` of the standard library.

        Raises ValueError for an address with a zone (``%eth0``): URLs have no zones. Raises
        TypeError for another value.
        """
        zone = getattr(address, "scope_id", address)
        if zone is address:
            raise TypeError(f"expected an ipaddress.IPv6Address, not {type(address).__name__}")
        refuse_unless(zone is None, f"the host of a URL cannot have a zone: {address}")
        return cls(int(address))

    def to_ipaddress(self) -> ipaddress.IPv6Address:
        """Return the address as an `ipaddress.IPv6Address`."""
        import ipaddress

        return ipaddress.IPv6Address(self.value)


@one_value
@attrs.frozen(eq=False, repr=False)
class OpaqueHost(_NoDomain):
    """The host of a URL whose scheme is not special: text, not a domain.

    ``value``: printable ASCII, not empty, without forbidden host code points. Raises ValueError for
    any other value.

    Spec: #opaque-host
    """

    __module__ = "weburl"

    value: str = attrs.field(converter=exact_if_text)

    def __attrs_post_init__(self) -> None:
        from weburl.standard.infra.code_point_regexes import FORBIDDEN_HOST_CODE_POINT

        value = self.value
        refuse_unless(
            isinstance(value, str)
            and value != ""
            and not FORBIDDEN_HOST_CODE_POINT.search(value)
            and not C0_CONTROL_PERCENT_ENCODE_SET.pattern.search(value),
            f"an opaque host must be non-empty and percent-encoded, without forbidden host code"
            f" points: {masked_value(value)}",
        )

    def _shown_value(self) -> str:
        return repr(without_credentials(self.value, after="//"))

    def __str__(self) -> str:
        return self.value


@one_value
@attrs.frozen(eq=False, repr=False)
class EmptyHost(_NoDomain):
    """The empty host, as in ``file:///``. It is not the same as no host, which is None.

    Spec: #empty-host
    """

    __module__ = "weburl"

    def __eq__(self, other: object) -> bool:
        return True if isinstance(other, EmptyHost) else unequal(self, other)

    def __hash__(self) -> int:
        return hash(EmptyHost)

    def __repr__(self) -> str:
        return f"{self.__class__.__qualname__}()"

    def __str__(self) -> str:
        return ""


Host: TypeAlias = Domain | IPv4Address | IPv6Address | OpaqueHost | EmptyHost
"""A host. Spec: #concept-host"""


_KINDS: Final = frozenset((Domain, IPv4Address, IPv6Address, OpaqueHost, EmptyHost))


def is_host(value: object) -> TypeGuard[Host]:
    """Return whether ``value`` is a host. A subclass is not, because it may have other text."""
    return type(value) in _KINDS


def trusted_domain(value: str) -> Domain:
    """Return ``value``, a result of the domain parser, as a domain, without checks."""
    # The frozen `__init__` and its checks take longer than the domain parser.
    domain = DomainStorage()
    domain.value = value
    domain.__class__ = Domain
    return domain  # type: ignore[return-value]  # mypy does not follow the change of class
