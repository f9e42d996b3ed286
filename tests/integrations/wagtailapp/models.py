"""A page type and a snippet, as in a typical site made with Wagtail."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from wagtail.admin.panels import FieldPanel
from wagtail.api import APIField
from wagtail.models import DraftStateMixin, Page, RevisionMixin
from wagtail.search import index
from wagtail.snippets.models import register_snippet
from wagtail.snippets.views.snippets import SnippetViewSet

from django_whatwg_url.fields import CanonicalURLField, ExactURLField, URLReferenceField
from django_whatwg_url.integrations.wagtail import URLColumn, URLPanel


class SourcePage(Page):  # type: ignore[misc]
    """A page about a source on the web."""

    source = CanonicalURLField(max_length=300, help_text="Where it is.")
    archive = CanonicalURLField(null=True, blank=True)

    content_panels: ClassVar[list[Any]] = [
        *Page.content_panels,
        FieldPanel("source"),
        FieldPanel("archive"),
    ]
    search_fields: ClassVar[list[Any]] = [
        *Page.search_fields,
        index.SearchField("source"),
        index.FilterField("archive"),
    ]
    api_fields: ClassVar[list[Any]] = [
        APIField("source", writable=True),
        APIField("archive"),
    ]


class Partner(DraftStateMixin, RevisionMixin, models.Model):  # type: ignore[misc]
    """A snippet with drafts."""

    name = models.CharField(max_length=100)
    site = CanonicalURLField(unique=True)
    shown = CanonicalURLField(null=True, blank=True)
    typed = ExactURLField(blank=True)
    menu = URLReferenceField(blank=True)

    panels: ClassVar[list[Any]] = [
        FieldPanel("name"),
        FieldPanel("site"),
        FieldPanel("typed"),
        URLPanel("shown", read_only=True),
    ]

    def __str__(self) -> str:
        return self.name


@register_snippet
class PartnerViews(SnippetViewSet):  # type: ignore[misc]
    """How the admin lists and shows partners."""

    model = Partner
    inspect_view_enabled = True
    list_display: ClassVar[list[Any]] = ["name", URLColumn("site"), URLColumn("shown")]
