"""What the three fields have in common whose columns follow a URL in the same row."""

# Pickles of our own.

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest
from asgiref.sync import async_to_sync
from django.core import serializers
from django.db import connection, models
from django.db.migrations.state import ModelState, ProjectState
from django.db.migrations.writer import MigrationWriter
from django.db.models import F, Value
from django.forms import modelform_factory
from pytest_django import DjangoAssertNumQueries

from django_whatwg_url.beside import registrable_domain
from django_whatwg_url.fields import (
    CanonicalURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
)
from django_whatwg_url.managers import URLQuerySet
from django_whatwg_url.query_params import query_param
from django_whatwg_url.url_keys import url_key
from tests.django.keysapp.models import Bookmark, ProxyBookmark, RatedBookmark
from tests.django.servers import created, model_with, mysql_index, only_mysql
from tests.django.siteapp.models import Item, Link, MirroredLink, ProxyItem, ProxyLink, RatedItem
from tests.django.stored import column_field, stored_text, stored_texts
from weburl import parse
from weburl.keys import KeyRules, ParamRule

pytestmark = pytest.mark.django_db

PAGE = KeyRules.page()
OLD: Final = "https://old.example/?id=old"
NEW: Final = "https://www.new.co.uk/a?utm_source=mail&id=new"


class Following(NamedTuple):
    """A kind of field, with models that have one."""

    field: Callable[..., models.Field[Any, Any]]
    model: Any
    proxy: Any
    child: Any
    values: dict[str, Callable[[object], str | None]]
    """What each column has of a URL. The first one is indexed."""

    def text(self, url: str) -> str:
        """Return what the column of the URL holds."""
        return url if self.model is Bookmark else parse(url).href


DOMAIN: Final = Following(
    lambda **options: RegistrableDomainField("url", **options),
    Link,
    ProxyLink,
    MirroredLink,
    {"site": registrable_domain},
)
PARAM: Final = Following(
    lambda **options: QueryParamField("url", "id", **options),
    Item,
    ProxyItem,
    RatedItem,
    {
        "item": lambda url: query_param(url, "id"),
        "source": lambda url: query_param(url, "utm source"),
    },
)
KEY: Final = Following(
    lambda **options: URLKeyField("url", **options),
    Bookmark,
    ProxyBookmark,
    RatedBookmark,
    {"url_key": lambda url: url_key(url, PAGE)},
)
each_kind = pytest.mark.parametrize("kind", [DOMAIN, PARAM, KEY], ids=["domain", "param", "key"])


def check_ids(url: models.Field[Any, Any], following: models.Field[Any, Any]) -> list[str | None]:
    """Return the ids of what the system checks say of a URL and a field that follows it."""
    model = model_with()
    url.contribute_to_class(model, "url")
    following.contribute_to_class(model, "following")
    return [message.id for message in model.check(databases={"default"})]


# --- ways to write the URL -----------------------------------------------------------------------


def assigned(kind: Following, url: object, **values: str) -> Any:
    """Return a row with another URL, which is not saved."""
    row = kind.model.objects.create(url=OLD, **values)
    row.url = url
    return row


def save_only_the_url(kind: Following, url: str) -> None:
    """Save only the column of the URL."""
    row = assigned(kind, url)
    row.save(update_fields=["url"])
    for name, value in kind.values.items():
        assert getattr(row, name) == value(url)


def save_what_was_not_deferred(rows: Any, url: str) -> None:
    """Save a row whose value was not loaded."""
    rows.create(url=OLD)
    row = rows.only("url").get()
    row.url = url
    row.save()


def update_or_create(kind: Following, url: str) -> None:
    """Update a row that another column matched."""
    kind.model.objects.create(url=OLD, title="old")
    kind.model.objects.update_or_create(title="old", defaults={"url": url})


def updated(kind: Following) -> Any:
    """Return the rows, one with another URL, to be updated."""
    kind.model.objects.create(url=OLD, title="x")
    return kind.model.objects


def load(kind: Following, url: str, fields: list[str] | None = None) -> None:
    """Load a row that was dumped."""
    kind.model.objects.create(url=url)
    dump = serializers.serialize("json", kind.model.objects.all(), fields=fields)
    kind.model.objects.all().delete()
    for row in serializers.deserialize("json", dump):
        row.save()


Ways = dict[str, Callable[[Following, str], object]]
SAVES: Final[Ways] = {
    "create": lambda kind, url: kind.model.objects.create(url=url),
    "save": lambda kind, url: assigned(kind, url).save(),
    "save only the URL": save_only_the_url,
    "save what was not deferred": (
        lambda kind, url: save_what_was_not_deferred(kind.model.objects, url)
    ),
    "save by proxy": lambda kind, url: save_what_was_not_deferred(kind.proxy.objects, url),
    "save a child": lambda kind, url: save_what_was_not_deferred(kind.child.objects, url),
    "expression": lambda kind, url: assigned(kind, F("title"), title=kind.text(url)).save(),
    "only an expression": (
        lambda kind, url: assigned(kind, F("title"), title=kind.text(url)).save(
            update_fields=["url"]
        )
    ),
    "insert an expression": lambda kind, url: kind.model.objects.create(url=Value(url)),
    "bulk_create": lambda kind, url: kind.model.objects.bulk_create([kind.model(url=url)]),
    "get_or_create": lambda kind, url: kind.model.objects.get_or_create(url=url),
    "update_or_create": update_or_create,
    "asave": lambda kind, url: async_to_sync(kind.model(url=url).asave)(),
    "load": load,
}
NOT_FOR_A_DOMAIN: Final[Ways] = {
    "bulk_update": lambda kind, url: kind.model.objects.bulk_update([assigned(kind, url)], ["url"]),
    "update": lambda kind, url: updated(kind).update(url=url),
    "update with an expression": lambda kind, url: updated(kind).update(url=Value(url), title="y"),
    "update of some rows": (
        lambda kind, url: updated(kind).filter(title="x").order_by("pk").update(url=url)
    ),
    "load without the value": lambda kind, url: load(kind, url, ["url", "title"]),
}
"""The other fields follow these, with `URLQuerySet`. Another test shows what a domain does."""
URLS: Final = [
    (DOMAIN, "https://www.new.co.uk/"),
    (DOMAIN, "https://127.0.0.1/"),
    (PARAM, "https://new.example/?id=new"),
    (PARAM, "https://new.example/"),
    (PARAM, "https://new.example/?id=%00"),
    (PARAM, f"https://new.example/?id={'n' * 1000}&utm%20source={'s' * 256}"),
    (KEY, "HTTPS://New.Example/a?utm_source=mail&id=1"),
    (KEY, "https://new.example/"),
    (KEY, "bad"),
]


@pytest.mark.parametrize(
    ("kind", "url", "way"),
    [
        pytest.param(kind, url, way, id=f"{next(iter(kind.values))}-{url[:40]}-{name}")
        for kind, url in URLS
        for name, way in (SAVES if kind is DOMAIN else SAVES | NOT_FOR_A_DOMAIN).items()
    ],
)
def test_every_statement_that_writes_the_url_writes_the_value(
    kind: Following, url: str, way: Callable[[Following, str], object]
) -> None:
    """Some write only the URL, or do not have its value."""
    way(kind, url)
    assert stored_texts(kind.model) == [kind.text(url)]
    row = kind.model.objects.get()
    for name, value in kind.values.items():
        wanted = value(url)
        assert getattr(row, name) == wanted
        field = column_field(kind.model, name)
        stored = field.as_stored(wanted) if isinstance(field, QueryParamField) else wanted
        assert stored_texts(kind.model, name) == [stored]


@each_kind
def test_a_plain_save_takes_no_query_more(
    kind: Following, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """Only a save of the URL alone does: one more for all values, as Django writes named fields."""
    row = kind.model(url=OLD)
    with django_assert_num_queries(1):
        row.save()
    row.url = parse(NEW)
    with django_assert_num_queries(1):
        row.save()
    row.url = parse(OLD)
    with django_assert_num_queries(2):
        row.save(update_fields=["url"])
    row.url = parse(NEW)
    with django_assert_num_queries(1):
        row.save(update_fields=["url", *kind.values])
    for partial in (kind.model.objects.only("title").get(), kind.model.objects.defer("url").get()):
        with django_assert_num_queries(1):
            partial.save()
    name, value = next(iter(kind.values.items()))
    assert stored_text(row, name) == value(NEW)
    with django_assert_num_queries(1):
        kind.model.objects.update(url=OLD)
    assert stored_text(row, name) == value(NEW if kind is DOMAIN else OLD)


@each_kind
def test_a_copy_whose_url_is_an_expression_does_not_keep_the_value_of_the_other_url(
    kind: Following,
) -> None:
    """`bulk_create()` does not know the new one, so it is NULL."""
    name = next(iter(kind.values))
    row = kind.model.objects.create(url=OLD)
    assert getattr(row, name) is not None
    row.pk, row.url = None, Value(NEW)
    kind.model.objects.bulk_create([row])
    kept = kind.model.objects.order_by("pk").values_list(name, flat=True)
    assert [value is None for value in kept] == [False, True]


@each_kind
def test_no_form_asks_for_the_value(kind: Following) -> None:
    """full_clean() reports nothing, before the row is saved and after it."""
    assert kind.values.keys().isdisjoint(
        modelform_factory(kind.model, fields="__all__").base_fields
    )
    row = kind.model(url=parse(NEW).href)
    row.full_clean(exclude=["owner"])
    row.save()
    row.full_clean(exclude=["owner"])


# --- the column ----------------------------------------------------------------------------------


@each_kind
def test_the_first_column_is_indexed_and_all_are_nullable(kind: Following) -> None:
    """On every database, the collation is that of the URL, or one for ASCII."""
    table = kind.model._meta.db_table
    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, table)
        constraints = connection.introspection.get_constraints(cursor, table)
    columns = {column.name: column for column in described}
    assert all(columns[name].null_ok for name in kind.values)
    if kind is DOMAIN:
        assert columns["site"].collation == columns["url"].collation
    first, *others = kind.values
    # PostgreSQL has a second one, for LIKE.
    indexes = [found for found in constraints.values() if found["columns"] == [first]]
    assert {found["index"] for found in indexes} == {True}
    assert not [
        found for found in constraints.values() if found["columns"] in [[x] for x in others]
    ]


@only_mysql
@pytest.mark.parametrize("kind", [DOMAIN, PARAM], ids=["domain", "param"])
def test_the_index_is_a_true_one_on_mariadb(kind: Following) -> None:
    """It contains the whole column. test_url_keys.py tests more indexes of keys."""
    index = mysql_index(kind.model._meta.db_table, next(iter(kind.values)))
    assert (index["Index_type"], index["Sub_part"]) == ("BTREE", None)


# --- the field -----------------------------------------------------------------------------------

CUSTOM = KeyRules(
    name="mine", version=3, drop_fragment=True, drop_params=["ref", ParamRule(prefixes=["x_"])]
)
BROWSER = KeyRules.browser()
PAGE_RULES: Final = {"rules": f"page@{PAGE.version}"}
BROWSER_RULES: Final = {"rules": f"browser@{BROWSER.version}"}
CUSTOM_PATH: Final = f"{__name__}.CUSTOM"
NAMED: Final = {"verbose_name": "named", "max_length": 300, "db_index": False, "db_column": "x"}


@pytest.mark.parametrize(
    ("field", "args", "kwargs"),
    [
        (RegistrableDomainField("url"), ["url"], {}),
        (RegistrableDomainField("url", **NAMED), ["url"], NAMED),  # type: ignore[arg-type]
        (RegistrableDomainField("url", unique=True), ["url"], {"unique": True}),
        (QueryParamField("url", "id"), ["url", "id"], {}),
        (QueryParamField("url", "id", **NAMED), ["url", "id"], NAMED),  # type: ignore[arg-type]
        (QueryParamField("url", "", unique=True), ["url", ""], {"unique": True}),
        # Ready rules by name and version, others by their import path or by value.
        (URLKeyField("url"), ["url"], PAGE_RULES),
        (URLKeyField("url", **NAMED), ["url"], NAMED | PAGE_RULES),  # type: ignore[arg-type]
        (URLKeyField("url", rules="browser"), ["url"], BROWSER_RULES),
        (URLKeyField("url", rules=BROWSER), ["url"], BROWSER_RULES),
        (URLKeyField("url", rules=CUSTOM), ["url"], {"rules": CUSTOM}),
        (
            URLKeyField("url", rules=CUSTOM_PATH, unique=True),
            ["url"],
            {"rules": CUSTOM_PATH, "unique": True},
        ),
    ],
)
def test_a_field_survives_deconstruction(
    field: Any, args: list[str], kwargs: dict[str, object]
) -> None:
    """Migrations name the import path that people use, and nothing that is always so."""
    _name, path, found_args, found_kwargs = field.deconstruct()
    assert path == f"django_whatwg_url.fields.{type(field).__name__}"
    assert (found_args, found_kwargs) == (args, kwargs)
    text, imports = MigrationWriter.serialize(field)
    names: dict[str, Any] = {}
    exec("\n".join(imports), names)
    for clone in (field.clone(), pickle.loads(pickle.dumps(field)), eval(text, names)):
        assert clone.deconstruct() == field.deconstruct()
        assert (clone.null, clone.blank, clone.editable) == (True, True, False)
        for own in ("from_field", "param", "rules"):
            assert getattr(clone, own, None) == getattr(field, own, None)


@each_kind
@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("option", ["null", "blank", "editable"])
def test_what_is_always_so_cannot_be_chosen(kind: Following, option: str, value: bool) -> None:
    """The error names the option, even if the value would be right."""
    message = f"^{option} is always (True|False) for this field, so leave"
    with pytest.raises(TypeError, match=message):
        kind.field(**{option: value})


@pytest.mark.django_db(transaction=True)
@each_kind
def test_a_historical_model_keeps_its_values(kind: Following) -> None:
    """A migration's RunPython saves rows like any other."""
    state = ProjectState()
    url = models.URLField() if kind is KEY else CanonicalURLField()
    fields = [("id", models.BigAutoField(primary_key=True)), ("url", url), ("own", kind.field())]
    state.add_model(ModelState("siteapp", "Historical", fields))
    model: Any = state.apps.get_model("siteapp", "Historical")
    value = next(iter(kind.values.values()))
    with created(model):
        row = model.objects.create(url=OLD)
        row.url = NEW
        row.save()
        assert stored_text(row, "own") == row.own == value(NEW)
        assert model.objects.get(own=value(NEW)) == row


@each_kind
def test_each_value_is_computed_once_for_a_row_that_is_written(
    kind: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading the attribute would compute it again."""
    name = next(iter(kind.values))
    field = type(kind.model._meta.get_field(name))
    compute = field.computed_from
    computed: list[str] = []

    def count(self: Any, url: object) -> str | None:
        if self.name == name:
            computed.append(str(url))
        value: str | None = compute(self, url)
        return value

    monkeypatch.setattr(field, "computed_from", count)
    urls = [f"https://{host}.example/?id=1" for host in "abc"]
    kind.model.objects.bulk_create(kind.model(url=url) for url in urls)
    assert computed == urls
    assert stored_texts(kind.model, name) == [kind.values[name](url) for url in urls]
    rows = [*kind.model.objects.order_by("pk")]
    for row in rows:
        row.url = f"{row.url}x"
    computed.clear()
    URLQuerySet(kind.model).bulk_update(rows, ["url"])
    assert computed == [f"{url}x" for url in urls]
    assert stored_texts(kind.model, name) == [kind.values[name](f"{url}x") for url in urls]
