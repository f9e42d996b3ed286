"""`manage.py update_query_params`: recompute the columns that hold a parameter of a URL."""

from __future__ import annotations

from typing import ClassVar

from django_whatwg_url.beside.query_params import QueryParamField
from django_whatwg_url.management.base import RecomputingCommand


class Command(RecomputingCommand):
    """Recomputes each QueryParamField."""

    kind: ClassVar[type[QueryParamField]] = QueryParamField

    help = (
        "Recompute the values of all QueryParamFields, and store those that differ. Run it after "
        "adding such a column to a table with rows, after update() with an expression, and after "
        "raw SQL."
    )
