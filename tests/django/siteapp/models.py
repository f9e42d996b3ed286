"""Models with a registrable domain: plain, by proxy, inherited, and of a URL of the database's."""

# Nobody looks at these in a shell.

from __future__ import annotations

from django.db import models

from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField


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

    mirror = CanonicalURLField(null=True, allowed_schemes=None)
    mirror_site = RegistrableDomainField("mirror", "site of the mirror", db_index=False)


class Defaulted(models.Model):
    """A URL that the database provides."""

    url = CanonicalURLField(db_default="https://www.default.co.uk")
    site = RegistrableDomainField("url")
