"""The compiled parser: returns the same records as `url`, but reads bytes.

Returns None when unsure; the general parser then decides and reports errors. The modules are
Python with C types, compiled by Cython. Cython is not needed at run time, and the interpreted build
imports nothing from here.

What parsing one URL needs is in one library, because opening twenty took a millisecond. The other
modules have a library each, which is opened when it is needed.
"""

import sys
from importlib.machinery import ExtensionFileLoader, ModuleSpec

from weburl.standard.infra.build import LIBRARY

# The modules of the library, each after those that it uses. The build reads this list.
_IN_LIBRARY = (
    "scan",
    "utf_8",
    "ipv4",
    "ipv6",
    "positions",
    "punycode",
    "code_points",
    "nfc",
    "idn",
    "hosts",
    "schemes",
    "authority",
    "paths",
    "bases",
    "files",
    "query_and_fragment",
    "references",
    "values",
    "serializer",
    "comparing",
    "storage",
    "parts",
    "params",
    "editing",
    "facade",
    "queries",
    "parser",
)


def _load(library: str) -> None:
    """Import the modules of a library. The import system would look for a library of each."""
    for name in _IN_LIBRARY:
        full_name = f"{__name__}.{name}"
        loader = ExtensionFileLoader(full_name, library)
        spec = ModuleSpec(full_name, loader, origin=library)
        module = loader.create_module(spec)
        module.__spec__ = spec
        sys.modules[full_name] = globals()[name] = module
        loader.exec_module(module)


if LIBRARY is not None:
    _load(LIBRARY)
