"""What becomes of rows that do not parse, workers, progress, and other options."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pytest

import weburl
from tests.columns.methods import WRONG_OPTIONS
from tests.columns.scalars import FUNCTIONS, HOSTS, NAMES, expected
from weburl import COMPILED, columns
from weburl.columns import rows, running, workers
from weburl.columns.table import BY_NAME
from weburl.public_suffix import parse_list, using_list

URLS = pa.array(["https://a.example", None, "http://u:secret@[::1", "mailto:x"])
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["canonicalize", "parse", "host", "origin", "render", "site"])
def test_errors_by_name(name: str) -> None:
    """Null is null; value and error are both null for a URL without such a part."""
    function: Any = getattr(columns, name)
    for column in (URLS, pa.chunked_array([URLS]), URLS.dictionary_encode()):
        got = function(column, errors="name").to_pylist()
        assert got[1] is None
        errors = [row and row["error"] for row in got]
        assert errors == [None, None, "IPv6-unclosed", None]
        assert [row and row["value"] for row in got] == expected(name, URLS.to_pylist())


def test_all_names_of_failures_are_known() -> None:
    """Those of the standard, and one of ours; they have room in the numbers of the dictionary."""
    assert set(rows.FAILURES) == {str(name) for name in weburl.ValidationErrorType} | {"not-UTF-8"}
    assert len(rows.FAILURES) < 128
    got = columns.check(URLS)
    assert got.type == pa.dictionary(pa.int8(), pa.string())


@pytest.mark.parametrize("name", sorted({*FUNCTIONS} - {"without private", "render in 20"}))
def test_errors_that_are_raised(name: str) -> None:
    """The error of the first row that fails, with its number, and without the password."""
    options: dict[str, Any] = {"errors": "raise"}
    if name == "search_param":
        options["name"] = "q"
    elif name == "matches":
        options["pattern"] = "https://*"
    elif name == "in_host_list":
        options["hosts"] = HOSTS
    elif name == "lookalikes":
        options["names"] = NAMES
    function: Any = getattr(columns, name, None)
    if function is None:
        function, options["part"] = columns.part, name
    texts = ["https://a", *URLS.to_pylist(), "nope"]
    chunked = pa.chunked_array([texts[:2], texts[2:]], pa.string())
    for column in (pa.array(texts), chunked, chunked.dictionary_encode()):
        with pytest.raises(weburl.URLParseError) as caught:
            function(column, **options)
        assert caught.value.type == "IPv6-unclosed"
        assert caught.value.__notes__ == ["This is row 3 of the column, counted from 0."]
        assert "secret" not in f"{caught.value} {caught.value!r} {caught.value.__notes__}"
    assert function(pa.array(["https://a/?q=1"]), **options).null_count == 0 or name in (
        "port",
        "fragment",
        "lookalikes",
        "registrable_domain",
    )


def test_the_first_row_that_fails_is_told_in_whatever_order_a_dictionary_is() -> None:
    """It was the row of the first such value of the dictionary."""
    values = pa.array(["a:", "late", "early", "not used"])
    for type in (pa.string(), pa.large_binary(), pa.string_view()):
        indices = pa.array([1, 0, None, 0, 2, 1, 2], pa.int8())
        urls = pa.DictionaryArray.from_arrays(indices, values.cast(type))[1:]
        with pytest.raises(weburl.URLParseError, match="early") as caught:
            columns.host(urls, errors="raise")
        assert caught.value.__notes__ == ["This is row 3 of the column, counted from 0."]


def test_a_value_without_a_row_raises_nothing() -> None:
    """A dictionary may hold what a slice of it does not use."""
    array = pa.array(["https://a", "nope", "https://b", "https://b"]).dictionary_encode()
    assert columns.host(array.slice(2), errors="raise").to_pylist() == ["b", "b"]
    with pytest.raises(weburl.URLParseError):
        columns.host(array, errors="raise")


def test_one_base_that_does_not_parse_is_an_error() -> None:
    """Not of a row, but of the call."""
    with pytest.raises(weburl.URLParseError):
        columns.resolve(URLS, "nope")
    with pytest.raises(TypeError, match="a base must be"):
        columns.resolve(URLS, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are 4 URLs, but 1 bases"):
        columns.resolve(URLS, pa.array(["https://a"]))
    record = weburl.parse("https://h/a/b")
    assert columns.canonicalize(pa.array(["c"]), record).to_pylist() == ["https://h/a/c"]


@pytest.mark.parametrize(
    ("name", "arguments", "options", "error"),
    [*WRONG_OPTIONS, *(("host", (), {"workers": count}, ValueError) for count in (0, True))],
)
def test_options_that_mean_nothing_are_refused(
    name: str, arguments: Any, options: Any, error: type[Exception]
) -> None:
    """Before anything is computed."""
    with pytest.raises(error):
        getattr(columns, name)(URLS, *arguments, **options)


def test_lists_of_suffixes() -> None:
    """The one in use counts, and one that is passed counts more."""
    urls = pa.array(["https://a.b.github.io", "https://x.y.z"])
    own = parse_list("y.z\n")
    assert columns.registrable_domain(urls).to_pylist() == ["b.github.io", "y.z"]
    assert columns.registrable_domain(urls, private=False).to_pylist() == ["github.io", "y.z"]
    assert columns.site(urls, private=False).to_pylist() == ["https://github.io", "https://y.z"]
    assert columns.registrable_domain(urls, suffixes=own).to_pylist() == ["github.io", "x.y.z"]
    with using_list(own):
        assert columns.site(urls).to_pylist() == ["https://github.io", "https://x.y.z"]
        with pytest.raises(ValueError, match="private=False works only with the package"):
            columns.site(urls, private=False)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of seven rows."""
    monkeypatch.setattr(running, "BATCH", 7)


TEXTS = [None if n % 5 == 0 else "nope" if n % 7 == 0 else f"HTTP://h{n % 9}/" for n in range(100)]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_batches_are_put_together(name: str) -> None:
    """Of arrays, of chunks, of dictionaries with more values than a batch has rows."""
    array = pa.array(TEXTS)
    chunked = pa.chunked_array([array.slice(0, 20), array.slice(20)])
    for column in (array, chunked, array.dictionary_encode(), array.cast(pa.string_view())):
        got = FUNCTIONS[name][0](column)
        got.validate(full=True)
        assert got.to_pylist() == expected(name, TEXTS)


@pytest.fixture(params=["threads", "processes"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let several workers be of one kind, whatever is quicker."""
    kind: str = request.param
    monkeypatch.setattr(workers, "threads_pay", lambda **_: kind == "threads")
    return kind


@pytest.mark.usefixtures("small_batches", "kind")
@pytest.mark.parametrize("base", [None, "https://b/", pa.array(["https://b/"] * 100)])
def test_several_workers_give_the_same(base: Any) -> None:
    """In their order, with their errors."""
    array = pa.array(TEXTS)
    for errors in ("null", "name"):
        wanted = columns.parse(array, base, errors=errors)
        assert columns.parse(array, base, errors=errors, workers=2).equals(wanted)
    urls = pa.array(["https://a/"] * 90 + ["http://["] * 10)
    with pytest.raises(weburl.URLParseError) as caught:
        columns.canonicalize(urls, base, errors="raise", workers=2)
    assert "row 90 " in caught.value.__notes__[0]
    own = parse_list("h1\n")
    got = columns.registrable_domain(pa.array(["http://a.h1"] * 50), suffixes=own, workers=2)
    assert got.to_pylist() == ["a.h1"] * 50


def test_the_batches_of_several_chunks_are_computed_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of these chunks has one batch, which waits for that of another chunk."""
    monkeypatch.setattr(running, "BATCH", 7)
    monkeypatch.setattr(workers, "threads_pay", lambda **_: True)
    both = threading.Barrier(2, timeout=600)
    answer = running.Task._answer

    def wait(task: Any, kernel: Any, array: pa.Array, base: Any) -> Any:
        both.wait()
        return answer(task, kernel, array, base)

    monkeypatch.setattr(running.Task, "_answer", wait)
    chunks = pa.chunked_array([pa.array(["https://A"] * 5), pa.array(["https://B"] * 5)])
    got = columns.canonicalize(chunks, workers=2)
    assert got.to_pylist() == ["https://a/"] * 5 + ["https://b/"] * 5


@pytest.mark.usefixtures("small_batches", "kind")
def test_an_interrupted_run_ends() -> None:
    """Where there are workers, what waits for them is not begun."""
    calls: list[int] = []

    def stop(done: int, in_all: int) -> None:
        calls.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        columns.host(pa.array(TEXTS * 100), workers=2, progress=stop)
    assert len(calls) == 1


def test_an_error_is_told_before_what_waits_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two batches were begun when the first one failed; those behind them are not."""
    ended = threading.Event()
    begun: list[str] = []
    answer = running.Task._answer

    class Threads(ThreadPoolExecutor):
        def shutdown(self, *arguments: Any, **named: Any) -> None:
            ended.set()
            super().shutdown(*arguments, **named)

    def wait(task: Any, kernel: Any, array: pa.Array, base: Any) -> Any:
        begun.append(array[0].as_py())
        if begun[-1] != "x y":
            assert ended.wait(60)
        return answer(task, kernel, array, base)

    monkeypatch.setattr(running, "BATCH", 1)
    monkeypatch.setattr(workers, "threads_pay", lambda **_: True)
    monkeypatch.setattr(workers, "ThreadPoolExecutor", Threads)
    monkeypatch.setattr(running.Task, "_answer", wait)
    texts = ["x y", *(f"https://h/{number}" for number in range(9))]
    with pytest.raises(weburl.URLParseError):
        columns.host(pa.array(texts), errors="raise", workers=2)
    assert len(begun) <= 3


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("canonicalize", ()),
        ("resolve", ("https://b/",)),
        ("can_parse", ()),
        ("check", ()),
        ("parse", ()),
        ("host", ()),
        ("origin", ()),
        ("registrable_domain", ()),
        ("site", ()),
        ("search_param", ("q",)),
        ("render", ()),
        ("key", ("page",)),
        ("surt", ()),
        ("without_query_params", ("a", "b")),
    ],
)
def test_workers_are_threads_where_no_python_runs(
    name: str, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the compiled build, but for what calls Python for each value; or where there is no GIL."""
    pools: list[int] = []

    def started(count: int) -> ThreadPoolExecutor:
        pools.append(count)
        return ThreadPoolExecutor(count)

    monkeypatch.setattr(running, "BATCH", 7)
    monkeypatch.setattr(workers, "processes", started)
    array = pa.array(TEXTS)
    function: Any = getattr(columns, name)
    wanted = function(array, *arguments)
    assert function(array, *arguments, workers=2).equals(wanted)
    by_python = BY_NAME[name].in_python
    assert pools == ([] if COMPILED and not by_python else [2])
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    pools.clear()
    assert function(array, *arguments, workers=3).equals(wanted)
    assert pools == []


def test_the_number_of_threads_is_that_of_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """No process starts by itself, and short columns use the caller's thread."""
    started: list[tuple[str, int]] = []

    def computing(task: Any, count: int, *, is_compiled: bool) -> Any:
        started.append((task.operation, count))
        return workers.computing(task, 1, is_compiled=is_compiled)

    monkeypatch.setattr(running, "computing", computing)
    monkeypatch.setattr(running, "threads_pay", lambda *, is_compiled: is_compiled)
    monkeypatch.setattr(pa, "cpu_count", lambda: 3)
    array = pa.array(TEXTS)
    columns.host(array)
    monkeypatch.setattr(running, "BATCH", 7)
    columns.host(array)
    columns.surt(array)
    columns.surt(array, profile="careful")
    columns.render(array)
    columns.host(array, workers=2)
    assert started == [("host", 3), ("surt", 3), ("surt", 1), ("render", 1), ("host", 2)]


# In the compiled build, threads answer the last of these.
_LONG_OPTIONS = (
    "registrable_domain(urls, workers=2)",
    "site(urls, workers=2, suffixes=parse_list('\\n'.join(f's{n}' for n in range(50_000))))",
    "search_param(urls, 'q' * 500_000, workers=2)",
    "resolve(urls, 'https://h/' + 'b' * 500_000, workers=2)",
)


@pytest.mark.parametrize("from_stdin", [False, True])
@pytest.mark.parametrize("call", _LONG_OPTIONS)
def test_workers_do_not_hang_in_a_script_without_a_guard(
    call: str, from_stdin: bool, tmp_path: Path
) -> None:
    """The processes cannot start, and the script ends with an error, however long its options."""
    text = (
        "import pyarrow as pa\n"
        "from weburl import columns\n"
        "from weburl.columns import workers\n"
        "from weburl.public_suffix import parse_list\n"
        "workers.threads_pay = lambda **_: False\n"
        "urls = pa.array([f'https://x{n}.example.com/' for n in range(70_000)])\n"
        f"columns.{call}\n"
    )
    script = tmp_path / "script.py"
    script.write_text(text, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-" if from_stdin else script],
        input=text,
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert ended.returncode == 1
    # The interpreter may add warnings about what the processes left.
    unindented = [line for line in ended.stderr.splitlines() if not line.startswith(" ")]
    assert any(
        line.startswith("concurrent.futures.process.BrokenProcessPool: ") for line in unindented
    )


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("workers", [1, 2])
def test_progress_is_told(workers: int) -> None:
    """In rows of the column: it grows up to all of them, for dictionaries too."""
    array = pa.array(TEXTS)
    for column in (array, pa.chunked_array([array, array]), array.dictionary_encode()):
        told: list[tuple[int, int]] = []
        columns.host(column, workers=workers, progress=lambda *rows, told=told: told.append(rows))
        assert len(told) > 1
        assert told == sorted(told)
        assert told[-1] == (len(column), len(column))


# Which finds a package, but says that there is none.
_WITHOUT: Final = """
import sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "{package}":
            raise ModuleNotFoundError(name=name)
sys.meta_path.insert(0, Finder())
{statement}
"""


@pytest.mark.parametrize(
    ("package", "statement", "message"),
    [
        (
            "pyarrow",
            "from weburl.columns import parse",
            "weburl needs pyarrow 18 or newer: pip install",
        ),
        ("pandas", "import weburl.columns.pandas", "weburl needs pandas 2.2 or newer: pip install"),
        (
            "polars",
            "import weburl.columns.polars",
            "weburl needs polars 1.37 or newer: pip install",
        ),
        ("duckdb", "import weburl.columns.duckdb", "weburl needs duckdb 1.2 or newer: pip"),
        ("pyspark", "import weburl.columns.spark", "weburl needs pyspark 4.1 or newer: pip"),
        # What others import does not import the engine.
        ("duckdb", "import weburl.columns.sql", None),
        ("pyspark", "import weburl.columns.sql", None),
    ],
)
def test_without_a_package_the_error_says_what_to_install(
    package: str, statement: str, message: str | None
) -> None:
    """In an interpreter that does not find it."""
    program = _WITHOUT.format(package=package, statement=statement)
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert result.returncode == (0 if message is None else 1)
    assert f"ImportError: {message}" in result.stderr or message is None
    assert "weburl[columns]" in result.stderr or package != "pyarrow"


def test_weburl_imports_no_pyarrow() -> None:
    """Until somebody asks for columns."""
    program = "import sys, weburl, weburl.html; print('pyarrow' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout == "False\n"


def test_a_message_about_an_option_does_not_need_the_repr_of_a_value() -> None:
    """Which may raise, as that of a list that is nested deeply does."""
    nested: Any = []
    for _ in range(5_000):
        nested = [nested]
    column = pa.array(["https://a/"])
    calls: list[Callable[[], object]] = [
        lambda: columns.part(column, nested),
        lambda: columns.surt(column, profile=nested),
        lambda: columns.parse(column, errors=nested),
        lambda: columns.parse(column, workers=nested),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="not a value of type list"):
            call()
