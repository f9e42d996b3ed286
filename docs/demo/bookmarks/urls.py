"""The demo's URLs: the page of bookmarks, the login, and the URL viewer."""

from __future__ import annotations

from django.urls import path, re_path

from bookmarks import viewing, views

urlpatterns = [
    path("", views.shelf, name="shelf"),
    re_path("^(?P<kind>folded|refused)/$", views.lines, name="lines"),
    path("login/", views.Login.as_view(), name="login"),
    path("viewer/", viewing.viewer, name="viewer"),
    path("viewer/<path:page>", viewing.viewer),
]
