"""What Django does with a URL field, beside its own `URLField`, on SQLite in memory."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

import django
import pytest
from django.conf import settings

FIELDS: Final = ("URLField", "records", "as_text")
_ONE_BY_ONE: Final = 10
"""Tasks that handle one URL at a time get one of so many."""

_TEMPLATE: Final = "{% for row in rows %}<a href='{{ row.url }}'>{{ row.url }}</a>{% endfor %}"
_FILTERS: Final = (
    "{% load whatwg_url %}{% for row in rows %}"
    "<a href='{{ row.url|url_href }}'>{{ row.url|url_display }}</a>{% endfor %}"
)
_HAS_REST: Final = importlib.util.find_spec("rest_framework") is not None

if not settings.configured:
    settings.configure(
        SECRET_KEY="only for measuring",
        USE_TZ=True,
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        MIGRATION_MODULES={"django_whatwg_url": None},  # none makes the tables below
        INSTALLED_APPS=[
            "django.contrib.admin", "django.contrib.auth", "django.contrib.contenttypes",
            "django.contrib.messages", "django_whatwg_url",
            *(["rest_framework"] if _HAS_REST else []),
        ],
        TEMPLATES=[{
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {"context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]},
        }],
    )  # fmt: skip
    django.setup()


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


class Table:
    """A table with one of the fields, and what is done with it."""

    def __init__(self, model: Any, count: int) -> None:
        self.model, self.rows, self.count = model, model.objects, count
        self.texts = hrefs(count)
        self.some = self.texts[::_ONE_BY_ONE]
        self.is_plain = model.__name__ == FIELDS[0]
        self.is_text = isinstance(self.rows.first().url, str)

    def host(self, url: Any) -> object:
        """Return the host of a value."""
        return urlsplit(url).hostname if self.is_text else str(url.host)

    def rendered(self, source: str) -> Callable[[], object]:
        """Return what renders all rows by a template."""
        from django.template import Context, Template

        template = Template(source)
        return lambda: template.render(Context({"rows": self.rows.all()}))

    def form_checks(self) -> Callable[[], object]:
        """Return what validates a ModelForm with each of some texts."""
        from django import forms

        form = forms.modelform_factory(self.model, fields=["url"])
        return lambda: [form({"url": text}).is_valid() for text in self.some]

    def form_field(self) -> Any:
        """Return a form field."""
        from django import forms

        from django_whatwg_url.forms import CanonicalURLField

        return forms.URLField(assume_scheme="https") if self.is_plain else CanonicalURLField()

    def cleaned(self, begin: str) -> Callable[[], object]:
        """Return what cleans links that begin with ``begin`` instead of their scheme."""
        from django.core.exceptions import ValidationError

        clean = self.form_field().clean
        texts = [begin + text.partition("://")[2] for text in self.some]

        def run() -> None:
            for text in texts:
                with suppress(ValidationError):
                    clean(text)

        return run

    def admin_list(self) -> Callable[[], object]:
        """Return what renders the admin's list of 100 rows."""
        from django.contrib import admin
        from django.contrib.auth.models import User
        from django.test import RequestFactory

        request = RequestFactory().get("/")
        request.user = User(is_superuser=True, is_staff=True, is_active=True)
        view: Any = admin.site.get_model_admin(self.model)
        return lambda: view.changelist_view(request).render()

    def _serializer(self) -> Any:
        from rest_framework.serializers import ModelSerializer

        meta = type("Meta", (), {"model": self.model, "fields": ["id", "url"]})
        return type("Rows", (ModelSerializer,), {"Meta": meta})

    def serialized(self) -> Callable[[], object]:
        """Return what writes all rows with Django REST framework."""
        made = self._serializer()
        return lambda: made(self.rows.all(), many=True).data

    def deserialized(self) -> Callable[[], object]:
        """Return what reads some texts with it."""
        made = self._serializer()
        return lambda: [made(data={"url": text}).is_valid() for text in self.some]


def _each(make: Callable[[str], Any], table: Table) -> Callable[[], object]:
    return lambda: [make(text) for text in table.some]


# Each task returns what is timed.
OF_ALL: Final[dict[str, Callable[[Table], Callable[[], object]]]] = {
    "reading rows": lambda t: lambda: list(t.rows.all()),
    "`iterator()`": lambda t: lambda: [None for _ in t.rows.iterator()],
    "`str(url)` of each row": lambda t: lambda: [str(row.url) for row in t.rows.all()],
    "the host of each row": lambda t: lambda: [t.host(row.url) for row in t.rows.all()],
    "`values_list`": lambda t: lambda: list(t.rows.values_list("url", flat=True)),
    "template": lambda t: t.rendered(_TEMPLATE),
    "template with filters": lambda t: t.rendered(_TEMPLATE if t.is_plain else _FILTERS),
    "`bulk_create`": lambda t: lambda: t.rows.bulk_create([t.model(url=s) for s in t.texts]),
}
ONE_BY_ONE: Final[dict[str, Callable[[Table], Callable[[], object]]]] = {
    "`save`": lambda t: _each(lambda text: t.model(url=text).save(), t),
    "`full_clean`": lambda t: _each(lambda text: t.model(url=text).full_clean(), t),
    "form field": lambda t: _each(t.form_field().clean, t),
    "form field, no scheme": lambda t: t.cleaned(""),
    "form field, space in host": lambda t: t.cleaned("https://w w."),
    "form field, refused scheme": lambda t: t.cleaned("javascript:"),
    "ModelForm": lambda t: t.form_checks(),
    "`get` by URL": lambda t: _each(lambda text: t.rows.get(url=text), t),
}
OF_A_HUNDRED: Final[dict[str, Callable[[Table], Callable[[], object]]]] = {
    "admin's list": lambda t: t.admin_list()
}
REST: Final[dict[str, Callable[[Table], Callable[[], object]]]] = {
    "REST, out": lambda t: t.serialized(),
    "REST, in": lambda t: t.deserialized(),
}
TASKS: Final = OF_ALL | ONE_BY_ONE | OF_A_HUNDRED | (REST if _HAS_REST else {})


@pytest.fixture(scope="module")
def tables(rows: int) -> Iterator[dict[str, Table]]:
    """Make a table for each field, with an index on the URL, in a database of their own."""
    from django.contrib import admin
    from django.db import connection, models
    from django.urls import path

    from django_whatwg_url.fields import CanonicalURLField

    count = max(min(rows, 5_000), 100)
    fields: list[Any] = [models.URLField(max_length=2048, db_index=True),
                         CanonicalURLField(db_index=True),
                         CanonicalURLField(as_text=True, db_index=True)]  # fmt: skip
    made: list[Any] = [
        type(name, (models.Model,), {
            "__module__": __name__, "url": field,
            "Meta": type("Meta", (), {"app_label": "django_whatwg_url"}),
        })
        for name, field in zip(FIELDS, fields, strict=True)
    ]  # fmt: skip
    for model in made:
        admin.site.register(model, list_display=["id", "url"], list_per_page=100)
    settings.ROOT_URLCONF = (path("admin/", admin.site.urls),)
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    for model in made:
        model.objects.bulk_create([model(url=href) for href in hrefs(count)])
    yield {model.__name__: Table(model, count) for model in made}
    connection.creation.destroy_test_db(":memory:", verbosity=0)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("task", TASKS)
def bench_django(
    task: str, field: str, tables: dict[str, Table], timed: Callable[..., Any], benchmark: Any
) -> None:
    """Time a task with a field. What it stores is taken back."""
    from django.db import connection, transaction

    table = tables[field]
    action = TASKS[task](table)
    given = table.some if task in ONE_BY_ONE or task == "REST, in" else table.texts
    block = transaction.atomic()

    def begin(texts: list[str]) -> list[str]:
        block.__enter__()
        return texts

    def roll_back() -> None:
        transaction.set_rollback(True)
        block.__exit__(None, None, None)

    benchmark.group = task
    timed(
        lambda _: action(),
        given[:100] if task in OF_A_HUNDRED else given,
        begin,
        roll_back,
        task=task,
        field=field,
    )
    if connection.in_atomic_block:  # without measuring, nothing follows an action
        roll_back()
