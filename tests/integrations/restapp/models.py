"""Models with every option of a URL field, served by Django REST framework."""

from __future__ import annotations

from typing import ClassVar

from django.core.validators import RegexValidator
from django.db import connection, models

from django_whatwg_url.constraints import UniqueURLKey
from django_whatwg_url.fields import (
    CanonicalURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
)
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.managers import URLQuerySet
from weburl import URLPolicy

# MariaDB has no column of characters without a limit.
_ANY_LENGTH = 6000 if connection.vendor == "mysql" else None


class Page(models.Model):
    """A page on the web."""

    objects: ClassVar[models.Manager[Page]]

    url = CanonicalURLField(unique=True, max_length=300, help_text="Where it is.")
    title = models.CharField(max_length=100, blank=True)
    canonical = CanonicalURLField("canonical URL", null=True, blank=True)
    site = RegistrableDomainField("url")
    host = GeneratedURLPartField("url", part="host")

    def __str__(self) -> str:
        return self.title


class Hook(models.Model):
    """An address for requests of a server, with options of every kind."""

    objects: ClassVar[models.Manager[Hook]]

    page = models.ForeignKey(Page, on_delete=models.CASCADE, to_field="url", null=True, blank=True)
    target = CanonicalURLField(policy=URLPolicy.webhook(), null=True, blank=True)
    strict = CanonicalURLField(strictness="valid", null=True, blank=True)
    anything = CanonicalURLField(schemes=None, max_length=_ANY_LENGTH, null=True, blank=True)
    checked = CanonicalURLField(
        null=True,
        blank=True,
        validators=[RegexValidator("/api/", "It has no /api/.", code="no-api")],
        error_messages={"host-missing": "Which site?", "max_length": "Too long."},
        max_length=60,
    )

    def __str__(self) -> str:
        return str(self.target)


class Saved(models.Model):
    """A page that a person saves only once. Its URL is in Django's own field."""

    objects: ClassVar[models.Manager[Saved]] = URLQuerySet.as_manager()

    url = models.URLField()
    person = models.CharField(max_length=50)
    url_key = URLKeyField("url")
    item = QueryParamField("url", "id", max_length=100)

    class Meta:
        constraints = (UniqueURLKey("url_key", within=["person"], name="one_page_for_each_person"),)

    def __str__(self) -> str:
        return self.url
