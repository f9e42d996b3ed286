"""`weburl.fetching.httpx2` is `weburl.fetching.httpx` with the names exchanged."""

import re
from pathlib import Path

import weburl.fetching

ROOM = Path(weburl.fetching.__file__).parent
FIRST_LINES = {
    "httpx": '"""httpx: transports that ask a policy."""',
    "httpx2": '"""httpx2, the successor of httpx: transports that ask a policy."""',
}


def lines(name: str) -> list[str]:
    """Return the source of a module of this room."""
    return (ROOM / f"{name}.py").read_text(encoding="utf-8").splitlines()


def test_the_modules_differ_only_in_the_names_of_the_clients() -> None:
    """A change to one module belongs into the other, too."""
    first, *rest = lines("httpx")
    first_of_successor, *rest_of_successor = lines("httpx2")
    assert [first, first_of_successor] == [FIRST_LINES["httpx"], FIRST_LINES["httpx2"]]
    assert [re.sub(r"\b(httpx|httpcore)\b", r"\g<1>2", line) for line in rest] == rest_of_successor
