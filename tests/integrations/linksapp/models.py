"""A model with URLs, as in a typical project."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from django_whatwg_url.fields import CanonicalURLField


class Link(models.Model):
    """A link with a unique URL."""

    objects: ClassVar[models.Manager[Link]]

    title = models.CharField(max_length=100, blank=True)
    url = CanonicalURLField(unique=True, max_length=500)
    homepage = CanonicalURLField(null=True, blank=True)

    def __str__(self) -> str:
        return self.url.redacted()
