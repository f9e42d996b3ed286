"""What a database says of fifty thousand URLs and five hundred operands is what Python says.

With the default profile it is five thousand URLs.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final

import attrs
import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, connection, transaction
from django.db.models import Count, F, Model, Sum
from hypothesis import settings

import weburl
from django_whatwg_url.constraints import URLAllowedBy
from django_whatwg_url.functions import LooksCanonical
from django_whatwg_url.query.operands import TEXT_PARTS, operand_forms
from django_whatwg_url.rules.hosts import named_host_operand
from tests.django.explained import indexes_used
from tests.django.generated_hrefs import hrefs, operands
from tests.django.hrefs import PARTS, parts_of
from tests.django.partsapp.models import Canonical, Generated, Indexed, Official, Plain
from weburl import Domain, OpaqueHost, URLRecord

pytestmark = pytest.mark.django_db

FEW: Final = settings.default.max_examples < 1000  # type: ignore[union-attr]
URLS: Final = 5_000 if FEW else 50_000
OPERANDS: Final = 500
SAMPLE: Final = 250
"""How many rows are asked where no index helps."""

# MariaDB has no indexes on expressions.
WITH_INDEXES: Final[list[Any]] = (
    [Generated] if connection.vendor == "mysql" else [Generated, Indexed]
)
TEXT: Final = tuple(part for part in PARTS if part in TEXT_PARTS)
REFUSED: Final = (IntegrityError, OperationalError)  # MariaDB's 4025 is operational to Django.


@attrs.frozen
class Stored:
    """The URLs in the order of their rows, their parts, and what to ask for."""

    records: list[URLRecord]
    parts: list[dict[str, Any]]
    others: list[dict[str, Any]]
    operands: list[str]
    first_key: dict[type[Model], int]

    def keys(self, model: type[Model], holds: Callable[[int], bool], among: int = URLS) -> set[int]:
        """Return the keys of the rows whose number ``holds``."""
        first = self.first_key[model]
        return {first + number for number in range(among) if holds(number)}


@pytest.fixture(scope="module")
def stored(django_db_setup: None, django_db_blocker: Any) -> Iterator[Stored]:
    """Fill four tables with the same URLs in one order, and empty them in the end."""
    texts = hrefs(URLS)
    # Every third row has itself beside it, the others some other URL.
    others = [text if number % 3 == 0 else texts[number - 7] for number, text in enumerate(texts)]
    records = [weburl.parse(text) for text in texts]
    of_text = {record.href: parts_of(record) for record in records}
    models: list[Any] = [Plain, Generated, Indexed, Canonical]
    first_key = {}
    with django_db_blocker.unblock():
        for model in models:
            columns = {"url": texts, "other": others} if model is Plain else {"url": texts}
            first_key[model] = _fill(model, columns)
        try:
            yield Stored(
                records,
                [of_text[text] for text in texts],
                [of_text[text] for text in others],
                operands(OPERANDS, texts),
                first_key,
            )
        finally:
            for model in models:
                model.objects.all()._raw_delete(connection.alias)


def _fill(model: Any, columns: dict[str, list[str]]) -> int:
    """Store the columns as they are, a row for each position, and return the first row's key."""
    quoted = connection.ops.quote_name(model._meta.db_table)
    newest = model.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    rows = zip(range(newest + 1, newest + 1 + URLS), *columns.values(), strict=True)
    marks = ", ".join(["%s"] * (len(columns) + 1))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {quoted} (id, {', '.join(columns)}) VALUES ({marks})", list(rows)
        )
    with connection.cursor() as cursor:
        cursor.execute(f"ANALYZE {'TABLE ' if connection.vendor == 'mysql' else ''}{quoted}")
    return int(newest) + 1


def keys_found(queryset: Any) -> set[int]:
    """Return the keys of the rows of a query."""
    return set(queryset.values_list("pk", flat=True))


def prepared(part: str, operand: str) -> str:
    """Return the text that stands for an operand in a comparison by order."""
    forms = operand_forms(part, operand)
    return forms[0] if forms else operand


def accepted(part: str, operand: str) -> bool:
    """Return whether an operand can be such a part; if not, check that a query refuses it."""
    try:
        operand_forms(part, operand)
    except ValidationError:
        with pytest.raises(ValidationError):
            Plain.objects.filter(**{f"url__{part}": operand})
        return False
    return True


def test_all_parts_are_those_of_the_record(stored: Stored) -> None:
    """Expressions and generated columns agree, and distinguish null from empty text."""
    for model in (Plain, Generated):
        fields = [*(f"url__{part}" for part in PARTS), *(PARTS if model is Generated else ())]
        rows = list(model.objects.order_by("pk").values_list(*fields))
        assert len(rows) == URLS
        for record, parts, row in zip(stored.records, stored.parts, rows, strict=True):
            expected = tuple(parts.values())
            assert row[: len(PARTS)] == expected, record.href
            assert row[len(PARTS) :] in ((), expected), record.href


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_there_or_null(stored: Stored, part: str) -> None:
    """Both queries together find all rows."""
    null = stored.keys(Plain, lambda number: stored.parts[number][part] is None)
    assert keys_found(Plain.objects.filter(**{f"url__{part}__isnull": True})) == null
    assert keys_found(Plain.objects.exclude(**{f"url__{part}__isnull": False})) == null


@pytest.mark.parametrize("part", TEXT)
@pytest.mark.parametrize("model", WITH_INDEXES)
def test_exact_and_in_find_what_python_finds(stored: Stored, part: str, model: Any) -> None:
    """Every operand, by the index, on all rows."""
    first = stored.first_key[model]
    by_value: dict[str, set[int]] = defaultdict(set)
    for number, parts in enumerate(stored.parts):
        by_value[parts[part]].add(first + number)
    objects = model.objects
    asked: list[str] = []
    for operand in stored.operands:
        if not accepted(part, operand):
            continue
        expected = set().union(*(by_value.get(form, ()) for form in operand_forms(part, operand)))
        assert keys_found(objects.filter(**{f"url__{part}": operand})) == expected, operand
        if asked:
            before = set().union(*(by_value.get(f, ()) for f in operand_forms(part, asked[-1])))
            both = objects.filter(**{f"url__{part}__in": [operand, asked[-1], None]})
            assert keys_found(both) == expected | before, operand
        asked.append(operand)
    assert len(asked) >= 50
    rare = "https://rare.example" if part == "origin" else "rare"
    assert indexes_used(objects.filter(**{f"url__{part}": rare}))


@pytest.mark.parametrize("part", TEXT)
def test_ranges_hold_what_python_finds(stored: Stored, part: str) -> None:
    """The order is by code point, whatever the collation of the database."""
    first = stored.first_key[Generated]
    values = sorted(
        (parts[part], first + number)
        for number, parts in enumerate(stored.parts)
        if parts[part] is not None
    )
    texts = [text for text, _key in values]
    sums = [0]
    for _text, key in values:
        sums.append(sums[-1] + key)
    bounds = [operand for operand in stored.operands if accepted(part, operand)]
    for number, operand in enumerate(bounds):
        text = prepared(part, operand)
        low, high = bisect_left(texts, text), bisect_right(texts, text)
        other = max(bounds[number - 1], operand, key=lambda bound: prepared(part, bound))
        upto = bisect_right(texts, prepared(part, other))
        ranges: list[tuple[str, Any, int, int]] = [
            ("gt", operand, high, len(texts)),
            ("gte", operand, low, len(texts)),
            ("lt", operand, 0, low),
            ("lte", operand, 0, high),
            ("range", (operand, other), low, max(low, upto)),
        ]
        name, value, start, end = ranges[number % len(ranges)]
        found = Generated.objects.filter(**{f"url__{part}__{name}": value})
        assert found.aggregate(n=Count("pk"), total=Sum("pk")) == {
            "n": end - start,
            "total": sums[end] - sums[start] or None,
        }, (name, value)


COMPARISONS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "exact": lambda left, right: left == right,
    "gt": lambda left, right: left > right,
    "gte": lambda left, right: left >= right,
    "lt": lambda left, right: left < right,
    "lte": lambda left, right: left <= right,
}


def test_ports_are_compared_as_numbers(stored: Stored) -> None:
    """Those in passwords, paths and queries are none."""
    ports = {parts["port"] for parts in stored.parts}
    assert len(ports) > 6
    for bound in [*(port for port in ports if port is not None), -1, 12345, 65536, 10**30, 8080.5]:
        for name, holds in COMPARISONS.items():
            expected = stored.keys(
                Generated,
                lambda number, holds=holds, bound=bound: (  # type: ignore[misc]
                    stored.parts[number]["port"] is not None
                    and holds(stored.parts[number]["port"], bound)
                ),
            )
            if name == "exact" and bound == 8080.5:
                continue  # Django makes an integer of it.
            found = Generated.objects.filter(**{f"url__port__{name}": bound})
            assert keys_found(found) == expected, (name, bound)
    assert keys_found(Generated.objects.filter(url__port__in=[12345, None])) == set()


def folded(text: str) -> str:
    """Return ASCII text in lower case."""
    return text.encode().lower().decode()


# The percent-encode sets of the standard, each without controls and what is not ASCII:
# https://url.spec.whatwg.org/#percent-encoded-bytes
CONTROLS_ONLY: Final = ""
FRAGMENT_SET: Final = ' "<>`'
QUERY_SET: Final = ' "#<>'
SPECIAL_QUERY_SET: Final = f"{QUERY_SET}'"
PATH_SET: Final = f"{QUERY_SET}?^`{{}}"
USERINFO_SET: Final = f"{PATH_SET}/:;=@[\\]|"
SETS: Final = {
    "username": (USERINFO_SET,),
    "path": (CONTROLS_ONLY, PATH_SET),  # The first is for opaque paths.
    "query": (QUERY_SET, SPECIAL_QUERY_SET),
    "fragment": (FRAGMENT_SET,),
}


def encoded(text: str, percent_encode_set: str = CONTROLS_ONLY) -> str:
    """Return what a piece of text is in a component: UTF-8 in %XX, if the component encodes it."""
    return "".join(
        char if " " <= char <= "~" and char not in percent_encode_set else _percent(char)
        for char in text
    )


def pieces_of(part: str, name: str, operand: str) -> list[str]:
    """Return the texts, any of which a lookup has to find in a part."""
    if name.endswith("regex"):
        return [encoded(operand)]
    if name == "iexact":
        forms = operand_forms(part, operand) if accepted(part, operand) else ()
        return [*forms, encoded(operand)][:1]
    return [encoded(operand, each) for each in SETS.get(part, (CONTROLS_ONLY,))]


def _percent(character: str) -> str:
    utf8 = ("\ufffd" if "\ud800" <= character <= "\udfff" else character).encode()
    return "".join(f"%{byte:02X}" for byte in utf8)


PATTERNS: Final[dict[str, tuple[bool, Callable[[str, str], bool]]]] = {
    "contains": (False, lambda text, piece: piece in text),
    "startswith": (False, str.startswith),
    "endswith": (False, str.endswith),
    "icontains": (True, lambda text, piece: piece in text),
    "istartswith": (True, str.startswith),
    "iendswith": (True, str.endswith),
    "regex": (False, lambda text, piece: piece in text),
    "iregex": (True, lambda text, piece: piece in text),
    "iexact": (True, str.__eq__),
}


@pytest.mark.parametrize("part", TEXT)
def test_pieces_of_text_find_what_python_finds(stored: Stored, part: str) -> None:
    """Each operand by one lookup in turn, and ``exclude()`` finds all other rows."""
    first = stored.first_key[Plain]
    rows = Plain.objects.filter(pk__lt=first + SAMPLE)
    every = stored.keys(Plain, lambda _number: True, SAMPLE)
    for number, operand in enumerate(stored.operands):
        name = list(PATTERNS)[number % len(PATTERNS)]
        ignores_case, holds = PATTERNS[name]
        fold = folded if ignores_case else str
        pieces = [fold(piece) for piece in pieces_of(part, name, operand)]

        def matches(
            row: int,
            holds: Callable[[str, str], bool] = holds,
            pieces: list[str] = pieces,
            fold: Callable[[str], str] = fold,
        ) -> bool:
            text = stored.parts[row][part]
            return text is not None and any(holds(fold(text), piece) for piece in pieces)

        condition = {
            f"url__{part}__{name}": re.escape(operand) if name.endswith("regex") else operand
        }
        expected = stored.keys(Plain, matches, SAMPLE)
        assert keys_found(rows.filter(**condition)) == expected, condition
        assert keys_found(rows.exclude(**condition)) == every - expected, condition


@pytest.mark.parametrize("part", ["host", "hostname"])
@pytest.mark.parametrize("model", WITH_INDEXES)
def test_under_a_host_is_what_python_finds(stored: Stored, part: str, model: Any) -> None:
    """The host and its subdomains, an address only itself."""
    first = stored.first_key[model]
    below: dict[str, set[int]] = defaultdict(set)
    exactly: dict[str, set[int]] = defaultdict(set)
    for number, parts in enumerate(stored.parts):
        host = parts[part]
        if host is None:
            continue
        exactly[host].add(first + number)
        if host == "":
            continue
        labels = host.split(".")
        for start in range(len(labels)):
            below[".".join(labels[start:])].add(first + number)
    asked = 0
    for operand in stored.operands:
        if not accepted(part, operand) or operand.startswith("*."):
            continue
        hosts = named_host_operand(operand)
        has_subdomains = isinstance(hosts[0], (Domain, OpaqueHost))
        found = (below if has_subdomains else exactly).get
        expected = set().union(*(found(str(host), ()) for host in hosts))
        assert keys_found(model.objects.filter(**{f"url__{part}__under": operand})) == expected, (
            operand
        )
        asked += 1
    assert asked >= 50


def test_under_a_path_is_what_python_finds(stored: Stored) -> None:
    """A match ends at the border of a segment."""
    first = stored.first_key[Plain]
    rows = Plain.objects.filter(pk__lt=first + SAMPLE)
    for operand in stored.operands:
        paths = operand_forms("path", operand)

        def matches(number: int, paths: tuple[str, ...] = paths) -> bool:
            path = stored.parts[number]["path"]
            return any(
                path.startswith(form if form.endswith("/") else f"{form}/") or path == form
                for form in paths
            )

        expected = stored.keys(Plain, matches, SAMPLE)
        assert keys_found(rows.filter(url__path__under=operand)) == expected, operand


def test_under_a_url_and_of_an_origin_is_what_python_finds(stored: Stored) -> None:
    """Operands are URLs of the test data and of some rows."""
    first = stored.first_key[Plain]
    rows = Plain.objects.filter(pk__lt=first + SAMPLE)
    texts = [*stored.operands, *(record.href for record in stored.records[:SAMPLE])]
    texts += [record.href[: len(record.href) * 2 // 3] for record in stored.records[:SAMPLE]]
    asked = 0
    for url in filter(None, map(_parsed, texts)):
        origin = stored.keys(
            Plain,
            lambda number, url=url: (  # type: ignore[misc]
                url.origin != "null" and stored.parts[number]["origin"] == url.origin
            ),
            SAMPLE,
        )
        assert keys_found(rows.filter(url__origin=url)) == origin, url
        if url.has_opaque_path:
            continue
        asked += 1

        def is_below(number: int, base: URLRecord = url) -> bool:
            return _is_below(stored.records[number], base)

        below = stored.keys(Plain, is_below, SAMPLE)
        assert keys_found(rows.filter(url__under=url)) == below, url
        assert len(keys_found(rows.exclude(url__under=url))) == SAMPLE - len(below), url
    assert asked >= SAMPLE


def _parsed(text: str) -> URLRecord | None:
    return weburl.parse(text) if weburl.can_parse(text) else None


def _is_below(record: URLRecord, other: URLRecord) -> bool:
    place = ("scheme", "username", "password", "host", "port", "has_opaque_path")
    if any(getattr(record, name) != getattr(other, name) for name in place):
        return False
    path, below = record.path_text, other.path_text
    return path == below or path.startswith(below if below.endswith("/") else f"{below}/")


@pytest.mark.parametrize("part", PARTS)
def test_parts_compare_with_those_of_another_column(stored: Stored, part: str) -> None:
    """As operands, by ``F()``; a part that is not there compares with nothing."""
    for name, holds in COMPARISONS.items():

        def matches(number: int, holds: Callable[[Any, Any], bool] = holds) -> bool:
            left, right = stored.parts[number][part], stored.others[number][part]
            return left is not None and right is not None and holds(left, right)

        found = Plain.objects.filter(**{f"url__{part}__{name}": F(f"other__{part}")})
        expected = stored.keys(Plain, matches)
        assert keys_found(found) == expected, name
        if name == "exact":
            either = Plain.objects.filter(**{f"url__{part}__in": [F(f"other__{part}"), None]})
            assert keys_found(either) == expected


def test_constraints_let_through_what_python_does(stored: Stored) -> None:
    """All URLs look canonical, also to the table that asked for it; of the others, each tenth."""
    assert Canonical.objects.count() == URLS
    assert not Plain.objects.filter(~LooksCanonical("url")).exists()
    ours, _mirrors = Official._meta.constraints
    assert isinstance(ours, URLAllowedBy)
    hosts = ours.policy.hosts or ()

    def is_official(number: int) -> bool:
        host = stored.parts[number]["host"]
        return stored.parts[number]["scheme"] == "https" and any(
            host == each[1:] or host.endswith(each) for each in hosts
        )

    official = stored.keys(Plain, is_official)
    assert keys_found(Plain.objects.filter(ours.condition)) == official
    assert official
    first = stored.first_key[Plain]
    Official.objects.bulk_create(
        Official(url=stored.records[key - first]) for key in sorted(official)
    )
    for number in range(0, min(URLS, 2000), 10):
        if not is_official(number):
            with pytest.raises(REFUSED), transaction.atomic():
                Official.objects.create(url=stored.records[number])
