"""The model fields.

`canonical` has the field for URLs, `exact`, `references`, `patterns` and `origins` have the others,
and `options` has what their options have in common. `companions`, `url_keys` and `query_params` are
beside this room, because commands and migrations use them without the rest.
"""

from django_whatwg_url.companions import RegistrableDomainField
from django_whatwg_url.fields.canonical import CanonicalURLField
from django_whatwg_url.fields.exact import ExactURLField
from django_whatwg_url.fields.origins import OriginField
from django_whatwg_url.fields.patterns import URLPatternField
from django_whatwg_url.fields.references import URLReferenceField
from django_whatwg_url.query_params import QueryParamField
from django_whatwg_url.storage.values import UnparsableURL, UnparsableURLError
from django_whatwg_url.url_keys import URLKeyField

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
