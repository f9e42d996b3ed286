"""Tests of `written=`: the column that keeps how a URL was written."""

# Private names of a module are tested where no public one shows them.

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection, models, transaction
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.state import ModelState, ProjectState
from django.db.models import F, Value
from django.db.models.functions import Concat
from django.forms import modelform_factory
from django.template import Context, Template
from django.test import Client
from django.test.utils import isolate_apps
from hypothesis import given

from django_whatwg_url import forms
from django_whatwg_url.beside.written import spells, trimmed
from django_whatwg_url.fields import CanonicalURLField, UnparsableURL
from tests.django.servers import model_with
from tests.django.siteapp.models import Feed, FollowedFeed, MirroredFeed, ProxyFeed, TextFeed
from tests.django.stored import column_field, store_text
from tests.strategies import url_texts
from weburl import URLRecord, can_parse, canonicalize, parse

pytestmark = pytest.mark.django_db

WRITTEN = "HTTPS://Feeds.Example/Bücher?q=ä"
HREF = "https://feeds.example/B%C3%BCcher?q=%C3%A4"


def stored(model: type[Any] = Feed) -> list[tuple[str | None, str | None]]:
    """Return both columns of each row, as the database has them."""
    rows = model._default_manager.order_by("pk").values_list("url", "url_written")
    return [(str(url), written) for url, written in rows]


# The rule.


@pytest.mark.parametrize(
    ("text", "href"),
    [
        (HREF, HREF),
        (WRITTEN, HREF),
        ("example.com", "https://example.com/"),
        ("//example.com", "https://example.com/"),
        ("localhost:8000", "http://localhost:8000/"),
        ("example.com/a b", "https://example.com/a%20b"),
    ],
)
def test_a_text_spells_a_url_with_or_without_its_scheme(text: str, href: str) -> None:
    """A form accepts both."""
    assert spells(text, href)
    assert not spells(text, href + "x")


@given(url_texts)
def test_every_text_that_parses_spells_its_url_when_it_is_trimmed(text: str) -> None:
    """So a spelling is kept when the row is saved again."""
    if can_parse(text):
        assert spells(trimmed(text), canonicalize(text))


# Saving.


def test_a_new_row_keeps_the_text_that_was_assigned() -> None:
    """It is saved by create() or by save(), or through a proxy."""
    Feed.objects.create(url=WRITTEN)
    feed = ProxyFeed(url="  https://b.example\n")
    feed.save()
    assert stored() == [(HREF, WRITTEN), ("https://b.example/", "https://b.example")]
    assert feed.url_written == "https://b.example"


def test_a_record_has_its_canonical_spelling() -> None:
    """This applies to records that do not come from a form."""
    Feed.objects.create(url=parse(WRITTEN))
    assert stored() == [(HREF, HREF)]


def test_the_canonical_spelling_of_the_same_url_changes_nothing() -> None:
    """It is assigned as text or as a record, or the attribute is only read."""
    Feed.objects.create(url=WRITTEN)
    for url in (HREF, parse(HREF)):
        feed = Feed.objects.get()
        feed.url = url
        feed.full_clean()
        feed.save()
        feed.save()
        assert stored() == [(HREF, WRITTEN)]
    feed = Feed.objects.get()
    assert feed.url.scheme == "https"
    feed.save()
    assert stored() == [(HREF, WRITTEN)]


def test_another_spelling_replaces_the_first_and_another_url_does_too() -> None:
    """The new value may have any type."""
    feed = Feed.objects.create(url=WRITTEN)
    feed.url = "https:feeds.example/Bücher?q=ä"
    feed.save()
    assert stored() == [(HREF, "https:feeds.example/Bücher?q=ä")]
    feed.url = "https://other.example/"
    feed.save()
    assert stored() == [("https://other.example/", "https://other.example/")]


def test_a_wrong_text_in_the_column_is_corrected() -> None:
    """It must spell the URL of its row."""
    feed = Feed.objects.create(url=WRITTEN)
    feed.url_written = "https://other.example"
    feed.url = HREF
    feed.save()
    assert stored() == [(HREF, HREF)]


def test_saving_only_the_url_saves_the_spelling_too() -> None:
    """So does update_or_create(), and the column may be deferred."""
    feed = Feed.objects.create(url="https://a.example/")
    feed.url = WRITTEN
    feed.save(update_fields=["url"])
    assert stored() == [(HREF, WRITTEN)]
    Feed.objects.update_or_create(pk=feed.pk, defaults={"url": "https://B.example"})
    assert stored() == [("https://b.example/", "https://B.example")]
    partly = Feed.objects.only("url").get()
    partly.url = WRITTEN
    partly.save()
    assert stored() == [(HREF, WRITTEN)]


def test_saving_other_fields_changes_nothing() -> None:
    """Neither does saving with a deferred URL."""
    feed = Feed.objects.create(url=WRITTEN)
    feed.url = "https://other.example"
    feed.title = "A title"
    feed.save(update_fields=["title"])
    partly = Feed.objects.defer("url").get()
    partly.save()
    assert stored() == [(HREF, WRITTEN)]


def test_an_expression_has_a_spelling_after_it_is_stored() -> None:
    """It is the canonical spelling, because the old spelling may belong to another URL."""
    Feed.objects.create(url=Value(WRITTEN, output_field=CanonicalURLField()))
    assert stored() == [(HREF, HREF)]
    feed = Feed.objects.create(url="HTTPS://a.example")
    feed.url = F("url")
    feed.save()
    assert stored()[1] == ("https://a.example/", "https://a.example/")
    assert feed.url_written == "https://a.example/"


def test_bulk_methods_keep_the_spelling() -> None:
    """get_or_create() does the same for one row."""
    kind = FollowedFeed
    kind.objects.bulk_create([kind(url=WRITTEN), kind(url="https://b.example")])
    kind.objects.get_or_create(url="https://c.example")
    kind.objects.get_or_create(url="HTTPS://c.example")
    assert stored(kind) == [
        (HREF, WRITTEN),
        ("https://b.example/", "https://b.example"),
        ("https://c.example/", "https://c.example"),
    ]


def test_a_url_that_is_missing_has_no_spelling() -> None:
    """NULL where the column allows it."""
    feed = MirroredFeed.objects.create(url=WRITTEN, mirror="https://m.example")
    assert feed.mirror_written == "https://m.example"
    feed.mirror = None
    feed.save()
    row = MirroredFeed.objects.values_list("url_written", "mirror_written").get()
    assert row == (WRITTEN, None)


def test_an_inherited_url_keeps_its_spelling() -> None:
    """It is in the table of the parent, even if only the URL is saved."""
    feed = MirroredFeed.objects.create(url=WRITTEN)
    feed.url = "https://b.example"
    feed.save(update_fields=["url"])
    assert stored() == [("https://b.example/", "https://b.example")]


def test_a_row_whose_text_does_not_parse_keeps_its_spelling() -> None:
    """Nothing is known of it."""
    feed = Feed.objects.create(url=WRITTEN)
    store_text(feed, "no url")
    feed = Feed.objects.get()
    assert isinstance(feed.url, UnparsableURL)
    feed.title = "A title"
    feed.save(update_fields=["title"])
    feed.refresh_from_db()
    assert feed.url_written == WRITTEN


def test_fixtures_are_loaded_without_changes() -> None:
    """A fixture may even contain a spelling of another URL."""
    feed = Feed.objects.create(url=WRITTEN)
    data = serializers.serialize("json", [feed]).replace("Feeds.Example", "Else.Example")
    Feed.objects.all().delete()
    for loaded in serializers.deserialize("json", data):
        loaded.save()
    assert stored() == [(HREF, WRITTEN.replace("Feeds", "Else"))]


# Text that the column cannot hold.


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("https://a/" + "b/../" * 500, "max_length"),
        ("https://a/\0b", "null_characters_not_allowed"),
    ],
)
def test_text_that_the_column_cannot_hold_is_refused(text: str, code: str) -> None:
    """full_clean() and saving raise the error, and no row is saved."""
    with pytest.raises(ValidationError) as refused:
        Feed(url=text).full_clean()
    assert [error.code for error in refused.value.error_dict["url"]] == [code]
    with pytest.raises(ValidationError) as located, transaction.atomic():
        Feed.objects.create(url=text)
    assert located.value.code == code
    assert "siteapp.Feed.url" in located.value.messages[0]
    with pytest.raises(ValidationError), transaction.atomic():
        Feed.objects.bulk_create([Feed(url=text)])
    assert stored() == []


def test_a_row_whose_spelling_the_column_cannot_hold_can_be_saved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As long as its URL is the same. A form accepted such a row, and then saving it failed."""
    feed = Feed.objects.create(url=HREF)
    store_text(feed, "", "url_written")
    monkeypatch.setattr(Feed._meta.get_field("url_written"), "max_length", 10)
    form_class: Any = modelform_factory(Feed, fields=["title", "url"])
    form_class({"title": "a", "url": HREF}, instance=Feed.objects.get()).save()
    feed = Feed.objects.get()
    assert feed.title == "a"
    feed.save()
    assert stored() == [(HREF, "")]
    assert "url" in form_class({"url": f"{HREF}a"}, instance=feed).errors
    feed.url = f"{HREF}a"
    with pytest.raises(ValidationError):
        feed.save()


def test_a_lone_surrogate_is_stored_as_the_parser_reads_it() -> None:
    """No database stores it."""
    Feed.objects.create(url="https://A/\ud800")
    assert stored() == [("https://a/%EF%BF%BD", "https://A/\ufffd")]


# What Django does not let a field follow.


def test_djangos_own_update_writes_one_column() -> None:
    """So pass both columns."""
    Feed.objects.create(url=WRITTEN)
    Feed.objects.update(url="https://B.example")
    assert stored() == [("https://b.example/", WRITTEN)]
    Feed.objects.update(url="https://B.example", url_written="https://B.example")
    assert stored() == [("https://b.example/", "https://B.example")]


def test_djangos_own_bulk_update_leaves_a_column_that_is_not_named() -> None:
    """The attribute has the new text, as the documentation says."""
    feed = Feed.objects.create(url=WRITTEN)
    feed.url = "https://B.example"
    feed.full_clean()
    assert feed.url_written == "https://B.example"
    Feed.objects.bulk_update([feed], ["url"])
    assert stored() == [("https://b.example/", WRITTEN)]
    assert feed.url_written == "https://B.example"
    feed.refresh_from_db()
    feed.save()
    assert stored() == [("https://b.example/", "https://b.example/")]


def test_the_queryset_writes_both_columns_in_an_update() -> None:
    """The value may be text, a record or a literal."""
    for text in (WRITTEN, "https://b.example/b"):
        FollowedFeed.objects.create(url=text)
    FollowedFeed.objects.filter(url=HREF).update(url="https://C.example", title="c")
    FollowedFeed.objects.filter(title="").update(url=Value("https://D.example"))
    assert stored(FollowedFeed) == [
        ("https://c.example/", "https://C.example"),
        ("https://d.example/", "https://D.example"),
    ]
    FollowedFeed.objects.filter(title="").update(url=parse("https://E.example"))
    assert stored(FollowedFeed)[1] == ("https://e.example/", "https://e.example/")


def test_the_queryset_keeps_a_spelling_when_the_url_stays_the_same() -> None:
    """The canonical spelling replaces only spellings of other URLs."""
    FollowedFeed.objects.create(url=WRITTEN)
    FollowedFeed.objects.update(url=HREF)
    assert stored(FollowedFeed) == [(HREF, WRITTEN)]
    FollowedFeed.objects.update(url="https://b.example/")
    assert stored(FollowedFeed) == [("https://b.example/", "https://b.example/")]


def test_the_queryset_writes_what_the_database_computes() -> None:
    """Both columns get the same text."""
    FollowedFeed.objects.create(url=WRITTEN)
    FollowedFeed.objects.update(
        url=Concat(F("url"), Value("&b"), output_field=models.CharField(max_length=2048))
    )
    assert stored(FollowedFeed) == [(f"{HREF}&b", f"{HREF}&b")]


def test_the_queryset_leaves_a_spelling_that_the_caller_gives() -> None:
    """An update of other columns does not change it either."""
    FollowedFeed.objects.create(url=WRITTEN)
    FollowedFeed.objects.update(url="https://b.example", url_written="https:b.example")
    FollowedFeed.objects.update(title="b")
    assert stored(FollowedFeed) == [("https://b.example/", "https:b.example")]


def test_the_queryset_follows_the_bulk_methods() -> None:
    """bulk_update(), and bulk_create() of rows that are there."""
    feed = FollowedFeed.objects.create(url=WRITTEN, title="one")
    feed.url = "https://B.example"
    assert FollowedFeed.objects.bulk_update(iter([feed]), ["url"]) == 1
    assert stored(FollowedFeed) == [("https://b.example/", "https://B.example")]
    unique: dict[str, Any] = {} if connection.vendor == "mysql" else {"unique_fields": ["id"]}
    FollowedFeed.objects.bulk_create(
        [FollowedFeed(pk=feed.pk, url="https://C.example")],
        update_conflicts=True,
        update_fields=["url"],
        **unique,
    )
    assert stored(FollowedFeed) == [("https://c.example/", "https://C.example")]


def test_the_queryset_refuses_what_the_column_cannot_hold() -> None:
    """The error is raised before anything is written."""
    FollowedFeed.objects.create(url=WRITTEN)
    with pytest.raises(ValidationError):
        FollowedFeed.objects.update(url="https://a/" + "b/../" * 500)
    assert stored(FollowedFeed) == [(HREF, WRITTEN)]


# With as_text.


def test_the_spelling_of_a_text_attribute_is_kept() -> None:
    """Saving, full_clean() and the bulk methods keep it."""
    feed = TextFeed.objects.create(url=WRITTEN)
    assert (type(feed.url), feed.url, feed.url_written) == (str, HREF, WRITTEN)
    feed.save()
    feed.full_clean()
    feed = TextFeed.objects.get()
    feed.url = HREF
    feed.save()
    assert stored(TextFeed) == [(HREF, WRITTEN)]
    feed.url = " HTTPS://B.example"
    feed.full_clean()
    assert (feed.url, feed.url_written) == ("https://b.example/", "HTTPS://B.example")
    feed.url = parse("https://c.example")
    feed.save(update_fields=["url"])
    assert stored(TextFeed) == [("https://c.example/", "https://c.example/")]
    TextFeed.objects.update_or_create(pk=feed.pk, defaults={"url": WRITTEN})
    TextFeed.objects.bulk_create([TextFeed(url="https://D.example")])
    assert stored(TextFeed) == [(HREF, WRITTEN), ("https://d.example/", "https://D.example")]


def test_a_form_for_a_text_attribute_keeps_what_was_typed() -> None:
    """The attribute is a plain string afterwards."""
    form = modelform_factory(TextFeed, fields=["url"])({"url": " Feeds.example "})
    assert form.is_valid()
    assert form.cleaned_data["url"] == "https://feeds.example/"
    feed = form.save()
    assert type(feed.url) is str
    assert stored(TextFeed) == [("https://feeds.example/", "Feeds.example")]
    assert type(forms.CanonicalURLTextField().clean("feeds.example")) is str


# Forms and templates.


@pytest.mark.parametrize("fields", ["__all__", ["url"]])
def test_a_form_keeps_what_was_typed(fields: Any) -> None:
    """It has no scheme, and the spaces around it are removed."""
    form_class = modelform_factory(Feed, fields=fields)
    form = form_class({"url": "  Feeds.Example/ä "})
    assert "url_written" not in form.fields
    assert form.is_valid(), form.errors
    assert form.cleaned_data["url"] == "https://feeds.example/%C3%A4"
    feed = form.save()
    assert stored() == [("https://feeds.example/%C3%A4", "Feeds.Example/ä")]
    # The input shows the canonical URL, so this is what an unchanged form sends.
    again = form_class({"url": "https://feeds.example/%C3%A4"}, instance=feed)
    again.save()
    assert stored() == [("https://feeds.example/%C3%A4", "Feeds.Example/ä")]


def test_a_form_with_a_field_of_its_own_keeps_what_was_typed() -> None:
    """The field need not come from the model."""

    class OwnForm(modelform_factory(Feed, fields=["url"])):  # type: ignore[misc]
        url = forms.CanonicalURLTextField(assume_scheme="http", keeps_spelling=True)

    OwnForm({"url": "feeds.example"}).save()
    assert stored() == [("http://feeds.example/", "feeds.example")]


def test_a_form_that_changes_the_url_has_no_spelling_for_it() -> None:
    """The text was typed for another URL."""

    class QuerylessForm(modelform_factory(Feed, fields=["url"])):  # type: ignore[misc]
        def clean_url(self) -> URLRecord:
            return parse(self.cleaned_data["url"]).with_query(None)

    QuerylessForm({"url": "https://Feeds.example/a?b"}).save()
    assert stored() == [("https://feeds.example/a", "https://feeds.example/a")]


def test_a_template_shows_the_spelling_and_links_to_the_url() -> None:
    """It is escaped like other text."""
    feed = Feed.objects.create(url="https://Feeds.example/<b>")
    page = Template('<a href="{{ feed.url }}">{{ feed.url_written }}</a>')
    assert page.render(Context({"feed": feed})) == (
        '<a href="https://feeds.example/%3Cb%3E">https://Feeds.example/&lt;b&gt;</a>'
    )


def test_the_admin_keeps_what_was_typed(admin_client: Client) -> None:
    """The admin shows it on the page and in the list."""
    admin_client.post("/admin/siteapp/feed/add/", {"url": " Feeds.example/ä ", "title": ""})
    assert stored() == [("https://feeds.example/%C3%A4", "Feeds.example/ä")]
    page = f"/admin/siteapp/feed/{Feed.objects.get().pk}/change/"
    assert "Feeds.example/ä" in admin_client.get(page).content.decode()
    assert "Feeds.example/ä" in admin_client.get("/admin/siteapp/feed/").content.decode()
    admin_client.post(page, {"url": "https://feeds.example/%C3%A4", "title": "A title"})
    assert stored() == [("https://feeds.example/%C3%A4", "Feeds.example/ä")]
    assert Feed.objects.get().title == "A title"


# The command.


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command write its file of changes to a directory of the test."""
    monkeypatch.chdir(tmp_path)


def canonicalized(column: str = "siteapp.Feed.url", **options: Any) -> None:
    """Run the command, which must not fail."""
    call_command("canonicalize_urls", column, verbosity=0, stdout=StringIO(), **options)


def test_the_command_keeps_the_spelling_of_each_row() -> None:
    """This includes canonical rows that have none. A second run does not change it."""
    texts = {"/a": "", "/b": "", "/c": "Feeds.example:443/c", "/d": "https://else.example"}
    for path, written in texts.items():
        feed = Feed.objects.create(url=f"https://feeds.example{path}")
        Feed.objects.filter(pk=feed.pk).update(url_written=written)
        if path != "/a":
            store_text(feed, f"HTTPS://Feeds.example{path}")
    before = [str(url) for url, _written in stored()]
    canonicalized(dry_run=True)
    assert [str(url) for url, _written in stored()] == before
    assert Feed.objects.filter(url_written="").count() == 2
    for _run in range(2):
        canonicalized()
        assert stored() == [
            ("https://feeds.example/a", "https://feeds.example/a"),
            ("https://feeds.example/b", "HTTPS://Feeds.example/b"),
            ("https://feeds.example/c", "Feeds.example:443/c"),
            ("https://feeds.example/d", "HTTPS://Feeds.example/d"),
        ]


def test_the_command_says_how_many_spellings_it_has_stored() -> None:
    """Those rows are canonical, so nothing else would say that they were written."""
    for path in ("a", "b"):
        Feed.objects.create(url=f"https://feeds.example/{path}")
    Feed.objects.filter(url="https://feeds.example/a").update(url_written="")
    said = []
    for _run in range(2):
        out = StringIO()
        call_command("canonicalize_urls", "siteapp.Feed.url", stdout=out)
        said.append(
            "          1  had no spelling in the column for it, and got one" in out.getvalue()
        )
    assert said == [True, False]


def test_the_command_leaves_what_it_cannot_read() -> None:
    """A row that is not a URL, and one that has none, keep an empty column."""
    feed = MirroredFeed.objects.create(url=WRITTEN)
    other = Feed.objects.create(url="https://b.example")
    Feed.objects.update(url_written="")
    store_text(other, "no url")
    canonicalized(on_invalid="keep")
    assert list(Feed.objects.order_by("pk").values_list("url_written", flat=True)) == [HREF, ""]
    assert MirroredFeed.objects.get(pk=feed.pk).mirror_written is None


def test_the_command_keeps_the_url_if_the_column_is_too_short() -> None:
    """It changes the row even so."""
    feed = Feed.objects.create(url="https://feeds.example/")
    Feed.objects.update(url_written="")
    store_text(feed, "https://feeds.example/" + "a/../" * 405 + " ")
    canonicalized()
    assert stored() == [("https://feeds.example/", "https://feeds.example/" + "a/../" * 405)]
    Feed.objects.update(url_written="")
    limit = column_field(Feed, "url_written")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(limit, "max_length", 30)
        store_text(feed, "https://feeds.example/" + "a/../" * 405)
        canonicalized()
    assert stored() == [("https://feeds.example/", "https://feeds.example/")]


# The option.


@pytest.mark.django_db(transaction=True)
def test_the_option_is_in_migrations_and_changes_no_column() -> None:
    """Adding it runs no SQL."""
    field = CanonicalURLField(written="url_written")
    assert field.deconstruct()[3] == {"written": "url_written"}
    assert "written" not in CanonicalURLField().deconstruct()[3]
    states = []
    for written in (None, "url_written"):
        state = ProjectState()
        state.add_model(
            ModelState(
                "siteapp",
                "Old",
                [
                    ("id", models.BigAutoField(primary_key=True)),
                    ("url", CanonicalURLField(written=written)),
                    ("url_written", models.TextField(default="")),
                ],
            )
        )
        states.append(state)
    detector: Any = MigrationAutodetector(states[0], states[1])
    (migration,) = detector._detect_changes()["siteapp"]
    (operation,) = migration.operations
    (before, after) = (state.apps.get_model("siteapp", "Old") for state in states)
    with connection.schema_editor() as editor:
        editor.create_model(before)
    after.objects.create(url=WRITTEN)
    assert stored(after) == [(HREF, WRITTEN)]
    with connection.schema_editor(collect_sql=True) as editor:
        operation.database_forwards("siteapp", editor, *states)
    assert editor.collected_sql == []
    with connection.schema_editor() as editor:
        editor.delete_model(before)


def checked(**columns: Any) -> list[str]:
    """Return the ids of the messages about a model with these columns."""
    # Fields are saved in the order in which they were made, and so are their clones.
    model = model_with(**{name: column.clone() for name, column in columns.items()})
    return [str(message.id) for message in model.check()]


def url(written: str = "text", **options: Any) -> CanonicalURLField[Any, Any]:
    """Return a URL field whose spelling is kept in the column "text"."""
    return CanonicalURLField(written=written, **options)


@pytest.mark.parametrize(
    ("columns", "ids"),
    [
        ({"text": models.TextField(editable=False)}, []),
        ({"text": models.CharField(max_length=2048, editable=False)}, []),
        ({"text": models.CharField(max_length=2047, editable=False)}, ["W030"]),
        ({"text": models.TextField()}, ["W031"]),
        ({}, ["E030"]),
        ({"text": models.IntegerField()}, ["E030"]),
        ({"text": models.ManyToManyField("siteapp.Feed")}, ["E030"]),
        ({"text": CanonicalURLField()}, ["E030"]),
        ({"text": models.CharField(max_length=2048, unique=True)}, ["E030"]),
        ({"text": models.TextField(editable=False), "other": url()}, ["E030", "E030"]),
        ({"url": url("url")}, ["E030"]),
    ],
)
def test_a_check_says_which_columns_can_keep_a_spelling(
    columns: dict[str, Any], ids: list[str]
) -> None:
    """It must be text that nothing else changes."""
    found = checked(**{"url": url(), **columns})
    assert [id for id in found if "whatwg" in id] == [f"django_whatwg_url.{id}" for id in ids]


def test_a_column_before_the_url_cannot_keep_a_spelling() -> None:
    """It is saved before the URL is read."""
    found = checked(text=models.TextField(editable=False), url=url())
    assert "django_whatwg_url.E030" in found


def test_a_column_of_another_table_cannot_keep_a_spelling() -> None:
    """One save would write two tables."""
    with isolate_apps("tests.django.siteapp"):

        class Child(Feed):
            other = CanonicalURLField(written="url_written")

            class Meta:
                app_label = "siteapp"

        ids = [message.id for message in Child.check()]
    assert "django_whatwg_url.E030" in ids
