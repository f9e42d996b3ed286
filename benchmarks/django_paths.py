"""What Django does with a URL field, beside its own URLField: all that a request may come by.

``python -m benchmarks.django_paths ROUNDS ROWS`` measures in a process of its own, because it
sets up Django, and prints the times as JSON. The database is SQLite in memory. In each round every
field has its turn, and the garbage collector is off; what counts are the shortest times.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import process_time
from typing import Any, Final
from urllib.parse import urlsplit

ROWS: Final = 5_000
_ONE_BY_ONE: Final = 10
"""Tasks that handle one URL at a time get one of so many."""

FIELDS: Final = ("URLField", "records", "as_text")
WANTED_AS_TEXT: Final = 1.05
WANTED: Final[dict[str, dict[str, float]]] = {
    "reading rows": {"compiled": 1.08, "interpreted": 1.15},
    "`str(url)` of each row": {"compiled": 1.25, "interpreted": 1.4},
    "`values_list`": {"compiled": 2.0, "interpreted": 2.8},
    "`bulk_create`": {"compiled": 1.05, "interpreted": 1.05},
    "`get` by URL": {"compiled": 1.05, "interpreted": 1.05},
    "template": {"compiled": 1.2, "interpreted": 1.3},
    "template with filters": {"compiled": 2.0, "interpreted": 2.5},
    "REST, out": {"compiled": 1.2, "interpreted": 1.25},
    "REST, in": {"compiled": 1.0, "interpreted": 1.05},
}
"""The ratios to URLField that this project wants of records, by task and build."""

Action = Callable[[], object]
_PLAIN: Final = "Plain"  # the model with Django's own field
_TEMPLATE: Final = "{% for row in rows %}<a href='{{ row.url }}'>{{ row.url }}</a>{% endfor %}"
_FILTERS: Final = (
    "{% load whatwg_url %}{% for row in rows %}"
    "<a href='{{ row.url|url_href }}'>{{ row.url|url_display }}</a>{% endfor %}"
)


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


def path_times(rounds: int, rows: int | None = None) -> dict[str, dict[str, float]]:
    """Return the microseconds a URL takes, by task and by field, measured in another process."""
    arguments = [str(rounds), str(rows or ROWS)]
    result = subprocess.run(
        [sys.executable, "-m", "benchmarks.django_paths", *arguments],
        capture_output=True,
        check=True,
        text=True,
    )
    times: dict[str, dict[str, float]] = json.loads(result.stdout)
    return times


def reading(model: Any) -> dict[str, Action]:
    """Return the tasks that read all rows."""
    from django.template import Context, Template

    rows = model.objects
    plain = model.__name__ == _PLAIN
    as_text = isinstance(rows.first().url, str)
    template = Template(_TEMPLATE)
    filtered = template if plain else Template(_FILTERS)

    def hosts() -> object:
        if as_text:
            return [urlsplit(row.url).hostname for row in rows.all()]
        return [str(row.url.host) for row in rows.all()]

    def values_of_hosts() -> object:
        if plain:
            return [urlsplit(url).hostname for url in rows.values_list("url", flat=True)]
        return list(rows.values_list("url__host", flat=True))

    return {
        "reading rows": lambda: list(rows.all()),
        "`iterator()`": lambda: [None for _ in rows.iterator()],
        "`str(url)` of each row": lambda: [str(row.url) for row in rows.all()],
        "the host of each row": hosts,
        "`values_list`": lambda: list(rows.values_list("url", flat=True)),
        "`values_list` of the host": values_of_hosts,
        "template": lambda: template.render(Context({"rows": rows.all()})),
        "template with filters": lambda: filtered.render(Context({"rows": rows.all()})),
    }


def writing(model: Any, texts: list[str], some: list[str]) -> dict[str, tuple[Action, int]]:
    """Return the tasks that store or validate texts, each with how many."""
    from django import forms

    from django_whatwg_url.forms import CanonicalURLField

    plain = model.__name__ == _PLAIN
    loaded = list(model.objects.all()[: len(some)])
    form = forms.modelform_factory(model, fields=["url"])
    field = forms.URLField(assume_scheme="https") if plain else CanonicalURLField()
    tasks: dict[str, Action] = {
        "`save`": lambda: [model(url=text).save() for text in some],
        "`save` of a row that was read": lambda: [row.save() for row in loaded],
        "form field": lambda: [field.clean(text) for text in some],
        "ModelForm": lambda: [form({"url": text}).is_valid() for text in some],
        "`full_clean`": lambda: [model(url=text).full_clean() for text in some],
    }
    return {
        "`bulk_create`": (
            lambda: model.objects.bulk_create([model(url=text) for text in texts]),
            len(texts),
        )
    } | {name: (task, len(some)) for name, task in tasks.items()}


def admin_list(model: Any) -> Action:
    """Return a task that renders the admin's list of 100 rows."""
    from django.contrib import admin
    from django.contrib.auth.models import User
    from django.test import RequestFactory

    request = RequestFactory().get("/")
    request.user = User(is_superuser=True, is_staff=True, is_active=True)
    view: Any = admin.site.get_model_admin(model)
    return lambda: view.changelist_view(request).render()


def rest(model: Any, some: list[str]) -> tuple[Action, Action]:
    """Return the tasks that write and read rows with a ModelSerializer."""
    from rest_framework.serializers import ModelSerializer

    meta = type("Meta", (), {"model": model, "fields": ["id", "url"]})
    serializer: Any = type("Rows", (ModelSerializer,), {"Meta": meta})
    return (
        lambda: serializer(model.objects.all(), many=True).data,
        lambda: [serializer(data={"url": text}).is_valid(raise_exception=True) for text in some],
    )


def tasks_of(model: Any, count: int) -> dict[str, tuple[Action, int]]:
    """Return all tasks with a model, each with how many URLs it handles."""
    texts = hrefs(count)
    some = texts[::_ONE_BY_ONE]
    tasks = {name: (task, count) for name, task in reading(model).items()}
    tasks |= writing(model, texts, some)
    tasks["admin's list"] = (admin_list(model), min(count, 100))
    if importlib.util.find_spec("rest_framework"):
        out, into = rest(model, some)
        tasks |= {"REST, out": (out, count), "REST, in": (into, len(some))}
    return tasks


def getting(model: Any, count: int) -> tuple[Action, int]:
    """Give the column an index, and return the task that finds rows by their URL."""
    from django.db import connection
    from django.db.models import Index

    with connection.schema_editor() as editor:
        editor.add_index(model, Index(fields=["url"], name=f"by_url_{model.__name__}"))
    some = hrefs(count)[::_ONE_BY_ONE]
    return lambda: [model.objects.get(url=text) for text in some], len(some)


def seconds(action: Action) -> float:
    """Return how long an action takes, the garbage collector off. What it stores is taken back."""
    from django.db import transaction

    with transaction.atomic():
        gc.collect()
        gc.disable()
        try:
            start = process_time()
            action()
            taken = process_time() - start
        finally:
            gc.enable()
        transaction.set_rollback(True)
    return taken


def shortest(tasks: list[tuple[Action, int]], rounds: int) -> dict[str, float]:
    """Return each field's shortest time for one URL, in microseconds."""
    times: list[list[float]] = [[] for _ in tasks]
    for number in range(rounds):
        turn = number % len(tasks)
        for position in [*range(turn, len(tasks)), *range(turn)]:
            times[position].append(seconds(tasks[position][0]))
    return {
        name: min(taken) / count * 1e6
        for name, taken, (_, count) in zip(FIELDS, times, tasks, strict=True)
    }


def main(rounds: int, count: int) -> None:
    """Print the times, as JSON."""
    from django.conf import settings
    from django.contrib import admin
    from django.urls import path

    with tables(count) as models:
        for model in models:
            admin.site.register(model, list_display=["id", "url"], list_per_page=100)
        settings.ROOT_URLCONF = (path("admin/", admin.site.urls),)
        by_model = [tasks_of(model, count) for model in models]
        result = {
            name: shortest([tasks[name] for tasks in by_model], rounds) for name in by_model[0]
        }
        result["`get` by URL"] = shortest([getting(model, count) for model in models], rounds)
    print(json.dumps(result))


def _set_up() -> None:
    import django
    from django.conf import settings

    rest_framework = ["rest_framework"] if importlib.util.find_spec("rest_framework") else []
    settings.configure(
        SECRET_KEY="only for measuring",
        USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=[
            "django.contrib.admin",
            "django.contrib.auth",
            "django.contrib.contenttypes",
            "django.contrib.messages",
            "django_whatwg_url",
            *rest_framework,
        ],
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
            }
        ],
    )
    django.setup()


if __name__ == "__main__":
    _set_up()
    main(*map(int, sys.argv[1:]))
