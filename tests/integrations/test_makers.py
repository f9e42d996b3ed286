"""Tests of test data from model_bakery, factory_boy, Faker and polyfactory."""

from __future__ import annotations

import dataclasses
from random import Random
from typing import Any

import attrs
import factory
import factory.django
import factory.faker
import faker
import pytest
from model_bakery import baker, random_gen
from polyfactory.factories import DataclassFactory
from polyfactory.factories.attrs_factory import AttrsFactory
from polyfactory.factories.base import BaseFactory

import weburl
from tests.integrations.linksapp.models import Link
from tests.integrations.makersapp.models import Bounded
from weburl import (
    URL,
    Domain,
    EmptyHost,
    Host,
    IPv4Address,
    IPv6Address,
    OpaqueHost,
    OpaqueOrigin,
    Origin,
    SchemeAndHost,
    Site,
    TupleOrigin,
    URLRecord,
    parse,
)
from weburl.integrations import polyfactory
from weburl.integrations.faker import URLProvider
from weburl.integrations.makers import MAKERS, random_url

URLFaker: Any = factory.faker.Faker


@attrs.frozen
class Page:
    """An attrs class with all of our types."""

    url: URLRecord
    live: URL
    host: Host
    origin: Origin
    site: Site
    domain: Domain
    ipv4: IPv4Address
    ipv6: IPv6Address
    opaque: OpaqueHost
    pages: list[URLRecord]
    other: URLRecord | None = None


@dataclasses.dataclass
class Card:
    """A dataclass with a URL."""

    url: URLRecord


class LinkFactory(factory.django.DjangoModelFactory[Link]):
    """A factory of factory_boy that uses our provider."""

    class Meta:
        model = Link

    url = URLFaker("url_record", max_length=500)


@pytest.fixture(autouse=True, scope="module")
def _registered() -> None:
    polyfactory.register()
    polyfactory.register()
    URLFaker.add_provider(URLProvider)


@pytest.mark.django_db
def test_model_bakery_makes_rows_that_are_valid() -> None:
    """The setting is enough, also for bulk inserts, unique columns and all options."""
    links = baker.make(Link, _quantity=50, _bulk_create=True)
    assert len({link.url for link in links}) == 50
    assert all(isinstance(link.url, URLRecord) for link in Link._default_manager.all())
    for _ in range(20):
        row = baker.make(Bounded, hook="https://www.example.org/", ours="https://a.example.com/")
        row.full_clean()
        assert row.mail.scheme == "mailto"
        assert len(row.shorter.href) <= 9
        assert row.optional is None
        row.delete()


@pytest.mark.django_db
def test_model_bakery_repeats_itself_if_seeded() -> None:
    """It uses its own source of random numbers."""

    def made() -> str:
        random_gen.baker_random.seed(5)
        return str(baker.prepare(Link).url)

    assert made() == made()


@pytest.mark.django_db
def test_factory_boy_makes_rows_by_the_provider() -> None:
    """Text needs no provider, because the attribute makes a record of it."""
    made: Any = LinkFactory
    links = made.create_batch(20)
    assert len({link.url for link in links}) == 20
    assert made(url="HTTPS://Example.com").url == parse("https://example.com/")


def test_faker_gives_values_and_repeats_them_if_seeded() -> None:
    """It makes URLs with a scheme and length, hosts and origins."""
    fake = faker.Faker()
    fake.add_provider(URLProvider)
    fake.seed_instance(1)
    first = [fake.url_record(), fake.host_record(), fake.origin_record()]
    fake.seed_instance(1)
    assert first == [fake.url_record(), fake.host_record(), fake.origin_record()]
    assert isinstance(first[0], URLRecord)
    assert isinstance(first[1], Domain | IPv4Address | IPv6Address)
    assert isinstance(first[2], TupleOrigin)
    assert fake.url_record(schemes=["ftp"], max_length=12).scheme == "ftp"


def test_polyfactory_fills_classes_of_every_kind() -> None:
    """It fills attrs classes and dataclasses. A union gets one of its classes."""

    class PageFactory(AttrsFactory[Page]):
        pass

    class CardFactory(DataclassFactory[Card]):
        pass

    for _ in range(30):
        page = PageFactory.build()
        assert isinstance(page.url, URLRecord)
        assert isinstance(page.live, URL)
        assert isinstance(page.host, Domain | IPv4Address | IPv6Address | OpaqueHost | EmptyHost)
        assert isinstance(page.origin, TupleOrigin | OpaqueOrigin)
        assert isinstance(page.site, SchemeAndHost | OpaqueOrigin)
        assert isinstance(page.ipv4, IPv4Address)
        assert isinstance(page.ipv6, IPv6Address)
        assert all(isinstance(each, URLRecord) for each in page.pages)
        assert isinstance(CardFactory.build().url, URLRecord)


def test_polyfactory_repeats_itself_if_seeded() -> None:
    """It uses its own source of random numbers, and can be seeded again."""

    class CardFactory(DataclassFactory[Card]):
        pass

    def made() -> Card:
        BaseFactory.seed_random(7)
        return CardFactory.build()

    assert made() == made()


@pytest.mark.parametrize("kind", MAKERS)
def test_every_class_has_a_maker_of_its_own_values(kind: type[Any]) -> None:
    """The value is not of another class or a subclass."""
    assert type(MAKERS[kind](Random(0))) is kind


@pytest.mark.parametrize("scheme", ["https", "http", "ftp", "ws", "wss", "file", "mailto", "x"])
def test_a_random_url_fits_or_is_refused(scheme: str) -> None:
    """A length that is too short raises ValueError, and every longer one works."""
    made = 0
    for length in range(1, 60):
        try:
            record = random_url(Random(length), schemes=[scheme], max_length=length)
        except ValueError:
            assert made == 0
        else:
            made += 1
            assert record.scheme == scheme
            assert len(record.href) <= length
    assert made > 40


def test_wrong_schemes_are_refused() -> None:
    """The list may not be empty, and must contain schemes."""
    with pytest.raises(ValueError, match="at least one"):
        random_url(Random(0), schemes=[])
    with pytest.raises(weburl.URLParseError):
        random_url(Random(0), schemes=["1"])
