"""The rows of the table: fields as people declare them, and the fields of Django they replace.

A row makes two models, one with our field and one with Django's, which are used in the same way. In
both, the field is ``url``. A foreign key and a many-to-many field of a third model refer to each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import attrs
from django.apps import apps
from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.db.models.functions import Lower

from django_whatwg_url.constraints import UniqueURLKey
from django_whatwg_url.fields import (
    CanonicalURLField,
    ExactURLField,
    QueryParamField,
    RegistrableDomainField,
    URLKeyField,
    URLReferenceField,
)
from weburl import URLPolicy

APP: Final = "crossings"

A: Final = "https://example.com/a"
B: Final = "https://example.org/b?q=1#f"
C: Final = "https://example.com/c"
D: Final = "https://example.com/default"
SPELLED: Final = "HTTPS://EXAMPLE.com:443/x/../c"
"""C in another spelling."""
PASSWORD: Final = "https://ada:secret@example.com/p"
BAD: Final = "https://exa mple.com/"
"""Text that is not a URL."""
NAMES: Final = {A: "A", B: "B", C: "C", D: "D", SPELLED: "SPELLED", BAD: "BAD"}
CHOICES: Final = [(A, "The A"), (B, "The B"), (C, "The C"), (D, "The D")]

Field = Any


def _default() -> str:
    return D


@attrs.frozen(eq=False)
class Declaration:
    """How people declare a field. ``ours`` are options that Django's field does not have."""

    options: dict[str, Any] = attrs.field(factory=dict)
    ours: dict[str, Any] = attrs.field(factory=dict)
    beside: Callable[[], dict[str, Field]] = dict
    """The columns beside our field."""
    constraint: Callable[[], models.BaseConstraint] | None = None
    our_constraint: Callable[[], models.BaseConstraint] | None = None
    inherits: str = ""
    """"tables" for multi-table inheritance, "abstract", or "proxy"."""
    to_field: bool = False
    """Whether the foreign key refers to the field."""
    array: bool = False
    """Whether there is an array of such fields beside it."""
    only: str = ""
    """The kinds of fields that people declare in this way, or "" for all of them."""
    part: bool = False
    """Whether `make test` has this row, and not only `make test-crossings`."""
    by_database: bool = False
    """Whether its columns, indexes or constraints differ by database, so that servers have it."""


def _written() -> dict[str, Field]:
    return {"url_written": models.CharField(max_length=2048, editable=False, default="")}


def _beside() -> dict[str, Field]:
    return {
        "url_key": URLKeyField("url"),
        "site": RegistrableDomainField("url"),
        "item": QueryParamField("url", "q"),
    }


_NULL: Final = {"null": True, "blank": True}

DECLARATIONS: Final = {
    "plain": Declaration(part=True, by_database=True),
    "unique": Declaration({"unique": True}),
    "null": Declaration(_NULL, part=True),
    "null-unique": Declaration({**_NULL, "unique": True}, part=True, by_database=True),
    "blank": Declaration({"blank": True, "default": ""}, only="text exact reference"),
    "choices": Declaration({"choices": CHOICES}, part=True),
    "choices-null": Declaration({**_NULL, "choices": CHOICES}),
    "default": Declaration({"default": _default}),
    "db-default": Declaration({"db_default": D}, by_database=True),
    "db-column": Declaration({"db_column": "address", "unique": True}),
    "short": Declaration({"max_length": 60}),
    "index": Declaration({"db_index": True}),
    "not-editable": Declaration({"editable": False}),
    "policy": Declaration(ours={"policy": URLPolicy.public_link()}),
    "schemes": Declaration(ours={"schemes": ("https", "ftp")}, only="records text exact"),
    "long-index": Declaration({"unique": True, "max_length": 3000}, by_database=True),
    "array": Declaration(array=True, by_database=True),
    "primary-key": Declaration({"primary_key": True}, part=True, by_database=True),
    "to-field": Declaration({"unique": True}, to_field=True, part=True),
    "tables": Declaration({"unique": True}, inherits="tables"),
    "abstract": Declaration(inherits="abstract"),
    "proxy": Declaration(inherits="proxy"),
    "constraint": Declaration(
        constraint=lambda: models.UniqueConstraint(Lower("url"), name="%(class)s_lower"),
        by_database=True,
    ),
    "condition": Declaration(
        constraint=lambda: models.UniqueConstraint(
            fields=["url"], condition=models.Q(n=0), name="%(class)s_condition"
        )
    ),
    "check": Declaration(
        constraint=lambda: models.CheckConstraint(
            condition=models.Q(url__startswith="http"), name="%(class)s_check"
        )
    ),
    "written": Declaration(
        ours={"written": "url_written"}, beside=_written, only="records text", part=True
    ),
    "written-null-unique": Declaration(
        {**_NULL, "unique": True},
        ours={"written": "url_written"},
        beside=_written,
        only="records text",
    ),
    "written-primary-key": Declaration(
        {"primary_key": True}, ours={"written": "url_written"}, beside=_written, only="records"
    ),
    "beside": Declaration(beside=_beside, only="records text exact", part=True),
    "unique-key": Declaration(
        {"unique": True},
        beside=lambda: {"url_key": URLKeyField("url")},
        our_constraint=lambda: UniqueURLKey("url_key", name="%(class)s_key"),
        only="records text exact",
    ),
}


@attrs.frozen
class Kind:
    """One of our fields, and the field of Django that people had before."""

    make: Callable[..., Field]
    reference: Callable[..., Field]
    title: str
    """How the page calls it."""


def _url_field(**options: Any) -> Field:
    return models.URLField(**{"max_length": 2048, **options})


def _char_field(**options: Any) -> Field:
    return models.CharField(**{"max_length": 2048, **options})


def _text(**options: Any) -> Field:
    return CanonicalURLField(as_text=True, **options)


KINDS: Final = {
    "records": Kind(CanonicalURLField, _url_field, "`CanonicalURLField`"),
    "text": Kind(_text, _url_field, "`as_text=True`"),
    "exact": Kind(ExactURLField, _url_field, "`ExactURLField`"),
    "reference": Kind(URLReferenceField, _char_field, "`URLReferenceField`"),
}
COMPANIONS: Final[dict[str, tuple[str, Callable[[], Field]]]] = {
    "domain": ("`RegistrableDomainField`", lambda: RegistrableDomainField("source")),
    "key": ("`URLKeyField`", lambda: URLKeyField("source")),
    "parameter": ("`QueryParamField`", lambda: QueryParamField("source", "q")),
}
"""Fields that follow a URL. In their rows, ``url`` is the field, and ``source`` the URL."""
COMPANION_VALUES: Final[dict[str, dict[str, str | None]]] = {
    "domain": {A: "example.com", B: "example.org"},
    "key": {A: "https://example.com/a", B: "https://example.org/b?q=1"},
    "parameter": {A: "7", B: "1"},
}


@attrs.frozen(eq=False)
class Side:
    """The models of one side of a row: ours, or those with Django's field."""

    kind: str
    declaration: str
    ours: bool
    model: type[Any]
    child: type[Any]
    """Refers to ``model`` with ``parent`` and ``many``."""
    tables: list[type[Any]]
    values: dict[str, str | None] = attrs.field(factory=dict)
    """What a companion holds for a URL."""

    @property
    def options(self) -> dict[str, Any]:
        """Return the options that both fields have."""
        return {} if self.is_companion else DECLARATIONS[self.declaration].options

    @property
    def is_companion(self) -> bool:
        return self.kind in COMPANIONS

    @property
    def in_own_table(self) -> bool:
        """Whether the model has a table of its own, with all of its columns."""
        return self.is_companion or DECLARATIONS[self.declaration].inherits != "tables"

    @property
    def by_url(self) -> bool:
        """Whether the foreign key holds the URL."""
        return self.options.get("primary_key") or (
            not self.is_companion and DECLARATIONS[self.declaration].to_field
        )

    @property
    def field(self) -> Field:
        field: Field = self.model._meta.get_field("url")
        return field

    def new(self, url: object, **values: Any) -> Any:
        """Return a new row that is not saved."""
        if not self.is_companion:
            return self.model(url=url, **values)
        if not self.ours:
            return self.model(url=self.values[str(url)], **values)
        return self.model(
            source=f"{A}?q=7" if (self.kind, url) == ("parameter", A) else url, **values
        )

    def add(self, url: object = A, **values: Any) -> Any:
        """Save a new row and return it."""
        row = self.new(url, **values)
        row.save(force_insert=True)
        return row

    def two(self) -> tuple[Any, Any]:
        """Save two rows, with A and B, and return them."""
        return self.add(A, title="one"), self.add(B, title="two", n=1)

    def overwritten(self, text: str, of: Any = None) -> Any:
        """Write text that our fields would refuse, as another program can, and return the row."""
        if of is None:
            self.add(C)
        quote = connection.ops.quote_name
        table = quote(self.field.model._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(f"UPDATE {table} SET {quote(self.field.column)} = %s", [text])
        return self.model.objects.get()

    def stored(self) -> list[str]:
        """Return what the table holds, in order."""
        return sorted(map(str, self.model.objects.values_list("url", flat=True)))


@attrs.frozen
class Row:
    """A row of the table: one field, as people declare it."""

    kind: str
    declaration: str
    ours: Side
    reference: Side

    @property
    def name(self) -> str:
        return f"{self.kind} {self.declaration}"


NAMES_OF_ROWS: Final = [
    *(
        f"{kind} {declaration}"
        for declaration, declared in DECLARATIONS.items()
        for kind in KINDS
        if not declared.only or kind in declared.only.split()
    ),
    *(f"{companion} plain" for companion in COMPANIONS),
]


def is_possible(name: str) -> bool:
    """Return whether this database can have the row."""
    return connection.vendor == "postgresql" or not DECLARATIONS[name.split()[1]].array


def in_part(name: str) -> bool:
    """Return whether `make test` has the row."""
    return DECLARATIONS[name.split()[1]].part


def on_servers(name: str) -> bool:
    """Return whether `make test-crossings` has the row on PostgreSQL and MariaDB."""
    return DECLARATIONS[name.split()[1]].by_database


class _Manager(models.Manager[Any]):
    def get_by_natural_key(self, url: str) -> Any:
        return self.get(url=url)


def _natural_key(self: Any) -> tuple[str]:
    return (str(self.url),)


def _model(name: str, bases: tuple[type, ...] = (models.Model,), /, **members: Any) -> type[Any]:
    meta = {"app_label": APP, **members.pop("meta", {})}
    return type(
        name,
        bases,
        {"__module__": __name__, "__qualname__": name, **members, "Meta": type("Meta", (), meta)},
    )


def _side(kind: str, declaration: str, *, ours: bool) -> Side:
    declared = DECLARATIONS[declaration]
    name = f"{'Our' if ours else 'Their'}_{kind}_{declaration}".replace("-", "_")
    values = COMPANION_VALUES.get(kind, {})
    fields: dict[str, Any] = {}
    options = declared.options
    if connection.vendor != "sqlite" and {"unique", "primary_key", "db_index"} & {*options}:
        # Indexes have no room for more characters of any kind, except as a hash.
        options = {"max_length": 500, **options}
    if values:
        fields["url"] = (
            COMPANIONS[kind][1]()
            if ours
            else models.CharField(max_length=2048, null=True, editable=False)
        )
        if ours:
            fields["source"] = CanonicalURLField()
    elif ours:
        fields |= {"url": KINDS[kind].make(**options, **declared.ours)}
        fields |= declared.beside()
        if kind == "exact":
            fields.pop("site", None)  # It follows only a CanonicalURLField.
    else:
        fields["url"] = KINDS[kind].reference(**options)
    if declared.array:
        from django.contrib.postgres.fields import ArrayField

        fields["urls"] = ArrayField(
            KINDS[kind].make() if ours else KINDS[kind].reference(), default=list, blank=True
        )
    constraint = (
        declared.our_constraint if ours and declared.our_constraint else declared.constraint
    )
    base = _model(
        f"Base_{name}" if declared.inherits else name,
        **fields,
        title=models.CharField(max_length=50, default="t"),
        n=models.IntegerField(default=0),
        objects=_Manager(),
        natural_key=_natural_key,
        __str__=lambda self: self.title,
        meta={
            "constraints": [constraint()] if constraint else [],
            "abstract": declared.inherits == "abstract",
        },
    )
    model, tables = base, [base]
    if declared.inherits == "proxy":
        model = _model(name, (base,), meta={"proxy": True})
    elif declared.inherits:
        model = _model(name, (base,), size=models.IntegerField(default=1))
        tables = [base, model] if declared.inherits == "tables" else [model]
    child = _model(
        f"Child_{name}",
        parent=models.ForeignKey(
            model,
            models.CASCADE,
            null=True,
            blank=True,
            related_name="kids",
            to_field="url" if declared.to_field else None,
        ),
        name=models.CharField(max_length=50, default="kid"),
        many=models.ManyToManyField(model, related_name="groups"),
    )
    return Side(kind, declaration, ours, model, child, [*tables, child], values)


class Label(models.Model):
    """Refers to rows of any model."""

    objects: models.Manager[Any] = models.Manager()
    content_type = models.ForeignKey(ContentType, models.CASCADE)
    object_id = models.CharField(max_length=2048)
    of = GenericForeignKey("content_type", "object_id")

    class Meta:
        app_label = APP


@contextmanager
def made(names: list[str]) -> Iterator[dict[str, Row]]:
    """Make the models and tables of rows, and drop them in the end.

    The app gets ready once more, because it connects receivers for the models that exist.
    """
    rows: dict[str, Row] = {}
    theirs: dict[tuple[Any, ...], Side] = {}
    for name in names:
        kind, declaration = name.split()
        reference = (kind,) if kind in COMPANIONS else (KINDS[kind].reference, declaration)
        if reference not in theirs:
            theirs[reference] = _side(kind, declaration, ours=False)
        rows[name] = Row(kind, declaration, _side(kind, declaration, ours=True), theirs[reference])
    tables = [Label]
    tables += [table for row in rows.values() for table in row.ours.tables]
    tables += [table for side in theirs.values() for table in side.tables]
    apps.get_app_config("django_whatwg_url").ready()
    with connection.schema_editor() as editor:
        for table in tables:
            editor.create_model(table)
    try:
        yield rows
    finally:
        with connection.schema_editor() as editor:
            for table in reversed(tables):
                editor.delete_model(table)
        for name in [*apps.all_models[APP]]:
            if name != "label":
                del apps.all_models[APP][name]
        apps.clear_cache()
