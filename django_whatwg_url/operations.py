"""Operations for migrations. Migrations contain this import path, so it does not change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.db import models, router
from django.db.migrations.operations.base import Operation, OperationCategory

from django_whatwg_url.canonicalizing.policies import ChooseRow, Options
from django_whatwg_url.canonicalizing.report import Report
from django_whatwg_url.canonicalizing.restoring import restore_originals
from django_whatwg_url.canonicalizing.run import Canonicalization, text_column

if TYPE_CHECKING:
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState

__all__ = ["CanonicalizeURLs", "UnsolvedRowsError"]


class UnsolvedRowsError(Exception):
    """Raised for rows that could not be made canonical, and for which no option says what to do.

    ``str()`` is a summary with a few examples, without passwords.
    """


class CanonicalizeURLs(Operation):
    """Rewrite the URLs of a column in canonical form, before it becomes a `CanonicalURLField`.

    ``model_name`` and ``name``: the model and its field, which may be any column of text.
    ``on_duplicate``: "report", "keep", "keep-oldest", "keep-newest", "keep-most-referenced" or a
    function, which gets the instances with the same URL and returns the one to keep. ``on_invalid``
    (for text that is no URL) and ``on_too_long``: "report", "keep", "null", "delete", "column:NAME"
    or "file:PATH". ``on_empty``: "report", "keep" or "null". "report" stops the migration with
    `UnsolvedRowsError`; "keep" leaves the row as it is. ``assume_scheme``, ``max_length``,
    ``unique``, ``keep_original``, ``age_field`` and ``batch_size`` are those of the command
    ``canonicalize_urls``. ``elidable``: whether squashing migrations may remove it.

    Run backwards, it does nothing; with ``keep_original`` it restores the spellings that it kept.
    With ``atomic = False`` in the migration, each batch is its own transaction. Raises ValueError
    for invalid options.
    """

    category: ClassVar[OperationCategory | None] = OperationCategory.PYTHON
    reduces_to_sql = False
    reversible = True

    def __init__(
        self,
        model_name: str,
        name: str,
        *,
        on_duplicate: str | ChooseRow = "report",
        on_invalid: str = "report",
        on_too_long: str = "report",
        on_empty: str = "report",
        elidable: bool = False,
        **options: Any,
    ) -> None:
        self.model_name = model_name
        self.name = name
        self.elidable = elidable  # type: ignore[misc]  # RunPython does the same
        self._kwargs: dict[str, Any] = {
            "on_duplicate": on_duplicate,
            "on_invalid": on_invalid,
            "on_too_long": on_too_long,
            "on_empty": on_empty,
            **options,
        }
        if unknown := set(options) - _FURTHER_OPTIONS:
            raise TypeError(f"CanonicalizeURLs() has no argument {min(unknown)!r}")
        self._options = Options(**self._kwargs)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        kwargs = {
            name: value
            for name, value in self._kwargs.items()
            if value != "report" or not name.startswith("on_")
        }
        if self.elidable:
            kwargs["elidable"] = True
        return type(self).__name__, [self.model_name, self.name], kwargs

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change nothing in the models: only rows change."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        model = self._model(app_label, schema_editor, from_state)
        if model is None:
            return
        report = Report()
        alias = schema_editor.connection.alias
        Canonicalization(model, self.name, alias, self._options, report, apps=from_state.apps).run()
        if unsolved := report.unsolved():
            label = f"{model._meta.label}.{self.name}"
            advice = (
                f"`manage.py canonicalize_urls {label} --dry-run --report FILE` lists them all. "
                "Name a policy in on_duplicate, on_invalid or on_too_long, or mend the rows."
            )
            heading = f"{unsolved:,} rows of {label} need a decision:"
            raise UnsolvedRowsError(
                "\n".join([heading, *report.table(), *report.examples(), advice])
            )

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,  # noqa: ARG002
    ) -> None:
        model = self._model(app_label, schema_editor, from_state)
        original = self._options.keep_original
        if model is not None and original is not None:
            alias = schema_editor.connection.alias
            restore_originals(model, self.name, original, alias, self._options)

    def _model(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, state: ProjectState
    ) -> type[models.Model] | None:
        model = state.apps.get_model(app_label, self.model_name)
        alias = schema_editor.connection.alias
        if not router.allow_migrate_model(alias, model):
            return None
        text_column(model, self.name)
        return model

    def describe(self) -> str:
        return f"Canonicalize the URLs in field {self.name} on {self.model_name}"

    @property
    def migration_name_fragment(self) -> str:
        return f"canonicalize_{self.model_name.lower()}_{self.name.lower()}"

    def references_model(self, name: str, app_label: str) -> bool:  # noqa: ARG002
        # Rows may be moved from any table to any other.
        return True


_FURTHER_OPTIONS = {
    "age_field", "assume_scheme", "batch_size", "keep_original", "max_length", "unique",
}  # fmt: skip
