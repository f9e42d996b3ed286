"""Classes that the garbage collector does not know. `weburl.standard.storage` says what for.

The rooms of hosts and URLs import this module before they have defined their values. So it and what
it uses import neither.
"""

from cython.cimports.weburl.standard.compiled.comparing import compare_records, hash_record
from cython.cimports.weburl.standard.compiled.records import new_record_class
from cython.cimports.weburl.standard.compiled.storage import new_class, new_domain_class
from cython.cimports.weburl.standard.compiled.values import read_part

DomainSlots = new_domain_class()
RecordSlots = new_record_class(compare_records, hash_record, read_part)


def plain_class(cls):
    """See `weburl.standard.storage.plain_class`."""
    made = new_class(f"{cls.__module__}.{cls.__name__}".encode(), cls.__bases__)
    for name, value in vars(cls).items():
        setattr(made, name, value)
    made.__name__ = cls.__name__  # messages of the interpreter show it: without the module
    made.__qualname__ = cls.__qualname__
    # A class made in C gets the operators of its first base. Setting a method and removing it again
    # makes the interpreter look for the operator in all bases, as it does for a class statement.
    for base in cls.__mro__:
        for name, value in vars(base).items():
            if (
                base is not object
                and name not in vars(made)
                and name.startswith("__")
                and callable(value)
            ):
                setattr(made, name, value)
                delattr(made, name)
    return made
