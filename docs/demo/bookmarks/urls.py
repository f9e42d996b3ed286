"""The demo has one page."""

from __future__ import annotations

from django.urls import path

from bookmarks import views

urlpatterns = [path("", views.shelf, name="shelf")]
