"""The trap of patterns without a port: they match only URLs on the default port of their scheme."""

from __future__ import annotations

import warnings

from weburl.patterns.init import COMPONENTS
from weburl.patterns.pattern import URLPattern


class OtherPortsWarning(UserWarning):
    """A pattern for any host leaves out URLs only because they have a port."""

    __module__ = "weburl.columns"


def on_any_port(pattern: URLPattern) -> URLPattern | None:
    """Return the pattern for any port, if a pattern is for any host on its default port."""
    if pattern.port or pattern.hostname != "*":
        return None
    components = {name: getattr(pattern, name) for name in COMPONENTS}
    return URLPattern({**components, "port": "*"}, ignore_case=pattern.ignore_case)


def warn_of_other_ports(pattern: URLPattern, wide: URLPattern) -> None:
    """Give a warning, because ``wide`` matches a URL that ``pattern`` does not."""
    warnings.warn(
        f"{pattern} matches no URL with a port, and there are some, such as those on port 8080:"
        f" write {wide} for any port",
        OtherPortsWarning,
        stacklevel=3,
    )
