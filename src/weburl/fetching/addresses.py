"""Resolves a name once, within a time, and orders its addresses as clients try them."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from itertools import chain, zip_longest
from threading import Thread
from typing import TypeAlias

Resolve: TypeAlias = Callable[[str, int], Iterable[str]]
"""Returns the addresses of a name, as text. It may block, and may raise OSError."""


def system_addresses(name: str, port: int) -> list[str]:
    """Return the addresses of a name according to the system. Raises OSError."""
    try:
        found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    except UnicodeError:  # a label that is empty or has more than 63 characters
        raise socket.gaierror(socket.EAI_NONAME, "The name cannot exist") from None
    return [str(sockaddr[0]) for *_, sockaddr in found]


def in_turn(addresses: Iterable[str]) -> list[str]:
    """Return addresses in the order to try them: without duplicates, IPv6 and IPv4 alternating.

    The kind of the first address is tried first, because the system sorts the best one there. This
    is RFC 8305, section 4.
    """
    different = list(dict.fromkeys(addresses))
    first = [address for address in different if (":" in address) == (":" in different[0])]
    others = [address for address in different if (":" in address) != (":" in different[0])]
    pairs = chain.from_iterable(zip_longest(first, others))
    return [address for address in pairs if address is not None]


def start_resolving(resolve: Resolve, name: str, port: int) -> Future[list[str]]:
    """Return a future of what ``resolve`` returns.

    It runs in a thread of its own, because a system call cannot be stopped. No pool of threads is
    used: slow names could take all its threads.
    """
    future: Future[list[str]] = Future()

    def run() -> None:
        future.set_running_or_notify_cancel()
        try:
            future.set_result(list(resolve(name, port)))
        except BaseException as error:  # noqa: BLE001  # It is raised in the caller's thread.
            future.set_exception(error)

    Thread(target=run, name="weburl-resolver", daemon=True).start()
    return future


def numeric_result(name: str, address: str, port: int) -> dict[str, object]:
    """Return an address in the form in which aiohttp's resolvers return it."""
    return {
        "hostname": name,
        "host": address,
        "port": port,
        "family": socket.AF_INET6 if ":" in address else socket.AF_INET,
        "proto": 0,
        "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
    }
