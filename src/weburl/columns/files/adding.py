"""The columns that are added: their names, their types, and their values for a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

import attrs
import pyarrow as pa
import pyarrow.compute as pc

from weburl import columns
from weburl.columns import Column
from weburl.columns.files.arguments import (
    FUNCTIONS,
    FUNCTIONS_OF_HOSTS,
    NAMES,
    NAMES_OF_HOSTS,
    OF_POLICY,
    OF_SUFFIXES,
)
from weburl.columns.files.errors import FileError, listed
from weburl.columns.options import names_and_prefixes
from weburl.columns.table import PARTS
from weburl.keys import RULE_NAMES, KeyRules
from weburl.policies.policy import URLPolicy
from weburl.policies.violations import READERS_DISAGREE

_WITHOUT: Final = "without_params"
_AGREEMENT: Final = URLPolicy(require_agreement=True)

_FUNCTIONS: Final[dict[str, Callable[..., Column]]] = {
    command: getattr(columns, name) for command, name in FUNCTIONS.items()
}
_OF_HOSTS: Final[dict[str, Callable[[Column], Column]]] = {
    command: getattr(columns, name) for command, name in FUNCTIONS_OF_HOSTS.items()
}


def _rules(text: str) -> KeyRules:
    """Return the ready rules of that name, or those in JSON. Raises ValueError and TypeError."""
    return KeyRules.named(text) if text in RULE_NAMES else KeyRules.from_json(text)


class Added(NamedTuple):
    """The columns added to a batch, and the failure of each bad row, null for the others.

    ``ends``: where the rows begin and end that are added for each row, if that is not one.
    """

    columns: pa.RecordBatch
    errors: pa.Array
    ends: pa.Array | None = None


@attrs.frozen
class Adding:
    """The columns to add.

    ``names``: some of `NAMES`. ``params``: names in the query, each for a column "param_NAME".
    ``base``: the base of all URLs. ``prefix``: what the names of the columns begin with.
    ``keys`` and ``key_hashes``: names of ready rules, or rules in JSON, each for a column
    "key_NAME" or "key_hash_NAME". ``of_hosts``: whether the column has bare hosts instead of URLs;
    then there are no params, keys and bases. ``without``: names of params, for the URLs without
    them. ``private``: whether the private domains of the Public Suffix List count. ``policy``: what
    "allowed" and "refusal" ask.
    """

    names: tuple[str, ...]
    params: tuple[str, ...] = ()
    base: str | None = None
    prefix: str = ""
    keys: tuple[str, ...] = ()
    of_hosts: bool = False
    without: str | None = None
    private: bool = True
    policy: URLPolicy | None = None
    key_hashes: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        known = NAMES_OF_HOSTS if self.of_hosts else NAMES
        unknown = [name for name in self.names if name not in known]
        if unknown:
            of_hosts = " with --hosts" if self.of_hosts else ""
            others = {"key": "--key page", "param": "--param NAME", "search_param": "--param NAME"}
            own = [f"; for {name!r}, use {others[name]}" for name in unknown if name in others]
            raise FileError(
                f"--add does not accept {listed(unknown)}{of_hosts}; it accepts {', '.join(known)}"
                + ("" if self.of_hosts else "".join(own))
            )
        if (self.policy is None) == any(name in OF_POLICY for name in self.names):
            raise FileError(
                f"--policy (or --refused-hosts-file) and --add {' or '.join(OF_POLICY)} need each"
                " other"
            )
        _without_wrong_values(lambda: self.rules, "--key")
        _without_wrong_values(lambda: self.rules_of_hashes, "--key-hash")
        if self.without is not None:
            _without_wrong_values(partial(names_and_prefixes, self.without), "--without")
        names = [name.lower() for name in self.column_names]  # DuckDB does not distinguish case.
        twice = {name for name in self.column_names if names.count(name.lower()) > 1}
        if twice:
            raise FileError(f"{listed(sorted(twice))} would be added twice")

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        params = (f"param_{name}" for name in self.params)
        keys = (f"key_{rules.name}" for rules in self.rules)
        hashes = (f"key_hash_{rules.name}" for rules in self.rules_of_hashes)
        without = () if self.without is None else (_WITHOUT,)
        names = (*self.names, *params, *keys, *hashes, *without)
        return [f"{self.prefix}{name}" for name in names]

    @property
    def rules(self) -> list[KeyRules]:
        """The rules of the keys. Raises ValueError and TypeError if they are wrong."""
        return [_rules(key) for key in self.keys]

    @property
    def rules_of_hashes(self) -> list[KeyRules]:
        """The rules of the hashes of keys. Raises ValueError and TypeError if they are wrong."""
        return [_rules(key) for key in self.key_hashes]

    @property
    def error_name(self) -> str:
        """The name of the column of errors, even if it is not added."""
        return f"{self.prefix}error"

    def compute(self, urls: pa.Array, bases: pa.Array | None) -> Added:
        """Return what is added to rows with these URLs.

        ``bases``: a base for each row, or None to use ``self.base``. Raises TypeError if the
        columns are not text, and OverflowError for more than 2 GB of text.
        """
        if self.of_hosts:
            return self._of_hosts(urls)
        base = self.base if bases is None else bases
        hrefs, errors = columns.canonicalize(urls, base, errors="name").flatten()
        # Read everything else from the canonical URLs: this is faster and needs no base.
        parts = dict(self._parts(hrefs))
        made = [
            self._of_policy(name, urls, hrefs, errors, is_joined=base is not None)
            if name in OF_POLICY
            else self._value(name, hrefs, errors, parts)
            for name in self.names
        ]
        made += [columns.search_param(hrefs, name) for name in self.params]
        made += [columns.key(hrefs, rules) for rules in self.rules]
        made += [columns.key_hash(hrefs, rules) for rules in self.rules_of_hashes]
        if self.without is not None:
            names, prefixes = names_and_prefixes(self.without)
            made.append(columns.without_query_params(hrefs, *names, prefixes=prefixes))
        return Added(pa.RecordBatch.from_arrays(made, self.column_names), errors)

    def _of_hosts(self, hosts: pa.Array) -> Added:
        canonical = columns.canonical_host(hosts)
        _, errors = columns.is_ip(hosts, errors="name").flatten()
        ready = {
            "canonical": canonical,
            "error": errors,
            "can_parse": _can_parse(canonical, errors),
        }
        made = [
            ready[name] if name in ready else self._called(_OF_HOSTS[name], name, canonical)
            for name in self.names
        ]
        return Added(pa.RecordBatch.from_arrays(made, self.column_names), errors)

    def _parts(self, hrefs: pa.Array) -> Iterator[tuple[str, pa.Array]]:
        wanted = [part for part in PARTS if part in self.names]
        if len(wanted) < 2:
            for part in wanted:
                yield part, columns.part(hrefs, part)
        else:
            yield from zip(PARTS, columns.parse(hrefs).flatten(), strict=True)

    def _value(
        self,
        name: str,
        hrefs: pa.Array,
        errors: pa.Array,
        parts: dict[str, pa.Array],
    ) -> pa.Array:
        match name:
            case "canonical":
                return hrefs
            case "error":
                return errors
            case "can_parse":
                return _can_parse(hrefs, errors)
            case part if part in parts:
                return parts[part]
        return self._called(_FUNCTIONS[name], name, hrefs)

    def _called(self, function: Callable[..., Column], name: str, texts: pa.Array) -> pa.Array:
        """Return what a function computes for strings, with its option if it has one."""
        if name in OF_SUFFIXES:
            return function(texts, private=self.private)
        return function(texts)

    def _of_policy(
        self, name: str, urls: pa.Array, hrefs: pa.Array, errors: pa.Array, *, is_joined: bool
    ) -> pa.Array:
        """Return the answers of the policy. It reads the strings themselves if they are whole URLs.

        ``is_joined``: whether the URLs are joined to bases.
        """
        answers = _FUNCTIONS[name](hrefs if is_joined else urls, policy=self.policy)
        if not is_joined:
            return answers
        reasons = errors.cast(pa.string())
        if self.policy is not None and self.policy.require_agreement:
            # Whole URLs among them are compared as they are written, as without bases.
            of_texts = columns.refusal(urls, _AGREEMENT).cast(pa.string())
            disagree = pc.equal(of_texts, READERS_DISAGREE).fill_null(False)
            reasons = pc.if_else(disagree, pc.coalesce(reasons, READERS_DISAGREE), reasons)
        if name == "allowed":
            return pc.if_else(reasons.is_valid(), False, answers)
        return pc.coalesce(errors.cast(pa.string()), answers.cast(pa.string()), reasons)


def _without_wrong_values(read: Callable[[], object], option: str) -> None:
    """Raise `FileError` with the name of an option if its value cannot be read."""
    try:
        read()
    except (TypeError, ValueError) as error:
        raise FileError(f"{option}: {error}") from None


def _can_parse(hrefs: pa.Array, errors: pa.Array) -> pa.Array:
    """Return true for a canonical URL, false for an error, and null for a null row."""
    there = hrefs.is_valid()
    return pc.if_else(pc.or_(there, errors.is_valid()), there, pa.scalar(None, pa.bool_()))
