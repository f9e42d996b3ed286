"""The model fields.

`canonical` has the field for URLs, and `exact` and `references` have the other fields. `options`
has their common base class. Columns that are computed from a URL are in `beside`.
"""

from django_whatwg_url.beside.query_params import QueryParamField
from django_whatwg_url.beside.registrable_domains import RegistrableDomainField
from django_whatwg_url.beside.url_keys import URLKeyField
from django_whatwg_url.column.values import UnparsableURL, UnparsableURLError
from django_whatwg_url.fields.canonical import CanonicalURLField
from django_whatwg_url.fields.exact import ExactURLField
from django_whatwg_url.fields.references import URLReferenceField

__all__ = [
    "CanonicalURLField",
    "ExactURLField",
    "QueryParamField",
    "RegistrableDomainField",
    "URLKeyField",
    "URLReferenceField",
    "UnparsableURL",
    "UnparsableURLError",
]
