"""The flows of django-oauth-toolkit that use redirect URIs.

Which URIs match is tested in `test_oauth`. Here it is tested that each flow asks.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client as Browser
from django.test import override_settings

from tests.integrations.oauthapp.models import Application

APP = "https://app.example/cb"
OTHERS = ["https://app.example/cb?a=1", "https://APP.example/cb", "https://app.example/cb/"]
LOGGED_OUT = "https://app.example/out"
METADATA = "https://client.example/metadata.json"
VERIFIER = "a" * 64
CHALLENGE = {
    "code_challenge": base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest())
    .rstrip(b"=")
    .decode(),
    "code_challenge_method": "S256",
}
DOCUMENT: dict[str, Any] = {"client_id": METADATA, "client_name": "app"}

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.urls("tests.integrations.oauthapp.urls"),
]


class Fetcher:
    """Returns a client's metadata without network, instead of django-oauth-toolkit's fetcher."""

    redirect_uris: list[str]

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        """Return the metadata and the number of seconds for which it may be cached."""
        return {**DOCUMENT, "client_id": client_id, "redirect_uris": self.redirect_uris}, 0


@pytest.fixture(autouse=True)
def _without_rate_limits() -> Iterator[None]:
    """Clear the cache, in which the package counts requests."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def browser() -> Browser:
    """Return a browser with a user who is logged in."""
    browser = Browser()
    browser.force_login(User.objects.create_user("ann"))
    return browser


def toolkit_application(**values: Any) -> Application:
    """Return a checked and stored application of django-oauth-toolkit."""
    values = {
        "client_id": "app",
        "client_type": Application.CLIENT_PUBLIC,
        "authorization_grant_type": Application.GRANT_AUTHORIZATION_CODE,
        "skip_authorization": True,
        **values,
    }
    app = Application(name="app", **values)
    app.full_clean(exclude=["user", "client_secret"])
    app.save()
    return app


def ask(browser: Browser, uri: str, **more: str) -> Any:
    """Ask the provider to send a code to ``uri``."""
    values = {"response_type": "code", "client_id": "app", "redirect_uri": uri, "state": "s"}
    return browser.get("/o/authorize/", {**values, "scope": "read", **CHALLENGE, **more})


def test_a_login_with_pkce_gets_a_token(browser: Browser) -> None:
    """The code is sent to the registered URI only, which the token request must repeat."""
    toolkit_application(redirect_uris=APP)
    for uri in OTHERS:
        assert ask(browser, uri).status_code == 400
    found = ask(browser, APP)
    assert found.status_code == 302 and found["Location"].startswith(f"{APP}?")
    values = {
        "grant_type": "authorization_code",
        "client_id": "app",
        "code": parse_qs(urlsplit(found["Location"]).query)["code"][0],
        "code_verifier": VERIFIER,
    }
    token = "/o/token/"
    for uri in OTHERS:
        assert browser.post(token, {**values, "redirect_uri": uri}).status_code in (400, 401)
    found = ask(browser, APP)
    values["code"] = parse_qs(urlsplit(found["Location"]).query)["code"][0]
    assert browser.post(token, {**values, "redirect_uri": APP}).json()["access_token"]


def register(browser: Browser, uris: list[str]) -> Any:
    """Register a client with the provider's API."""
    data = {"redirect_uris": uris, "grant_types": ["authorization_code"], "client_name": "app"}
    data |= {"token_endpoint_auth_method": "none", "response_types": ["code"]}
    data["scope"] = "profile"
    return browser.post("/o/register/", json.dumps(data), content_type="application/json")


@override_settings(
    OAUTH2_PROVIDER={
        "DCR_ENABLED": True,
        "DCR_REGISTRATION_PERMISSION_CLASSES": ("oauth2_provider.dcr.AllowAllDCRPermission",),
    }
)
def test_a_client_that_registers_itself_follows_the_rules(browser: Browser) -> None:
    """The error names each refused URI without its query."""
    found = register(browser, [APP, "http://app.example/?token=hunter2", "data:,a"])
    assert found.status_code == 400
    assert found.json()["error"] == "invalid_client_metadata"
    description = found.json()["error_description"]
    assert "http://app.example/: URLs that begin with “http:”" in description
    assert "data:,a" in description and "hunter2" not in description
    assert APP not in description
    found = register(browser, [APP])
    assert found.status_code == 201
    client_id = found.json()["client_id"]
    assert ask(browser, OTHERS[0], client_id=client_id).status_code == 400
    assert ask(browser, APP, client_id=client_id).status_code == 200  # asks for consent
    found = browser.put(
        f"/o/register/{client_id}/",
        json.dumps({"redirect_uris": [OTHERS[1]], "token_endpoint_auth_method": "none"}),
        content_type="application/json",
        headers={"Authorization": f"Bearer {found.json()['registration_access_token']}"},
    )
    assert found.status_code == 400 and OTHERS[1] in found.json()["error_description"]


@override_settings(
    OAUTH2_PROVIDER={"CIMD_ENABLED": True, "CIMD_METADATA_FETCHER": f"{__name__}.Fetcher"},
)
def test_a_client_whose_id_is_the_address_of_its_metadata_follows_the_rules(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds from the first request on. New URIs apply once the metadata is read again."""

    def publish(*uris: str) -> None:
        monkeypatch.setattr(Fetcher, "redirect_uris", list(uris), raising=False)

    publish(APP)
    for uri in OTHERS:
        assert ask(browser, uri, client_id=METADATA).status_code == 400
    assert ask(browser, APP, client_id=METADATA).status_code == 200  # asks for consent
    publish(LOGGED_OUT)
    Application.objects.update(cimd_expires_at="2020-01-01T00:00Z")
    cache.clear()
    assert ask(browser, LOGGED_OUT, client_id=METADATA).status_code == 200
    assert ask(browser, APP, client_id=METADATA).status_code == 400


@override_settings(
    OAUTH2_PROVIDER={
        "OIDC_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ENABLED": True,
        "OIDC_RP_INITIATED_LOGOUT_ALWAYS_PROMPT": False,
    }
)
def test_after_a_logout_only_a_registered_uri_is_opened() -> None:
    """The user is already logged out, so the provider does not ask for confirmation."""
    toolkit_application(redirect_uris=APP, post_logout_redirect_uris=LOGGED_OUT)

    def answer(uri: str) -> Any:
        return Browser().get(
            "/o/logout/", {"client_id": "app", "post_logout_redirect_uri": uri, "state": "s"}
        )

    found = answer(LOGGED_OUT)
    assert (found.status_code, found["Location"]) == (302, f"{LOGGED_OUT}?state=s")
    for uri in (APP, f"{LOGGED_OUT}?a=1", f"{LOGGED_OUT}/", "https://APP.example/out"):
        found = answer(uri)
        assert not found.has_header("Location"), uri
        assert found.status_code == 400


def test_a_client_of_the_device_flow_needs_no_redirect_uri() -> None:
    """No code is sent anywhere. But if a URI is registered, it must follow the rules."""
    device = {"authorization_grant_type": Application.GRANT_DEVICE_CODE}
    assert not toolkit_application(redirect_uris="", **device).redirect_uri_allowed(APP)
    with pytest.raises(ValidationError, match="APP"):
        toolkit_application(client_id="b", redirect_uris=OTHERS[1], **device)
