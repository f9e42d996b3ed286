"""`manage.py update_url_keys`: recompute the keys of URLs with the current rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.core.management.base import CommandError
from django.db import DatabaseError
from django.db.models import Count, QuerySet, Sum
from tqdm import tqdm

from django_whatwg_url.canonicalizing.recomputing import recompute_all
from django_whatwg_url.companions.url_keys import URLKeyField
from django_whatwg_url.forms.messages import manage_py
from django_whatwg_url.management.database_errors import command_error
from django_whatwg_url.management.recomputing import RecomputingCommand, name_of

_EXAMPLES: Final = 10


class Command(RecomputingCommand[URLKeyField]):
    """Recomputes each URLKeyField."""

    kind = URLKeyField
    noun = "key"

    help = (
        "Recompute the keys of all URLKeyFields, and store those that differ. Run it after adding "
        "such a column to a table with rows, after a change of its rules, and after raw SQL. It "
        "never removes a row."
    )

    def update(self, fields: list[URLKeyField]) -> None:
        refused: list[str] = []
        for field in fields:
            try:
                refused += self._update(field)
            except ValueError as error:  # The rules are unknown.
                raise CommandError(f"{name_of(field)}: {error}") from error
            except DatabaseError as error:
                raise command_error(error)  # noqa: B904  # it says itself what its cause is
        if not fields and self.verbosity > 0:
            self.stdout.write("There is no URLKeyField.")
        if refused:
            raise CommandError("\n".join(refused))

    def _update(self, field: URLKeyField) -> list[str]:
        """Update one column, print what happened, and return a sentence if rows were refused."""
        shown, database, dry_run = self.verbosity > 0, self.database, self.dry_run
        if shown:
            before = _shared(field, database)
        # disable=None hides the bar if the output is not a terminal.
        with tqdm(unit=" rows", disable=None if shown else True) as bar:
            run = recompute_all(
                field, database, self.batch_size, dry_run=dry_run, progress=bar.update
            )
        if shown:
            done = "would be stored" if dry_run else "stored"
            self.stdout.write(
                f"{name_of(field)}: {run.read:,} rows read, {run.stored:,} keys {done}"
            )
            if not dry_run:
                self.stdout.write(_now_equal(field, before, _shared(field, database), database))
        return [_refusal(field, run.refused, database)] if run.refused else []


def _refusal(field: URLKeyField, refused: Sequence[Any], database: str) -> str:
    examples = ", ".join(map(str, refused[:_EXAMPLES]))
    more = ", …" if len(refused) > _EXAMPLES else ""
    return (
        f"{name_of(field)}: {len(refused):,} rows keep their old key, because a constraint does "
        f"not allow a second row with the new one. Primary keys: {examples}{more}. To see which "
        "rows are the same page, run: "
        + manage_py("url_duplicates", name_of(field), alias=database)
    )


def _shared(field: URLKeyField, database: str) -> tuple[int, int]:
    """Return how many keys several rows have, and how many rows these are."""
    rows: Any = QuerySet(field.model).using(database).filter(**{f"{field.name}__isnull": False})
    groups = rows.values(field.name).annotate(members=Count("pk")).filter(members__gt=1)
    found = groups.order_by().aggregate(groups=Count("*"), rows=Sum("members"))
    return found["groups"], found["rows"] or 0


def _now_equal(
    field: URLKeyField, before: tuple[int, int], now: tuple[int, int], database: str
) -> str:
    name = name_of(field)
    if now == (0, 0):
        return f"{name}: every row has a key of its own."
    keys = "key" if now[0] == 1 else "keys"
    return (
        f"{name}: {now[1]:,} rows share {now[0]:,} {keys}. Before, {before[1]:,} rows shared "
        f"{before[0]:,}. To see them, run: {manage_py('url_duplicates', name, alias=database)}"
    )
