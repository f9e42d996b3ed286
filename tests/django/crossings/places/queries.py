"""Places: lookups, expressions, functions, transforms and system checks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.db import connection, models
from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    Func,
    Max,
    Min,
    OuterRef,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import (
    Cast,
    Coalesce,
    Concat,
    Greatest,
    Length,
    Lower,
    Replace,
    Substr,
    Trim,
    Upper,
)
from django.test.utils import register_lookup

from tests.django.crossings.rows import BAD, A, B, C, Side
from tests.django.crossings.steps import Steps, place

# What people type, or a program sends.
ODD_TEXT: Final = {
    "no scheme": "nope",
    "empty": "",
    "white space": "  ",
    "percent": "100%",
    "one percent": "%",
    "a quotation mark": '"',
    "an IPv6 address": "https://[",
    "not a URL": BAD,
    "capital letters": "HTTPS://EXAMPLE.com/a",
    "long": "x" * 4000,
    "an emoji": "https://😀.example/é",
    "a list": "https://example.com/a,nope",
}


def operands(side: Side) -> tuple[Any, Any]:
    """Return what the column holds for A and B."""
    return (side.values[A], side.values[B]) if side.is_companion else (A, B)


def _count(side: Side, *conditions: Any, **lookups: Any) -> int:
    return int(side.model.objects.filter(*conditions, **lookups).count())


@place("Lookups: exact, in, isnull")
def exact(side: Side) -> Steps:
    one, two = side.two()
    a, b = operands(side)
    count = partial(_count, side)
    yield "exact", lambda: count(url=a)
    yield "in", lambda: count(url__in=[a, b])
    yield "in nothing", lambda: count(url__in=[])
    yield "exclude", lambda: side.model.objects.exclude(url=a).count()
    yield "iexact", lambda: count(url__iexact=a.upper())
    yield "the row's value", lambda: count(url__in=[one.url, two.url])
    yield "isnull", lambda: (count(url=None), count(url__isnull=False))
    yield "exact empty", lambda: count(url="")
    yield "exclude empty", lambda: side.model.objects.exclude(url="").count()
    yield "in None", lambda: count(url__in=[None])
    yield "in empty", lambda: count(url__in=["", a])
    yield "not in empty", lambda: side.model.objects.exclude(url__in=["", a]).count()
    if side.options.get("null"):
        side.add(None)
        yield "NULL", lambda: (count(url=None), count(url__isnull=True), count(~Q(url=a)))
        yield "NULL or", lambda: count(Q(url=None) | Q(url=a))
        yield (
            "NULL, exclude",
            lambda: [
                side.model.objects.exclude(url__in=[a]).count(),
                side.model.objects.exclude(url__contains="/a").count(),
            ],
        )


@place("Lookups: text")
def text(side: Side) -> Steps:
    side.two()
    for lookup, value in (
        *(("contains", "example"), ("icontains", "EXAMPLE"), ("contains", ""), ("contains", "%")),
        *(("startswith", "https://"), ("istartswith", "HTTPS"), ("endswith", "/a")),
        *(("iendswith", "/A"), ("regex", "a$"), ("iregex", "A$"), ("contains", "\\")),
    ):
        yield f"{lookup} {value!r}", partial(_count, side, **{f"url__{lookup}": value})
    for name, value in ODD_TEXT.items():
        yield f"startswith {name}", partial(_count, side, url__startswith=value)


@place("Lookups: comparisons")
def compared(side: Side) -> Steps:
    side.two()
    a, b = operands(side)
    for lookup in ("gt", "gte", "lt", "lte"):
        yield lookup, partial(_count, side, **{f"url__{lookup}": a})
        yield f"{lookup} empty", partial(_count, side, **{f"url__{lookup}": ""})
    yield "range", lambda: _count(side, url__range=[a, b])
    yield "range from empty", lambda: _count(side, url__range=["", a])


@place("Lookups: odd text")
def odd_text(side: Side) -> Steps:
    side.two()
    for name, value in ODD_TEXT.items():
        yield name, partial(_count, side, url=value)
        yield f"{name}, in", partial(_count, side, url__in=[value])


@place("Expressions as operands")
def operand_expressions(side: Side) -> Steps:
    side.two()
    a, b = operands(side)
    objects = side.model.objects
    operands_by_name: dict[str, dict[str, Any]] = {
        "F": {"url": F("url")},
        "Value": {"url": Value(a)},
        "Value in": {"url__in": [Value(a), F("url")]},
        "startswith F": {"url__startswith": F("url")},
        "contains Value": {"url__contains": Value("exam")},
        "Concat": {"url": Concat(Value(a[:5]), Value(a[5:]))},
        "gt another column": {"url__gt": F("title")},
        "another column": {"title__lt": F("url")},
        "Case": {"url": Case(When(n=0, then=Value(a)), default=Value(b))},
        "Subquery": {"url": Subquery(objects.filter(n=0).values("url")[:1])},
        "in a queryset": {"url__in": objects.values("url")},
        "in another column": {"url__in": objects.values("title")},
        "another column in": {"title__in": objects.values("url")},
    }
    for name, lookups in operands_by_name.items():
        yield name, partial(_count, side, **lookups)
    yield "Exists", lambda: _count(side, Exists(objects.filter(url=OuterRef("url"))))
    yield (
        "Exists, startswith",
        lambda: _count(side, Exists(objects.filter(url__startswith=OuterRef("url")))),
    )


@place("values(), order_by(), distinct(), in_bulk(), iterator()")
def values(side: Side) -> Steps:
    side.two()
    rows = side.model.objects.order_by("title")
    yield "values", lambda: rows.values("url", "title")
    yield "values_list", lambda: rows.values_list("url", "title")
    yield "named", lambda: [row.url for row in rows.values_list("url", named=True)]
    yield "F", lambda: rows.values(u=F("url"))
    yield "grouped", lambda: rows.values("url").annotate(c=Count("pk")).order_by("url")
    yield "ordered", lambda: [rows.order_by("url").first().title, rows.latest("url").title]
    yield "ordered by Lower", lambda: rows.order_by(Lower("url")).values_list("url", flat=True)
    yield "distinct", lambda: rows.order_by("url").distinct().count()
    yield "iterator", lambda: [row.url for row in rows.iterator(chunk_size=1)]
    yield "only", lambda: [row.url for row in rows.only("pk")]
    yield "dates of a filtered queryset", lambda: rows.filter(url__contains="exam").exists()
    yield (
        "union",
        lambda: rows.order_by().values("url").union(rows.order_by().values("url")).count(),
    )
    yield "reverse", lambda: rows.order_by("url").reverse()
    if side.in_own_table:
        table = connection.ops.quote_name(side.model._meta.db_table)
        raw = side.model.objects.raw(f"SELECT * FROM {table} ORDER BY title")
        yield "raw", lambda: [row.url for row in raw]
    if side.options.get("unique") or side.options.get("primary_key"):
        yield "in_bulk", lambda: rows.in_bulk(field_name="url")
        yield "in_bulk of one", lambda: rows.in_bulk([A], field_name="url")
    if connection.features.can_distinct_on_fields:
        yield "distinct on", lambda: rows.order_by("url").distinct("url")


@place("Aggregates")
def aggregates(side: Side) -> Steps:
    objects = side.model.objects
    a, _ = operands(side)
    yield "Max of no rows", lambda: objects.aggregate(m=Max("url"))
    yield "Max, default", lambda: objects.aggregate(m=Max("url", default=Value(a)))
    side.two()
    yield "Max", lambda: objects.aggregate(m=Max("url"), n=Min("url"))
    yield "Count", lambda: objects.aggregate(c=Count("url", distinct=True))
    yield "Count, filter", lambda: objects.aggregate(c=Count("url", filter=Q(url=a)))
    if connection.vendor == "postgresql":
        from django.contrib.postgres.aggregates import ArrayAgg, StringAgg

        yield "ArrayAgg", lambda: objects.aggregate(s=ArrayAgg("url", order_by="url"))
        yield (
            "StringAgg",
            lambda: objects.aggregate(s=StringAgg("url", delimiter=Value(","), order_by="url")),
        )


def _functions(side: Side) -> dict[str, tuple[Any, str]]:
    """Return expressions by name, with text that their result is compared with."""
    a, b = operands(side)
    first = When(n=0, then=F("url"))
    return {
        "Lower": (Lower("url"), a),
        "Upper": (Upper("url"), a.upper()),
        "Length": (Length("url"), str(len(a))),
        "Substr": (Substr("url", 1, 5), a[:5]),
        "Concat": (Concat("url", Value("#z")), f"{a}#z"),
        "Concat, column": (Concat("title", Value(" "), "url"), f"one {a}"),
        "Concat, column only": (Concat("title", "url"), f"one{a}"),
        "Cast": (Cast("url", CharField(max_length=2048)), a),
        "Replace": (Replace("url", Value("https"), Value("http")), a.replace("https", "http")),
        "Trim": (Trim("url"), a),
        "Greatest": (Greatest("url", Value("a")), a),
        "Coalesce": (Coalesce("url", Value("x")), "x"),
        "Coalesce, empty": (Coalesce("url", Value("")), ""),
        "Coalesce, a URL": (Coalesce("url", Value(b)), a),
        "Coalesce, column": (Coalesce("url", "title"), a),
        "Coalesce, the other way": (Coalesce("title", "url"), "one"),
        "Case": (Case(first, default=Value(b)), b),
        "Case, empty": (Case(first, default=Value("")), ""),
        "Case, no default": (Case(When(n=0, then="url")), a),
        "Case, text": (Case(first, default=Value("none")), "none"),
        "Case, Concat": (
            Case(When(n=0, then=Concat("url", Value("x"))), default=F("title")),
            "two",
        ),
        "Case, slice": (Case(When(n=0, then=Substr("url", 1, 5)), default=F("title")), a[:5]),
        "Func": (Func(F("url"), function="LOWER"), a),
        "Func, output_field": (Func(F("url"), function="LOWER", output_field=CharField()), a),
        "Max of a window": (models.Window(Max("url")), b),
    }


@place("Functions: what they return")
def functions(side: Side) -> Steps:
    side.two()
    rows = side.model.objects.order_by("title")
    for name, (expression, _) in _functions(side).items():
        yield name, partial(_annotated, rows, expression)


def _annotated(rows: Any, expression: Any) -> object:
    return list(rows.annotate(z=expression).values_list("z", flat=True))


@place("Functions: filter by what they return")
def filter_by_functions(side: Side) -> Steps:
    side.two()
    for name, (expression, operand) in _functions(side).items():
        yield name, partial(_filtered, side, expression, operand)
    yield "Lower, other text", lambda: _filtered(side, Lower("url"), "nope")
    yield "Cast, other text", lambda: _filtered(side, Cast("url", CharField()), "nope")
    if side.options.get("null"):
        side.add(None)
        yield "NULL, Coalesce, empty", lambda: _filtered(side, Coalesce("url", Value("")), "")
        yield "NULL, Coalesce", lambda: _filtered(side, Coalesce("url", Value("none")), "none")


def _filtered(side: Side, expression: Any, operand: str) -> int:
    return int(side.model.objects.annotate(z=expression).filter(z=operand).count())


class _Upper(models.Transform):
    lookup_name = "theirs"
    function = "UPPER"
    output_field = CharField()


class _Lower(models.Transform):
    lookup_name = "both"
    function = "LOWER"
    bilateral = True


class _UpperOfBoth(models.Transform):
    lookup_name = "both_upper"
    function = "UPPER"
    bilateral = True
    output_field = CharField()


@place("Registered transforms, also bilateral")
def transforms(side: Side) -> Steps:
    side.two()
    a, b = operands(side)

    def counted(**lookups: object) -> Callable[[], object]:
        def count() -> int:
            with (
                register_lookup(type(side.field), _Upper, _Lower, _UpperOfBoth),
                register_lookup(CharField, Lower, Length),
            ):
                return _count(side, **lookups)

        return count

    for lookups in (
        *({"url__theirs": a.upper()}, {"url__both": a.upper()}, {"url__both__in": [a, b]}),
        *(
            {"url__both_upper": a},
            {"url__both_upper": "nope"},
            {"url__both_upper__contains": "exam"},
        ),
        *({"url__both_upper__startswith": a[:5]}, {"url__both__contains": "EXAM"}),
        *({"url__lower": a}, {"url__lower__contains": "exam"}, {"url__lower": "nope"}),
        *({"url__length__gt": 3}, {"url__both__gt": ""}),
    ):
        ((name, value),) = lookups.items()
        yield f"{name} {value!r}".replace(a, "A").replace(b, "B"), counted(**lookups)


@place("System checks")
def checked(side: Side) -> Steps:
    yield (
        "errors",
        lambda: sorted(
            str(message.id)
            for message in side.model.check(databases=["default"])
            if message.is_serious() and not str(message.id).startswith("mysql")
        ),
    )
    # Django has no such warning.
    yield (
        "entries of an index are too long",
        lambda: (
            side.ours
            and any(
                str(message.id).endswith("W003")
                for message in side.model.check(databases=["default"])
            )
        ),
    )


@place("Array fields on PostgreSQL")
def arrays(side: Side) -> Steps:
    if side.declaration != "array":
        return
    objects = side.model.objects
    row = side.model.objects.create(url=A, urls=[A, B])
    yield "read", lambda: objects.get().urls
    yield (
        "text is a string",
        lambda: isinstance(objects.get().urls[0], str) or side.kind == "records",
    )
    yield "save, not a URL", lambda: side.model.objects.create(url=A, urls=[BAD])
    yield (
        "save, capital letters",
        lambda: objects.create(url=A, urls=["HTTPS://EXAMPLE.com/a"]).pk and 1,
    )
    objects.exclude(pk=row.pk).delete()
    for lookup, value in {
        "contains": [A],
        "overlap": [A, C],
        "len": 2,
        "0": A,
        "0__contains": "exam",
        "0__in": [A],
    }.items():
        yield lookup, partial(_count, side, **{f"urls__{lookup}": value})
    yield "full_clean", lambda: side.model(url=A, urls=[BAD]).full_clean()
