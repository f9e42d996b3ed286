"""The public functions for columns of bare hosts, such as "www.example.co.uk" and "[::1]".

A text is read as browsers read the host of an ``https:`` URL. Use `weburl.columns.functions` for
columns of URLs.
"""

from __future__ import annotations

from weburl.columns.arrow import ArrowColumn, Column
from weburl.columns.lists import list_to_use
from weburl.columns.running import Errors, Progress, Task, run
from weburl.public_suffix import PublicSuffixList


def canonical_host(
    hosts: ArrowColumn,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return each host as it is in a URL: domains in ASCII and lowercase, addresses in short form.

    A text with a port, a scheme or a path does not parse. The arguments and errors are those of
    `canonicalize`.

    Spec: #concept-host-parser
    """
    return run(Task("canonical_host", {}, errors), hosts, workers=workers, progress=progress)


def is_ip(
    hosts: ArrowColumn,
    *,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return whether each host is an IPv4 or IPv6 address in any spelling that browsers accept.

    An IPv6 address is in brackets, as in a URL. The arguments and errors are those of
    `canonicalize`.

    Spec: #concept-host-parser
    """
    return run(Task("is_ip", {}, errors), hosts, workers=workers, progress=progress)


def registrable_domain_of_host(
    hosts: ArrowColumn,
    *,
    private: bool = True,
    suffixes: PublicSuffixList | None = None,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the registrable domain of each host: "example.co.uk" for "www.Example.co.uk".

    The result is null for an address and for a public suffix. The arguments and errors are those of
    `registrable_domain`.

    Spec: #host-registrable-domain
    """
    options = {"suffixes": list_to_use(suffixes, private=private)}
    task = Task("registrable_domain_of_host", options, errors)
    return run(task, hosts, workers=workers, progress=progress)


def public_suffix(
    hosts: ArrowColumn,
    *,
    private: bool = True,
    suffixes: PublicSuffixList | None = None,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return the public suffix of each host: "co.uk" for "www.example.co.uk".

    The result is null for an address. The arguments and errors are those of `registrable_domain`.

    Spec: #host-public-suffix
    """
    options = {"suffixes": list_to_use(suffixes, private=private)}
    task = Task("public_suffix", options, errors)
    return run(task, hosts, workers=workers, progress=progress)


def subdomain(
    hosts: ArrowColumn,
    *,
    private: bool = True,
    suffixes: PublicSuffixList | None = None,
    errors: Errors = "null",
    workers: int = 1,
    progress: Progress | None = None,
) -> Column:
    """Return what comes before the registrable domain of each host: "www" for "www.example.co.uk".

    It is "" if nothing does. The result is null for a host without a registrable domain. The
    arguments and errors are those of `registrable_domain`.

    Spec: #host-registrable-domain
    """
    options = {"suffixes": list_to_use(suffixes, private=private)}
    return run(Task("subdomain", options, errors), hosts, workers=workers, progress=progress)
