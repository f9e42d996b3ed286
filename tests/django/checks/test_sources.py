"""Tests of the check of columns that are computed from a field of references."""

from __future__ import annotations

from typing import Any

from django_whatwg_url.checks.models import check_sources
from django_whatwg_url.fields import (
    CanonicalURLField,
    QueryParamField,
    URLKeyField,
    URLReferenceField,
)
from tests.django.servers import model_with


def test_columns_that_follow_references_are_named() -> None:
    """A path is not a URL without its base, so its key and its parameters are NULL."""
    model = model_with(
        path=URLReferenceField(),
        url=CanonicalURLField(),
        path_key=URLKeyField("path"),
        page=QueryParamField("path", "page"),
        url_key=URLKeyField("url"),
    )
    assert model(path="/a?page=1").path_key is None
    apps: Any = model._meta.apps
    messages = check_sources([apps.get_app_config("testapp")])
    assert [(message.id, message.obj.name) for message in messages] == [
        ("django_whatwg_url.W035", "path_key"),
        ("django_whatwg_url.W035", "page"),
    ]
    assert "'path'" in messages[0].msg
