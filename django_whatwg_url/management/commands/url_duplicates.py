"""`manage.py url_duplicates app.Model.field`: show rows whose URLs are the same page."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.core.management.base import CommandError
from django.db import models
from tqdm import tqdm

from django_whatwg_url.beside.base import companions_of
from django_whatwg_url.beside.url_keys import URLKeyField, reference, rules_named
from django_whatwg_url.management.columns import named_column
from django_whatwg_url.management.database_errors import DatabaseCommand
from django_whatwg_url.management.duplicate_groups import BATCH_SIZE, Counts, DuplicateSearch, Group
from weburl.keys import KeyRules


class Command(DatabaseCommand):
    """Reads the URLs of a column and prints groups of rows. It changes nothing."""

    help = (
        "Show which rows have URLs of the same page. It reads every row, changes nothing, and "
        "needs no column for keys. Run it before you add a unique constraint."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add = parser.add_argument
        add(
            "column",
            metavar="app_label.Model.field",
            help="a text column with URLs, or a URLKeyField",
        )
        add(
            "--rules",
            help=(
                "browser, page, crawl, or the import path of weburl.keys.KeyRules; default: those "
                "of the URLKeyField of the column, or else page"
            ),
        )
        add(
            "--unique-with",
            nargs="+",
            default=[],
            metavar="FIELD",
            help="only rows with the same values of these fields are duplicates, such as owner",
        )
        add("--batch-size", type=int, default=BATCH_SIZE, help="how many rows to read at a time")
        add("--limit", type=int, default=20, help="how many groups to show; 0 shows all")
        add("--examples", type=int, default=3, help="how many rows of each group to show")
        add("--json", action="store_true", help="print one JSON object")

    def run(
        self,
        *,
        column: str,
        rules: str | None,
        unique_with: list[str],
        database: str,
        batch_size: int,
        limit: int,
        examples: int,
        verbosity: int,
        **options: Any,
    ) -> None:
        if batch_size < 1 or examples < 1 or limit < 0:
            raise CommandError(
                "--batch-size and --examples must be at least 1, --limit at least 0."
            )
        model, field, own_rules = _column(column)
        try:
            chosen = own_rules() if rules is None else rules_named(rules)
            within = [_field(model, name) for name in unique_with]
            search = DuplicateSearch(
                model, field, chosen, within=within, database=database, batch_size=batch_size
            )
        except ValueError as error:
            raise CommandError(str(error)) from error
        label = f"{model._meta.label}.{field.name}"
        with closing(search):
            counts = self._read(search, shown=verbosity > 0)
            groups = search.groups(limit or None, examples)
            head = {"column": label, "rules": reference(chosen), "unique_with": unique_with}
            lines = _json(head, counts, groups) if options["json"] else _text(head, counts, groups)
            for line in lines:
                self.stdout.write(line)

    def _read(self, search: DuplicateSearch, *, shown: bool) -> Counts:
        # disable=None hides the bar if the output is not a terminal.
        with tqdm(
            total=search.table.count() if shown else None,
            unit=" rows",
            disable=None if shown else True,
        ) as bar:
            return search.read(bar.update)


def _column(label: str) -> tuple[type[models.Model], Any, Any]:
    """Return the model, the field with the URLs, and a function that returns the column's rules.

    ``label``: "app_label.Model.field". Raises CommandError if there is no such text column.
    """
    named, name = named_column(label)
    try:
        field: Any = named._meta.get_field(name)
    except FieldDoesNotExist as error:
        raise CommandError(str(error)) from error
    model: type[models.Model] = field.model
    keys = [
        key
        for key in companions_of(model, URLKeyField)
        if key == field or (key.from_field == name and key.model is model)
    ]
    if isinstance(field, URLKeyField):
        field = model._meta.get_field(field.from_field)
    if not isinstance(field, (models.CharField, models.TextField)):
        raise CommandError(f"{label!r} is not a text column.")
    return model, field, lambda: keys[0].rules if keys else KeyRules.page()


def _field(model: type[models.Model], name: str) -> Any:
    try:
        field: Any = model._meta.get_field(name)
    except FieldDoesNotExist as error:
        raise ValueError(str(error)) from error
    if field not in model._meta.local_concrete_fields:
        raise ValueError(f"{name!r} is not a column of the table of {model._meta.label}.")
    return field


def _text(head: dict[str, Any], counts: Counts, groups: Iterator[Group]) -> Iterator[str]:
    """Yield the lines of the report for people."""
    within = f", unique with {', '.join(head['unique_with'])}" if head["unique_with"] else ""
    yield f"{head['column']} with the rules {head['rules']}{within}:"
    yield f"{counts.rows:,} rows read, {counts.not_urls:,} of them without a URL."
    pages = "page has" if counts.groups == 1 else "pages have"
    rows = "row" if counts.surplus == 1 else "rows"
    yield f"{counts.groups:,} {pages} several rows: {counts.surplus:,} {rows} too many."
    for group in groups:
        urls = "one URL" if group.urls == 1 else f"{group.urls:,} different URLs"
        yield f"\n{group.rows:,} rows, {urls}:"
        for example in group.examples:
            yield f"  {example.pk}  {example.url}"
        if group.rows > len(group.examples):
            yield f"  … and {group.rows - len(group.examples):,} more"


def _json(head: dict[str, Any], counts: Counts, groups: Iterator[Group]) -> Iterator[str]:
    """Yield the lines of one JSON object, with one group on each line."""
    summary = {
        **head,
        "rows": counts.rows,
        "not_urls": counts.not_urls,
        "groups": counts.groups,
        "surplus": counts.surplus,
    }
    yield f'{json.dumps(summary)[:-1]}, "duplicates": ['
    previous = None
    for group in groups:
        if previous is not None:
            yield f"{previous},"
        previous = json.dumps(
            {
                "key": group.key,
                "rows": group.rows,
                "urls": group.urls,
                "examples": [{"pk": example.pk, "url": example.url} for example in group.examples],
            },
            default=str,
        )
    if previous is not None:
        yield previous
    yield "]}"
