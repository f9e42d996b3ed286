"""Loads the texts that were moved to a file of JSON lines back into the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
from django.db import DatabaseError, models

from django_whatwg_url.canonicalizing.choices import AfterChange
from django_whatwg_url.canonicalizing.table import Table, key_of

_BATCH_SIZE = 500


@attrs.define
class Loaded:
    """How many lines were loaded, were not needed, were refused, or belong to something else."""

    loaded: int = 0
    there: int = 0
    refused: int = 0
    others: int = 0


def load_back(
    path: str,
    model: type[models.Model],
    field: Any,
    alias: str,
    *,
    after_change: AfterChange | None = None,
) -> Loaded:
    """Load the texts of a file back into the table, and return how many lines had which result.

    A text is loaded only if its column is NULL, and a row only if there is no row with its key.
    Existing values stay, so a file can be loaded twice.

    Args:
        path: The path of the file.
        model: The model whose table has the column.
        field: The field of the column.
        alias: The alias of the database.
        after_change: Called with the rows of each batch that got a text, in its transaction.

    Raises:
        OSError: The file cannot be read.
    """
    table = Table(model, alias)
    loaded = Loaded()
    for batch in _batches(path, model, field, loaded):
        texts = [line for line in batch if "row" not in line]
        with table.transaction():
            stored = table.rows([_key(line) for line in texts], [field.column], lock=True)
            missing = {
                _key(line): line["text"]
                for line in texts
                if stored.get(_key(line), ("",))[0] is None
            }
            loaded.loaded += table.write([field], list(missing.items()))
            loaded.there += len(texts) - len(missing)
            if after_change is not None and missing:
                rows: Any = models.QuerySet(model).using(alias)
                after_change([*rows.filter(pk__in=list(missing))])
        for line in batch:
            if "row" in line:
                _load_row(table, line, loaded)
    return loaded


def _load_row(table: Table, line: dict[str, Any], loaded: Loaded) -> None:
    row = {name: _value(value) for name, value in line["row"].items()}
    try:
        with table.transaction():
            if table.rows([_key(line)], [], lock=True):
                loaded.there += 1
                return
            table.insert(row)
    except DatabaseError:
        loaded.refused += 1
    else:
        loaded.loaded += 1


def _batches(
    path: str, model: type[models.Model], field: Any, loaded: Loaded
) -> Iterator[list[dict[str, Any]]]:
    """Yield the lines of this column in batches, and count all others, such as incomplete lines."""
    wanted = (model._meta.label, field.name)
    batch: list[dict[str, Any]] = []
    with Path(path).open(encoding="utf-8") as file:
        for text in file:
            try:
                line = json.loads(text)
                named = (line["model"], line["field"])
            except (ValueError, TypeError, KeyError):
                named = ("", "")
            if named != wanted:
                loaded.others += 1
                continue
            batch.append(line)
            if len(batch) == _BATCH_SIZE:
                yield batch
                batch = []
    if batch:
        yield batch


def _key(line: dict[str, Any]) -> Any:
    return key_of(_value(line["pk"]))


def _value(value: Any) -> Any:
    if isinstance(value, dict) and set(value) == {"hex"}:
        return bytes.fromhex(value["hex"])
    return value
