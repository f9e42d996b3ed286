"""Tests of `django_whatwg_url.companions`: the registrable domain beside a URL."""

# Pickles of our own.

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core import serializers
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.db.models import F, Value
from django.forms import modelform_factory
from django.test.utils import isolate_apps
from hypothesis import given
from pytest_django import DjangoAssertNumQueries

from django_whatwg_url import companions
from django_whatwg_url.companions import registrable_domain
from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from django_whatwg_url.storage.values import to_url
from tests.django.servers import created, mysql_index, only_mysql, only_postgresql
from tests.django.siteapp.models import Defaulted, Link, MirroredLink, ProxyLink
from tests.django.stored import column_field, store_text, stored_text, stored_texts
from tests.strategies import url_texts
from weburl import Domain, URLRecord, parse

pytestmark = pytest.mark.django_db

DOMAINS = [
    ("https://www.example.com/", "example.com"),
    ("https://example.com", "example.com"),
    ("https://a.b.EXAMPLE.co.uk:8080/x?y#z", "example.co.uk"),
    ("https://whatwg.github.io/", "whatwg.github.io"),
    ("https://www.bücher.example/", "xn--bcher-kva.example"),
    ("https://www.example.com./", "example.com."),
    ("https://co.uk/", None),
    ("https://localhost/", None),
    ("https://127.0.0.1/", None),
    ("https://[::1]/", None),
    ("https://a..com/", None),
    ("web+demo://example.com/", None),
    ("file:///etc/passwd", None),
    ("mailto:you@example.com", None),
]


@pytest.mark.parametrize(("text", "domain"), DOMAINS)
def test_the_registrable_domain_of_a_url_is_text(text: str, domain: str | None) -> None:
    """Of text and of records; None for what has none."""
    assert registrable_domain(text) == domain
    assert registrable_domain(parse(text)) == domain


@pytest.mark.parametrize("nothing", [None, "", "bad", to_url("bad"), 5])
def test_what_is_no_url_has_no_registrable_domain(nothing: object) -> None:
    """And nothing is raised."""
    assert registrable_domain(nothing) is None


@pytest.mark.parametrize(("text", "domain"), DOMAINS)
def test_saving_a_row_stores_its_domain(text: str, domain: str | None) -> None:
    """Whatever kind of host its URL has."""
    link = Link(url=text)
    assert link.site is None
    link.save()
    assert link.site == domain
    assert stored_text(link, "site") == domain


def create(url: str) -> None:
    """Create a row."""
    Link.objects.create(url=url)


def save_after_assignment(url: str) -> None:
    """Save a row with another URL."""
    link = Link.objects.create(url="https://old.example/")
    link.url = url
    link.save()


def save_the_url_alone(url: str) -> None:
    """Save the column of the URL, and no other."""
    link = Link.objects.create(url="https://old.example/")
    link.url = url
    link.save(update_fields=["url"])
    assert link.site == registrable_domain(url)


def save_what_was_not_deferred(url: str) -> None:
    """Save a row whose domain was not loaded."""
    Link.objects.create(url="https://old.example/")
    link = Link.objects.only("url").get()
    link.url = url
    link.save()


def save_an_expression(url: str) -> None:
    """Let the database put the URL there."""
    link = Link.objects.create(url="https://old.example/", title=parse(url).href)
    link.url = F("title")
    link.save()


def insert_an_expression(url: str) -> None:
    """Create a row with a literal."""
    Link.objects.create(url=Value(url))


def save_by_proxy(url: str) -> None:
    """Save the row of a proxy."""
    ProxyLink.objects.create(url="https://old.example/")
    link = ProxyLink.objects.only("url").get()
    link.url = url
    link.save()


def save_a_child(url: str) -> None:
    """Save the parent's row through a child."""
    MirroredLink.objects.create(url="https://old.example/")
    link = MirroredLink.objects.only("url").get()
    link.url = url
    link.save()


def bulk_create(url: str) -> None:
    """Create rows together."""
    Link.objects.bulk_create([Link(url=url)])


def get_or_create(url: str) -> None:
    """Create a row that is not there."""
    Link.objects.get_or_create(url=url)


def update_or_create(url: str) -> None:
    """Update a row that another column matched."""
    Link.objects.create(url="https://old.example/", title="old")
    Link.objects.update_or_create(title="old", defaults={"url": url})


def asave(url: str) -> None:
    """Save a row, asynchronously."""

    async def save() -> None:
        await Link(url=url).asave()

    async_to_sync(save)()


def load(url: str) -> None:
    """Load a row that was dumped."""
    Link.objects.create(url=url)
    dump = serializers.serialize("json", Link.objects.all())
    Link.objects.all().delete()
    for row in serializers.deserialize("json", dump):
        row.save()


WAYS: list[Callable[[str], None]] = [
    create,
    save_after_assignment,
    save_the_url_alone,
    save_what_was_not_deferred,
    save_an_expression,
    insert_an_expression,
    save_by_proxy,
    save_a_child,
    bulk_create,
    get_or_create,
    update_or_create,
    asave,
    load,
]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
@pytest.mark.parametrize("url", ["https://www.new.co.uk/", "https://127.0.0.1/"])
def test_every_way_of_saving_keeps_the_domain(way: Callable[[str], None], url: str) -> None:
    """Also those that save the URL and not the domain, or that do not know the URL."""
    way(url)
    assert stored_texts(Link) == [parse(url).href]
    assert stored_texts(Link, "site") == [registrable_domain(url)]


def test_a_default_of_the_database_has_its_domain() -> None:
    """Which nobody knows before the row is there."""
    row = Defaulted.objects.create()
    assert stored_text(row, "site") == row.site == "default.co.uk"
    assert Defaulted.objects.get(site="default.co.uk").url == parse("https://www.default.co.uk/")


def test_update_leaves_the_domain_as_it_is_unless_it_is_given() -> None:
    """The trap: these save nothing, so no field is asked; the command mends it."""
    link = Link.objects.create(url="https://old.example/")
    new = parse("https://www.new.example/")
    Link.objects.update(url=new)
    assert stored_text(link, "site") == "old.example"
    Link.objects.update(url=new, site=registrable_domain(new))
    assert stored_text(link, "site") == "new.example"
    link.url = parse("https://newer.example/")
    Link.objects.bulk_update([link], ["url"])
    assert stored_text(link, "site") == "new.example"
    link.site = registrable_domain(link.url)
    Link.objects.bulk_update([link], ["url", "site"])
    assert stored_text(link, "site") == "newer.example"


def test_a_plain_save_takes_no_query_more(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """Only a save of the URL alone does."""
    link = Link(url="https://www.example.com/")
    with django_assert_num_queries(1):
        link.save()
    link.url = parse("https://www.example.org/")
    with django_assert_num_queries(1):
        link.save()
    link.url = parse("https://example.net/")
    with django_assert_num_queries(2):
        link.save(update_fields=["url"])
    for row in (Link.objects.only("title").get(), Link.objects.defer("url").get()):
        with django_assert_num_queries(1):
            row.save()
    assert stored_text(link, "site") == "example.net"


def test_text_in_the_database_that_does_not_parse_has_no_domain() -> None:
    """And the row's other columns can be saved, its domain included."""
    link = Link.objects.create(url="https://example.com/")
    store_text(link, "bad")
    loaded = Link.objects.get()
    loaded.save(update_fields=["site", "title"])
    assert stored_text(link, "site") is None


def test_a_missing_url_has_no_domain() -> None:
    """Each of a model's URLs has its own."""
    link = MirroredLink.objects.create(url="https://example.com/")
    assert stored_text(link, "mirror_site") is None
    link.mirror = parse("https://www.mirror.example/")
    link.save()
    assert (link.site, link.mirror_site) == ("example.com", "mirror.example")
    assert MirroredLink.objects.get(mirror_site="mirror.example", site="example.com") == link
    link.mirror = None
    link.save(update_fields=["mirror"])
    assert stored_text(link, "mirror_site") is None


@pytest.mark.parametrize(
    "spelling",
    ["bücher.example", "BÜCHER.Example", "xn--bcher-kva.example", Domain("xn--bcher-kva.example")],
)
def test_rows_are_found_by_any_spelling_of_the_domain(spelling: str | Domain) -> None:
    """Whole, and one of several."""
    link = Link.objects.create(url="https://www.bücher.example/")
    assert Link.objects.get(site=spelling) == link
    assert Link.objects.get(site__in=[spelling, "example.com"]) == link
    assert Link.objects.get(site__iexact=spelling) == link
    assert Link.objects.filter(site=spelling).exclude(site="other.example").get() == link
    assert not Link.objects.filter(site=None).exists()


@pytest.mark.parametrize(
    "text", ["https://example.com", "example.com/", "a@b", "a:1", "127.0.0.1", "[::1]", " ", "a b"]
)
def test_what_is_no_domain_cannot_be_looked_up(text: str) -> None:
    """ValidationError, as from other fields."""
    with pytest.raises(ValidationError) as caught:
        Link.objects.filter(site=text)
    assert caught.value.code == "invalid"
    assert "is not a domain" in caught.value.messages[0]


def test_a_piece_of_a_domain_can_be_searched_for() -> None:
    """Also a piece that is not ASCII, which no database then complains of."""
    Link.objects.create(url="https://www.example.com/")
    assert Link.objects.filter(site__startswith="exam").count() == 1
    assert Link.objects.filter(site__icontains="AMPLE").count() == 1
    assert Link.objects.filter(site__endswith=".com", site__regex="^ex").count() == 1
    assert Link.objects.filter(site__contains="é").count() == 0
    assert list(Link.objects.order_by("site").values_list("site", flat=True)) == ["example.com"]


@given(url_texts)
def test_what_is_stored_can_be_looked_up(text: str) -> None:
    """A registrable domain is a domain, and no longer than its URL."""
    domain = registrable_domain(text)
    field = column_field(Link, "site")
    assert field.get_prep_value(domain) == domain
    if domain is not None:
        url = to_url(text)
        assert isinstance(url, URLRecord)
        assert domain in url.href


def test_nobody_is_asked_for_the_domain() -> None:
    """It is in no form, and full_clean() has nothing to say of it."""
    assert "site" not in modelform_factory(Link, fields="__all__").base_fields
    link = Link(url="https://example.com/")
    link.full_clean()
    link.save()
    link.full_clean()


def test_the_column_is_indexed_nullable_and_ascii() -> None:
    """With the collation of the URL beside it."""
    table = "siteapp_link"
    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, table)
        constraints = connection.introspection.get_constraints(cursor, table)
    (url,) = [column for column in described if column.name == "url"]
    (site,) = [column for column in described if column.name == "site"]
    assert site.null_ok
    assert site.collation == url.collation
    indexes = [found for found in constraints.values() if found["columns"] == ["site"]]
    # PostgreSQL has a second one, for LIKE.
    assert {found["index"] for found in indexes} == {True}


@only_postgresql
def test_the_index_is_used_on_postgresql() -> None:
    """For the domain, and for the beginning of one."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    for rows in (
        Link.objects.filter(site="example.com"),
        Link.objects.filter(site__startswith="e"),
    ):
        assert "Index Cond" in rows.explain()


@only_mysql
def test_the_index_is_a_true_one_on_mariadb() -> None:
    """Of the whole column."""
    index = mysql_index("siteapp_link", "site")
    assert (index["Index_type"], index["Sub_part"]) == ("BTREE", None)


@pytest.mark.parametrize(
    ("field", "args", "kwargs"),
    [
        (RegistrableDomainField("url"), ["url"], {}),
        (
            RegistrableDomainField("url", "site", max_length=300, db_index=False, db_column="s"),
            ["url"],
            {"verbose_name": "site", "max_length": 300, "db_index": False, "db_column": "s"},
        ),
        (RegistrableDomainField("url", unique=True), ["url"], {"unique": True}),
    ],
)
def test_a_field_survives_deconstruction(
    field: RegistrableDomainField, args: list[str], kwargs: dict[str, object]
) -> None:
    """Migrations name the import path that people use, and nothing that is always so."""
    _name, path, found_args, found_kwargs = field.deconstruct()
    assert path == "django_whatwg_url.fields.RegistrableDomainField"
    assert (found_args, found_kwargs) == (args, kwargs)
    clone = field.clone()
    assert clone.deconstruct() == field.deconstruct()
    assert (clone.null, clone.blank, clone.editable) == (True, True, False)
    assert pickle.loads(pickle.dumps(field)).from_field == "url"


@pytest.mark.parametrize("option", ["null", "blank", "editable"])
def test_what_is_always_so_cannot_be_chosen(option: str) -> None:
    """There is nothing else it could be."""
    with pytest.raises(TypeError):
        RegistrableDomainField("url", **{option: True})  # type: ignore[arg-type]


def check_ids(url: models.Field[Any, Any], site: RegistrableDomainField) -> list[str | None]:
    """Return the ids of what the system checks say of a URL and a domain."""
    with isolate_apps("tests.django.siteapp"):

        class Checked(models.Model):
            class Meta:
                app_label = "siteapp"

        url.contribute_to_class(Checked, "url")
        site.contribute_to_class(Checked, "site")
        return [message.id for message in Checked.check(databases={"default"})]


def test_the_checks_know_a_url_from_other_fields() -> None:
    """It must be there, be a URL, and be no longer than the domain's column."""
    assert check_ids(CanonicalURLField(), RegistrableDomainField("url")) == []
    assert check_ids(CanonicalURLField(), RegistrableDomainField("url", unique=True)) == []
    wrong = ["django_whatwg_url.E004"]
    assert check_ids(CanonicalURLField(), RegistrableDomainField("link")) == wrong
    assert check_ids(models.URLField(), RegistrableDomainField("url")) == wrong
    short = RegistrableDomainField("url", max_length=255)
    assert check_ids(CanonicalURLField(), short) == ["django_whatwg_url.W004"]
    assert check_ids(CanonicalURLField(max_length=255), short.clone()) == []
    for model in (Link, ProxyLink, MirroredLink, Defaulted):
        assert model.check(databases={"default"}) == []


def test_a_url_of_another_table_is_refused() -> None:
    """Saving a parent's row does not save its child's."""
    with isolate_apps("tests.django.siteapp"):

        class Child(Link):
            mine = RegistrableDomainField("url")

            class Meta:
                app_label = "siteapp"

        found = [message.id for message in column_field(Child, "mine").check()]
        assert found == ["django_whatwg_url.E004"]


@pytest.mark.django_db(transaction=True)
def test_a_historical_model_keeps_its_domain() -> None:
    """A migration's RunPython saves rows like any other."""
    from django.db.migrations.state import ModelState, ProjectState

    state = ProjectState()
    fields: list[tuple[str, models.Field[Any, Any]]] = [
        ("id", models.BigAutoField(primary_key=True)),
        ("url", CanonicalURLField()),
        ("site", RegistrableDomainField("url")),
    ]
    state.add_model(ModelState("siteapp", "Historical", fields))
    model: Any = state.apps.get_model("siteapp", "Historical")
    with created(model):
        row = model.objects.create(url="https://www.example.com")
        row.url = "https://www.example.org"
        row.save()
        assert model.objects.get(site="example.org").site == row.site == "example.org"


def test_the_list_in_use_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another edition of it gives other domains from then on."""
    from weburl.public_suffix import parse_list, using_list

    with using_list(parse_list("com\nexample.com")):
        assert registrable_domain("https://a.b.example.com/") == "b.example.com"
        assert Link.objects.create(url="https://a.b.example.com/").site == "b.example.com"
    assert companions.registrable_domain("https://a.b.example.com/") == "example.com"


def test_a_copy_whose_url_is_an_expression_does_not_keep_the_value_of_the_other_url() -> None:
    """`bulk_create()` does not know the new one, so it is NULL."""
    row = Link.objects.create(url="https://a.example/")
    assert row.site is not None
    row.pk, row.url = None, Value("https://b.example/")
    Link.objects.bulk_create([row])
    kept = Link.objects.order_by("pk").values_list("site", flat=True)
    assert [value is None for value in kept] == [False, True]
