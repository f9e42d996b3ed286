"""Classes of Django with type arguments, which they accept only in the stubs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import CharField, IntegerField, TextField
from django.db.models.lookups import Exact, In, Lookup

if TYPE_CHECKING:
    LookupMixin = Lookup[Any]
    AnyLookup = Lookup[Any]
    AnyExact = Exact[Any]
    AnyIn = In[Any]
    Characters = CharField[str, str]
    Integers = IntegerField[int, int]
    Texts = TextField[str, str]
else:
    LookupMixin = object
    AnyLookup, AnyExact, AnyIn = Lookup, Exact, In
    Characters, Integers, Texts = CharField, IntegerField, TextField
