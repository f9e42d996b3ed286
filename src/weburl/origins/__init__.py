"""§4.7: origins as text, and how origins and sites compare.

The names that most programs need are in `weburl`. Here are those that they seldom need.
"""

from weburl.origins.sites import (
    is_registrable_domain_suffix_of_or_is_equal_to,
    same_origin_domain,
    schemelessly_same_site,
)
from weburl.origins.texts import AllowedOrigins

__all__ = [
    "AllowedOrigins",
    "is_registrable_domain_suffix_of_or_is_equal_to",
    "same_origin_domain",
    "schemelessly_same_site",
]
