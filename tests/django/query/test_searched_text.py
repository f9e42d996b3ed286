"""Tests of `columns.searched_text`: django.contrib.postgres looks for text in URL columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import FieldError
from django.db import connection
from django.db.models import F, Func, TextField, Value
from django.test.utils import modify_settings

from tests.django.partsapp.models import Plain
from tests.django.servers import only_postgresql
from tests.django.siteapp.models import Link as SiteLink
from weburl import parse

URLS = (
    "https://example.com/caf\u00e9/Menu",
    "https://b\u00fccher.example/neue-b\u00fccher?q=stra\u00dfe",
    "https://example.com/docs/guide.html",
)


@pytest.fixture
def rows(db: None) -> Iterator[None]:
    """Store the URLs, where PostgreSQL has what the lookups ask for."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
        cursor.execute("CREATE EXTENSION IF NOT EXISTS unaccent")
    with modify_settings(INSTALLED_APPS={"append": "django.contrib.postgres"}):
        Plain.objects.bulk_create([Plain(url=url) for url in URLS])
        yield


def found(**lookups: Any) -> list[int]:
    """Return the numbers of the URLs that a filter finds."""
    hrefs = [parse(url).href for url in URLS]
    return sorted(hrefs.index(str(row.url)) for row in Plain.objects.filter(**lookups))


@only_postgresql
@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize(
    ("lookup", "text", "expected"),
    [
        ("trigram_similar", "https://example.com/docs", [0, 2]),
        ("trigram_similar", "exampl", []),
        ("trigram_word_similar", "exampel.com", [0, 2]),
        ("trigram_word_similar", "caf\u00e9", [0]),
        ("trigram_word_similar", "exa mple.com", [0, 2]),
        ("trigram_strict_word_similar", "menu", [0]),
        ("search", "example.com", [0, 2]),
        ("search", "EXAMPLE.com", [0, 2]),
        ("search", "/docs/guide.html", [2]),
        ("search", "https://example.com/caf\u00e9/menu", [0]),
        ("search", "guide", []),
        ("unaccent", "https://example.com/docs/guide.html", [2]),
        ("unaccent", "no url", []),
        ("unaccent__contains", "caf\u00e9", [0]),
        ("unaccent__icontains", "menu", [0]),
        ("unaccent__startswith", "https://ex", [0, 2]),
        ("unaccent__trigram_similar", "https://example.com/docs", [0, 2]),
        ("host__trigram_similar", "exampel.com", [0, 2]),
        ("host__trigram_similar", "exa mple com", [0, 2]),
        ("host__search", "example.com", [0, 2]),
        ("path__trigram_word_similar", "menue", [0]),
        ("path__unaccent", "/docs/guide.html", [2]),
        ("path__unaccent__contains", "caf\u00e9", [0]),
    ],
)
def test_the_operand_is_text_and_not_a_url(lookup: str, text: str, expected: list[int]) -> None:
    """It is percent-encoded, as the column is, and nothing else."""
    assert found(**{f"url__{lookup}": text}) == expected


@only_postgresql
@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("text", ["", "%", "'", "\\", "a\nb", "\ud800", "\u202e", "x" * 10_000])
def test_any_text_can_be_looked_for(text: str) -> None:
    """It is a parameter, and no error."""
    for lookup in ("search", "trigram_similar", "trigram_word_similar", "unaccent"):
        assert found(**{f"url__{lookup}": text}) == []


@only_postgresql
@pytest.mark.usefixtures("rows")
def test_expressions_of_the_app_take_a_url_column() -> None:
    """Vectors, queries, ranks, headlines and similarities."""
    search: Any = pytest.importorskip("django.contrib.postgres.search")
    vectors = Plain.objects.annotate(vector=search.SearchVector("url"))
    assert vectors.filter(vector="example.com").count() == 2
    assert vectors.get(vector=search.SearchQuery("/docs/guide.html")).url == parse(URLS[2])
    query = search.SearchQuery("example.com")
    assert Plain.objects.filter(url__search=query).count() == 2
    ranks = Plain.objects.annotate(rank=search.SearchRank(search.SearchVector("url"), query))
    assert ranks.filter(rank__gt=0).count() == 2
    headlines = Plain.objects.annotate(line=search.SearchHeadline("url", query))
    assert any("<b>example.com</b>" in line for line in headlines.values_list("line", flat=True))
    similar = search.TrigramSimilarity("url", "https://example.com/docs/gide.html")
    best = Plain.objects.annotate(similar=similar).order_by("-similar")[0]
    assert best.url == parse(URLS[2])
    near = search.TrigramWordDistance("guide", "url")
    assert Plain.objects.annotate(near=near).order_by("near")[0].url == parse(URLS[2])
    operand: Any = F("url")
    assert Plain.objects.filter(url__trigram_similar=operand).count() == 3
    assert Plain.objects.filter(url__trigram_word_similar=Value("guide")).count() == 1


@only_postgresql
@pytest.mark.usefixtures("rows")
def test_words_are_found_where_the_url_is_taken_apart() -> None:
    """PostgreSQL reads a URL as a host and a path; `docs/lookups.md` tells of this way."""
    search: Any = pytest.importorskip("django.contrib.postgres.search")
    pieces: list[Any] = [F("url"), Value("[^a-zA-Z0-9%]+"), Value(" "), Value("g")]
    text = Func(*pieces, function="regexp_replace", output_field=TextField())
    words = Plain.objects.annotate(words=search.SearchVector(text, config="simple"))
    assert words.get(words="guide").url == parse(URLS[2])


@only_postgresql
@pytest.mark.usefixtures("rows")
def test_a_registrable_domain_is_searched_too() -> None:
    """Its operands are otherwise domains."""
    SiteLink.objects.create(url="https://www.example.com/")
    assert SiteLink.objects.filter(site__trigram_similar="exampel com").count() == 1
    assert SiteLink.objects.filter(site__search="example.com").count() == 1


def test_without_the_app_there_are_no_such_lookups() -> None:
    """Other fields do not have them either."""
    for lookup in ("search", "trigram_similar", "unaccent", "host__trigram_similar"):
        with pytest.raises(FieldError, match="Unsupported lookup"):
            Plain.objects.filter(**{f"url__{lookup}": "x"})
