"""The command that reads stored redirect URIs before a project begins to check them."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.django.wayinapp.models import Keyed, Loose

pytestmark = pytest.mark.django_db
COLUMN = "wayinapp.Loose.url"


def checked(column: str = COLUMN, **options: Any) -> str:
    """Return what the command prints."""
    out = StringIO()
    call_command("check_redirect_uris", column, stdout=out, **options)
    return out.getvalue()


@pytest.fixture
def rows() -> list[Loose]:
    """Return rows of applications: several URIs in each, between white space of any kind."""
    texts = (
        "https://app.example/cb com.example.app:/cb",
        "http://localhost:3000/cb\nhttp://app.example/cb",
        "https://*.example.com/cb\thttps://*-pr.example.com/cb",
        "cursor://cb https://APP.example/cb javascript:alert(1)",
        "http://user:hunter2@app.example/?token=hunter2",
        "http://*.example.com/",
        "",
    )
    return [Loose.objects.create(url=text) for text in texts]


def test_they_are_counted_by_reason_with_what_would_allow_them(rows: list[Loose]) -> None:
    """There are examples without secrets, and nothing is changed."""
    text = checked()
    assert text.splitlines() == [
        "wayinapp.Loose.url: 7 rows, 11 redirect URIs",
        "          2  can be registered",
        "          1  credentials",
        "             1: no option allows this",
        f"             for example, {rows[4].pk}: http://***:***@app.example/",
        "          1  localhost",
        "             1: allow_localhost=True",
        f"             for example, {rows[1].pk}: http://localhost:3000/cb",
        "          1  not-canonical",
        "             1: register the spelling of a browser",
        f"             for example, {rows[3].pk}: https://APP.example/cb",
        "          2  not-encrypted",
        "             1: allow_http=True",
        "             1: allow_http=True and subdomain_wildcards=True",
        f"             for example, {rows[1].pk}: http://app.example/cb",
        f"             for example, {rows[5].pk}: http://*.example.com/",
        "          1  scheme-not-allowed",
        "             1: no option allows this",
        f"             for example, {rows[3].pk}: javascript:alert(1)",
        "          1  scheme-without-dot",
        "             1: schemes=['cursor']",
        f"             for example, {rows[3].pk}: cursor://cb",
        "          2  wildcard",
        "             2: subdomain_wildcards=True",
        f"             for example, {rows[2].pk}: https://*.example.com/cb",
        f"             for example, {rows[2].pk}: https://*-pr.example.com/cb",
        "Those match no request. Let their owners change them, or set the options.",
    ]
    assert "hunter2" not in text


def test_the_options_are_those_of_the_rules(rows: list[Loose]) -> None:
    """With all of them, only what no option allows is left."""
    text = checked(
        allow_localhost=True, allow_http=True, subdomain_wildcards=True, schemes=["cursor"]
    )
    assert "          8  can be registered" in text
    assert "option" not in text.replace("no option allows this", "").replace("set the options", "")


def test_an_empty_table_and_null_are_read() -> None:
    """No problem is reported."""
    assert checked() == "wayinapp.Loose.url: 0 rows, 0 redirect URIs\n"
    Keyed.objects.create(url=None)
    assert checked("wayinapp.Keyed.url") == "wayinapp.Keyed.url: 1 rows, 0 redirect URIs\n"


@pytest.mark.parametrize(
    ("column", "options", "message"),
    [
        ("Loose.url", {}, "Write app_label.Model.field"),
        ("wayinapp.Nothing.url", {}, "Nothing"),
        ("wayinapp.Loose.nothing", {}, "no field named 'nothing'"),
        ("wayinapp.Loose.id", {}, "not a text column"),
        (COLUMN, {"schemes": ["https"]}, "cannot|not a scheme"),
        (COLUMN, {"database": "nothing"}, "no database"),
    ],
)
def test_wrong_arguments_are_errors(column: str, options: dict[str, Any], message: str) -> None:
    """The message says what is wrong."""
    with pytest.raises(CommandError, match=message):
        checked(column, **options)
