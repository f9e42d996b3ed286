"""Tests of `check_field`: options that contradict each other, or are not URLs."""

from __future__ import annotations

import random
import string
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection, models, transaction

from django_whatwg_url.fields import (
    CanonicalURLField,
    ExactURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
    URLReferenceField,
)
from tests.django.servers import (
    created,
    model_with,
    needs_server,
    only_mysql,
    only_postgresql,
    table_with,
)
from weburl import parse


def check_ids(**options: Any) -> list[str | None]:
    """Return the ids of the messages about a field with these options."""
    model = model_with(url=CanonicalURLField(**options))
    return [message.id for message in model.check(databases={"default"})]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"null": True, "blank": True},
        {"null": True},
        {"unique": True},
        {"primary_key": True},
        {"default": "HTTP://Example.com", "db_default": "https://example.com"},
        {"default": parse("https://example.com/")},
        {"null": True, "default": None},
        {"null": True, "default": ""},
        {"choices": [("https://example.com/", "One"), ("Group", [("http://b/", "Two")])]},
        {"null": True, "blank": True, "choices": [("", "None"), ("http://b/", "Two")]},
        {"strictness": "valid"},
        {"default": "mailto:a@b.example", "schemes": ["mailto"]},
        {"default": parse("a:b"), "choices": [("a:b", "One")], "schemes": None},
    ],
)
def test_sensible_options_pass_the_checks(options: dict[str, Any]) -> None:
    """There is no message, not even mysql.W003."""
    assert check_ids(**options) == []


def test_blank_without_null_is_warned_about() -> None:
    """An empty form field could be submitted but not saved."""
    assert check_ids(blank=True) == ["django_whatwg_url.W001"]


@pytest.mark.parametrize(
    "options", [{"default": "bad"}, {"default": ""}, {"db_default": "https://"}, {"db_default": ""}]
)
def test_a_default_that_is_no_url_is_an_error(options: dict[str, Any]) -> None:
    """It could never be saved."""
    assert check_ids(**options) == ["django_whatwg_url.E001"]


@pytest.mark.parametrize("option", ["default", "db_default"])
def test_a_default_that_is_too_long_is_an_error(option: str) -> None:
    """The canonical form counts, in which one character may become six."""
    assert check_ids(max_length=20, **{option: "https://a.example/é"}) == ["django_whatwg_url.E001"]
    assert check_ids(max_length=24, **{option: "https://a.example/é"}) == []


@pytest.mark.parametrize(
    "options",
    [
        {"default": "javascript:x"},
        {"default": parse("ftp://example.com/")},
        {"db_default": "ftp://example.com"},
        {"default": "http://example.com", "schemes": ["https"]},
        {"choices": [("https://example.com/", "One"), ("ftp://example.com/", "Two")]},
    ],
)
def test_a_value_of_a_scheme_that_is_not_allowed_is_warned_about(options: dict[str, Any]) -> None:
    """It can be stored, but full_clean() and forms would refuse it."""
    assert check_ids(**options) == ["django_whatwg_url.W002"]


@pytest.mark.parametrize("key", ["HTTPS://example.com", "https://example.com", "bad"])
def test_choices_are_written_in_canonical_form(key: str) -> None:
    """Forms compare choices as text."""
    assert check_ids(choices=[("https://example.com/", "One"), (key, "Two")]) == [
        "django_whatwg_url.E002"
    ]


def test_choices_that_are_no_pairs_are_left_to_djangos_own_check() -> None:
    """One error is enough."""
    assert check_ids(choices=["https://example.com/"]) == ["fields.E005"]


def test_the_hint_says_how_to_write_a_choice() -> None:
    """The hint can be pasted."""
    model = model_with(url=CanonicalURLField(choices=[("https:example.com", "One")]))
    (error,) = model.check(databases={"default"})
    assert error.hint == "Write 'https://example.com/'."


def messages(fields: dict[str, Any], **meta: Any) -> list[tuple[str | None, str, str]]:
    """Return the id, object and text of each message about the fields of a model."""
    found = model_with(meta=meta, **fields).check(databases={"default"})
    # Newer versions of Django require an app for PostgreSQL's own constraints.
    told = [message for message in found if message.id != "postgres.E005"]
    return [(message.id, getattr(message.obj, "name", ""), message.msg) for message in told]


TOO_LONG = "django_whatwg_url.W003"
REFUSED = "django_whatwg_url.E005"


def is_mariadb() -> bool:
    """Return whether this is MariaDB, which refuses less than MySQL."""
    return bool(getattr(connection, "mysql_is_mariadb", False))


# The longest text that fits into an index, on PostgreSQL and on MariaDB and MySQL.
LONGEST = {"postgresql": 2692, "mysql": 3072}


@needs_server
@pytest.mark.parametrize("option", ["unique", "db_index", "primary_key"])
def test_a_url_that_may_be_too_long_for_its_index_is_warned_about(option: str) -> None:
    """The warning begins at the length that the database refuses."""
    longest = LONGEST[connection.vendor]
    assert check_ids(max_length=longest, **{option: True}) == []
    refused = connection.vendor == "mysql" and not is_mariadb()
    expected = REFUSED if refused else TOO_LONG
    assert check_ids(max_length=longest + 1, **{option: True}) == [expected]
    assert check_ids(max_length=longest + 1) == []


@needs_server
@pytest.mark.parametrize(
    "meta",
    [
        {"unique_together": [("a", "b")]},
        {"indexes": [models.Index(fields=["a", "-b"], name="pair")]},
        {"constraints": [models.UniqueConstraint(fields=["a", "b"], name="pair")]},
    ],
    ids=["unique_together", "index", "constraint"],
)
def test_the_columns_of_an_index_are_counted_together(meta: dict[str, Any]) -> None:
    """There is one message, about the first URL column."""
    room = {"postgresql": 2688, "mysql": 3072}[connection.vendor]
    fits = {"a": CanonicalURLField(max_length=2000), "b": CanonicalURLField(max_length=room - 2000)}
    assert messages(fits, **meta) == []
    too_long = {"a": CanonicalURLField(max_length=2001), "b": fits["b"].clone()}
    ((id, name, text),) = messages(too_long, **meta)
    # MariaDB turns a unique index into a hash, and refuses other indexes.
    is_refused = connection.vendor == "mysql" and (not is_mariadb() or "indexes" in meta)
    assert (id, name) == (REFUSED if is_refused else TOO_LONG, "a")
    assert text.startswith("The index on 'a', 'b' ")


@needs_server
@pytest.mark.parametrize(("length", "fits"), [(254, True), (255, False)])
def test_a_url_is_measured_in_indexes_with_other_columns(length: int, fits: bool) -> None:
    """Other text takes four bytes per character on MariaDB. On PostgreSQL, only URLs count."""
    found = messages(
        {
            "url": CanonicalURLField(),
            "title": models.CharField(max_length=length),
            "year": models.IntegerField(),
        },
        indexes=[models.Index(fields=["title", "url", "year"], name="three")],
    )
    expected = [] if fits or connection.vendor == "postgresql" else [TOO_LONG]
    assert [id for id, _, _ in found] == expected


@only_mysql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("length", [1024, 1025])
def test_an_index_on_several_columns_is_refused_where_the_check_says_so(length: int) -> None:
    """The database refuses it at the same length as the check."""
    fields = {"a": CanonicalURLField(), "b": CanonicalURLField(max_length=length)}
    meta = {"indexes": [models.Index(fields=["a", "b"], name="pair")]}
    is_refused = length > 1024
    assert [id for id, _, _ in messages(fields, **meta)] == [REFUSED] * is_refused
    model = model_with(meta=meta, **fields)
    if is_refused:
        with pytest.raises(OperationalError, match="too long"), created(model):
            pass
        with connection.schema_editor() as editor:
            editor.delete_model(model)  # MariaDB keeps the table without the index.
    else:
        with created(model):
            pass


NO_NUMBER: Any = "x"


@pytest.mark.parametrize(
    "field",
    [
        CanonicalURLField(max_length=NO_NUMBER, db_index=True),
        ExactURLField(max_length=NO_NUMBER, db_index=True),
        URLKeyField("other", max_length=NO_NUMBER),
        QueryParamField("other", "id", max_length=NO_NUMBER),
        RegistrableDomainField("other", max_length=NO_NUMBER),
    ],
    ids=lambda field: type(field).__name__,
)
def test_a_length_that_is_not_a_number_is_left_to_djangos_check(field: Any) -> None:
    """The checks of indexes raised TypeError or ValueError on the servers."""
    found = [id for id, _, _ in messages({"other": CanonicalURLField(), "field": field})]
    assert found == ["fields.E121"]


@needs_server
def test_what_an_index_includes_counts_where_it_is_stored_with_it() -> None:
    """PostgreSQL stores included columns in the index. On MariaDB, Django leaves them out."""
    fields = {"a": CanonicalURLField(), "b": CanonicalURLField()}
    index = models.Index(fields=["a"], include=["b"], name="covering")
    found = [id for id, _, _ in messages(fields, indexes=[index]) if id != "models.W040"]
    assert found == ([TOO_LONG] if connection.vendor == "postgresql" else [])


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_postgresql_refuses_a_row_for_what_its_index_includes() -> None:
    """The limit is for the whole entry."""
    index = models.Index(fields=["a"], include=["b"], name="covering")
    digits = "".join(random.Random(2).choices(string.ascii_letters + string.digits, k=2000))
    model = model_with(a=CanonicalURLField(), b=CanonicalURLField(), meta={"indexes": (index,)})
    with created(model):
        href = f"https://a/{digits}"
        model._default_manager.create(a=href[:1000], b=href[:1000])
        with pytest.raises(OperationalError, match="index row size"), transaction.atomic():
            model._default_manager.create(a=href, b=f"https://b/{digits[::-1]}")


@only_mysql
@pytest.mark.django_db
def test_another_collation_may_take_four_bytes_for_a_character() -> None:
    """The check calculates the size that mysql.W003 only guesses."""
    assert check_ids(unique=True, max_length=768, db_collation="utf8mb4_bin") == []
    assert check_ids(unique=True, max_length=769, db_collation="utf8mb4_bin") == [TOO_LONG]
    assert check_ids(unique=True, db_collation="latin1_bin") == []


@only_mysql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("length", "expected"), [(3072, "BTREE"), (3073, "HASH")])
def test_mariadb_makes_a_hash_of_what_is_too_long(length: int, expected: str) -> None:
    """It does so silently, so the check warns."""
    if not getattr(connection, "mysql_is_mariadb", False):
        pytest.skip("MySQL refuses the index")
    with (
        table_with(CanonicalURLField(max_length=length, unique=True)),
        connection.cursor() as cursor,
    ):
        cursor.execute("SHOW INDEX FROM testapp_altered WHERE Column_name = 'url'")
        names = [description[0] for description in cursor.description]
        (index,) = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    assert index["Index_type"] == expected


@only_postgresql
@pytest.mark.django_db(transaction=True)
def test_postgresql_refuses_the_row_that_is_too_long() -> None:
    """Text that cannot be compressed fits if it is one character shorter."""
    digits = random.Random(1).choices(string.ascii_letters + string.digits, k=2693)
    href = "https://example.com/" + "".join(digits)
    with table_with(CanonicalURLField(max_length=3000, unique=True)) as model:
        model.objects.create(url=href[:2692])
        with pytest.raises(OperationalError, match="index row size"), transaction.atomic():
            model.objects.create(url=href[:2693])


# Each kind of column, the longest text without a warning, and whether its characters may take four
# bytes.
KINDS = [
    pytest.param(CanonicalURLField, 2692, False, id="records"),
    pytest.param(partial(CanonicalURLField, as_text=True), 2692, False, id="text"),
    pytest.param(URLReferenceField, 2692, False, id="reference"),
    pytest.param(ExactURLField, 673, True, id="exact"),
    pytest.param(partial(URLKeyField, "source"), 2692, False, id="key"),
    pytest.param(partial(RegistrableDomainField, "source"), 2692, False, id="domain"),
    pytest.param(partial(QueryParamField, "source", "q"), 673, True, id="parameter"),
]


@only_postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("several", [False, True], ids=["unique", "unique_together"])
@pytest.mark.parametrize(("kind", "longest", "is_wide"), KINDS)
def test_postgresql_refuses_no_row_of_any_column_without_a_warning(
    kind: Any, longest: int, is_wide: bool, several: bool
) -> None:
    """What fits without a warning can be stored, and one character more is warned about."""
    source = {"source": CanonicalURLField(max_length=20_000)}
    if several:
        longest = (2704 - 8 - 2 * 4) // (4 if is_wide else 1) // 2

    def columns(length: int) -> dict[str, Any]:
        if several:
            return {**source, "a": kind(max_length=length), "b": kind(max_length=length)}
        return {**source, "a": kind(max_length=length, unique=True)}

    meta = {"unique_together": [("a", "b")]} if several else {}
    ids = [id for id, *_ in messages(columns(longest + 1), **meta)]
    assert TOO_LONG in ids
    assert TOO_LONG not in [id for id, *_ in messages(columns(longest), **meta)]
    letters = "".join(map(chr, range(0x20000, 0x20400))) if is_wide else string.ascii_lowercase
    random_text = "".join(random.Random(3).choices(letters, k=longest))
    url = f"https://a.example/{random_text}"[:longest]
    values = {"source": f"https://example.com/?q={random_text}", "a": url, "b": url}
    model = model_with(meta=meta, **columns(longest))
    names = {field.name for field in model._meta.fields if field.editable}
    with created(model):
        model.objects.create(**{name: values[name] for name in names & values.keys()})


def test_indexes_are_not_asked_about_when_no_database_is() -> None:
    """`manage.py check` queries only the databases that are named."""
    model = model_with(url=CanonicalURLField(unique=True, max_length=5000))
    assert model.check() == []
