"""`manage.py update_registrable_domains`: recompute registrable domains with the current list."""

from __future__ import annotations

from typing import ClassVar

from django_whatwg_url.beside.registrable_domains import RegistrableDomainField
from django_whatwg_url.management.base import RecomputingCommand


class Command(RecomputingCommand):
    """Recomputes each RegistrableDomainField."""

    kind: ClassVar[type[RegistrableDomainField]] = RegistrableDomainField

    help = (
        "Recompute the domains of all RegistrableDomainFields, and store those that differ. Run it "
        "after a new edition of the Public Suffix List, after update() and bulk_update(), and "
        "after adding such a column to a table with rows."
    )
