"""Tells each `CanonicalizeURLs` of a plan what comes after it, just before ``migrate`` runs it.

Django sends the plan with a signal. The operations that run are those of the migration files.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django_whatwg_url.canonicalizing.planned_constraints import flattened
from django_whatwg_url.operations import CanonicalizeURLs

if TYPE_CHECKING:
    from django.db.migrations import Migration


def announce_plan(
    plan: Sequence[tuple[Migration, bool]] = (),
    verbosity: int = 0,
    stdout: Any = None,
    **_kwargs: object,
) -> None:
    """Tell each `CanonicalizeURLs` which operations come after it, and where to print its summary.

    The summary is printed on ``stdout``, if ``verbosity`` is at least 1. This is a receiver of
    ``pre_migrate``. Django calls it once for each app, always with the same plan.
    """
    operations = [
        (migration.app_label, operation)
        for migration, backwards in plan
        if not backwards
        for operation in flattened(migration.operations)
    ]

    def tell(line: str) -> None:
        if verbosity >= 1:
            (stdout or sys.stdout).write(f"{line}\n")

    for number, (_label, operation) in enumerate(operations, start=1):
        if isinstance(operation, CanonicalizeURLs):
            operation.announce(operations[number:], tell)
