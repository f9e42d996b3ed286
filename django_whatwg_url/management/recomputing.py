"""The base class of the commands that recompute companion columns."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any, ClassVar, Final

from django.core.management.base import CommandError
from django.db import router
from tqdm import tqdm

from django_whatwg_url.beside.base import Companion, companions_of
from django_whatwg_url.management.database_errors import DatabaseCommand
from django_whatwg_url.rows.recompute import BATCH_SIZE, models_labelled, recompute_all
from django_whatwg_url.rows.report import masked

_EXAMPLES: Final = 10


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
