"""A real Chromium for the tests, driven by Playwright; nothing is downloaded.

The browser is the one that the environment variable WEBURL_CHROMIUM names, or the first of
`chromium`, `chromium-browser`, `google-chrome` on the PATH. Without one the tests are skipped;
where `CI` is set they fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Final

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Browser, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

OPTIONS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def chromium() -> str:
    """Return the path of the browser; skip or fail the running test without one."""
    named = os.environ.get("WEBURL_CHROMIUM")
    found = named or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if found is not None and shutil.which(found):
        return found
    reason = f"no Chromium {named or 'on the PATH'}: install one, or name it by WEBURL_CHROMIUM"
    if named or os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give the browser, started once."""
    path = chromium()
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        # Playwright's event loop runs in the thread of the tests, and Django would not touch its
        # database there: the tests wait for the one before they ask the other.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        started = playwright.chromium.launch(executable_path=path, args=list(OPTIONS))
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Give an empty page, with cookies and storage of its own."""
    context = browser.new_context()
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def site(live_server: LiveServer) -> str:
    """Give the origin of the demo, the admin and the rest of `tests.browser.urls`."""
    return str(live_server.url)


def log_in(page: Page, address: str, name: str = "admin") -> None:
    """Fill in the login at an address; the password is "secret"."""
    page.goto(address)
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill("secret")
    page.get_by_role("button", name="Log in").click()


@pytest.fixture
def admin_page(page: Page, site: str) -> Page:
    """Give a page that has logged in to the admin by its form."""
    User.objects.create_superuser("admin", password="secret")
    log_in(page, f"{site}/admin/")
    expect(page.locator("#logout-form")).to_be_visible()
    return page
