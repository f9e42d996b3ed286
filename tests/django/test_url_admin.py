"""Tests of `django_whatwg_url.admin`: links in lists and on pages, and lists by a part of a URL."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django import forms
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.core.exceptions import ValidationError
from django.db import connection
from django.forms import modelform_factory
from django.test import Client, RequestFactory

from django_whatwg_url.admin import (
    URLAdminMixin,
    URLHostListFilter,
    URLLink,
    URLValuesListFilter,
)
from django_whatwg_url.forms import CanonicalURLField as FormField
from django_whatwg_url.links import linked_href
from django_whatwg_url.widgets import AdminCanonicalURLWidget
from tests.django.explained import indexes_used
from tests.django.keysapp.models import Bookmark as Kept
from tests.django.keysapp.models import Owner
from tests.django.partsapp.models import Indexed, Plain
from tests.django.siteapp.models import (
    Feed,
    FollowedFeed,
    Issuer,
    Link,
    MenuItem,
    MirroredLink,
    RatedItem,
)
from tests.django.stored import store_text
from tests.django.testapp.models import Bookmark, Chosen
from weburl import URLPolicy, parse

pytestmark = pytest.mark.django_db

PLAIN = "/admin/partsapp/plain/"
INDEXED = "/admin/partsapp/indexed/"
SECRET = "https://user:secret@b\u00fccher.example/a?q=1&r=2#f"
LINK = (
    '<a href="https://xn--bcher-kva.example/a?q=1&amp;r=2#f" rel="noopener noreferrer" dir="ltr">'
    "https://b\u00fccher.example/a?q=1&amp;r=2#f</a>"
)


def get(client: Client, path: str) -> str:
    """Return a page's text, which must be there."""
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def cells(html: str, name: str) -> list[str]:
    """Return the cells of a column of a changelist."""
    return re.findall(rf'<t[dh] class="field-{name}[^"]*">(.*?)</t[dh]>', html)


def test_a_list_links_its_urls_without_credentials(admin_client: Client) -> None:
    """They are in Unicode unless that is misleading, and the column can be sorted."""
    Plain.objects.create(url=SECRET)
    Plain.objects.create(url=None)
    html = get(admin_client, f"{PLAIN}?o=-2")
    assert sorted(cells(html, "url")) == sorted(["-", LINK])
    assert "secret" not in html
    assert "?o=2" in html


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,<b>", "ftp://h/", "x:y"])
def test_a_list_shows_other_schemes_without_a_link(admin_client: Client, url: str) -> None:
    """They are shown from left to right, and escaped."""
    Plain.objects.create(url=url, other=url)
    html = get(admin_client, PLAIN)
    assert cells(html, "url")[0].startswith('<bdi dir="ltr">')
    assert "<b>" not in html and f'href="{url}' not in html


def test_a_list_shows_a_broken_row_without_its_password(admin_client: Client) -> None:
    """It is shown as text."""
    row = Plain.objects.create(url="https://a/")
    store_text(row, "https://user:secret@exa mple/")
    html = get(admin_client, PLAIN)
    assert "exa mple" in html and "secret" not in html


def test_a_column_that_leads_to_the_row_shows_no_password(admin_client: Client) -> None:
    """Named in ``list_display_links``, or the first; it looks like the others, and leads there."""
    row = Indexed.objects.create(url=SECRET)
    model_admin = admin.site.get_model_admin(Indexed)
    for named in ((), ("url",)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(model_admin, "list_display_links", named)
            html = get(admin_client, INDEXED)
        assert "secret" not in html and "user" not in cells(html, "url")[0]
        assert cells(html, "url") == [
            f'<a href="{INDEXED}{row.pk}/change/"><bdi dir="ltr">https://b\u00fccher.example/\u2026</bdi></a>'
        ]


def test_a_read_only_url_is_a_link(admin_client: Client) -> None:
    """It has its label and its place, and is not editable."""
    row = Plain.objects.create(url="https://a/", other=SECRET)
    html = get(admin_client, f"{PLAIN}{row.pk}/change/")
    assert f'<div class="readonly">{LINK}</div>' in html
    assert html.count("<label>Other:</label>") == 1
    assert 'name="other"' not in html and 'name="url"' in html
    admin_client.post(f"{PLAIN}{row.pk}/change/", {"url": "b.c", "other": "https://evil.example/"})
    row.refresh_from_db()
    assert (str(row.url), row.other) == ("http://b.c/", parse(SECRET))


def test_whoever_may_only_view_sees_links(client: Client) -> None:
    """The page of a row has links too."""
    viewer = User.objects.create_user("viewer", is_staff=True)
    may_view = Permission.objects.get(content_type__app_label="partsapp", codename="view_plain")
    viewer.user_permissions.add(may_view)
    client.force_login(viewer)
    row = Plain.objects.create(url=SECRET)
    html = get(client, f"{PLAIN}{row.pk}/change/")
    assert f'<div class="readonly">{LINK}</div>' in html
    assert '<div class="readonly">-</div>' in html
    assert "secret" not in html


def test_the_column_that_leads_to_a_row_is_no_other_link(admin_client: Client) -> None:
    """A link within a link would lead to one of them."""
    row = Indexed.objects.create(url="https://example.com/a/long/path")
    assert f'href="{INDEXED}{row.pk}/change/"' in cells(get(admin_client, INDEXED), "url")[0]
    html = get(admin_client, f"{INDEXED}{row.pk}/change/")
    assert 'name="url"' in html and 'name="year"' in html


def test_a_url_can_be_added_in_a_fieldset(admin_client: Client) -> None:
    """There is no row yet that could be read only."""
    response = admin_client.post(f"{INDEXED}add/", {"url": "example.com", "year": "2001"})
    assert response.status_code == 302
    assert Indexed.objects.get().url == parse("https://example.com/")


def test_a_list_is_filtered_by_host(admin_client: Client) -> None:
    """The filter offers the existing values, in Unicode unless that is misleading."""
    for url in (
        "https://b\u00fccher.example/1",
        "http://b\u00fccher.example/2",
        "mailto:a@b",
        None,
    ):
        Plain.objects.create(url=url)
    Plain.objects.create(url="https://other.example/")
    html = get(admin_client, f"{PLAIN}?url__host=xn--bcher-kva.example")
    assert "2 plains" in html and "><bdi>b\u00fccher.example</bdi></a>" in html
    html = get(admin_client, f"{PLAIN}?url__host=other.example&_facets=True")
    assert "1 plain<" in html.replace("\n", "")
    assert "b\u00fccher.example</bdi> (2)" in html


def test_a_filter_with_a_bad_value_is_no_server_error(admin_client: Client) -> None:
    """The admin goes back to the whole list."""
    response = admin_client.get(f"{PLAIN}?url__host=a b")
    assert response.status_code == 302


def test_the_values_of_a_filter_are_read_from_an_index(admin_client: Client) -> None:
    """Only as many values are read as are shown."""
    if not connection.features.supports_expression_indexes:
        pytest.skip(f"{connection.display_name} has no indexes on expressions")
    Indexed.objects.bulk_create(
        Indexed(url=f"https://h{number}.example/") for number in range(2000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    model_admin = admin.site.get_model_admin(Indexed)
    request = RequestFactory().get("/")
    request.user = User.objects.get()
    chosen = URLHostListFilter(
        Indexed._meta.get_field("url"), request, {}, Indexed, model_admin, "url"
    )
    assert len(chosen.hosts) == 100
    assert any("host" in name for name in indexes_used(chosen.offered(Indexed.objects.all())))


def words(choice: dict[str, Any]) -> str:
    """Return the text of a choice of a filter, without the elements that isolate it."""
    return re.sub("</?bdi[^>]*>", "", str(choice["display"]))


@pytest.mark.parametrize("facets", [{}, {"_facets": "True"}])
def test_a_list_of_all_urls_is_for_people(admin_client: Client, facets: dict[str, str]) -> None:
    """Shortened, with the host in its own script, and isolated from text from right to left."""
    for url in (
        "https://b\u00fccher.example/",
        f"https://a.example/{'long/' * 99}",
        "https://[::1]/",
    ):
        Bookmark.objects.create(url=url)
    store_text(Bookmark.objects.create(url="https://x/"), f"broken <b> {'x' * 500}")
    changelist = admin_client.get("/admin/testapp/bookmark/", facets).context["cl"]
    (values,) = changelist.filter_specs
    count = " (1)" if facets else ""
    assert [str(choice["display"]) for choice in values.choices(changelist)] == [
        "All",
        f'<bdi dir="ltr">broken &lt;b&gt; {"x" * 48}\u2026</bdi>{count}',
        f'<bdi dir="ltr">https://[::1]/</bdi>{count}',
        f'<bdi dir="ltr">https://a.example/{"long/" * 8}l\u2026</bdi>{count}',
        f'<bdi dir="ltr">https://b\u00fccher.example/</bdi>{count}',
    ]


def test_a_list_of_all_urls_has_no_credentials(admin_client: Client) -> None:
    """URLs that differ only in them are one choice, which finds the rows of both."""
    path = "/admin/testapp/bookmark/"
    for url in (SECRET, SECRET.replace("secret", "53cr3t"), "https://user@a.example"):
        Bookmark.objects.create(url=url)
    Bookmark.objects.create(url="https://a.example")
    broken = Bookmark.objects.create(url="https://b.example")
    store_text(broken, "https://user:secret@a b/")
    response = admin_client.get(path, {"_facets": "True"})
    changelist = response.context["cl"]
    (values,) = changelist.filter_specs
    choices = list(values.choices(changelist))
    for secret in ("user", "secret", "53cr3t"):
        assert not any(secret in f"{each['display']} {each['query_string']}" for each in choices)
    counts = {}
    for choice in choices[1:]:
        text, _space, count = words(choice).rpartition(" ")
        found = admin_client.get(path + choice["query_string"]).context["cl"].queryset
        assert f"({len(found)})" == count
        counts[text] = len(found)
    assert sorted(counts.values()) == [1, 1, 1, 2]
    assert counts["https://a.example/"] == 1


def offered(client: Client, page: str, number: int = 0) -> list[dict[str, Any]]:
    """Return the choices of a filter after "All", each with the rows that it finds."""
    changelist = client.get(page, {"_facets": "True"}).context["cl"]
    choices = list(changelist.filter_specs[number].choices(changelist))[1:]
    for choice in choices:
        rows = client.get(page + choice["query_string"]).context["cl"].queryset
        choice["rows"] = {row.pk for row in rows}
        assert words(choice).endswith(f" ({len(rows)})")
    return choices


def test_a_choice_finds_the_rows_that_other_programs_wrote(admin_client: Client) -> None:
    """All spellings of a URL are one choice, and a password is shown of none."""
    rows = [Feed.objects.create(url=f"https://{name}.example/") for name in "abc"]
    store_text(rows[1], "HTTPS://A.example:443")
    store_text(rows[2], "HTTPS://u:secret@A.example")
    page = "/admin/siteapp/feed/"
    with pytest.MonkeyPatch.context() as patch:
        list_filter = [("url", URLValuesListFilter)]
        patch.setattr(admin.site.get_model_admin(Feed), "list_filter", list_filter)
        found = {words(each): each["rows"] for each in offered(admin_client, page)}
    assert found == {
        "https://a.example/ (2)": {rows[0].pk, rows[1].pk},
        "https://***:***@a.example/ (1)": {rows[2].pk},
    }


def test_exact_urls_are_shown_as_they_are_stored(admin_client: Client) -> None:
    """Issuers that differ look different, in their filter as in a list."""
    texts = [
        "https://A.example",
        "https://a.example",
        "https://a.example/",
        "https://a.example:443/",
    ]
    for text in texts:
        Issuer.objects.create(url=text, home=text)
    page = "/admin/siteapp/issuer/"
    with pytest.MonkeyPatch.context() as patch:
        list_filter = [("url", URLValuesListFilter)]
        patch.setattr(admin.site.get_model_admin(Issuer), "list_filter", list_filter)
        choices = offered(admin_client, page)
        html = get(admin_client, page)
    assert {words(each) for each in choices} == {f"{text} (1)" for text in texts}
    link = '<a href="https://a.example/" rel="noopener noreferrer" dir="ltr">'
    assert sorted(cells(html, "home")) == sorted(f"{link}{text}</a>" for text in texts)


def test_a_choice_is_shown_by_its_label(admin_client: Client) -> None:
    """In a list, as Django does."""
    Chosen.objects.create(url="https://two.example")
    assert cells(get(admin_client, "/admin/testapp/chosen/"), "url")[0].endswith(">The second</a>")


def test_a_url_as_text_is_masked_in_its_filter(admin_client: Client) -> None:
    """So is an exact URL."""
    row = Issuer.objects.create(url="https://u:secret@a.example", home="https://u:secret@b.example")
    page = "/admin/siteapp/issuer/"
    with pytest.MonkeyPatch.context() as patch:
        list_filter = [(name, URLValuesListFilter) for name in ("url", "home")]
        patch.setattr(admin.site.get_model_admin(Issuer), "list_filter", list_filter)
        for number, host in enumerate("ab"):
            (choice,) = offered(admin_client, page, number)
            assert words(choice) == f"https://***:***@{host}.example (1)"
            assert choice["rows"] == {row.pk}


def test_the_mixin_chooses_the_filter_by_the_field(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The field may be in a related row. Other entries of the list do not change."""
    model_admin = admin.site.get_model_admin(RatedItem)
    hosts = ("item_ptr__url", URLHostListFilter)
    others = ["rating", "no_field", "url__host", "item_ptr__url__host", hosts, URLHostListFilter]
    names = ["url", "item_ptr__url"]
    monkeypatch.setattr(model_admin, "list_filter", [*names, *others])
    found = model_admin.get_list_filter(rf.get("/"))
    assert found == [*((name, URLValuesListFilter) for name in names), *others]


def test_a_filter_shows_sites_in_their_own_script(admin_client: Client) -> None:
    """Hosts are shown in the same way. A misleading host is shown in ASCII."""
    for host in ("b\u00fccher.example", "xn--80ak6aa92e.com", "a.example"):
        Link.objects.create(url=f"https://www.{host}/")
    page = "/admin/siteapp/link/"
    assert [words(each) for each in offered(admin_client, page)] == [
        "a.example (1)",
        "xn--80ak6aa92e.com (1)",
        "b\u00fccher.example (1)",
    ]
    assert '<bdi dir="ltr">b\u00fccher.example</bdi>' in cells(get(admin_client, page), "site")


def test_references_are_isolated(admin_client: Client) -> None:
    """Otherwise a page from right to left shows "/a (2)" as "a (2)/"."""
    MenuItem.objects.create(link="/a (2)", image="https://u:secret@b.example/")
    html = get(admin_client, "/admin/siteapp/menuitem/")
    assert cells(html, "link") == ['<bdi dir="ltr">/a%20(2)</bdi>']
    assert cells(html, "image") == [
        '<a href="https://b.example/" rel="noopener noreferrer" dir="ltr">https://b.example/</a>'
    ]
    (choice,) = offered(admin_client, "/admin/siteapp/menuitem/")
    assert choice["display"] == '<bdi dir="ltr">/a%20(2)</bdi> (1)'


def test_the_spelling_of_a_url_is_shown_without_a_password(admin_client: Client) -> None:
    """A list, its filter and a page that cannot be edited mask it."""
    written, column = "HTTPS://user:secret@A.example", "url_written"
    row = FollowedFeed.objects.create(url=written)
    store_text(row, written, column)
    page = "/admin/siteapp/followedfeed/"
    masked = "HTTPS://***:***@A.example"
    html = get(admin_client, page)
    assert cells(html, column) == [f'<bdi dir="ltr">{masked}</bdi>']
    (choice,) = offered(admin_client, page)
    assert (words(choice), choice["rows"]) == (f"{masked} (1)", {row.pk})
    assert "secret" not in html + get(admin_client, page + choice["query_string"])
    with pytest.MonkeyPatch.context() as patch:
        fields = [column, "url"]
        patch.setattr(admin.site.get_model_admin(FollowedFeed), "readonly_fields", fields)
        html = get(admin_client, f"{page}{row.pk}/change/")
    assert masked in html and "secret" not in html


def test_all_inputs_for_urls_are_as_wide(admin_client: Client) -> None:
    """Those for references were as narrow as those for names."""
    html = get(admin_client, "/admin/siteapp/menuitem/add/")
    (field,) = re.findall('<input type="text" name="link"[^>]*>', html)
    assert 'class="vURLField"' in field and 'dir="ltr"' in field


KEPT = "/admin/keysapp/bookmark/"


def refused(client: Client, owner: Owner) -> str:
    """Add a page that the owner has, and return the list of errors."""
    data = {"url": "http://www.example.com/a?utm_source=x", "title": "", "owner": owner.pk}
    response = client.post(f"{KEPT}add/", data)
    assert response.status_code == 200
    (errors,) = re.findall(r'<ul class="errorlist"[^>]*>(.*?)</ul>', response.content.decode())
    return str(errors)


def test_the_error_links_to_the_row_that_has_the_page(client: Client, admin_client: Client) -> None:
    """The link is only for users who may view that row."""
    owner = Owner.objects.create(name="Ada")
    row = Kept.objects.create(url="https://example.com/a", title="<b>", owner=owner)
    message = "You have this page already: https://example.com/a"
    link = f'<a href="{KEPT}{row.pk}/change/">{message}</a>'
    assert refused(admin_client, owner) == f"<li>{link}</li>"
    adder = User.objects.create_user("adder", is_staff=True)
    may = Permission.objects.get(content_type__app_label="keysapp", codename="add_bookmark")
    adder.user_permissions.add(may)
    client.force_login(adder)
    assert "<a " not in refused(client, owner)
    with pytest.MonkeyPatch.context() as patch:
        model_admin = admin.site.get_model_admin(Kept)
        patch.setattr(model_admin, "get_queryset", lambda _request: Kept.objects.none())
        assert "<a " not in refused(admin_client, owner)


def test_options_of_the_admin_keep_the_widget(admin_client: Client) -> None:
    """``formfield_overrides`` names it, beside another option."""
    html = get(admin_client, f"{PLAIN}add/")
    assert 'class="vURLField"' in html and 'dir="ltr"' in html
    admin_client.post(f"{PLAIN}add/", {"url": "example.com"})
    assert str(Plain.objects.get().url) == "http://example.com/"


class TypedForm(forms.Form):
    """A form with the widget, shown again after a submit."""

    url = FormField(
        widget=AdminCanonicalURLWidget,
        assume_scheme="http",
        policy=URLPolicy(address_classes=["global"]),
    )


def typed(text: str) -> str:
    """Return the input of a form that was submitted with ``text``."""
    return str(TypedForm({"url": text})["url"])


def test_the_widget_says_what_would_be_stored() -> None:
    """Exactly, with the scheme that is assumed; and nothing of what the field refuses."""
    stored = "http://xn--bcher-kva.example/%C3%A9"
    shown = typed("B\u00fccher.example/\u00e9")
    assert f'Will be stored as: <a href="{stored}"' in shown and f">{stored}</a>" in shown
    for refused in ("a b", "", "127.1/x", "http://127.0.0.1/", "ftp://example.com"):
        shown = typed(refused)
        assert "Will be stored" not in shown and "Currently" not in shown


def test_the_widget_shows_nothing_to_store_under_an_error_of_the_form() -> None:
    """The field accepts the URL, and the form does not."""
    Bookmark.objects.create(url="https://example.com/")
    widgets: Any = {"url": AdminCanonicalURLWidget}
    form_class = modelform_factory(Bookmark, fields=["url"], widgets=widgets)
    refused = form_class({"url": "HTTPS://EXAMPLE.com"})
    assert "already exists" in refused.errors["url"][0]
    assert "Will be stored" not in str(refused["url"])
    assert "Will be stored" in str(form_class({"url": "HTTPS://EXAMPLE.org"})["url"])


def test_a_text_beside_an_input_describes_it() -> None:
    """Screen readers read it with the input, after the help text."""
    form = TypedForm({"url": "example.com"}, auto_id="id_%s")
    form.fields["url"].help_text = "Help."
    shown = str(form["url"])
    assert 'aria-describedby="id_url_helptext id_url_note"' in shown
    assert '<bdi id="id_url_note">Will be stored as: <a ' in shown


def test_the_widget_keeps_a_username_and_masks_a_password() -> None:
    """A link to the URL has neither."""
    shown = typed("HTTP://user:secret@example.com")
    assert ">http://user:***@example.com/</a>" in shown and 'href="http://example.com/"' in shown
    assert shown.count("secret") == 1  # in the input itself
    shown = typed("http://user:secret@example.com/")
    assert "Currently:" in shown and shown.count("secret") == 1


def test_the_widget_links_a_url_of_a_row_that_the_field_refuses_now() -> None:
    """People look at it before they change it."""
    row = Plain.objects.create(url="http://127.0.0.1/")
    form: Any = modelform_factory(Plain, fields=["url"])
    form.base_fields["url"] = TypedForm.base_fields["url"]
    assert 'Currently: <a href="http://127.0.0.1/"' in str(form(instance=row)["url"])


def test_a_link_can_be_put_into_a_list_by_hand() -> None:
    """It may have its own length."""
    show = URLLink("url", max_length=25)
    row = Plain(url="https://example.com/a/long/path")
    assert "https://example.com/a/lo\u2026</a>" in str(show(row))
    assert (show.__name__, show.short_description, show.admin_order_field) == ("url", "url", "url")
    assert show == URLLink("url", max_length=25) != URLLink("url")


@pytest.mark.parametrize("value", [None, "", "https://a/", 5, parse("javascript:x")])
def test_only_a_record_of_the_web_is_linked(value: object) -> None:
    """Text is parsed first."""
    assert linked_href(value) == ""


def test_what_would_be_stored_raises_nothing() -> None:
    """The form itself says what is wrong."""
    field = FormField(max_length=20)
    assert field.to_store("x" * 3000) is None
    with pytest.raises(ValidationError):
        field.clean("x" * 3000)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("url", "Example.com"),
        ("=url", "https://WWW.example.com:8080/A"),
        ("^url", "HTTPS://www.ex"),
        ("url__exact", "HTTPS://www.EXAMPLE.com:8080/A"),
        ("site__exact", "EXAMPLE.com"),
        ("url__scheme__exact", "HTTPS"),
        ("url__host__exact", "WWW.example.com"),
        ("url__hostname__exact", "WWW.example.com"),
        ("url__origin__exact", "https://www.example.com:8080"),
        ("url__port__exact", "8080"),
        ("url__path__exact", "/A"),
        ("mirroredlink__mirror__exact", "https://mirror.example"),
    ],
)
def test_a_search_never_fails_because_of_its_text(path: str, text: str) -> None:
    """Nor does Django's for ``id__exact``. Other fields are still searched."""
    MirroredLink.objects.create(
        url="https://www.example.com:8080/A", mirror="https://mirror.example", title="[1"
    )
    Link.objects.create(url="http://other.org/", title="nope")

    def found(fields: list[str], words: str) -> list[str]:
        request = RequestFactory().get("/")
        searching = type("Searching", (URLAdminMixin, admin.ModelAdmin), {"search_fields": fields})
        rows, _duplicates = searching(Link, admin.site).get_search_results(
            request, Link.objects.all(), words
        )
        return [row.title for row in rows]

    assert found([path], text) == ["[1"]
    for words in ["nope", "[1", "https://[", "99999999999", "a..b", "%", "\\", '"a b"', "xn--a"]:
        assert set(found([path, "id__exact", "title"], words)) <= {"[1", "nope"}
    assert found([path, "id__exact", "title"], "nope") == ["nope"]
