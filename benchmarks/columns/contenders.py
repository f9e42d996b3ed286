"""Who is measured, and how each does each operation. Nothing is timed here.

What works on one text at a time is code that a loop is made of, as in `benchmarks.contenders`: a
call more for each row would be charged to all. Loops give lists of Python's own objects, columns
give Arrow arrays. Text that does not parse is None, whoever reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Protocol

from attrs import frozen

from benchmarks.columns.rows import BASE


class Takes(StrEnum):
    """What a contender's work is given."""

    TEXTS = "texts"
    """A list of texts, one batch after another."""
    ARRAY = "array"
    """An Arrow array, one batch after another."""
    COLUMN = "column"
    """Many batches at once, as a ChunkedArray."""
    FILE = "file"
    """The path of the Parquet file."""


class Engine(Protocol):
    """Something that reads files itself, as a query engine does."""

    def run(self, path: Path) -> None:
        """Compute the answers of all rows, and keep none."""

    def answers(self, path: Path, count: int) -> tuple[list[str], list[Any]]:
        """Return the texts of some rows, and the answers for them."""


@frozen
class Contender:
    """One library doing one operation. ``make`` returns what does the work.

    ``needs``: the modules that must be installed. ``cores``: how many it may use. ``as_answers``
    turns what the work returns into a list, of which the one that ``expected`` gives of the texts
    is the standard's; None where the answers are not looked at. What takes a file is an `Engine`.
    """

    who: str
    operation: str
    takes: Takes
    make: Callable[[], Any]
    needs: tuple[str, ...] = ()
    expected: Callable[[Sequence[str]], list[Any]] | None = None
    as_answers: Callable[[Any], list[Any]] = list
    cores: int = 1

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        return f"{self.operation}: {self.who}"

    @property
    def is_installed(self) -> bool:
        """Whether all that it needs can be imported."""
        return all(find_spec(module) is not None for module in self.needs)


def loop_over(code: str, setup: str, error: str) -> Callable[[Sequence[str]], list[Any]]:
    """Return a function that makes a list of what ``code`` gives for each text ``s``.

    ``setup`` binds the names in it. What raises ``error`` is None.
    """
    namespace: dict[str, Any] = {"BASE": BASE}
    exec(setup, namespace)
    names = sorted(name for name in namespace if name.isidentifier() and not name.startswith("__"))
    arguments = "".join(f", {name}={name}" for name in names)
    source = (
        f"def loop(texts{arguments}):\n made = []\n add = made.append\n for s in texts:\n"
        f"  try:\n   add(({code}))\n  except {error}:\n   add(None)\n return made"
    )
    exec(source, namespace)
    made: Callable[[Sequence[str]], list[Any]] = namespace["loop"]
    return made


# --- weburl -------------------------------------------------------------------------------------

_WEBURL: Final = (
    "from weburl import URL, URLParseError, URLSearchParams, can_parse, canonicalize, parse, render"
)
_HOST: Final = "None if (h := parse(s).host) is None else str(h)"
_DOMAIN: Final = (
    "None if (h := parse(s).host) is None or (d := h.registrable_domain) is None else str(d)"
)

WEBURL_LOOPS: Final = {
    "canonicalize": "canonicalize(s)",
    "can_parse": "can_parse(s)",
    "host": _HOST,
    "parse": "(u := parse(s)).scheme, u.username, u.password, u.host, u.port, u.path_text, "
    "u.query, u.fragment",
    "registrable_domain": _DOMAIN,
    "resolve": "canonicalize(s, BASE)",
    "origin": "str(parse(s).origin)",
    "search_param": "URLSearchParams(parse(s).query or '').get('id')",
    "render": "render(parse(s))",
}
"""The scalar functions, as people call them in a loop."""


def _weburl_loop(operation: str) -> Callable[[Sequence[str]], list[Any]]:
    return loop_over(WEBURL_LOOPS[operation], _WEBURL, "URLParseError")


def _weburl_column(operation: str, **options: Any) -> Callable[[Any], Any]:
    from weburl import columns

    function: Callable[..., Any] = getattr(columns, operation)
    arguments = {"resolve": (BASE,), "search_param": ("id",)}.get(operation, ())
    return lambda array: function(array, *arguments, **options)


def _to_list(array: Any) -> list[Any]:
    answers: list[Any] = array.to_pylist()
    return answers


def weburls() -> list[Contender]:
    """Return `weburl.columns`, the loop over the scalar functions, and several workers."""
    made = []
    for operation in WEBURL_LOOPS:
        compared = operation != "parse"  # structs are none of these tuples
        expected = partial(_expected, operation) if compared else None
        column = partial(_weburl_column, operation)
        made += [
            Contender("weburl.columns", operation, Takes.ARRAY, column,
                      ("pyarrow",), expected, _to_list),
            Contender("weburl, a loop", operation, Takes.TEXTS, partial(_weburl_loop, operation),
                      (), expected),
        ]  # fmt: skip
    made += [
        Contender(f"weburl.columns, workers={workers}", operation, Takes.COLUMN,
                  partial(_weburl_column, operation, workers=workers), ("pyarrow",), cores=workers)
        for operation in ("canonicalize", "parse", "render")
        for workers in (1, 2)
    ]  # fmt: skip
    return made


# --- what the standard's answers are ------------------------------------------------------------

_EXPECTED: Final = {
    # As the URL class of the web gives them, where peers do as well.
    "hostname": "URL(s).hostname or None",
    "components": "(u := URL(s)).protocol, u.username, u.password, u.hostname, u.port, u.pathname, "
    "u.search, u.hash",
    "ICANN domain": "None if type(h := parse(s).host) is not Domain "
    "else ICANN.registrable_domain(h.value)",
}
_EXPECTED_SETUP: Final = (
    f"{_WEBURL}; from weburl import Domain; from weburl.public_suffix import packaged_list; "
    "ICANN = packaged_list(private=False)"
)


def _expected(what: str, texts: Sequence[str]) -> list[Any]:
    code = _EXPECTED.get(what) or WEBURL_LOOPS[what]
    return loop_over(code, _EXPECTED_SETUP, "URLParseError")(texts)


def expects(what: str) -> Callable[[Sequence[str]], list[Any]]:
    """Return what gives the standard's answers, by the name of an operation or of a part."""
    return partial(_expected, what)


# --- peers --------------------------------------------------------------------------------------

_PARTS: Final = "protocol, u.username, u.password, u.hostname, u.port, u.pathname, u.search, u.hash"
_ADA_SETUP: Final = "from ada_url import URL"
_CAN_ADA_SETUP: Final = "from can_ada import can_parse, parse; base = parse(BASE)"
_PEERS: Final = {
    ("ada_url", _ADA_SETUP): {
        "canonicalize": "URL(s).href",
        "can_parse": "URL.can_parse(s)",
        "host": "URL(s).hostname or None",
        "parse": f"(u := URL(s)).{_PARTS}",
        "resolve": "URL(s, BASE).href",
    },
    ("can_ada", _CAN_ADA_SETUP): {
        "canonicalize": "parse(s).href",
        "can_parse": "can_parse(s)",
        "host": "parse(s).hostname or None",
        "parse": f"(u := parse(s)).{_PARTS}",
        "resolve": "(base + s).href",
    },
}
_AS_ON_THE_WEB: Final = {"host": "hostname", "parse": "components"}


# The best that a regular expression of moderate length does.
HOST_IN_DUCKDB: Final = (
    r"nullif(lower(regexp_extract(url, "
    r"'^[A-Za-z][A-Za-z0-9+.\-]*://(?:[^/?#@]*@)?(\[[^\]/?#]*\]|[^:/?#]*)', 1)), '')"
)


def duckdb_query(expression: str) -> Callable[[Any], Any]:
    """Return what computes an expression of SQL over an Arrow array, its column ``url``."""
    import duckdb

    connection = duckdb.connect(config={"threads": 1})

    def answers(array: Any) -> Any:
        import pyarrow as pa

        connection.register("batch", pa.table({"url": array}))
        found = connection.sql(f"SELECT {expression} AS answer FROM batch")
        return found.to_arrow_table().column(0)

    return answers


def _tldextract(name: str) -> Callable[[Any], Any]:
    import polars as pl
    import polars_tldextract

    expression = getattr(polars_tldextract, name)("url", parallel=False)
    return lambda array: pl.DataFrame({"url": pl.from_arrow(array)}).select(expression).to_series()


def peers() -> list[Contender]:
    """Return the libraries that read URLs, or parts of them, in one process."""
    made = [
        Contender(f"{who}, a loop", operation, Takes.TEXTS,
                  partial(loop_over, code, setup, "ValueError"), (who,),
                  expects(_AS_ON_THE_WEB.get(operation, operation)))
        for (who, setup), operations in _PEERS.items()
        for operation, code in operations.items()
    ]  # fmt: skip
    return [
        *made,
        Contender("DuckDB, a regular expression", "host", Takes.ARRAY,
                  partial(duckdb_query, HOST_IN_DUCKDB),
                  ("duckdb", "pyarrow"), expects("hostname"), _to_list),
        Contender("polars-tldextract", "host", Takes.ARRAY, partial(_tldextract, "fqdn"),
                  ("polars", "polars_tldextract"), expects("hostname"), list),
        Contender("polars-tldextract", "registrable_domain", Takes.ARRAY,
                  partial(_tldextract, "registrable_domain"),
                  ("polars", "polars_tldextract"), expects("ICANN domain"), list),
    ]  # fmt: skip
