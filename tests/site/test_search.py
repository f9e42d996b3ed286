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
    "fastapi": "integrations/pydantic",
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
}
"""What people type, and a page that must be among the first three."""


NAMED: Final = {
    "CanonicalURLField": "reference/django_whatwg_url.fields",
    "weburl.fetching.httpx": "reference/weburl.fetching.httpx",
    "webhook": "reference/weburl-policies-and-readings",
}
"""Names in the code, which people type as they are, and the page of the reference."""


@functools.cache
def found() -> dict[str, list[str]]:
    """Return the pages that the site's own scripts find for each query, the best first."""
    node = shutil.which("node")
    if node is None:
        assert "CI" not in os.environ, "CI must have Node"
        pytest.skip("There is no Node here to run the search of the site.")
    script = Path(__file__).with_name("search.mjs")
    queries = list(dict.fromkeys([*WANTED, *PAGES_FOR, *NAMED, "loopback"]))
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
