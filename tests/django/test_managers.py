"""Tests of `django_whatwg_url.managers`: the class, the check that asks for it, and bulk inserts.

What each column gets is tested with its field.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from django_whatwg_url.checks.models import check_managers
from django_whatwg_url.constraints import UniqueURLKey
from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField, URLKeyField
from django_whatwg_url.managers import URLQuerySet
from tests.django.keysapp.models import Plain
from tests.django.servers import model_with, only_postgresql
from tests.django.siteapp.models import (
    FollowedFeed,
    Issuer,
    Item,
    Link,
    MenuItem,
    TextFeed,
)
from tests.django.stored import stored_texts


class PlainManager(models.Manager[Any]):
    """A manager of a project."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """Leave some rows out."""
        return super().get_queryset().exclude(url="https://hidden.example/")


class FailingManager(models.Manager[Any]):
    """A manager that works only in a request."""

    def get_queryset(self) -> models.QuerySet[Any]:
        """Refuse."""
        raise RuntimeError("there is no tenant")


def ids(**attributes: Any) -> list[str]:
    """Return the ids of the messages about a model with these attributes."""
    model = model_with(**{"url": CanonicalURLField(), **attributes})
    found = check_managers([model._meta.apps.get_app_config("testapp")])
    return [str(message.id).removeprefix("django_whatwg_url.") for message in found]


@pytest.mark.parametrize(
    "manager",
    [URLQuerySet.as_manager, PlainManager.from_queryset(URLQuerySet)],
    ids=["as_manager", "from_queryset"],
)
def test_a_model_with_the_class_needs_nothing(manager: Callable[[], Any]) -> None:
    """Neither does a model without such a column."""
    assert ids(objects=manager(), url_key=URLKeyField("url", unique=True)) == []
    assert ids() == []


@pytest.mark.parametrize("manager", [models.Manager, PlainManager, FailingManager])
def test_a_model_without_the_class_is_named(manager: Callable[[], Any]) -> None:
    """With a warning for each column that would keep an old value."""
    columns = {"site": RegistrableDomainField("url"), "url_key": URLKeyField("url")}
    assert ids(objects=manager(), **columns) == ["W032", "W032"]
    written = CanonicalURLField(written="text")
    assert ids(objects=manager(), url=written, text=models.TextField()) == ["W032"]


@pytest.mark.parametrize(
    "meta",
    [
        {"unique_together": [("url_key", "n")]},
        {"constraints": [models.UniqueConstraint(fields=["n", "url_key"], name="a")]},
        {"constraints": [models.UniqueConstraint(models.F("url_key"), name="a")]},
        {"constraints": [UniqueURLKey("url_key", name="a")]},
        {"constraints": [models.CheckConstraint(condition=~models.Q(url_key="a"), name="a")]},
    ],
)
def test_a_constraint_on_the_column_makes_it_an_error(meta: dict[str, Any]) -> None:
    """It would compare old values."""
    assert ids(url_key=URLKeyField("url"), n=models.IntegerField(), meta=meta) == ["E033"]


def test_a_unique_column_makes_it_an_error() -> None:
    """As a constraint does, and only for this column."""
    columns = {"url_key": URLKeyField("url", unique=True), "site": RegistrableDomainField("url")}
    assert ids(**columns) == ["E033", "W032"]


@pytest.mark.django_db
def test_a_manager_of_a_project_keeps_its_own_queryset() -> None:
    """It uses `from_queryset()`, and has asynchronous methods and a filter."""
    manager: Any = PlainManager.from_queryset(URLQuerySet)()
    manager.model = Plain
    row = Plain.objects.create(url="https://a.example/")
    Plain.objects.create(url="https://hidden.example/")

    async def update() -> list[int]:
        updated = await manager.aupdate(url="https://b.example/#b")
        row.url = "https://c.example/#c"
        return [updated, await manager.abulk_update([row], ["url"])]

    assert async_to_sync(update)() == [1, 1]
    assert stored_texts(Plain, "url_key") == ["https://c.example/", "https://hidden.example/"]


URL = "https://example.com/?id=1"


@only_postgresql
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("model", "values"),
    [
        (Link, {"url": URL}),
        (Item, {"url": URL}),
        (Plain, {"url": URL}),
        (FollowedFeed, {"url": URL}),
        (TextFeed, {"url": URL}),
        (Issuer, {"url": URL}),
        (MenuItem, {"link": "/a"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_rows_are_inserted_together_with_one_array_for_each_column(
    model: Any, values: dict[str, str]
) -> None:
    """Django uses UNNEST only if no field has a placeholder of its own."""
    ((name, text),) = values.items()
    rows = [model(**{name: f"{text}{n}"}) for n in range(5)]
    with CaptureQueriesContext(connection) as queries:
        model.objects.bulk_create(rows)
    (query,) = (each["sql"] for each in queries if each["sql"].startswith("INSERT"))
    assert query.count("UNNEST(") == 1
    assert model.objects.count() == 5
