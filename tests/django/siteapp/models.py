"""Models with columns beside a URL, and with URLs that are compared as text.

A registrable domain: plain, by proxy, inherited, and of a URL of the database's. How a URL is
written: required, optional, inherited, and with a queryset that follows it.
"""

# Nobody looks at these in a shell.

from __future__ import annotations

from django.db import models

from django_whatwg_url.fields import (
    CanonicalURLField,
    ExactURLField,
    QueryParamField,
    RegistrableDomainField,
    URLReferenceField,
)
from django_whatwg_url.managers import URLQuerySet


class Link(models.Model):
    """A URL and its domain."""

    url = CanonicalURLField(unique=True)
    site = RegistrableDomainField("url")
    title = models.CharField(max_length=100, blank=True)


class ProxyLink(Link):
    """The same table."""

    class Meta:
        proxy = True


class MirroredLink(Link):
    """A table with a second URL, which may be missing."""

    mirror = CanonicalURLField(null=True, schemes=None)
    mirror_site = RegistrableDomainField("mirror", "site of the mirror", db_index=False)


class Defaulted(models.Model):
    """A URL that the database provides."""

    url = CanonicalURLField(db_default="https://www.default.co.uk")
    site = RegistrableDomainField("url")


class Item(models.Model):
    """A URL and two parameters of its query."""

    url = CanonicalURLField(schemes=None)
    item = QueryParamField("url", "id", max_length=100)
    source = QueryParamField("url", "utm source", "source", db_index=False)
    title = models.TextField(blank=True)

    objects: models.Manager[Item] = URLQuerySet.as_manager()


class ProxyItem(Item):
    """The same table."""

    class Meta:
        proxy = True


class RatedItem(Item):
    """A table with a second URL, which is plain text and may be missing."""

    mirror = models.TextField(null=True)  # noqa: DJ001
    mirror_item = QueryParamField("mirror", "id")


class SingleItem(models.Model):
    """A parameter that only one row may have, of a URL that the database provides."""

    url = CanonicalURLField(db_default="https://default.example/?id=d%C3%A9f", as_text=True)
    item = QueryParamField("url", "id", unique=True)

    objects: models.Manager[SingleItem] = URLQuerySet.as_manager()


class Feed(models.Model):
    """A URL, and how it was written."""

    url = CanonicalURLField(unique=True, written="url_written")
    url_written = models.CharField(max_length=2048, editable=False, default="")
    title = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return self.url_written


class ProxyFeed(Feed):
    """The same table."""

    class Meta:
        proxy = True


class MirroredFeed(Feed):
    """A table with a second URL, which may be missing."""

    mirror = CanonicalURLField(null=True, blank=True, written="mirror_written")
    mirror_written = models.TextField(null=True, editable=False)  # noqa: DJ001


class FollowedFeed(models.Model):
    """A queryset that writes both columns."""

    url = CanonicalURLField(unique=True, written="url_written")
    url_written = models.CharField(max_length=2048, editable=False, default="")
    title = models.CharField(max_length=100, blank=True)

    objects: models.Manager[FollowedFeed] = URLQuerySet.as_manager()


class TextFeed(models.Model):
    """The attribute is text too."""

    url = CanonicalURLField(unique=True, as_text=True, written="url_written")
    url_written = models.CharField(max_length=2048, editable=False, default="")
    title = models.CharField(max_length=100, blank=True)


class Issuer(models.Model):
    """A URL that is compared as text."""

    url = ExactURLField(unique=True)
    home = ExactURLField(null=True, blank=True, max_length=40, schemes=None)


class MenuItem(models.Model):
    """A path on this site or a whole URL."""

    link = URLReferenceField(unique=True, schemes=["http", "https", "mailto"])
    image = URLReferenceField(null=True, blank=True, max_length=40, allow_scheme_relative=True)
