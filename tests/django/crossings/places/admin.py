"""Places: the admin, with `URLAdminMixin` on our side.

Each row has a site with one `ModelAdmin` for each way of showing the field. A place calls its views
with requests that no middleware sees.
"""

from __future__ import annotations

import html
import json
import re
from functools import cache, partial
from typing import Any, Final, cast
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.utils import quote
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.contrib.messages.storage.cookie import CookieStorage
from django.db import connection, transaction
from django.http import Http404
from django.test import RequestFactory
from django.urls import path, resolve, reverse, set_urlconf

from django_whatwg_url.admin import URLAdminMixin
from tests.django.crossings.places.forms import has_form
from tests.django.crossings.places.queries import ODD_TEXT, operands
from tests.django.crossings.rows import BAD, PASSWORD, A, C, Side
from tests.django.crossings.steps import Steps, place

_USER: Final = "crossings-admin"


class _Site(admin.AdminSite):
    """A site without the list of all models, which takes longer than the page."""

    enable_nav_sidebar = False

    def get_app_list(self, *_arguments: Any) -> Any:
        return []


_WAYS: Final[dict[str, dict[str, Any]]] = {
    "list": {"list_filter": ["url"], "search_fields": ["url"]},
    "exactly": {"search_fields": ["=url"]},
    "beginning": {"search_fields": ["^url"]},
    "read-only": {"readonly_fields": ["url"]},
    "editable": {"list_editable": ["url"]},
    "linked": {"list_display": ["url", "title"], "list_display_links": ["url"]},
}


@cache
def _sites(side: Side) -> dict[str, _Site]:
    """Return the sites of a side, which are made once."""
    bases = (URLAdminMixin, admin.ModelAdmin) if side.ours else (admin.ModelAdmin,)
    made = {}
    for way, options in _WAYS.items():
        if way == "editable" and not _edits_in_list(side):
            continue
        made[way] = site = _Site(name=way)
        members = {"list_display": ["title", "url"], "ordering": ["title"], **options}
        site.register(side.model, type("RowAdmin", bases, members))
        site.register(
            side.child, type("ChildAdmin", (admin.ModelAdmin,), {"autocomplete_fields": ["parent"]})
        )
    return made


@cache
def _patterns(side: Side) -> tuple[Any, ...]:
    return tuple(path(f"{way}/", site.urls) for way, site in _sites(side).items())


def _edits_in_list(side: Side) -> bool:
    return has_form(side) and not side.options.get("primary_key")


class _Page:
    """The answer to a request."""

    def __init__(self, status: int, text: str = "") -> None:
        self.status = status
        self.text = text

    @property
    def rows(self) -> int:
        return self.text.count('class="action-select"')

    @property
    def shown(self) -> str:
        """The field in a list or on a read-only page, as a reader sees it."""
        found = re.findall(r'field-url[^>]*>(.*?)</t[dh]>|class="readonly">(.*?)</div>', self.text)
        return " ".join(html.unescape(re.sub("<.*?>", "", "".join(one))) for one in found)


class _Admin:
    """The views of the sites of one side."""

    def __init__(self, side: Side) -> None:
        self.side = side
        # What was rolled back is still in the cache, and MariaDB checks foreign keys at once.
        ContentType.objects.clear_cache()
        self.user = get_user_model()(username=_USER, is_staff=True, is_superuser=True)
        self.user.save()

    def get(self, page: str, *arguments: Any, **query: Any) -> _Page:
        return self._answer(page, arguments, query, None)

    def post(self, page: str, *arguments: Any, **data: Any) -> _Page:
        data = {"title": "new", "n": "0", "size": "1", **data}
        return self._answer(page, arguments, {}, data)

    def _answer(
        self, page: str, arguments: tuple[Any, ...], query: dict[str, Any], data: Any
    ) -> _Page:
        way, view = page.split()
        name = view if view == "autocomplete" else self._name(view)
        factory = RequestFactory()
        # Unlike the setting, it clears no caches.
        set_urlconf(cast("Any", _patterns(self.side)))
        try:
            address = reverse(f"{way}:{name}", args=list(map(quote, arguments)))
            sent = f"{address}?{urlencode(query)}" if query else address
            request = factory.get(sent) if data is None else factory.post(sent, data)
            match = resolve(address)
            response = match.func(self._sent(request), *match.args, **match.kwargs)
            if hasattr(response, "render"):
                response.render()
        except Http404:
            return _Page(404)
        finally:
            set_urlconf(None)
        return _Page(response.status_code, response.content.decode())

    def found(self, way: str, text: str) -> int:
        """Return how many rows a search finds, without its page."""
        model_admin = _sites(self.side)[way].get_model_admin(self.side.model)
        request = self._sent(RequestFactory().get("/"))
        rows, _ = model_admin.get_search_results(request, self.side.model.objects.all(), text)
        return int(rows.count())

    def chosen(self, query: dict[str, str]) -> int | str:
        """Return how many rows a query of the list chooses, without its page."""
        model_admin = _sites(self.side)["list"].get_model_admin(self.side.model)
        try:
            changes = model_admin.get_changelist_instance(
                self._sent(RequestFactory().get("/", query))
            )
        except IncorrectLookupParameters:
            return "the list with an error"
        return int(changes.queryset.count())

    def _sent(self, request: Any) -> Any:
        request.user = self.user
        request._messages = CookieStorage(request)
        request._dont_enforce_csrf_checks = True
        return request

    def _name(self, view: str) -> str:
        model = self.side.model
        if view.startswith("child-"):
            model, view = self.side.child, view.removeprefix("child-")
        return f"crossings_{model._meta.model_name}_{view}"


def _history() -> list[Any]:
    logs = LogEntry.objects.order_by("pk")
    entries: list[dict[str, dict[str, Any]]] = [
        entry for log in logs for entry in json.loads(log.change_message or "[]")
    ]
    return [change.get("fields", []) for entry in entries for change in entry.values()]


@place("Admin: list")
def listed(side: Side) -> Steps:
    side.two()
    site = _Admin(side)
    page = site.get("list changelist")
    yield "rows", lambda: (page.status, page.rows)
    yield "shown", lambda: page.shown
    yield "sorted", lambda: site.get("list changelist", o="-2").shown
    yield "linked", lambda: '<th class="field-url"><a href="' in site.get("linked changelist").text
    if side.options.get("null"):
        side.add(None)
        yield "NULL", lambda: site.get("list changelist").shown


@place("Admin: search")
def search(side: Side) -> Steps:
    side.two()
    site = _Admin(side)
    a, _ = operands(side)
    yield "the page", lambda: site.get("list changelist", q=a).rows
    for way in ("list", "exactly", "beginning"):
        for name, text in {"a URL": a, "its beginning": a[:12], **ODD_TEXT}.items():
            yield f"{way}, {name}", partial(site.found, way, text)


@place("Admin: filter")
def filtered(side: Side) -> Steps:
    side.two()
    site = _Admin(side)
    a, _ = operands(side)
    for name, query in {
        "exact": {"url__exact": a},
        "in": {"url__in": a},
        "isnull": {"url__isnull": "True"},
        "not a URL": {"url__exact": "nope"},
        "an IPv6 address": {"url__exact": "https://["},
        "empty": {"url__exact": ""},
    }.items():
        yield name, partial(site.chosen, query)
    page = site.get("list changelist")
    links = [html.unescape(link) for link in re.findall(r'href="\?([^"]*url[^"]*)"', page.text)]
    yield "links", lambda: len([link for link in links if link.startswith("url")])


@place("Admin: add")
def added(side: Side) -> Steps:
    site = _Admin(side)
    yield "the form", lambda: site.get("list add").status
    if not has_form(side):
        return
    for name, sent in {"a URL": A, "again": A, "empty": "", "not a URL": BAD}.items():
        yield name, lambda sent=sent: site.post("list add", url=sent).status  # type: ignore[misc]
    yield "stored", side.stored


@place("Admin: change, and its history")
def change(side: Side) -> Steps:
    row = side.add()
    site = _Admin(side)
    if side.options.get("primary_key"):
        yield "the form", lambda: site.get("list change", row.pk).status
        return
    page = site.get("list change", row.pk)
    yield "the form", lambda: (page.status, has_form(side) and A in html.unescape(page.text))
    if not has_form(side):
        return
    yield "same", lambda: (site.post("list change", row.pk, url=A, title="t").status, side.stored())
    yield (
        "changed",
        lambda: (site.post("list change", row.pk, url=C, title="t").status, side.stored()),
    )
    yield "history", _history
    yield "the page of the history", lambda: site.get("list history", row.pk).status


@place("Admin: read-only")
def readonly(side: Side) -> Steps:
    row = side.add()
    site = _Admin(side)
    yield "shown", lambda: site.get("read-only change", row.pk).shown
    if side.options.get("null"):
        null = side.add(None)
        yield "NULL", lambda: site.get("read-only change", null.pk).shown
    if not side.options.get("primary_key") and not side.is_companion:
        yield (
            "not changed",
            lambda: (site.post("read-only change", row.pk, url=C), side.stored())[1],
        )


@place("Admin: editable list")
def editable(side: Side) -> Steps:
    if not _edits_in_list(side):
        return
    one, two = side.two()
    site = _Admin(side)
    pk = side.model._meta.pk.name
    data = {
        "form-TOTAL_FORMS": "2",
        "form-INITIAL_FORMS": "2",
        f"form-0-{pk}": one.pk,
        f"form-1-{pk}": two.pk,
        "form-0-url": A,
        "form-1-url": C,
        "_save": "Save",
    }
    yield "rows", lambda: site.get("editable changelist").text.count('name="form-')
    yield "changed", lambda: (site.post("editable changelist", **data).status, side.stored())
    yield "history", _history
    yield (
        "not a URL",
        lambda: site.post("editable changelist", **{**data, "form-1-url": BAD}).status,
    )


@place("Admin: delete")
def deleted(side: Side) -> Steps:
    one, two = side.two()
    site = _Admin(side)
    chosen = {"action": "delete_selected", "_selected_action": [str(two.pk)]}
    yield "the page", lambda: site.get("list delete", one.pk).status
    yield "one", lambda: (site.post("list delete", one.pk, post="yes").status, side.stored())
    yield "the action asks", lambda: site.post("list changelist", **chosen).status
    yield (
        "the action",
        lambda: (site.post("list changelist", **chosen, post="yes"), side.stored())[1],
    )


@place("Admin: foreign keys and autocomplete")
def autocomplete(side: Side) -> Steps:
    if side.is_companion:
        return
    one, two = side.two()
    kid = side.child.objects.create(parent=one)
    site = _Admin(side)
    key = A if side.by_url else str(one.pk)
    asked = {
        "app_label": "crossings",
        "model_name": side.child._meta.model_name,
        "field_name": "parent",
    }
    for name, text in {"all": "", "a URL": A, "not a URL": BAD, "no scheme": "nope"}.items():
        yield (
            f"autocomplete, {name}",
            lambda text=text: [  # type: ignore[misc]
                (found["text"], found["id"].replace(str(one.pk), "one").replace(str(two.pk), "two"))
                for found in json.loads(site.get("list autocomplete", **asked, term=text).text)[
                    "results"
                ]
            ],
        )
    yield "the form", lambda: site.get("list child-change", kid.pk).status
    for name, sent in {"same": key, "other text": "nope", "not a URL": BAD}.items():
        yield (
            name,
            lambda sent=sent: (
                site.post(  # type: ignore[misc]
                    "list child-change", kid.pk, parent=sent, name="k", many=[str(one.pk)]
                ).status
            ),
        )


@place("Admin: a row that is not a URL")
def bad_row(side: Side) -> Steps:
    if side.is_companion or side.declaration == "check":
        return
    site = _Admin(side)
    with connection.constraint_checks_disabled():
        row = side.add()
        kid = side.child.objects.create(parent=row)
        row = side.overwritten(BAD, of=row)
        if side.by_url:
            quoted = connection.ops.quote_name(side.child._meta.db_table)
            with connection.cursor() as cursor:
                cursor.execute(f"UPDATE {quoted} SET parent_id = %s", [BAD])
    yield "list", lambda: (page := site.get("list changelist")).status and page.shown
    yield "change", lambda: site.get("list change", row.pk).status
    yield "read-only", lambda: site.get("read-only change", row.pk).shown
    if _edits_in_list(side):
        yield "editable list", lambda: site.get("editable changelist").status
    yield "history", lambda: site.get("list history", row.pk).status
    yield "change of a row that refers to it", lambda: site.get("list child-change", kid.pk).status
    yield "list of rows that refer to it", lambda: site.get("list child-changelist").status
    yield "delete page", lambda: site.get("list delete", row.pk).status
    chosen = {"action": "delete_selected", "_selected_action": [str(row.pk)], "post": "yes"}
    yield "delete action", lambda: _then_back(site, chosen)
    yield (
        "delete",
        lambda: (
            site.post("list delete", row.pk, post="yes").status,
            side.model.objects.count(),
        ),
    )


def _then_back(site: _Admin, data: dict[str, Any]) -> object:
    with transaction.atomic():
        status = site.post("list changelist", **data).status
        count = site.side.model.objects.count()
        transaction.set_rollback(True)
    return status, count


@place("Admin: a URL with a password")
def password(side: Side) -> Steps:
    if side.is_companion or side.options.get("choices") or side.options.get("primary_key"):
        return
    if not side.ours:
        for name in ("list", "linked", "read-only", "delete", "history"):
            yield name, lambda: "not shown"
        return
    row = side.model(url=PASSWORD)
    row.save()
    site = _Admin(side)
    for name, get in {
        "list": partial(site.get, "list changelist"),
        "linked": partial(site.get, "linked changelist"),
        "read-only": partial(site.get, "read-only change", row.pk),
        "delete": partial(site.get, "list delete", row.pk),
        "history": partial(site.get, "list history", row.pk),
    }.items():
        yield name, lambda get=get: "shown" if "secret" in get().text else "not shown"  # type: ignore[misc]
