"""The migrations of docs/migrating.md: from a column of text with rows to a URL that is unique."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import models

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.operations import CanonicalizeURLs
from tests.django.migrating.histories import History
from tests.django.stored import stored_texts

pytestmark = pytest.mark.django_db(transaction=True)

SPELLINGS = [
    "https://a.example/",
    "HTTPS://A.example:443",
    "https://bücher.example/é",
    "no url",
    "",
]
CANONICAL = ["https://a.example/", "https://xn--bcher-kva.example/%C3%A9"]
OPTIONS: dict[str, Any] = {
    "unique_with": [],
    "on_duplicate": "keep-oldest",
    "on_invalid": "null",
    "on_empty": "null",
}
BEFORE: dict[str, models.Field[Any, Any]] = {
    "URLField": models.URLField(max_length=2048),
    "CharField": models.CharField(max_length=500),
    "TextField": models.TextField(),
}


def canonicalize(**options: Any) -> CanonicalizeURLs:
    """Return the line that the document adds to the migrations."""
    return CanonicalizeURLs("page", "url", **{**OPTIONS, **options})


def texts(model: Any) -> list[str]:
    """Return what is stored, without NULL."""
    return [text for text in stored_texts(model) if text]


@pytest.mark.parametrize("kind", BEFORE)
def test_three_deploys(history: History, kind: str) -> None:
    """Nullable, then the field, then unique; and all the way back with the rows there are."""
    nullable = BEFORE[kind].clone()
    nullable.null = nullable.blank = True
    url = CanonicalURLField(null=True, blank=True)
    history.make({"url": BEFORE[kind]})
    history.migrate()
    for text in SPELLINGS:
        history.model()._default_manager.create(url=text)
    history.make({"url": nullable})
    history.make({"url": url}, first=[canonicalize()], atomic=False)
    history.make(
        {"url": CanonicalURLField(null=True, blank=True, unique=True)},
        first=[canonicalize()],
        atomic=False,
    )
    history.migrate(3)
    assert texts(history.model()) == CANONICAL
    # What a process of the old code has stored meanwhile.
    history.model(2)._default_manager.create(url="HTTPS://A.example")
    history.migrate()
    assert texts(history.model()) == CANONICAL
    for number in (3, 2, 4):
        history.migrate(number)
        assert texts(history.model()) == CANONICAL
    model = history.model()
    assert not model._default_manager.get_or_create(url="https://A.example")[1]
    model._default_manager.filter(url=None).delete()
    history.migrate(1)
    assert texts(model) == CANONICAL


def test_two_migrations_that_are_atomic(history: History) -> None:
    """The other way that the document names for PostgreSQL."""
    history.make({"url": models.URLField(max_length=200, null=True)})
    history.migrate()
    for text in SPELLINGS:
        history.model()._default_manager.create(url=text)
    history.write([canonicalize()])
    history.make({"url": CanonicalURLField(null=True, unique=True)})
    history.migrate()
    assert texts(history.model()) == CANONICAL
    history.migrate(1)
    assert texts(history.model()) == CANONICAL
