"""The model fields.

`canonical` has the field for URLs, and `exact`, `references`, `patterns` and `origins` have the
other fields. `options` has their common base class. Columns that are computed from a URL are in
`companions`.
"""

from django_whatwg_url.companions.query_params import QueryParamField
from django_whatwg_url.companions.registrable_domains import RegistrableDomainField
from django_whatwg_url.companions.url_keys import URLKeyField
from django_whatwg_url.fields.canonical import CanonicalURLField
from django_whatwg_url.fields.exact import ExactURLField
from django_whatwg_url.fields.origins import OriginField
from django_whatwg_url.fields.patterns import URLPatternField
from django_whatwg_url.fields.references import URLReferenceField
from django_whatwg_url.storage.values import UnparsableURL, UnparsableURLError

__all__ = [
    "CanonicalURLField",
    "ExactURLField",
    "OriginField",
    "QueryParamField",
    "RegistrableDomainField",
    "URLKeyField",
    "URLPatternField",
    "URLReferenceField",
    "UnparsableURL",
    "UnparsableURLError",
]
