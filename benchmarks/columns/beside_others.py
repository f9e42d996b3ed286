"""What data engineers use today, beside `weburl.columns` in one run.

``make bench-column-peers`` runs ``python -m benchmarks.columns.beside_others``, which prints
the tables of docs/columns/performance.md: what each takes for four jobs, and how many of its
answers are others than ours. Libraries that are not installed are left out. No test measures time.

All take turns in one process, and the least time of each counts, so that what else the machine does
falls on all alike. Each is given the texts in the form that it works on, and making that is not
charged.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from benchmarks.columns.contenders import HOST_IN_DUCKDB, duckdb_query, loop_over
from benchmarks.columns.measuring import core_seconds
from benchmarks.columns.rows import made_rows
from benchmarks.columns.spark import session
from benchmarks.inputs import corpus_path, unique_links
from benchmarks.measured import say
from benchmarks.table import table
from weburl import canonicalize
from weburl.standard.infra.build import COMPILED
from weburl.standard.url.api import can_parse

Answers = list[str | None]

OURS: Final = "weburl.columns"
ROWS: Final = 100_000
ROUNDS: Final = 5
CANONICAL: Final = "canonical URL"
SEARCH_PARAM: Final = "search param"
JOBS: Final = ("host", "registrable domain", CANONICAL, SEARCH_PARAM)
PARAM: Final = "id"

_DISTRIBUTIONS: Final = (
    "can-ada", "courlan", "duckdb", "pandas", "polars", "polars-tldextract", "pyarrow", "pyspark",
    "tldextract", "w3lib",
)  # fmt: skip


@frozen
class Peer:
    """One way to do one job.

    Args:
        who: what the tables call it.
        job: one of `JOBS`.
        make: returns the function that does the work, of which only the calls are timed.
        give: makes texts into what the work takes.
        answers: makes what the work returns into a list.
        needs: the modules that must be installed.
        private: whether it counts the private domains of the Public Suffix List. Ours can do both.
    """

    who: str
    job: str
    make: Callable[[], Callable[[Any], Any]]
    give: Callable[[Sequence[str]], Any]
    answers: Callable[[Any], Iterable[Any]]
    needs: tuple[str, ...] = ()
    private: bool = True

    @property
    def name(self) -> str:
        """Who does what."""
        return f"{self.job}: {self.who}"

    @property
    def is_installed(self) -> bool:
        """Whether all that it needs can be imported."""
        return all(find_spec(module) is not None for module in self.needs)

    def answer(self, texts: Sequence[str]) -> Answers:
        """Return its answers. Nothing is null, whether it says so or returns an empty text."""
        return [found or None for found in self.answers(self.make()(self.give(texts)))]


@frozen
class Taken:
    """What one took, and how many of its answers are others than ours.

    Args:
        seconds: the processor time for all rows, the least of some rounds.
        links: of so many answers for real links, so many differ.
        rows: the same for the rows.
        pages: of the answers for the rows, so many are not even another spelling of ours; None
            where an answer is not a URL.
    """

    seconds: float
    links: tuple[int, int]
    rows: tuple[int, int]
    pages: int | None


# --- who ----------------------------------------------------------------------------------------


def _arrow(texts: Sequence[str]) -> Any:
    import pyarrow as pa

    return pa.array(texts, pa.string())


def _to_list(array: Any) -> list[Any]:
    answers: list[Any] = array.to_pylist()
    return answers


def ours(job: str, *, private: bool = True) -> Peer:
    """Return `weburl.columns` doing a job."""

    def make() -> Callable[[Any], Any]:
        from weburl import columns

        works: dict[str, Callable[[Any], Any]] = {
            "host": columns.host,
            "registrable domain": partial(columns.registrable_domain, private=private),
            CANONICAL: columns.canonicalize,
            SEARCH_PARAM: lambda array: columns.search_param(array, PARAM),
        }
        return works[job]

    return Peer(OURS, job, make, _arrow, _to_list, ("pyarrow",), private)


_SCHEME: Final = r"^[A-Za-z][A-Za-z0-9+.\-]*://"
_LAST_LABELS: Final = r"(?:[^/?#@]*@)?(?:[^:/?#]*\.)?([^.:/?#]+\.[^.:/?#]+)(?:[:/?#]|$)"
_DUCKDB: Final = {
    "host": HOST_IN_DUCKDB,
    # Two labels, as people write it who have no list of suffixes.
    "registrable domain": f"nullif(lower(regexp_extract(url, '{_SCHEME}{_LAST_LABELS}', 1)), '')",
    SEARCH_PARAM: f"nullif(regexp_extract(url, '[?&]{PARAM}=([^&#]*)', 1), '')",
}
_SPARK: Final = {
    "host": "try_parse_url(url, 'HOST')",
    SEARCH_PARAM: f"try_parse_url(url, 'QUERY', '{PARAM}')",
}


@frozen
class _Loop:
    """Code for one text ``s``: what makes its names, and what it raises for a text it rejects."""

    who: str
    job: str
    setup: str
    code: str
    needs: tuple[str, ...]
    in_pandas: bool = False
    private: bool = True


_URLSPLIT: Final = "from urllib.parse import parse_qs, urlsplit"
_TLDEXTRACT: Final = (
    # The list in the package: none is fetched.
    "from tldextract import TLDExtract; "
    "extract = TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)"
)
_LOOPS: Final = (
    # IPv6 addresses are given back their brackets, so that a mere spelling is not counted.
    _Loop("pandas, urllib", "host", _URLSPLIT,
          "h if (h := urlsplit(s).hostname) is None or ':' not in h else f'[{h}]'",
          ("pandas",), in_pandas=True),
    _Loop("pandas, urllib", CANONICAL, _URLSPLIT, "urlsplit(s).geturl()",
          ("pandas",), in_pandas=True),
    _Loop("pandas, urllib", SEARCH_PARAM, _URLSPLIT,
          f"parse_qs(urlsplit(s).query).get('{PARAM}', (None,))[0]", ("pandas",), in_pandas=True),
    _Loop("pandas, tldextract", "registrable domain", _TLDEXTRACT,
          "extract(s).top_domain_under_public_suffix", ("pandas", "tldextract"), in_pandas=True),
    _Loop("can_ada", "host", "from can_ada import parse", "parse(s).hostname", ("can_ada",)),
    _Loop("can_ada", CANONICAL, "from can_ada import parse", "parse(s).href", ("can_ada",)),
    _Loop("can_ada", SEARCH_PARAM, "from can_ada import URLSearchParams, parse",
          f"URLSearchParams(parse(s).search).get('{PARAM}')", ("can_ada",)),
    _Loop("courlan, extract_domain", "registrable domain", "from courlan import extract_domain",
          "extract_domain(s)", ("courlan",), private=False),
    _Loop("courlan, normalize_url", CANONICAL, "from courlan import normalize_url",
          "normalize_url(s)", ("courlan",)),
    _Loop("w3lib, safe_url_string", CANONICAL, "from w3lib.url import safe_url_string",
          "safe_url_string(s)", ("w3lib",)),
    _Loop("w3lib, canonicalize_url", CANONICAL, "from w3lib.url import canonicalize_url",
          "canonicalize_url(s, keep_fragments=True)", ("w3lib",)),
    _Loop("w3lib, url_query_parameter", SEARCH_PARAM, "from w3lib.url import url_query_parameter",
          f"url_query_parameter(s, '{PARAM}')", ("w3lib",)),
)  # fmt: skip


def peers() -> list[Peer]:
    """Return everyone, installed or not."""
    made = [
        Peer("DuckDB, a regular expression", job, partial(duckdb_query, expression), _arrow,
             _to_list, ("duckdb", "pyarrow"), private=False)
        for job, expression in _DUCKDB.items()
    ]  # fmt: skip
    for job, name in (("host", "fqdn"), ("registrable domain", "registrable_domain")):
        made.append(
            Peer("polars-tldextract", job, partial(_polars_tldextract, name), _polars, list,
                 ("polars", "polars_tldextract"))
        )  # fmt: skip
    made += [
        Peer("Spark, try_parse_url", job, partial(_spark_work, expression), _spark_rows,
             partial(_spark_answers, expression), ("pyspark", "pyarrow"))
        for job, expression in _SPARK.items()
    ]  # fmt: skip
    for one in _LOOPS:
        give, answers = (_series, _of_series) if one.in_pandas else (list, list)
        made.append(
            Peer(one.who, one.job, partial(_loop_work, one), give, answers, one.needs, one.private)
        )
    return made


def _loop_work(one: _Loop) -> Callable[[Any], Any]:
    # A library may raise whatever it likes: then it has no answer.
    if not one.in_pandas:
        return loop_over(one.code, one.setup, "Exception")
    namespace: dict[str, Any] = {}
    source = f"def of_text(s):\n try:\n  return {one.code}\n except Exception:\n  return None"
    exec(f"{one.setup}\n{source}", namespace)
    return lambda series: series.map(namespace["of_text"])


def _series(texts: Sequence[str]) -> Any:
    import pandas as pd

    return pd.Series(texts, dtype=object)


def _of_series(series: Any) -> list[Any]:
    """Return the values, with None for what pandas has in its place."""
    values: list[Any] = series.astype(object).where(series.notna(), None).to_list()
    return values


def _polars(texts: Sequence[str]) -> Any:
    import polars as pl

    return pl.DataFrame({"url": texts})


def _polars_tldextract(name: str) -> Callable[[Any], Any]:
    import polars_tldextract

    options = {} if name == "fqdn" else {"include_private": True}
    expression = getattr(polars_tldextract, name)("url", parallel=False, **options)
    return lambda frame: frame.select(expression).to_series()


def _spark_rows(texts: Sequence[str]) -> Any:
    """Return a cached frame, so that reading a file is not charged."""
    import pyarrow as pa

    numbered = pa.table({"row": range(len(texts)), "url": _arrow(texts)})
    frame = session(1).createDataFrame(numbered).cache()
    frame.count()
    return frame


def _spark_work(expression: str) -> Callable[[Any], Any]:
    def work(frame: Any) -> Any:
        # Texts are looked at, or Spark would leave out what makes them.
        frame.selectExpr(f"sum(length({expression}))").collect()
        return frame

    return work


def _spark_answers(expression: str, frame: Any) -> list[Any]:
    return [
        row.answer for row in frame.orderBy("row").selectExpr(f"{expression} AS answer").collect()
    ]


# --- what they take, and what they answer -------------------------------------------------------


def measure(links: Sequence[str], count: int, rounds: int, only: str = "") -> dict[str, Taken]:
    """Return what each took, by its name, ours of a job first."""
    rows = made_rows(links, 0, count)
    found: dict[str, Taken] = {}
    for job in JOBS:
        everyone = [ours(job), *(one for one in peers() if one.job == job and one.is_installed)]
        everyone = [one for one in everyone if one.who == OURS or only in one.name]
        least = least_times(everyone, rows, rounds)
        right = {
            private: (ours(job, private=private).answer(links),
                      ours(job, private=private).answer(rows))
            for private in (True, False)
        }  # fmt: skip
        for one, seconds in zip(everyone, least, strict=True):
            of_links, of_rows = right[one.private]
            answers = one.answer(rows)
            found[one.name] = Taken(
                seconds,
                (differing(one.answer(links), of_links), len(links)),
                (differing(answers, of_rows), len(rows)),
                other_urls(answers, of_rows) if job == CANONICAL else None,
            )
            say(f"{one.name}: {found[one.name]}")
    return found


def least_times(everyone: Sequence[Peer], rows: Sequence[str], rounds: int) -> list[float]:
    """Return the least processor time of each, Java's included, of rounds where all take turns."""
    works = [(one.make(), one.give(rows)) for one in everyone]
    least = [float("inf")] * len(works)
    for _ in range(rounds):
        for at, (work, given) in enumerate(works):
            gc.collect()
            started = core_seconds()
            work(given)
            least[at] = min(least[at], core_seconds() - started)
    return least


def differing(answers: Answers, right: Answers) -> int:
    """Return how many answers are not ours."""
    return sum(1 for own, other in zip(answers, right, strict=True) if own != other)


def other_urls(answers: Answers, right: Answers) -> int:
    """Return how many answers a browser takes for another URL than ours, or for none."""
    return differing([_as_browsers_read(answer) for answer in answers], right)


def _as_browsers_read(answer: str | None) -> str | None:
    return None if answer is None or not can_parse(answer) else canonicalize(answer)


EXAMPLES: Final = {
    "DuckDB, a regular expression": (
        ("host", r"https:\\www.example.com\a"),
        ("registrable domain", "https://www.example.co.uk/"),
        (SEARCH_PARAM, "https://example.com/?id=a%20b+c"),
    ),
    "polars-tldextract": (
        ("host", "HTTPS://WWW.Example.COM/"),
        ("registrable domain", "https://www.bücher.com/"),
        ("registrable domain", "mailto:someone@example.com"),
    ),
    "Spark, try_parse_url": (
        ("host", "https://my_shop.example.com/"),
        ("host", "https://example.com/a b"),
        (SEARCH_PARAM, "https://example.com/?id=a%20b+c"),
    ),
    "pandas, urllib": (
        ("host", "http://0x7f.1/"),
        (CANONICAL, "https://example.com:443/a/../b"),
        (SEARCH_PARAM, "http://example.com:99999/?id=1"),
    ),
    "pandas, tldextract": (
        ("registrable domain", "HTTPS://WWW.Example.COM/"),
        ("registrable domain", "https://www.bücher.com/"),
        ("registrable domain", "www.example.com/a"),
    ),
    "can_ada": (
        ("host", "https://xn--a.com/"),
        (CANONICAL, "https://example.com/^a"),
        (SEARCH_PARAM, "https://example.com/?id=%FF"),
    ),
    "courlan, extract_domain": (
        ("registrable domain", "https://www.bücher.com/"),
        ("registrable domain", "https://co.uk/"),
        ("registrable domain", "https://www.ex%2Fample.com/"),
    ),
    "courlan, normalize_url": (
        (CANONICAL, "https://example.com/a/../b"),
        (CANONICAL, "https://example.com/?utm_source=x&a="),
        (CANONICAL, "https://example.com/?a=%FC"),
    ),
    "w3lib, safe_url_string": (
        (CANONICAL, "https://example.com:443/a/../b"),
        (CANONICAL, "http://0x7f.1/"),
        (CANONICAL, "https://faß.de/"),
    ),
    "w3lib, canonicalize_url": (
        (CANONICAL, "https://example.com/?b=1&a=2"),
        (CANONICAL, "https://example.com/?a"),
        (CANONICAL, "https://faß.de/"),
    ),
}
"""Made texts for which each gives another answer than ours: three kinds of them, with the job."""


def examples() -> Iterator[tuple[str, str, str, str | None, str | None]]:
    """Yield who, the job, the text, the answer and ours, of those that are installed."""
    everyone = {(one.who, one.job): one for one in peers() if one.is_installed}
    for who, made in EXAMPLES.items():
        for job, text in made:
            if (who, job) in everyone:
                one = everyone[who, job]
                (answer,) = one.answer([text])
                (right,) = ours(job, private=one.private).answer([text])
                yield who, job, text, answer, right


# --- tables -------------------------------------------------------------------------------------


def render(found: dict[str, Taken], count: int) -> str:
    """Return a table for each job."""
    parts = []
    for job in JOBS:
        own = found[ours(job).name]
        lines = []
        for name, taken in found.items():
            if not name.startswith(f"{job}: "):
                continue
            cells = [
                name.partition(": ")[2],
                f"{count / taken.seconds:,.0f}",
                f"{taken.seconds / own.seconds:.2f}",
                *(
                    f"{differ:,} of {looked_at:,}"
                    for differ, looked_at in (taken.links, taken.rows)
                ),
            ]
            lines.append(cells if taken.pages is None else [*cells, f"{taken.pages:,}"])
        header = ["", "rows a second", "times ours", "differ, real links", "differ, rows"]
        title = f"### {job[0].upper()}{job[1:]}".replace("Search param", f'Search param "{PARAM}"')
        parts += [title, table(header + ["another URL"] * (job == CANONICAL), lines)]
    return "\n\n".join(parts)


def render_examples() -> str:
    """Return the table of `EXAMPLES`."""
    lines = [["", "job", "text", "its answer", "the standard's"], ["---"] * 5]
    lines += [[who, job, *map(_cell, others)] for who, job, *others in examples()]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(text: str | None) -> str:
    return "null" if text is None else f"`{text}`"


def conditions(path: Path, links: Sequence[str], count: int, rounds: int) -> str:
    """Return where and how it was measured."""
    versions = ", ".join(
        f"{name} {metadata.version(name)}"
        for name in _DISTRIBUTIONS
        if find_spec(name.replace("-", "_")) is not None
    )
    build = "compiled" if COMPILED else "interpreted"
    return (
        f"{build}: {count:,} rows made of {path.name}, {len(links):,} different links; the least "
        f"of {rounds} rounds. CPython {platform.python_version()}, {platform.system()} "
        f"{platform.machine()}; {versions}."
    )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--links", help="a file of links, one a line")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", default="", help="peers with this in their names")
    arguments = parser.parse_args()
    path = corpus_path(arguments.links)
    links = unique_links(path)
    with tempfile.TemporaryDirectory() as directory:
        # All have one processor; courlan and others write no cache into the home directory.
        os.environ |= {"POLARS_MAX_THREADS": "1", "XDG_CACHE_HOME": directory}
        found = measure(links, arguments.rows, arguments.rounds, arguments.only)
        print(conditions(path, links, arguments.rows, arguments.rounds))
        print(f"\n{render(found, arguments.rows)}\n\n### Examples\n\n{render_examples()}")


if __name__ == "__main__":
    main()
