"""Tests of text lookups and comparisons in `query.lookups`: finding rows by their URL."""

from __future__ import annotations

from random import Random

import pytest
from django.core.exceptions import ValidationError
from django.db.models import CharField, F, Q, Value
from django.db.models.functions import Cast, Lower
from hypothesis import given
from hypothesis import strategies as st

from django_whatwg_url.query.lookups import TEXT_LOOKUPS, _ranges
from django_whatwg_url.query.operands import percent_encode_operand
from tests.django.siteapp.models import Issuer, Item, Link, MenuItem
from tests.django.testapp.models import Bookmark, Page
from weburl import parse

pytestmark = pytest.mark.django_db

CAFE = "https://example.com/Caf%C3%A9?q=x"


@pytest.fixture
def cafe() -> Bookmark:
    """Store a bookmark whose URL was written with an é, and another one."""
    Bookmark.objects.create(url="https://other.example/")
    return Bookmark.objects.create(url="https://example.com/Café?q=x")


def test_an_order_comparison_takes_whole_urls(cafe: Bookmark) -> None:
    """Greater and less mean the order of canonical texts, by code point."""
    assert Bookmark.objects.get(url__gt="HTTPS://EXAMPLE.com/Café?q=x").url.href == (
        "https://other.example/"
    )
    assert Bookmark.objects.get(url__lte=CAFE) == cafe
    assert Bookmark.objects.get(url__range=("https://a.example", "https://f.example")) == cafe


@pytest.mark.parametrize("lookup", ["exact", "gt", "gte", "lt", "lte"])
def test_comparing_with_what_is_no_url_is_an_error(lookup: str) -> None:
    """It raises ValidationError before the query runs, like a UUIDField."""
    with pytest.raises(ValidationError) as caught:
        Page.objects.filter(**{f"url__{lookup}": "bad"})
    assert caught.value.code == "missing-scheme-non-relative-URL"
    with pytest.raises(ValidationError):
        Page.objects.filter(url__in=["https://example.com/", "bad"])


@pytest.mark.parametrize(
    ("lookup", "operand"),
    [
        ("contains", "Café"),
        ("icontains", "CAFé"),
        ("startswith", "https://example.com/Café"),
        ("istartswith", "HTTPS://example.com/café"),
        ("endswith", "é?q=x"),
        ("iendswith", "é?Q=X"),
        ("regex", "C.fé"),
        ("iregex", "^HTTPS.*c.fé"),
        ("iexact", "https://EXAMPLE.COM/caf%c3%A9?Q=x"),
        ("iexact", "https://example.com/./Café?q=x"),
    ],
)
def test_text_lookups_take_unicode(cafe: Bookmark, lookup: str, operand: str) -> None:
    """The column is ASCII: an operand is percent-encoded as its text was."""
    assert Bookmark.objects.get(**{f"url__{lookup}": operand}) == cafe


@pytest.mark.parametrize("lookup", [cls.lookup_name for cls in TEXT_LOOKUPS])
@pytest.mark.parametrize(
    "operand", ["nothing like it", "é", "\0", "\ud800", "100%", "_", "日本", 5]
)
def test_no_text_operand_is_an_error(lookup: str, operand: object) -> None:
    """This includes text that a database cannot store."""
    Bookmark.objects.create(url="https://example.com/")
    assert not Bookmark.objects.filter(**{f"url__{lookup}": operand}).exists()


@pytest.mark.parametrize(
    "lookup", ["contains", "icontains", "startswith", "endswith", "iexact", "regex"]
)
@pytest.mark.usefixtures("cafe")
def test_text_lookups_take_records(lookup: str) -> None:
    """A record stands for its href."""
    operand = parse("https://other.example/")
    assert Bookmark.objects.get(**{f"url__{lookup}": operand}).url == operand


@pytest.mark.usefixtures("cafe")
def test_text_lookups_take_expressions() -> None:
    """The database evaluates them, and they are not changed."""
    assert Bookmark.objects.filter(url__startswith=F("url")).count() == 2
    assert Bookmark.objects.filter(url__contains=Lower(Value("OTHER"))).count() == 1
    assert Bookmark.objects.filter(url__iexact=F("url")).count() == 2


def test_iexact_finds_what_exact_finds() -> None:
    """Spelling does not matter, and None finds NULL."""
    page = Page.objects.create(url="https://example.com")
    empty = Page.objects.create(url=None)
    assert Page.objects.get(url__iexact="HTTPS://example.com") == page
    assert Page.objects.get(Q(url__iexact=None)) == empty


def test_lookups_on_functions_of_the_column_encode_too(cafe: Bookmark) -> None:
    """Lower and its like give a URL field, so they take the same operands."""
    assert Bookmark.objects.annotate(low=Lower("url")).get(low__contains="Caf".lower()) == cafe
    assert (
        Bookmark.objects.get(url__in=Bookmark.objects.filter(url__contains="é").values("url"))
        == cafe
    )
    text = Bookmark.objects.annotate(text=Cast("url", CharField(max_length=2048)))
    assert text.get(text__contains="Caf").pk == cafe.pk


@pytest.mark.parametrize(
    ("text", "encoded"),
    [
        ("plain", "plain"),
        ("é", "%C3%A9"),
        ("a b%C3\\[é]", "a b%C3\\[%C3%A9]"),
        ("日\n", "%E6%97%A5%0A"),
        ("\x7f😀", "%7F%F0%9F%98%80"),
        ("\ud800", "%EF%BF%BD"),
    ],
)
def test_an_operand_becomes_ascii(text: str, encoded: str) -> None:
    """It becomes UTF-8 in upper-case %XX, as in the parser, except for printable ASCII."""
    assert percent_encode_operand(text) == encoded


PIECES = [
    ("x y", "/x y"),
    ("x y", "?x y"),
    ("x y", "#x y"),
    ("{x}", "/a{x}b"),
    ("{x}", "?a{x}b"),
    ("{x}", "#a{x}b"),
    ("<b>", "/<b>"),
    ('"q"', '/"q"'),
    ('"q"', '?"q"'),
    ("`c`", "/`c`"),
    ("`c`", "?`c`"),
    ("`c`", "#`c`"),
    ("a^b", "/a^b"),
    ("a^b", "?a^b"),
    ("it's", "/it's"),
    ("it's", "?it's"),
    ("it's", "#it's"),
    ("{a}?{b}", "/{a}?{b}"),
    ("{a}?{b}#{c}", "/{a}?{b}#{c}"),
    ("{a}?{b}", "?{a}?{b}"),
    ("{a}#{b}", "?{a}#{b}"),
    ("{a}#{b}", "/{a}#{b}"),
    ("a b#c#`d", "/a b#c#`d"),
    ("\u00e9 {\u00e9}", "/\u00e9 {\u00e9}"),
]


@pytest.mark.parametrize(("piece", "end"), PIECES)
def test_a_piece_is_encoded_as_each_component_would_be(piece: str, end: str) -> None:
    """Each percent-encodes other characters, so one text may stand for several."""
    Page.objects.create(url="https://other.example/")
    for start in ("https://example.com/docs", "web+demo://example.com/docs"):
        url = start + end
        page = Page.objects.create(url=url)
        for lookup in ("contains", "icontains", "holds"):
            assert Page.objects.get(**{f"url__{lookup}": piece}) == page, (lookup, page.url)
            assert Page.objects.exclude(**{f"url__{lookup}": piece}).count() == 1
        for lookup in ("startswith", "istartswith", "iexact"):
            assert Page.objects.get(**{f"url__{lookup}": url}) == page, (lookup, page.url)
        for lookup in ("endswith", "iendswith"):
            assert Page.objects.get(**{f"url__{lookup}": end}) == page, (lookup, page.url)
        part = {"/": "path", "?": "query", "#": "fragment"}[end[0]]
        own = end[1:].partition("#" if part == "query" else "?" if "?" in piece else "#")[0]
        own = end[1:] if part == "fragment" else own
        assert Page.objects.get(**{f"url__{part}__contains": own}) == page
        assert Page.objects.get(**{f"url__{part}__iendswith": own}) == page
        page.delete()


def test_a_piece_of_an_opaque_path_keeps_its_spaces() -> None:
    """An opaque path encodes only control characters and non-ASCII characters."""
    page = Page.objects.create(url="data:,x {y}")
    assert Page.objects.get(url__contains="x {y}") == page
    assert Page.objects.get(url__path__startswith=",x {") == page


@pytest.mark.parametrize(
    ("part", "piece", "url"),
    [
        ("username", "a/b", "https://a%2Fb@example.com/"),
        ("username", "a\\b?c", "https://a%5Cb%3Fc@example.com/"),
        ("username", "#1:@", "https://%231%3A%40@example.com/"),
        ("path", "a?b#c", "https://example.com/a%3Fb%23c"),
        ("path", "a/b\\c", "web+demo://example.com/a/b\\c"),
        ("query", "a#b", "https://example.com/?a%23b"),
        ("query", "/a?b", "https://example.com/?/a?b"),
        ("fragment", "/a?b#c", "https://example.com/#/a?b#c"),
        ("username", "100%", "https://100%@example.com/"),
    ],
)
def test_a_piece_of_a_part_may_contain_what_separates_parts(
    part: str, piece: str, url: str
) -> None:
    """It is percent-encoded where the part would be, as an operand of ``exact`` is."""
    page = Page.objects.create(url=url)
    Page.objects.create(url="https://a@example.com/b?c#d")
    assert str(page.url) == url
    for lookup in ("contains", "icontains"):
        assert Page.objects.get(**{f"url__{part}__{lookup}": piece}) == page
        assert Page.objects.exclude(**{f"url__{part}__{lookup}": piece}).count() == 1


def test_plain_text_is_looked_for_in_one_form() -> None:
    """So a common query has simple SQL."""
    sql = str(Page.objects.filter(url__icontains="docs/a?q=1&b=2#top").query)
    assert sql.count("LIKE") == 1
    assert " OR " not in sql
    assert str(Page.objects.filter(url__icontains="{x}").query).count("LIKE") == 2


@pytest.mark.parametrize(
    "piece", ["\u00c4pfel", "\u00e4PFEL", "\u00c4PF\u00c8l", "\u00e4pf\u00e8l \u00d6", "\u00c4.*(["]
)
def test_holds_ignores_the_case_of_every_letter(piece: str) -> None:
    """Beyond ASCII too, where the column holds other bytes for each case."""
    stored = piece.swapcase()
    for end in ("/a", "?a", "#a"):
        page = Page.objects.create(url=f"https://example.com{end}{stored}z")
        Page.objects.create(url=f"https://example.com{end}x")
        assert Page.objects.get(url__holds=piece) == page
        assert Page.objects.exclude(url__holds=piece).count() == 1
        Page.objects.all().delete()


def test_holds_takes_text_of_any_length() -> None:
    """Beyond the documented length, letters outside ASCII are found only as they are."""
    long = "\u00c4" * 200
    page = Page.objects.create(url=f"https://example.com/{long.lower()}")
    assert Page.objects.get(url__holds=long) == page
    assert not Page.objects.filter(url__holds=long + "\u00c4").exists()
    assert Page.objects.get(url__holds=long.lower()) == page
    assert not Page.objects.filter(url__holds="\u00c4" * 100_000).exists()
    assert not Page.objects.filter(url__holds="\ud800\u00c4\0").exists()


@pytest.mark.parametrize(
    ("lookup", "found", "other"),
    [
        ("contains", "Caf", "caf"),
        ("startswith", "https://example.com/C", "https://example.com/c"),
        ("endswith", "?q=X", "?q=x"),
    ],
)
def test_pieces_are_compared_with_their_letter_case(lookup: str, found: str, other: str) -> None:
    """This applies to every URL field, to every database and to every kind of operand."""
    text = "https://example.com/Caf[*]?q=X"
    for model, field in ((Page, "url"), (Issuer, "url"), (MenuItem, "link")):
        row = model.objects.create(**{field: text})
        name = f"{field}__{lookup}"
        for operand in (found, Lower(Value(found), function="TRIM")):
            assert model.objects.get(**{name: operand}) == row
        for operand in (other, Lower(Value(found))):
            assert not model.objects.filter(**{name: operand}).exists()
        assert model.objects.get(**{f"{field}__i{lookup}": other}) == row
        assert model.objects.get(**{name: ""}) == row
        assert not model.objects.filter(**{name: "/" + text}).exists()
    assert Page.objects.filter(url__path__contains="[*]").count() == 1
    assert not Page.objects.filter(url__path__startswith="/c").exists()
    assert not Page.objects.filter(url__path__endswith="F[*]").exists()
    assert not Page.objects.filter(url__query__endswith="x").exists()


_EVERY = [
    *("exact", "iexact", "in", "gt", "gte", "lt", "lte", "range"),
    *("contains", "icontains", "startswith", "istartswith", "endswith", "iendswith", "regex"),
]


@pytest.mark.parametrize("lookup", _EVERY)
@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800", "zé", "z" * 60_000])
def test_no_operand_of_text_is_a_database_error(lookup: str, text: str) -> None:
    """The database may be unable to store it, or it may be longer than a pattern."""
    if lookup == "regex":
        text = text[:1000]
    operand = {"in": [text], "range": (text, text)}.get(lookup, text)
    for model, field in ((Issuer, "url"), (MenuItem, "link"), (Page, "url__query")):
        condition = {f"{field}__{lookup}": operand}
        rows = model.objects.filter(**condition)
        assert not rows.exists()
        model.objects.create(**{field.partition("__")[0]: "https://example.com/?q=x"})
        found = list(rows.all())
        assert not found or lookup in {"gt", "gte", "lt", "lte"}
        assert len(found) + model.objects.exclude(**condition).count() == 1


@pytest.mark.parametrize("lookup", [each.lookup_name for each in TEXT_LOOKUPS])
@pytest.mark.parametrize("text", ["\0", "a\0b", "\ud800", "z" * 60_000])
def test_no_text_is_a_database_error_in_any_other_column(lookup: str, text: str) -> None:
    """Domains and params."""
    if lookup in ("regex", "iregex"):
        text = text[:1000]
    Link.objects.create(url="https://a.example/z")
    Item.objects.create(url="https://a.example/?id=z")
    for model, field in ((Link, "site"), (Item, "item")):
        try:
            found = model.objects.filter(**{f"{field}__{lookup}": text})
        except ValidationError:
            assert (field, lookup) == ("site", "iexact")  # It is not a domain.
            continue
        assert not found.exists()


def test_a_domain_is_compared_without_wildcards() -> None:
    """With ``iexact`` too, which is LIKE on some databases."""
    Link.objects.create(url="https://axb.example/")
    assert not Link.objects.filter(site__iexact="a_b.example").exists()
    link = Link.objects.create(url="https://a_b.example/")
    assert Link.objects.get(site__iexact="A_B.example") == link


@given(st.text(alphabet="aBz/:_@~-0", min_size=1, max_size=14), st.randoms(), st.text(max_size=3))
def test_every_spelling_is_in_a_range(text: str, random: Random, more: str) -> None:
    """Whatever its capital letters are, and whatever follows a start."""
    spelling = "".join(random.choice((char.lower(), char.upper())) for char in text)
    found = _ranges(text, ignores_case=True, has_scheme=False)
    assert any(low <= spelling <= high for low, high in found)
    ends = [(low, high[:-1] + chr(ord(high[-1]) + 1)) for low, high in found]
    assert any(low <= spelling + more < end for low, end in ends)
    assert len(found) <= 11


@pytest.mark.parametrize(
    "text", ["https://example.com", "100%", "%", "HTTPS://A.example", "", "\0"]
)
def test_the_admins_search_for_a_domain_takes_any_text(text: str) -> None:
    """``search_fields = ["=site"]`` is ``iexact``."""
    Link.objects.create(url="https://www.example.com/")
    assert not Link.objects.filter(site__iexact=text).exists()
    assert Link.objects.exclude(site__iexact=text).count() == 1
    assert Link.objects.filter(site__iexact="EXAMPLE.com").exists()
