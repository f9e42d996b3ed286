"""Turns errors of the database into errors of a command, without the values of rows."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from functools import partial
from typing import Any, Final

from django.apps import apps
from django.core.management import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connections

from django_whatwg_url.rules.messages import without_credentials

# Databases quote values. PostgreSQL also shows the row, after the first line.
_QUOTED: Final = re.compile(
    r"(?:'[^']*')+|'[^']*|\"[^\"]*\"?|“[^”]*”?|`[^`]*`?|\([^()]*\)=\([^()]*\)?"
)
_MASK: Final = "…"


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
