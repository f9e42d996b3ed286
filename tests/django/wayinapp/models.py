"""Columns of text that hold URLs, under constraints of every kind, and what points at them."""

# Columns as people have them: a URL that is NULL where there is none.
# ruff: noqa: DJ001

from __future__ import annotations

import uuid
from typing import Any

from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.db import models


class HidesOdd(models.Manager[Any]):
    """A manager that shows only some rows."""

    def get_queryset(self) -> models.QuerySet[Any]:
        return super().get_queryset().filter(hidden=False)


class Label(models.Model):
    """The other side of a many-to-many."""

    name = models.CharField(max_length=20)


class Old(models.Model):
    """The common case: a unique URLField, with everything that may point at it."""

    url = models.URLField(max_length=700, unique=True, null=True)
    original = models.TextField(blank=True, default="")
    created = models.DateField(null=True)
    hidden = models.BooleanField(default=False)
    labels = models.ManyToManyField(Label)
    twin = models.ForeignKey("self", null=True, on_delete=models.SET_NULL)

    objects = HidesOdd()


class Visit(models.Model):
    """A foreign key."""

    old = models.ForeignKey(Old, on_delete=models.CASCADE)


class Profile(models.Model):
    """A one-to-one."""

    old = models.OneToOneField(Old, on_delete=models.CASCADE)


class Shelf(models.Model):
    """A many-to-many with a model of its own between."""

    olds: Any = models.ManyToManyField(Old, through="Place")


class Place(models.Model):
    """One place for one URL on a shelf."""

    shelf = models.ForeignKey(Shelf, on_delete=models.CASCADE)
    old = models.ForeignKey(Old, on_delete=models.CASCADE)
    number = models.IntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["shelf", "old"], name="one_place"),)


class Cited(models.Model):
    """A foreign key to the URL itself."""

    old = models.ForeignKey(Old, to_field="url", null=True, on_delete=models.CASCADE)


class Note(models.Model):
    """A generic relation."""

    content_type = models.ForeignKey(ContentType, on_delete=models.CASCADE)
    object_id = models.CharField(max_length=40)
    target = GenericForeignKey()


class Loose(models.Model):
    """Text that is neither unique nor nullable."""

    url = models.CharField(max_length=400)


class Owned(models.Model):
    """A URL that is unique for an owner, and among the active ones."""

    owner = models.IntegerField(null=True)
    active = models.BooleanField(default=False)
    url = models.TextField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["url"], condition=models.Q(active=True), name="one_active"
            ),
        )


class Paired(models.Model):
    """A URL that is unique together with an owner."""

    owner = models.IntegerField(null=True)
    url = models.CharField(max_length=200)

    class Meta:
        unique_together = (("owner", "url"),)


class Keyed(models.Model):
    """A key that is no number."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    url = models.TextField(null=True)


class ByURL(models.Model):
    """A URL as the primary key."""

    url = models.CharField(max_length=200, primary_key=True)


class PointsAtURL(models.Model):
    """A foreign key to a URL that is the primary key."""

    by = models.ForeignKey(ByURL, on_delete=models.CASCADE)


class Whole(Loose):
    """A child by multi-table inheritance."""

    extra = models.TextField(blank=True)


class Person(models.Model):
    """An owner of rows. The name may be a URL with a password."""

    name = models.CharField(max_length=80)


class Saved(models.Model):
    """A URL that several people may have saved, without any constraint, and text made from it."""

    owner = models.ForeignKey(Person, on_delete=models.CASCADE, null=True)
    group = models.CharField(max_length=80, default="")
    url = models.CharField(max_length=400)
    normalized = models.TextField(default="")
    title = models.TextField(default="")
    tags = models.ManyToManyField(Label)

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.normalized = str(self.url).removeprefix("https://").rstrip("/")
        super().save(*args, **kwargs)


class Clicked(models.Model):
    """A foreign key to such a row, which is set to NULL if the row is deleted."""

    saved = models.ForeignKey(Saved, null=True, on_delete=models.SET_NULL)


class Rich(models.Model):
    """A unique URL in a row with columns of many types, and a key that is not a number."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    url = models.CharField(max_length=400, unique=True)
    price = models.DecimalField(max_digits=8, decimal_places=2)
    moment = models.DateTimeField()
    day = models.DateField()
    took = models.DurationField()
    data = models.JSONField()
    raw = models.BinaryField()
    is_on = models.BooleanField()
    ratio = models.FloatField()


class Ticket(models.Model):
    """A row to which others refer by two values that may be NULL."""

    url = models.CharField(max_length=400)
    code = models.CharField(max_length=20, unique=True, null=True)
    seat = models.CharField(max_length=20, unique=True, null=True)


class Used(models.Model):
    """A foreign key to each of these values."""

    ticket = models.ForeignKey(Ticket, to_field="code", null=True, on_delete=models.CASCADE)
    seated = models.ForeignKey(
        Ticket, to_field="seat", null=True, on_delete=models.CASCADE, related_name="seats"
    )
