"""Tests of the mixins of `django_whatwg_url.redirects`, on Django's own views."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView
from django.http import HttpRequest
from django.test import Client, RequestFactory, override_settings
from django.urls import path

from django_whatwg_url.redirects import SafeRedirectURLMixin, safe_redirect_url
from weburl import URLPolicy


class Login(SafeRedirectURLMixin, LoginView):
    """Django's, with a page to go to where ``next`` is not safe."""

    next_page = "/home"
    success_url_allowed_hosts = {"shop.example", "dev.example:8000", ".bad"}  # noqa: RUF012
    redirect_policy = URLPolicy.own_sites("*.example.org")


class LoginOnly(SafeRedirectURLMixin, LoginView):
    """Django's, without other hosts."""


class Logout(SafeRedirectURLMixin, LogoutView):
    """Django's."""

    next_page = "/home"


urlpatterns = [
    path("login/", Login.as_view()),
    path("logout/", Logout.as_view()),
]


@pytest.fixture
def client(db: None) -> Client:
    """Return a client, and a user who can log in."""
    User.objects.create_user("user", password="secret")
    return Client()


@pytest.mark.parametrize(
    ("target", "location"),
    [
        ("/next", "http://testserver/next"),
        ("next", "http://testserver/login/next"),
        ("//testserver:80/next", "/home"),
        ("http://TESTSERVER:80/next", "http://testserver/next"),
        ("//evil.example", "/home"),
        ("/\\evil.example", "/home"),
        ("http:evil.example", "/home"),
        ("javascript:alert(1)", "/home"),
        ("https://a.example.org/x", "https://a.example.org/x"),
        ("https://example.org/x", "/home"),
        ("https://SHOP.example/x", "https://shop.example/x"),
        ("https://shop.example:8000/x", "/home"),
        ("http://dev.example:8000/x", "http://dev.example:8000/x"),
        ("http://dev.example/x", "/home"),
        ("https://dev.example:8000/x", "https://dev.example:8000/x"),
        ("http://shop.example:443/x", "/home"),
        ("https://shop.example:80/x", "/home"),
        ("//shop.example/x", "http://shop.example/x"),
        ("//shop.example:80/x", "/home"),
        ("", "/home"),
    ],
)
def test_a_login_goes_where_it_is_safe(client: Client, target: str, location: str) -> None:
    """It redirects to the href of the record, or to the default page."""
    with override_settings(ROOT_URLCONF=__name__):
        data = {"username": "user", "password": "secret", "next": target}
        assert client.post("/login/", data)["Location"] == location
        data.pop("next")
        assert client.post("/login/", data, query_params={"next": target})["Location"] == location


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("host", ["testserver", "testserver:80", "testserver:8000"])
@pytest.mark.parametrize(
    "target",
    [
        f"{scheme}://testserver{port}/x"
        for scheme in ("http", "https")
        for port in ("", ":80", ":443", ":8000")
    ],
)
def test_the_mixin_and_the_function_have_one_rule(secure: bool, host: str, target: str) -> None:
    """The mixin once allowed the site's own host with the default port of the other scheme."""
    request = RequestFactory().get("/", {"next": target}, secure=secure, headers={"host": host})
    view = LoginOnly()
    view.setup(request)
    url = safe_redirect_url(request, target)
    assert view.get_redirect_url() == ("" if url is None else url.href)


def test_another_default_port_is_another_place() -> None:
    """The two targets that the mixin allowed and the function refused."""
    for target in ("https://testserver:80/", "http://testserver:443/"):
        request = RequestFactory().get("/", {"next": target})
        view = LoginOnly()
        view.setup(request)
        assert view.get_redirect_url() == ""


def test_a_longer_target_is_read_where_the_view_allows_it() -> None:
    """SAML and OpenID put a whole request into ``next``."""
    target = "/" + "a" * 4000
    request = RequestFactory().get("/", {"next": target})
    assert safe_redirect_url(request, target) is None
    url = safe_redirect_url(request, target, max_length=4001)
    assert url is not None
    assert safe_redirect_url(request, target, max_length=4000) is None

    class Long(LoginOnly):
        redirect_max_length = 4001

    for kind, expected in ((LoginOnly, ""), (Long, url.href)):
        view = kind()
        view.setup(request)
        assert view.get_redirect_url() == expected


def test_a_logout_goes_where_it_is_safe(client: Client) -> None:
    """Without other allowed hosts, it only redirects within the site."""
    with override_settings(ROOT_URLCONF=__name__):
        for target, location in (("/bye", "http://testserver/bye"), ("//shop.example", "/home")):
            assert client.post("/logout/", {"next": target})["Location"] == location


def test_policies_may_depend_on_the_request() -> None:
    """A method returns them, as in Django's own views."""

    class Mine(Login):
        def get_redirect_policy(self) -> URLPolicy | None:
            return URLPolicy.own_sites(f"{self.request.GET['shop']}.example")

    def where(request: HttpRequest) -> str:
        view = Mine()
        view.setup(request)
        return view.get_redirect_url()

    target = {"next": "https://a.example/", "shop": "a"}
    assert where(RequestFactory().get("/", target)) == "https://a.example/"
    assert where(RequestFactory().get("/", target | {"shop": "b"})) == ""
