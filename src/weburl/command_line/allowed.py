"""``weburl allowed``: the URLs that a policy allows."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

from weburl.command_line.arguments import (
    ArgumentParser,
    add_url_options,
    base_of,
    cannot_read,
    comma_separated,
    parser_of,
)
from weburl.command_line.lines import BadURLError, Work, answer_all
from weburl.command_line.statuses import BAD, CommandError
from weburl.command_line.writing import Complaints, Paint
from weburl.policies.host_list import HostList
from weburl.policies.policy import READY_POLICIES_OF_COMMANDS, URLPolicy
from weburl.policies.violations import PolicyViolation
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable
from weburl.standard.url.api import can_parse, parse
from weburl.standard.url.record import URLRecord

_LISTS: Final = {
    "schemes": ("NAMES", "only these schemes, separated by commas"),
    "hosts": ("HOSTS", "only these hosts: example.com, *.example.com, or .example.com for both"),
    "refused-hosts": ("HOSTS", "not these hosts, written in the same way"),
    "registrable-domains": ("DOMAINS", "only these domains, with all hosts below them"),
    "refused-registrable-domains": ("DOMAINS", "not these domains, with all hosts below them"),
    "networks": ("NETWORKS", "addresses only in these networks, such as 10.0.0.0/8"),
}
_FILES: Final = {
    "hosts-file": "only the hosts in this list, one on each line, written in the same way",
    "refused-hosts-file": "not the hosts in this block list: evil.example is only this host, "
    ".evil.example also all hosts below it",
}

_Judged = tuple[URLRecord, tuple[PolicyViolation, ...]]


def argument_parser() -> ArgumentParser:
    """Return the parser of the arguments after the word ``allowed``."""
    parser = parser_of(
        "allowed",
        "Print the URLs that a policy allows, in canonical text. Standard error says why the "
        "others are refused. All rules must allow a URL.",
        "weburl allowed --policy public-link --refused-hosts-file block.txt < urls.txt",
        bad="a URL is refused or cannot be parsed",
    )
    parser.add_argument(
        "--policy",
        type=lambda name: name.replace("_", "-"),
        choices=READY_POLICIES_OF_COMMANDS,
        help="a ready-made policy to begin with",
    )
    for name, (metavar, text) in _LISTS.items():
        parser.add_argument(f"--{name}", metavar=metavar, type=comma_separated, help=text)
    for name, text in _FILES.items():
        parser.add_argument(f"--{name}", metavar="FILE", help=text)
    parser.add_argument("--ports", metavar="PORTS", type=_ports, help="only these ports")
    parser.add_argument(
        "--no-credentials", action="store_true", help="no URL with a username or a password"
    )
    parser.add_argument("--no-ip-hosts", action="store_true", help="no address in place of a name")
    return add_url_options(parser)


def run(options: argparse.Namespace) -> int:
    """Print the URLs that the policy of the options allows."""
    base, (policy, has_left_out) = base_of(options), _policy(options)

    def judged(url: str) -> _Judged:
        record = parse(url, base)
        violations = policy.check(record, written=url if base is None or can_parse(url) else None)
        if violations and not options.json:
            reasons = " ".join(f"{each.code}: {each.message}" for each in violations)
            raise BadURLError(f"{record.redacted()} {reasons}")
        return record, violations

    status = answer_all(
        options,
        Work(
            judged,
            shown=_as_json if options.json else _as_text,
            is_good=lambda found: not found[1],
        ),
    )
    return status or BAD if has_left_out else status


def _as_text(_url: str, found: _Judged, _paint: Paint) -> str:
    return found[0].href


def _as_json(url: str, found: _Judged, _paint: Paint) -> str:
    record, violations = found
    return json.dumps(
        {
            "input": url,
            "href": record.href,
            "allowed": not violations,
            "violations": [
                {"code": each.code, "part": each.part, "message": each.message}
                for each in violations
            ],
        }
    )


def _policy(options: argparse.Namespace) -> tuple[URLPolicy, bool]:
    """Return the policy, and whether a line of a list of hosts was left out.

    Raises `CommandError` if there are no rules, or a rule is wrong.
    """
    has_left_out = False
    rules: dict[str, Any] = {"ports": options.ports}
    for name in _LISTS:
        field = name.replace("-", "_")
        rules[field] = getattr(options, field)
    for field in ("hosts", "refused_hosts"):
        path = getattr(options, f"{field}_file")
        if path is not None and rules[field] is not None:
            option = f"--{field.replace('_', '-')}"
            raise CommandError(f"pass {option} or {option}-file, not both")
        if path is not None:
            rules[field], lines_left_out = _hosts_in(path)
            has_left_out = has_left_out or lines_left_out > 0
    if options.no_credentials:
        rules["credentials"] = False
    if options.no_ip_hosts:
        rules["ip_hosts"] = False
    given = {name: value for name, value in rules.items() if value is not None}
    if options.policy is None and not given:
        raise CommandError("without --policy or a rule, every URL is allowed: name one")
    try:
        name = options.policy
        policy = URLPolicy() if name is None else getattr(URLPolicy, name.replace("-", "_"))()
        for rule, value in given.items():  # one by one: together, one of two lists would do
            policy = policy.narrowed(**{rule: value})
    except (TypeError, ValueError) as error:
        raise CommandError(masked(str(error))) from None
    return policy, has_left_out


def _hosts_in(path: str) -> tuple[HostList, int]:
    """Return the hosts in a list, and how many lines name none, which are complained of."""
    try:
        hosts, problems = HostList.read(Path(path))
    except OSError as error:
        raise cannot_read(path, error) from None
    except ValueError as error:
        raise CommandError(f"{masked(path)}: {error}") from None
    if not hosts:
        raise CommandError(f"{masked(path)}: there is no host in this list")
    complaints = Complaints()
    for problem in problems:
        complaints.add(f"{printable(masked(path))}:{problem.line}", f"left out: {problem.message}")
    return hosts, len(problems)


def _ports(text: str) -> list[int]:
    found = comma_separated(text)
    if not all(port.isascii() and port.isdigit() and len(port) < 6 for port in found):
        raise argparse.ArgumentTypeError("ports must be numbers, separated by commas")
    return list(map(int, found))
