"""Wagtail's admin, revisions, search and API, for pages and snippets with URLs."""

from __future__ import annotations

import html
import re
from typing import Any, Final

import pytest
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.forms import modelform_factory
from django.test import Client, RequestFactory
from wagtail.admin.panels import FieldPanel
from wagtail.models import APIToken, Locale, Page, Site

from tests.integrations.test_registration import OURS, printed
from tests.integrations.wagtailapp.models import Partner, SourcePage

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.integrations.wagtailapp.urls")]

SECRET: Final = "s3cret"
WITH_PASSWORD: Final = f"https://me:{SECRET}@y.example/a"
WITHOUT: Final = "https://y.example/a"
PARTNERS: Final = "/cms/snippets/wagtailapp/partner"


@pytest.fixture
def home() -> Any:
    """Make a site, and return its first page."""
    Locale.objects.create(language_code="en")
    content_type = ContentType.objects.get_for_model(Page)
    root: Any = Page.add_root(title="Root", slug="root", content_type=content_type)
    page = root.add_child(instance=Page(title="Home", slug="home"))
    Site.objects.create(hostname="localhost", root_page=page, is_default_site=True)
    return page


@pytest.fixture
def editor(admin_client: Client, home: Any) -> Client:
    """Log in a user with all permissions, on a site that exists."""
    return admin_client


def page_form(**values: str) -> dict[str, str]:
    """Return the data that the form of a page sends."""
    return {
        "title": "A source",
        "slug": "a-source",
        "source": "",
        "archive": "",
        "comments-TOTAL_FORMS": "0",
        "comments-INITIAL_FORMS": "0",
        **values,
    }


def text(answer: Any) -> str:
    """Return the HTML of an answer without escapes."""
    return html.unescape(answer.content.decode())


def errors(answer: Any) -> list[str]:
    """Return the errors of a form, or an empty list if it was saved."""
    found = re.findall(r'"error-message">\s*(.*?)\s*</', text(answer), re.DOTALL)
    assert answer.status_code == (200 if found else 302)
    return found


def test_an_editor_types_a_url(editor: Client, home: Any) -> None:
    """The form has our field with its widget, and the page gets a record."""
    add = f"/cms/pages/add/wagtailapp/sourcepage/{home.pk}/"
    assert 'inputmode="url"' in text(editor.get(add))
    bad = editor.post(add, page_form(source="https://", archive="ftp://x.example"))
    assert [message.split(".")[0] for message in errors(bad)] == [
        "The host name is missing",
        "URLs that begin with “ftp:” cannot be used here",
    ]
    good = page_form(source="Bücher.example/a", **{"action-publish": "1"})
    assert errors(editor.post(add, good)) == []
    page = SourcePage.objects.get()
    assert page.source.href == "https://xn--bcher-kva.example/a"
    assert page.archive is None


def test_a_draft_needs_a_url_that_cannot_be_empty(editor: Client, home: Any) -> None:
    """Wagtail lets a draft be incomplete, but this column needs a value. It was a server error."""
    add = f"/cms/pages/add/wagtailapp/sourcepage/{home.pk}/"
    assert errors(editor.post(add, page_form())) == ["This field is required."]
    assert errors(editor.post(f"{PARTNERS}/add/", {"name": "x"})) == ["This field is required."]
    assert errors(editor.post(add, page_form(source="https://a.example"))) == []
    assert not SourcePage.objects.get().live


def test_revisions_keep_and_compare_urls(editor: Client, home: Any) -> None:
    """The comparison shows no password, only that one has changed. It was a server error."""
    page = home.add_child(instance=SourcePage(title="A", slug="a", source=WITH_PASSWORD))
    first = page.save_revision()
    page.source, page.archive = "https://other:passwort@y.example/b", "https://z.example"
    second = page.save_revision()
    assert first.as_object().source.href == WITH_PASSWORD
    assert second.as_object().archive.href == "https://z.example/"
    path = f"/cms/pages/{page.pk}/revisions/compare/{first.pk}...{second.pk}/"
    answer = editor.get(path)
    assert answer.status_code == 200
    shown = text(answer)
    assert SECRET not in shown
    assert "passwort" not in shown
    assert '<span class="addition">https://z.example/</span>' in shown
    with connection.cursor() as cursor:
        cursor.execute("UPDATE wagtailapp_sourcepage SET archive = %s", [f"https://me:{SECRET}@"])
    live = editor.get(f"/cms/pages/{page.pk}/revisions/compare/live...{second.pk}/")
    assert live.status_code == 200
    assert SECRET not in text(live)


def test_what_is_not_edited_is_a_link_without_a_password(editor: Client) -> None:
    """This holds for lists, for the page of an object, and for read-only panels."""
    partner = Partner.objects.create(name="n", site=WITH_PASSWORD, shown=WITH_PASSWORD)
    Partner.objects.create(name="none", site="https://none.example")
    link = f'<a href="{WITHOUT}" rel="noopener noreferrer" dir="ltr">'
    for path, count in [("/", 2), (f"/inspect/{partner.pk}/", 2), (f"/edit/{partner.pk}/", 1)]:
        shown = text(editor.get(PARTNERS + path))
        assert shown.count(link) == count
        # Only an input has it all: what it lacked would be lost when it is saved.
        assert shown.count(SECRET) == shown.count(f'name="site" value="{WITH_PASSWORD}"')
    with connection.cursor() as cursor:
        cursor.execute("UPDATE wagtailapp_partner SET shown = %s", [f"https://me:{SECRET}@"])
    for path in ("/", f"/inspect/{partner.pk}/"):
        shown = text(editor.get(PARTNERS + path))
        assert "https://***:***@" in shown
        assert SECRET not in shown


def test_urls_that_are_text_are_shown_in_the_same_way(editor: Client) -> None:
    """URLs are links without passwords, and a path of the site is text."""
    partner = Partner.objects.create(
        name="n", site="https://a.example", typed=WITH_PASSWORD, menu="/lost-ark"
    )
    shown = text(editor.get(f"{PARTNERS}/inspect/{partner.pk}/"))
    assert f'<a href="{WITHOUT}" rel="noopener noreferrer" dir="ltr">' in shown
    assert "<bdi>/lost-ark</bdi>" in shown
    assert SECRET not in shown
    first = partner.save_revision()
    partner.typed = "https://me:passwort@y.example/b"
    second = partner.save_revision()
    history = f"{PARTNERS}/history/{partner.pk}/revisions"
    answer = editor.get(f"{history}/compare/{first.pk}...{second.pk}/")
    assert answer.status_code == 200
    assert '<span class="addition">' in text(answer)
    assert SECRET not in text(answer) and "passwort" not in text(answer)


def test_every_spelling_is_the_same_snippet(editor: Client) -> None:
    """A unique field compares canonical URLs."""
    for url, expected in [
        ("bücher.example", []),
        ("HTTPS://BÜCHER.example:443", ["Partner with this Site already exists."]),
    ]:
        assert errors(editor.post(f"{PARTNERS}/add/", {"name": "n", "site": url})) == expected


def test_the_search_knows_urls(home: Any) -> None:
    """URLs are searched as text, and filters take every spelling."""
    page = home.add_child(
        instance=SourcePage(
            title="A", slug="a", source="https://example.com/", archive="https://bücher.example"
        )
    )
    assert list(SourcePage.objects.search("example.com")) == [page]
    rows = SourcePage.objects.filter(archive="HTTPS://BÜCHER.example")
    assert list(rows.search("A")) == [page]


def test_the_api_has_text_and_filters(client: Client, home: Any) -> None:
    """A filter takes every spelling. Bad text is a 400, and was a 500."""
    page = home.add_child(instance=SourcePage(title="A", slug="a", source="https://bücher.example"))
    page.save_revision().publish()
    path = "/api/pages/?type=wagtailapp.SourcePage&fields=source,archive"
    (item,) = client.get(path).json()["items"]
    assert (item["source"], item["archive"]) == ("https://xn--bcher-kva.example/", None)
    found = client.get(f"{path}&source=HTTPS://BÜCHER.example:443").json()
    assert found["meta"]["total_count"] == 1
    bad = client.get(f"{path}&source=https://me:{SECRET}@")
    assert bad.status_code == 400
    assert "The host name is missing." in bad.json()["message"]
    assert SECRET not in bad.content.decode()


@pytest.mark.parametrize("first", [True, False])
def test_the_order_of_the_apps_does_not_matter(first: bool) -> None:
    """Wagtail makes the forms of snippets early."""
    wagtail = [
        *("django.contrib.contenttypes", "django.contrib.auth", "wagtail.snippets"),
        *("wagtail.documents", "wagtail.images", "wagtail.search", "wagtail.admin"),
        *("wagtail.users", "wagtail.sites", "wagtail", "modelcluster", "taggit"),
        "tests.integrations.wagtailapp",
    ]
    program = """
from tests.integrations.wagtailapp.models import Partner, PartnerViews, SourcePage
forms = [Partner.snippet_viewset.get_edit_handler(), SourcePage.get_edit_handler()]
print(json.dumps([
    sorted(form.get_form_class()._meta.defer_required_on_fields) for form in forms
]))
"""
    apps = [OURS, *wagtail] if first else [*wagtail, OURS]
    assert printed(apps, program, 'settings.STATIC_URL = "/static/"') == [
        ["name", "typed"],
        ["archive", "expire_at", "go_live_at", "search_description", "seo_title"],
    ]


def test_the_newest_api_has_text_too(client: Client, home: Any) -> None:
    """It is made with django-ninja, which reads the attribute."""
    page = home.add_child(instance=SourcePage(title="A", slug="a", source="https://bücher.example"))
    page.save_revision().publish()
    answer = client.get(f"/api3/pages/{page.pk}/")
    assert answer.status_code == 200, answer.content
    item = answer.json()
    assert (item["source"], item["archive"]) == ("https://xn--bcher-kva.example/", None)


def test_pages_are_written_through_the_newest_api(client: Client, home: Any) -> None:
    """Any spelling is stored as a URL, and an error names the field and shows no password."""
    user = User.objects.create_superuser("editor")
    _token, secret = APIToken.create_token(user=user, name="a test")
    headers = {"Authorization": f"Bearer {secret}"}
    values = {"title": "A", "slug": "a", "source": "HTTPS://Bücher.example:443/a b"}
    meta = {"parent_id": home.pk, "type": "wagtailapp.SourcePage"}
    made = client.post(
        "/api3/pages/", {"meta": meta, **values}, "application/json", headers=headers
    )
    assert made.status_code == 201, made.content
    assert made.json()["source"] == "https://xn--bcher-kva.example/a%20b"
    path = f"/api3/pages/{made.json()['id']}/"
    for source in (f"https://me:{SECRET}@", "javascript:alert(1)", None):
        refused = client.patch(
            path,
            {"meta": {"type": "wagtailapp.SourcePage"}, "source": source},
            "application/json",
            headers=headers,
        )
        assert refused.status_code == 422, refused.content
        assert "source" in refused.content.decode()
        assert SECRET not in refused.content.decode()
    draft = SourcePage.objects.get().get_latest_revision_as_object()
    assert draft.source.href == "https://xn--bcher-kva.example/a%20b"


def test_a_panel_has_the_icon_of_a_link(rf: RequestFactory) -> None:
    """Django's own URL field has the same icon."""
    panel = FieldPanel("source").bind_to_model(SourcePage)
    form = modelform_factory(SourcePage, fields=["source"])()
    assert panel.get_bound_panel(form=form, request=rf.get("/")).icon == "link-external"
