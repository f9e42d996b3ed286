"""Models whose URLs are text: required, optional, as a key, and beside Django's own URLField."""

# Nobody looks at these in a shell.

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models

from django_whatwg_url.constraints import IsCanonicalURL
from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.indexes import URLIndex


class TheirValidator(URLValidator):
    """A validator of a project, which has a rule of its own and takes text."""

    def __call__(self, value: Any) -> None:
        super().__call__(value)
        if value.endswith("/refused"):
            raise ValidationError("Not this one.", code="refused")


def only_text(value: Any) -> None:
    """Refuse everything that is not text."""
    if type(value) is not str:
        raise ValidationError("Not text.", code="not-text")


class Link(models.Model):
    """A required URL, with all that this package puts beside it."""

    owner = models.IntegerField(default=1)
    url = CanonicalURLField(
        as_text=True, unique=True, max_length=200, validators=[TheirValidator(), only_text]
    )
    title = models.CharField(max_length=100, blank=True)
    site = RegistrableDomainField("url")
    host = GeneratedURLPartField("url", part="host", db_index=True)

    class Meta:
        indexes = (URLIndex("url", part="path", name="text_link_by_path"),)

    def __str__(self) -> str:
        return self.url


class Note(models.Model):
    """A URL that may be empty, and one that may be NULL."""

    url = CanonicalURLField(as_text=True, blank=True)
    mirror = CanonicalURLField(as_text=True, null=True, blank=True)
    day = models.DateField(null=True, blank=True)


class Strict(models.Model):
    """URLs of which more is refused than browsers refuse, and one of a few."""

    url = CanonicalURLField(as_text=True, strictness="valid")
    chosen = CanonicalURLField(
        as_text=True,
        choices=[("https://one.example/", "The first")],
        default="https://one.example/",
    )


class Guarded(models.Model):
    """A URL that the database guards as well."""

    url = CanonicalURLField(as_text=True)

    class Meta:
        constraints = (IsCanonicalURL("url", name="text_is_canonical"),)


class Site(models.Model):
    """A URL as the primary key."""

    url = CanonicalURLField(as_text=True, primary_key=True)


class Visit(models.Model):
    """Foreign keys to a URL, by the primary key and by a unique column."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE)
    link = models.ForeignKey(Link, to_field="url", null=True, on_delete=models.CASCADE)


class Parent(models.Model):
    """A parent in a table of its own."""

    url = CanonicalURLField(as_text=True)


class Child(Parent):
    """A child by multi-table inheritance, with a second URL."""

    other = CanonicalURLField(as_text=True, null=True)
