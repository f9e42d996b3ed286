"""What `canonicalize_urls` takes: ``python -m benchmarks.canonicalizing``.

``--rows`` (200,000) rows are made, of which 28,000 in 200,000 change, 3,428 are duplicates, 400
are no URLs and 40 are too long. A plain UPDATE writes as many rows as change, and then all of
them, in one statement each; then the command runs. ``--interruptions 20`` stops a run as often,
at random times, by SIGKILL, SIGTERM and SIGINT in turn, and then accounts for every row.
The database is a file of SQLite, or that which WEBURL_TEST_DATABASE names: two tables are made
there and dropped.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import django
from django.conf import settings

from tests.django.settings import database

_SHARES: Final = {"changed": 28_000, "duplicate": 3_428, "unparsable": 400, "too long": 40}
_OF: Final = 200_000
_SIGNALS: Final = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
_FILE: Final = "WEBURL_BENCHMARK_FILE"


def texts(count: int) -> list[str]:
    """Return the texts of a table: mostly canonical, all different, in no order."""
    randomly = random.Random(14)
    kinds = [kind for kind, share in _SHARES.items() for _ in range(count * share // _OF)]
    kinds += ["canonical"] * (count - len(kinds))
    randomly.shuffle(kinds)
    made: list[str] = []
    free: list[str] = []
    for number, kind in enumerate(kinds):
        text = f"https://www.example.com/articles/{number}/the-title-of-an-article"
        if kind == "changed":
            text = f"http://Example.com:80/articles/{number}/the title?page=2"
        elif kind == "duplicate" and free:
            at = randomly.randrange(len(free))
            free[at], free[-1] = free[-1], free[at]
            text = free.pop().replace(".com/", ".com:443/")
        elif kind == "unparsable":
            text = f"https://user:secret@exa mple.com/{number}"
        elif kind == "too long":
            text = f"https://example.com/{number}/" + "é" * 400
        else:
            free.append(text)
        made.append(text)
    return made


def set_up() -> Any:
    """Make Django ready, and return the model whose table is measured, without its table."""
    url = os.environ.get("WEBURL_TEST_DATABASE") or "sqlite://"
    entry = database(url)
    if url.startswith("sqlite"):
        entry = {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ[_FILE]}
    settings.configure(
        DATABASES={"default": entry},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=["django_whatwg_url", "tests.django.siteapp"],
        SILENCED_SYSTEM_CHECKS=["mysql.W003"],
        USE_TZ=True,
    )
    django.setup()
    from django.db import models

    class Meta:
        app_label = "siteapp"
        db_table = "weburl_benchmark"

    body = {
        "__module__": "tests.django.siteapp.models",
        "Meta": Meta,
        "url": models.URLField(max_length=2000, unique=True, null=True),
    }
    return type("Measured", (models.Model,), body)


def fill(model: Any, rows: list[str]) -> None:
    """Make the table again, with these texts."""
    from django.db import connection

    drop(model)
    with connection.schema_editor() as editor:
        editor.create_model(model)
    model.objects.bulk_create([model(url=text) for text in rows], batch_size=2_000)
    with connection.cursor() as cursor:
        cursor.execute(
            "ANALYZE TABLE weburl_benchmark"
            if connection.vendor == "mysql"
            else "ANALYZE weburl_benchmark"
        )


def drop(model: Any) -> None:
    """Take the table away, if there is one."""
    from django.db import connection

    if model._meta.db_table in connection.introspection.table_names():
        with connection.schema_editor() as editor:
            editor.delete_model(model)


def seconds(action: Callable[[], object]) -> float:
    """Return how long ``action`` takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def measure(model: Any, count: int, rounds: int) -> None:
    """Print what plain UPDATEs and the command take, the best of some rounds."""
    from django.core.management import call_command
    from django.db import connection

    rows = texts(count)
    changing = [text.startswith("http://") for text in rows].count(True)
    append = "url = url || '#x'" if connection.vendor != "mysql" else "url = CONCAT(url, '#x')"
    plain = f"UPDATE weburl_benchmark SET {append}"
    best: dict[str, float] = {}

    def note(name: str, action: Callable[[], object]) -> None:
        fill(model, rows)
        best[name] = min(best.get(name, float("inf")), seconds(action))

    def execute(sql: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql)

    def run(**options: Any) -> None:
        with tempfile.TemporaryDirectory() as directory:
            call_command(
                "canonicalize_urls",
                "siteapp.Measured.url",
                verbosity=0,
                removed=directory,
                **options,
            )

    for _ in range(rounds):
        note(f"UPDATE of {changing:,} rows", lambda: execute(f"{plain} WHERE url LIKE 'http:%'"))
        note(f"UPDATE of {count:,} rows", lambda: execute(plain))
        note("canonicalize_urls", run)
        again = seconds(run)
        best["again, nothing to change"] = min(again, best.get("again, nothing to change", again))
        note("dry run", lambda: run(dry_run=True))
        note("merging duplicates", lambda: run(on_duplicate="keep-oldest"))
    print(f"{connection.vendor}, {count:,} rows, {changing:,} of them change")
    for name, took in best.items():
        print(f"{took:8.2f} s  {count / took:>9,.0f} rows a second  {name}")


def measure_memory(model: Any, count: int) -> None:
    """Print the most memory that a process of its own takes for the rows."""
    fill(model, texts(count))
    for options in ([], ["--on-duplicate", "keep-oldest"]):
        print(f"{count:,} rows, {options}: ", end="", flush=True)
        subprocess.run([*_command(*options), "--tell-memory"], check=True)


def _most_memory() -> str:
    # Not ru_maxrss: a process inherits what its parent had.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    kilobytes = int(status.partition("VmHWM:")[2].split()[0])
    return f"{kilobytes / 1024:.0f} MiB at the most"


def _command(*options: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.canonicalizing", "--only-run", *options]


def interrupt(model: Any, count: int, times: int) -> None:
    """Stop runs at random times, finish, and print what became of every row."""
    from django.db.models import F

    import weburl

    rows = texts(count)
    fill(model, rows)
    before = dict(model.objects.values_list("pk", F("url")))
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as directory:
        aside = Path(directory, "aside.jsonl")
        policies = ["--on-duplicate", "keep-oldest", "--on-invalid", f"file:{aside}"]
        policies += ["--batch-size", "500", "--removed", directory]
        ended: Counter[int] = Counter()
        randomly = random.Random()
        for number in range(times):
            child = subprocess.Popen(_command(*policies), stderr=subprocess.DEVNULL)
            # Not before it has begun: Python takes some time to load it all.
            time.sleep(randomly.uniform(0.7, 2.5))
            with suppress(ProcessLookupError):
                child.send_signal(_SIGNALS[number % len(_SIGNALS)])
            ended[child.wait()] += 1
        subprocess.run(_command(*policies), check=True)
        moved = aside.read_text(encoding="ascii")
        mode = aside.stat().st_mode & 0o777
        after = dict(model.objects.values_list("pk", F("url")))
        undo_all(directory)
    undone = dict(model.objects.values_list("pk", F("url")))
    kept = set(after.values())
    lost = [pk for pk, text in before.items() if not _accounted(pk, text, after, kept, moved)]
    took = time.perf_counter() - started
    print(f"{times} interruptions in {took:.0f} s, exit codes {dict(ended)}")
    print(f"{len(before):,} rows before, {len(after):,} after, {len(lost)} not accounted for")
    print(f"{sum(1 for text in after.values() if text is None):,} texts in a file of mode {mode:o}")
    assert not lost, lost[:10]
    assert undone == before, "the undo of all runs did not restore all rows"
    print("All runs were undone: every row is as it was before the first.")
    for text in filter(None, kept):
        assert len(text) > 2000 or weburl.canonicalize(text) == text or "é" in text


def undo_all(directory: str) -> None:
    """Undo the runs that have written their files to a directory, the last run first."""
    from django.core.management import call_command

    found = Path(directory).glob("siteapp.*.jsonl")
    paths = {str(path).replace(".changes.", ".") for path in found}
    for path in sorted(paths, reverse=True):
        call_command("canonicalize_urls", "siteapp.Measured.url", undo=path, verbosity=0)


def _accounted(pk: int, text: str, after: dict[int, Any], kept: set[Any], moved: str) -> bool:
    """Return whether a row is canonical, merged, in the file, or as it was for being too long."""
    import weburl

    try:
        href = weburl.canonicalize(text)
    except weburl.URLParseError:
        return after.get(pk, "") is None and f'"text": "{text}"' in moved
    if len(href) > 2000:
        return after.get(pk) == text
    return after.get(pk, href) == href and href in kept


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=_OF)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--interruptions", type=int, default=0)
    parser.add_argument("--memory", action="store_true", help="of a process of its own")
    parser.add_argument("--only-run", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--tell-memory", action="store_true", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ.setdefault(_FILE, str(Path(directory, "rows.sqlite3")))
        model = set_up()
        if "--removed" not in rest:
            rest += ["--removed", directory]
        if options.only_run:
            from django.core.management import execute_from_command_line

            execute_from_command_line(
                ["manage.py", "canonicalize_urls", "siteapp.Measured.url", "-v0", *rest]
            )
            if options.tell_memory:
                print(_most_memory())
            return
        try:
            if options.interruptions:
                interrupt(model, options.rows, options.interruptions)
            elif options.memory:
                measure_memory(model, options.rows)
            else:
                measure(model, options.rows, options.rounds)
        finally:
            drop(model)


if __name__ == "__main__":
    main()
