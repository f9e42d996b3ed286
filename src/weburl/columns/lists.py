"""The values that functions of the room need: lists of suffixes and of hosts, and policies."""

from __future__ import annotations

from weburl.policies.host_list import HostList
from weburl.public_suffix import PublicSuffixList, current_list, packaged_list


def list_to_use(suffixes: PublicSuffixList | None, *, private: bool) -> PublicSuffixList:
    """Return the list to use, the current one for None.

    Raises the errors of `weburl.columns.registrable_domain`.
    """
    found = current_list() if suffixes is None else suffixes
    if not isinstance(found, PublicSuffixList):
        raise TypeError(f"suffixes must be a PublicSuffixList, not {type(found).__name__}")
    if private:
        return found
    if found != packaged_list():
        raise ValueError(
            "private=False works only with the package's list: make your own list without its"
            " private section, with weburl.public_suffix.parse_list(text, private=False)"
        )
    return packaged_list(private=False)


def require_host_list(hosts: object) -> HostList:
    """Return ``hosts`` if it is a list of hosts. Raises TypeError otherwise."""
    if not isinstance(hosts, HostList):
        raise TypeError(
            f"the hosts must be a weburl.HostList, not {type(hosts).__name__}: write"
            f" HostList(hosts), or HostList.read(path)"
        )
    return hosts
