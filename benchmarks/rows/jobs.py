"""What is measured, and the table that is printed.

A job and its plain twin do the same work, and their rows are compared afterwards. The twin is what
people write without this package: a loop of `weburl`'s functions, SQL, or a column that the program
fills. Everything runs with a twentieth of the rows first. A job that then takes more than 22 times
as long is a fault, unless its growth is at most a tenth above its twin's.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final
from urllib.parse import urlsplit

import attrs
from django.core.management import call_command
from django.db import connection, migrations, models, transaction
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import Count

from benchmarks.rows import models as tables
from benchmarks.rows import seed
from django_whatwg_url.constraints import IsCanonicalURL
from django_whatwg_url.fields import CanonicalURLField, URLKeyField
from django_whatwg_url.functions import URLHost
from django_whatwg_url.operations import AddUniqueConstraintConcurrently, UpdateURLKeys
from django_whatwg_url.rows.journal import Change, Run
from weburl import URLParseError, canonicalize
from weburl.keys import KeyRules, url_key

_BATCH: Final = 1_000
_FILLED_AT_ONCE: Final = 10_000
_SHARE: Final = 20
_MOST_GROWTH: Final = 22
_MORE_THAN_TWIN: Final = 1.1
_SHORT: Final = 0.05  # seconds. The growth of less is mostly noise.
_BULK: Final = 4
_UPDATED: Final = 10
"""One row in so many is written in bulk, and one of so many of these is updated."""
_HOSTS_ASKED: Final = 50
_HOSTS_LISTED: Final = 1_000
_QUOTE: Final = connection.ops.quote_name


@attrs.define
class Measured:
    """What a job took. ``wait``: the longest wait of a reader of the table, in seconds."""

    seconds: float
    rows: int | None = None
    plain: float | None = None
    memory: float | None = None
    wait: float | None = None


@attrs.define
class Bench:
    """The measurements with one number of rows, by the names of the jobs."""

    rows: int
    measured: dict[str, Measured] = attrs.Factory(dict)
    wrong: list[str] = attrs.Factory(list)

    def job(
        self,
        name: str,
        run: Callable[[], object],
        plain: Callable[[], object] | None = None,
        *,
        read: type[models.Model] | None = None,
        rows: bool = True,
        times: int = 1,
    ) -> None:
        """Measure a job, and its twin. ``read``: the table that a reader reads meanwhile.

        ``times``: how many calls ``run`` and ``plain`` make, each.
        """
        with _memory() as memory, _reader(read) as waits:
            seconds = _timed(run)
        found = Measured(seconds / times, self.rows if rows else None)
        found.memory, found.wait = memory[0], max(waits, default=None)
        if plain is not None:
            found.plain = _timed(plain) / times
        self.measured[name] = found
        took = f"{_shown(found.seconds)}, its twin: {_shown(found.plain)}"
        print(f"{self.rows:,} rows, {name}: {took}", file=sys.stderr, flush=True)

    def equal(self, name: str, found: object, expected: object) -> None:
        """Note a wrong count."""
        if found != expected:
            self.wrong.append(f"{self.rows:,} rows, {name}: {found}, expected {expected}")


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


@contextmanager
def _memory() -> Iterator[list[float | None]]:
    """Give the megabytes by which this process grows. Only Linux tells them."""
    grown: list[float | None] = [None]
    status = Path("/proc/self/status")
    if not status.exists():
        yield grown
        return
    # This resets the peak.
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = _kilobytes(status, "VmRSS")
    yield grown
    grown[0] = max(_kilobytes(status, "VmHWM") - before, 0) / 1000


def _kilobytes(status: Path, name: str) -> int:
    lines = status.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


@contextmanager
def _reader(model: type[models.Model] | None) -> Iterator[list[float]]:
    """Read a row again and again on another connection, and give how long it took each time."""
    waits: list[float] = []
    if model is None or connection.vendor != "postgresql":
        yield waits
        return
    is_over = Event()
    sql = f"SELECT 1 FROM {_QUOTE(model._meta.db_table)} WHERE id = 1"

    def read() -> None:
        with connection.cursor() as cursor:
            while not is_over.wait(0.002):
                waits.append(_timed(lambda: cursor.execute(sql)))
        connection.close()

    thread = Thread(target=read)
    thread.start()
    try:
        yield waits
    finally:
        is_over.set()
        thread.join()


# Tables.


def _execute(sql: str, *params: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall() if cursor.description else []


def _name(model: type[models.Model]) -> str:
    return _QUOTE(model._meta.db_table)


def _empty(*classes: type[models.Model]) -> None:
    """Drop tables and make them again."""
    with connection.schema_editor() as editor:
        for model in reversed(classes):
            editor.delete_model(model)
        for model in classes:
            editor.create_model(model)


def _copy(
    source: type[models.Model], target: type[models.Model], columns: str, where: str = ""
) -> None:
    _execute(
        f"INSERT INTO {_name(target)} ({columns}) SELECT {columns} FROM {_name(source)} {where}"
    )
    _analyze(target)


def _analyze(model: type[models.Model]) -> None:
    _execute(f"ANALYZE {'TABLE ' if connection.vendor == 'mysql' else ''}{_name(model)}")


def _fill(rows: int) -> None:
    """Fill the tables with the rows of the seed."""
    _empty(tables.Original)
    _insert(tables.Original, ["owner", "url"], seed.links(rows))
    for link, click in (
        (tables.Link, tables.Click),
        (tables.PlainLink, tables.PlainClick),
    ):
        _empty(link, click)
        _copy(tables.Original, link, "id, owner, url")
        first = _execute(f"SELECT MIN(id) FROM {_name(link)}")[0][0]
        _insert(click, ["link_id"], ((first + number,) for number in seed.clicks(rows)))
    _empty(Run, Change)


def _insert(
    model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    marks = ", ".join(["%s"] * len(columns))
    sql = f"INSERT INTO {_name(model)} ({', '.join(columns)}) VALUES ({marks})"
    rows = iter(rows)
    with transaction.atomic(), connection.cursor() as cursor:
        while batch := [*islice(rows, _FILLED_AT_ONCE)]:
            cursor.executemany(sql, batch)
    _analyze(model)


def _different(first: type[models.Model], second: type[models.Model], column: str) -> int:
    """Return how many rows of two tables differ in a column, or are in one table only."""
    joined = _execute(
        f"SELECT COUNT(*), SUM(CASE WHEN a.{column} = b.{column} THEN 1 ELSE 0 END) "
        f"FROM {_name(first)} a JOIN {_name(second)} b ON a.id = b.id"
    )[0]
    counts = [_execute(f"SELECT COUNT(*) FROM {_name(model)}")[0][0] for model in (first, second)]
    return int(max(counts)) - int(joined[1] or 0)


# What people write without this package.


def _loop(model: type[models.Model], column: str, compute: Callable[[str], str | None]) -> None:
    """Write a column of each row whose value for the URL is another, in batches."""
    reading = (
        f"SELECT id, url, {column} FROM {_name(model)} WHERE id > %s ORDER BY id LIMIT {_BATCH}"
    )
    writing = f"UPDATE {_name(model)} SET {column} = %s WHERE id = %s"
    last = 0
    while rows := _execute(reading, last):
        last = rows[-1][0]
        found = [(compute(url), pk, old) for pk, url, old in rows]
        changed = [(new, pk) for new, pk, old in found if new != old and new is not None]
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.executemany(writing, changed)


def _canonical(text: str) -> str | None:
    try:
        return canonicalize(text)
    except URLParseError:
        return None


def _key(text: str) -> str | None:
    try:
        return url_key(text, _RULES)
    except URLParseError:
        return None


_RULES: Final = KeyRules.page()


def _loop_and_merge() -> None:
    """Write canonical URLs, and delete later rows with the same URL and owner."""
    _loop(tables.PlainLink, "url", _canonical)
    link, click = _name(tables.PlainLink), _name(tables.PlainClick)
    _execute(
        "CREATE TABLE rows_merged AS SELECT a.id AS loser, b.keeper FROM "
        f"{link} a JOIN (SELECT owner, url, MIN(id) AS keeper FROM {link} GROUP BY owner, url "
        "HAVING COUNT(*) > 1) b ON a.owner = b.owner AND a.url = b.url WHERE a.id <> b.keeper"
    )
    _execute("CREATE UNIQUE INDEX rows_losers ON rows_merged (loser)")
    _execute(
        f"UPDATE {click} SET link_id = (SELECT keeper FROM rows_merged WHERE loser = link_id) "
        "WHERE link_id IN (SELECT loser FROM rows_merged)"
    )
    _execute(f"DELETE FROM {link} WHERE id IN (SELECT loser FROM rows_merged)")
    _execute("DROP TABLE rows_merged")


# Jobs.


def _command(*arguments: str, **options: Any) -> None:
    call_command(*arguments, verbosity=0, **options)


def _undo() -> None:
    with Path("/dev/null").open("w", encoding="ascii") as nowhere:
        _command("canonicalize_urls", undo=[str(Run.objects.latest("pk").pk)], stdout=nowhere)


def run_and_undo(bench: Bench) -> None:
    """Measure the command and its undo, beside a loop and beside the run."""
    link = tables.Link
    bench.job(
        "run",
        lambda: _command("canonicalize_urls", "rows.Link.url", on_invalid="keep"),
        lambda: _loop(tables.PlainLink, "url", _canonical),
        read=link,
    )
    bench.equal("run", _different(link, tables.PlainLink, "url"), 0)
    bench.job("undo of the run", _undo, read=link)
    bench.measured["undo of the run"].plain = bench.measured["run"].seconds
    bench.equal("undo of the run", _different(link, tables.Original, "url"), 0)


def merge_and_undo(bench: Bench) -> None:
    """Measure a run that merges duplicates, beside a loop with SQL."""
    link, rows = tables.Link, bench.rows
    bench.job(
        "run that merges",
        lambda: _command(
            "canonicalize_urls", "rows.Link.url", on_invalid="keep", on_duplicate="keep-oldest",
            unique_with=["owner"],
        ),
        _loop_and_merge,
        read=link,
    )  # fmt: skip
    bench.equal("run that merges", _different(link, tables.PlainLink, "url"), 0)
    bench.equal("references", _different(tables.Click, tables.PlainClick, "link_id"), 0)
    merged = rows - link._default_manager.count()
    bench.equal("merged rows", abs(merged - rows * seed.DUPLICATE) < rows * 0.02 + 10, True)
    bench.job("undo of the merges", _undo, read=link)
    bench.measured["undo of the merges"].plain = bench.measured["run that merges"].seconds
    bench.equal("undo of the merges", _different(link, tables.Original, "url"), 0)


def fill_keys(bench: Bench) -> None:
    """Measure the command that fills a column."""
    for model in (tables.Keyed, tables.PlainKeyed):
        _empty(model)
        _copy(tables.Original, model, "id, owner, url")
    bench.job(
        "update_url_keys",
        lambda: _command("update_url_keys", "rows.Keyed"),
        lambda: _loop(tables.PlainKeyed, "url_key", _key),
        read=tables.Keyed,
    )
    filled = tables.Keyed.objects.filter(url_key__isnull=False).count()
    valid = tables.Original._default_manager.exclude(url__startswith=seed.INVALID_TEXT).count()
    bench.equal("keys", filled, valid)
    nulls = bench.rows - valid
    bench.equal("equal keys", _different(tables.Keyed, tables.PlainKeyed, "url_key"), nulls)


def create_in_bulk(bench: Bench) -> None:
    """Measure `bulk_create` and `bulk_update` with three columns beside the URL."""
    _empty(tables.Beside, tables.PlainBeside)
    texts = [
        url
        for _owner, url in seed.links(bench.rows // _BULK)
        if not url.startswith(seed.INVALID_TEXT)
    ]  # fmt: skip

    def create(make: Callable[[str], models.Model]) -> None:
        for start in range(0, len(texts), _BATCH):
            instances: Any = [make(text) for text in texts[start : start + _BATCH]]
            type(instances[0])._default_manager.bulk_create(instances)

    def plain(text: str) -> models.Model:
        return tables.PlainBeside(url=text, site=urlsplit(text).hostname, url_key=text[:500])

    def update(model: Any, change: Callable[[Any], object]) -> None:
        # Django's own statement takes the square of the batch.
        instances = [*model._default_manager.order_by("pk")[: len(texts) // _UPDATED]]
        for start in range(0, len(instances), 100):
            some = instances[start : start + 100]
            for instance in some:
                change(instance)
            names = ["url"] if model is tables.Beside else ["url", "site", "url_key", "item"]
            model._default_manager.bulk_update(some, names)

    def moved(row: Any) -> None:
        row.url = f"https://moved.example/{row.pk}"

    def moved_with_its_columns(row: Any) -> None:
        row.url = row.url_key = f"https://moved.example/{row.pk}"
        row.site, row.item = urlsplit(row.url).hostname, None

    bench.job(
        "bulk_create, 3 columns",
        lambda: create(lambda text: tables.Beside(url=text)),
        lambda: create(plain),
    )
    made = tables.Beside.objects.filter(site__isnull=False, url_key__isnull=False).count()
    bench.equal("bulk_create", made, len(texts))
    bench.job(
        "bulk_update, 3 columns",
        lambda: update(tables.Beside, moved),
        lambda: update(tables.PlainBeside, moved_with_its_columns),
    )
    moved_rows = tables.Beside.objects.filter(site="moved.example", item=None).count()
    bench.equal("bulk_update", moved_rows, len(texts) // _UPDATED)
    bench.measured["bulk_create, 3 columns"].rows = len(texts)
    bench.measured["bulk_update, 3 columns"].rows = len(texts) // _UPDATED


def ask_by_host(bench: Bench) -> None:
    """Measure queries by host, beside a column of Django's with the host."""
    _empty(tables.Canonical, tables.PlainHost)
    _copy(tables.PlainLink, tables.Canonical, "id, url", f"WHERE url NOT LIKE '{_INVALID}'")
    _copy(tables.Canonical, tables.PlainHost, "id, url, host")
    ours, plain = tables.Canonical._default_manager, tables.PlainHost._default_manager
    hosts = [seed.host(number) for number in range(0, _HOSTS_ASKED * 20, 20)]
    many = [seed.host(number) for number in range(_HOSTS_LISTED)]
    uppers = [host.upper() for host in hosts]
    beginnings = [host.partition(".example")[0] for host in hosts]

    def counts(rows: Any, lookup: str, values: Sequence[str]) -> list[int]:
        return [rows.filter(**{lookup: value}).count() for value in values]

    queries: list[tuple[str, str, str, Sequence[Any]]] = [
        ("url__host", "url__host", "host", hosts),
        ("url__host__iexact", "url__host__iexact", "host__iexact", uppers),
        ("url__host__startswith", "url__host__startswith", "host__startswith", beginnings),
        ("url__host__in, 1,000 hosts", "url__host__in", "host__in", [many] * 3),
        ("generated host", "host", "host", hosts),
    ]
    for name, lookup, twin, values in queries:
        if lookup != "host" and not connection.features.supports_expression_indexes:
            continue
        bench.equal(name, counts(ours, lookup, values), counts(plain, twin, values))
        bench.job(
            name,
            partial(counts, ours, lookup, values),
            partial(counts, plain, twin, values),
            rows=False,
            times=len(values),
        )

    def by(rows: Any, host: Any) -> list[Any]:
        found = rows.values_list(host).annotate(n=Count("pk"))
        return [*found.order_by("-n", host)[:10]]

    grouped = by(plain, "host")
    for name, host in (("count by URLHost", URLHost("url")), ("count by generated host", "host")):
        bench.equal(name, by(ours, host), grouped)
        bench.job(name, partial(by, ours, host), partial(by, plain, "host"), rows=False)


_INVALID: Final = f"{seed.INVALID_TEXT}%%"


def deploy(bench: Bench) -> None:
    """Measure the operations of migrations while a reader reads the table."""
    states: dict[type[models.Model], ProjectState] = {}
    for model in (tables.Deployed, tables.PlainDeployed):
        _empty(model)
        _copy(tables.PlainLink, model, "id, owner, url", f"WHERE url NOT LIKE '{_INVALID}'")
        states[model] = ProjectState()
        states[model].add_model(ModelState.from_model(model))

    def migrate(model: type[models.Model], operation: Any, *, atomic: bool = True) -> None:
        migration: Any = migrations.Migration("0001", "rows")
        migration.operations = [operation]
        migration.atomic = atomic
        with connection.schema_editor(atomic=atomic) as editor:
            states[model] = migration.apply(states[model], editor)

    ours, plain = tables.Deployed, tables.PlainDeployed
    text = models.CharField(max_length=500, null=True, db_index=True)
    one_each = models.UniqueConstraint(fields=["owner", "url"], name="rows_one_each")
    one_plain = models.UniqueConstraint(fields=["owner", "url"], name="rows_one_plain")
    canonical, live = (IsCanonicalURL("url", name=f"rows_canonical_{n}") for n in "12")
    is_text, is_text_live = (
        models.CheckConstraint(condition=models.Q(url__gt=""), name=f"rows_is_text_{n}")
        for n in "12"
    )
    operations: list[tuple[str, Any, Any]] = [
        (
            "AlterField to CanonicalURLField",
            migrations.AlterField("deployed", "url", CanonicalURLField()),
            migrations.AlterField("plaindeployed", "url", models.URLField(max_length=3000)),
        ),
        (
            "AddField of a URLKeyField",
            migrations.AddField("deployed", "url_key", URLKeyField("url", max_length=500)),
            migrations.AddField("plaindeployed", "url_key", text),
        ),
        (
            "UpdateURLKeys",
            UpdateURLKeys("deployed", "url_key"),
            migrations.RunPython(
                lambda _apps, _editor: _loop(tables.PlainDeployed, "url_key", _key)
            ),
        ),
        (
            "AddConstraint of IsCanonicalURL",
            migrations.AddConstraint("deployed", canonical),
            migrations.AddConstraint("plaindeployed", is_text),
        ),
        (
            "AddUniqueConstraintConcurrently",
            AddUniqueConstraintConcurrently("deployed", one_each),
            migrations.AddConstraint("plaindeployed", one_plain),
        ),
    ]
    if connection.vendor == "postgresql":
        from django.contrib.postgres.operations import AddConstraintNotValid, ValidateConstraint

        operations += [
            (
                "AddConstraintNotValid of IsCanonicalURL",
                AddConstraintNotValid("deployed", live),
                AddConstraintNotValid("plaindeployed", is_text_live),
            ),
            (
                "ValidateConstraint of IsCanonicalURL",
                ValidateConstraint("deployed", live.name),
                ValidateConstraint("plaindeployed", is_text_live.name),
            ),
        ]
    for name, operation, twin in operations:
        is_long = isinstance(operation, AddUniqueConstraintConcurrently | UpdateURLKeys)
        bench.job(
            name,
            partial(migrate, ours, operation, atomic=not is_long),
            partial(migrate, plain, twin, atomic=not isinstance(twin, migrations.RunPython)),
            read=ours,
        )
    for model in (ours, plain):
        with connection.schema_editor() as editor:
            editor.delete_model(states[model].apps.get_model("rows", model._meta.model_name))
            editor.create_model(model)


_JOBS: Final[tuple[Callable[[Bench], None], ...]] = (
    run_and_undo,
    merge_and_undo,
    fill_keys,
    create_in_bulk,
    ask_by_host,
    deploy,
)


def _measure(rows: int) -> Bench:
    bench = Bench(rows)
    _fill(rows)
    for jobs in _JOBS:
        jobs(bench)
        if jobs is run_and_undo:
            _empty(tables.PlainLink, tables.PlainClick)
            _copy(tables.Original, tables.PlainLink, "id, owner, url")
            _copy(tables.Click, tables.PlainClick, "id, link_id")
    return bench


# The table.


def _shown(seconds: float | None) -> str:
    if seconds is None:
        return "–"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def _lines(small: Bench, large: Bench) -> Iterator[str]:
    yield (
        "| job | time | rows a second | its plain twin | memory, MB | a reader waits | growth "
        "| of the twin |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for name, found in large.measured.items():
        rate = "–" if found.rows is None else f"{found.rows / found.seconds:,.0f}"
        plain = "–" if found.plain is None else f"{found.seconds / found.plain:.1f} times as long"
        memory = "–" if found.memory is None else f"{found.memory:.0f}"
        # On a busy machine, both grow.
        growth, of_twin = _growth(small, large, name)
        mark = " (!)" if name in _faults(small, large) else ""
        twin = "–" if of_twin is None else f"{of_twin:.1f}"
        yield (
            f"| {name} | {_shown(found.seconds)} | {rate} | {plain} | {memory} "
            f"| {_shown(found.wait)} | {growth:.1f}{mark} | {twin} |"
        )


def _faults(small: Bench, large: Bench) -> list[str]:
    """Return the jobs that grow faster than their table."""
    found = []
    for name, job in large.measured.items():
        growth, of_twin = _growth(small, large, name)
        if job.seconds > _SHORT and growth > max(_MOST_GROWTH, _MORE_THAN_TWIN * (of_twin or 0)):
            found.append(name)
    return found


def _growth(small: Bench, large: Bench, name: str) -> tuple[float, float | None]:
    """Return how many times as long a job takes with all rows, and its twin if there is one."""
    job, before = large.measured[name], small.measured[name]
    of_twin = job.plain / before.plain if job.plain and before.plain else None
    return job.seconds / before.seconds, of_twin


def main() -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=50_000, help="of the table (%(default)s)")
    parser.add_argument(
        "--only-counts", action="store_true", help="fail for wrong counts, and not for growth"
    )
    arguments = parser.parse_args()
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        small = _measure(max(arguments.rows // _SHARE, 100))
        large = _measure(arguments.rows)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
    print(*_lines(small, large), sep="\n")
    wrong = [*small.wrong, *large.wrong]
    faults = _faults(small, large)
    for each in faults:
        print(f"{each}: more than {_MOST_GROWTH} times as long for {_SHARE} times the rows")
    for each in wrong:
        print(f"wrong: {each}")
    return 1 if wrong or (faults and not arguments.only_counts) else 0
