"""What is computed for each row: columns about its URL, or the links of its page."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate
from typing import Any, Final, NamedTuple, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from weburl import columns
from weburl.columns.files.arguments import (
    DEFAULT_ADD,
    DEFAULT_LINKS,
    FUNCTIONS,
    FUNCTIONS_OF_HOSTS,
    NAMES,
    NAMES_OF_HOSTS,
    OF_BUCKETS,
    OF_POLICY,
    OF_SUFFIXES,
)
from weburl.columns.files.errors import FileError, listed
from weburl.columns.files.policy import policy_of
from weburl.columns.options import names_and_prefixes
from weburl.columns.table import LINK_FIELDS, PARTS
from weburl.keys import RULE_NAMES, KeyRules
from weburl.policies.policy import URLPolicy
from weburl.policies.violations import READERS_DISAGREE
from weburl.standard.infra.arguments import comma_separated, text_of
from weburl.standard.infra.strings import to_scalar_value_string

_AGREEMENT: Final = URLPolicy(require_agreement=True)
_PAGES: Final = 32  # that are read at a time
# The pages of a batch may all be hostile, and then have this many code points of links each.
_MOST_OF_PAGE: Final = 10_000_000
_NOT_WITH_LINKS: Final = (
    *("column", "param", "key", "key_hash", "policy", "refused_hosts_file", "without", "hosts"),
    *("no_private", "partition_by"),
)
_Function: TypeAlias = Callable[[pa.Array], pa.Array]


class Added(NamedTuple):
    """The columns for a batch, and the failure of each bad row, null for the others.

    ``ends``: where the rows begin and end that are added for each row, if that is not one.
    """

    columns: list[pa.Array]
    errors: pa.Array
    ends: pa.Array | None = None


class Columns:
    """Columns about the URL or the host in each row.

    ``column_names``: their names. ``error_name`` and ``row_name``: the names of the columns of
    errors and of numbers in the file of bad rows.
    """

    def __init__(self, options: Namespace, base: str | None) -> None:
        """Read the options. Raises `FileError` for wrong values.

        ``base``: the base of all URLs.
        """
        _refuse_combinations(options)
        self._base = base
        self._of_hosts: bool = options.hosts
        self._policy = policy_of(options.policy, options.refused_hosts_file)
        self._functions = [*_functions(options, _names_of(options))]
        names = [name for name, _ in self._functions]
        self._parts = [name for name in names if name in PARTS]
        self._of_policy = [name for name in names if name in OF_POLICY]
        if (self._policy is None) == bool(self._of_policy):
            raise FileError(
                f"--policy (or --refused-hosts-file) and --add {' or '.join(OF_POLICY)} need each"
                " other"
            )
        self.column_names: list[str] = [f"{options.prefix}{name}" for name in names]
        self.error_name: str = f"{options.prefix}error"
        self.row_name: str = f"{options.prefix}row"
        _refuse_twice(self.column_names)

    def compute(self, urls: pa.Array, bases: pa.Array | None) -> Added:
        """Return what is added to rows with these URLs.

        ``bases``: a base for each row, or None to use the one for all. Raises TypeError if the
        columns are not text, and OverflowError for more than 2 GB of text.
        """
        base = self._base if bases is None else bases
        if self._of_hosts:
            canonical = columns.canonical_host(urls)
            _, errors = columns.is_ip(urls, errors="name").flatten()
        else:
            canonical, errors = columns.canonicalize(urls, base, errors="name").flatten()
        is_there = canonical.is_valid()
        is_null = pc.invert(pc.or_(is_there, errors.is_valid()))
        can_parse = pc.if_else(is_null, pa.scalar(None, pa.bool_()), is_there)
        made = {"canonical": canonical, "error": errors, "can_parse": can_parse}
        if len(self._parts) > 1:
            made |= zip(PARTS, columns.parse(canonical).flatten(), strict=True)
        for name in self._of_policy:
            made[name] = self._judged(name, urls, canonical, errors, is_joined=base is not None)
        # Everything else is read from the canonical URLs: that is faster, and needs no base.
        functions = self._functions
        answers = [made[name] if name in made else of(canonical) for name, of in functions]
        return Added(answers, errors)

    def _judged(
        self, name: str, urls: pa.Array, hrefs: pa.Array, errors: pa.Array, *, is_joined: bool
    ) -> pa.Array:
        """Return the answers of the policy. It reads the strings themselves if they are whole URLs.

        ``is_joined``: whether the URLs are joined to bases.
        """
        answers: pa.Array = getattr(columns, name)(hrefs if is_joined else urls, self._policy)
        if not is_joined:
            return answers
        reasons = errors.cast(pa.string())
        if self._policy is not None and self._policy.require_agreement:
            # Whole URLs among them are compared as they are written, as without bases.
            of_texts = columns.refusal(urls, _AGREEMENT).cast(pa.string())
            disagree = pc.equal(of_texts, READERS_DISAGREE).fill_null(False)
            reasons = pc.if_else(disagree, pc.coalesce(reasons, READERS_DISAGREE), reasons)
        if name == "allowed":
            return pc.if_else(reasons.is_valid(), False, answers)
        return pc.coalesce(errors.cast(pa.string()), answers.cast(pa.string()), reasons)


class Links:
    """The links of the page in each row: a row for each of them.

    ``page_name``: the name of the column of the numbers of the pages. The others are as in
    `Columns`.
    """

    def __init__(self, options: Namespace, base: str | None, base_column: str | None) -> None:
        """Read the options. Raises `FileError` for wrong values, and for some that exclude others.

        ``base`` or ``base_column``: the address of all pages, or the name of their column.
        """
        for name in _NOT_WITH_LINKS:
            if getattr(options, name):
                raise FileError(f"--links cannot be combined with --{name.replace('_', '-')}")
        if base is None and base_column is None:
            raise FileError(
                "--links needs --base: the column with the addresses, or one URL for all"
            )
        from weburl.columns import html  # it needs an extra

        self._html = html
        self._base = base
        names = comma_separated(DEFAULT_LINKS if options.add is None else options.add)
        if not names:
            raise FileError(f"--add is empty; it accepts {', '.join(LINK_FIELDS)}")
        _refuse_unknown("--add", names, LINK_FIELDS, " with --links")
        _refuse_unknown("--kinds", options.kinds or (), html.KINDS, " with --links")
        self._fields: Any = tuple(dict.fromkeys((*names, "error")))
        self._kinds = options.kinds
        self.column_names: list[str] = [f"{options.prefix}{name}" for name in names]
        self.error_name: str = f"{options.prefix}error"
        self.page_name: str = f"{options.prefix}page"
        _refuse_twice(self.column_names)
        if base_column == self.page_name:
            raise FileError(
                f"the numbers of the pages have the name {listed([self.page_name])}, too:"
                " use --prefix for other names"
            )

    def compute(self, bodies: pa.Array, addresses: pa.Array | None) -> Added:
        """Return the links of pages. A page that cannot be read has one link, with only its error.

        Raises TypeError if the columns are not text, or bytes for bodies.
        """
        address = self._base if addresses is None else addresses
        assert address is not None
        tables = []
        for start in range(0, len(bodies) or 1, _PAGES):
            table = self._html.link_table(
                bodies.slice(start, _PAGES),
                address if isinstance(address, str) else address.slice(start, _PAGES),
                self._kinds,
                fields=self._fields,
                limits=self._html.Limits(resolved_length=_MOST_OF_PAGE),
                errors="name",
            )
            tables.append(table.set_column(0, "page", pc.add(table["page"], start)))
        page, *found = (column.combine_chunks() for column in pa.concat_tables(tables).columns)
        counts = Counter(page.to_pylist())
        ends = accumulate((counts[row] for row in range(len(bodies))), initial=0)
        made = found[: len(self.column_names)]
        return Added(made, found[self._fields.index("error")], pa.array(ends, pa.int32()))


# --- the options ----------------------------------------------------------------------------------


def _refuse_combinations(options: Namespace) -> None:
    if options.kinds is not None:
        raise FileError("--kinds is for --links")
    others = (options.param, options.key, options.key_hash, options.without, options.base)
    if options.hosts and (any(others) or options.partition_by == OF_BUCKETS):
        raise FileError(
            "--hosts cannot be combined with --param, --key, --key-hash, --without, --base and"
            f" --partition-by {OF_BUCKETS}"
        )
    for name in (options.column, options.base, options.prefix, *options.param):
        # Python turns bytes of the command line that are not UTF-8 into lone surrogates.
        if name is not None and to_scalar_value_string(name) != name:
            raise FileError("the names of columns and --base must be UTF-8")


def _names_of(options: Namespace) -> list[str]:
    """Return the names of ``--add``, and of what other options need."""
    known = NAMES_OF_HOSTS if options.hosts else NAMES
    by = options.partition_by
    others = options.param or options.key or options.key_hash or options.without
    default = "" if others else DEFAULT_ADD
    names = comma_separated(default if options.add is None else options.add)
    if not (names or others or by):
        raise FileError(f"--add is empty; it accepts {', '.join(known)}")
    of_others = {"key": "--key page", "param": "--param NAME", "search_param": "--param NAME"}
    hints = [f"; for {name!r}, use {of_others[name]}" for name in names if name in of_others]
    end = "" if options.hosts else "".join(hints)
    _refuse_unknown("--add", names, known, " with --hosts" if options.hosts else "", end)
    return names if by in (None, OF_BUCKETS, *names) else [*names, by]


def _functions(options: Namespace, names: list[str]) -> Iterator[tuple[str, _Function]]:
    """Yield the names of the new columns, each with what computes it from canonical URLs."""
    own = FUNCTIONS_OF_HOSTS if options.hosts else FUNCTIONS
    for name in names:
        function: Any = None  # `Columns.compute` itself makes the rest.
        if name in own:
            function = getattr(columns, own[name])
        elif name in PARTS:
            function = partial(columns.part, part=name)
        if name in OF_SUFFIXES:
            function = partial(function, private=not options.no_private)
        yield name, function
    for name in options.param:
        yield f"param_{name}", partial(columns.search_param, name=name)
    for rules in _rules("--key", options.key):
        yield f"key_{rules.name}", partial(columns.key, rules=rules)
    hashes = options.key_hash
    if options.partition_by == OF_BUCKETS:
        hashes = hashes or ["page"]
        if len(hashes) > 1:
            raise FileError(f"--partition-by {OF_BUCKETS} needs one --key-hash")
    for rules in _rules("--key-hash", hashes):
        yield f"key_hash_{rules.name}", partial(columns.key_hash, rules=rules)
    if options.without is not None:
        try:
            params, prefixes = names_and_prefixes(options.without)
        except ValueError as error:
            raise FileError(f"--without: {error}") from None
        yield (
            "without_params",
            lambda hrefs: columns.without_query_params(hrefs, *params, prefixes=prefixes),
        )


def _rules(option: str, given: Iterable[str]) -> Iterator[KeyRules]:
    """Yield ready rules, and those in JSON or in a file of it."""
    for text in given:
        if text in RULE_NAMES:
            yield KeyRules.named(text)
            continue
        try:
            json = text if text.lstrip().startswith("{") else text_of(text)
        except (OSError, ValueError):
            raise FileError(
                f"{option} does not accept {listed([text])}; it accepts {', '.join(RULE_NAMES)},"
                " JSON of rules, and a file of it"
            ) from None
        try:
            yield KeyRules.from_json(json)
        except (TypeError, ValueError) as error:
            raise FileError(f"{option}: {error}") from None


def _refuse_unknown(
    option: str, names: Iterable[str], known: tuple[str, ...], where: str, end: str = ""
) -> None:
    if unknown := [name for name in names if name not in known]:
        raise FileError(
            f"{option} does not accept {listed(unknown)}{where}; it accepts {', '.join(known)}{end}"
        )


def _refuse_twice(names: list[str]) -> None:
    lower = [name.lower() for name in names]  # DuckDB does not distinguish case.
    if twice := sorted({name for name in names if lower.count(name.lower()) > 1}):
        raise FileError(f"{listed(twice)} would be added twice")
