"""The table of all libraries that there are pages for."""

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


def test_the_table_lists_every_page() -> None:
    """And none that is not there."""
    rows = re.findall(
        r"^\| \[[^\]]+\]\(([^)]+)\) \|", (PAGES / "index.md").read_text(), re.MULTILINE
    )
    assert set(rows) == {path.name for path in PAGES.glob("*.md")} - {"index.md"}
    assert "(docs/integrations/index.md)" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_names_every_line_of_registration() -> None:
    """Of the Django apps: the modules that have one."""
    table = (PAGES / "index.md").read_text(encoding="utf-8")
    for module in (ROOT / "django_whatwg_url" / "integrations").glob("*.py"):
        # Hypothesis calls its own, by an entry point.
        if "\ndef register(" in module.read_text(encoding="utf-8") and module.stem != "hypothesis":
            assert f"`{module.stem}.register()`" in table


def test_a_page_is_shorter_than_a_screen() -> None:
    """A neighbour is a means, and who reads of it has something else to do."""
    for page in PAGES.glob("*.md"):
        assert len(page.read_text(encoding="utf-8").splitlines()) < 90, page.name


@pytest.mark.django_db
def test_the_relation_by_primary_key_of_rest_framework_repeats_a_password() -> None:
    """As the page on it says, with what to use in its place."""

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
