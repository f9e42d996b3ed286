"""Writes what a run is about to change to two files, so that the run can be undone.

The first file has each row that is removed, in the format that ``loaddata`` reads. The second has
the old and the new value of each column that is changed in other rows. The files contain the
original texts, including passwords, so only their owner may read them. `undoing` reads them.

The lines of a transaction are on the disk before it is committed. So a line may describe a change
that was rolled back, but no change lacks its line.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import Any, BinaryIO, Final

from django.core import serializers
from django.db import connections, models

from django_whatwg_url.canonicalizing import database_rules
from django_whatwg_url.canonicalizing.table import Key, Table

_OWNER_ONLY: Final = 0o600
_SUFFIX: Final = ".jsonl"
_CHANGES_SUFFIX: Final = ".changes.jsonl"

Removal = dict[str, Any]


def changes_path(path: Path) -> Path:
    """Return the path of the second file: "a.changes.jsonl" for "a.jsonl"."""
    return path.with_name(f"{path.name.removesuffix(_SUFFIX)}{_CHANGES_SUFFIX}")


def removed_path(path: Path) -> Path:
    """Return the path of the first file for the path of either."""
    if not path.name.endswith(_CHANGES_SUFFIX):
        return path
    return path.with_name(f"{path.name.removesuffix(_CHANGES_SUFFIX)}{_SUFFIX}")


def plain(value: Any) -> Any:
    """Return a database's value as a value that JSON has."""
    if value is None or isinstance(value, str | int | float | list):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return {"hex": bytes(value).hex()}
    return str(value)


def restored(value: Any) -> Any:
    """Return the database's value for a value that `plain` has returned."""
    if isinstance(value, dict) and set(value) == {"hex"}:
        return bytes.fromhex(value["hex"])
    return value


def key_fields(model: Any) -> list[Any]:
    """Return the fields of the primary key of a model, which may be several."""
    return [*(getattr(model._meta, "pk_fields", None) or [model._meta.pk])]


def table_of(model: type[models.Model], alias: str) -> Table:
    """Return the table of a model that may have a primary key of several columns."""
    return Table(model, alias, key=key_fields(model)[0])


def stored_columns(model: type[models.Model]) -> list[str]:
    """Return the columns of a model's table that can be written."""
    fields: Any = model._meta.local_concrete_fields
    return [field.column for field in fields if not getattr(field, "generated", False)]


def referring_first(instances: Sequence[Any]) -> list[Any]:
    """Return instances in an order in which each comes before those that it refers to.

    An undo begins with the last line of a file, and a row cannot be restored before the row that
    its foreign key refers to. Instances that refer to each other in a circle come last.
    """
    kinds = dict.fromkeys(each._meta.concrete_model for each in instances)
    links = {
        kind: [each for each in kind._meta.local_concrete_fields if each.remote_field is not None]
        for kind in kinds
    }
    targets = {field.target_field for fields in links.values() for field in fields}
    known = {
        (target, str(getattr(each, target.attname))): number
        for number, each in enumerate(instances)
        for target in targets
        if target.model is each._meta.concrete_model
    }
    refers_to = []
    for number, each in enumerate(instances):
        values = [
            (field, getattr(each, field.attname)) for field in links[each._meta.concrete_model]
        ]
        found = (
            known.get((link.target_field, str(to)), number) for link, to in values if to is not None
        )
        refers_to.append({*found} - {number})
    waiting = Counter(chain.from_iterable(refers_to))
    order = [number for number in range(len(instances)) if number not in waiting]
    for number in order:  # It grows meanwhile.
        for target in refers_to[number]:
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    order += [number for number, count in waiting.items() if count]
    return [instances[number] for number in order]


class Journal:
    """The two files of a run. They are created when there is something to write.

    Raises ValueError if they cannot be created. Nothing has been changed at that time.
    """

    def __init__(self, label: str, alias: str, removed: str | None) -> None:
        self._label = label
        self._alias = alias
        self._wanted = None if removed is None else Path(removed)
        self._numbers = count(1)
        self._files: tuple[BinaryIO, BinaryIO] | None = None
        self.path: Path | None = None
        wanted = self._wanted
        if wanted is not None and not wanted.is_dir():
            if not wanted.name.endswith(_SUFFIX):
                raise ValueError(f"{wanted}: the name must end in {_SUFFIX}, for loaddata.")
            for path in (wanted, changes_path(wanted)):
                if path.exists():
                    raise ValueError(f"{path} exists already. Each run needs a file of its own.")

    # What is removed.

    def removals(self, table: Table, texts: Mapping[Key, Any], field: Any) -> list[Removal]:
        """Return what `removed` needs about rows of a table and the rows of their parents.

        ``texts``: the text in the column of ``field`` for the key of each row.
        """
        found: list[tuple[Any, Removal]] = []
        for key, text in texts.items():
            rows: Any = models.QuerySet(table.model).using(table.alias)
            sql = f"SELECT * FROM {table.name} WHERE {table.key} = %s"
            for instance in rows.raw(sql, [key]):
                own = self._removal(instance, table.alias, {field.model._meta.pk.column: key})
                own["fields"] |= {field.name: text} if field.name in own["fields"] else {}
                found += [(instance, own), *self._parents(instance, table.alias)]
        removals = {id(instance): removal for instance, removal in found}
        return [removals[id(each)] for each in referring_first([each for each, _ in found])]

    def _parents(self, instance: Any, alias: str) -> Iterator[tuple[Any, Removal]]:
        for parent, link in instance._meta.concrete_model._meta.parents.items():
            if link is not None:
                rows: Any = models.QuerySet(parent).using(alias)
                for other in rows.filter(pk=getattr(instance, link.attname)):
                    yield other, self._removal(other, alias, {})
                    yield from self._parents(other, alias)

    def _removal(self, instance: Any, alias: str, key: Mapping[str, Any]) -> Removal:
        """Return what `removed` needs about one row. ``key``: its primary key, if it is known."""
        model = instance._meta.concrete_model
        removal: Removal = json.loads(serializers.serialize("jsonl", [instance]))
        columns = stored_columns(model)
        table = table_of(model, alias)
        for field in () if key else key_fields(model):
            key = {**key, field.column: _prepared(instance, field, table.connection)}
        found = table.where(columns, key)
        if len(found) != 1:
            raise ValueError(f"A row of {model._meta.label} cannot be recorded, so it stays.")
        removal["run"] = {"row": dict(zip(columns, map(plain, found[0]), strict=True))}
        return removal

    def record_deletion(self, instances: Sequence[Any], alias: str) -> None:
        """Write what is deleted or set to NULL if Django deletes these instances.

        Rules of the database, such as `DB_CASCADE`, are followed, too.

        Raises ProtectedError or RestrictedError if Django would refuse.
        """
        collector = database_rules.Collector(alias)
        collector.collect(instances)
        collector.sort()
        connection = connections[alias]
        field: Any
        updated: Any
        for (field, value), updated in collector.field_updates.items():
            for each in chain.from_iterable(updated):
                key = {one.column: _prepared(each, one, connection) for one in key_fields(each)}
                both = [_prepared(each, field, connection), value]
                self.changed(field.model, key, {field.column: both})
        deleted = [*chain(*collector.fast_deletes, *collector.data.values())]
        for change in database_rules.changes(deleted, alias):
            both = [change.before, change.after]
            self.changed(change.model, change.key, {change.column: both})
        self.removed(self._removal(each, alias, {}) for each in referring_first(deleted))

    # Writing.

    def removed(self, removals: Iterable[Removal]) -> None:
        """Write rows to the first file."""
        for removal in removals:
            run = {"n": next(self._numbers), "database": self._alias, **removal["run"]}
            self._write(0, {**removal, "run": run})

    def changed(
        self,
        model: type[models.Model],
        key: Mapping[str, Any],
        columns: Mapping[str, Sequence[Any]],
        of: Key = None,
    ) -> None:
        """Write a change to the second file.

        Args:
            model: The model of the table.
            key: The columns that identify the row, with their values before the change.
            columns: The changed columns, each with its value before and after the change.
            of: The key of a removed row that the value before refers to.
        """
        line = {
            "n": next(self._numbers),
            "database": self._alias,
            "model": model._meta.label_lower,
            "key": {name: plain(value) for name, value in key.items()},
            "columns": {name: [plain(value) for value in both] for name, both in columns.items()},
        }
        self._write(1, line if of is None else {**line, "of": plain(of)})

    def unlinked(self, model: type[models.Model], row: Mapping[str, Any], of: Key) -> None:
        """Write a row of a many-to-many table that is deleted to the second file.

        ``of``: the key of the removed row that it refers to.
        """
        line = {"n": next(self._numbers), "database": self._alias}
        values = {name: plain(value) for name, value in row.items()}
        self._write(1, {**line, "model": model._meta.label_lower, "row": values, "of": plain(of)})

    def sync(self) -> None:
        """Return when all lines are on the disk. Call it before the transaction is committed."""
        for file in self._files or ():
            file.flush()
            os.fsync(file.fileno())

    def close(self) -> None:
        """Close the files, and delete one that is empty."""
        if self._files is None or self.path is None:
            return
        for file, path in zip(self._files, (self.path, changes_path(self.path)), strict=True):
            file.close()
            if path.stat().st_size == 0:
                path.unlink()
        self._files = None

    def _write(self, number: int, line: Mapping[str, Any]) -> None:
        if self._files is None:
            self._files = self._created()
        self._files[number].write(json.dumps(line).encode("ascii") + b"\n")

    def _created(self) -> tuple[BinaryIO, BinaryIO]:
        path = self._wanted
        if path is None or path.is_dir():
            moment = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}".replace(".", "")
            path = (path or Path.cwd()) / f"{self._label}-{moment}{_SUFFIX}"
        try:
            files = _exclusive(path), _exclusive(changes_path(path))
        except OSError as error:
            raise ValueError(
                f"{path} cannot be created ({error.strerror}). Nothing was changed, because the "
                "run could not be undone. Name another file or directory: --removed PATH in the "
                'command, removed="PATH" in a migration.'
            ) from None
        self.path = path
        return files


def _exclusive(path: Path) -> BinaryIO:
    """Create a file that does not exist yet. Only its owner can read it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    return os.fdopen(os.open(path, flags, _OWNER_ONLY), "wb")


def _prepared(instance: Any, field: Any, connection: Any) -> Any:
    return field.get_db_prep_value(getattr(instance, field.attname), connection)
