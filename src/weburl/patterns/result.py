"""The result of `URLPattern.exec`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

import attrs

from weburl.standard.infra.credentials import masked_before_at_sign
from weburl.standard.infra.one_value import FrozenValue

InputItem: TypeAlias = "str | tuple[tuple[str, str], ...]"
"""An input as a value that can be hashed: the pairs of a mapping, and everything else as text."""


@attrs.frozen(repr=False)
class URLPatternComponentResult(FrozenValue):
    """The match of one component.

    Args:
        input: the component of the URL, as the URL has it: percent-encoded.
        group_items: the name and the text of each group, in the order of the pattern. The text is
            None for a group that took no part in the match.

    Spec: https://urlpattern.spec.whatwg.org/#dictdef-urlpatterncomponentresult
    """

    __module__ = "weburl"

    input: str
    group_items: tuple[tuple[str, str | None], ...] = ()

    @property
    def groups(self) -> Mapping[str, str | None]:
        """The text of each group by its name. A group without a name has a number: "0", "1".

        A new read-only mapping each time you read this. The text is None for a group that
        took no part in the match.

        Spec: https://urlpattern.spec.whatwg.org/#dom-urlpatterncomponentresult-groups
        """
        return MappingProxyType(dict(self.group_items))

    def __repr__(self) -> str:
        """Return a call that makes an equal result. If the input is masked, it has no groups."""
        shown = masked_before_at_sign(self.input)
        groups = repr(self.group_items) if shown == self.input else "…"
        return f"URLPatternComponentResult(input={shown!r}, group_items={groups})"


@attrs.frozen
class URLPatternResult(FrozenValue):
    """The match of a URL with a pattern, component by component.

    The names are the same as in the web's interface. A search is without its "?", a hash without
    its "#".

    Args:
        protocol, username, password, hostname, port, pathname, search, hash: what matched in the
            component.
        input_items: `inputs` as a value that can be hashed, with a tuple of pairs for a mapping.

    Spec: https://urlpattern.spec.whatwg.org/#dictdef-urlpatternresult
    """

    __module__ = "weburl"

    protocol: URLPatternComponentResult
    username: URLPatternComponentResult = attrs.field(repr=False)
    password: URLPatternComponentResult = attrs.field(repr=False)
    hostname: URLPatternComponentResult
    port: URLPatternComponentResult
    pathname: URLPatternComponentResult
    search: URLPatternComponentResult
    hash: URLPatternComponentResult
    input_items: tuple[str | tuple[tuple[str, str], ...], ...] = attrs.field(default=(), repr=False)

    @property
    def inputs(self) -> tuple[str | Mapping[str, str], ...]:
        """What was matched, and the base URL if there was one.

        A mapping is a read-only copy. A record and a base are text.

        Spec: https://urlpattern.spec.whatwg.org/#dom-urlpatternresult-inputs
        """
        return tuple(
            item if isinstance(item, str) else MappingProxyType(dict(item))
            for item in self.input_items
        )


# `weburl`, which the classes name as their module, may not have loaded both of them yet.
attrs.resolve_types(URLPatternResult, globals())
