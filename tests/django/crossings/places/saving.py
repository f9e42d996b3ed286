"""Places: instances, `save()`, managers, validation, and rows that another program wrote."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Case, F, Max, Value, When
from django.db.models.functions import Coalesce, Concat, Lower, Replace
from django.test.utils import CaptureQueriesContext

from tests.django.crossings.rows import BAD, PASSWORD, SPELLED, A, B, C, D, Label, Side
from tests.django.crossings.steps import Steps, outcome, place, said
from weburl import parse


def _again(row: Any) -> Any:
    row.refresh_from_db()
    return row.url


@place("Save: a URL, nothing, None, empty")
def create(side: Side) -> Steps:
    if side.is_companion:
        return
    created = side.model.objects.create
    yield "a URL", lambda: _again(created(url=A))
    yield "nothing", lambda: _again(created())
    yield "None", lambda: _again(created(url=None))
    yield "empty", lambda: _again(created(url=""))
    yield "not a URL", lambda: created(url=BAD) and 1


def _assigned(side: Side, url: object) -> Any:
    side.add(B)
    row = side.model.objects.get()
    row.url = url
    return row


def _save_assigned(side: Side, url: object) -> Any:
    row = _assigned(side, url)
    row.save(update_fields=["url"])
    return row


def _bulk_update_assigned(side: Side, url: object) -> Any:
    side.model.objects.bulk_update([_assigned(side, url)], ["url"])
    return side.model.objects.get()


def _update_all(side: Side, url: object) -> Any:
    side.add(B)
    side.model.objects.update(url=url)
    return side.model.objects.get()


def _update_or_create(side: Side, url: object) -> Any:
    side.add(B, title="old")
    return side.model.objects.update_or_create(title="old", defaults={"url": url})[0]


_WAYS: Final[dict[str, Callable[[Side, Any], Any]]] = {
    "save()": lambda side, url: side.add(url),
    "save(update_fields)": _save_assigned,
    "create()": lambda side, url: side.model.objects.create(url=url),
    "bulk_create()": lambda side, url: side.model.objects.bulk_create([side.model(url=url)])[0],
    "bulk_update()": _bulk_update_assigned,
    "update()": _update_all,
    "get_or_create()": lambda side, url: side.model.objects.get_or_create(url=url)[0],
    "get_or_create(), defaults": lambda side, url: side.model.objects.get_or_create(
        title="x", defaults={"url": url}
    )[0],
    "update_or_create()": _update_or_create,
    "update_or_create(), new": lambda side, url: side.model.objects.update_or_create(
        title="x", create_defaults={"url": url}
    )[0],
}


@place("Save: another spelling, text that is not a URL, long text, in every way")
def every_way(side: Side) -> Steps:
    if side.declaration not in {"plain", "null-unique", "written", "beside"} or side.is_companion:
        return
    for name, value in {
        "another spelling": SPELLED,
        "a record": parse(SPELLED),
        "Value": Value(SPELLED),
        "not a URL": BAD,
        "Value, not a URL": Value(BAD),
        "long when canonical": "https://example.com/" + "é" * 400,
    }.items():
        yield name, partial(_in_every_way, side, value)


def _in_every_way(side: Side, value: object) -> object:
    """Return what the attribute and the column hold, or the ways and this where they differ."""
    found = {name: outcome(partial(_stored_by, way, side, value)) for name, way in _WAYS.items()}
    return found if len({*found.values()}) > 1 else found["save()"]


def _stored_by(way: Callable[[Side, Any], Any], side: Side, value: object) -> str:
    with transaction.atomic():
        row = way(side, value)
        if isinstance(value, Value):
            row.refresh_from_db()
        kind = "" if isinstance(row.url, str) or side.kind == "records" else " (not text)"
        found = f"{said(row.url)[:9]}{kind * side.ours}, {said(side.stored())[:9]}"
        transaction.set_rollback(True)
    return found


@place("Save: a row that exists, some of its fields, deferred fields")
def save(side: Side) -> Steps:
    row = side.add()
    row.title = "x"
    yield "title", lambda: row.save(update_fields=["title"])
    yield "deferred", lambda: _title_saved(side.model.objects.defer("url").get())
    yield "statements of save()", lambda: _statements(row.save)
    yield "all columns", lambda: (row.save(), side.model.objects.get().url)[1]
    if side.is_companion or side.options.get("primary_key"):
        return
    row.url = C
    yield "the URL", lambda: (row.save(update_fields=["url"]), _again(row))[1]
    for name, expression in {"F": F("url"), "Value": Value(D), "Lower": Lower(Value(C))}.items():
        yield f"expression {name}", partial(_set, row, expression)
    yield "set without reading", lambda: _set(side.model.objects.only("title").get(), B)


def _title_saved(row: Any) -> Any:
    row.title = "zz"
    row.save()
    row.refresh_from_db()
    return row.title, row.url


def _statements(action: Any) -> int:
    with CaptureQueriesContext(connection) as found:
        action()
    return len(found)


def _set(row: Any, value: object) -> Any:
    row.url = value
    row.save()
    return _again(row)


@place("get_or_create(), update_or_create()")
def get_or_create(side: Side) -> Steps:
    if side.is_companion:
        return
    objects = side.model.objects
    yield "get_or_create, new", lambda: objects.get_or_create(url=A)[1]
    yield "get_or_create, old", lambda: objects.get_or_create(url=A)[1]
    yield (
        "get_or_create, defaults",
        lambda: objects.get_or_create(title="n", defaults={"url": B})[0].url,
    )
    yield (
        "update_or_create, old",
        lambda: objects.update_or_create(url=A, defaults={"title": "2"})[1],
    )
    if side.options.get("primary_key"):
        return
    yield (
        "update_or_create, URL",
        lambda: objects.update_or_create(title="2", defaults={"url": C})[0].url,
    )
    yield (
        "update_or_create, create_defaults",
        lambda: (
            objects.update_or_create(
                title="3", defaults={"title": "4"}, create_defaults={"url": D}
            )[0].url
        ),
    )
    yield "stored", side.stored
    yield (
        "update_or_create, title of a URL written meanwhile",
        lambda: _meanwhile(side),
    )


def _meanwhile(side: Side) -> Any:
    """Write the URL with SQL between the reading and the saving of `update_or_create()`."""
    side.model.objects.all().delete()
    row = side.add(A, title="m")

    class Written(dict[str, Any]):
        def items(self) -> Any:
            side.model.objects.filter(pk=row.pk).update(url=B)
            return super().items()

    side.model.objects.update_or_create(pk=row.pk, defaults=Written(title="new"))
    return side.stored()


@place("bulk_create(), bulk_update()")
def bulk(side: Side) -> Steps:
    if side.is_companion:
        return
    model, objects = side.model, side.model.objects
    unique = side.options.get("unique")
    if side.in_own_table:
        yield (
            "bulk_create",
            lambda: (objects.bulk_create([model(url=A), model(url=B)]), side.stored())[1],
        )
        yield (
            "bulk_create, conflict ignored",
            lambda: (
                objects.bulk_create(
                    [model(url=A, title="new"), model(url=D)], ignore_conflicts=True
                ),
                side.stored(),
            )[1],
        )
        if unique and connection.features.supports_update_conflicts_with_target:
            yield (
                "bulk_create, conflict updates",
                lambda: (
                    objects.bulk_create(
                        [model(url=A, title="new")],
                        update_conflicts=True,
                        unique_fields=["url"],
                        update_fields=["title"],
                    ),
                    sorted(objects.values_list("title", flat=True)),
                )[1],
            )
        yield "bulk_create, not a URL", lambda: objects.bulk_create([model(url=BAD)]) and 1
    objects.all().delete()
    if side.options.get("primary_key"):
        return
    if side.in_own_table:
        yield (
            "bulk_create, expressions",
            lambda: (
                objects.bulk_create([model(url=Value(A)), model(url=Lower(Value(C)))]),
                side.stored(),
            )[1],
        )
        yield "bulk_create, None", lambda: objects.bulk_create([model(url=None)])[0].url
        objects.all().delete()
    one, two = side.two()
    yield "bulk_update", lambda: _bulk_updated(side, one, C, two, B)
    yield "bulk_update, expressions", lambda: _bulk_updated(side, one, Value(D), two, F("url"))
    yield "bulk_update, None", lambda: _bulk_updated(side, one, None, two, B)


def _bulk_updated(side: Side, *rows_and_values: object) -> object:
    rows: list[Any] = list(rows_and_values[::2])
    for row, value in zip(rows, rows_and_values[1::2], strict=True):
        row.url = value
    side.model.objects.bulk_update(rows, ["url"])
    return side.stored()


@place("update()")
def update(side: Side) -> Steps:
    if side.is_companion or side.options.get("primary_key"):
        return
    side.two()
    for name, value in {
        "a URL": C,
        "F": F("url"),
        "Value": Value(D),
        "Case": Case(When(n=0, then=Value(C)), default=F("url")),
        "Coalesce": Coalesce("url", Value(D)),
        "Replace": Replace("url", Value("/a"), Value("/d")),
        "Concat": Concat("url", Value("x")),
        "Lower": Lower("url"),
        "None": None,
        "empty": "",
        "not a URL": BAD,
    }.items():
        yield name, partial(_updated, side, value)
    yield "rows by URL", lambda: side.model.objects.filter(url__contains="example").update(n=5)


def _updated(side: Side, value: object) -> object:
    first = side.model.objects.filter(n=0)
    first.update(url=value)
    found = first.values_list("url", flat=True)[0]
    first.update(url=A)
    return found


@place("full_clean()")
def full_clean(side: Side) -> Steps:
    if side.is_companion:
        return
    for name, value in {
        "a URL": A,
        "None": None,
        "empty": "",
        "white space": "   ",
        "not a URL": BAD,
        "no scheme": "nope",
        "no host": "https://",
        "JavaScript": "javascript:alert(1)",
        "a number": 5,
        "too long": "https://example.com/" + "x" * 3000,
    }.items():
        yield name, partial(side.model(url=value).full_clean)
    yield "another spelling", lambda: (row := side.model(url=SPELLED)).full_clean() or row.url
    yield "not a URL, excluded", lambda: side.model(url=BAD).full_clean(exclude=["url"])
    yield "expression", lambda: side.model(url=Value(B)).full_clean()


@place("validate_unique(), validate_constraints()")
def validate(side: Side) -> Steps:
    if side.is_companion:
        return
    side.add()
    for name, row in {
        "stored already": side.model(url=A),
        "new": side.model(url=B),
        "the row": side.model.objects.get(),
        "another spelling": side.model(url="HTTPS://EXAMPLE.com:443/x/../a"),
        "upper case": side.model(url="https://example.com/A"),
        "None": side.model(url=None),
        "not a URL": side.model(url=BAD),
    }.items():
        yield f"unique: {name}", partial(_refused, row.validate_unique)
        yield f"constraints: {name}", partial(_refused, row.validate_constraints)
    yield "database", lambda: side.add(A, title="again") and "saved"


def _refused(action: Any) -> str:
    """Return the fields that an error names."""
    try:
        action()
    except ValidationError as error:
        return ", ".join(sorted(getattr(error, "error_dict", ["no field"])))
    return "valid"


@place("A row that is not a URL: its other fields, and itself")
def bad_row(side: Side) -> Steps:
    if side.is_companion or side.declaration == "check":
        return
    row = side.overwritten(BAD)
    objects = side.model.objects
    row.title = "n"
    yield "reads as text", lambda: str(row.url)
    yield "full_clean()", row.full_clean
    yield "save()", row.save
    yield "save(update_fields)", lambda: row.save(update_fields=["title"])
    yield "bulk_update()", lambda: objects.bulk_update([row], ["title"])
    yield "update()", lambda: objects.filter(pk=row.pk).update(title="z")
    yield (
        "update_or_create()",
        lambda: objects.update_or_create(pk=row.pk, defaults={"title": "w"})[1],
    )
    yield "refresh_from_db()", row.refresh_from_db
    yield "stored", side.stored
    yield "filter(url=its value)", lambda: objects.filter(url=row.url).count()
    yield "filter(url__in=its value)", lambda: objects.filter(url__in=[row.url]).count()
    yield "exclude(url=its value)", lambda: objects.exclude(url=row.url).count()
    yield "filter(url=F)", lambda: objects.filter(url=F("url")).count()
    yield "filter(pk)", lambda: objects.filter(pk=row.pk).count()
    yield "in_bulk()", lambda: len(objects.in_bulk([row.pk]))
    yield "Max", lambda: objects.aggregate(m=Max("url"))
    yield "delete()", lambda: row.delete()[0]


@place("A row that is not a URL, and rows that refer to it")
def bad_row_relations(side: Side) -> Steps:
    if side.is_companion or side.declaration == "check":
        return
    with connection.constraint_checks_disabled():
        row = side.add()
        kid = side.child.objects.create(parent=row)
        row = side.overwritten(BAD, of=row)
        if side.by_url:
            quote = connection.ops.quote_name
            with connection.cursor() as cursor:
                cursor.execute(
                    f"UPDATE {quote(side.child._meta.db_table)} SET parent_id = %s", [BAD]
                )
        kid.refresh_from_db()
    kids = side.child.objects
    yield "save of the child", kid.save
    yield "save(update_fields) of the child", lambda: kid.save(update_fields=["name"])
    yield "full_clean of the child", kid.full_clean
    yield "bulk_update of children", lambda: kids.bulk_update([kid], ["name"])
    yield "bulk_update of the key", lambda: kids.bulk_update([kid], ["parent"])
    yield "parent", lambda: kids.get().parent.title
    yield "select_related", lambda: kids.select_related("parent").get().parent.title
    yield (
        "prefetch_related, parent",
        lambda: [k.parent.title for k in kids.prefetch_related("parent")],
    )
    yield (
        "prefetch_related, children",
        lambda: [len(found.kids.all()) for found in side.model.objects.prefetch_related("kids")],
    )
    yield "children", lambda: row.kids.count()
    yield "filter(parent)", lambda: kids.filter(parent=row).count()
    yield "new child", lambda: kids.create(parent=row).name
    yield "many", lambda: (kid.many.add(row), kid.many.count())[1]
    yield "queryset.delete()", lambda: _undone(side.model.objects.all().delete)
    yield "delete()", lambda: row.delete()[0]


def _undone(action: Any) -> object:
    from django.db import transaction

    with transaction.atomic():
        found = action()[0]
        transaction.set_rollback(True)
    return found


@place("A row that holds the empty string")
def empty_row(side: Side) -> Steps:
    if side.is_companion or side.declaration in {"check", "choices"}:
        return
    row = side.overwritten("")
    yield "save()", row.save
    yield "save(update_fields)", lambda: row.save(update_fields=["title"])
    yield "false", lambda: bool(row.url)


@place("Foreign keys, many-to-many fields and prefetching")
def relations(side: Side) -> Steps:
    if side.is_companion:
        return
    one, two = side.two()
    kid = side.child.objects.create(parent=one)
    kid.many.add(one, two)
    kids, objects = side.child.objects, side.model.objects
    yield "select_related", lambda: kids.select_related("parent").get().parent.url
    yield (
        "prefetch_related",
        lambda: [m.url for m in kids.prefetch_related("many").get().many.all()],
    )
    yield "the way back", lambda: [len(o.kids.all()) for o in objects.prefetch_related("kids")]
    yield "filter by URL", lambda: kids.filter(parent__url=A).count()
    yield "filter by text", lambda: kids.filter(parent__url__contains="example").count()
    yield "filter by row", lambda: kids.filter(parent=one, many__url=B).count()
    yield "filter by subquery", lambda: kids.filter(parent__in=objects.filter(url=A)).count()
    yield "filter by F", lambda: kids.filter(parent__url=F("many__url")).count()
    yield "values", lambda: kids.order_by("parent__url").values_list("parent__url", flat=True)
    yield "set", lambda: (kid.many.set([two]), kid.many.count())[1]
    if side.by_url:
        yield "filter by key", lambda: kids.filter(parent_id=A).count()
        yield "create by key", lambda: kids.create(parent_id=A).parent.title
        spelled = "HTTPS://EXAMPLE.com:443/x/../a"
        yield "filter by key, another spelling", lambda: kids.filter(parent_id=spelled).count()
        yield "create by key, another spelling", lambda: kids.create(parent_id=spelled).parent.title
    yield "delete", lambda: (one.delete(), kids.count())[1]


@place("Generic foreign keys")
def generic(side: Side) -> Steps:
    if side.is_companion:
        return
    one, two = side.two()
    labels = [Label.objects.create(of=one), Label.objects.create(of=two)]
    yield "read", lambda: Label.objects.get(pk=labels[0].pk).of
    yield (
        "prefetched",
        lambda: [found.of for found in Label.objects.prefetch_related("of").order_by("pk")],
    )
    yield (
        "filter",
        lambda: Label.objects.filter(
            content_type=ContentType.objects.get_for_model(one), object_id=str(one.pk)
        ).count(),
    )


@place("Passwords in messages and representations")
def passwords(side: Side) -> Steps:
    if side.is_companion:
        return
    model, refused = side.model, PASSWORD.replace("example.com", "exa mple.com")
    for name, action in {
        "repr()": lambda: repr(model(url=PASSWORD)),
        "full_clean": lambda: model(url=refused).full_clean(),
        "create": lambda: model.objects.create(url=refused),
        "filter": lambda: model.objects.filter(url=refused).count(),
        "bulk_create": lambda: (
            side.in_own_table and model.objects.bulk_create([model(url=refused)])
        ),
        "update": lambda: model.objects.update(url=refused),
        "full_clean, a URL": lambda: model(url=PASSWORD).full_clean(),
        "unique": lambda: (side.add(PASSWORD), model(url=PASSWORD).validate_unique()),
    }.items():
        # Django's fields show it, which is not what ours are measured by.
        yield name, partial(_shows, action) if side.ours else lambda: "no password"


def _shows(action: Any) -> str:
    try:
        shown = action()
    except ValidationError as error:
        shown = error.messages
    except Exception as error:  # noqa: BLE001 (its message may have the password)
        shown = error
    return "the password" if "secret" in str(shown) else "no password"
