"""Queries on a large table, in the database that WEBURL_TEST_DATABASE names.

Run it alone, because each process has one set of Django's settings. On a server, time is that of the
clock: ``--benchmark-timer=time.perf_counter``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final

import django
import pytest
from django.conf import settings

from tests.django.settings import DATABASES

_BATCH: Final = 10_000
_HOSTS: Final = 50_000
_SECTIONS: Final = ("blog", "docs", "shop", "news", "a", "wiki")
_SOURCES: Final = ("mail", "news", "feed", "ads", "social")

Query = Callable[[Any], object]

if not settings.configured:
    settings.configure(
        SECRET_KEY="only for measuring",
        DATABASES=DATABASES,
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        MIGRATION_MODULES={"django_whatwg_url": None},  # none makes the tables below
        INSTALLED_APPS=["django_whatwg_url"],
        SILENCED_SYSTEM_CHECKS=["mysql.W003"],
        USE_TZ=True,
    )
    django.setup()


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


def _counted(**conditions: object) -> Query:
    return lambda model: model.objects.filter(**conditions).count()


def _grouped(by: Callable[[], Any]) -> Query:
    from django.db.models import Count

    return lambda model: list(
        model.objects.values_list(by()).annotate(n=Count("pk")).order_by("-n")[:10]
    )


def _host() -> Any:
    from django_whatwg_url.functions import URLHost

    return URLHost("url")


def _source() -> Any:
    from django_whatwg_url.functions import QueryParam

    return QueryParam("url", "utm_source")


_SHOP: Final = "shop.site9001.example"
_PAGE: Final = "https://www.site0.example/blog/77"
PLAIN, OURS, INDEXED = "Plain", "Canonical", "Indexed"

# Each row: the query, and the tables that it runs on.
QUERIES: Final[dict[str, tuple[Query, tuple[str, ...]]]] = {
    "`url__host`": (_counted(url__host=_SHOP), (OURS, INDEXED)),
    "`url__host__under`": (_counted(url__host__under="site9001.example"), (OURS, INDEXED)),
    "`site=`, with a column": (_counted(site="site9001.example"), (INDEXED,)),
    "`url__under`": (_counted(url__under=_PAGE), (OURS, INDEXED)),
    "`url__path__under`": (_counted(url__path__under="/blog/77"), (OURS, INDEXED)),
    "`url__query_params__id`": (_counted(url__query_params__id="77"), (OURS,)),
    "`item=`, with a column": (_counted(item="77"), (INDEXED,)),
    "`url__query_params__has`": (_counted(url__query_params__has="utm_source"), (OURS,)),
    '`q` is "café 770"': (_counted(url__query_params__q="café 770"), (OURS,)),
    "`contains`": (_counted(url__contains="id=77777"), (PLAIN, OURS)),
    "`regex`": (_counted(url__regex="[?&]id=77(&|#|$)"), (PLAIN,)),
    "`url__holds`": (_counted(url__holds="café 770"), (OURS,)),
    "`url__typed`": (_counted(url__typed=f"{_SHOP}/blog"), (OURS, INDEXED)),
    "count by host": (_grouped(_host), (OURS, INDEXED)),
    "count by site, with a column": (_grouped(lambda: "site"), (INDEXED,)),
    "count by parameter": (_grouped(_source), (OURS,)),
    "count by parameter, with a column": (_grouped(lambda: "source"), (INDEXED,)),
}  # fmt: skip


@pytest.fixture(scope="module")
def models(rows: int) -> Iterator[dict[str, Any]]:
    """Make the tables, with the same rows, in a test database."""
    from django.db import connection, models

    from django_whatwg_url.fields import CanonicalURLField, QueryParamField, RegistrableDomainField
    from django_whatwg_url.indexes import URLIndex

    class Plain(models.Model):
        url = models.URLField(max_length=2048)

        class Meta:
            app_label = "django_whatwg_url"

    class Canonical(models.Model):
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

    made: dict[str, Any] = {PLAIN: Plain, OURS: Canonical, INDEXED: Indexed}
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    for model in made.values():
        urls = hrefs(rows)
        while batch := list(islice(urls, _BATCH)):
            model.objects.bulk_create(model(url=url) for url in batch)
    with connection.cursor() as cursor:
        tables = ", ".join(connection.ops.quote_name(m._meta.db_table) for m in made.values())
        cursor.execute(f"ANALYZE TABLE {tables}" if connection.vendor == "mysql" else "ANALYZE")
    yield made
    connection.creation.destroy_test_db(name, verbosity=0)


@pytest.mark.parametrize(
    ("query", "table"), [(name, table) for name, (_, on) in QUERIES.items() for table in on]
)
def bench_query(query: str, table: str, models: dict[str, Any], benchmark: Any) -> None:
    """Time one query on one table."""
    benchmark.group = query
    benchmark.extra_info.update(query=query, table=table)
    benchmark.pedantic(QUERIES[query][0], args=(models[table],), rounds=3)
