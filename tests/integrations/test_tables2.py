"""Tests of django-tables2 with a column for a URL field."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final

import django_tables2 as tables
import pytest
from django.db import connection
from django.test import RequestFactory

import weburl
from django_whatwg_url.integrations.django_tables2 import CanonicalURLColumn
from tests.integrations.linksapp.models import Link

pytestmark = pytest.mark.django_db

SECRET: Final = "s3cret"
LINK: Final = 'rel="noopener noreferrer" dir="ltr"'


class LinkTable(tables.Table):  # type: ignore[misc]
    """A table that chooses its columns by the model."""

    class Meta:
        model = Link


@pytest.fixture(autouse=True)
def rows() -> None:
    """Make a URL with a password, and a row that another program wrote."""
    Link.objects.create(title="a", url=f"https://me:{SECRET}@bücher.example/a")
    Link.objects.create(title="b", url="https://b.example/?<script>", homepage="ftp://x.example/")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE linksapp_link SET homepage = %s WHERE title = 'a'", [f"https://me:{SECRET}@"]
        )


def html_of(table: type[tables.Table]) -> str:
    """Return the HTML of a table of all links."""
    return str(table(Link.objects.order_by("pk")).as_html(RequestFactory().get("/")))


def test_the_table_of_a_model_finds_the_column() -> None:
    """Links have no username and password. Text that is not a URL is not a link."""
    assert {
        name
        for name, column in LinkTable.base_columns.items()
        if type(column) is CanonicalURLColumn
    } == {"url", "homepage"}
    html = html_of(LinkTable)
    assert SECRET not in html
    assert "<script>" not in html
    shown = "https://b.example/?%3Cscript%3E"
    assert re.findall(r"<td ><a ([^>]*)>([^<]*)<", html) == [
        (f'{LINK} href="https://xn--bcher-kva.example/a"', "https://bücher.example/a"),
        (f'{LINK} href="{shown}"', shown),
    ]
    assert re.findall(r"<bdi[^>]*>([^<]*)<", html) == ["https://***:***@", "ftp://x.example/"]


def test_an_export_has_text_without_passwords() -> None:
    """An export writes the result of ``as_values()``."""
    (_head, *found) = LinkTable(Link.objects.order_by("pk")).as_values()
    assert [row[2:] for row in found] == [
        ["https://xn--bcher-kva.example/a", "https://***:***@"],
        ["https://b.example/?%3Cscript%3E", "ftp://x.example/"],
    ]
    assert {type(text) for row in found for text in row[2:]} == {str}


def test_a_column_can_be_declared() -> None:
    """It takes the options of django-tables2. A column of another class keeps its class."""

    class Declared(tables.Table):  # type: ignore[misc]
        url = CanonicalURLColumn(max_length=18, attrs={"a": {"class": "out"}})
        homepage = tables.Column()
        opened = CanonicalURLColumn(text="open", accessor="url")

        class Meta:
            model = Link
            fields: ClassVar[Any] = ["url", "homepage", "opened"]

    html = html_of(Declared)
    shown = weburl.render(weburl.parse("https://bücher.example/a"), max_length=18)
    assert f'<a {LINK} class="out" href="https://xn--bcher-kva.example/a">{shown}<' in html
    assert html.count(">open</a>") == 2
    assert type(Declared.base_columns["homepage"]) is tables.Column
