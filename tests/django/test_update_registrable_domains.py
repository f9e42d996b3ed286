"""Tests of the command ``update_registrable_domains``."""

from __future__ import annotations

from datetime import date
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.db import connection, models, router
from django.db.backends.utils import CursorWrapper
from django.test.utils import CaptureQueriesContext, isolate_apps
from pytest_django import DjangoAssertNumQueries

from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from django_whatwg_url.management import base
from tests.django.servers import created, needs_server
from tests.django.siteapp.models import Defaulted, Link, MirroredLink
from tests.django.stored import store_text, stored_text, stored_texts
from weburl import parse
from weburl.public_suffix import parse_list, using_list

pytestmark = pytest.mark.django_db


def run(*labels: str, **options: Any) -> list[str]:
    """Run the command, and return the lines it prints."""
    out = StringIO()
    call_command("update_registrable_domains", *labels, stdout=out, **options)
    return out.getvalue().splitlines()


def lines(
    link: int = 0, mirror: int = 0, default: int = 0, *, of: tuple[int, int, int]
) -> list[str]:
    """Return what the command prints of each column: how many rows it read, how many differ."""
    return [
        f"siteapp.Link.site: {of[0]} rows read, {link} values stored",
        f"siteapp.MirroredLink.mirror_site: {of[1]} rows read, {mirror} values stored",
        f"siteapp.Defaulted.site: {of[2]} rows read, 0 values stored",
    ]


OTHER_APPS = [
    "faultsapp.Link.site: 0 rows read, 0 values stored",
    "textapp.Link.site: 0 rows read, 0 values stored",
]


@pytest.fixture
def stale() -> Link:
    """Return a row among others whose URL was changed behind the field's back."""
    Link.objects.create(url="https://www.example.com/")
    link = Link.objects.create(url="https://old.example/")
    MirroredLink.objects.create(url="https://example.org", mirror="https://old-mirror.example")
    Defaulted.objects.create()
    Link.objects.filter(pk=link.pk).update(url="https://www.new.co.uk/")
    MirroredLink.objects.update(mirror="https://127.0.0.1/")
    return link


def test_rows_that_differ_are_counted_and_mended(stale: Link) -> None:
    """A second run finds none."""
    assert run() == [*lines(1, 1, of=(3, 1, 1)), *OTHER_APPS]
    assert stored_texts(Link, "site") == ["example.com", "new.co.uk", "example.org"]
    assert stored_texts(Defaulted, "site") == ["default.co.uk"]
    assert MirroredLink.objects.get().mirror_site is None
    assert run() == [*lines(of=(3, 1, 1)), *OTHER_APPS]


def test_a_dry_run_counts_and_changes_nothing(stale: Link) -> None:
    """It says what would be."""
    expected = [*lines(1, 1, of=(3, 1, 1)), *OTHER_APPS]
    for _ in range(2):
        assert run(dry_run=True) == [line.replace("stored", "would be stored") for line in expected]
        assert stored_text(stale, "site") == "old.example"


def test_a_new_list_makes_new_domains() -> None:
    """Back and forth."""
    link = Link.objects.create(url="https://a.b.example.com/")
    with using_list(parse_list("com\nexample.com")):
        assert run("siteapp.Link")[-1].endswith(" 1 values stored")
        assert stored_text(link, "site") == "b.example.com"
        assert run("siteapp.Link")[-1].endswith(" 0 values stored")
    assert run("siteapp.Link")[-1].endswith(" 1 values stored")
    assert stored_text(link, "site") == "example.com"


def test_apps_and_models_can_be_named(stale: Link) -> None:
    """Each once, however often it is named; a child's own columns, not its parent's again."""
    assert run("siteapp.MirroredLink") == [lines(mirror=1, of=(3, 1, 1))[1]]
    assert stored_text(stale, "site") == "old.example"
    assert run("siteapp", "siteapp.Link") == lines(link=1, of=(3, 1, 1))
    assert run("testapp") == ["There is no RegistrableDomainField."]


@pytest.mark.parametrize(
    ("labels", "options"),
    [
        (["nowhere"], {}),
        (["siteapp.Nothing"], {}),
        (["nowhere.Link"], {}),
        ([], {"database": "other"}),
        ([], {"batch_size": 0}),
    ],
)
def test_what_does_not_exist_is_an_error(labels: list[str], options: dict[str, Any]) -> None:
    """The error is raised before anything is read."""
    with pytest.raises(CommandError):
        run(*labels, **options)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_batches_of_any_size_reach_every_row(
    size: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The order of keys does not matter, and text that does not parse has no domain."""
    Link.objects.bulk_create(Link(url=f"https://www.n{n}.example/") for n in range(7))
    Link.objects.update(site=None)
    assert run("siteapp.Link", batch_size=size)[-1].endswith(" 7 values stored")
    assert stored_texts(Link, "site") == [f"n{n}.example" for n in range(7)]
    store_text(Link.objects.all()[3], "bad")
    assert run("siteapp.Link", batch_size=size)[-1].endswith(" 1 values stored")
    # One for each batch, full or not, and one to see that there are no more.
    with django_assert_num_queries(-(-7 // size) + 1):
        run("siteapp.Link", batch_size=size)


def test_it_says_as_much_as_it_is_told_to(stale: Link) -> None:
    """Nothing, or the sums."""
    assert run(verbosity=0, dry_run=True) == []
    assert run("siteapp.Link", batch_size=2) == lines(link=1, of=(3, 1, 1))[:1]


def test_tables_of_another_database_are_left_alone(
    stale: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The router decides about this."""
    monkeypatch.setattr(router, "allow_migrate_model", lambda _alias, model: model is not Link)
    assert run() == [lines(mirror=1, of=(3, 1, 1))[1], lines(of=(3, 1, 1))[2], *OTHER_APPS]
    assert stored_text(stale, "site") == "old.example"


def test_a_url_that_changes_meanwhile_gets_its_own_domain(
    stale: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that differ are read again in the transaction that changes them."""
    execute = CursorWrapper.execute
    selects: list[str] = []

    def meanwhile(cursor: CursorWrapper, sql: Any, params: Any = None) -> Any:
        if sql.startswith("SELECT"):
            selects.append(sql)
            if len(selects) == 2:  # The batch has been read.
                text = parse("https://newest.example/").href
                store_text(stale, text)
        return execute(cursor, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", meanwhile)
    run("siteapp.Link")
    monkeypatch.undo()
    assert stored_text(stale, "site") == "newest.example"


@needs_server
def test_the_rows_that_change_are_locked(stale: Link) -> None:
    """They are locked until the batch is stored. A batch without changes is not locked."""
    with CaptureQueriesContext(connection) as queries:
        run("siteapp.Link")
    locking = [query["sql"] for query in queries if "FOR UPDATE" in query["sql"]]
    assert len(locking) == 1
    with CaptureQueriesContext(connection) as queries:
        run("siteapp.Link")
    assert not any("FOR UPDATE" in query["sql"] for query in queries)


@pytest.mark.parametrize(
    "key",
    [
        {"id": models.UUIDField(primary_key=True, default=uuid4)},
        {"id": models.DateField(primary_key=True)},
        {"id": CanonicalURLField(primary_key=True, max_length=180)},
        {
            "pk": models.CompositePrimaryKey("group", "number"),
            "group": models.CharField(max_length=20),
            "number": models.IntegerField(),
        },
    ],
    ids=["UUID", "date", "URL", "two columns"],
)
@pytest.mark.django_db(transaction=True)
def test_rows_are_mended_whatever_their_key_is(
    key: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each gets its own domain, and none another's."""
    rows = 5
    keys: dict[str, Any] = {
        "UUIDField": lambda _n: {},
        "DateField": lambda n: {"id": date(2026, 1, 1 + n)},
        "CanonicalURLField": lambda n: {"id": f"https://key{n}.example/"},
        "CompositePrimaryKey": lambda n: {"group": f"g{n % 2}", "number": n},
    }
    first = type(next(iter(key.values()))).__name__
    with isolate_apps("tests.django.siteapp"):
        body = {
            "__module__": "tests.django.siteapp.models",
            "Meta": type("Meta", (), {"app_label": "siteapp", "db_table": "siteapp_keyed"}),
            **{name: field.clone() for name, field in key.items()},
            "url": CanonicalURLField(max_length=200),
            "site": RegistrableDomainField("url", max_length=200),
        }
        model: Any = type("Keyed", (models.Model,), body)
    with created(model):
        for number in range(rows):
            model.objects.create(url=f"https://www.n{number}.example/", **keys[first](number))
        model.objects.update(site="old.example")
        monkeypatch.setattr(base, "models_labelled", lambda _labels: [model])
        assert run(batch_size=2)[-1].endswith(" 5 values stored")
        found = model.objects.order_by("url").values_list("site", flat=True)
        assert list(found) == [f"n{number}.example" for number in range(rows)]
        assert run(batch_size=2)[-1].endswith(" 0 values stored")


def checked() -> list[str]:
    """Return what the check of the database says of stored domains."""
    found = run_checks(tags=["database"], databases=["default"])
    return [
        f"{message.msg} {message.hint}"
        for message in found
        if message.id == "django_whatwg_url.W023"
    ]


def test_the_check_of_the_database_notices_other_domains(stale: Link) -> None:
    """As after an update, or where the column was added to a table with rows."""
    messages = checked()
    assert [message.partition(" were")[0] for message in messages] == [
        "1 of the 3 rows of siteapp.Link.site that",
        "1 of the 1 rows of siteapp.MirroredLink.mirror_site that",
    ]
    assert messages[0].endswith(
        "have another registrable domain than their URL has by the list in use."
        " Run: manage.py update_registrable_domains siteapp.Link"
    )
    run()
    assert checked() == []
    with using_list(parse_list("uk")):
        assert len(checked()) == 2
