"""A model whose fields have every option that test data must respect."""

from __future__ import annotations

from django.db import models

from django_whatwg_url.fields import CanonicalURLField, RegistrableDomainField
from weburl import URLPolicy


class Bounded(models.Model):
    """URLs with limits, schemes and policies."""

    short = CanonicalURLField(max_length=20)
    shorter = CanonicalURLField(max_length=9, unique=True)
    mail = CanonicalURLField(allowed_schemes=["mailto"], max_length=40)
    anything = CanonicalURLField(allowed_schemes=None)
    valid = CanonicalURLField(strictness="valid")
    hook = CanonicalURLField(policy=URLPolicy.webhook())
    ours = CanonicalURLField(policy=URLPolicy(hosts=["*.example.com", "example.org"]))
    optional = CanonicalURLField(null=True, blank=True)
    site = RegistrableDomainField("ours")

    def __str__(self) -> str:
        return str(self.short)
