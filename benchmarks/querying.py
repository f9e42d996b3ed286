"""Queries by param, beside those that people write on Django's URLField: ``make bench-queries``.

``python -m benchmarks.querying ROWS ROUNDS`` measures on the database that WEBURL_TEST_DATABASE
names, as for the tests, by default SQLite in memory. Each query counts rows, without an index. In
each round every query has its turn; what counts are the shortest times of the whole query.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from time import perf_counter
from typing import Any, Final
from urllib.parse import quote, quote_plus

from benchmarks.table import table

ROWS: Final = 100_000
ROUNDS: Final = 7
WANTED: Final = 2.0
"""The ratio to ``contains`` that this project wants."""

_WORDS: Final = (
    "hello world",
    "café",
    "shoes",
    "red shoes",
    "50%",
    "a&b",
    "url",
    "one",
    "new york",
)


def hrefs(count: int) -> list[str]:
    """Return URLs as a shop or a list of bookmarks has them: half of them have a query."""
    random = Random(0)
    found = []
    for number in range(count):
        word = random.choice(_WORDS)
        path = f"https://www.{random.choice(_WORDS[2:3])}{number % 977}.example/articles/{number}"
        found.append(
            random.choice(
                (
                    f"{path}/the-title-of-an-article",
                    f"{path}/",
                    f"{path}/{quote(word)}/index.html",
                    f"{path}?id={number}",
                    f"{path}?page={number % 50}&sort=asc#results",
                    f"{path}?q={quote_plus(word)}&n={number}",
                    f"{path}?id={number}&utm_source=news&utm_medium=email",
                    f"{path}?next=https%3A%2F%2Fexample.org%2F%3Fid%3D{number}&lang=en",
                )
            )
        )
    return found


QUERIES: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "has the param `utm_source`": {
        "contains": {"contains": "utm_source="},
        "regex": {"regex": "[?&]utm_source(=|&|#|$)"},
        "param": {"query_params__has": "utm_source"},
    },
    "`id` is 42": {
        "contains": {"contains": "id=42"},
        "regex": {"regex": "[?&]id=42(&|#|$)"},
        "param": {"query_params__id": 42},
    },
    '`q` is "hello world"': {
        "contains": {"contains": "q=hello+world"},
        "regex": {"regex": r"[?&]q=hello(\+|%20)world(&|#|$)"},
        "param": {"query_params__q": "hello world"},
    },
    '`q` is "café"': {
        "contains": {"contains": "q=caf%C3%A9"},
        "regex": {"regex": r"[?&]q=caf%[Cc]3%[Aa]9(&|#|$)"},
        "param": {"query_params__q": "café"},
    },
    '`q` contains "shoes"': {
        "contains": {"contains": "shoes"},
        "regex": {"regex": "[?&]q=[^&#]*shoes"},
        "param": {"query_params__q__contains": "shoes"},
    },
    'the first segment is "news"': {
        "contains": {"contains": "/news"},
        "regex": {"regex": "^https?://[^/?#]*/news([/?#]|$)"},
        "param": {"path_segment__0": "news"},
    },
    "the extension is .html": {
        "contains": {"contains": ".html"},
        "regex": {"regex": r"^[^?#]*/[^/?#]+\.html([?#]|$)"},
        "param": {"file_extension": ".html"},
    },
}


@contextmanager
def tables(count: int) -> Iterator[tuple[Any, Any]]:
    """Make a table with Django's URLField and one with ours, with the same URLs."""
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

    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        with connection.schema_editor() as editor:
            for model in (Plain, Canonical):
                editor.create_model(model)
        texts = hrefs(count)
        models_made: tuple[Any, Any] = (Plain, Canonical)
        for model in models_made:
            model._default_manager.bulk_create(
                [model(url=text) for text in texts], batch_size=10_000
            )
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("VACUUM ANALYZE")
        yield Plain, Canonical
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


def measure(count: int, rounds: int) -> dict[str, dict[str, float]]:
    """Return the milliseconds of each query, by task and by the way to ask."""
    found: dict[str, dict[str, float]] = {}
    with tables(count) as (plain, canonical):
        for task, ways in QUERIES.items():
            actions = {
                way: _counting(canonical if way == "param" else plain, conditions)
                for way, conditions in ways.items()
            }
            times: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(rounds):
                for way, action in actions.items():
                    start = perf_counter()
                    action()
                    times[way].append(perf_counter() - start)
            found[task] = {way: min(taken) * 1000 for way, taken in times.items()}
    return found


def _counting(model: Any, conditions: dict[str, Any]) -> Callable[[], int]:
    rows = model.objects.filter(**{f"url__{name}": value for name, value in conditions.items()})
    return rows.count  # type: ignore[no-any-return]


def render(times: dict[str, dict[str, float]]) -> str:
    """Return the table, with the ratio of a param to ``contains``."""
    return table(
        ["find the URLs where", "`contains`", "`regex`", "ours", "ours to `contains`"],
        (
            [
                task,
                *(f"{taken[way]:.0f}" for way in ("contains", "regex", "param")),
                f"{taken['param'] / taken['contains']:.2f}",
            ]
            for task, taken in times.items()
        ),
    )


def main(count: int = ROWS, rounds: int = ROUNDS) -> None:
    """Print the table for the database of the settings."""
    import django
    from django.conf import settings

    from tests.django.settings import DATABASES

    settings.configure(
        SECRET_KEY="only for measuring",
        DATABASES=DATABASES,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=["django_whatwg_url"],
    )
    django.setup()
    from django.db import connection

    print(f"{connection.display_name}, {count:,} rows, milliseconds:\n")
    print(render(measure(count, rounds)))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
