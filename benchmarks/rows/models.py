"""The tables. `Plain…` are the twins, with Django's own fields."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models

from django_whatwg_url.fields import (
    CanonicalURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
)
from django_whatwg_url.generated import GeneratedURLPartField
from django_whatwg_url.indexes import URLIndex
from django_whatwg_url.managers import URLQuerySet


class _Link(models.Model):
    owner = models.IntegerField()
    url = models.URLField(max_length=2048)

    class Meta:
        abstract = True


class Original(_Link):
    """What `seed` gives. The other tables are copies of it."""


class Link(_Link):
    """What the command rewrites."""


class PlainLink(_Link):
    """What a loop without the command rewrites."""


class Click(models.Model):
    """Refers to rows that are merged."""

    link = models.ForeignKey(Link, models.CASCADE)


class PlainClick(models.Model):
    """Likewise."""

    link = models.ForeignKey(PlainLink, models.CASCADE)


class Keyed(_Link):
    """Gets its keys from a command."""

    url_key = URLKeyField("url", max_length=500, db_index=False)
    objects = URLQuerySet.as_manager()


class PlainKeyed(_Link):
    """Gets its keys from a loop."""

    url_key = models.CharField(max_length=500, null=True)  # noqa: DJ001  # as in the other table


class Beside(models.Model):
    """Has three columns that follow the URL."""

    url = CanonicalURLField()
    site = RegistrableDomainField("url")
    url_key = URLKeyField("url", max_length=500)
    item = QueryParamField("url", "id", max_length=100)
    objects = URLQuerySet.as_manager()


class PlainBeside(models.Model):
    """Has three columns that the program fills."""

    url = models.URLField(max_length=2048)
    site = models.CharField(max_length=253, null=True, db_index=True)  # noqa: DJ001
    url_key = models.CharField(max_length=500, null=True, db_index=True)  # noqa: DJ001
    item = models.CharField(max_length=100, null=True, db_index=True)  # noqa: DJ001


class Canonical(models.Model):
    """Is queried by host. MariaDB has no index on an expression."""

    url = CanonicalURLField()
    host = GeneratedURLPartField("url", part="host", db_index=True)

    class Meta:
        indexes: ClassVar[list[Any]] = [
            URLIndex("url", part="host", name="rows_by_host"),
        ]


class PlainHost(models.Model):
    """Has a column that the program fills with the host."""

    url = models.URLField(max_length=2048)
    host = models.CharField(max_length=253, db_index=True)


class Deployed(_Link):
    """Is changed by migrations."""

    class Meta:
        indexes: ClassVar[list[Any]] = [models.Index(fields=["owner"], name="rows_by_owner")]


class PlainDeployed(_Link):
    """Is changed by Django's own operations."""
