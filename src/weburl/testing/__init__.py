"""Hypothesis strategies for URLs, hosts, origins and sites, and for all kinds of text.

`values` has values, `spelling` has the ways to write a URL, and `texts` has text. The room needs
the package hypothesis (the extra ``testing``) but no test framework.
"""

from weburl.testing.spelling import spellings
from weburl.testing.texts import hostile_texts, invalid_url_texts, spelling_pairs, url_texts
from weburl.testing.values import hosts, origins, schemes_and_hosts, sites, tuple_origins, urls

__all__ = [
    "hostile_texts",
    "hosts",
    "invalid_url_texts",
    "origins",
    "schemes_and_hosts",
    "sites",
    "spelling_pairs",
    "spellings",
    "tuple_origins",
    "url_texts",
    "urls",
]
