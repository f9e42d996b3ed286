"""What queries cost on a large table, for "Make it fast" in `docs/querying.md`.

``python -m benchmarks.large_table ROWS`` makes two tables of so many rows (a million unless given)
in the database that WEBURL_TEST_DATABASE names, and drops them afterwards. One has an index only on
the URL, the other has all that the page names. It prints the shortest of three times of each query,
in milliseconds: of the processor with SQLite, which runs in this process, and else on the clock.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from time import perf_counter, process_time
from typing import Any, Final

ROWS: Final = 1_000_000
_BATCH: Final = 10_000
_TIMES: Final = 3
_HOSTS: Final = 50_000
_SECTIONS: Final = ("blog", "docs", "shop", "news", "a", "wiki")
_SOURCES: Final = ("mail", "news", "feed", "ads", "social")

Query = Callable[[Any], object]


def hrefs(count: int) -> Iterator[str]:
    """Yield canonical URLs, all different. Few hosts have many of them, as on the web."""
    generator = random.Random(47)
    hosts = [
        f"{label}.site{number % (_HOSTS // 2)}.example"
        for number, label in zip(range(_HOSTS), ("www", "shop") * (_HOSTS // 2), strict=True)
    ]
    for number in range(count):
        host = hosts[min(int(generator.paretovariate(0.4)) - 1, _HOSTS - 1)]
        name = generator.choice(("", "", ".html", ".pdf"))
        path = f"{generator.choice(_SECTIONS)}/{generator.randrange(2000)}/page-{number}{name}"
        query = f"?id={generator.randrange(count)}" if number % 2 else ""
        if number % 10 == 0:
            query = f"?utm_source={generator.choice(_SOURCES)}&q=caf%C3%A9+{number}"
        yield f"https://{host}/{path}{query}"


def models() -> tuple[Any, Any]:
    """Return the model with an index only on the URL, and the one with all indexes."""
    from django.db import models

    from django_whatwg_url.fields import CanonicalURLField, QueryParamField, RegistrableDomainField
    from django_whatwg_url.indexes import URLIndex

    class Plain(models.Model):
        url = CanonicalURLField(unique=True)

        class Meta:
            app_label = "django_whatwg_url"

    class Indexed(models.Model):
        url = CanonicalURLField(unique=True)
        site = RegistrableDomainField("url")
        item = QueryParamField("url", "id")
        source = QueryParamField("url", "utm_source")

        class Meta:
            app_label = "django_whatwg_url"
            indexes = (
                URLIndex("url", part="host"),
                URLIndex("url", part="reversed_host"),
                URLIndex("url", part="path"),
            )

    return Plain, Indexed


def queries() -> dict[str, tuple[Query | None, Query | None]]:
    """Return the queries by the words of the page: on the plain table, and on the other one."""
    from django.db.models import Count

    from django_whatwg_url.functions import QueryParam, URLHost

    def rows(**conditions: object) -> Query:
        return lambda model: list(model.objects.filter(**conditions).values_list("pk"))

    def groups(by: Any) -> Query:
        return lambda model: list(
            model.objects.values_list(by).annotate(n=Count("pk")).order_by("-n")[:10]
        )

    host, page = "shop.site9001.example", "https://www.site0.example/blog/77"
    return {
        "`url__host`": (rows(url__host=host),) * 2,
        "`url__host__under`": (rows(url__host__under="site9001.example"),) * 2,
        "`site=`, with a column": (None, rows(site="site9001.example")),
        "`url__under`": (rows(url__under=page),) * 2,
        "`url__path__under`": (rows(url__path__under="/blog/77"),) * 2,
        "`url__path_segment__0`": (rows(url__path_segment__0="nothing"), None),
        "`url__file_extension`": (
            lambda model: model.objects.filter(url__file_extension=".pdf").count(),
            None,
        ),
        "`url__query_params__id`": (rows(url__query_params__id="77"), None),
        "`item=`, with a column": (None, rows(item="77")),
        "`url__query_params__has`": (
            lambda model: model.objects.filter(url__query_params__has="utm_source").count(),
            None,
        ),
        "`url__query_params__has_any`, 3 names": (
            lambda model: model.objects.filter(
                url__query_params__has_any=["utm_source", "utm_medium", "fbclid"]
            ).count(),
            None,
        ),
        "`url__contains`, for comparison": (rows(url__contains="id=77777"), None),
        "`url__holds`": (rows(url__holds="café 770"), None),
        "`url__typed`": (rows(url__typed=f"{host}/blog"),) * 2,
        "count by host": (groups(URLHost("url")),) * 2,
        "count by site, with a column": (None, groups("site")),
        "count by parameter": (groups(QueryParam("url", "utm_source")), None),
        "count by parameter, with a column": (None, groups("source")),
    }


def fill(plain: Any, indexed: Any, count: int) -> None:
    """Give both tables the same rows."""
    from django.db import connection

    urls = hrefs(count)
    while batch := list(islice(urls, _BATCH)):
        indexed.objects.bulk_create(indexed(url=url) for url in batch)
    names = [connection.ops.quote_name(model._meta.db_table) for model in (plain, indexed)]
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO {} (id, url) SELECT id, url FROM {}".format(*names))
        if connection.vendor == "mysql":
            cursor.execute("ANALYZE TABLE {}, {}".format(*names))
        else:
            cursor.execute("ANALYZE")


def milliseconds(query: Query, model: Any) -> float:
    """Return the shortest time of a query."""
    from django.db import connection

    clock = process_time if connection.vendor == "sqlite" else perf_counter
    times = []
    for _ in range(_TIMES):
        start = clock()
        query(model)
        times.append(clock() - start)
    return min(times) * 1000


def main() -> int:
    """Make the tables, measure, and print a table."""
    import django
    from django.conf import settings

    from tests.django.settings import DATABASES

    settings.configure(
        DATABASES=DATABASES,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=["django_whatwg_url"],
    )
    django.setup()
    from django.db import connection

    count = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    both = models()
    name = connection.creation.create_test_db(verbosity=0)
    try:
        with connection.schema_editor() as editor:
            for model in both:
                editor.create_model(model)
        fill(*both, count)
        print(f"| {count:,} rows, {connection.display_name} | no index | index |\n|---|---|---|")
        for title, pair in queries().items():
            cells = [
                "" if query is None else f"{milliseconds(query, model):,.1f}"
                for query, model in zip(pair, both, strict=True)
            ]
            print(f"| {title} | {' | '.join(cells)} |", flush=True)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
    return 0


if __name__ == "__main__":
    sys.exit(main())
