"""`manage.py check_redirect_uris app.Model.field`: show redirect URIs that would match nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Final

import attrs
from django.core.management.base import CommandError

from django_whatwg_url.management.database_errors import DatabaseCommand
from django_whatwg_url.rows.run import column_named, text_column
from django_whatwg_url.rules.messages import presentable
from weburl.redirect_uris import RedirectURIProblem, RedirectURIs

_EXAMPLES: Final = 3
_SWITCHES: Final = ("allow_localhost", "allow_http", "subdomain_wildcards")


class Command(DatabaseCommand):
    """Reads the redirect URIs of a column, and changes nothing."""

    help = (
        "Count the redirect URIs in a text column that weburl.redirect_uris would refuse, by "
        "reason, and name the option that would allow each. Run it before you use the rules."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        add = parser.add_argument
        add(
            "column",
            metavar="app_label.Model.field",
            help="a text column with URIs between white space, such as redirect_uris",
        )
        for name in _SWITCHES:
            add(f"--{name.replace('_', '-')}", action="store_true", help="as in RedirectURIs")
        add("--schemes", nargs="+", default=[], metavar="SCHEME", help="as in RedirectURIs")

    def run(self, *, column: str, database: str, schemes: list[str], **named: Any) -> None:
        switches = {switch: named[switch] for switch in _SWITCHES}
        try:
            owner, field = text_column(*column_named(column))
            rules = RedirectURIs((), schemes=schemes, **switches)
        except ValueError as error:
            raise CommandError(str(error)) from error
        counts: Counter[str] = Counter()
        remedies: Counter[tuple[str, str]] = Counter()
        examples: dict[str, list[str]] = {}
        rows = 0
        manager: Any = owner._base_manager  # noqa: SLF001
        stored = manager.using(database).order_by("pk").values_list("pk", field.attname)
        for pk, text in stored.iterator():
            rows += 1
            for uri in str(text or "").split():
                problem = rules.problem(uri)
                code = "" if problem is None else problem.code
                counts[code] += 1
                if problem is not None:
                    remedies[code, _remedy(uri, problem, rules)] += 1
                    some = examples.setdefault(code, [])
                    if len(some) < _EXAMPLES:
                        some.append(f"{presentable(str(pk))}: {presentable(problem.entry)}")
        label = f"{owner._meta.label}.{field.name}"
        for line in _lines(label, rows, counts, remedies, examples):
            self.stdout.write(line)


def _remedy(uri: str, problem: RedirectURIProblem, rules: RedirectURIs) -> str:
    """Return what would make a URI valid, an option or another spelling, or "" for nothing."""
    if problem.suggestion:
        return "register the spelling of a browser"
    scheme = uri.partition(":")[0].lower()
    off = [name for name in _SWITCHES if not getattr(rules, name)]
    choices: list[tuple[str, dict[str, Any]]] = [(f"{name}=True", {name: True}) for name in off]
    try:
        with_scheme = {"schemes": RedirectURIs((), schemes=[*rules.schemes, scheme]).schemes}
    except ValueError:
        pass
    else:
        if scheme not in rules.schemes and "." not in scheme:
            choices.append((f"schemes=[{scheme!r}]", with_scheme))
    for count in range(1, len(choices) + 1):
        for some in combinations(choices, count):
            options = {key: value for _name, option in some for key, value in option.items()}
            if attrs.evolve(rules, **options).problem(uri) is None:
                return " and ".join(name for name, _option in some)
    return ""


def _lines(
    label: str,
    rows: int,
    counts: Counter[str],
    remedies: Counter[tuple[str, str]],
    examples: dict[str, list[str]],
) -> Iterator[str]:
    yield f"{label}: {rows:,} rows, {counts.total():,} redirect URIs"
    if counts[""]:
        yield f"{counts['']:>11,}  can be registered"
    for code in sorted(counts.keys() - {""}):
        yield f"{counts[code]:>11,}  {code}"
        found = {what: n for (of, what), n in remedies.items() if of == code}
        for what, number in sorted(found.items()):
            yield f"{'':13}{number:,}: {what or 'no option allows this'}"
        for example in examples[code]:
            yield f"{'':13}for example, {example}"
    if counts.keys() - {""}:
        yield "Those match no request. Let their owners change them, or set the options."
