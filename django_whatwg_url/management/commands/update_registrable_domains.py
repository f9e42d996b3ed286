"""`manage.py update_registrable_domains`: recompute registrable domains with the current list."""

from __future__ import annotations

from django.core.management.base import CommandError

from django_whatwg_url.companions import RegistrableDomainField
from django_whatwg_url.management.recomputing import RecomputingCommand, name_of
from django_whatwg_url.recomputing import batches, recompute


class Command(RecomputingCommand[RegistrableDomainField]):
    """Recomputes each RegistrableDomainField."""

    kind = RegistrableDomainField

    help = (
        "Recompute the domains of all RegistrableDomainFields, and store those that differ. Run it "
        "after a new edition of the Public Suffix List, after update() and bulk_update(), and "
        "after adding such a column to a table with rows."
    )

    def update(self, fields: list[RegistrableDomainField]) -> None:
        total = 0
        for field in fields:
            read = changed = 0
            for rows in batches(field, self.database, self.batch_size):
                read += len(rows)
                result = recompute(field, rows, self.database, dry_run=self.dry_run)
                if result.refused:
                    raise CommandError(
                        f"{name_of(field)}: a constraint does not allow the domain of the row with "
                        f"the primary key {result.refused[0]}."
                    )
                changed += result.stored
                if self.verbosity > 1:
                    self.stdout.write(f"{name_of(field)}: {read:,} rows so far, {changed:,} differ")
            total += changed
            if self.verbosity > 0:
                self.stdout.write(f"{name_of(field)}: {read:,} rows read, {changed:,} differ")
        if self.verbosity > 0:
            self.stdout.write(_conclusion(fields, total, dry_run=self.dry_run))


def _conclusion(fields: list[RegistrableDomainField], total: int, *, dry_run: bool) -> str:
    if not fields:
        return "There is no RegistrableDomainField."
    return f"{total:,} would be stored." if dry_run else f"{total:,} stored."
