"""The table that lists the page of each library."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar, Final

import pytest
from rest_framework import serializers

from django_whatwg_url.integrations.rest_framework import URLSlugRelatedField
from tests.django.testapp.models import Site, Visit

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = ROOT / "docs" / "integrations"
OTHERS: Final = PAGES / "other-apps.md"


def test_the_table_lists_every_page() -> None:
    """It lists no page that does not exist."""
    rows = re.findall(
        r"^\| \[[^\]]+\]\(([^)]+)\) \|", (PAGES / "index.md").read_text(), re.MULTILINE
    )
    assert set(rows) == {path.name for path in PAGES.glob("*.md")} - {"index.md"}
    assert "(docs/integrations/index.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_names_every_line_of_registration() -> None:
    """This concerns the modules for Django apps that have a ``register()``."""
    table = (PAGES / "index.md").read_text(encoding="utf-8")
    for module in (ROOT / "django_whatwg_url" / "integrations").glob("*.py"):
        if "\ndef register(" in module.read_text(encoding="utf-8"):
            assert f"`{module.stem}.register()`" in table


def test_a_page_about_an_integration_is_short() -> None:
    """Readers only want to get back to their own task."""
    for page in {*PAGES.glob("*.md")} - {OTHERS}:
        shown = re.sub(r"(?ms)^<!---.*?-->\n\n?", "", page.read_text(encoding="utf-8"))
        assert len(shown.splitlines()) < 90, page.name


def test_a_recipe_for_another_app_has_at_most_15_lines() -> None:
    """An app that needs more would need an integration."""
    recipes = re.findall(
        r"^```python\n(.*?)^```", OTHERS.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert len(recipes) == 9
    assert max(recipe.count("\n") for recipe in recipes) <= 15


@pytest.mark.django_db
def test_the_relation_by_primary_key_of_rest_framework_repeats_a_password() -> None:
    """The page about REST framework says so, and names a field to use instead."""

    class Visits(serializers.ModelSerializer[Visit]):
        class Meta:
            model = Visit
            fields: ClassVar[Any] = ["site"]

    class Declared(Visits):
        site = URLSlugRelatedField(slug_field="url", queryset=Site.objects.all())

    Site.objects.create(url="https://example.com/")
    text = "https://me:s3cret@example.com/"
    for kind, is_repeated in [(Visits, True), (Declared, False)]:
        refused = kind(data={"site": text})
        assert not refused.is_valid()
        assert ("s3cret" in str(refused.errors)) is is_repeated
    found = Declared(data={"site": "HTTPS://EXAMPLE.com"})
    assert found.is_valid()
    assert found.data == {"site": "https://example.com/"}
