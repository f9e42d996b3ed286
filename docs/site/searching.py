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
    "api errors": ("integrations/rest-framework", "validation-errors", "integrations/django-ninja"),
    "base url": ("values", "html"),
    "blacklist": ("block-lists", "policies"),
    "block list": ("block-lists", "policies"),
    "blocklist": ("block-lists", "policies"),
    "bulk": ("columns/index", "migrating"),
    "byte for byte": ("fetching", "which-field", "values"),
    "canonicalurlfield": ("models", "forms"),
    "change one query parameter": ("values", "recipes"),
    "clean url": ("keys", "values"),
    "cli": ("command-line", "columns/files"),
    "compare urls": ("keys", "values"),
    "crawler": ("columns/sql", "fetching"),
    "csv": ("columns/files",),
    "dedupe": ("keys", "url-keys-in-django", "migrating"),
    "deduplicate": ("keys", "url-keys-in-django", "migrating"),
    "default scheme": ("forms", "values", "field-options"),
    "deny": ("block-lists", "policies"),
    "denylist": ("block-lists", "policies"),
    "domain": ("registrable-domains", "origins", "values"),
    "drf": ("integrations/rest-framework",),
    "drf filter": ("integrations/django-filter", "querying", "integrations/rest-framework"),
    "duplicate pages": ("keys", "url-keys-in-django", "migrating"),
    "duplicates": ("keys", "url-keys-in-django", "migrating"),
    "etld+1": ("registrable-domains", "origins"),
    "existing data": ("migrating",),
    "external link warning": ("rendering", "templates"),
    "external links": ("html", "origins", "text"),
    "extract links": ("html", "text", "columns/sql"),
    "fastapi": ("tutorial-link-checker", "integrations/pydantic", "fetching"),
    "fetch": ("fetching", "fetching-reference", "policies"),
    "get domain": ("recipes", "registrable-domains", "values", "origins"),
    "get parameter": ("values", "querying"),
    "has param": ("querying", "lookups"),
    "hide password": ("values", "recipes", "security"),
    "hide token": ("values", "recipes"),
    "hostname": ("values", "querying", "conventions"),
    "httpx": ("fetching", "coming-from/index"),
    "idn": ("rendering", "conformance"),
    "install": ("quickstart",),
    "interstitial": ("rendering", "templates"),
    "invalidurl": ("fetching", "fetching-reference"),
    "leaving page": ("rendering", "templates"),
    "line numbers": ("command-line", "columns/files"),
    "linkify": ("text", "templates"),
    "links page": ("html", "columns/sql"),
    "localhost": ("values", "forms", "policies"),
    "mask": ("values", "recipes", "security"),
    "max size": ("fetching", "field-options"),
    "missing scheme": ("forms", "values", "which-field"),
    "modelform unique owner": ("forms", "models"),
    "netloc": ("coming-from/index", "values"),
    "next parameter": ("redirects",),
    "normalise": ("values", "keys", "migrating"),
    "normalise url": ("values", "keys", "migrating"),
    "normalize": ("values", "keys", "migrating"),
    "normalize links": ("columns/index", "canonicalize-urls", "command-line"),
    "normalize url": ("values", "keys", "migrating"),
    "one-to-one": ("migrating", "canonicalize-urls"),
    "open redirect": ("redirects", "security"),
    "phishing": ("rendering", "security"),
    "private addresses": ("policies", "policy-rules", "fetching"),
    "presigned": ("fetching",),
    "presigned url": ("fetching",),
    "private ip": ("policies", "fetching"),
    "public link": ("policies", "policy-rules"),
    "punycode": ("rendering", "conformance"),
    "query string": ("values", "querying"),
    "query_params": ("querying", "values"),
    "querystring": ("values", "querying"),
    "refused hosts": ("policies", "policy-rules", "block-lists"),
    "regex": ("patterns", "lookups"),
    "relative url": ("values", "models"),
    "remove query parameter": ("values", "recipes"),
    "resolve relative url": ("values", "html"),
    "revert migration": ("migrating",),
    "rollback": ("migrating",),
    "same page": ("keys", "url-keys-in-django"),
    "same site": ("origins", "registrable-domains"),
    "secrets": ("values", "recipes", "security"),
    "serializer": ("integrations/rest-framework",),
    "show link": ("rendering", "templates"),
    "show url": ("rendering", "templates"),
    "signature": ("fetching", "values"),
    "signed url": ("fetching", "values"),
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
    "unique set": ("forms", "integrations/rest-framework", "models"),
    "unique together": ("forms", "models", "url-keys-in-django"),
    "url key": ("keys", "url-keys-in-django"),
    "url pattern": ("patterns", "lookups"),
    "urljoin": ("values", "coming-from/index"),
    "urlparse": ("coming-from/index", "values"),
    "urlpattern": ("patterns", "reference/weburl-url-patterns"),
    "utm": ("keys", "recipes"),
    "utm_source": ("keys", "querying", "recipes"),
    "validate url": ("forms", "validation-errors"),
    "validation error": ("validation-errors", "forms"),
    "webhook": ("fetching", "policies"),
    "whitelist": ("policies", "block-lists"),
    "without password": ("values", "recipes", "security"),
}
"""What people type, in lowercase, and the pages that answer it, the best first."""

SAME: Final[tuple[tuple[str, ...], ...]] = (
    ("allowed", "permitted"),
    ("canonicalize", "normalize", "normalise", "dirty", "messy"),
    ("deceptive", "spoof", "spoofing", "homograph", "phishing", "misleading"),
    ("different", "differ"),
    ("display", "show"),
    ("duplicates", "duplicate", "dedupe", "deduplicate", "merge"),
    ("error", "exception"),
    ("external", "outgoing", "outbound"),
    ("fetch", "download", "request"),
    ("param", "params", "parameter", "parameters"),
    ("pattern", "route"),
    ("private", "internal"),
    ("refused", "denied", "forbidden"),
    ("regex", "regexp", "redos"),
    ("revert", "undo", "reverse", "rollback"),
    ("safe", "safely", "secure"),
    ("untrusted", "hostile", "strangers", "malicious"),
    ("without", "missing", "no"),
)
"""Words that mean the same to people who search. Their endings do not matter."""

ASIDE: Final = (
    *("architecture", "benchmarks", "changes", "conformance", "contents"),
    *("contributing", "glossary", "history", "performance"),
    *("reporting", "stability", "support", "trust"),
)
"""Pages about the project, and lists of everything: they have many words, and answer few."""

# Sphinx's own scores, and `score`, which Sphinx calls with each result. Only the page itself comes
# first, not each of its sections. A query with more words than a phrase of the table gets the pages
# of those with the most words in it. What is named by just the words stays high in the reference,
# except for a module.
#
# Sphinx finds only pages with all words, and a word counts the same in each query. Here it counts
# more if fewer pages have it, and half of the words are enough. If no page has half of them, those
# with most are found.
_SCORER: Final = """
var Scorer = {
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
  pagesFor: %s,
  same: %s,
  aside: %s,
  score: ([page, , anchor, , score]) => {
    const typed = Scorer.typed();
    const words = typed.toLowerCase().split(/\\s+/);
    const place = anchor ? -1 : Scorer.pages().indexOf(page);
    if (place >= 0) return 1000 - place;
    const name = anchor && !anchor.startsWith("#module-") ? anchor.toLowerCase() : "";
    const isNamed = words.length === 1 && name.endsWith("." + words[0]);
    const isPlain = /^[\\w\\s+,:-]+$/.test(typed) && !isNamed;
    if (Scorer.aside.includes(page)) return score / 2;
    return isPlain && page.startsWith("reference/") ? score - 100 : score;
  },
  typed: () => (new URLSearchParams(window.location.search).get("q") ?? "").trim(),
  // Sphinx asks for each result, so the answer is kept.
  pages: () => {
    const typed = Scorer.typed();
    if (Scorer.last?.typed !== typed) Scorer.last = { typed, pages: Scorer.pagesOf(typed) };
    return Scorer.last.pages;
  },
  pagesOf: (typed) => {
    const whole = typed.toLowerCase().split(/\\s+/).join(" ");
    if (Object.hasOwn(Scorer.pagesFor, whole)) return Scorer.pagesFor[whole];
    const words = Scorer.stems(whole);
    const phrases = Object.keys(Scorer.pagesFor)
      .filter((phrase) => Scorer.stems(phrase).every((word) => words.includes(word)));
    const length = (phrase) => phrase.split(" ").length;
    const most = Math.max(...phrases.map(length));
    const lists = phrases.filter((phrase) => length(phrase) === most)
      .map((phrase) => Scorer.pagesFor[phrase]);
    // The first page of each, then the second of each.
    return [0, 1, 2, 3].flatMap((place) => lists.flatMap((pages) => pages.slice(place, place + 1)));
  },
  // The words of a text without their endings, each as the first of those that mean the same.
  stems: (text) => text.split(/[\\s:]+/).filter((word) => word).map(
    (word) => Scorer.sameAs(Scorer.stem(word))[0]),
  stem: (word) => new Stemmer().stemWord(word),
  sameAs: (stem) => {
    Scorer.sameStems ??= new Map(
      Scorer.same.map((words) => words.map(Scorer.stem))
        .flatMap((stems) => stems.map((each) => [each, stems])));
    return Scorer.sameStems.get(stem) ?? [stem];
  },
  // Returns the pages with most of the words. `find` is Sphinx's search for all words.
  withMost: (find, words, excluded) => {
    const pages = new Map();
    for (const word of words) {
      const best = new Map();
      for (const same of Scorer.sameAs(word)) {
        for (const result of find(new Set([same]), excluded)) {
          const score = same === word ? result[4] : result[4] * 0.8;
          const [page] = result;
          if (!(best.get(page)?.[4] >= score)) best.set(page, result.with(4, score));
        }
      }
      const all = Search._index.docnames.length;
      const weight = Math.log(1 + all / best.size) / Math.log(1 + all) / words.size;
      for (const [page, result] of best) {
        const found = pages.get(page) ?? { result, count: 0, score: 0 };
        const score = found.score + weight * result[4];
        pages.set(page, { result, count: found.count + 1, score });
      }
    }
    const first = Scorer.pages();
    const most = Math.max(...[...pages.values()].map(({ count }) => count));
    const least = Math.min(words.size / 2, most);
    return [...pages.values()]
      .filter(({ result, count }) => count >= least || first.includes(result[0]))
      .map(({ result, score }) => result.with(4, score));
  },
};
// This script follows that of `Search`.
const findAll = Search.performTermsSearch;
Search.performTermsSearch = (words, excluded) => Scorer.withMost(findAll, words, excluded);
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
    tables = (json.dumps(PAGES_FOR), json.dumps(SAME), json.dumps(ASIDE))
    summary = (Path(__file__).parent / "summary.js").read_text(encoding="utf-8")
    path.write_text(_SCORER % tables + summary, encoding="utf-8")
