"""URLs in Arrow columns: functions from an array of text to an array, by the rules of browsers.

``canonicalize(urls)`` returns every URL in its canonical spelling. A column is anything with the
Arrow PyCapsule interface, such as a `pyarrow.Array`, a Polars Series or a DuckDB relation. The
public names are those in `__all__`. Needs pyarrow: ``pip install 'weburl[columns]'``.

The functions are made of the table in `weburl.columns.table`, and `__init__.pyi` has their types.
Each engine has a module of its own, which no other module imports. The names are imported on first
use, so that ``python -m weburl columns --help`` works without pyarrow.
"""

from importlib.util import find_spec
from typing import Any


def __getattr__(name: str) -> Any:  # noqa: ANN401
    """Import the public names on first use. Raises ImportError if there is no pyarrow."""
    is_module = find_spec(f"{__name__}.{name}") is not None
    if name == "__all__" or not (is_module or name.startswith("__")):
        from weburl.columns.functions import PUBLIC

        globals().update(PUBLIC, __all__=[*PUBLIC])
        if name in globals():
            return globals()[name]
    from weburl.standard.infra.guesses import no_such_name

    raise AttributeError(no_such_name(__name__, name, {}), name=name)


def __dir__() -> list[str]:
    return [*__getattr__("__all__")]
