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
    "import_export",
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
    [[], ["rest_framework"], ["django_filters"]],
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
