"""Two rows of one page in one formset: the second form says so, before the database does."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin import AdminSite, ModelAdmin, TabularInline
from django.contrib.auth.models import User
from django.forms import inlineformset_factory, modelformset_factory
from django.test import RequestFactory

from django_whatwg_url.formsets import UniqueURLFormSet, UniqueURLInlineFormSet
from tests.django.keysapp.models import Bookmark, Owner

pytestmark = pytest.mark.django_db
SAME = ["https://example.com/a?utm_source=x", "http://www.example.com/a/"]


def data(texts: list[str], owners: list[Owner] | None = None, **more: str) -> dict[str, Any]:
    """Return what a browser sends of new rows."""
    sent: dict[str, Any] = {"p-TOTAL_FORMS": len(texts), "p-INITIAL_FORMS": 0, **more}
    for number, text in enumerate(texts):
        sent[f"p-{number}-url"] = text
        if owners:
            sent[f"p-{number}-owner"] = owners[number].pk
    return sent


def formset(texts: list[str], owners: list[Owner] | None = None, **more: str) -> Any:
    """Return a formset for bookmarks of any owner."""
    made = modelformset_factory(
        Bookmark, fields=["url", "owner"], formset=UniqueURLFormSet, can_delete=True
    )
    return made(data(texts, owners, **more), queryset=Bookmark.objects.none(), prefix="p")


@pytest.fixture
def owners() -> list[Owner]:
    """Return two owners."""
    return [Owner.objects.create(name=name) for name in "ab"]


def test_the_second_form_has_the_error(owners: list[Owner]) -> None:
    """It belongs to the field of the URL, and has the code of the constraint."""
    both = formset(SAME, [owners[0]] * 2)
    assert not both.is_valid()
    assert both.errors[0] == {}
    assert both.forms[1].errors.as_data()["url"][0].code == "same-page"
    assert both.errors[1] == {"url": ["Please correct the duplicate data for url."]}


def test_other_rows_are_accepted(owners: list[Owner]) -> None:
    """They have other owners or pages, are deleted, or their forms are empty."""
    assert formset(SAME, owners).is_valid()
    assert formset(SAME).is_valid() is False  # the owner is required
    assert formset([SAME[0], "https://example.com/b"], [owners[0]] * 2).is_valid()
    assert formset(SAME, [owners[0]] * 2, **{"p-1-DELETE": "on"}).is_valid()
    made = formset([SAME[0], "", ""])
    assert made.forms[1].errors == made.forms[2].errors == {}


def test_rows_of_a_parent(owners: list[Owner]) -> None:
    """The owner is not in the forms, but in the formset."""
    made = inlineformset_factory(Owner, Bookmark, fields=["url"], formset=UniqueURLInlineFormSet)
    refused: Any = made(data(SAME), instance=owners[0], prefix="p")
    assert refused.is_valid() is False
    assert refused.errors[1].keys() == {"url"}
    accepted: Any = made(data(SAME[:1]), instance=owners[0], prefix="p")
    assert accepted.is_valid()
    accepted.save()
    again: Any = made(data(SAME[1:]), instance=owners[0], prefix="p")
    assert again.is_valid() is False


def test_rows_of_a_parent_that_is_not_saved_yet() -> None:
    """It has no key, but it will be the parent of both."""
    made = inlineformset_factory(Owner, Bookmark, fields=["url"], formset=UniqueURLInlineFormSet)
    both: Any = made(data(SAME), instance=Owner(name="a"), prefix="p")
    assert not both.is_valid()
    assert both.forms[1].errors.as_data()["url"][0].code == "same-page"
    assert made(data([SAME[0], "https://b.example/"]), instance=Owner(), prefix="p").is_valid()


class BookmarkInline(TabularInline):  # type: ignore[type-arg]
    """Rows in the page of their owner."""

    model = Bookmark
    fields = ("url",)
    formset = UniqueURLInlineFormSet


def test_the_admin_uses_them(owners: list[Owner]) -> None:
    """For the rows of an owner, and in a list that can be edited."""
    sent = {key.replace("p-", "bookmark_set-"): value for key, value in data(SAME).items()}
    request = RequestFactory().post("/", sent)
    request.user = User.objects.create_superuser("admin")
    site = AdminSite()
    owner_admin: Any = type("OwnerAdmin", (ModelAdmin,), {"inlines": [BookmarkInline]})(Owner, site)
    ((rows,), _) = owner_admin._create_formsets(request, owners[0], change=True)
    assert isinstance(rows, UniqueURLInlineFormSet)
    assert rows.is_valid() is False
    assert "url" in rows.errors[1]

    bookmarks: Any = type("BookmarkAdmin", (ModelAdmin,), {"list_editable": ["url"]})
    listed = bookmarks(Bookmark, site).get_changelist_formset(request, formset=UniqueURLFormSet)
    assert issubclass(listed, UniqueURLFormSet)
    changed = data(SAME) | {"p-INITIAL_FORMS": 2}
    for number, host in enumerate(["a.example", "b.example"]):
        row = Bookmark.objects.create(url=f"https://{host}/", owner=owners[0])
        changed[f"p-{number}-id"] = row.pk
    assert listed(changed, queryset=Bookmark.objects.order_by("pk"), prefix="p").errors[1]
