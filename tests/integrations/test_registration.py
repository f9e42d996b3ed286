"""Tests of when other apps learn about the fields, each in its own interpreter."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
OURS: Final = "django_whatwg_url"
NEIGHBOURS: Final = (
    "rest_framework",
    "django_filters",
    "drf_spectacular",
    "django_tables2",
    "import_export",
    "strawberry_django",
    "wagtail",
)
EARLY: Final = "tests.integrations.earlyapp"

SHOWN: Final = """
from tests.integrations.earlyapp import models
print(json.dumps({
    "filters": {
        name: type(each).__name__ for name, each in models.PlaceFilters.base_filters.items()
    },
    "fields": {
        kind.__name__: [type(each).__name__ for each in kind().fields.values()]
        for kind in (models.PlaceSerializer, models.CopiedSerializer, models.ChosenSerializer)
    },
}))
"""
CHOSEN: Final = {
    "filters": {"url": "CanonicalURLFilter", "url__host__under": "CanonicalURLFilter"},
    "fields": {
        "PlaceSerializer": ["CanonicalURLField", "CharField"],
        "CopiedSerializer": ["CanonicalURLField", "Trimmed"],
        "ChosenSerializer": ["Trimmed", "CharField"],
    },
}


def printed(apps: list[str], program: str, before: str = "") -> Any:
    """Return what a program prints as JSON, in a project with these apps."""
    start = f"""
import json, sys
import django
from django.conf import settings
settings.configure(INSTALLED_APPS={apps!r}, DEFAULT_AUTO_FIELD="django.db.models.BigAutoField")
{before}
django.setup()
"""
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", start + program],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize(
    "apps",
    [
        [OURS, EARLY, "rest_framework", "django_filters"],
        ["rest_framework", "django_filters", OURS, EARLY],
    ],
    ids=lambda apps: "-".join(name.rpartition(".")[2] for name in apps),
)
def test_an_app_after_ours_may_make_classes_in_its_models(apps: list[str]) -> None:
    """Models are imported before any app is ready. What a project chose is not changed."""
    assert printed(apps, SHOWN) == CHOSEN


def test_one_line_does_it_without_the_app() -> None:
    """The project calls ``register()`` where it starts."""
    lines = """
from django_whatwg_url.integrations import django_filters, rest_framework
rest_framework.register()
rest_framework.register()
django_filters.register()
django_filters.register()
"""
    assert printed([EARLY, "rest_framework"], SHOWN, lines) == CHOSEN


@pytest.mark.parametrize(
    "installed",
    [[], ["rest_framework"], ["django_filters"], ["django_tables2"]],
)
def test_what_is_not_installed_is_not_imported(installed: list[str]) -> None:
    """Neither the other app nor our module for it is imported."""
    program = f"""
print(json.dumps(sorted(
    name for name in sys.modules
    if name in {NEIGHBOURS!r} or name.startswith("{OURS}.integrations.")
)))
"""
    names = [*installed, *(f"{OURS}.integrations.{name}" for name in installed)]
    assert printed([OURS, *installed], program) == sorted(names)


def test_schemas_know_the_fields_where_that_app_is_installed() -> None:
    """Importing our module is enough for the schemas to use it."""
    program = f"""
name = "{OURS}.integrations.drf_spectacular"
print(json.dumps([name] if name in sys.modules else []))
"""
    assert printed([OURS, *NEIGHBOURS[:3]], program) == [f"{OURS}.integrations.drf_spectacular"]


@pytest.mark.parametrize("ours_first", [True, False])
def test_tables_resources_and_types_know_the_fields_in_any_order(ours_first: bool) -> None:
    """The other app may become ready after ours."""
    others = ["django.contrib.contenttypes", "django.contrib.auth", "django_tables2"]
    others += ["strawberry_django", "tests.integrations.linksapp"]
    program = """
import django_tables2, strawberry_django
from strawberry_django.fields.types import field_type_map
from tests.integrations.linksapp.models import Link
field = Link._meta.get_field("url")
print(json.dumps([
    type(django_tables2.columns.library.column_for_field(field)).__name__,
    field_type_map[type(field)].__name__,
]))
"""
    apps = [OURS, *others] if ours_first else [*others, OURS]
    assert printed(apps, program) == ["CanonicalURLColumn", "URLRecord"]
