"""What a URL column costs beside Django's own URLField: ``python -m tests.benchmarks.rows``.

The database is in memory, or the server that WEBURL_TEST_DATABASE names .
The fields read and store the same rows in turn, several rounds; what counts is the ratio of
their medians, since times drift with the machine. The rows have a key and the URL, nothing else,
so that what the field costs is not hidden among other columns.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter
from typing import Any, Final

import django
from django.conf import settings

from tests.django.settings import database

ROWS: Final = 10_000
SAVED_ONE_BY_ONE: Final = 1_000
ROUNDS: Final = 15

Action = Callable[[], object]
Task = Callable[[Any], Action]


def hrefs(count: int) -> list[str]:
    """Return canonical URLs, all different, of lengths and shapes that are common on the web."""
    shapes = (
        "https://www.example.com/articles/{}/the-title-of-an-article",
        "https://example.org/{}",
        "http://sub.domain.example.net:8080/a/b/c?page={}&sort=asc",
        "https://example.com/search?q=%C3%A9t%C3%A9&n={}#results",
        "https://user{}.blog.example/2026/07/24/index.html",
    )
    return [shapes[number % len(shapes)].format(number) for number in range(count)]


def read(rows: Any) -> Action:
    """Read instances, and touch no part of a URL."""
    return lambda: list(rows.all())


def read_in_chunks(rows: Any) -> Action:
    """Read instances as they come."""

    def iterate() -> None:
        for _row in rows.iterator():
            pass

    return iterate


def read_and_touch(rows: Any) -> Action:
    """Read instances, and each one's URL."""
    return lambda: [row.url for row in rows.all()]


def read_values(rows: Any) -> Action:
    """Read the column alone."""
    return lambda: list(rows.values_list("url", flat=True))


def create_in_bulk(rows: Any) -> Action:
    """Make instances of text, and store them together."""
    texts = hrefs(ROWS)
    return lambda: rows.bulk_create([rows.model(url=text) for text in texts])


def save_loop(rows: Any) -> Action:
    """Make instances of text, and save them one by one."""
    texts = hrefs(SAVED_ONE_BY_ONE)

    def save() -> None:
        for text in texts:
            rows.model(url=text).save(force_insert=True)

    return save


def save_again(rows: Any) -> Action:
    """Save instances that were read, unchanged."""
    loaded = list(rows.all()[:SAVED_ONE_BY_ONE])

    def save() -> None:
        for row in loaded:
            row.save()

    return save


READING: Final[dict[str, tuple[Task, int]]] = {
    "read, URLs untouched": (read, ROWS),
    "read with iterator()": (read_in_chunks, ROWS),
    "read and touch each URL": (read_and_touch, ROWS),
    "values_list()": (read_values, ROWS),
}
STORING: Final[dict[str, tuple[Task, int]]] = {
    "bulk_create()": (create_in_bulk, ROWS),
    "save() of new rows": (save_loop, SAVED_ONE_BY_ONE),
    "save() of rows read": (save_again, SAVED_ONE_BY_ONE),
}


def seconds(action: Action) -> float:
    """Return how long ``action`` takes, without the garbage that others left."""
    gc.collect()
    start = perf_counter()
    action()
    return perf_counter() - start


def measure(task: Task, models: list[Any], *, undo: bool) -> list[float]:
    """Return each model's median over interleaved rounds; ``undo`` takes back what was stored."""
    from django.db import transaction

    times: list[list[float]] = [[] for _ in models]
    for round_number in range(ROUNDS + 1):
        for position, model in enumerate(models):
            with transaction.atomic():
                taken = seconds(task(model.objects))
                if undo:
                    transaction.set_rollback(True)
            if round_number:  # The first is for caches to fill.
                times[position].append(taken)
    return [median(taken) for taken in times]


@contextmanager
def tables(count: int = ROWS) -> Iterator[list[Any]]:
    """Make a table of ``count`` rows for each field, in a test database of their own."""
    from django.db import connection, models

    from django_whatwg_url.fields import CanonicalURLField

    class Plain(models.Model):
        url = models.URLField(max_length=2048)

        class Meta:
            app_label = "django_whatwg_url"

    class Canonical(models.Model):
        url = CanonicalURLField()

        class Meta:
            app_label = "django_whatwg_url"

    class Text(models.Model):
        url = CanonicalURLField(as_text=True)

        class Meta:
            app_label = "django_whatwg_url"

    made: list[Any] = [Plain, Canonical, Text]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        with connection.schema_editor() as editor:
            for model in made:
                editor.create_model(model)
        for model in made:
            model.objects.bulk_create([model(url=href) for href in hrefs(count)])
        yield made
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


def main() -> None:
    """Print rows per second of each field, and the ratios of the times to URLField's."""
    with tables() as models:
        from django.db import connection

        print(f"{connection.vendor}, median of {ROUNDS} rounds, rows per second")
        print(f"{'':<26}{'URLField':>10}{'records':>16}{'':>7}{'as_text=True':>16}")
        for undo, tasks in ((False, READING), (True, STORING)):
            for name, (task, rows) in tasks.items():
                plain, *ours = measure(task, models, undo=undo)
                ratios = "".join(f"{rows / time:>16,.0f}{time / plain:>7.2f}" for time in ours)
                print(f"{name:<26}{rows / plain:>10,.0f}{ratios}")


if __name__ == "__main__":
    if len(sys.argv) != 1:
        sys.exit("usage: python -m tests.benchmarks.rows")
    settings.configure(
        DATABASES={"default": database(os.environ.get("WEBURL_TEST_DATABASE") or "sqlite://")},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=["django_whatwg_url"],
    )
    django.setup()
    main()
