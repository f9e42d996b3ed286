"""Redirect URIs and origins in django-oauth-toolkit.

The cases say in our words what its tests check, and what only exact text refuses.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import Client as Browser
from django.test import override_settings
from oauth2_provider.models import AbstractApplication, redirect_to_uri_allowed

from django_whatwg_url.validators import RedirectURIValidator
from tests.integrations.oauthapp.models import Application

APP = "https://app.example/cb"
QUERY = "https://app.example/cb?a=1&b=2"

# What is registered, what a request has, and whether it matches.
MATCHES = [
    (APP, APP),
    (QUERY, QUERY),
    ("http://127.0.0.1/cb", "http://127.0.0.1:1/cb"),
    ("http://127.0.0.1:8000/cb", "http://127.0.0.1:9000/cb"),
    ("http://127.0.0.1:8000/cb", "http://127.0.0.1/cb"),
    ("http://[::1]/cb", "http://[::1]:65535/cb"),
    ("com.example.app:/cb", "com.example.app:/cb"),
]
# None of these is the registered text.
MISMATCHES = [
    (APP, "http://app.example/cb"),
    (APP, "https://app.example/cb/"),
    (APP, "https://app.example/cb/../cb2"),
    (APP, "https://app.example/x/../cb"),
    (APP, "https://app.example:8443/cb"),
    (APP, "https://app.example:443/cb"),
    (APP, "https://APP.example/cb"),
    (APP, "https://app.example./cb"),
    (APP, "https://www.app.example/cb"),
    (APP, "https://app.example.evil.example/cb"),
    (APP, "https://app.example/cb;evil=1"),
    (APP, "https://app.example/cb?next=https://evil.example"),
    (APP, "https://app.example/cb?"),
    (APP, "https://app.example/cb#"),
    (APP, "https://app.example/cb#token"),
    (APP, "https://evil@app.example/cb"),
    (APP, "https://app.example@evil.example/cb"),
    (APP, "https://evil.example\\@app.example/cb"),
    (APP, "https://evil.example\\\t@app.example/cb"),
    (APP, " https://app.example/cb"),
    (APP, "https://app.example/%63b"),
    (APP, ""),
    (QUERY, "https://app.example/cb?b=2&a=1"),
    (QUERY, "https://app.example/cb?a=1&b=2&c=3"),
    (QUERY, APP),
    ("http://127.0.0.1/cb", "http://127.0.0.2/cb"),
    ("http://127.0.0.1/cb", "http://localhost/cb"),
    ("http://127.0.0.1/cb", "https://127.0.0.1/cb"),
    ("http://127.0.0.1/cb", "http://127.0.0.1:0/cb"),
    ("http://127.0.0.1/cb", "http://127.0.0.1:080/cb"),
    ("http://127.0.0.1/cb", "http://127.0.0.1:80@evil.example/cb"),
    ("http://127.0.0.1/cb", "http://127.1/cb"),
    ("http://[::1]/cb", "http://[0:0:0:0:0:0:0:1]:8000/cb"),
    ("com.example.app:/cb", "com.example.app:/other"),
    ("com.example.app:/cb", "com.example.app:///cb"),
    ("com.example.app:/cb", "com.example.app2:/cb"),
]
REFUSED = {
    "http://app.example/cb": "not-encrypted",
    "http://localhost/cb": "localhost",
    "https://app.example/cb#": "fragment",
    "https://me:secret@app.example/cb": "credentials",
    "https://*.example.com/cb": "wildcard",
    "https://APP.example/cb": "not-canonical",
    "https:/app.example/cb": "not-canonical",
    "javascript:alert(1)": "scheme-not-allowed",
    "data:text/html,x": "scheme-not-allowed",
    "myapp:/cb": "scheme-without-dot",
    "/cb": "not-a-url",
}


def application(**values: Any) -> Application:
    """Return an application of django-oauth-toolkit with the authorization code grant."""
    return Application(
        name="app",
        client_type=Application.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        **values,
    )


@pytest.mark.parametrize(("registered", "given"), MATCHES)
def test_what_matches_matches_in_django_oauth_toolkit_too(registered: str, given: str) -> None:
    """So the mixin requires no more than the standards do."""
    app = application(redirect_uris=f"https://other.example/ {registered}")
    app.clean()
    assert app.redirect_uri_allowed(given)
    assert redirect_to_uri_allowed(given, [registered])
    assert application(post_logout_redirect_uris=registered).post_logout_redirect_uri_allowed(given)


@pytest.mark.parametrize(("registered", "given"), MISMATCHES)
def test_what_is_not_the_registered_text_does_not_match(registered: str, given: str) -> None:
    """This holds even if django-oauth-toolkit itself would accept it."""
    app = application(redirect_uris=registered, post_logout_redirect_uris=registered)
    assert not app.redirect_uri_allowed(given)
    assert not app.post_logout_redirect_uri_allowed(given)


def test_some_of_these_match_without_the_mixin() -> None:
    """Otherwise, the table would not show why the mixin is needed."""
    assert any(redirect_to_uri_allowed(given, [registered]) for registered, given in MISMATCHES)


@pytest.mark.parametrize(("uri", "code"), REFUSED.items())
def test_it_is_refused_at_registration(uri: str, code: str) -> None:
    """The error names the field, has the code, and shows no password."""
    with pytest.raises(ValidationError) as caught:
        application(redirect_uris=f"{APP} {uri}").clean()
    errors = caught.value.error_dict["redirect_uris"]
    assert code in [error.code for error in errors]
    ours = [error for error in errors if error.code == code]
    assert "secret" not in str(ours)


def test_each_uri_has_one_error_that_names_it() -> None:
    """It has the reasons of both packages, but no query, username or password."""
    refused = {
        "https://APP.example/cb": "Write “https://app.example/cb”",
        "http://app.example/cb?t=hunter2": "http://app.example/cb: URLs that begin",
        "javascript:alert(1)": "invalid_scheme: javascript:alert(1): URLs that begin",
        "https://hunter1:hunter2@app.example/#": "https://***:***@app.example/: The",
        "https://hunter1:hunter2\u2100@app.example/": "…@app.example' contains",
        "ftp://hunter1:hunter2@app.example/": "ftp://***:***@app.example/: URLs",
    }
    assert len(refused) == 6
    app = application(redirect_uris=" ".join([APP, *refused]), allowed_origins="https://a.b/c null")
    with pytest.raises(ValidationError) as caught:
        app.clean()
    found = caught.value.message_dict
    assert len(found["redirect_uris"]) == len(refused)
    for part in refused.values():
        assert any(part in message for message in found["redirect_uris"]), part
    assert "hunter" not in str(found)
    path, null = found["allowed_origins"]
    assert "https://a.b/c: This is not an origin." in path
    assert "null: This is not an origin." in null


def test_every_reason_for_one_uri_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reason is given once, even if ``clean()`` repeats it."""
    uri = "http://app.example/cb?t=hunter2"

    def clean(self: Any) -> None:
        inherited(self)
        reasons = ("forbidden here", "forbidden here", "seen before")
        errors = [
            ValidationError("%(cause)s: %(value)s", params={"value": uri, "cause": cause})
            for cause in reasons
        ]
        raise ValidationError({"redirect_uris": errors})

    inherited = AbstractApplication.clean
    monkeypatch.setattr(AbstractApplication, "clean", clean)
    with pytest.raises(ValidationError) as caught:
        application(redirect_uris=uri).clean()
    (error,) = caught.value.error_dict["redirect_uris"]
    assert error.code == "not-encrypted"
    (message,) = error.messages
    shown = "http://app.example/cb"
    assert message.startswith(f"forbidden here: {shown}; seen before: {shown}: URLs that begin")
    assert "hunter2" not in message


def test_errors_of_django_oauth_toolkit_are_kept() -> None:
    """They concern missing redirect URIs, and schemes that its settings do not allow."""
    with pytest.raises(ValidationError, match="cannot be empty"):
        application(redirect_uris="").clean()
    with (
        override_settings(OAUTH2_PROVIDER={"ALLOWED_REDIRECT_URI_SCHEMES": ["https"]}),
        pytest.raises(ValidationError) as caught,
    ):
        application(redirect_uris="http://127.0.0.1/cb?t=hunter2").clean()
    (message,) = caught.value.message_dict["redirect_uris"]
    assert message.endswith("invalid_scheme: http://127.0.0.1/cb")


def test_a_stored_uri_that_cannot_be_registered_matches_nothing() -> None:
    """Other URIs of the same application still match."""
    app = application(redirect_uris=f"http://localhost/cb {APP}")
    assert app.redirect_uri_allowed(APP)
    assert not app.redirect_uri_allowed("http://localhost/cb")


def test_the_validator_of_an_application_has_the_options() -> None:
    """It is a class attribute of the model."""
    app = application(redirect_uris="http://localhost/cb")
    app.redirect_uri_validator = RedirectURIValidator(allow_localhost=True)  # type: ignore[misc]
    app.clean()
    assert app.redirect_uri_allowed("http://localhost:4000/cb")
    assert not app.redirect_uri_allowed("http://localhost.evil.example/cb")


def test_private_schemes_of_the_application_are_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A subclass may override `get_allowed_schemes()`, but dangerous schemes are never allowed."""
    schemes = ["https", "cursor", "javascript", "com.example.app"]
    monkeypatch.setattr(Application, "get_allowed_schemes", lambda _self: schemes)
    app = application(redirect_uris="cursor://cb javascript://cb")
    assert app.redirect_uri_allowed("cursor://cb")
    assert not app.redirect_uri_allowed("javascript://cb")
    with pytest.raises(ValidationError) as caught:
        app.clean()
    assert [each.code for each in caught.value.error_dict["redirect_uris"]] == [
        "scheme-not-allowed"
    ]


def test_why_a_request_is_refused_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The message has django-oauth-toolkit's logger and level, and shows no secrets."""
    app = application(
        client_id="me",
        redirect_uris=f"{APP} https://other.example/ http://app.example/cb?token=hunter2",
        post_logout_redirect_uris="",
    )
    given = "https://user:hunter2@app.example/\r\nforged?token=hunter2"
    with caplog.at_level("INFO", logger="oauth2_provider"):
        assert not app.redirect_uri_allowed(given)
    assert not caplog.records
    with caplog.at_level("DEBUG", logger="oauth2_provider"):
        assert app.redirect_uri_allowed(APP)
        assert not caplog.records
        assert not app.redirect_uri_allowed(given)
        assert not app.redirect_uri_allowed(f"{APP}/x")
        assert not app.post_logout_redirect_uri_allowed(APP)
    first, second, third = (record.getMessage() for record in caplog.records)
    assert "hunter2" not in first and "\r" not in first
    assert second == (
        "redirect_uri 'https://app.example/cb/x' does not match any redirect_uri registered for "
        "client_id 'me': 'https://app.example/cb': path differs; 'https://other.example/': "
        "hostname differs; 'http://app.example/cb': cannot be registered (not-encrypted)"
    )
    assert third.endswith("registered for client_id 'me': no URIs are registered")
    caplog.clear()
    app.redirect_uris = " ".join(f"https://app.example/{number}" for number in range(25))
    with caplog.at_level("DEBUG", logger="oauth2_provider"):
        assert not app.redirect_uri_allowed(APP)
    message = caplog.records[0].getMessage()
    assert message.count("path differs") == 10
    assert message.endswith("...and 15 further registered URI(s) not listed")


def test_wildcards_of_origins_are_those_of_redirect_uris() -> None:
    """A wildcard is for one label below a registrable domain, and needs the option."""
    app = application(
        redirect_uris=APP, allowed_origins="https://*-app.example.com https://a.example"
    )
    assert not app.origin_allowed("https://pr-app.example.com")
    app.redirect_uri_validator = RedirectURIValidator(subdomain_wildcards=True)  # type: ignore[misc]
    assert app.origin_allowed("https://pr-app.example.com")
    assert app.origin_allowed("https://a.example")
    for other in (
        *("https://app.example.com", "https://a.b-app.example.com", "https://x.example.com"),
        *("https://pr-app.example.com/", "http://pr-app.example.com", "https://*-app.example.com"),
    ):
        assert not app.origin_allowed(other), other
    for text in ("https://*.com", "https://*.example.com/path", "https://a.*.example.com"):
        with pytest.raises(ValidationError):
            application(redirect_uris=APP, allowed_origins=text).clean()
    with override_settings(OAUTH2_PROVIDER={"ALLOW_URI_WILDCARDS": True}):
        app.clean()


def test_an_origin_needs_a_scheme_that_the_server_allows() -> None:
    """The default is https only, as in django-oauth-toolkit."""
    app = application(redirect_uris=APP, allowed_origins="http://app.example https://app.example")
    assert app.origin_allowed("https://app.example")
    assert not app.origin_allowed("http://app.example")
    with override_settings(OAUTH2_PROVIDER={"ALLOWED_SCHEMES": ["https", "http"]}):
        assert app.origin_allowed("http://app.example")


@pytest.mark.parametrize(
    ("origins", "code"),
    [
        ("https://app.example", None),
        ("https://app.example/", "spelling"),
        ("https://app.example/a", "path"),
        ("https://*.app.example", "wildcard"),
        ("null", "null"),
        ("https://u:p@app.example", "credentials"),
    ],
)
def test_allowed_origins_are_origins(origins: str, code: str | None) -> None:
    """An origin in another spelling than a browser's can be stored, but never matches."""
    if code not in (None, "spelling"):
        with pytest.raises(ValidationError):
            application(redirect_uris=APP, allowed_origins=origins).clean()
    app = application(allowed_origins=origins)
    assert app.origin_allowed(origins) is (code is None)
    assert not app.origin_allowed("https://evil.example")


@pytest.mark.django_db
@override_settings(ROOT_URLCONF="tests.integrations.oauthapp.urls")
def test_django_oauth_toolkit_sends_the_code_to_registered_uris_only() -> None:
    """The request uses its own view, with a user who is logged in."""
    app = application(redirect_uris=f"{QUERY} http://127.0.0.1/cb", skip_authorization=True)
    app.full_clean(exclude=["user", "client_secret"])
    app.save()
    browser = Browser()
    browser.force_login(User.objects.create_user("ann"))

    def answer(uri: str) -> Any:
        values = {"response_type": "code", "client_id": app.client_id, "redirect_uri": uri}
        return browser.get("/o/authorize/", {**values, "scope": "read"})

    for uri in (QUERY, "http://127.0.0.1:5123/cb"):
        found = answer(uri)
        assert found.status_code == 302
        assert found["Location"].startswith(uri)
        assert parse_qs(urlsplit(found["Location"]).query)["code"]
    for uri in ("https://app.example/cb?b=2&a=1", f"{QUERY}&c=3", "https://APP.example/cb?a=1&b=2"):
        assert answer(uri).status_code == 400
