"""The page that lists, searches and adds bookmarks, and the login."""

from __future__ import annotations

from django.contrib.auth.views import LoginView
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from bookmarks.forms import BookmarkForm, SearchForm
from bookmarks.models import Bookmark
from django_whatwg_url.redirects import SafeRedirectURLMixin

PAGE_SIZE = 50


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
    page = Paginator(bookmarks, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "search": search,
        "text": text,
        "page": page,
        "page_range": page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1),
        "added": _just_added(request),
    }
    return render(request, "bookmarks/shelf.html", context)


def _just_added(request: HttpRequest) -> Bookmark | None:
    pk = request.GET.get("added", "")
    if not (pk.isascii() and pk.isdigit() and len(pk) < 19):
        return None
    return Bookmark.objects.filter(pk=pk).first()


class Login(SafeRedirectURLMixin, LoginView):
    """The login. ``?next=`` leads only to a page of this site."""

    template_name = "bookmarks/login.html"
    next_page = "shelf"
