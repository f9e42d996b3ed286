"""Each migration of a URL's columns that the documents suggest, on a table with rows, and back."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from django.db import connection, models

from django_whatwg_url.constraints import IsCanonicalURL, URLAllowedBy
from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from django_whatwg_url.functions import URLHost, URLPath
from django_whatwg_url.generated import GeneratedURLPartField, URLPartField
from django_whatwg_url.indexes import URLIndex
from tests.django.hrefs import PARTS, parts_of
from tests.django.migrating.histories import History, created_from, indexed_columns
from weburl import URLPolicy, parse

pytestmark = pytest.mark.django_db(transaction=True)

URLS = ["https://a.example/", "https://b.example:81/x?q#f", "http://c.example/%C3%A9"]


class Step(NamedTuple):
    """The fields of a model and its Meta, before and after a migration."""

    before: dict[str, Any]
    after: dict[str, Any]
    meta_before: Mapping[str, Any] = MappingProxyType({})
    meta_after: Mapping[str, Any] = MappingProxyType({})


def url(**options: Any) -> CanonicalURLField[Any, Any]:
    """Return the field of the URL."""
    return CanonicalURLField(**options)


def part(name: str = "host", *, of: str = "url", **options: Any) -> GeneratedURLPartField:
    """Return a column with a part of it, which SQLite can add to a table with rows."""
    if connection.vendor == "sqlite":
        options["db_persist"] = False
    return GeneratedURLPartField(of, part=name, **options)


SHORT = {"url": url(max_length=1000), "host": part(max_length=100)}
LONGER = {"url": url(max_length=1500), "host": part(max_length=100)}
INDEXES = {
    "indexes": [models.Index(fields=["host", "url"], name="by_host")],
    "constraints": [models.UniqueConstraint(fields=["host", "number"], name="one_of_a_host")],
}
COLLATION = {"sqlite": "rtrim", "postgresql": "POSIX", "mysql": "latin1_bin"}[connection.vendor]
WEB = URLPolicy(schemes=["https", "http"], hosts=[".example"], ports=[80, 81, 443])
TWO = {"url": url(), "host": part(db_index=True), "path": part("path")}

ADDED = {
    "a part": Step({"url": url()}, {"url": url(), "host": part()}),
    "an indexed part": Step({"url": url()}, {"url": url(), "host": part(db_index=True)}),
    "a unique part": Step({"url": url()}, {"url": url(), "host": part(unique=True)}),
    "a part that is not null": Step({"url": url()}, {"url": url(), "host": part(null=False)}),
    "a port": Step({"url": url()}, {"url": url(), "port": part("port", db_index=True)}),
    "all parts": Step({"url": url()}, {"url": url(), **{name: part(name) for name in PARTS}}),
    "a URL with its part": Step({}, {"url": url(null=True), "host": part(db_index=True)}),
    "Django's generated column": Step(
        {"url": url()},
        {
            "url": url(),
            "host": models.GeneratedField(
                expression=URLHost("url"), output_field=URLPartField("host"), db_persist=True
            ),
        },
    ),
    "an index of a part": Step(
        {"url": url()},
        {"url": url()},
        {},
        {
            "indexes": [
                URLIndex("url", part="host", name="by_host"),
                URLIndex("url", part="reversed_host", name="by_reversed_host"),
                models.Index(URLPath("url"), "number", name="by_path"),
            ]
        },
    ),
    "a unique part of the URL": Step(
        {"url": url()},
        {"url": url()},
        {},
        {"constraints": [models.UniqueConstraint(URLHost("url"), name="one_of_a_host")]},
    ),
    "an index of a generated column": Step(SHORT, SHORT, {}, INDEXES),
    "constraints": Step(
        {"url": url()},
        {"url": url()},
        {},
        {
            "constraints": [
                IsCanonicalURL("url", name="is_canonical"),
                URLAllowedBy("url", WEB, name="is_allowed"),
                models.CheckConstraint(condition=~models.Q(url__port=8080), name="not_8080"),
            ]
        },
    ),
    "a domain": Step({"url": url()}, {"url": url(), "site": RegistrableDomainField("url")}),
}
ALTERED = {
    "an index": Step({"url": url(), "host": part()}, {"url": url(), "host": part(db_index=True)}),
    "a unique index": Step(
        {"url": url(), "host": part()}, {"url": url(), "host": part(unique=True)}
    ),
    "its length": Step(
        {"url": url(), "host": part(max_length=99)}, {"url": url(), "host": part(max_length=199)}
    ),
    "whether it is null": Step(
        {"url": url(), "host": part()}, {"url": url(), "host": part(null=False)}
    ),
    "its column": Step(
        {"url": url(), "host": part()}, {"url": url(), "host": part(db_column="of")}
    ),
    "its name": Step(
        {"url": url(), "host": part(db_index=True)}, {"url": url(), "of": part(db_index=True)}
    ),
    "its words": Step(
        {"url": url(), "host": part()}, {"url": url(), "host": part(verbose_name="of")}
    ),
}
URL_ALTERED = {
    "max_length": Step(TWO, {**TWO, "url": url(max_length=3000)}),
    "max_length, with indexes": Step(SHORT, LONGER, INDEXES, INDEXES),
    "max_length, of a unique part": Step(
        {"url": url(), "host": part(unique=True)},
        {"url": url(max_length=3000), "host": part(unique=True)},
    ),
    "max_length, with an index to come": Step(SHORT, LONGER, {}, INDEXES),
    "max_length and a part": Step(
        {"url": url(), "host": part(db_index=True)},
        {"url": url(max_length=3000), "host": part(db_index=True), "path": part("path")},
    ),
    "null": Step(TWO, {**TWO, "url": url(null=True)}),
    "db_index": Step(TWO, {**TWO, "url": url(db_index=True)}),
    "unique": Step(TWO, {**TWO, "url": url(unique=True)}),
    "db_default": Step(TWO, {**TWO, "url": url(db_default="https://d.example/")}),
    "db_comment": Step(TWO, {**TWO, "url": url(db_comment="a comment")}),
    "db_collation": Step(TWO, {**TWO, "url": url(db_collation=COLLATION)}),
    "db_column": Step(TWO, {**TWO, "url": url(db_column="address")}),
    "db_column and max_length": Step(
        SHORT, {**LONGER, "url": url(db_column="address", max_length=1500)}, INDEXES, INDEXES
    ),
    "schemes": Step(TWO, {**TWO, "url": url(schemes=None)}),
    "the name": Step(
        TWO,
        {
            "link": url(),
            "host": part(of="link", db_index=True),
            "path": part("path", of="link"),
        },
    ),
    "the name, with indexes": Step(
        TWO,
        {"link": url(), "host": part(of="link", db_index=True), "path": part("path", of="link")},
        *(
            {
                "indexes": [URLIndex(name, part="host", name="by_host")],
                "constraints": [
                    IsCanonicalURL(name, name="is_canonical"),
                    URLAllowedBy(name, WEB, name="is_example"),
                ],
            }
            for name in ("url", "link")
        ),
    ),
    "from a URLField": Step({"url": models.URLField(max_length=300), "host": part()}, TWO),
    "removed": Step({**TWO, "url": url(null=True)}, {}),
}


def assert_rows(model: Any) -> None:
    """Check that each row has its URL still, and each column the part that it is to have."""
    fields = {field.name: field for field in model._meta.local_fields}
    name = next((name for name in ("url", "link") if name in fields), None)
    rows = list(model._default_manager.order_by("number").values())
    assert [row["number"] for row in rows] == [0, 1, 2]
    for href, row in zip(URLS, rows, strict=True):
        if name is None or row[name] is None:
            continue
        assert str(row[name]) == href
        for field in fields.values():
            if isinstance(field, GeneratedURLPartField):
                assert row[field.name] == parts_of(parse(href))[field.part]


def bare(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields without those that read the URL."""
    return {name: field for name, field in fields.items() if not field.generated}


def run(history: History, step: Step, *, around: bool = False) -> None:
    """Run a migration on a table with rows forwards, back and forwards again.

    Each time the table has the rows that it had, and the indexes of a table that is made anew.
    ``around``: whether what reads the URL is removed before the change and added again after it.
    """
    number = {"number": models.IntegerField()}
    history.make({**number, **step.before}, **step.meta_before)
    history.migrate()
    before = history.model(1)
    for position, href in enumerate(URLS):
        before._default_manager.create(number=position, **({"url": href} if step.before else {}))
    indexes_before = indexed_columns(before)
    if around:
        history.make({**number, **bare(step.before)})
        history.make({**number, **bare(step.after)})
    history.make({**number, **step.after}, **step.meta_after)
    after = history.model()
    for _again in range(2):
        history.migrate()
        assert_rows(after)
        indexes_after = indexed_columns(after)
        if "url" not in step.after and "url" in step.before and "link" not in step.after:
            break  # The URLs are gone, and cannot come back.
        history.migrate(1)
        assert_rows(before)
        assert indexed_columns(before) == indexes_before
    history.migrate(0)
    with created_from(after):
        assert indexed_columns(after) == indexes_after


@pytest.mark.parametrize("name", ADDED)
def test_what_is_added_to_a_table_with_rows(history: History, name: str) -> None:
    """Parts, indexes, constraints and domains."""
    run(history, ADDED[name])


@pytest.mark.parametrize("name", ALTERED)
def test_a_part_is_altered(history: History, name: str) -> None:
    """In all but what it is made of."""
    run(history, ALTERED[name])


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.nightly] if at % 5 else [])
        for at, name in enumerate(URL_ALTERED)
    ],
)
def test_a_url_with_parts_is_altered(history: History, name: str) -> None:
    """Generated columns, indexes and constraints are removed first, and added again afterwards."""
    run(history, URL_ALTERED[name], around=True)
