"""Tests of the package as a whole: its app, and what importing it brings along."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from typing import Any

import pytest
from django.apps import apps
from django.test import modify_settings

from django_whatwg_url.fields import CanonicalURLField, ExactURLField, URLReferenceField
from tests.django.testapp.models import Site


def test_the_app_is_found_by_its_name() -> None:
    """An entry in INSTALLED_APPS is all that is needed."""
    config = apps.get_app_config("django_whatwg_url")
    assert config.name == "django_whatwg_url"
    assert [model.__name__ for model in config.get_models()] == ["Run", "Change"]


@pytest.mark.parametrize("field", [CanonicalURLField(), ExactURLField(), URLReferenceField()])
def test_a_url_field_says_that_the_app_is_not_installed(field: Any) -> None:
    """Its own check does, because the checks of the app do not run then."""
    field.set_attributes_from_name("url")
    field.model = Site
    assert [message.id for message in field.check()] == []
    with modify_settings(INSTALLED_APPS={"remove": "django_whatwg_url"}):
        assert [message.id for message in field.check()] == ["django_whatwg_url.W037"]


def test_the_package_says_that_it_is_typed() -> None:
    """Type checkers look for the marker."""
    assert files("django_whatwg_url").joinpath("py.typed").is_file()


def run(code: str) -> str:
    """Return what a fresh interpreter prints."""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_importing_the_package_imports_no_django() -> None:
    """Its name may appear in settings, where nothing is configured yet."""
    code = "import sys, django_whatwg_url; print('django' in sys.modules, 'weburl' in sys.modules)"
    assert run(code) == "False False"


def test_importing_the_fields_imports_neither_settings_nor_the_admin() -> None:
    """Models and forms may be imported before the apps are ready, and without the admin."""
    code = (
        "import sys, django_whatwg_url.fields, django_whatwg_url.forms\n"
        "from django.conf import settings\n"
        "print(settings.configured, 'django.contrib.admin' in sys.modules)"
    )
    assert run(code) == "False False"
