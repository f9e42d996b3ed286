"""`manage.py update_url_keys`: recompute the keys of URLs with the current rules."""

from __future__ import annotations

from typing import ClassVar

from django_whatwg_url.beside.url_keys import URLKeyField
from django_whatwg_url.management.base import RecomputingCommand


class Command(RecomputingCommand):
    """Recomputes each URLKeyField."""

    kind: ClassVar[type[URLKeyField]] = URLKeyField

    help = (
        "Recompute the keys of all URLKeyFields, and store those that differ. Run it after adding "
        "such a column to a table with rows, after a change of its rules, and after raw SQL. It "
        "never removes a row."
    )
