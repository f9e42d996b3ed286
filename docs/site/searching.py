"""The words that people type into the search, and the pages that answer them first.

Sphinx finds only words that are on a page. People also type the words of other libraries, and look
for a task. So each page gets its words as keywords, which the index includes. If you type just
those words, the page comes first.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

PAGES_FOR: Final[dict[str, tuple[str, ...]]] = {
    "allowlist": ("policies", "block-lists"),
    "base url": ("values", "html"),
    "blacklist": ("block-lists", "policies"),
    "blocklist": ("block-lists", "policies"),
    "bulk": ("columns/index", "migrating"),
    "canonicalurlfield": ("models", "forms"),
    "clean url": ("keys", "values"),
    "compare urls": ("keys", "values"),
    "crawler": ("columns/crawl", "fetching"),
    "csv": ("columns/files",),
    "dedupe": ("keys", "url-keys-in-django", "migrating"),
    "deny": ("block-lists", "policies"),
    "denylist": ("block-lists", "policies"),
    "domain": ("registrable-domains", "origins", "values"),
    "duplicates": ("keys", "url-keys-in-django", "migrating"),
    "fastapi": ("integrations/pydantic", "values"),
    "get domain": ("registrable-domains", "values", "origins"),
    "get parameter": ("values", "querying"),
    "hostname": ("values", "querying", "conventions"),
    "idn": ("rendering", "conformance"),
    "install": ("quickstart",),
    "linkify": ("text", "templates"),
    "netloc": ("coming-from/urllib.parse", "values"),
    "normalize": ("values", "keys", "migrating"),
    "open redirect": ("redirects", "security"),
    "phishing": ("rendering", "security"),
    "private ip": ("policies", "fetching"),
    "punycode": ("rendering", "conformance"),
    "query string": ("values", "querying"),
    "querystring": ("values", "querying"),
    "relative url": ("values", "models"),
    "slug": ("values", "recipes"),
    "speed": ("performance", "benchmarks"),
    "ssrf": ("fetching", "policies", "security"),
    "subdomain": ("querying", "registrable-domains"),
    "tld": ("registrable-domains", "origins"),
    "tldextract": ("registrable-domains", "origins"),
    "tracking": ("keys", "recipes"),
    "unique": ("models", "url-keys-in-django"),
    "urljoin": ("values", "coming-from/urllib.parse"),
    "urlparse": ("coming-from/urllib.parse", "values"),
    "utm": ("keys", "recipes"),
    "validation error": ("validation-errors", "forms"),
    "validate url": ("forms", "validation-errors"),
    "whitelist": ("policies", "block-lists"),
}
"""What people type, in lowercase, and the pages that answer it, the best first."""

# Sphinx's own scores, and `score`, which Sphinx calls with each result. Only the page itself comes
# first, not each of its sections.
_SCORER: Final = """
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  pagesFor: %s,
  score: ([page, , anchor, , score]) => {
    const query = new URLSearchParams(window.location.search).get("q") ?? "";
    const pages = Scorer.pagesFor[query.trim().toLowerCase().replace(/\\s+/g, " ")] ?? [];
    const place = anchor ? -1 : pages.indexOf(page);
    return place < 0 ? score : 1000 - place;
  },
};
"""


def with_keywords(text: str, page: str) -> str:
    """Return the text of a page with its keywords, which Sphinx puts into the index."""
    phrases = [words for words, pages in PAGES_FOR.items() if page in pages]
    if not phrases:
        return text
    words = ", ".join(sorted(set(" ".join(phrases).split())))  # Sphinx looks for single words
    return f"---\nmyst:\n  html_meta:\n    keywords: {words}\n---\n\n{text}"


def write_scorer(path: Path) -> None:
    """Write the script with which the search of the site puts pages first."""
    path.write_text(_SCORER % json.dumps(PAGES_FOR), encoding="utf-8")
