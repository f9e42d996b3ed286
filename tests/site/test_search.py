"""What the search of the site finds: the scripts of the site run in Node, as in a browser."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from docs.site.searching import PAGES_FOR
from tests.site.built import SITE

WANTED: Final = {
    "deny": "block-lists",
    "denylist": "block-lists",
    "deny list": "block-lists",
    "blocklist": "block-lists",
    "block list": "block-lists",
    "blacklist": "block-lists",
    "allowlist": "policies",
    "whitelist": "policies",
    "domain": "registrable-domains",
    "get domain": "registrable-domains",
    "netloc": "coming-from/urllib.parse",
    "urlparse": "coming-from/urllib.parse",
    "hostname": "values",
    "slug": "values",
    "normalize": "keys",
    "dedupe": "keys",
    "tracking": "keys",
    "utm": "keys",
    "clean url": "keys",
    "Query String": "values",
    "urljoin": "values",
    "ssrf": "fetching",
    "open redirect": "redirects",
    "fastapi": "tutorial-link-checker",
    "punycode": "rendering",
    "linkify": "templates",
    "subdomain": "querying",
    "unique": "models",
    "CanonicalURLField": "models",
    "validation error": "validation-errors",
    "wagtail": "integrations/wagtail",
    "spark": "columns/spark",
    "command line": "command-line",
    "install": "quickstart",
    "strip utm": "keys",
    "strip utm from links": "keys",
    "etld+1": "registrable-domains",
    "10,000 hosts": "block-lists",
    "DRF": "integrations/rest-framework",
    "serializer": "integrations/rest-framework",
    "cli": "command-line",
    "httpx": "fetching",
    "httpx ssrf": "fetching",
    "subdomains": "querying",
    "utm_source": "querying",
    "rollback": "migrating",
    "revert migration": "migrating",
    "existing data": "migrating",
    "unique per user": "forms",
    "ModelForm unique owner": "forms",
    "hide token": "values",
    "without password": "values",
    "missing scheme": "typed-spelling",
    "normalise url": "values",
    "normalize dirty links": "columns/index",
    "outgoing links": "html",
    "links of a page": "html",
    "extract links html": "html",
    "external links": "html",
    "regex denial of service": "patterns",
    "URLPattern": "patterns",
    "match url pattern id": "patterns",
    "same site without scheme": "origins",
    "url without scheme": "forms",
    "default scheme": "values",
    "localhost:8080": "values",
    "show url to people": "rendering",
    "show untrusted link": "rendering",
    "fetch url safely": "fetching",
    "InvalidURL": "fetching",
    "undo migration": "migrating",
    "reverse migration": "migrating",
    "merge duplicates foreign keys": "migrating",
    "DRF filter query parameter": "integrations/django-filter",
    "external link warning": "rendering",
    "interstitial": "rendering",
    "leaving page": "rendering",
    "spoof": "rendering",
    "deceptive": "rendering",
    "block list admin": "block-lists",
    "has param": "querying",
    "query_params": "querying",
    "public link": "policies",
    "refused hosts": "policies",
    "refuse private addresses": "policies",
    "same page": "keys",
    "URL key": "keys",
    "find duplicate pages": "keys",
    "next parameter": "redirects",
    "one-to-one": "migrating",
    "API errors": "integrations/rest-framework",
    "unique set": "forms",
}
"""What people type, and a page that must be among the first three."""


NAMED: Final = {
    "CanonicalURLField": "reference/django_whatwg_url.fields",
    "weburl.fetching.httpx": "reference/weburl.fetching.httpx",
    "webhook": "reference/weburl-policies-and-readings",
}
"""Names in the code, which people type as they are, and the page of the reference."""


LACKING: Final = ("loopback doctest spark", "loopback doctest xyzzy")
"""No page has all words of these."""

UNDONE: Final = ("revert migrations", "undoing migrations", "undo the migration")
"""Other words for a phrase of the table."""


@functools.cache
def found() -> dict[str, list[str]]:
    """Return the pages that the site's own scripts find for each query, the best first."""
    node = shutil.which("node")
    if node is None:
        assert "CI" not in os.environ, "CI must have Node"
        pytest.skip("There is no Node here to run the search of the site.")
    script = Path(__file__).with_name("search.mjs")
    queries = list(dict.fromkeys([*WANTED, *PAGES_FOR, *NAMED, "loopback", *LACKING, *UNDONE]))
    command = [node, str(script), str(SITE)]
    run = subprocess.run(
        command, input="\n".join(queries), capture_output=True, text=True, check=True
    )
    answers = [list(dict.fromkeys(json.loads(line))) for line in run.stdout.splitlines()]
    return dict(zip(queries, answers, strict=True))


@pytest.mark.parametrize(("query", "page"), WANTED.items())
def test_the_right_page_is_among_the_first_three(query: str, page: str) -> None:
    """People type a word of theirs, and see the page that answers it without scrolling."""
    assert page in found()[query][:3]


@pytest.mark.parametrize(("words", "pages"), PAGES_FOR.items())
def test_the_pages_of_the_table_come_first(words: str, pages: tuple[str, ...]) -> None:
    """They exist, and are in the order of the table."""
    assert tuple(found()[words][: len(pages)]) == pages


@pytest.mark.parametrize(("name", "page"), NAMED.items())
def test_a_name_in_the_code_finds_its_reference(name: str, page: str) -> None:
    """Guides do not push it down."""
    assert page in found()[name][:5]


def test_guides_come_before_the_reference_for_a_plain_word() -> None:
    """Also for a word that the table does not have."""
    assert "loopback" not in PAGES_FOR
    in_reference = [page.startswith("reference/") for page in found()["loopback"]]
    assert in_reference == sorted(in_reference) and len(set(in_reference)) == 2


@pytest.mark.parametrize("query", LACKING)
def test_pages_with_most_of_the_words_are_found(query: str) -> None:
    """No page has all words, or one of them is in no page."""
    assert found()[query]


@pytest.mark.parametrize("query", UNDONE)
def test_endings_and_words_that_mean_the_same_do_not_matter(query: str) -> None:
    """The table has only one of them."""
    assert query not in PAGES_FOR
    assert found()[query][0] == "migrating"
