"""Names that no one can register, and names that lead into a private network.

Names must be as the parser returns them, in ASCII and lowercase. Nothing is resolved here.
"""

from __future__ import annotations

from typing import Final

from weburl.policies.addresses import AddressClass
from weburl.standard.infra.dns import MAX_DOMAIN_LENGTH, MAX_LABEL_LENGTH

# Reserved by RFC 6761 and its followers, and by ICANN; the arpa names of RFC 8375, 7050, 9462,
# 9665, 8880, 6762 are below "arpa", where there are no websites.
_SPECIAL_USE: Final = frozenset(
    (
        "alt",  # RFC 9476
        "arpa",
        "internal",  # ICANN, 2024
        "invalid",  # RFC 6761
        "local",  # RFC 6762
        "localhost",  # RFC 6761
        "onion",  # RFC 7686
        "test",  # RFC 6761
        # RFC 6762, appendix G, and what home routers and ICANN's reports on collisions name.
        "corp",
        "domain",
        "home",
        "intranet",
        "lan",
        "localdomain",
        "private",
        "workgroup",
    )
)

# What /etc/hosts calls the machine itself.
_LOOPBACK: Final = frozenset(
    (
        "ip6-localhost",
        "ip6-loopback",
        "localhost",
        "localhost4",
        "localhost6",
        "localdomain",
        "localdomain4",
        "localdomain6",
        "loopback",
    )
)

# Where clouds and clusters answer their machines.
_METADATA: Final = frozenset(
    (
        "instance-data",
        "instance-data.ec2.internal",
        "kubernetes.default",
        "kubernetes.default.svc",
        "metadata",
        "metadata.azure.com",
        "metadata.goog",
        "metadata.google.internal",
        "metadata.packet.net",
        "metadata.platformequinix.com",
        "metadata.tencentyun.com",
    )
)


def bare(name: str) -> str:
    """Return ``name`` without the dots at its ends, which some resolvers ignore."""
    return name.strip(".")


def is_single_label(name: str) -> bool:
    """Return whether ``name`` has only one label. Empty labels at its ends do not count."""
    return "." not in bare(name)


def is_special_use(name: str) -> bool:
    """Return whether ``name`` is, or is a subdomain of, a name outside the public DNS.

    Names for documentation (".example") do not count, because they lead nowhere.

    Spec: RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476
    """
    return _last_label(name) in _SPECIAL_USE or bare(name) in _LOOPBACK


def is_resolvable(name: str) -> bool:
    """Return whether the DNS can hold ``name``. A dot at its end is allowed.

    Spec: RFC 1035, section 2.3.4
    """
    absolute = name.removesuffix(".")
    if len(absolute) > MAX_DOMAIN_LENGTH:
        return False
    labels = absolute.split(".")
    return all(labels) and (
        len(absolute) <= MAX_LABEL_LENGTH or max(map(len, labels)) <= MAX_LABEL_LENGTH
    )


def is_for_documentation(name: str) -> bool:
    """Return whether the last label of ``name`` is "example".

    Spec: RFC 6761, section 6.5
    """
    return _last_label(name) == "example"


def classes_of_name(name: str) -> frozenset[AddressClass]:
    """Return the classes of addresses that ``name`` must have, known without resolving it.

    Spec: RFC 6761, section 6.3
    """
    short = bare(name)
    if short.rpartition(".")[2] in _LOOPBACK:
        return frozenset(("loopback",))
    if short in _METADATA or short.endswith((".metadata.google.internal", ".metadata.goog")):
        return frozenset(("metadata",))
    return frozenset()


def _last_label(name: str) -> str:
    return bare(name).rpartition(".")[2]
