"""Registrable domains and public suffixes, by a table of the names in a list.

A domain is read from its end, and looked up at each dot for as long as the list has longer names
with the same end.

Spec: https://github.com/publicsuffix/list/wiki/Format#algorithm
"""

import cython
from cython.cimports.cpython.mem import PyMem_Calloc, PyMem_Free
from cython.cimports.weburl.standard.compiled.slots import (
    bytes_data,
    data_of_ascii,
    is_ascii,
    new_ascii_text,
    size_of_ascii,
)
from cython.cimports.weburl.standard.compiled.suffixes import (
    Name,
    PName,
    labels_start,
    put_name,
)


@cython.cclass
class SuffixTable:
    """The names in a list, with their kinds."""

    def __cinit__(self, kinds):
        places: cython.Py_ssize_t = 1
        # A domain is ASCII, so it can be none of the other names.
        encoded = {name.encode(): kind for name, kind in kinds.items() if name.isascii()}
        while places < 3 * len(encoded):
            places *= 2
        self.texts = b"".join(encoded)
        self.table.texts = bytes_data(self.texts)
        self.table.mask = cython.cast(cython.uint, places - 1)
        self.table.names = cython.cast(PName, PyMem_Calloc(places, cython.sizeof(Name)))
        if self.table.names == cython.NULL:
            raise MemoryError
        start: cython.Py_ssize_t = 0
        for name, kind in encoded.items():
            put_name(cython.address(self.table), start, len(name), kind)
            start += len(name)

    def __dealloc__(self):
        PyMem_Free(self.table.names)

    def last_labels(self, domain: str, more: cython.int) -> object:
        """Return the public suffix of a domain with one label before it, or none, or None."""
        start: cython.Py_ssize_t
        if not is_ascii(domain):
            data: bytes = domain.encode("utf-8", "surrogatepass")
            start = labels_start(cython.address(self.table), bytes_data(data), len(data), 1 - more)
            return None if start < 0 else data[start:].decode("utf-8", "surrogatepass")
        start = labels_start(
            cython.address(self.table), data_of_ascii(domain), size_of_ascii(domain), 1 - more
        )
        if start <= 0:
            return None if start < 0 else domain
        return new_ascii_text(data_of_ascii(domain) + start, size_of_ascii(domain) - start)
