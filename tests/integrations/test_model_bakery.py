"""Tests of rows that model_bakery and factory_boy make."""

from __future__ import annotations

from typing import Any

import factory.django
import factory.faker
import pytest
from model_bakery import baker, random_gen

from django_whatwg_url.integrations.model_bakery import gen_url
from tests.integrations.linksapp.models import Link
from tests.integrations.makersapp.models import Bounded
from weburl import URLRecord

Faker: Any = factory.faker.Faker


class LinkFactory(factory.django.DjangoModelFactory[Link]):
    """A factory of factory_boy with Faker's text."""

    class Meta:
        model = Link

    url = Faker("url")


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
def test_factory_boy_makes_rows_of_text() -> None:
    """The attribute makes a record of it."""
    assert all(isinstance(link.url, URLRecord) for link in LinkFactory.create_batch(20))


@pytest.mark.parametrize("scheme", ["https", "http", "ftp", "ws", "wss", "file", "mailto", "x"])
def test_a_random_url_fits_or_is_refused(scheme: str) -> None:
    """A length that is too short raises ValueError, and every longer one works."""
    made = 0
    for length in range(1, 60):
        try:
            href = str(gen_url(length, [scheme]))
        except ValueError:
            assert made == 0
        else:
            made += 1
            assert href.startswith(f"{scheme}:")
            assert len(href) <= length
    assert made > 40
