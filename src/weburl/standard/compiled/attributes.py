"""The base of attributes that keep text until they are read, with both its methods in C.

`weburl.integrations.building_blocks` has the same class in Python, and explains it. Every row of a
database comes here, so the interpreter finds the methods in the slots of the type, and calls no
Python function.
"""

import cython
from cython.cimports.cpython.dict import PyDict_GetItemWithError
from cython.cimports.cpython.object import PyObject


@cython.cclass
class LazyAttribute:
    """See `weburl.integrations.building_blocks.LazyAttribute`."""

    _name: object
    _converted: object
    _kept: object

    def __init__(self, name, converted, kept=str):
        self._name = name
        self._converted = converted
        self._kept = kept

    def load(self, instance, owner):  # noqa: ARG002  # overridden
        """Raise AttributeError."""
        raise AttributeError(self._name)

    def assigned(self, instance, value):  # noqa: ARG002
        """Return the value."""
        return value

    def __get__(self, instance, owner):
        if instance is None:
            return self
        data: dict = instance.__dict__
        found: cython.pointer(PyObject) = PyDict_GetItemWithError(data, self._name)
        if found == cython.NULL:
            return self.load(instance, owner)
        value: object = cython.cast(object, found)
        if type(value) is str:
            value = data[self._name] = self._converted(value)
        return value

    def __set__(self, instance, value):
        data: dict = instance.__dict__
        kind: object = type(value)
        if kind is not str and kind is not self._kept and value is not None:
            value = self.assigned(instance, value)
        data[self._name] = value

    def __delete__(self, instance):
        data: dict = instance.__dict__
        try:
            del data[self._name]
        except KeyError:
            raise AttributeError(self._name) from None
