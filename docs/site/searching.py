"""The words that people type into the search, and the pages that answer them first.

Sphinx finds only words that are on a page. People also type the words of other libraries, and look
for a task. So each page gets its words as keywords, which the index includes. If you type just
those words, the page comes first. For plain words, guides come before the reference.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

PAGES_FOR: Final[dict[str, tuple[str, ...]]] = {
    "10,000 hosts": ("block-lists", "policies"),
    "allowlist": ("policies", "block-lists"),
    "base url": ("values", "html"),
    "blacklist": ("block-lists", "policies"),
    "blocklist": ("block-lists", "policies"),
    "bulk": ("columns/index", "migrating"),
    "canonicalurlfield": ("models", "forms"),
    "change one query parameter": ("values", "recipes"),
    "clean url": ("keys", "values"),
    "cli": ("command-line", "columns/files"),
    "compare urls": ("keys", "values"),
    "crawler": ("columns/crawl", "fetching"),
    "csv": ("columns/files",),
    "dedupe": ("keys", "url-keys-in-django", "migrating"),
    "deduplicate": ("keys", "url-keys-in-django", "migrating"),
    "deny": ("block-lists", "policies"),
    "denylist": ("block-lists", "policies"),
    "domain": ("registrable-domains", "origins", "values"),
    "drf": ("integrations/rest-framework",),
    "duplicates": ("keys", "url-keys-in-django", "migrating"),
    "etld+1": ("registrable-domains", "origins"),
    "existing data": ("migrating",),
    "fastapi": ("integrations/pydantic", "values"),
    "get domain": ("registrable-domains", "values", "origins"),
    "get parameter": ("values", "querying"),
    "hide password": ("values", "recipes", "security"),
    "hide token": ("values", "recipes"),
    "hostname": ("values", "querying", "conventions"),
    "httpx": ("fetching", "coming-from/httpx"),
    "idn": ("rendering", "conformance"),
    "install": ("quickstart",),
    "line numbers": ("command-line", "columns/files"),
    "linkify": ("text", "templates"),
    "mask": ("values", "recipes", "security"),
    "max size": ("fetching", "field-options"),
    "missing scheme": ("typed-spelling", "forms"),
    "modelform unique owner": ("forms", "models"),
    "netloc": ("coming-from/urllib.parse", "values"),
    "normalise": ("values", "keys", "migrating"),
    "normalise url": ("values", "keys", "migrating"),
    "normalize": ("values", "keys", "migrating"),
    "normalize url": ("values", "keys", "migrating"),
    "open redirect": ("redirects", "security"),
    "phishing": ("rendering", "security"),
    "private ip": ("policies", "fetching"),
    "punycode": ("rendering", "conformance"),
    "query string": ("values", "querying"),
    "querystring": ("values", "querying"),
    "relative url": ("values", "models"),
    "remove query parameter": ("values", "recipes"),
    "resolve relative url": ("values", "html"),
    "revert migration": ("migrating",),
    "rollback": ("migrating",),
    "secrets": ("values", "recipes", "security"),
    "serializer": ("integrations/rest-framework",),
    "slug": ("values", "recipes"),
    "speed": ("performance", "benchmarks"),
    "ssrf": ("fetching", "policies", "security"),
    "strip utm": ("keys", "recipes"),
    "subdomain": ("querying", "registrable-domains"),
    "subdomains": ("querying", "registrable-domains", "block-lists"),
    "tld": ("registrable-domains", "origins"),
    "tldextract": ("registrable-domains", "origins"),
    "tracking": ("keys", "recipes"),
    "unique": ("models", "url-keys-in-django"),
    "unique per user": ("forms", "models", "url-keys-in-django"),
    "unique together": ("forms", "models", "url-keys-in-django"),
    "urljoin": ("values", "coming-from/urllib.parse"),
    "urlparse": ("coming-from/urllib.parse", "values"),
    "utm": ("keys", "recipes"),
    "utm_source": ("keys", "querying", "recipes"),
    "validate url": ("forms", "validation-errors"),
    "validation error": ("validation-errors", "forms"),
    "whitelist": ("policies", "block-lists"),
    "without password": ("values", "recipes", "security"),
}
"""What people type, in lowercase, and the pages that answer it, the best first."""

# Sphinx's own scores, and `score`, which Sphinx calls with each result. Only the page itself comes
# first, not each of its sections. A query with more words than a phrase of the table gets the pages
# of the longest one in it. What is named by just the words stays high in the reference, except for
# a module.
_SCORER: Final = """
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  pagesFor: %s,
  score: ([page, , anchor, , score]) => {
    const typed = (new URLSearchParams(window.location.search).get("q") ?? "").trim();
    const words = typed.toLowerCase().split(/\\s+/);
    const phrase = Scorer.phraseIn(words);
    const place = anchor || !phrase ? -1 : Scorer.pagesFor[phrase].indexOf(page);
    if (place >= 0) return 1000 - place;
    const name = anchor && !anchor.startsWith("#module-") ? anchor.toLowerCase() : "";
    const isNamed = words.length === 1 && name.endsWith("." + words[0]);
    const isPlain = /^[\\w\\s+,-]+$/.test(typed) && !isNamed;
    return isPlain && page.startsWith("reference/") ? score - 100 : score;
  },
  phraseIn: (words) => {
    const whole = words.join(" ");
    if (Object.hasOwn(Scorer.pagesFor, whole)) return whole;
    return Object.keys(Scorer.pagesFor)
      .filter((phrase) => phrase.split(" ").every((word) => words.includes(word)))
      .sort((one, other) => other.length - one.length)[0];
  },
};
"""


def with_keywords(text: str, page: str) -> str:
    """Return the text of a page with its keywords, which Sphinx puts into the index."""
    phrases = [words for words, pages in PAGES_FOR.items() if page in pages]
    if not phrases:
        return text
    # Sphinx looks for single words, and for no numbers.
    found = {word for word in re.findall(r"\w+", " ".join(phrases)) if not word.isdigit()}
    words = ", ".join(sorted(found))
    return f"---\nmyst:\n  html_meta:\n    keywords: {words}\n---\n\n{text}"


def write_scorer(path: Path) -> None:
    """Write the script with which the search of the site puts pages first."""
    path.write_text(_SCORER % json.dumps(PAGES_FOR), encoding="utf-8")
