"""Lookups that compare query parameters and path segments as if they were decoded.

The database searches the URL for every way to write the operand, with the regular expressions of
`ways_of_writing`. So it does not need to decode anything. The left sides are in `functions`. If
another expression, such as ``Lower``, computes text from one of them, Django's own lookups apply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.core.exceptions import EmptyResultSet, FieldError, FullResultSet, ValidationError
from django.db import NotSupportedError
from django.db.models import lookups
from django.utils.translation import gettext_lazy as _

from django_whatwg_url.column.values import text_of
from django_whatwg_url.query.expressions import class_in, joined
from django_whatwg_url.query.generics import AnyExact, AnyIn, AnyLookup, LookupMixin, Texts
from django_whatwg_url.query.lookups import PresentInMixin, PresentMixin, is_expression
from django_whatwg_url.query.plain_queries import PlainQuery
from django_whatwg_url.query.sql import POSITION
from django_whatwg_url.query.ways_of_writing import (
    LARGEST,
    LONGEST_OPERAND,
    MOST_REPLACEMENTS,
    REPLACEMENT,
    How,
    Place,
    encoded_plain,
    plain_piece,
    scalar_values,
    size,
    weight,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models.sql.compiler import SQLCompiler, _AsSqlType


class WrittenInURL:
    """A mixin for a `Transform` that finds percent-encoded text in a URL."""

    def readable_sql(
        self,
        compiler: SQLCompiler,  # noqa: ARG002  # overridden
        connection: BaseDatabaseWrapper,  # noqa: ARG002
    ) -> _AsSqlType | None:
        """Return a condition that is true if SQL can split the URL, or None if it always can."""
        return None

    def searched(self) -> Any:
        """Return the expression for the text that the database searches: the URL."""
        (url,) = self.get_source_expressions()  # type: ignore[attr-defined]  # Transform's
        return url

    def matching(
        self,
        pattern: str,
        plain: str,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        in_plain_query: Callable[[PlainQuery], _AsSqlType] | None = None,
    ) -> _AsSqlType:
        """Return SQL that is true if ``pattern`` matches, and false if the URL is NULL.

        ``plain``: a `plain_piece` of every match, or "". ``in_plain_query``: returns the same
        condition for URLs without "%" and "#".
        """
        check_size(pattern)
        found = compiler.compile(_Matching(self.searched(), pattern))
        (source,) = self.get_source_expressions()  # type: ignore[attr-defined]
        url = compiler.compile(source)
        if in_plain_query is not None and PlainQuery.is_known(connection.vendor):
            query = PlainQuery(url, connection.vendor)
            plainly = in_plain_query(query)
            found = (
                f"CASE WHEN {query.is_plain[0]} THEN {plainly[0]} ELSE {found[0]} END",
                (*query.is_plain[1], *plainly[1], *found[1]),
            )
        if not plain:
            return joined([found, _is_there(url, connection)], "AND")
        # Not AND, because PostgreSQL may evaluate the operands of AND in either order.
        likely = _may_hold(plain, url, connection)
        found = f"CASE WHEN {likely[0]} THEN {found[0]} ELSE 1 = 0 END", (*likely[1], *found[1])
        if connection.vendor == "postgresql":
            # LIKE is cheaper, and can use a trigram index.
            found = joined([_is_like(plain, url, connection), found], "AND")
        return found

    def if_readable(
        self, found: _AsSqlType, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType:
        """Return SQL that is true if ``found`` is, and SQL can split the URL."""
        readable = self.readable_sql(compiler, connection)
        return found if readable is None else joined([readable, found], "AND")


class EncodedText(WrittenInURL):
    """A mixin for a `Transform` that decodes one string of a URL. The lookups call its methods."""

    delimiter: ClassVar[str]
    """The characters directly before the text, never percent-encoded. Empty text may lack them."""
    is_always_there: ClassVar[bool] = False
    """Whether the text is "" for a URL without it, instead of NULL."""
    only_whole: ClassVar[bool] = False
    """Whether lookups can only compare the whole text, and not search for a piece of it."""

    def place(self, vendor: str) -> Place:
        """Return where the text is in the result of `searched`."""
        raise NotImplementedError

    def text_before(self) -> str:
        """Return the text before the delimiter, decoded."""
        return ""

    def check_text(self, text: str) -> None:
        """Raise ValidationError if no URL can have ``text`` here."""

    def presence_sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> _AsSqlType | None:
        """Return SQL that is true if the URL has this text, or None if every URL has it."""
        if self.is_always_there:
            return self.readable_sql(compiler, connection)
        return self.if_readable(self._somewhere(compiler, connection), compiler, connection)

    def check_texts(self, texts: Sequence[str], how: How, *, ignore_case: bool = False) -> None:
        """Raise ValidationError if `holding_sql` would be too large for a database."""
        for _pattern in self._patterns(texts, how, "", ignore_case=ignore_case):
            pass

    def check_presence(self) -> None:
        """Raise ValidationError if `presence_sql` would be too large for a database."""
        check_size(self.place("").holding_something())

    def _patterns(
        self, texts: Sequence[str], how: How, vendor: str, *, ignore_case: bool
    ) -> Iterator[tuple[list[str], str]]:
        """Yield ``texts`` in lists, each with a regular expression that finds any of the list."""
        place = self.place(vendor)
        if self.is_always_there:
            texts = [text for text in texts if text]
        for several in batches(texts):
            pattern = place.holding(several, how, ignore_case=ignore_case)
            check_size(pattern)
            yield several, pattern

    def holding_sql(
        self,
        texts: Sequence[str],
        how: How,
        compiler: SQLCompiler,
        connection: BaseDatabaseWrapper,
        *,
        ignore_case: bool = False,
    ) -> _AsSqlType:
        """Return SQL that is true if one of ``texts`` is found, and false if the URL is NULL."""
        terms = []
        if self.is_always_there and "" in texts:
            (source,) = self.get_source_expressions()  # type: ignore[attr-defined]
            there = _is_there(compiler.compile(source), connection)
            if how is How.EXACT:
                sql, params = self._somewhere(compiler, connection)
                terms.append(joined([(f"NOT {sql}", params), there], "AND"))
            else:  # Every string contains an empty piece.
                terms.append(there)
        patterns = self._patterns(texts, how, connection.vendor, ignore_case=ignore_case)
        for several, pattern in patterns:
            plain = plain_piece(self.text_before())
            if len(several) == 1 and not ignore_case:
                is_next = several[0] and how in {How.EXACT, How.START}
                plain = plain_piece(
                    self.text_before(), self.delimiter if is_next else "", several[0]
                )
            plainly = self.in_plain_query(several[0], how) if len(several) == 1 else None
            if ignore_case:
                plainly = None
            terms.append(self.matching(pattern, plain, compiler, connection, plainly))
        return self.if_readable(joined(terms, "OR"), compiler, connection)

    def in_plain_query(
        self,
        text: str,  # noqa: ARG002  # overridden
        how: How,  # noqa: ARG002
    ) -> Callable[[PlainQuery], _AsSqlType] | None:
        """Return a function that makes the condition for URLs without "%" and "#", or None."""
        return None

    def _somewhere(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        pattern = self.place(connection.vendor).holding_something()
        return self.matching(pattern, plain_piece(self.text_before()), compiler, connection)


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Yield ``texts`` in lists, each of them short enough for one regular expression."""
    batch: list[str] = []
    length = 0
    for text in texts:
        length += weight(text) + 1
        if batch and length > LONGEST_OPERAND:
            yield batch
            batch, length = [], weight(text) + 1
        batch.append(text)
    if batch:
        yield batch


def check_size(pattern: str) -> None:
    """Raise ValidationError if an expression is too large for a database."""
    if size(pattern) > LARGEST:
        raise _refusal(f"The name and the operand together are too long. {_TOO_LONG}")


def _is_there(url: _AsSqlType, connection: BaseDatabaseWrapper) -> _AsSqlType:
    """Return SQL that is true if a URL is not NULL. It makes a comparison false instead of NULL."""
    sql, params = url
    if params and connection.vendor == "postgresql":
        sql = f"({sql})::text"  # PostgreSQL cannot infer the type of a parameter.
    return f"{sql} IS NOT NULL", params


class _Matching(lookups.Regex):
    """Django's ``regex``, with a pattern that needs no preparation."""

    prepare_rhs = False


def _is_like(plain: str, url: _AsSqlType, connection: BaseDatabaseWrapper) -> _AsSqlType:
    """Return SQL for PostgreSQL that is true if a URL contains ``plain`` or a percent sign."""
    sql, params = url
    piece = f"%{connection.ops.prep_for_like_query(plain)}%"
    if encoded_plain(plain):
        return f"{sql} LIKE ANY (ARRAY[%s, %s])", (*params, piece, r"%\%%")
    return f"{sql} LIKE %s", (*params, piece)


def _may_hold(plain: str, url: _AsSqlType, connection: BaseDatabaseWrapper) -> _AsSqlType:
    """Return SQL that is true if a URL contains ``plain``, or may contain it percent-encoded.

    It is much faster than a regular expression, which then runs only for the remaining rows.
    """
    sql, params = url
    codes = encoded_plain(plain)
    if connection.vendor == "sqlite":
        # GLOB takes two thirds of the time of INSTR.
        letters = "".join(first for first, seconds in codes.items() if not seconds)
        glob = [plain.replace("?", "[?]"), *([f"%[{letters}]"] if letters else [])]
        glob += [f"%{first}[{seconds}]" for first, seconds in codes.items() if seconds]
        terms, found = [f"{sql} GLOB %s"] * len(glob), [f"*{each}*" for each in glob]
    else:
        terms, found = [f"{POSITION[connection.vendor]}({sql}, %s) > 0"], [plain]
        encoded = [
            f"%{first}{each}" for first, seconds in codes.items() for each in seconds or [""]
        ]
        if encoded:
            terms.append(f"{terms[0]} AND ({' OR '.join(terms * len(encoded))})")
            found += ["%", *encoded]
    return f"({' OR '.join(terms)})", tuple(param for own in found for param in (*params, own))


def operand_text(operand: object, what: str) -> str:
    """Return the text of an operand, which may be a string, a record or an int.

    Raises TypeError for another type, and ValidationError if the text is too long for a database.

    ``what``: how the message names the operand.
    """
    if operand is None or isinstance(operand, (bool, float, bytes, list, tuple, set, dict)):
        raise TypeError(f"{what} must be text or an int, not {type(operand).__name__}")
    text = scalar_values(text_of(operand))
    if len(text.encode()) > LONGEST_OPERAND or text.count(REPLACEMENT) > MOST_REPLACEMENTS:
        raise _refusal(
            f"{what} has more than {LONGEST_OPERAND} bytes of UTF-8 or {MOST_REPLACEMENTS} U+FFFD."
            f" {_TOO_LONG}"
        )
    return text


def _refusal(reason: str) -> ValidationError:
    # A visitor may have typed the operand, so the error has the type of other invalid operands.
    return ValidationError(
        _("This cannot be looked up: %(reason)s"), code="invalid", params={"reason": reason}
    )


_TOO_LONG: Final = (
    "That is too much for a database, which looks for every way to write it. Keep the value in a"
    " column of its own, or filter the rows in Python."
)


class EncodedLookup(LookupMixin):
    """A comparison with text. Every subclass is also one of Django's lookups.

    If the left side is not an `EncodedText`, it behaves as that lookup.
    """

    how: ClassVar[How]
    ignore_case: ClassVar[bool] = False
    texts: list[str] | None = None
    """The operands, if the database searches for every way to write them."""

    def get_prep_lookup(self) -> Any:
        if not isinstance(self.lhs, EncodedText):
            return super().get_prep_lookup()
        if is_expression(self.rhs):
            return self.prepare_expression()
        if self.rhs is not None:  # Django uses isnull instead.
            self.texts = self.prepare_texts(self.rhs)
            self.lhs.check_texts(self.texts, self.how, ignore_case=self.ignore_case)
        return self.rhs

    def prepare_texts(self, operand: Any) -> list[str]:
        """Return the strings to search for."""
        return [self._text(operand)]

    def prepare_expression(self) -> Any:
        """Return an expression as the operand. Raises TypeError if the lookup requires text."""
        raise TypeError(f"{self.lookup_name} takes text here, not an expression")

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if self.texts is None:
            return super().as_sql(compiler, connection)
        if not self.texts:
            raise EmptyResultSet
        return self.lhs.holding_sql(  # type: ignore[no-any-return]
            self.texts, self.how, compiler, connection, ignore_case=self.ignore_case
        )

    def _text(self, operand: object) -> str:
        text = operand_text(operand, f"the operand of {self.lookup_name}")
        if self.how is not How.EXACT and self.lhs.only_whole:
            raise NotSupportedError(
                f"{self.lookup_name} cannot be exact here: use exact, iexact or in"
            )
        self.lhs.check_text(text)
        if REPLACEMENT in text and self.how in {How.END, How.PIECE}:
            raise _refusal(
                f"{self.lookup_name} cannot look for U+FFFD, for which URLs may have any bytes that"
                " are not UTF-8: compare the whole text, or filter the rows in Python"
            )
        return text


class EncodedExact(EncodedLookup, PresentMixin, AnyExact):
    """``url__query_params__q="a b"``."""

    how = How.EXACT

    def prepare_expression(self) -> Any:
        return super(EncodedLookup, self).get_prep_lookup()


class EncodedIn(EncodedLookup, PresentInMixin, AnyIn):
    """``url__query_params__q__in``. None in the list finds no rows."""

    how = How.EXACT

    def get_prep_lookup(self) -> Any:
        prepared = super().get_prep_lookup()
        # The texts do not include None. `PresentInMixin` says why.
        return prepared if self.texts is None else self.texts

    def prepare_texts(self, operand: Any) -> list[str]:
        return [self._text(each) for each in several(operand, "in") if each is not None]

    def prepare_expression(self) -> Any:
        return super(EncodedLookup, self).get_prep_lookup()


class _ValueMixin(LookupMixin):
    """A comparison with the decoded text, which the database must be able to decode."""

    def get_prep_lookup(self) -> Any:
        if isinstance(self.lhs, EncodedText) and not is_expression(self.rhs):
            self.rhs: Any = self.prepare_operand(self.rhs)
        return super().get_prep_lookup()

    def prepare_operand(self, operand: Any) -> Any:
        """Return the operand as text, without NUL, which PostgreSQL cannot compare."""
        text = operand_text(operand, f"the operand of {self.lookup_name}")
        if "\0" in text:
            raise _refusal(f"{self.lookup_name} cannot compare the character U+0000")
        return text


class EncodedRange(_ValueMixin, PresentMixin, lookups.Range):
    """``url__query_params__q__range``."""

    def prepare_operand(self, operand: Any) -> Any:
        prepare = super().prepare_operand
        return [
            each if is_expression(each) else prepare(each) for each in several(operand, "range")
        ]


class _RegexMixin(LookupMixin):
    """Compares characters on MariaDB, where Django's ``regex`` compares bytes.

    The decoded value has a binary collation, which Django's ``iregex`` does not expect.
    """

    flag: ClassVar[str] = ""

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if connection.vendor != "mysql" or not isinstance(self.lhs, EncodedText):
            return super().as_sql(compiler, connection)
        sql, params = self.process_lhs(compiler, connection)
        pattern, pattern_params = self.process_rhs(compiler, connection)
        return f"{sql} REGEXP CONCAT('{self.flag}', {pattern})", (*params, *pattern_params)


class EncodedRegex(_ValueMixin, PresentMixin, _RegexMixin, lookups.Regex):
    """``url__query_params__q__regex``: an expression of the database, for the decoded text."""


class EncodedIRegex(_ValueMixin, PresentMixin, _RegexMixin, lookups.IRegex):
    """``url__query_params__q__iregex``."""

    flag = "(?i)"


class EncodedIsNull(lookups.IsNull):
    """``url__query_params__q__isnull``: true if the URL does not have the text."""

    def get_prep_lookup(self) -> Any:
        if isinstance(self.lhs, EncodedText):
            self.lhs.check_presence()
        return super().get_prep_lookup()

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if not isinstance(self.lhs, EncodedText) or not isinstance(self.rhs, bool):
            return super().as_sql(compiler, connection)
        present = self.lhs.presence_sql(compiler, connection)
        if present is None:
            (url,) = self.get_source_expressions()[0].get_source_expressions()
            return compiler.compile(lookups.IsNull(url, self.rhs))
        return f"({present[0]}) IS {'NOT ' if self.rhs else ''}TRUE", present[1]


def several(operand: Any, lookup: str) -> list[Any]:
    """Return the operand of a lookup that takes several. Raises TypeError for one text."""
    if isinstance(operand, (str, bytes)) or not hasattr(operand, "__iter__"):
        raise TypeError(f"{lookup} takes a list, not {type(operand).__name__}")
    return list(operand)


_HOW: Final[dict[type[lookups.Lookup[Any]], How]] = {
    lookups.IExact: How.EXACT,
    lookups.StartsWith: How.START,
    lookups.IStartsWith: How.START,
    lookups.EndsWith: How.END,
    lookups.IEndsWith: How.END,
    lookups.Contains: How.PIECE,
    lookups.IContains: How.PIECE,
}

ENCODED_LOOKUPS: Final[tuple[type[lookups.Lookup[Any]], ...]] = (
    EncodedExact,
    EncodedIn,
    EncodedRange,
    EncodedRegex,
    EncodedIRegex,
    EncodedIsNull,
    *(
        class_in(
            globals(), "Encoded", EncodedLookup, each,
            how=how, ignore_case=str(each.lookup_name).startswith("i"),
        )
        for each, how in _HOW.items()
    ),
    *(
        class_in(globals(), "Encoded", _ValueMixin, PresentMixin, each)
        for each in (
            lookups.GreaterThan,
            lookups.GreaterThanOrEqual,
            lookups.LessThan,
            lookups.LessThanOrEqual,
        )
    ),
)  # fmt: skip


class _EncodedTextField(Texts):
    """The type of expressions that decode text of a URL. It has no column."""

    def get_internal_type(self) -> str:
        return "TextField"


for _lookup in ENCODED_LOOKUPS:
    _EncodedTextField.register_lookup(_lookup)

ENCODED_TEXT: Final = _EncodedTextField()
"""The ``output_field`` of an `EncodedText`, with the lookups of this module."""


# Lookups on all params.


HOW_TO_NAME_A_PARAM: Final = (
    'Name one, as in url__query_params__q="…", or ask for names with has, has_any or has_all. A'
    ' param whose name is also that of a lookup is QueryParam("url", "exact").'
)


HOW_TO_NAME_A_SEGMENT: Final = (
    'Name one segment by its number from 0 to 254, as in url__path_segment__0="…". Numbers below 0,'
    ' which count from the end, are for URLPathSegment("url", -1).'
)


class ParamsLookup(AnyLookup):
    """A condition on the names of the params. ``names``: the operand, decoded."""

    prepare_rhs = False
    names: list[str]

    def get_prep_lookup(self) -> Any:
        if is_expression(self.rhs):
            raise TypeError(f"{self.lookup_name} takes text, not an expression")
        self.names = [operand_text(name, "the name of a param") for name in self.operands()]
        for together in self.searches():
            self.lhs.check_names(together)
        return self.rhs

    def operands(self) -> list[Any]:
        """Return the operand as a list of names."""
        return several(self.rhs, str(self.lookup_name))

    def searches(self) -> list[list[str]]:
        """Return lists of names. The URL must have a param of each list."""
        return [self.names]

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        found = [
            self.lhs.holding_name_sql(together, compiler, connection)
            for together in self.searches()
        ]
        return joined(found, "AND")


class HasParam(ParamsLookup):
    """``url__query_params__has="utm_source"``: URLs with that param."""

    lookup_name: str | None = "has"

    def operands(self) -> list[Any]:
        return [self.rhs]


class HasAnyParam(ParamsLookup):
    """``url__query_params__has_any=["fbclid", "gclid"]``: URLs with at least one of them."""

    lookup_name: str | None = "has_any"

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if not self.names:
            raise EmptyResultSet
        return super().as_sql(compiler, connection)


class HasAllParams(ParamsLookup):
    """``url__query_params__has_all=["x", "y"]``: URLs with all of these params."""

    lookup_name: str | None = "has_all"

    def searches(self) -> list[list[str]]:
        return [[name] for name in self.names]

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> _AsSqlType:
        if not self.names:
            raise FullResultSet
        return super().as_sql(compiler, connection)


class _NotOfAllParams(ParamsLookup):
    """Refuses a lookup that needs the name of one param."""

    def get_prep_lookup(self) -> Any:
        raise FieldError(HOW_TO_NAME_A_PARAM)


PARAMS_LOOKUPS: Final[dict[str, type[lookups.Lookup[Any]]]] = {
    "has": HasParam,
    "has_any": HasAnyParam,
    "has_all": HasAllParams,
    "exact": _NotOfAllParams,
    "isnull": _NotOfAllParams,
}
"""The lookups on all params, by name. Any other name is the name of a param."""
