"""Models with URL columns: required, optional, unique, strict, short, defaulted, keyed."""

# Nobody looks at these in a shell.

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower

from django_whatwg_url.fields import CanonicalURLField
from weburl import URLRecord, parse


def a_default() -> str:
    """Return a default in a spelling that is not canonical."""
    return "HTTPS://Callable.Example"


class Bookmark(models.Model):
    """The plain case: one URL, and a title."""

    url = CanonicalURLField(unique=True)
    title = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return self.url.redacted()


class Page(models.Model):
    """A URL that may be missing, and one that need not be unique."""

    url = CanonicalURLField("address", null=True, blank=True)
    source = CanonicalURLField(db_index=True, default="https://example.com/source")
    published = models.DateField(null=True)
    title = models.CharField(max_length=100, blank=True)


class Strict(models.Model):
    """URLs of which more is refused than browsers refuse."""

    valid = CanonicalURLField(strictness="valid")
    anonymous = CanonicalURLField(
        null=True,
        blank=True,
        strictness=["invalid-credentials", "invalid-reverse-solidus"],
        error_messages={"invalid-credentials": "No passwords, please."},
    )


class Short(models.Model):
    """A column for no more than 30 characters of canonical text."""

    url = CanonicalURLField(max_length=30)


class Defaulted(models.Model):
    """Defaults of every kind."""

    text = CanonicalURLField(default="HTTP://Text.Example")
    record = CanonicalURLField(default=parse("http://record.example/"))
    called = CanonicalURLField(default=a_default)
    in_database = CanonicalURLField(db_default="HTTP://Database.Example")


class Chosen(models.Model):
    """One of two URLs."""

    url = CanonicalURLField(
        choices=[("https://one.example/", "The first"), ("https://two.example/", "The second")]
    )


class Site(models.Model):
    """A URL as the primary key."""

    url = CanonicalURLField(primary_key=True)


class Visit(models.Model):
    """A foreign key to a URL, by the primary key and by a unique column."""

    site = models.ForeignKey(Site, on_delete=models.CASCADE)
    bookmark = models.ForeignKey(Bookmark, to_field="url", null=True, on_delete=models.CASCADE)


class Base(models.Model):
    """A parent whose URL its children inherit."""

    url = CanonicalURLField()

    class Meta:
        abstract = True


class Parent(Base):
    """A concrete child of the abstract parent."""


class Child(Parent):
    """A child by multi-table inheritance, with a second URL."""

    mirror = CanonicalURLField(null=True)


class Constrained(models.Model):
    """Constraints, and a URL that is unique for a day."""

    url = CanonicalURLField(unique_for_date="day")
    mirror = CanonicalURLField(null=True)
    day = models.DateField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["url", "mirror"], name="unique_pair"),
            models.UniqueConstraint(Lower("mirror"), name="unique_lower_mirror"),
            models.CheckConstraint(
                condition=models.Q(url__startswith="https://"), name="url_is_https"
            ),
        )


def href(url: URLRecord | None) -> str | None:
    """Return a URL's text, None for None."""
    return None if url is None else url.href
