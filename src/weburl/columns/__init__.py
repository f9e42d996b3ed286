"""URLs in Arrow columns: functions from an array of text to an array, by the rules of browsers.

``canonicalize(urls)`` returns every URL in its canonical spelling. A column is anything with the
Arrow PyCapsule interface, such as a `pyarrow.Array`, a Polars Series or a DuckDB relation. The
public names are those in `__all__`. Needs pyarrow: ``pip install 'weburl[columns]'``.

Each engine has a module of its own, which no other module imports. The names are imported on first
use, so that ``python -m weburl columns --help`` works without pyarrow.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weburl.columns.arrow import (
        ArrowArrayExportable,
        ArrowColumn,
        ArrowStreamExportable,
        Column,
    )
    from weburl.columns.functions import (
        Base,
        allowed,
        can_parse,
        canonicalize,
        check,
        file_extension,
        file_name,
        host,
        in_host_list,
        key,
        key_hash,
        lookalikes,
        matches,
        origin,
        parse,
        part,
        path_depth,
        path_segments,
        refusal,
        registrable_domain,
        render,
        resolve,
        same_site,
        search_param,
        search_params,
        site,
        surt,
        without_query_params,
    )
    from weburl.columns.hosts import (
        canonical_host,
        host_in_host_list,
        is_ip,
        public_suffix,
        registrable_domain_of_host,
        subdomain,
    )
    from weburl.columns.options import Errors, Progress
    from weburl.columns.ports import OtherPortsWarning
    from weburl.columns.running import BareHostsWarning
    from weburl.columns.table import Part
else:
    # Hidden from type checkers, which would otherwise accept every misspelt name.
    def __getattr__(name: str) -> Any:  # noqa: ANN401
        """Import the public names on first use. Raises ImportError if there is no pyarrow."""
        if name not in __all__:
            from weburl.standard.infra.guesses import no_such_name

            raise AttributeError(no_such_name(__name__, name, {}), name=name)
        from weburl.columns import arrow, functions, hosts, ports, running

        for module in (running, ports, hosts, functions, arrow):
            found = vars(module)
            globals().update({known: found[known] for known in __all__ if known in found})
        return globals()[name]


__all__ = [
    "ArrowArrayExportable",
    "ArrowColumn",
    "ArrowStreamExportable",
    "BareHostsWarning",
    "Base",
    "Column",
    "Errors",
    "OtherPortsWarning",
    "Part",
    "Progress",
    "allowed",
    "can_parse",
    "canonical_host",
    "canonicalize",
    "check",
    "file_extension",
    "file_name",
    "host",
    "host_in_host_list",
    "in_host_list",
    "is_ip",
    "key",
    "key_hash",
    "lookalikes",
    "matches",
    "origin",
    "parse",
    "part",
    "path_depth",
    "path_segments",
    "public_suffix",
    "refusal",
    "registrable_domain",
    "registrable_domain_of_host",
    "render",
    "resolve",
    "same_site",
    "search_param",
    "search_params",
    "site",
    "subdomain",
    "surt",
    "without_query_params",
]


def __dir__() -> list[str]:
    return [*__all__]
