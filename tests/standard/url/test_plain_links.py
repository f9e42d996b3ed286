"""Tests of `plain_links`, which finds links that have no errors."""

from __future__ import annotations

import weburl
from tests.corpus import corpus
from weburl.standard.infra.errors import ErrorList
from weburl.standard.url.parser import parse_url
from weburl.standard.url.record import frozen
from weburl.standard.url.writing import is_plain_link, is_valid_url_string


def check_plain(text: str) -> bool:
    """Return whether a link is plain, and assert that a plain link has no errors."""
    if not is_plain_link(text):
        return False
    errors = ErrorList(1)
    record = frozen(parse_url(text, None, "utf-8", errors))
    assert (record, errors.count, is_valid_url_string(text, None)) == (weburl.parse(text), 0, True)
    assert weburl.check(text) == weburl.Report(text, record, (), 0, is_valid_url_string=True)
    return True


def test_most_links_are_plain() -> None:
    """More than two thirds of the corpus are."""
    links = corpus()[::50]
    assert sum(map(check_plain, links)) > 2 * len(links) // 3
