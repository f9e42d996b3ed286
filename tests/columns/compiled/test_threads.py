"""The compiled reader of columns runs without the GIL, in several threads and with errors."""

from __future__ import annotations

import importlib
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from tests import strategies
from weburl import COMPILED

if not COMPILED:
    pytest.skip("there is no compiled reader in this build", allow_module_level=True)

reader: Any = importlib.import_module("weburl.columns.compiled.parts")
resolver: Any = importlib.import_module("weburl.columns.compiled.resolving")

HREF: Final = [reader.WHAT["href"]]
# Text that is long, is written anew, and has tabs needs memory of its own twice.
LONG: Final = "https://H/\t" + "a b" * 1000

# The first code points of letters in several scripts.
SCRIPTS: Final = (0xE0, 0x3B1, 0x430, 0x561, 0x5D0, 0x905, 0xE01, 0x10D0, 0x3042, 0x4E00, 0xAC00)


def buffers(texts: list[str | bytes]) -> tuple[bytes, bytes, bytes, int, int, bool]:
    """Return texts as Arrow's buffers, as the reader takes them."""
    encoded = [text.encode() if isinstance(text, str) else text for text in texts]
    offsets, at = [0], 0
    for one in encoded:
        at += len(one)
        offsets.append(at)
    packed = b"".join(offset.to_bytes(4, sys.byteorder) for offset in offsets)
    return b"".join(encoded), packed, b"", 0, len(texts), False


def cut(texts: list[str | bytes], general: Callable[..., object] = lambda *_: None) -> Any:
    """Return the hrefs of texts, as buffers."""
    return reader.cut_column(HREF, buffers(texts), general)


def parsable(texts: list[str | bytes], general: Callable[..., object] = lambda *_: None) -> Any:
    """Return which texts parse."""
    return reader.cut_column([], buffers(texts), general)


def resolved(texts: list[str | bytes], general: Callable[..., object] = lambda *_: None) -> Any:
    """Return the hrefs of texts on a base, as buffers."""
    return resolver.resolve_column(buffers(texts), buffers(["https://b\u00fc.example/"]), general)


FUNCTIONS: Final = (cut, parsable, resolved)


@pytest.fixture
def no_switches() -> Iterator[None]:
    """Make threads switch only when one of them releases the GIL."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


@pytest.mark.nightly
@pytest.mark.usefixtures("no_switches")
@pytest.mark.parametrize("function", FUNCTIONS)
def test_another_thread_runs_meanwhile(function: Callable[..., Any]) -> None:
    """It waits for the GIL, which this thread releases only inside the calls."""
    texts: list[str | bytes] = [f"https://example.com/{number}" for number in range(100_000)]
    arguments = buffers(texts)
    gate = threading.Lock()
    seen: list[int] = []
    gate.acquire()

    def other() -> None:
        with gate:
            seen.append(1)

    thread = threading.Thread(target=other)
    thread.start()
    call: Callable[[], object] = {
        cut: lambda: reader.cut_column(HREF, arguments, None),
        parsable: lambda: reader.cut_column([], arguments, None),
        resolved: lambda: resolver.resolve_column(arguments, buffers(["https://h/"]), None),
    }[function]
    gate.release()
    for _ in range(200):  # The first one is enough, but where the system has much else to do.
        call()
        if seen:
            break
    has_run = bool(seen)
    thread.join()
    assert has_run


@given(
    st.lists(
        st.lists(strategies.url_texts.map(lambda text: text.encode("utf-8", "replace"))),
        min_size=2,
        max_size=4,
    )
)
def test_threads_give_what_one_gives(columns: list[list[str | bytes]]) -> None:
    """Each thread reads its own column at the same time."""
    columns = [column * 20 for column in columns]
    refused: Callable[..., None] = lambda *_: None  # noqa: E731
    with ThreadPoolExecutor(len(columns)) as executor:
        for function in FUNCTIONS:
            expected = [function(column, refused) for column in columns]
            assert list(executor.map(function, columns)) == expected


_PROGRAM: Final = """
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from tests.columns.compiled.test_threads import cut, hosts
sys.setswitchinterval(1e-6)
together = Barrier(4)
def work(number):
    together.wait()
    return bytes(cut(hosts())[0][0][0]).decode()
with ThreadPoolExecutor(4) as executor:
    made = list(executor.map(work, range(4)))
print(ascii(made[0]) if len(set(made)) == 1 else "they differ")
"""


def hosts() -> list[str | bytes]:
    """Return URLs with hosts that are not ASCII."""
    return [
        f"https://{''.join(chr(start + n + k) for k in range(3))}.example/"
        for n in range(20)
        for start in SCRIPTS
    ]


@pytest.mark.nightly
def test_pages_of_code_points_are_filled_once() -> None:
    """Four threads of a new process need the same pages, which are not yet filled."""
    for _ in range(3):
        result = subprocess.run(
            [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        expected = [
            weburl.canonicalize(str(text)) for text in hosts() if weburl.can_parse(str(text))
        ]
        assert len(expected) > 100
        assert result.stdout.strip() == ascii("".join(expected))


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("row", [0, 1, 999])
def test_errors_of_the_general_parser_are_raised(
    function: Callable[..., Any], error: type[BaseException], row: int
) -> None:
    """The general parser gets the number of the row, between rows that need no GIL."""

    def fails(number: int, text: str | None) -> None:
        raise error(number, text)

    texts: list[str | bytes] = [LONG] * 1000
    texts[row] = "https://[" + "x" * 2000
    with pytest.raises(error) as caught:
        function(texts, fails)
    assert caught.value.args == (row, texts[row])
    texts[row] = b"https://\xff"
    with pytest.raises(error) as caught:
        function(texts, fails)
    assert caught.value.args == (row, None)


@pytest.mark.nightly
@pytest.mark.parametrize("function", FUNCTIONS)
def test_memory_is_released(function: Callable[..., Any]) -> None:
    """Some rows need the GIL, and some fail."""

    def fails(number: int, text: str | None) -> None:
        raise ZeroDivisionError

    good: list[str | bytes] = [LONG, "https://b\u00fc%41\u00e9.example/" + "\u00e9" * 1000, "x:[ "]
    bad: list[str | bytes] = [*good, LONG + "\u00e9", "https://h\u00e4\t" + "[" * 2000]
    for _ in range(2):
        tracemalloc.start()
        try:
            function(good)
            before = tracemalloc.get_traced_memory()[0]
            for _ in range(50):
                function(good)
                with pytest.raises(ZeroDivisionError):
                    function(bad, fails)
            grown = tracemalloc.get_traced_memory()[0] - before
        finally:
            tracemalloc.stop()
    assert grown < 50 * 1000


@pytest.mark.nightly
def test_buffers_grow_while_others_work() -> None:
    """The rows become three times as long, so buffers grow often."""
    texts: list[str | bytes] = ["https://h/" + "\u00e9" * (number % 700) for number in range(3000)]
    expected = "".join(weburl.canonicalize(str(text)) for text in texts).encode()
    with ThreadPoolExecutor(4) as executor:
        for made in executor.map(cut, [texts] * 8):
            assert bytes(made[0][0][0]) == expected
