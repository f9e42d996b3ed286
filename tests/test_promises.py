"""Import paths, codes, ids and SQL that are promised are those of the code."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.validators import RegexValidator
from django.db import connection, models
from django.db.migrations.migration import Migration
from django.db.migrations.operations import AddConstraint, AddIndex, CreateModel
from django.db.migrations.writer import MigrationWriter
from django.db.models import F, Q
from django.db.models.expressions import Col, RawSQL
from django.db.models.lookups import Lookup

import check_versions
import django_whatwg_url
import promises
from django_whatwg_url import constraints, fields, functions, generated, indexes, validators
from django_whatwg_url.beside.base import Companion, FollowingCompanion
from django_whatwg_url.duplicates import SAME_PAGE
from django_whatwg_url.encoders import URLJSONEncoder
from django_whatwg_url.fields.options import FieldWithOptions
from django_whatwg_url.fields.text import URLTextField
from django_whatwg_url.linkify import LinksValidator
from django_whatwg_url.operations import (
    AddUniqueConstraintConcurrently,
    CanonicalizeURLs,
    UpdateQueryParams,
    UpdateRegistrableDomains,
    UpdateURLKeys,
)
from django_whatwg_url.rules.messages import POLICY_ERROR_MESSAGES, URL_ERROR_MESSAGES
from docs.site import promised
from weburl import URLPolicy, ValidationErrorType

ROOT: Final = Path(__file__).resolve().parents[1]
PAGE: Final = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8")


ROWS: Final = promised.names(ROOT)
# What takes packages that few have all of is looked at by tests of the same name in their folders.
WITH_OTHERS: Final = re.compile(r"\w+\.integrations\.|weburl\.columns")
PROMISED: Final = {module: names for module, names in ROWS.items() if not WITH_OTHERS.match(module)}
PATHS: Final = [(module, name) for module, names in PROMISED.items() for name in names]


def app_classes() -> Iterator[type]:
    """Yield every class that a module of the Django app defines."""
    prefix = f"{django_whatwg_url.__name__}."
    for info in pkgutil.walk_packages(django_whatwg_url.__path__, prefix):
        if WITH_OTHERS.match(info.name):
            continue
        module = importlib.import_module(info.name)
        for value in vars(module).values():
            if isinstance(value, type) and value.__module__.startswith(prefix):
                yield value


def path_of(kind: type) -> tuple[str, str]:
    """Return the module that people are shown for a class, and its name there."""
    return kind.__module__, kind.__qualname__


DECONSTRUCTED: Final = sorted(
    {
        kind
        for kind in app_classes()
        if hasattr(kind, "deconstruct")
        and not kind.__name__.startswith("_")
        # Migrations write lookups by their names, in Q objects, and Django makes columns of
        # fields when it runs a query.
        and not issubclass(kind, (Lookup, Col))
        # No model has a field of a base class.
        and kind not in (Companion, FollowingCompanion, FieldWithOptions, URLTextField)
    },
    key=path_of,
)

EXPRESSIONS: Final[list[type[models.Func]]] = [
    getattr(functions, name) for name in functions.__all__
]
ARGUMENTS: Final[dict[type[models.Func], tuple[object, ...]]] = {
    functions.QueryParam: ("utm-source",),
}
"""What an expression takes besides the URL."""


def test_the_file_lists_modules_of_both_packages() -> None:
    """It names no module or name twice."""
    assert {module.partition(".")[0] for module in PROMISED} == {"weburl", "django_whatwg_url"}
    assert len(PATHS) == len(set(PATHS)) > 100
    text = (ROOT / "docs" / promised.FILE).read_text(encoding="utf-8")
    assert text.count(": [") == len(ROWS)


@pytest.mark.parametrize("package", ["weburl", "django_whatwg_url"])
def test_the_page_names_the_same_modules(package: str) -> None:
    """In the row of the package; those inside a module such as `weburl.columns` are left out."""
    (row,) = re.findall(rf"^\| `{package}` \| (.*) \|$", PAGE, re.MULTILINE)
    modules = [module.split(".") for module in ROWS if module.startswith(f"{package}.")]
    assert re.findall(r"`(\w+)`", row) == sorted({name for _, name, *_ in modules})


@pytest.mark.parametrize(("module", "name"), PATHS)
def test_a_promised_path_can_be_imported(module: str, name: str) -> None:
    """A class says that it lives there, and its pickle names that path."""
    value = getattr(importlib.import_module(module), name)
    if isinstance(value, type):
        assert path_of(value) == (module, name)
        assert pickle.loads(pickle.dumps(value)) is value
    elif inspect.isroutine(value):
        assert value.__name__ == name


@pytest.mark.parametrize("module", PROMISED)
def test_the_file_and_the_module_name_the_same(module: str) -> None:
    """`__all__` holds what is promised, and nothing else."""
    # A star import leaves it out, since Django has one, too.
    left_out = ["ValidationError"] if module == "weburl" else []
    public = [*importlib.import_module(module).__all__, *left_out]
    assert sorted(PROMISED[module]) == sorted(public)


def test_every_module_that_says_what_is_public_is_promised() -> None:
    """Of the modules that stand open: no `__all__` without a row, but in inner rooms."""
    inner = {"checks", "integrations", "lookups", "management", "migrations", "models", "rows"}
    inner |= {"column", "query", "rules", "templatetags"}
    said = set()
    for info in pkgutil.iter_modules(django_whatwg_url.__path__):
        module = importlib.import_module(f"{django_whatwg_url.__name__}.{info.name}")
        if info.name not in inner:
            assert hasattr(module, "__all__"), info.name
            said.add(module.__name__)
    assert said == {name for name in PROMISED if name.startswith("django_whatwg_url")}


@pytest.mark.parametrize("kind", DECONSTRUCTED, ids=lambda kind: kind.__name__)
def test_a_class_that_migrations_can_name_is_promised(kind: type) -> None:
    """Every field, function, validator, constraint, index and generated column of the app."""
    module, name = path_of(kind)
    assert name in PROMISED.get(module, ())


def test_there_are_classes_that_migrations_can_name() -> None:
    """Of each kind."""
    bases = (models.Field, models.Index, models.BaseConstraint, models.Func)
    assert all(any(issubclass(kind, base) for kind in DECONSTRUCTED) for base in bases)
    assert {validators.URLSchemeValidator, validators.CanonicalMaxLengthValidator} < set(
        DECONSTRUCTED
    )


POLICY: Final = URLPolicy(schemes=["https"])


def written() -> str:
    """Return the text of a migration that uses everything of the app that a migration can."""
    columns: list[tuple[str, models.Field[Any, Any]]] = [
        ("id", models.AutoField(primary_key=True)),
        (
            "url",
            fields.CanonicalURLField(
                strictness="valid",
                validators=[
                    validators.URLSchemeValidator(["ftp"]),
                    validators.URLStrictnessValidator(["host-missing"]),
                    validators.CanonicalMaxLengthValidator(99),
                    validators.URLPolicyValidator(POLICY),
                    RegexValidator("a"),
                ],
            ),
        ),
        ("other", fields.CanonicalURLField(schemes=None)),
        ("exact", fields.ExactURLField(validators=[validators.ExactURLValidator(["ftp"])])),
        ("link", fields.URLReferenceField(validators=[validators.URLReferenceValidator(["ftp"])])),
        ("rule", models.CharField(validators=[validators.validate_url_pattern])),
        ("origin", models.CharField(validators=[validators.OriginValidator(["https"])])),
        ("uri", models.TextField(validators=[validators.RedirectURIValidator()])),
        ("site", fields.RegistrableDomainField("url")),
        ("item", fields.QueryParamField("url", "id")),
        ("text", models.TextField(validators=[LinksValidator(max_links=2, policy=POLICY)])),
        ("url_key", fields.URLKeyField("url")),
        ("data", models.JSONField(encoder=URLJSONEncoder)),
        ("part", generated.URLPartField("host")),
        ("number", generated.URLPortField()),
        (
            "own",
            models.GeneratedField(
                expression=functions.URLHost("url"),
                output_field=generated.URLPartField("host"),
                db_persist=True,
            ),
        ),
        ("host", generated.GeneratedURLPartField("url", part="host")),
        ("port", generated.GeneratedURLPartField("url", part="port")),
    ]
    operations: list[Any] = [CreateModel("Model", columns)]
    operations += [
        AddIndex(
            "model", models.Index(kind("url", *ARGUMENTS.get(kind, ())), name=f"by_{kind.__name__}")
        )
        for kind in EXPRESSIONS
        if kind is not functions.URLPart
    ]
    operations.append(AddIndex("model", indexes.URLIndex("url", part="host", name="by_host")))
    operations += [
        AddConstraint("model", constraint)
        for constraint in (
            constraints.IsCanonicalURL("url", name="canonical"),
            constraints.URLAllowedBy("url", POLICY, name="policy"),
            models.CheckConstraint(condition=~Q(url__port=8080), name="port"),
            models.UniqueConstraint(functions.URLOrigin(F("url")), name="origin"),
        )
    ]
    migration: Any = Migration("0001_initial", "shops")
    migration.operations = [
        *operations,
        AddUniqueConstraintConcurrently(
            "model", constraints.UniqueURLKey("url_key", within=["site"], name="page")
        ),
        CanonicalizeURLs("shop", "url"),
        UpdateQueryParams("model", "item"),
        UpdateRegistrableDomains("model", "site"),
        UpdateURLKeys("model", "url_key"),
    ]
    return MigrationWriter(migration, include_header=False).as_string()


def test_a_migration_names_only_promised_paths() -> None:
    """A real one, written by Django, with every class of the app that can stand in one."""
    text = written()
    named = set(re.findall(r"\b((?:django_whatwg_url|weburl)(?:\.\w+)+)\b", text))
    imported = set(re.findall(r"^import ((?:django_whatwg_url|weburl).*)$", text, re.MULTILINE))
    promised = {f"{module}.{name}" for module, name in PATHS}
    assert named - imported <= promised
    assert {path.rpartition(".")[0] for path in named - imported} == imported <= set(PROMISED)
    can_be_named = {
        ".".join(path_of(kind)) for kind in DECONSTRUCTED if kind is not functions.URLPart
    }
    values = {"django_whatwg_url.encoders.URLJSONEncoder", "weburl.URLPolicy"}
    assert can_be_named | values == named - imported


def test_a_migration_that_was_written_can_be_read() -> None:
    """What it imports is there, and its operations are made again."""
    scope: dict[str, Any] = {}
    exec(written(), scope)
    assert len(scope["Migration"].operations) > len(EXPRESSIONS)


def test_the_page_names_every_error_code() -> None:
    """Besides the standard's own: those of the messages, and of constraints and lookups."""
    _, _, codes = PAGE.partition("- **Error codes**")
    shown = set(re.findall(r"`([\w-]+)`", codes.partition("\n- **")[0])) - {"ValidationError"}
    standard = {str(type) for type in ValidationErrorType}
    own = {*URL_ERROR_MESSAGES, *POLICY_ERROR_MESSAGES} - standard
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "django_whatwg_url").rglob("*.py")
    )
    own |= set(re.findall(r"\b(?:default_)?code ?= ?\"([\w-]+)\"", source))
    djangos = {"required", "invalid", "invalid_choice", "max_length", "min_length"}
    djangos.add("null_characters_not_allowed")
    own.add(SAME_PAGE)
    assert shown == own | djangos
    assert len(own) > 5


def test_the_page_names_every_system_check() -> None:
    """By its id."""
    pattern = r"django_whatwg_url\.[EWICD]\d{3}"
    used = {
        id
        for path in (ROOT / "django_whatwg_url").rglob("*.py")
        for id in re.findall(pattern, path.read_text(encoding="utf-8"))
    }
    assert set(re.findall(pattern, PAGE)) == used
    assert len(used) > 5


# --- what old migrations and indexes contain ---------------------------------------------------

KEPT: Final = promises.promises()


def test_this_checkout_keeps_what_was_promised() -> None:
    """By each release, and by its own file."""
    version = check_versions.version_of_the_source()
    assert promises.complaints(KEPT, version, for_release=False) == []
    assert set(KEPT["sql"]) == set(functions.__all__) - promises.NOT_IN_INDEXES


@pytest.mark.django_db
@pytest.mark.parametrize("name", sorted(KEPT["sql"]))
def test_the_sql_is_what_django_makes(name: str) -> None:
    """In a query that it compiles itself, on the database of the tests."""
    from tests.django.partsapp.models import Plain

    column = RawSQL('"url"', ())
    query = Plain.objects.values_list(getattr(functions, name)(column)).query
    compiled, _ = query.get_compiler(connection=connection).as_sql()
    assert promises.sql_of(name, connection.vendor).replace('"url"', '("url")') in compiled


def test_sql_codes_and_ids_may_come_but_not_go() -> None:
    """Each broken promise is named."""
    less: dict[str, Any] = {"codes": KEPT["codes"][1:], "checks": KEPT["checks"][1:], "sql": {}}
    assert promises.broken(less, KEPT) == []
    found = promises.broken(KEPT, less)
    assert len(found) == 2 + len(KEPT["sql"]) * len(promises.VENDORS)
    assert f"{KEPT['codes'][0]} was promised" in found
