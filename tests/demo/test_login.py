"""Tests of the demo's login, where ``?next=`` never leads to another site."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("/viewer/", "http://testserver/viewer/"),
        ("HTTP://TESTSERVER:80/?q=a", "http://testserver/?q=a"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("/\r//evil.example", "/"),
        ("javascript:alert(1)", "/"),
        (f"/{'a' * 2048}", "/"),
        ("", "/"),
    ],
)
def test_people_stay_on_the_site(target: str, place: str) -> None:
    """The form keeps only a safe target. Otherwise, the login leads to the bookmarks."""
    User.objects.create_user("ann", password="a long phrase")
    browser = Client(enforce_csrf_checks=False)
    page = browser.get("/login/", {"next": target})
    assert page.status_code == 200
    assert page.context["next"] == ("" if place == "/" else place)
    found = browser.post(
        "/login/", {"username": "ann", "password": "a long phrase", "next": target}
    )
    assert (found.status_code, found["Location"]) == (302, place)


def test_a_wrong_password_shows_the_form_again() -> None:
    """The form shows an error."""
    page = Client().post("/login/", {"username": "ann", "password": "wrong"})
    assert page.status_code == 200
    assert page.context["form"].errors
