"""The demo's forms: to add a bookmark, to check an imported link, and to search."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django import forms

from bookmarks.models import Bookmark
from django_whatwg_url.duplicates import row_with_same_key, same_page_error

if TYPE_CHECKING:
    BookmarkModelForm = forms.ModelForm[Bookmark]
else:
    BookmarkModelForm = forms.ModelForm


class BookmarkForm(BookmarkModelForm):
    """Adds one bookmark.

    It uses the model field's own form field, which accepts http and https, adds https to text
    without a scheme, and says what is wrong with a URL that it refuses.
    """

    class Meta:
        model = Bookmark
        fields = ("url",)
        labels: ClassVar = {"url": "Link"}
        error_messages: ClassVar = {
            "url": {"unique": "This page is already on the shelf, perhaps in another spelling."}
        }
        widgets: ClassVar = {"url": forms.TextInput(attrs={"placeholder": "bücher.example/a/../b"})}

    def validate_unique(self) -> None:
        """Also refuse another URL of a page that is on the shelf, and say which one is there."""
        super().validate_unique()
        row = None if self.errors else row_with_same_key(self.instance, "url_key")
        if row is not None:
            self.add_error("url", same_page_error(row, "url_key"))


class ImportedLinkForm(BookmarkForm):
    """Checks one link of many, but not whether it is already on the shelf."""

    def validate_unique(self) -> None:
        """Do nothing, because the importer checks a whole batch with one query."""


class SearchForm(forms.Form):
    """The words to search for, in any spelling."""

    q = forms.CharField(
        label="Search",
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs={"type": "search", "placeholder": "site:example.com"}),
    )
