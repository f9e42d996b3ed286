"""§4.5: from components to text.

The functions take plain values, not records, because records use them.
"""

from __future__ import annotations


def serialize_path(path: tuple[str, ...] | str) -> str:
    """Return a path as text. It is a tuple of segments, or one string if it is opaque.

    Spec: #url-path-serializer
    """
    if isinstance(path, str):
        return path
    return "/" + "/".join(path) if path else ""


def serialize_url(
    scheme: str,
    username: str,
    password: str,
    host: str | None,
    port: int | None,
    path: str,
    query: str | None,
    fragment: str | None,
) -> str:
    """Return the URL of these components as text. ``host`` and ``path`` are text already.

    Spec: #concept-url-serializer
    """
    if host is None:
        # Without "/.", a path that starts with an empty segment would be parsed as a host.
        output = f"{scheme}:/.{path}" if path.startswith("//") else f"{scheme}:{path}"
    else:
        credentials = f"{username}:{password}@" if password else f"{username}@" if username else ""
        port_text = "" if port is None else f":{port}"
        output = f"{scheme}://{credentials}{host}{port_text}{path}"
    if query is not None:
        output = f"{output}?{query}"
    if fragment is not None:
        output = f"{output}#{fragment}"
    return output
