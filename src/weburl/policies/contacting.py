"""Checks the addresses that a name resolves to, before a program connects to them.

The caller resolves the name. docs/fetching.md shows how to connect to the checked address.
"""

from __future__ import annotations

from collections.abc import Iterable

from weburl.policies import violations
from weburl.policies.addresses import AnyAddress, address_classes, to_address
from weburl.policies.policy import (
    URLPolicy,
    require_policy,
    violations_of_classes,
    violations_of_networks,
)
from weburl.policies.violations import PolicyViolation


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
    found: dict[PolicyViolation, None] = {}
    count = 0
    for address in map(to_address, addresses):
        count += 1
        text = str(address)
        classes = address_classes(address)
        found.update(dict.fromkeys(violations_of_classes(policy, text, classes)))
        found.update(dict.fromkeys(violations_of_networks(policy, text, address)))
        if policy.refuses(address):
            found[PolicyViolation(violations.HOST_REFUSED, text)] = None
    if not count:
        found[PolicyViolation(violations.NO_ADDRESS)] = None
    return tuple(found)
