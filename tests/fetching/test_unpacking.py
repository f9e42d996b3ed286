"""The length of a compressed body, in pieces of any size, and before it is in memory."""

from __future__ import annotations

import gzip
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from typing import Final

import brotli
import pytest
import zstandard

from weburl.fetching.unpacking import MOST_MEMBERS, Measure, Unacceptable

TEXT: Final = bytes(range(256)) * 400


def _raw_deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return compressor.compress(data) + compressor.flush()


PACK: Final[dict[str, Callable[[bytes], bytes]]] = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: bytes(brotli.compress(data)),
    "zstd": zstandard.compress,
    "": bytes,
    "identity": bytes,
}


def is_too_long(encoding: str, body: bytes, most: int, size: int) -> bool:
    """Return whether a body is too long, which arrives in pieces of ``size`` bytes."""
    measure = Measure(encoding, most)
    try:
        for start in range(0, len(body), size):
            measure.add(body[start : start + size])
    except Unacceptable as problem:
        if problem.code != "unpacked-too-long":
            raise
        return True
    return False


@pytest.mark.parametrize("size", [1, 3, 1000, 10_000_000])
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_the_length_is_exact(encoding: str, size: int) -> None:
    """The last byte decides."""
    body = PACK[encoding](TEXT)
    assert not is_too_long(encoding, body, len(TEXT), size)
    assert is_too_long(encoding, body, len(TEXT) - 1, size)


@pytest.mark.parametrize("size", [1, 7, 10_000_000])
@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_all_members_count(encoding: str, size: int) -> None:
    """Clients unpack them one after the other, wherever one ends."""
    body = PACK[encoding](TEXT[:1000]) * 5
    assert not is_too_long(encoding, body, 5000, size)
    assert is_too_long(encoding, body, 4999, size)


@pytest.mark.parametrize("first", ["gzip", "deflate", "br", "zstd", "identity"])
@pytest.mark.parametrize("second", ["gzip", "deflate", "br", "zstd"])
def test_codings_are_undone_in_turn(first: str, second: str) -> None:
    """The result after each of them has to be short enough."""
    body = PACK[second](PACK[first](TEXT))
    assert not is_too_long(f"{first}, {second}", body, 2 * len(TEXT), 1000)
    assert is_too_long(f"{first}, {second}", body, len(TEXT) - 1, 1000)


def test_deflate_may_lack_its_header() -> None:
    """As some servers send it."""
    body = _raw_deflate(TEXT)
    assert not is_too_long("deflate", body, len(TEXT), 10_000_000)
    assert is_too_long("deflate", body, len(TEXT) - 1, 10_000_000)


def test_what_follows_the_last_member_of_gzip_is_ignored() -> None:
    """Clients ignore it too."""
    assert not is_too_long("gzip", gzip.compress(TEXT) + b"rest" * 1000, len(TEXT), 100)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_damaged_body_is_refused(encoding: str) -> None:
    """A client might still unpack it, and no one would count."""
    body = bytearray(PACK[encoding](TEXT))
    for index in range(2, 40):
        body[index] ^= 0xFF
    with pytest.raises(Unacceptable, match=r"body-damaged|unpacked-too-long"):
        Measure(encoding, 10).add(bytes(body))


@pytest.mark.parametrize("encoding", ["compress", "gzip, unknown", "gzip, gzip, gzip, gzip", "*"])
def test_a_coding_that_cannot_be_measured_is_refused(encoding: str) -> None:
    """Or too many of those that can."""
    with pytest.raises(Unacceptable, match="encoding-not-bounded"):
        Measure(encoding, 10)


def test_packages_that_are_missing_or_old_measure_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """An old brotli cannot limit its output."""
    for name in ("brotli", "brotlicffi", "zstandard", "backports.zstd", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    for encoding in ("br", "zstd"):
        with pytest.raises(Unacceptable, match="encoding-not-bounded"):
            Measure(encoding, 10)

    class Old:
        error = ValueError

        class Decompressor:
            def process(self, data: bytes) -> bytes:
                return data

    monkeypatch.setitem(sys.modules, "brotli", Old)
    with pytest.raises(Unacceptable, match="encoding-not-bounded"):
        Measure("br", 10)


@pytest.mark.parametrize("size", [1, 7, 10_000_000])
def test_zstandard_measures_where_it_is_the_only_package(
    monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """It has no limit of its own, so it gets little at a time."""
    for name in ("backports.zstd", "compression.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    body = zstandard.compress(TEXT) * 2
    assert not is_too_long("zstd", body, 2 * len(TEXT), size)
    assert is_too_long("zstd", body, 2 * len(TEXT) - 1, size)


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_a_bomb_is_never_in_memory(encoding: str) -> None:
    """Thirty million bytes, of which some pieces are kept."""
    body = PACK[encoding](b"\0" * 30_000_000)
    measure = Measure(encoding, 29_999_999)
    tracemalloc.start()
    try:
        with pytest.raises(Unacceptable, match="unpacked-too-long"):
            measure.add(body)
        _now, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize("zstd_package", ["backports", "zstandard"])
@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
@pytest.mark.parametrize("size", [1, 1000, 10_000_000])
def test_many_empty_members_are_refused(
    monkeypatch: pytest.MonkeyPatch, encoding: str, size: int, zstd_package: str
) -> None:
    """A chunk of 10 MB can have half a million, and what follows each one was copied."""
    if zstd_package == "zstandard":
        for name in ("backports.zstd", "compression.zstd"):
            monkeypatch.setitem(sys.modules, name, None)
    empty = PACK[encoding](b"")
    assert not is_too_long(encoding, empty * MOST_MEMBERS, 0, size)
    with pytest.raises(Unacceptable, match="encoding-not-bounded"):
        is_too_long(encoding, empty * (10_000_000 // len(empty)), 0, max(size, 1000))
