"""The Public Suffix List that a function of the room uses."""

from __future__ import annotations

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
