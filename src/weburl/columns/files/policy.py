"""The policy that ``--policy`` and ``--refused-hosts-file`` name."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import Final

from weburl.columns.files.errors import FileError, listed
from weburl.policies.host_list import HostList
from weburl.policies.policy import READY_POLICIES, READY_POLICIES_OF_COMMANDS, URLPolicy
from weburl.standard.infra.arguments import text_of
from weburl.standard.infra.credentials import masked
from weburl.standard.infra.explanations import printable

_IMPORT_PATH: Final = re.compile(r"\w+(\.\w+)*[.:]\w+(\.\w+)*")


def policy_of(name: str | None, refused_hosts_file: str | None) -> URLPolicy | None:
    """Return the policy with this name, which also refuses the hosts in a block list.

    ``name``: a ready policy, written with "-" or "_", a file with the rules in JSON, or the import
    path of a policy or of a function that returns one. Lines of the list without a host are told on
    standard error. Raises `FileError` if there is no such policy, or the list cannot be read.
    """
    policy = None if name is None else _named(name)
    if refused_hosts_file is None:
        return policy
    return (policy or URLPolicy()).narrowed(refused_hosts=_hosts_in(refused_hosts_file))


def _named(name: str) -> URLPolicy:
    try:
        ready_name = name.replace("-", "_")
        if ready_name in READY_POLICIES:
            return URLPolicy.from_json(json.dumps({"from": ready_name}))
        path = Path(name)
        if _IMPORT_PATH.fullmatch(name) and not path.exists():
            return _imported(name)
        return URLPolicy.from_json(text_of(str(path)))
    except (OSError, ImportError, AttributeError) as error:
        ready = ", ".join(READY_POLICIES_OF_COMMANDS)
        why = getattr(error, "strerror", None) or error
        raise FileError(
            f"--policy takes {ready}, a file or an import path; {listed([name])} cannot be read:"
            f" {why}"
        ) from None
    except (TypeError, ValueError) as error:
        raise FileError(f"--policy, {listed([name])}: {error}") from None


def _imported(name: str) -> URLPolicy:
    here = str(Path.cwd())
    # `python -m weburl` looks in this folder, but a script looks in its own.
    if not sys.flags.safe_path and {"", here}.isdisjoint(sys.path):
        sys.path.append(here)
    found = resolve_name(name)
    policy = found() if callable(found) else found
    if not isinstance(policy, URLPolicy):
        raise TypeError(f"it is a {type(policy).__name__}, not a weburl.URLPolicy")
    return policy


def _hosts_in(name: str) -> HostList:
    shown = printable(masked(name))
    try:
        hosts, problems = HostList.read(Path(name))
    except OSError as error:
        raise FileError(f"{shown} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise FileError(f"--refused-hosts-file, {shown}: {error}") from None
    if not hosts:
        raise FileError(f"--refused-hosts-file, {shown}: there is no host in this list")
    for problem in problems:
        print(f"{shown}:{problem.line}: left out: {problem.message}", file=sys.stderr)
    return hosts
