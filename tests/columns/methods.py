"""The methods of a library's columns, each with what it has to give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tests.columns.scalars import (
    FUNCTIONS,
    HOSTS,
    OF_TEXT,
    PATTERN,
    POLICY,
    as_map,
    expected,
    failure,
    parts,
    record_or_none,
    same_site,
    value_of_param,
)
from tests.corpus import THOROUGH, corpus
from tests.wpt import load_cases
from weburl.standard.infra.strings import to_scalar_value_string

Method = Callable[[Any], Any]
Rows = Sequence[str | None]

PARTS: Final = (
    "scheme",
    "username",
    "password",
    "host_kind",
    "port",
    "path",
    "query",
    "fragment",
)


def _part(name: str) -> Method:
    return lambda urls: urls.part(name)


# By the names in `scalars.FUNCTIONS`; each is called on a namespace or accessor.
METHODS: Final[dict[str, Method]] = {
    "canonicalize": lambda urls: urls.canonicalize(),
    "can_parse": lambda urls: urls.can_parse(),
    "check": lambda urls: urls.check(),
    "parse": lambda urls: urls.parse(),
    "host": lambda urls: urls.host(),
    "origin": lambda urls: urls.origin(),
    "registrable_domain": lambda urls: urls.registrable_domain(),
    "without private": lambda urls: urls.registrable_domain(private=False),
    "site": lambda urls: urls.site(),
    "render": lambda urls: urls.render(),
    "render in 20": lambda urls: urls.render(max_length=20, omit_scheme="https"),
    "search_param": lambda urls: urls.search_param("q"),
    "search_params": lambda urls: urls.search_params(),
    "matches": lambda urls: urls.matches(PATTERN),
    "in_host_list": lambda urls: urls.in_host_list(HOSTS),
    "host_in_host_list": lambda hosts: hosts.host_in_host_list(HOSTS),
    "allowed": lambda urls: urls.allowed(POLICY),
    "refusal": lambda urls: urls.refusal(POLICY),
    "path_segments": lambda urls: urls.path_segments(),
    "path_depth": lambda urls: urls.path_depth(),
    "file_name": lambda urls: urls.file_name(),
    "file_extension": lambda urls: urls.file_extension(),
    "canonical_host": lambda hosts: hosts.canonical_host(),
    "is_ip": lambda hosts: hosts.is_ip(),
    "registrable_domain_of_host": lambda hosts: hosts.registrable_domain_of_host(),
    "public_suffix": lambda hosts: hosts.public_suffix(),
    "subdomain": lambda hosts: hosts.subdomain(),
    "key": lambda urls: urls.key(),
    "key_hash": lambda urls: urls.key_hash(),
    "surt": lambda urls: urls.surt(),
    "without_query_params": lambda urls: urls.without_query_params("q", prefixes="utm_"),
    **{name: _part(name) for name in PARTS},
}

MethodOnBase = Callable[[Any, Any], Any]
ON_BASES: Final[dict[str, MethodOnBase]] = {
    "canonicalize": lambda urls, base: urls.canonicalize(base),
    "resolve": lambda urls, base: urls.resolve(base),
    "can_parse": lambda urls, base: urls.can_parse(base),
    "check": lambda urls, base: urls.check(base),
    "parse": lambda urls, base: urls.parse(base),
    "same_site": lambda urls, other: urls.same_site(other),
    "search_param": lambda urls, name: urls.search_param(name),
}


def scalars(texts: Rows) -> dict[str, list[Any]]:
    """Return what each method has to give for texts."""
    found = {name: expected(name, texts) for name in FUNCTIONS}
    for name, (_, of_text) in OF_TEXT.items():
        found[name] = [of_text(text) for text in texts]
    return found


def scalars_on_bases(texts: Rows, bases: Rows) -> dict[str, list[Any]]:
    """Return what each method that takes a base has to give for texts, each on its own base."""
    found: dict[str, list[Any]] = {name: [] for name in ON_BASES}
    for text, base in zip(texts, bases, strict=True):
        there = text is not None and base is not None
        record = record_or_none(text, base) if there else None
        href = None if record is None else record.href
        found["canonicalize"].append(href)
        found["resolve"].append(href)
        found["can_parse"].append(record is not None if there else None)
        found["check"].append(failure(text, base) if there else None)
        found["parse"].append(None if record is None else parts(record))
        found["same_site"].append(_of_both(same_site, text, base))
        found["search_param"].append(_of_both(value_of_param, text, base))
    return found


def _of_both(function: Callable[[str, str], Any], text: str | None, other: str | None) -> Any:
    return None if text is None or other is None else function(text, other)


def differences(
    got: Mapping[str, Rows], wanted: Mapping[str, Rows], texts: Rows
) -> list[tuple[str, str | None, Any, Any]]:
    """Return where answers are others than wanted: the method, the text, and both."""
    assert sorted(got) == sorted(wanted)
    return [
        (name, text, answer, want)
        for name, answers in got.items()
        for text, answer, want in zip(
            texts,
            [as_map(name, answer) for answer in answers],
            [as_map(name, want) for want in wanted[name]],
            strict=True,
        )
        if answer != want or type(answer) is not type(want)
    ]


def cases_of_web_platform_tests() -> tuple[list[str], list[str | None]]:
    """Return the texts of urltestdata, and the base of each."""
    cases = load_cases("urltestdata.json")
    assert len(cases) > 850
    return [case["input"] for case in cases], [case["base"] for case in cases]


def real_links() -> list[str]:
    """Return some of the corpus; all of it in `.ci/nightly`."""
    links = corpus() if THOROUGH else corpus()[::50]
    assert len(links) >= 100
    return links


def without_surrogates(texts: Sequence[str]) -> list[str]:
    """Return texts as Arrow and Polars can hold them."""
    return [to_scalar_value_string(text) for text in texts]
