"""Models to which foreign keys refer with rules of the database. Installed from Django 6.1 on."""

from __future__ import annotations

from typing import Any

from django.db import models

# The stubs are for a version of Django without these rules.
DB_CASCADE: Any = getattr(models, "DB_CASCADE", models.DO_NOTHING)
DB_SET_NULL: Any = getattr(models, "DB_SET_NULL", models.DO_NOTHING)
DB_SET_DEFAULT: Any = getattr(models, "DB_SET_DEFAULT", models.DO_NOTHING)


class Page(models.Model):
    """Its column still has a plain field."""

    url = models.TextField()


class Named(models.Model):
    """Its key is a URL."""

    url = models.CharField(max_length=400, primary_key=True)


class Copy(models.Model):
    """Deleted by the database with its page."""

    page = models.ForeignKey(Page, DB_CASCADE)


class Line(models.Model):
    """Deleted by the database with its copy."""

    copy = models.ForeignKey(Copy, DB_CASCADE)


class Remark(models.Model):
    """Keeps its copy's place empty."""

    copy = models.ForeignKey(Copy, DB_SET_NULL, null=True)


class Cover(models.Model):
    """A page has one."""

    page = models.OneToOneField(Page, DB_CASCADE)


class Alias(models.Model):
    """Refers to a key that is a URL."""

    named = models.ForeignKey(Named, DB_CASCADE)


class Hidden(models.Model):
    """A table that Django does not manage, which refers to a page."""

    page = models.ForeignKey(Page, DB_CASCADE)

    class Meta:
        managed = False
