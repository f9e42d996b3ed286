"""URLs that the field would refuse are counted in each run, and removed only on request."""

from __future__ import annotations

import json
import re
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.django.rows.running import run, summary, undo
from tests.django.stored import store_text, stored_text, stored_texts
from tests.django.testapp.models import Bookmark
from tests.django.wayinapp.models import Keyed, Old
from weburl import URLPolicy

pytestmark = pytest.mark.django_db
POLICY = URLPolicy(refused_hosts=[".evil.example"])
TEXTS = (
    "https://example.com/",
    "javascript:alert(1)",
    "FTP://user:secret@Example.com",
    "https://www.EVIL.example",
    "nope",
)


@pytest.fixture
def rows() -> list[Old]:
    """Return rows with these texts."""
    return [Old.objects.create(url=text) for text in TEXTS]


def test_a_dry_run_counts_them_by_reason(rows: list[Old]) -> None:
    """It uses the rules of the future field, before the field is changed."""
    text = summary("Old.url", dry_run=True, policy=f"{__name__}.POLICY")
    assert "          3  stay, but the field would refuse the URL " in text
    assert "(1 host-refused, 2 scheme-not-allowed)" in text
    assert f"  scheme-not-allowed: {rows[1].pk}: javascript:alert(1); " in text
    assert f"  host-refused: {rows[3].pk}: " in text
    assert "--on-not-allowed" in text
    assert "secret" not in text
    assert stored_texts(Old) == list(TEXTS)
    plain = summary("Old.url", dry_run=True)
    assert "2 scheme-not-allowed" in plain and "host-refused" not in plain


def test_they_stay_in_canonical_form_and_have_a_line_each(rows: list[Old]) -> None:
    """Even a canonical row has a line, and every row has only one."""
    lines = run("Old.url", policy=f"{__name__}.POLICY")
    assert {pk: line.get("not_allowed") for pk, line in lines.items()} == {
        rows[1].pk: "scheme-not-allowed",
        rows[2].pk: "scheme-not-allowed",
        rows[3].pk: "host-refused",
        rows[4].pk: None,
    }
    assert lines[rows[1].pk]["outcome"] == "unchanged"
    assert lines[rows[2].pk]["outcome"] == "changed"
    assert lines[rows[2].pk]["reason"].startswith("URLs that begin with “ftp:”")
    assert "secret" not in json.dumps(lines)
    assert stored_texts(Old) == [
        TEXTS[0],
        TEXTS[1],
        "ftp://user:secret@example.com/",
        "https://www.evil.example/",
        "nope",
    ]


def test_other_schemes_can_be_allowed(rows: list[Old]) -> None:
    """They can be named, or all be allowed."""
    assert "1 scheme-not-allowed" in summary("Old.url", dry_run=True, schemes=["https", "ftp"])
    assert "would refuse" not in summary("Old.url", dry_run=True, schemes=["*"])


@pytest.mark.parametrize(
    ("choice", "left", "done"),
    [
        ("null", [TEXTS[0], None, None, "https://www.evil.example/", "nope"], "set to NULL"),
        ("delete", [TEXTS[0], "https://www.evil.example/", "nope"], "deleted"),
    ],
)
def test_they_can_be_removed_and_brought_back(
    rows: list[Old], choice: str, left: list[str | None], done: str
) -> None:
    """The choices are the same as for text that is not a URL, and an undo restores them."""
    options: Any = {"on_not_allowed": choice}
    dry = summary("Old.url", dry_run=True, **options)
    assert f"2  not allowed a URL that the field refuses (2 to be {done})" in dry
    assert stored_texts(Old) == list(TEXTS)
    out = summary("Old.url", **options)
    assert f"2  not allowed a URL that the field refuses (2 {done})" in out
    assert "secret" not in out
    assert stored_texts(Old) == left
    undo()
    assert stored_texts(Old) == list(TEXTS)


def test_the_field_that_is_there_says_what_it_refuses() -> None:
    """After the swap, the command uses the current schemes and the current policy of the field."""
    bookmark = Bookmark.objects.create(url="https://example.com/")
    store_text(bookmark, "ftp://example.com/")
    out = StringIO()
    call_command("canonicalize_urls", "testapp.Bookmark.url", dry_run=True, stdout=out)
    assert "1  stay, but the field would refuse the URL (1 scheme-not-allowed)" in out.getvalue()
    assert stored_text(bookmark) == "ftp://example.com/"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"policy": "links"}, "import path"),
        ({"policy": "no.such.policy"}, "cannot be imported"),
        ({"policy": f"{__name__}.TEXTS"}, "not a weburl.URLPolicy"),
        ({"schemes": ["a b"]}, "scheme"),
        ({"schemes": ["*", "https"]}, "scheme"),
        ({"on_not_allowed": "remove"}, "is not a choice"),
    ],
)
def test_wrong_rules_are_errors(options: dict[str, Any], message: str) -> None:
    """They are found before a row is read."""
    with pytest.raises(CommandError, match=message):
        run("Old.url", **options)


def unreadable() -> URLPolicy:
    """Query a table that does not exist."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT host FROM testapp_blocked")
    raise AssertionError


def test_an_error_of_the_function_names_the_policy() -> None:
    """Otherwise the error might seem to be about the table of the column."""
    with (
        pytest.raises(
            CommandError, match=rf"The policy '{__name__}\.unreadable' raised \w+Error: "
        ),
        transaction.atomic(),
    ):
        run("Old.url", policy=f"{__name__}.unreadable")


SPELLINGS = st.sampled_from(
    [
        *("https://a.example/", "HTTPS://A.example", "https://b.example/", "https://b.example:443"),
        *(
            "javascript:x",
            "JAVASCRIPT:x",
            "ftp://a/",
            "nope",
            "",
            "https://example.com/" + "é" * 400,
        ),
    ]
)


@given(
    texts=st.lists(SPELLINGS, max_size=12),
    on_duplicate=st.sampled_from(["report", "keep", "keep-oldest", "keep-newest"]),
    on_not_allowed=st.sampled_from(["report", "keep", "null", "delete"]),
    on_invalid=st.sampled_from(["report", "null", "delete"]),
    dry_run=st.booleans(),
    unique=st.booleans(),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_sums_are_right(
    tmp_path: Path, texts: list[str], dry_run: bool, unique: bool, **options: Any
) -> None:
    """Each row is counted once in the summary, and its last line in the report says the same.

    Only a row that was merged with a later row has two lines.
    """
    Keyed.objects.all().delete()
    keys = {Keyed.objects.create(url=text).pk.hex for text in texts}
    if options["on_duplicate"].startswith("keep-") or unique:
        options["unique_with"] = []
    out, path = StringIO(), tmp_path / "report.jsonl"
    path.unlink(missing_ok=True)
    call_command(
        "canonicalize_urls", "wayinapp.Keyed.url", dry_run=dry_run, report=str(path), stdout=out,
        **options,
    )  # fmt: skip
    whole, _, _ = out.getvalue().partition("For example")
    head, _, some = whole.partition("Of these rows:")
    counted = {
        outcome: int(number.replace(",", ""))
        for number, outcome in re.findall(r"^ *([\d,]+)  (\w+(?: \w+)?) ", head, re.MULTILINE)
    }
    assert sum(counted.values()) == len(texts)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    last = {line["pk"]: line for line in lines}
    assert {key.replace("-", "") for key in last} <= keys
    outcomes = Counter(line["outcome"] for line in last.values())
    quiet = {"unchanged", "null", "blank"}
    needing_a_line = {name: number for name, number in counted.items() if name not in quiet}
    assert needing_a_line == {name: n for name, n in outcomes.items() if name not in quiet}
    twice = [pk for pk, n in Counter(line["pk"] for line in lines).items() if n > 1]
    assert not twice or options["on_duplicate"].startswith("keep-")
    if dry_run or not options["on_duplicate"].startswith("keep-"):
        refused = sum("not_allowed" in line for line in last.values())
        assert f"{refused:>11,}  stay, but" in some or not refused


def test_a_path_of_a_site_is_told_from_text_that_is_no_url() -> None:
    """The report names the field that can store it."""
    path, other, host = (Old.objects.create(url=text) for text in ("/lost-ark", "lost ark", "//h"))
    lines = run("Old.url", dry_run=True)
    reason = "It is a path of a site. A URLReferenceField can hold it."
    assert lines[path.pk]["reason"] == reason
    assert {lines[row.pk]["reason"] for row in (other, host)} != {reason}
    assert reason in summary("Old.url", dry_run=True)
