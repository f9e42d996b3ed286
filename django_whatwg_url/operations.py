"""Operations for migrations. Migrations contain this import path, so it must not change."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.db import IntegrityError, NotSupportedError, models, router
from django.db.migrations.operations import AddConstraint
from django.db.migrations.operations.base import Operation, OperationCategory

from django_whatwg_url.beside.base import Companion, companions_of
from django_whatwg_url.beside.query_params import QueryParamField
from django_whatwg_url.beside.registrable_domains import RegistrableDomainField
from django_whatwg_url.beside.url_keys import URLKeyField
from django_whatwg_url.policies import PolicyOption
from django_whatwg_url.rows.journal import Journal
from django_whatwg_url.rows.options import DEFAULT_BATCH_SIZE, ChooseRow, Options
from django_whatwg_url.rows.reading import Outcome
from django_whatwg_url.rows.recompute import BATCH_SIZE, Followers, recompute_all
from django_whatwg_url.rows.report import Report, masked, undo_command
from django_whatwg_url.rows.run import canonicalize, label_of
from django_whatwg_url.rules.messages import manage_py

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState

__all__ = [
    "AddUniqueConstraintConcurrently",
    "CanonicalizeURLs",
    "UnsolvedRowsError",
    "UpdateQueryParams",
    "UpdateRegistrableDomains",
    "UpdateURLKeys",
]


_EXAMPLES: Final = 10
_log: Final = logging.getLogger("django_whatwg_url")


class UnsolvedRowsError(Exception):
    """Raised if rows cannot be made canonical or unique, and no option decides about them.

    ``str()`` returns a summary with a few examples, without passwords.
    """


_OPTION_FOR: Final = {
    Outcome.COLLIDING: "on_duplicate",
    Outcome.UNPARSABLE: "on_invalid",
    Outcome.TOO_LONG: "on_too_long",
    Outcome.NOT_ALLOWED: "on_not_allowed",
}


class _RowOperation(Operation):
    """The base of operations that change only rows, and not models."""

    category: ClassVar[OperationCategory | None] = OperationCategory.PYTHON
    reduces_to_sql = False
    reversible = True

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Do nothing."""

    def database_backwards(self, *_args: Any) -> None:
        """Do nothing: `canonicalize_urls --undo` undoes a run, and other values follow URLs."""


class CanonicalizeURLs(_RowOperation):
    """Rewrite the URLs of columns in canonical form, before they become a `CanonicalURLField`.

    All changed and removed rows are recorded in the same database, in tables of this app. So a
    migration with the operation depends on ``("django_whatwg_url", "0001_initial")``. A warning of
    the logger ``django_whatwg_url`` has their number and the number of the run.
    ``manage.py canonicalize_urls --undo NUMBER`` undoes it.

    Run backwards, the operation does nothing. With ``atomic = False`` in the migration, each batch
    is its own transaction.

    In the choices, "report" stops the migration with `UnsolvedRowsError` after all rows have been
    read, and "keep" does not change the row.

    Args:
        model_name: The name of the model, or a list of columns such as ["favorite.url",
            "page.link"].
        name: The name of its field, which may be any text column, or a list of names. None if
            ``model_name`` is a list.
        on_duplicate: "report", "keep", "keep-oldest", "keep-newest", "keep-most-referenced" or a
            function. The function gets the instances with the same URL and returns the one to keep,
            or None to keep them all. Choices that merge rows require a definition of duplicates:
            ``unique_with``, or a unique constraint that contains the URL, in the models before the
            operation.
        on_invalid: For text that is not a URL: "report", "keep", "null" or "delete".
        on_too_long: For canonical forms that are too long: the same choices.
        on_empty: For empty text: the same choices.
        on_not_allowed: For URLs that the field refuses: the same choices as for ``on_invalid``.
            "report" does not stop the migration. The URLs are kept, in canonical form.
        schemes: The allowed schemes, or ["*"]. By default, the schemes of the field before
            the operation, or http and https.
        policy: The policy that the field will have, or a reference to it.
        assume_scheme: The scheme for text without one.
        max_length: The longest canonical form. By default, the length that both the column and a
            `CanonicalURLField` can store.
        unique_with: The names of other fields. Rows with the same URL are duplicates if these are
            equal, in addition to the unique constraints. ``[]`` means that only the URL counts.
        batch_size: The number of rows in a batch.
        elidable: Whether squashing migrations may remove the operation.

    Raises:
        ValueError: An option is not valid. When the operation runs, before any change: rows are to
            be merged, but duplicates are not defined, or the tables for the undo are missing.
    """

    def __init__(
        self,
        model_name: str | Sequence[str],
        name: str | Sequence[str] | None = None,
        *,
        on_duplicate: str | ChooseRow = "report",
        on_invalid: str = "report",
        on_too_long: str = "report",
        on_empty: str = "report",
        on_not_allowed: str = "report",
        schemes: Sequence[str] | None = None,
        policy: PolicyOption | None = None,
        assume_scheme: str | None = None,
        max_length: int | None = None,
        unique_with: Sequence[str] | None = None,
        batch_size: int = DEFAULT_BATCH_SIZE,
        elidable: bool = False,
    ) -> None:
        # Every option is a parameter, because Django writes only parameters into a migration.
        self.columns: list[tuple[str, str]] = _columns(model_name, name)
        self.elidable = elidable  # type: ignore[misc]  # RunPython does the same
        self._options = Options(
            on_duplicate=on_duplicate, on_invalid=on_invalid, on_too_long=on_too_long,
            on_empty=on_empty, on_not_allowed=on_not_allowed, schemes=schemes, policy=policy,
            assume_scheme=assume_scheme, max_length=max_length, unique_with=unique_with,
            batch_size=batch_size,
        )  # fmt: skip

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        alias = schema_editor.connection.alias
        found = (
            (from_state.apps.get_model(app_label, model), name) for model, name in self.columns
        )
        columns = [each for each in found if router.allow_migrate_model(alias, each[0])]
        if not columns:
            return
        report = Report()
        followers = Followers(alias)
        labels = [label_of(column) for column in columns]
        journal = Journal(alias, f"migrate ({app_label})", labels, self._options)
        try:
            canonicalize(
                columns, alias, self._options, report, journal, followers, apps=from_state.apps
            )
        finally:
            # The error about unsolved rows rolls back an atomic migration.
            is_kept = not (report.unsolved() and schema_editor.connection.in_atomic_block)
            if is_kept and journal.number is not None:
                _log.warning(
                    "%s: %s. This is run %s. To undo it: %s", ", ".join(labels), report.sentence(),
                    journal.number, undo_command(journal.number, alias),
                )  # fmt: skip
            for warning in followers.warnings():
                _log.warning(warning)
        if unsolved := report.unsolved():
            dry_run = ("canonicalize_urls", *labels, "--dry-run", "--report", "FILE")
            advice = [
                f"`{manage_py(*dry_run, alias=alias)}` lists them all.",
                *self._advice(report),
            ]
            rows = "1 row" if unsolved == 1 else f"{unsolved:,} rows"
            need = "needs" if unsolved == 1 else "need"
            heading = f"{rows} of {', '.join(labels)} {need} a decision:"
            lines = [heading, *report.table(), *report.examples(unsolved=True), " ".join(advice)]
            raise UnsolvedRowsError("\n".join(lines))

    def _advice(self, report: Report) -> Iterator[str]:
        """Yield sentences about what to do with the rows that no choice has handled."""
        reported = {outcome for (outcome, done) in report.done if done == "reported"}
        not_merged = {Outcome.COLLIDING} & reported if self._options.merges else set()
        options = [name for each, name in _OPTION_FOR.items() if each in reported - not_merged]
        if options:
            yield f"Say what happens to them with {', '.join(options)}, or fix the rows."
        if report.counts[Outcome.REFUSED]:
            yield "Fix the rows that the database refused."
        if not_merged:
            yield (
                "on_duplicate could not merge some rows, for the reasons above. First change or "
                "delete by hand what prevents it, such as a one-to-one that refers to the row."
            )

    def describe(self) -> str:
        named = ", ".join(f"{model}.{name}" for model, name in self.columns)
        return f"Canonicalize the URLs in {named}"

    @property
    def migration_name_fragment(self) -> str:
        return "_".join(["canonicalize", *chain.from_iterable(self.columns)]).lower()

    def references_model(self, name: str, app_label: str) -> bool:  # noqa: ARG002
        # It also changes references to merged rows, which may be in any table.
        return True


def _columns(
    model_name: str | Sequence[str], name: str | Sequence[str] | None
) -> list[tuple[str, str]]:
    """Return the names of models, in lower case, and of fields. Raises ValueError."""
    if isinstance(model_name, str) and name:
        names = [name] if isinstance(name, str) else [*name]
        return [(model_name.lower(), each) for each in names]
    listed = [] if isinstance(model_name, str) or name is not None else [*model_name]
    found = [(model.lower(), each) for model, _dot, each in (one.partition(".") for one in listed)]
    if not found or not all(map(all, found)):
        raise ValueError(
            f"{model_name!r}, {name!r} are no columns. Write "
            '"favorite", "url" or ["favorite.url", "page.link"].'
        )
    return found


class _UpdateCompanions(_RowOperation):
    """Recompute a companion column in all rows. Each subclass is for one class of columns."""

    kind: ClassVar[type[Companion]]

    def __init__(
        self, model_name: str, name: str, *, batch_size: int = BATCH_SIZE, elidable: bool = False
    ) -> None:
        self.model_name = model_name
        self.name = name
        self.batch_size = batch_size
        self.elidable = elidable  # type: ignore[misc]  # RunPython does the same

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        model = from_state.apps.get_model(app_label, self.model_name)
        alias = schema_editor.connection.alias
        if not router.allow_migrate_model(alias, model):
            return
        found = {field.name: field for field in companions_of(model, self.kind)}
        if self.name not in found:
            raise ValueError(
                f"{model._meta.label}.{self.name} is not a {self.kind.__name__} at this point of "
                "the migrations."
            )
        done = recompute_all(found[self.name], alias, self.batch_size)
        if done.refused:
            raise UnsolvedRowsError(
                f"{model._meta.label}.{self.name}: a constraint does not allow the new value of "
                f"{len(done.refused):,} rows. Primary keys: "
                f"{', '.join(map(masked, done.refused[:_EXAMPLES]))}. Add the constraint after "
                "this operation, and decide about these rows in between."
            )

    def describe(self) -> str:
        return f"Update {self.name} on {self.model_name}"

    @property
    def migration_name_fragment(self) -> str:
        return f"update_{self.model_name}_{self.name}".lower()


class UpdateURLKeys(_UpdateCompanions):
    """Recompute a `URLKeyField`, as ``manage.py update_url_keys`` does.

    Add it after the operation that adds the column to a table with rows or changes its rules, and
    before an operation that makes the keys unique. Run backwards, it does nothing.

    Args:
        model_name: The name of the model.
        name: The name of the field.
        batch_size: How many rows to read at a time.
        elidable: Whether squashing migrations may remove the operation.

    Raises:
        UnsolvedRowsError: When the operation runs: a constraint does not allow some of the values.
    """

    kind: ClassVar[type[Companion]] = URLKeyField


class UpdateRegistrableDomains(_UpdateCompanions):
    """Recompute a `RegistrableDomainField`, as `UpdateURLKeys` does for keys."""

    kind: ClassVar[type[Companion]] = RegistrableDomainField


class UpdateQueryParams(_UpdateCompanions):
    """Recompute a `QueryParamField`, as `UpdateURLKeys` does for keys."""

    kind: ClassVar[type[Companion]] = QueryParamField


class AddUniqueConstraintConcurrently(AddConstraint):
    """Add a unique constraint. On PostgreSQL, rows can be read and written in the meantime.

    It is Django's AddConstraint, but PostgreSQL builds the index with ``CREATE UNIQUE INDEX
    CONCURRENTLY``. The constraint then takes the index with a lock of some milliseconds. If a run
    was interrupted, the next one removes the index that it left. On other databases, it does the
    same as AddConstraint.

    Args:
        model_name: The name of the model.
        constraint: A UniqueConstraint, such as a `UniqueURLKey`.

    Raises:
        TypeError: ``constraint`` is not a UniqueConstraint.
        NotSupportedError: When the operation runs on PostgreSQL: it is in a transaction, so the
            migration needs ``atomic = False``.
        UnsolvedRowsError: When the operation runs on PostgreSQL: rows break the constraint.
    """

    def __init__(self, model_name: str, constraint: models.UniqueConstraint) -> None:
        if not isinstance(constraint, models.UniqueConstraint):
            raise TypeError(
                f"constraint must be a UniqueConstraint, not {type(constraint).__name__}"
            )
        super().__init__(model_name, constraint)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        connection = schema_editor.connection
        if connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model: type[models.Model] = to_state.apps.get_model(app_label, self.model_name)
        if not self.allow_migrate_model(connection.alias, model):
            return
        if connection.in_atomic_block:
            raise NotSupportedError(
                f"{type(self).__name__} cannot run in a transaction. "
                "Set atomic = False in the migration."
            )
        constraint: Any = self.constraint
        sql = str(constraint.create_sql(model, schema_editor) or "")
        if not sql:
            return  # This PostgreSQL does not support the constraint. A system check warns.
        table = schema_editor.quote_name(model._meta.db_table)
        name = schema_editor.quote_name(constraint.name)
        # For conditions, expressions and the like, Django makes only an index.
        is_index = sql.startswith("CREATE UNIQUE INDEX ")
        if not is_index:
            fields: Any = [model._meta.get_field(each) for each in constraint.fields]
            columns = ", ".join(schema_editor.quote_name(field.column) for field in fields)
            nulls = " NULLS NOT DISTINCT" if constraint.nulls_distinct is False else ""
            sql = f"CREATE UNIQUE INDEX {name} ON {table} ({columns}){nulls}"
        removing = f"DROP INDEX CONCURRENTLY IF EXISTS {name}"
        with connection.cursor() as cursor:
            cursor.execute(_UNUSED_INDEX, [table, constraint.name])
            is_left_over = cursor.fetchone() is not None
        if is_left_over:
            schema_editor.execute(removing, params=None)
        try:
            schema_editor.execute(sql.replace(" INDEX ", " INDEX CONCURRENTLY ", 1), params=None)
        except IntegrityError:
            schema_editor.execute(removing, params=None)
            # The error of the database shows the values.
            raise UnsolvedRowsError(
                f"{model._meta.label}: rows break the constraint {constraint.name}, so it was "
                "not added. Merge or change them first, for example with CanonicalizeURLs."
            ) from None
        if not is_index:
            using = f"ALTER TABLE {table} ADD CONSTRAINT {name} UNIQUE USING INDEX {name}"
            if constraint.deferrable:
                using += f" DEFERRABLE INITIALLY {constraint.deferrable.name}"
            schema_editor.execute(using, params=None)

    def describe(self) -> str:
        return f"Concurrently create constraint {self.constraint.name} on model {self.model_name}"


# An index without a constraint, valid or not, that an interrupted run left.
_UNUSED_INDEX: Final = """
SELECT 1 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE i.indrelid = to_regclass(%s) AND c.relname = %s AND i.indisunique
AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.indexrelid)
"""
