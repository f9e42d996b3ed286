"""Threads: many at the first use of all that is loaded late, and many on one `URL`."""

from __future__ import annotations

import subprocess
import sys
from threading import Barrier

import pytest

from tests.threads import run_in_threads
from weburl import URL, parse

pytestmark = pytest.mark.nightly

THREADS = 24

FIRST_USE = f"""
import sys
sys.setswitchinterval(1e-6)
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
import weburl

barrier = Barrier({THREADS})

def use(number):
    barrier.wait()
    url = weburl.parse("https://b\u00fccher.example.co.uk/\u05d0?q=%D7%90#f")
    return (
        url.href, weburl.render(url), weburl.render_html(url), str(url.host.registrable_domain),
        str(weburl.check("https://h/ ")), weburl.URL("https://h/?a").search_params.size,
        url.origin, weburl.parse("?\u00e9", "https://h/", encoding="gbk").href,
        str(url.with_host("x")), weburl.file_url_from_path("/a", windows=False).href,
        str(weburl.obtain_a_site(weburl.origin_of(url))),
    )

with ThreadPoolExecutor({THREADS}) as pool:
    results = set(pool.map(use, range({THREADS})))
assert len(results) == 1, results
print("alike")
"""


def test_the_first_use_by_many_threads_at_once_gives_all_of_them_the_same() -> None:
    """Tables, lists and modules are loaded when somebody needs them first."""
    for _ in range(3):
        result = subprocess.run(
            [sys.executable, "-c", FIRST_USE], check=False, capture_output=True, text=True
        )
        assert result.stdout == "alike\n", result.stderr


def test_readers_of_a_url_see_whole_records_while_others_write_it() -> None:
    """One or the other, never a mixture; what is lost is the earlier of two writes at most."""
    hrefs = [f"https://h{at}.example:{at + 1}/p{at}?q{at}#f{at}" for at in range(8)]
    records = set(map(parse, hrefs))
    url = URL(hrefs[0])
    barrier = Barrier(THREADS)

    def work(number: int) -> None:
        barrier.wait()
        for turn in range(200):
            if number % 3 == 0:
                url.href = hrefs[(number + turn) % len(hrefs)]
            elif number % 3 == 1:
                assert url.record in records
            else:
                assert parse(url.href) in records
                _ = url.search_params.size, url.host, repr(url)

    run_in_threads(work, THREADS, threads=THREADS)
    assert url.record in records
    assert url.search_params.has(str(url.record.query))
