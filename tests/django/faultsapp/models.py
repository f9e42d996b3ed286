"""What the migrations end in."""

from __future__ import annotations

from django.db import models

from django_whatwg_url.constraints import IsCanonicalURL
from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from django_whatwg_url.indexes import URLIndex


class Link(models.Model):
    """A URL that was text once."""

    url = CanonicalURLField(max_length=500, unique=True)
    site = RegistrableDomainField("url", max_length=500)

    class Meta:
        indexes = (URLIndex("url", part="host", name="faults_host"),)
        constraints = (IsCanonicalURL("url", name="faults_canonical"),)
