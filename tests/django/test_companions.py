"""Tests of `django_whatwg_url.beside`: the registrable domain beside a URL."""

# Pickles of our own.

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.test.utils import isolate_apps
from hypothesis import given

from django_whatwg_url import beside
from django_whatwg_url.beside import registrable_domain
from django_whatwg_url.column.values import to_url
from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from tests.django.explained import indexes_on
from tests.django.partsapp.models import Generated
from tests.django.servers import only_postgresql
from tests.django.siteapp.models import Defaulted, Link, MirroredLink, ProxyLink
from tests.django.stored import column_field, stored_text
from tests.django.test_following_fields import check_ids
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


@pytest.mark.parametrize("nothing", [None, "", "bad", to_url("bad"), 5])
def test_what_is_no_url_has_no_registrable_domain(nothing: object) -> None:
    """No error is raised."""
    assert registrable_domain(nothing) is None


@pytest.mark.parametrize(("text", "domain"), DOMAINS)
def test_saving_a_row_stores_its_domain(text: str, domain: str | None) -> None:
    """The URL may have any kind of host. The function takes text and records."""
    assert registrable_domain(text) == registrable_domain(parse(text)) == domain
    link = Link(url=text)
    assert link.site is None
    link.save()
    assert link.site == domain
    assert stored_text(link, "site") == domain


def test_a_url_is_parsed_once_for_its_row_and_its_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record that is made for the URL stays on the instance, and the domain is made from it."""
    parsed: list[object] = []

    def counted(text: str) -> URLRecord:
        parsed.append(text)
        return parse(text)

    link = Link(url="HTTPS://www.example.com/x/..")
    monkeypatch.setattr("weburl.parse", counted)
    link.save()
    assert parsed == ["HTTPS://www.example.com/x/.."]
    assert link.site == "example.com"


def test_a_default_of_the_database_has_its_domain() -> None:
    """The default is not known before the row exists."""
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
    assert "Expected a domain for siteapp.Link.site" in caught.value.messages[0]


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


@only_postgresql
def test_a_column_has_one_index_on_postgresql() -> None:
    """Django makes a second one for LIKE, which a column with the collation "C" does not need."""
    assert len(indexes_on(Link._meta.db_table, "site")) == 1
    assert len(indexes_on(Generated._meta.db_table, "host")) == 1


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


def test_the_list_in_use_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another edition of it gives other domains from then on."""
    from weburl.public_suffix import parse_list, using_list

    with using_list(parse_list("com\nexample.com")):
        assert registrable_domain("https://a.b.example.com/") == "b.example.com"
        assert Link.objects.create(url="https://a.b.example.com/").site == "b.example.com"
    assert beside.registrable_domain("https://a.b.example.com/") == "example.com"
