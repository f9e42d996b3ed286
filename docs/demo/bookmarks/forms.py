"""The forms of the demo: one adds a bookmark, one takes a link of an import, one searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django import forms

from bookmarks.models import Bookmark

if TYPE_CHECKING:
    BookmarkModelForm = forms.ModelForm[Bookmark]
else:
    BookmarkModelForm = forms.ModelForm


class BookmarkForm(BookmarkModelForm):
    """Adds one bookmark.

    Its field is the form field that comes with the model's: it takes http and https, assumes
    https where no scheme is given, and says what is wrong with a URL that it refuses.
    """

    class Meta:
        model = Bookmark
        fields = ("url",)
        labels: ClassVar = {"url": "Link"}
        error_messages: ClassVar = {
            "url": {"unique": "This page is on the shelf already, perhaps spelled otherwise."}
        }
        widgets: ClassVar = {
            "url": forms.TextInput(attrs={"placeholder": "HTTP://Bücher.example:80/a/../b?q=1"})
        }


class ImportedLinkForm(BookmarkForm):
    """Checks one link of many; whether it is on the shelf already is asked for all of them."""

    def validate_unique(self) -> None:
        """Ask nothing here: the importer asks once for a batch."""


class SearchForm(forms.Form):
    """What to look for: words, in any spelling."""

    q = forms.CharField(
        label="Search",
        required=False,
        max_length=100,
        widget=forms.TextInput(
            attrs={"type": "search", "placeholder": "words in any script, site:example.com"}
        ),
    )
