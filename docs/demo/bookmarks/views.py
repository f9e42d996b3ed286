"""The page that lists, searches and adds bookmarks, and the login."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Min, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from bookmarks.forms import BookmarkForm, SearchForm
from bookmarks.models import Bookmark, ImportedLine
from django_whatwg_url.duplicates import row_with_same_key
from django_whatwg_url.redirects import SafeRedirectURLMixin

PAGE_SIZE = 50
EXAMPLES = 3
SAME_PAGE = "same-page"
_LINES = ImportedLine.objects.select_related("bookmark").order_by("number", "pk")
FOLDED = _LINES.exclude(bookmark=None)
REFUSED = _LINES.filter(bookmark=None)


@require_http_methods(["GET", "HEAD", "POST"])
def shelf(request: HttpRequest) -> HttpResponse:
    """Show the bookmarks that match ``?q=``, newest first. A POST first adds one."""
    if request.method == "POST":
        form = BookmarkForm(request.POST)
        # Two people may add the same page at once, so checking and storing are one transaction.
        with transaction.atomic():
            added = form.save() if form.is_valid() else None
        if added:
            return redirect(f"{request.path}?added={added.pk}")
    else:
        form = BookmarkForm()

    search = SearchForm(request.GET)
    text = search.cleaned_data["q"] if search.is_valid() else ""
    bookmarks = Bookmark.objects.matching(text).order_by("-pk")
    context = {
        "form": form,
        "search": search,
        "text": text,
        "added": _just_added(request),
        "same": _already_there(form),
        **_page(request, bookmarks),
        **({} if request.GET else _outcomes()),
    }
    return render(request, "bookmarks/shelf.html", context)


@require_safe
def lines(request: HttpRequest, kind: str) -> HttpResponse:
    """Show the lines of imports that were folded or refused, in the order of the list."""
    found = {"folded": FOLDED, "refused": REFUSED}[kind]
    return render(request, "bookmarks/lines.html", {"kind": kind, **_page(request, found.all())})


def _outcomes() -> dict[str, Any]:
    """Return how many lines of imports were folded and refused, with examples."""
    return {
        "folded": FOLDED.count(),
        "folded_examples": _examples(FOLDED, "bookmark"),
        "refused": REFUSED.count(),
        "refused_examples": _examples(REFUSED, "reason"),
    }


def _examples(rows: QuerySet[ImportedLine], kind: str) -> QuerySet[ImportedLine]:
    """Return the first line of each of the first kinds."""
    firsts = rows.order_by().values(kind).annotate(first=Min("pk")).values("first")
    return rows.filter(pk__in=firsts)[:EXAMPLES]


def _page(request: HttpRequest, rows: QuerySet[Any]) -> dict[str, Any]:
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    numbers = page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1)
    return {"page": page, "page_range": numbers}


def _already_there(form: BookmarkForm) -> Bookmark | None:
    """Return the row because of which the form refuses a link, or None."""
    if not {"unique", SAME_PAGE} & {error.code for error in form.errors.as_data().get("url", ())}:
        return None
    row = row_with_same_key(form.instance, "url_key")
    return row if isinstance(row, Bookmark) else None


def _just_added(request: HttpRequest) -> Bookmark | None:
    pk = request.GET.get("added", "")
    if not (pk.isascii() and pk.isdigit() and len(pk) < 19):
        return None
    return Bookmark.objects.filter(pk=pk).first()


class Login(SafeRedirectURLMixin, LoginView):
    """The login. ``?next=`` leads only to a page of this site."""

    template_name = "bookmarks/login.html"
    next_page = "shelf"
