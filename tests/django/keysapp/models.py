"""Models with a key beside a URL: for each owner, unique, inherited, beside several fields."""

from __future__ import annotations

from django.db import models

from django_whatwg_url.constraints import UniqueURLKey
from django_whatwg_url.fields import CanonicalURLField, URLKeyField
from django_whatwg_url.managers import URLQuerySet


class Owner(models.Model):
    """Who has bookmarks."""

    name = models.CharField(max_length=50)


class Bookmark(models.Model):
    """A page that each owner has at most once, beside a field of Django's."""

    url = models.CharField(max_length=2048)
    title = models.CharField(max_length=200, blank=True)
    owner = models.ForeignKey(Owner, models.CASCADE, null=True)
    url_key = URLKeyField("url")

    objects: models.Manager[Bookmark] = URLQuerySet.as_manager()

    class Meta:
        constraints = (UniqueURLKey("url_key", within=["owner"], name="one_page_for_each_owner"),)

    def __str__(self) -> str:
        return self.url


class ProxyBookmark(Bookmark):
    """The same table."""

    class Meta:
        proxy = True


class RatedBookmark(Bookmark):
    """A table of its own, beside the parent's."""

    stars = models.IntegerField(default=0)


class Plain(models.Model):
    """Nothing but a URL and its key, neither of them unique."""

    url = models.URLField(max_length=3000)
    url_key = URLKeyField("url")
    other = models.CharField(max_length=3000, blank=True)

    objects: models.Manager[Plain] = URLQuerySet.as_manager()


class Single(models.Model):
    """A page that is there once, beside a URL in canonical form."""

    url = CanonicalURLField(null=True, schemes=None)
    url_key = URLKeyField("url", unique=True)

    objects: models.Manager[Single] = URLQuerySet.as_manager()


class Together(models.Model):
    """Django's own constraints, and text of any length."""

    url = models.TextField()
    group = models.IntegerField(default=0)
    shelf = models.IntegerField(default=0)
    url_key = URLKeyField("url", max_length=100)

    objects: models.Manager[Together] = URLQuerySet.as_manager()

    class Meta:
        unique_together = (("group", "url_key"),)
        constraints = (
            models.UniqueConstraint(fields=["shelf", "url_key"], name="one_page_for_each_shelf"),
        )
