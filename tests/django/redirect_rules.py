"""Why `safe_redirect_url` and Django's own check differ on a target: a rule with a name, or None.

Where a browser goes is told by the literal state machine of `tests.reference`, on a page of each
scheme, and what Django saw by `urlsplit`, which it uses. Nothing here asks the project.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from unicodedata import category
from urllib.parse import urlsplit

from attrs import frozen

from tests.reference.machine import basic_url_parse
from tests.reference.outcomes import FAILURE, Failure
from tests.reference.records import ReferenceRecord

_PAGE: Final = "/a/b?q"


@frozen
class Case:
    """A target on the page /a/b?q of a ``host``, by a ``scheme`` that the server believes in."""

    target: str
    host: str
    scheme: str

    @property
    def other_scheme(self) -> str:
        """What the browser may have used instead, before a proxy."""
        return "http" if self.scheme == "https" else "https"

    def page(self, scheme: str) -> ReferenceRecord:
        """Return the page's URL with a scheme."""
        found = basic_url_parse(f"{scheme}://{self.host}{_PAGE}")
        assert isinstance(found, ReferenceRecord)
        return found

    def reading(self, scheme: str) -> ReferenceRecord | Failure:
        """Return where the target leads from a page of that scheme."""
        found = basic_url_parse(self.target, self.page(scheme))
        assert found is not None
        return found


def _is_own(case: Case, url: ReferenceRecord) -> bool:
    """Return whether ``url`` is on the host and port of the page, credentials aside."""
    return any(
        (url.scheme, url.host, url.port) == (page.scheme, page.host, page.port)
        for page in map(case.page, ("http", "https"))
    )


def is_safe(case: Case) -> bool:
    """Return whether a browser stays on the site, whatever the scheme of the page it is on."""
    readings = [case.reading(scheme) for scheme in (case.scheme, case.other_scheme)]
    return all(
        isinstance(url, ReferenceRecord) and _is_own(case, url) and not url.includes_credentials
        for url in readings
    )


def _variants(target: str) -> tuple[str, str]:
    stripped = target.strip()
    return stripped, stripped.replace("\\", "/")


# Django allows it, this package does not.


def is_no_url(case: Case) -> bool:
    """On a page of one scheme or of both, a browser makes nothing of it."""
    return FAILURE in (case.reading("http"), case.reading("https"))


def begins_unseen(case: Case) -> bool:
    """It begins with an invisible character, which Django and other programs remove."""
    first = case.target.lstrip(" \t\n\r")[:1]
    return first == "" or category(first)[0] in "CZ"


def leaves_the_site(case: Case) -> bool:
    """It has a line break between slashes, which only a browser removes, and so leaves the site."""
    readings = [case.reading(scheme) for scheme in ("http", "https")]
    return any(isinstance(url, ReferenceRecord) and not _is_own(case, url) for url in readings)


# This package allows it, Django does not.


def urlsplit_reads_no_url(case: Case) -> bool:
    """`urlsplit` raises ValueError, for a bracket in what is a path to a browser, say."""
    for text in _variants(case.target):
        try:
            urlsplit(text)
        except ValueError:
            return True
    return False


def own_host_is_spelt_otherwise(case: Case) -> bool:
    """What Django compares with the header, letter by letter, is not the same text."""
    return any(urlsplit(text).netloc not in ("", case.host) for text in _variants(case.target))


def has_many_slashes(case: Case) -> bool:
    """Three slashes or more before the host, which a browser reads as two."""
    text = case.target.replace("\\", "/").translate({9: None, 10: None, 13: None})
    return "///" in text


def urlsplit_finds_no_host(case: Case) -> bool:
    """A scheme and no host by `urlsplit`, to which a backslash is no slash."""
    return any(urlsplit(t).scheme and not urlsplit(t).netloc for t in _variants(case.target))


def has_no_scheme_of_its_own(case: Case) -> bool:
    """Two slashes and the host: Django takes the scheme for http, which is less than https."""
    return case.scheme == "https" and any(
        urlsplit(t).netloc and not urlsplit(t).scheme for t in _variants(case.target)
    )


ONLY_DJANGO: Final[tuple[Callable[[Case], bool], ...]] = (
    begins_unseen,
    is_no_url,
    leaves_the_site,
)
ONLY_OURS: Final[tuple[Callable[[Case], bool], ...]] = (
    urlsplit_reads_no_url,
    own_host_is_spelt_otherwise,
    has_many_slashes,
    urlsplit_finds_no_host,
    has_no_scheme_of_its_own,
)


def explained(case: Case, ours: bool, djangos: bool) -> str | None:
    """Return the name of the rule that explains a difference, or None where none does.

    That something is allowed which Django refuses is explained only if it is safe besides.
    """
    if ours and not is_safe(case):
        return None
    rules = ONLY_OURS if ours else ONLY_DJANGO
    assert ours != djangos
    return next((rule.__name__ for rule in rules if rule(case)), None)
