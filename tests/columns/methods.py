"""The methods of a library's columns, each with what it has to give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import methodcaller
from typing import Any, Final

from tests.columns.scalars import (
    FUNCTIONS,
    HOSTS,
    NAMES,
    OF_TEXT,
    PATTERN,
    POLICY,
    as_map,
    expected,
)
from tests.columns.scalars import ON_BASES as SCALARS_ON_BASES
from tests.corpus import THOROUGH, corpus
from tests.wpt import load_cases
from weburl import URLParseError
from weburl.columns.options import PARTS
from weburl.standard.infra.strings import to_scalar_value_string

Method = Callable[[Any], Any]
Rows = Sequence[str | None]

_OTHERS: Final = {"without private", "render in 20", *PARTS} - {"host"}

# By the names in `scalars.FUNCTIONS`; each is called on a namespace or accessor.
METHODS: Final[dict[str, Method]] = {
    **{name: methodcaller(name) for name in (*FUNCTIONS, *OF_TEXT) if name not in _OTHERS},
    **{name: methodcaller("part", name) for name in PARTS if name != "host"},
    "without private": methodcaller("registrable_domain", private=False),
    "render in 20": methodcaller("render", max_length=20, omit_scheme="https"),
    "search_param": methodcaller("search_param", "q"),
    "matches": methodcaller("matches", PATTERN),
    "in_host_list": methodcaller("in_host_list", HOSTS),
    "lookalikes": methodcaller("lookalikes", NAMES),
    "host_in_host_list": methodcaller("host_in_host_list", HOSTS),
    "allowed": methodcaller("allowed", POLICY),
    "refusal": methodcaller("refusal", POLICY),
    "without_query_params": methodcaller("without_query_params", "q", prefixes="utm_"),
}

MethodOnBase = Callable[[Any, Any], Any]


def _on_base(name: str) -> MethodOnBase:
    return lambda urls, base: getattr(urls, name)(base)


ON_BASES: Final[dict[str, MethodOnBase]] = {
    name: _on_base(name) for name in SCALARS_ON_BASES if name != "matches"
}


WRONG_OPTIONS: Final[list[tuple[str, tuple[Any, ...], dict[str, Any], type[Exception]]]] = [
    ("host", (), {"errors": "ignore"}, ValueError),
    ("part", ("hash",), {}, ValueError),
    ("render", (), {"max_length": 0}, ValueError),
    ("render", (), {"only": "nothing"}, ValueError),
    ("search_param", (1,), {}, TypeError),
    ("site", (), {"suffixes": "com"}, TypeError),
    ("site", (), {"suffixes": ""}, TypeError),
    ("resolve", (None,), {}, TypeError),
    ("resolve", (1,), {}, TypeError),
    ("resolve", (["https://a"],), {}, TypeError),
    ("resolve", ("nope",), {}, URLParseError),
    ("canonicalize", ("nope",), {}, URLParseError),
]
"""A function, arguments and options that mean nothing to it, and the error that says so."""


def scalars(texts: Rows) -> dict[str, list[Any]]:
    """Return what each method has to give for texts."""
    found = {name: expected(name, texts) for name in FUNCTIONS}
    for name, (_, of_text) in OF_TEXT.items():
        found[name] = [of_text(text) for text in texts]
    return found


def scalars_on_bases(texts: Rows, bases: Rows) -> dict[str, list[Any]]:
    """Return what each method that takes a base has to give for texts, each on its own base."""
    return {
        name: [
            None if text is None or base is None else SCALARS_ON_BASES[name][1](text, base)
            for text, base in zip(texts, bases, strict=True)
        ]
        for name in ON_BASES
    }


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
