"""Tests of the lookup ``under`` of whole URLs."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

import weburl
from tests.django.hrefs import insert, is_under, misleading_hrefs, wpt_hrefs
from tests.django.partsapp.models import Plain
from weburl import parse

MORE = (
    "web+demo:/",
    "web+demo:/a",
    "web+demo://host",
    "web+demo://host/",
    "web+demo://host/a",
    "web+demo://host?q",
    "web+demo://hosts/",
    "web+demo://host:80/",
    "web+demo:///",
    "web+demo:///a",
    "web+demo:/.//a",
    "web+demo:/.//",
    "https://example.com/docs",
    "https://example.com/docs/",
    "https://example.com/docs/a/b?q#f",
    "https://example.com/docs?q",
    "https://example.com/docs#f",
    "https://example.com/docs2",
    "https://example.com/docs-2/",
    "https://example.com/docs%20/",
    "https://example.com/DOCS/",
    "https://example.com:8080/docs/",
    "https://user@example.com/docs/",
    "https://user:pass@example.com/docs/a",
    "https://example.com.evil.example/docs/",
    "http://example.com/docs/",
    "https://caf%C3%A9.example/caf%C3%A9/",
    "file:///home/me",
    "file:///home/me/a",
    "file://server/home/me/a",
    "https://colon.example/a:/",
    "https://colon.example/a://b",
)


def all_hrefs() -> list[str]:
    """Return the hrefs of web-platform-tests, and those that need care here."""
    return sorted({*wpt_hrefs(), *misleading_hrefs(), *map(weburl.canonicalize, MORE)})


@pytest.mark.django_db
def test_under_agrees_with_python_for_all_pairs_of_web_platform_tests() -> None:
    """Every URL with segments is asked for, of every URL there is."""
    records = [parse(href) for href in all_hrefs()]
    insert(Plain, [record.href for record in records])
    bases = [record for record in records if not record.has_opaque_path]
    assert len(bases) > 350
    for base in bases:
        found = set(Plain.objects.filter(url__under=base).values_list("url", flat=True))
        assert found == {url for url in records if is_under(url, base)}, base


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("operand", "expected"),
    [
        ("HTTPS://EXAMPLE.com/docs/", {"/docs/", "/docs/a/b?q#f"}),
        ("https://example.com/./docs", {"/docs", "/docs/", "/docs/a/b?q#f", "/docs?q", "/docs#f"}),
        (
            "https://example.com/docs?other=query#other",
            {"/docs", "/docs/", "/docs/a/b?q#f", "/docs?q", "/docs#f"},
        ),
        (parse("https://example.com/docs/a"), {"/docs/a/b?q#f"}),
        ("https://example.com/doc", set()),
        ("https://example.com:444/docs/", set()),
    ],
)
def test_under_is_at_the_border_of_a_segment(operand: object, expected: set[str]) -> None:
    """Spelling does not matter. The query and fragment of the operand are ignored."""
    insert(Plain, MORE)
    Plain.objects.create(url=None)
    found = {str(row.url) for row in Plain.objects.filter(url__under=operand)}
    assert found == {f"https://example.com{path}" for path in expected}
    others = Plain.objects.exclude(url__under=operand)
    assert others.count() == len(MORE) + 1 - len(found)


@pytest.mark.django_db
def test_credentials_count_as_they_are_written() -> None:
    """A URL that logs somebody in lies under none that does not; the origin does not mind."""
    insert(Plain, MORE)
    assert {
        str(row.url) for row in Plain.objects.filter(url__under="https://user@example.com/")
    } == {"https://user@example.com/docs/"}
    anybody = Plain.objects.filter(url__origin="https://example.com", url__path__under="/docs/")
    assert {str(row.url) for row in anybody} == {
        "https://example.com/docs/",
        "https://example.com/docs/a/b?q#f",
        "https://user@example.com/docs/",
        "https://user:pass@example.com/docs/a",
    }


@pytest.mark.parametrize(
    ("operand", "code"),
    [
        ("mailto:me", "opaque-path"),
        ("data:,secret", "opaque-path"),
        ("/docs/", "missing-scheme-non-relative-URL"),
        ("https://exa mple/", "domain-to-ASCII"),
    ],
)
def test_nothing_can_lie_under_some_operands(operand: str, code: str) -> None:
    """They raise ValidationError before the database is asked."""
    with pytest.raises(ValidationError) as caught:
        Plain.objects.filter(url__under=operand)
    assert caught.value.code == code
    assert caught.value.messages[0]


@pytest.mark.django_db
def test_under_nothing_is_nothing() -> None:
    """An empty string is no URL, and stands for NULL, which nothing lies under."""
    insert(Plain, MORE)
    assert not Plain.objects.filter(url__under="").exists()
