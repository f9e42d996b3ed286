"""What will be contacted: the addresses of a name, as a policy judges them.

The caller resolves names; see docs/fetching.md for how to connect to what was judged.
"""

from __future__ import annotations

from collections.abc import Iterable

from weburl.policies import violations
from weburl.policies.addresses import AnyAddress, address_classes, to_address
from weburl.policies.hosts import refuses
from weburl.policies.policy import URLPolicy, violations_of_classes
from weburl.policies.violations import PolicyViolation


def check_addresses(
    policy: URLPolicy, addresses: Iterable[AnyAddress]
) -> tuple[PolicyViolation, ...]:
    """Return all that ``policy`` has against ``addresses``, to which a name was resolved.

    Its rules about classes of addresses are asked, and those about hosts that are refused; one
    bad address among good ones is a violation, and so is no address at all. Connect to one of
    these very addresses: asking the resolver again may give others.

    Raises TypeError and ValueError for what is no address.
    """
    if isinstance(addresses, str):
        raise TypeError("addresses is an iterable of addresses, not one string")
    found: dict[PolicyViolation, None] = {}
    count = 0
    for address in map(to_address, addresses):
        count += 1
        text = str(address)
        classes = address_classes(address)
        found.update(dict.fromkeys(violations_of_classes(policy, text, classes)))
        if refuses(address, policy.refused_hosts):
            found[PolicyViolation(violations.HOST_REFUSED, text)] = None
    if not count:
        found[PolicyViolation(violations.NO_ADDRESS)] = None
    return tuple(found)
