"""Run the tests here with the demo's own middleware, templates and page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import override_settings

from bookmarks import settings as demo_settings


@pytest.fixture(autouse=True)
def settings_of_the_demo() -> Iterator[None]:
    """Use the demo's settings that affect a request."""
    with override_settings(
        MIDDLEWARE=demo_settings.MIDDLEWARE,
        TEMPLATES=demo_settings.TEMPLATES,
        ROOT_URLCONF=demo_settings.ROOT_URLCONF,
        LANGUAGE_CODE=demo_settings.LANGUAGE_CODE,
        TIME_ZONE=demo_settings.TIME_ZONE,
        USE_TZ=demo_settings.USE_TZ,
    ):
        yield
