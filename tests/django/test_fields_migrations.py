"""Tests of what migrations are told about a field."""

# Models for a moment; what a migration is written as has to be run.

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, models
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.operations import AlterField
from django.db.migrations.state import ModelState, ProjectState
from django.db.migrations.writer import MigrationWriter

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.validators import URLStrictnessValidator
from tests.django.servers import model_with
from tests.django.stored import column_field
from weburl import ValidationErrorType, parse


def test_a_field_without_options_deconstructs_to_nothing() -> None:
    """Migrations stay short, and name an import path that will not move."""
    _name, path, args, kwargs = CanonicalURLField().deconstruct()
    assert (path, args, kwargs) == ("django_whatwg_url.fields.CanonicalURLField", [], {})


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"verbose_name": "link", "unique": True, "null": True, "blank": True, "help_text": "!"},
        {"max_length": 100},
        {"max_length": None},
        {"db_collation": "utf8mb4_bin"},
        {"default": "HTTP://Example.com", "db_default": "HTTP://Example.com"},
        {"strictness": "valid"},
        {"strictness": ("host-missing", "port-invalid")},
        {"schemes": ("ftp", "https")},
        {"schemes": None},
        {"validators": [URLStrictnessValidator(["port-invalid"])]},
        {"error_messages": {"host-missing": "No host."}},
        {"choices": [("https://example.com/", "One")]},
    ],
)
def test_a_field_survives_deconstruction(options: dict[str, Any]) -> None:
    """The clone that migrations make has the same options."""
    field = CanonicalURLField(**options)
    _name, _path, args, kwargs = field.deconstruct()
    clone = CanonicalURLField(*args, **kwargs)
    assert kwargs == options
    assert clone.deconstruct() == field.deconstruct()
    assert (clone.max_length, clone.strictness) == (field.max_length, field.strictness)
    assert clone.schemes == field.schemes
    assert clone.validators == field.validators


def test_strictness_deconstructs_to_one_form() -> None:
    """In the standard's order, as plain text, whatever it was given as."""
    names = {ValidationErrorType.PORT_INVALID, "host-missing"}
    kwargs = CanonicalURLField(strictness=names).deconstruct()[3]
    assert kwargs == {"strictness": ("host-missing", "port-invalid")}
    assert all(type(name) is str for name in kwargs["strictness"])


def test_a_record_as_default_is_text_in_migrations() -> None:
    """Migrations can write text without an import."""
    record = parse("https://example.com/")
    kwargs = CanonicalURLField(default=record, db_default=record).deconstruct()[3]
    assert kwargs == {"default": record.href, "db_default": record.href}


@pytest.mark.parametrize(
    "options",
    [{"strictness": ["host-missing"]}, {"default": parse("a:b")}, {"schemes": ["ftp"]}],
)
def test_migrations_can_write_a_field(options: dict[str, Any]) -> None:
    """Its serialized form is an expression that makes an equal one."""
    field = CanonicalURLField(**options)
    expression, imports = MigrationWriter.serialize(field)
    scope: dict[str, Any] = {}
    exec("\n".join(imports), scope)
    assert eval(expression, scope).deconstruct() == field.deconstruct()


def changes(before: CanonicalURLField[Any, Any], after: CanonicalURLField[Any, Any]) -> list[Any]:
    """Return the operations that migrate a model from one field to another."""

    def state(field: CanonicalURLField[Any, Any]) -> ProjectState:
        state = ProjectState()
        state.add_model(
            ModelState(
                "testapp", "Model", [("id", models.AutoField(primary_key=True)), ("url", field)]
            )
        )
        return state

    autodetector: Any = MigrationAutodetector(state(before), state(after))
    found = autodetector._detect_changes()
    return [
        operation for migration in found.get("testapp", []) for operation in migration.operations
    ]


def test_equal_fields_need_no_migration() -> None:
    """The types of their options may differ."""
    record = parse("https://example.com/")
    assert changes(CanonicalURLField(), CanonicalURLField(max_length=2048)) == []
    assert changes(CanonicalURLField(default=record), CanonicalURLField(default=record.href)) == []
    assert (
        changes(
            CanonicalURLField(strictness={"port-invalid", "host-missing"}),
            CanonicalURLField(strictness=["host-missing", "port-invalid"]),
        )
        == []
    )
    assert changes(CanonicalURLField(), CanonicalURLField(schemes=("HTTPS", "http", "http"))) == []


@pytest.mark.parametrize(
    "options", [{"strictness": "valid"}, {"max_length": 99}, {"schemes": None}]
)
def test_changed_fields_do(options: dict[str, Any]) -> None:
    """An option that differs is an AlterField."""
    (operation,) = changes(CanonicalURLField(), CanonicalURLField(**options))
    assert isinstance(operation, AlterField)


@pytest.mark.django_db(transaction=True)
def test_altering_what_is_refused_leaves_the_database_alone() -> None:
    """Strictness and schemes are no matter of columns."""
    model_model = model_with(url=CanonicalURLField())
    new = CanonicalURLField(strictness="valid", schemes=None)
    new.set_attributes_from_name("url")
    new.model = model_model
    with connection.schema_editor(collect_sql=True) as editor:
        editor.alter_field(model_model, column_field(model_model), new)
    assert editor.collected_sql == []
