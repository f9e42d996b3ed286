"""The base classes of the commands. Their errors do not show values of rows."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from functools import partial
from typing import Any, ClassVar, Final

from django.apps import apps
from django.core.management import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections, router
from tqdm import tqdm

from django_whatwg_url.beside.base import Companion, companions_of
from django_whatwg_url.rows.recompute import BATCH_SIZE, models_labelled, recompute_all
from django_whatwg_url.rows.report import masked
from django_whatwg_url.rules.messages import without_credentials

# Databases quote values. PostgreSQL also shows the row, after the first line.
_QUOTED: Final = re.compile(
    r"(?:'[^']*')+|'[^']*|\"[^\"]*\"?|“[^”]*”?|`[^`]*`?|\([^()]*\)=\([^()]*\)?"
)
_MASK: Final = "…"
_EXAMPLES: Final = 10


class DatabaseCommand(BaseCommand):
    """A command for one database. Its errors do not show values of rows."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--database", default=DEFAULT_DB_ALIAS, help="alias of the database")

    def handle(self, **options: Any) -> None:
        if options["database"] not in connections:
            raise CommandError(f"There is no database {options['database']!r} in DATABASES.")
        try:
            self.run(**options)
        except DatabaseError as error:
            raise command_error(error)  # noqa: B904  # It sets its own cause.

    def run(self, *args: Any, **options: Any) -> None:
        """Run the command."""
        raise NotImplementedError


def command_error(error: DatabaseError) -> CommandError:
    """Return an error with the first line of the database's message, and mask the quoted values.

    Its cause is ``error`` only if nothing was masked, because a traceback shows the whole message.
    """
    text = str(error.args[-1] if error.args else "").strip()
    first = text.partition("\n")[0]
    masked = _QUOTED.sub(partial(_masked, _names()), first)
    shown = re.sub(f"{_MASK}+", _MASK, without_credentials(masked))
    found = CommandError(f"Database error: {type(error).__name__}: {shown}".rstrip(": ") + ".")
    found.__cause__ = error if shown == text else None
    found.__suppress_context__ = True
    return found


def _masked(names: set[str], quoted: re.Match[str]) -> str:
    name = quoted[0].strip("'\"“”`")
    return quoted[0] if name in names else _MASK


def _names() -> set[str]:
    """Return the names of the tables, columns, indexes and constraints of the models."""
    found: set[str] = set()
    for model in apps.get_models(include_auto_created=True):
        meta = model._meta
        found.add(meta.db_table)
        found.update(field.column for field in meta.local_concrete_fields if field.column)
        found.update(each.name for each in (*meta.constraints, *meta.indexes))
    return found


class RecomputingCommand(DatabaseCommand):
    """Recomputes columns in batches. Each batch is a transaction. The command can be run again."""

    kind: ClassVar[type[Companion]]
    """The class of the columns that the command recomputes."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "labels",
            nargs="*",
            metavar="app_label[.Model]",
            help="an app or a model to update; default: all",
        )
        parser.add_argument(
            "--batch-size",
            type=int,
            default=BATCH_SIZE,
            help="how many rows to update in one transaction",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only count the rows that would change"
        )

    def run(
        self,
        *,
        labels: list[str],
        database: str,
        batch_size: int,
        dry_run: bool,
        verbosity: int,
        **_options: Any,
    ) -> None:
        if batch_size < 1:
            raise CommandError("--batch-size must be at least 1.")
        try:
            models = models_labelled(labels)
        except LookupError as error:
            raise CommandError(str(error)) from error
        fields = [
            field
            for model in models
            if router.allow_migrate_model(database, model)
            for field in companions_of(model, self.kind)
            if field.model is model
        ]
        if not fields and verbosity > 0:
            self.stdout.write(f"There is no {self.kind.__name__}.")
        refused: list[str] = []
        for field in fields:
            name = f"{field.model._meta.label}.{field.name}"
            try:
                # disable=None hides the bar if the output is not a terminal.
                with tqdm(unit=" rows", disable=None if verbosity > 0 else True) as bar:
                    run = recompute_all(
                        field, database, batch_size, dry_run=dry_run, progress=bar.update
                    )
            except ValueError as error:  # The rules of a key are unknown.
                raise CommandError(f"{name}: {error}") from error
            if verbosity > 0:
                done = "would be stored" if dry_run else "stored"
                self.stdout.write(f"{name}: {run.read:,} rows read, {run.stored:,} values {done}")
            if run.refused:
                examples = ", ".join(map(masked, run.refused[:_EXAMPLES]))
                more = ", …" if len(run.refused) > _EXAMPLES else ""
                refused.append(
                    f"{name}: {len(run.refused):,} rows keep their old value, because a constraint "
                    "does not allow a second row with the new one. "
                    f"Primary keys: {examples}{more}."
                )
        if refused:
            raise CommandError("\n".join(refused))
