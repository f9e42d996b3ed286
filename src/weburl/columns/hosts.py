"""The public functions for columns of bare hosts, such as "www.example.co.uk" and "[::1]".

Strings are read as browsers read the host of an ``https:`` URL. Use `weburl.columns.functions` for
columns of URLs.
"""

from __future__ import annotations

from typing import Unpack

from weburl.columns.arrow import ArrowColumn, Column
from weburl.columns.lists import require_host_list
from weburl.columns.options import Options, OptionsWithSuffixes, spelled_out
from weburl.columns.running import by_list, computed
from weburl.policies.host_list import HostList


@spelled_out(Options)
def canonical_host(
    hosts: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return each host as it is in a URL: domains in ASCII and lowercase, addresses in short form.

    A string with a port, a scheme or a path does not parse. The arguments and errors are the same
    as for `canonicalize`.

    Spec: #concept-host-parser
    """
    return computed("canonical_host", {}, hosts, **options)


@spelled_out(Options)
def is_ip(
    hosts: ArrowColumn,
    **options: Unpack[Options],
) -> Column:
    """Return whether each host is an IPv4 or IPv6 address in any spelling that browsers accept.

    An IPv6 address is in brackets, as in a URL. The arguments and errors are the same as for
    `canonicalize`.

    Spec: #concept-host-parser
    """
    return computed("is_ip", {}, hosts, **options)


@spelled_out(Options)
def host_in_host_list(
    hosts: ArrowColumn,
    host_list: HostList,
    **options: Unpack[Options],
) -> Column:
    """Return whether each host is in a `weburl.HostList`, as a column of Booleans.

    The other arguments are the same as for `canonicalize`. Raises TypeError if ``host_list`` is not
    a HostList.

    Spec: #concept-host-parser
    """
    wanted = {"hosts": require_host_list(host_list)}
    return computed("host_in_host_list", wanted, hosts, **options)


@spelled_out(OptionsWithSuffixes)
def registrable_domain_of_host(
    hosts: ArrowColumn,
    **options: Unpack[OptionsWithSuffixes],
) -> Column:
    """Return the registrable domain of each host: "example.co.uk" for "www.Example.co.uk".

    The result is null for an address and for a public suffix. The arguments and errors are the same
    as for `registrable_domain`.

    Spec: #host-registrable-domain
    """
    return by_list("registrable_domain_of_host", hosts, **options)


@spelled_out(OptionsWithSuffixes)
def public_suffix(
    hosts: ArrowColumn,
    **options: Unpack[OptionsWithSuffixes],
) -> Column:
    """Return the public suffix of each host: "co.uk" for "www.example.co.uk".

    The result is null for an address. The arguments and errors are the same as for
    `registrable_domain`.

    Spec: #host-public-suffix
    """
    return by_list("public_suffix", hosts, **options)


@spelled_out(OptionsWithSuffixes)
def subdomain(
    hosts: ArrowColumn,
    **options: Unpack[OptionsWithSuffixes],
) -> Column:
    """Return the part before the registrable domain of each host: "www" for "www.example.co.uk".

    It is "" if nothing does. The result is null for a host without a registrable domain. The
    arguments and errors are the same as for `registrable_domain`.

    Spec: #host-registrable-domain
    """
    return by_list("subdomain", hosts, **options)
