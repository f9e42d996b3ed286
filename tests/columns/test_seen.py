"""The recipe for batches of a crawl, as `docs/columns/sql.md` has it, and programs that die."""

from __future__ import annotations

import hashlib
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from weburl import columns
from weburl.columns.duckdb import register
from weburl.keys import KeyRules, url_key

PAGE: Final = (Path(__file__).parents[2] / "docs" / "columns" / "sql.md").read_text("utf-8")
NAMES: Final = ("one", "two", "three")
# Dies before or after the renaming of a file, as if by `kill -9`.
PROGRAM: Final = """
import os, signal, sys
import duckdb
from weburl.columns.duckdb import register

folder, step, is_after = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "after"
renamed = []
replace = os.replace

def dying(here, there):
    if len(renamed) == step and not is_after:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(here, there)
    if len(renamed) == step and is_after:
        os.kill(os.getpid(), signal.SIGKILL)
    renamed.append(there)

{recipe}

os.replace = dying
with duckdb.connect() as connection:
    register(connection)
    for name in {names}:
        add_batch(connection, folder, name)
"""


def recipe() -> str:
    """Return the function on the page."""
    shown = PAGE.partition("<!-- the recipe -->")[2]
    found = re.search(r"```python\n(.*?)```", shown, re.DOTALL)
    assert found is not None
    lines = [line[4:] for line in found[1].splitlines() if line.startswith((">>> ", "... "))]
    return "\n".join(lines)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three batches, whose pages overlap."""
    for kind in ("batches", "seen", "new"):
        (tmp_path / kind).mkdir()
    for number, name in enumerate(NAMES):
        urls = [f"https://h.example/{page}?utm_source={name}" for page in range(9 + 10 * number)]
        table = pa.table({"url": [*urls, urls[0], "nope", None]})
        pq.write_table(table, tmp_path / "batches" / f"{name}.parquet")
    pq.write_table(pa.table({"key_hash": pa.array([], pa.int64())}), tmp_path / "seen/0.parquet")
    return tmp_path


def keys_in(folder: Path) -> list[str]:
    """Return the keys of the new pages of all batches."""
    return [
        url_key(url, KeyRules.page())
        for name in NAMES
        for url in pq.read_table(folder / "new" / f"{name}.parquet")["url"].to_pylist()
    ]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL here")
@pytest.mark.parametrize("is_after", ["before", "after"])
def test_a_program_that_is_killed_between_two_files_is_run_again(
    folder: Path, is_after: str
) -> None:
    """Each page is there once, whichever file was written last."""
    program = folder / "program.py"
    program.write_text(PROGRAM.format(recipe=recipe(), names=NAMES), encoding="utf-8")
    deaths = 0
    for step in (0, 1, 1, 0, 99):
        words = [sys.executable, str(program), str(folder), str(step), is_after]
        done = subprocess.run(words, check=False, capture_output=True)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
        deaths += done.returncode != 0
    assert deaths == 4
    pages = (f"https://h.example/{page}" for page in range(29))
    assert sorted(keys_in(folder)) == sorted(url_key(page, KeyRules.page()) for page in pages)
    seen = pq.read_table(folder / "seen")["key_hash"].to_pylist()
    assert len(seen) == len(set(seen)) == 29


def test_a_key_hash_is_that_of_the_key() -> None:
    """Any program can compute it: here DuckDB, with its own SHA-256."""
    urls = [f"https://h{number}.example/a?b={number}" for number in range(1000)]
    array = pa.array([*urls, None, "nope"])
    hashes = columns.key_hash(array, "page")
    assert hashes.type == pa.int64()
    assert hashes.to_pylist()[-2:] == [None, None]
    assert min(hashes.drop_null().to_pylist()) < 0 < max(hashes.drop_null().to_pylist())
    digest = hashlib.sha256(url_key(urls[0], KeyRules.page()).encode()).digest()
    assert hashes[0].as_py() == int.from_bytes(digest[:8], "big", signed=True)
    with duckdb.connect() as connection:
        register(connection)
        connection.register("links", pa.table({"url": array}))
        query = """
            SELECT url_key_hash(url, 'page') IS NOT DISTINCT FROM
                ('0x' || sha256(url_key(url, 'page'))[1:16])::UBIGINT::BIT::BIGINT, count(*)
            FROM links GROUP BY 1
        """
        assert connection.sql(query).fetchall() == [(True, 1002)]
    named = columns.key_hash(array, KeyRules.browser(), errors="name").to_pylist()
    assert [row and row["error"] for row in named[-2:]] == [
        None,
        "missing-scheme-non-relative-URL",
    ]
