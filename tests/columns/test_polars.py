"""Polars: expressions in every engine and context, and Series."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weburl
from tests import strategies
from tests.columns.methods import (
    METHODS,
    ON_BASES,
    WRONG_OPTIONS,
    Rows,
    cases_of_web_platform_tests,
    differences,
    real_links,
    scalars,
    scalars_on_bases,
    without_surrogates,
)
from tests.columns.scalars import expected
from tests.standard.compiled.equality import BASES
from weburl import columns
from weburl.columns.polars import ExprNamespace, SeriesNamespace
from weburl.public_suffix import parse_list, using_list
from weburl.standard.infra.strings import to_scalar_value_string

# Some of the texts happen to be hosts.
pytestmark = pytest.mark.filterwarnings("ignore::weburl.columns.BareHostsWarning")

TEXTS = ["HTTPS://Example.co.uk:81/a", "nope", None, "mailto:x@y", "https://[::1]/?q=1&q=2"]
URLS: Any = pl.col("url")  # type checkers know nothing of the namespace
texts = strategies.url_texts.map(to_scalar_value_string)


def _ways(frame: pl.DataFrame, wanted: dict[str, pl.Expr]) -> list[tuple[str, pl.DataFrame]]:
    """Return what expressions give in each engine; the schema is known before."""
    named = [expr.alias(name) for name, expr in wanted.items()]
    lazy = frame.lazy().select(named)
    schema = lazy.collect_schema()
    ways = [
        ("eager", frame.select(named)),
        ("lazy", lazy.collect(engine="in-memory")),
        ("streaming", lazy.collect(engine="streaming")),
    ]
    assert [made.schema for _, made in ways] == [schema] * 3
    return ways


def _differences(rows: Rows) -> list[Any]:
    """Return where a method of an expression or of a Series gives something else."""
    series = pl.Series("url", rows, pl.String)
    namespace: Any = series
    wanted = scalars(rows)
    expressions = {name: method(URLS.weburl) for name, method in METHODS.items()}
    ways = _ways(series.to_frame(), expressions)
    found = [
        (way, *difference)
        for way, frame in ways
        for difference in differences(frame.to_dict(as_series=False), wanted, rows)
    ]
    of_series = {name: method(namespace.weburl) for name, method in METHODS.items()}
    assert [made.dtype for made in of_series.values()] == ways[0][1].dtypes
    made = {name: answers.to_list() for name, answers in of_series.items()}
    return found + differences(made, wanted, rows)


def _differences_on_bases(rows: Rows, bases: Rows) -> list[Any]:
    """Return the same of the methods that take a base, with a column of bases."""
    frame = pl.DataFrame({"url": rows, "base": bases}, {"url": pl.String, "base": pl.String})
    namespace: Any = frame["url"]
    wanted = scalars_on_bases(rows, bases)
    expressions = {name: method(URLS.weburl, pl.col("base")) for name, method in ON_BASES.items()}
    found = [
        (way, *difference)
        for way, made in _ways(frame, expressions)
        for difference in differences(made.to_dict(as_series=False), wanted, rows)
    ]
    of_series = {
        name: method(namespace.weburl, frame["base"]).to_list() for name, method in ON_BASES.items()
    }
    return found + differences(of_series, wanted, rows)


def test_the_params_of_a_url_can_be_exploded() -> None:
    """In Polars 2, Arrow's maps are a type of their own that it does not explode."""
    frame = pl.DataFrame({"url": ["https://a.com/?a=1&b=2&a=3", "x", None]})
    params = frame.select(pl.col("url").weburl.search_params(errors="null"))  # type: ignore[attr-defined]
    rows = params.explode("url").unnest("url").rows()
    assert rows[:2] == [("a", ["1", "3"]), ("b", ["2"])]
    (series,) = params.get_columns()
    assert series.dtype == frame["url"].weburl.search_params(errors="null").dtype  # type: ignore[attr-defined]


def test_every_url_of_web_platform_tests() -> None:
    """All methods; and those that take a base, on the base of each."""
    inputs, bases = cases_of_web_platform_tests()
    rows = without_surrogates(inputs)
    assert _differences(rows) == []
    assert _differences_on_bases(rows, bases) == []


def test_real_links() -> None:
    """A sample of the corpus."""
    assert _differences(without_surrogates(real_links())) == []


@settings(max_examples=15)
@given(st.lists(st.none() | texts))
def test_texts_that_are_nearly_urls(rows: Rows) -> None:
    """And null, and no rows at all."""
    assert _differences(rows) == []


@settings(max_examples=15)
@given(st.lists(st.tuples(st.none() | texts, st.none() | st.sampled_from(BASES) | texts)))
def test_texts_on_bases(pairs: list[tuple[str | None, str | None]]) -> None:
    """Each on its own base, which may be null or no URL."""
    assert _differences_on_bases([url for url, _ in pairs], [base for _, base in pairs]) == []


@pytest.mark.parametrize("name", sorted(METHODS))
@pytest.mark.parametrize(
    "dtype",
    [pl.Categorical, pl.Enum([text for text in TEXTS if text]), pl.Binary],
    ids=["Categorical", "Enum", "Binary"],
)
def test_other_types_of_text(name: str, dtype: Any) -> None:
    """Text comes back as String: so the type is the same whatever goes in."""
    series = pl.Series("url", TEXTS).cast(dtype)
    for _, made in _ways(series.to_frame(), {"made": METHODS[name](URLS.weburl)}):
        answers = {name: made["made"].to_list()}
        assert differences(answers, {name: scalars(TEXTS)[name]}, TEXTS) == []
        plain: Any = pl.Series("url", TEXTS)
        assert made["made"].dtype == METHODS[name](plain.weburl).dtype


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Binary])
def test_other_types_of_text_on_bases(dtype: Any) -> None:
    """On either side."""
    frame = pl.DataFrame({"url": ["a", "a", None], "base": ["https://b", "https://c", "https://b"]})
    frame = frame.with_columns(pl.all().cast(dtype))
    for _, made in _ways(frame, {"made": URLS.weburl.resolve(pl.col("base"))}):
        assert made["made"].to_list() == ["https://b/a", "https://c/a", None]


@pytest.mark.parametrize("name", sorted(METHODS))
def test_no_rows_and_null_alone(name: str) -> None:
    """Also of the type that has nothing but null."""
    of_text = _ways(pl.DataFrame({"url": TEXTS}), {"made": METHODS[name](URLS.weburl)})[0][1]
    for dtype in (pl.String, pl.Null):
        for rows in ([], [None, None]):
            frame = pl.DataFrame({"url": rows}, {"url": dtype})
            for _, made in _ways(frame, {"made": METHODS[name](URLS.weburl)}):
                assert made["made"].to_list() == rows
                assert made.schema == of_text.schema


def test_in_groups_and_in_windows() -> None:
    """What is computed there is the same, group by group."""
    frame = pl.DataFrame({"url": TEXTS, "group": [1, 1, 2, 2, 2]})
    hosts = ["example.co.uk", None, None, None, "[::1]"]
    for lazy in (frame.lazy(), frame.clear().lazy(), frame[:3].lazy()):
        grouped = lazy.group_by("group", maintain_order=True).agg(URLS.weburl.host())
        by_engine = [grouped.collect(engine=engine) for engine in ("in-memory", "streaming")]
        assert by_engine[0].equals(by_engine[1].sort("group"))
    made = frame.group_by("group", maintain_order=True).agg(URLS.weburl.host())
    assert made["url"].to_list() == [hosts[:2], hosts[2:]]
    first = frame.group_by("group", maintain_order=True).agg(URLS.first().weburl.host())
    assert first["url"].to_list() == ["example.co.uk", None]
    counted = frame.group_by(URLS.weburl.host().alias("host")).len().sort("host", nulls_last=True)
    assert counted["host"].to_list() == ["[::1]", "example.co.uk", None]
    over = frame.select(URLS.weburl.host().over("group"), URLS.weburl.can_parse().sum().alias("n"))
    assert over["url"].to_list() == hosts
    assert over["n"].to_list() == [3] * 5
    in_lists = pl.DataFrame({"url": [TEXTS, [], None]}).select(
        URLS.list.eval(pl.element().weburl.host())  # type: ignore[attr-defined]
    )
    assert in_lists["url"].to_list() == [hosts, [], None]


def test_literals() -> None:
    """On either side; they are as long as what is beside them."""
    frame = pl.DataFrame({"url": ["a", None], "base": ["https://b/", "nope"]})
    url: Any = pl.lit("HTTPS://x")
    relative: Any = pl.lit("y")
    none: Any = pl.lit(None)
    expressions = {
        "alone": url.weburl.canonicalize(),
        "base": URLS.weburl.resolve(pl.lit("https://c")),
        "url": relative.weburl.resolve(pl.col("base")),
        "both": relative.weburl.resolve(pl.lit("https://d")),
        "none": none.weburl.host(),
        "no base": URLS.weburl.resolve(pl.lit(None)),
    }
    for _, made in _ways(frame, expressions):
        assert made.to_dict(as_series=False) == {
            "alone": ["https://x/"] * 2,
            "base": ["https://c/a", None],
            "url": ["https://b/y", None],
            "both": ["https://d/y"] * 2,
            "none": [None] * 2,
            "no base": [None] * 2,
        }


def test_names() -> None:
    """The column keeps its name, with a base too; sets of names are Enums."""
    frame = pl.DataFrame({"url": TEXTS, "base": TEXTS})
    made = frame.select(URLS.weburl.check())
    assert made.columns == ["url"]
    assert frame.select(URLS.weburl.resolve(pl.col("base"))).columns == ["url"]
    assert frame.select(pl.col("base").weburl.resolve(URLS)).columns == ["base"]  # type: ignore[attr-defined]
    series: Any = frame["url"]
    assert series.weburl.resolve(frame["base"]).name == "url"
    names = made["url"].dtype
    assert isinstance(names, pl.Enum)
    assert set(weburl.ValidationErrorType) <= set(names.categories)
    kinds = frame.select(URLS.weburl.part("host_kind") == "ipv6")
    assert kinds["url"].to_list() == [False, None, None, None, True]


@pytest.mark.parametrize("name", ["host", "parse", "canonicalize", "site", "render"])
def test_errors_by_name(name: str) -> None:
    """A struct of both."""
    expression = getattr(URLS.weburl, name)(errors="name")
    for _, made in _ways(pl.DataFrame({"url": TEXTS}), {"made": expression}):
        rows = made["made"].to_list()
        assert [row and row["value"] for row in rows] == expected(name, TEXTS)
        errors = [row and row["error"] for row in rows]
        assert errors == [None, "missing-scheme-non-relative-URL", None, None, None]


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_errors_that_are_raised(engine: Any) -> None:
    """By a query as Polars' own, by a Series as weburl's; the password is masked."""
    frame = pl.DataFrame({"url": ["https://a", "http://u:secret@[::1"]})
    for expression in (
        URLS.weburl.host(errors="raise"),
        URLS.weburl.parse("https://base", errors="raise"),
        URLS.weburl.resolve(pl.lit("https://base"), errors="raise"),
    ):
        with pytest.raises(pl.exceptions.ComputeError, match="is not closed") as caught:
            frame.lazy().select(expression).collect(engine=engine)
        assert "secret" not in str(caught.value)
    series: Any = frame["url"]
    with pytest.raises(weburl.URLParseError) as error:
        series.weburl.host(errors="raise")
    assert error.value.__notes__ == ["This is row 1 of the column, counted from 0."]
    assert frame[:1].select(URLS.weburl.host(errors="raise"))["url"].to_list() == ["a"]


def test_what_is_no_text_is_refused() -> None:
    """When the query runs: nobody knows the type before."""
    for values in ([1], [object()], [["https://a"]]):
        with pytest.raises((TypeError, pl.exceptions.ComputeError), match="a text column"):
            pl.DataFrame({"url": values}).select(URLS.weburl.host())
        series: Any = pl.Series("url", values)
        with pytest.raises(TypeError, match="a text column"):
            series.weburl.host()


@pytest.mark.parametrize(("name", "arguments", "options", "error"), WRONG_OPTIONS)
@pytest.mark.parametrize(
    "namespace", [ExprNamespace(pl.col("url")), SeriesNamespace(pl.Series("url", TEXTS))]
)
def test_options_that_mean_nothing_are_refused(
    namespace: Any, name: str, arguments: Any, options: Any, error: type[Exception]
) -> None:
    """Where the expression is written, not where the query runs."""
    with pytest.raises(error):
        getattr(namespace, name)(*arguments, **options)


def test_an_expression_of_bases_goes_with_one_column() -> None:
    """With two, it would not be known which of three columns holds the bases."""
    frame = pl.DataFrame({"a": ["x"], "b": ["y"], "base": ["https://example.com/"]})
    with pytest.raises(pl.exceptions.ComputeError, match=r"one column of URLs, not 2"):
        frame.select(pl.col("a", "b").weburl.resolve(pl.col("base")))  # type: ignore[attr-defined]
    one = frame.select(pl.col("a", "b").weburl.resolve("https://example.com/"))  # type: ignore[attr-defined]
    assert one.rows() == [("https://example.com/x", "https://example.com/y")]


def test_a_series_of_bases() -> None:
    """Has to be as long as the URLs; an expression takes no Series."""
    urls = SeriesNamespace(pl.Series("url", ["a", "b"]))
    with pytest.raises(ValueError, match="there are 2 URLs, but 1 bases"):
        urls.resolve(pl.Series(["https://a"]))
    with pytest.raises(TypeError, match="or an expression, not Series"):
        URLS.weburl.resolve(pl.Series(["https://a"]))
    record = weburl.parse("https://h/a/b")
    frame = pl.DataFrame({"url": ["c"]})
    assert frame.select(URLS.weburl.resolve(record))["url"].to_list() == ["https://h/a/c"]


def test_the_list_of_suffixes_is_the_one_in_use_where_the_expression_is_written() -> None:
    """Wherever the query runs, which is in threads of Polars."""
    frame = pl.DataFrame({"url": ["https://a.b.github.io", "https://x.y.z"]})
    with using_list(parse_list("y.z\n")):
        own = {"domain": URLS.weburl.registrable_domain(), "site": URLS.weburl.site()}
    for _, made in _ways(frame, own):
        assert made["domain"].to_list() == ["github.io", "x.y.z"]
        assert made["site"].to_list() == ["https://github.io", "https://x.y.z"]


def test_a_query_can_be_sent_away() -> None:
    """Polars pickles what it has to call."""
    frame = pl.LazyFrame({"url": TEXTS, "base": ["https://b"] * 5})
    query = frame.select(
        URLS.weburl.registrable_domain(), URLS.weburl.resolve(pl.col("base")).alias("on base")
    )
    again = pickle.loads(pickle.dumps(query))
    assert again.collect().equals(query.collect())


def test_a_file_is_scanned_by_batches(tmp_path: Path) -> None:
    """By the streaming engine, which asks for a part of the rows at a time."""
    rows = [f"HTTPS://h{number % 1000}.example.co.uk/{number}" for number in range(100_000)]
    pl.DataFrame({"url": rows}).write_parquet(tmp_path / "links", row_group_size=10_000)
    asked: list[int] = []

    def told(urls: pl.Series) -> pl.Series:
        asked.append(len(urls))
        return urls

    told_of: Any = URLS.map_batches(told, return_dtype=pl.String, is_elementwise=True)
    query = pl.scan_parquet(tmp_path / "links").select(told_of.weburl.host())
    made = query.collect(engine="streaming")
    assert made["url"].to_list() == [f"h{number % 1000}.example.co.uk" for number in range(100_000)]
    assert sum(asked) == 100_000
    assert len(asked) > 1


def test_help_shows_what_there_is() -> None:
    """Every function of columns is a method, with a docstring and its options, but of running."""
    functions = [name for name in columns.__all__ if not name[0].isupper()]
    for namespace in (ExprNamespace, SeriesNamespace):
        for name in functions:
            method = getattr(namespace, name)
            assert method.__doc__
            options = inspect.signature(getattr(columns, name)).parameters
            own = inspect.signature(method).parameters
            wanted = ["self", *list(options)[1:]]
            assert list(own) == [one for one in wanted if one not in ("workers", "progress")]
            for option in list(own)[1:]:
                assert own[option].default == options[option].default
                assert own[option].kind == options[option].kind
