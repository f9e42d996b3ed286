"""Rewriting of pages that are made up: nothing changes except what was asked for."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

import pytest

from tests.html.rewriting.checking import check_rewriting
from tests.html.rewriting.made_up import as_bytes, made_up_page
from weburl.html import PageLimitError
from weburl.html.finding import MORE

_ENCODINGS: Final = (
    "utf-8", "windows-1252", "shift_jis", "gbk", "big5", "euc-kr", "euc-jp", "utf-16-le",
    "utf-16-be", "gb18030", "iso-8859-2", "koi8-r",
)  # fmt: skip
_PER_TEST: Final = 1000


def _outcomes(seed: int, count: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for number in range(count):
        random = Random(f"{seed}/{number}")  # not for secrets
        html: str | bytes = made_up_page(random)
        encoding = None
        if isinstance(html, str) and random.random() < 0.4:
            html, encoding = as_bytes(random, html, random.choice(_ENCODINGS))
        more = [name for name in sorted(MORE) if random.random() < 0.3]
        try:
            found[check_rewriting(html, random, encoding, more)] += 1
        except PageLimitError:
            found["limit"] += 1
        except Exception as error:
            error.add_note(f"seed {seed}, page {number}: {html!r}, {encoding}, {more}")
            raise
    return found


@pytest.mark.parametrize("seed", range(10))
def test_exactly_the_changed_links_change(seed: int) -> None:
    """As text, and as bytes in twelve encodings with bytes that are broken."""
    found = _outcomes(seed, _PER_TEST)
    assert found.total() == _PER_TEST
    assert found["refused"] < _PER_TEST / 100
    assert min(found[mode] for mode in ("urls", "hostile", "attributes", "removal")) > 50


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(100, 200))
def test_exactly_the_changed_links_change_in_a_million_pages(seed: int) -> None:
    """The same pages each night."""
    assert _outcomes(seed, 10_000)["refused"] < 100
