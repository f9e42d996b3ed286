"""Tests of django-import-export, which reads URLs from files and writes them."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import pytest
import tablib
from import_export import resources
from import_export.fields import Field
from import_export.formats.base_formats import XLSX
from import_export.instance_loaders import CachedInstanceLoader
from import_export.widgets import CharWidget

from django_whatwg_url.integrations.import_export import CanonicalURLWidget, URLResourceMixin
from tests.integrations.linksapp.models import Link

pytestmark = pytest.mark.django_db

SECRET: Final = "s3cret"
HEADERS: Final = ["url", "title", "homepage"]


class LinkResource(URLResourceMixin, resources.ModelResource):  # type: ignore[misc]
    """A resource that finds rows by URL."""

    class Meta:
        model = Link
        fields: ClassVar[Any] = HEADERS
        import_id_fields: ClassVar[Any] = ["url"]
        clean_model_instances = True


def imported(*rows: tuple[Any, ...], resource: Any = LinkResource) -> Any:
    """Import rows, and return the result of import-export."""
    return resource().import_data(tablib.Dataset(*rows, headers=HEADERS))


def codes(row: Any) -> dict[str, list[str]]:
    """Return the codes of the errors of a row, by column."""
    assert row.validation_error is not None
    assert SECRET not in str(row.validation_error)
    found = row.validation_error.update_error_dict({})
    return {name: [error.code for error in errors] for name, errors in found.items()}


def test_the_widget_is_found_and_every_spelling_is_the_same_row() -> None:
    """``import_id_fields`` finds it among the rows of the file and in the table."""
    assert type(LinkResource().fields["url"].widget) is CanonicalURLWidget
    old = Link.objects.create(title="old", url="https://bücher.example/a")
    result = imported(
        ("HTTPS://BÜCHER.example:443/a", "new", ""),
        (" https://c.example", "first", "https://d.example"),
        ("https://C.EXAMPLE/./", "second", None),
    )
    assert [row.import_type for row in result.rows] == ["update", "new", "update"]
    old.refresh_from_db()
    assert old.title == "new"
    assert list(Link.objects.order_by("pk").values_list("title", "homepage")) == [
        ("new", None),
        ("second", None),
    ]


def test_an_error_is_of_its_row_and_column_and_has_its_code() -> None:
    """All columns of a row are checked, and rows without errors are imported."""
    result = imported(
        (f"https://me:{SECRET}@", "a", ""),
        (f"ftp://me:{SECRET}@x.example/", "b", f"https://me:{SECRET}@exa mple.com"),
        ("", "c", ""),
        ("https://ok.example", "d", ""),
    )
    bad = [codes(row) for row in result.rows[:3]]
    assert bad[0] == {"url": ["host-missing"]}  # Looking the row up by it found nothing.
    assert bad[1] == {"url": ["scheme-not-allowed"], "homepage": ["domain-to-ASCII"]}
    assert bad[2] == {"url": ["null"]}
    assert result.rows[3].import_type == "new"
    assert result.totals["invalid"] == 3
    assert not result.has_errors()


def test_without_the_checks_of_the_model_only_urls_get_in() -> None:
    """The model's rules are checked only if ``clean_model_instances`` is set."""

    class Unchecked(LinkResource):
        class Meta:
            clean_model_instances = False

    result = imported(
        ("ftp://x.example", "a", ""),
        ("https://y.example", "b", f"https://me:{SECRET}@"),
        resource=Unchecked,
    )
    assert result.rows[0].import_type == "new"
    assert codes(result.rows[1]) == {"__all__": ["host-missing"]}


def test_rows_that_are_loaded_together_are_found_by_every_spelling() -> None:
    """``CachedInstanceLoader`` compares values in Python, so it needs records."""

    class Cached(LinkResource):
        class Meta:
            instance_loader_class = CachedInstanceLoader

    class Plain(Cached):
        url = Field(attribute="url", column_name="url", widget=CharWidget())

    Link.objects.create(title="old", url="https://bücher.example/a")
    row = ("https://BÜCHER.example/a", "new", "")
    assert imported(row, resource=Plain).rows[0].import_type == "invalid"
    assert imported(row, resource=Cached).rows[0].import_type == "update"


def test_a_scheme_may_be_assumed() -> None:
    """The option ``widgets`` in Meta says which."""

    class Typed(URLResourceMixin, resources.ModelResource):  # type: ignore[misc]
        class Meta(LinkResource.Meta):
            widgets: ClassVar[Any] = {"url": {"assume_scheme": "https"}}

    assert codes(imported(("example.com", "a", "")).rows[0]) == {
        "url": ["missing-scheme-non-relative-URL"]
    }
    assert imported(("example.com/b", "a", ""), resource=Typed).rows[0].import_type == "new"
    assert codes(imported(("https://", "a", ""), resource=Typed).rows[0]) == {
        "url": ["host-missing"]
    }
    for text in ("https://a/8\nhttps://a/9", "me@example.com", "192.168.1"):
        assert imported((text, "a", ""), resource=Typed).rows[0].import_type in ("invalid", "error")
    assert str(Link.objects.get().url) == "https://example.com/b"


def test_unchanged_rows_are_skipped_whatever_their_spelling() -> None:
    """``skip_unchanged`` compares records."""

    class Skipping(LinkResource):
        class Meta:
            skip_unchanged = True

    Link.objects.create(title="a", url="https://bücher.example/")
    row = ("HTTPS://BÜCHER.example", "a", "")
    assert imported(row, resource=Skipping).rows[0].import_type == "skip"


def test_an_export_is_text_and_can_be_imported_again() -> None:
    """This holds for text formats and for formats with types."""
    Link.objects.create(title="a", url=f"https://me:{SECRET}@bücher.example/")
    data = LinkResource().export()
    assert data.dict == [
        {"url": f"https://me:{SECRET}@xn--bcher-kva.example/", "title": "a", "homepage": ""}
    ]
    typed = LinkResource().export(force_native_type=True)
    again = XLSX().create_dataset(XLSX().export_data(typed))
    result = LinkResource().import_data(again)
    assert [row.import_type for row in result.rows] == ["update"]


def test_any_value_of_a_cell_is_read_or_is_an_error() -> None:
    """Examples are numbers, a lone surrogate, NUL and a long text."""
    texts = [7, "\ud800", "https://a\0b/", "https://e.example/" + "a" * 100_000, True, 1.5]
    result = imported(*((text, "t", "") for text in texts))
    assert [row.import_type for row in result.rows] == ["invalid"] * len(texts)
