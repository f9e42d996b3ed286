"""The promises about modules that import other libraries."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

import django_whatwg_url.integrations
import weburl.integrations
from tests.test_promises import ROWS

MODULES = sorted(module for module in ROWS if ".integrations." in module)


@pytest.mark.parametrize("module", MODULES)
def test_the_file_and_the_module_name_the_same(module: str) -> None:
    """`__all__` has what is promised, and each class says that it is in a promised module."""
    imported = importlib.import_module(module)
    assert sorted(ROWS[module]) == sorted(imported.__all__)
    for name in imported.__all__:
        value = getattr(imported, name)
        if isinstance(value, type) or inspect.isroutine(value):
            assert value.__name__ == name
            if not isinstance(value, type) and value.__module__.startswith("weburl.standard."):
                continue  # As the page says, functions are defined in internal modules.
            assert value.__module__ == module or name in ROWS[value.__module__]


def test_every_module_that_says_what_is_public_is_promised() -> None:
    """These are the modules of both packages that have `__all__`."""
    said = {
        info.name
        for package in (weburl.integrations, django_whatwg_url.integrations)
        for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
        if hasattr(importlib.import_module(info.name), "__all__")
    }
    assert said
    assert said == set(MODULES)
