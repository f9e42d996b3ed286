"""The numbers of failures, and their names.

Spec: #validation-error
"""

import cython

from weburl.standard.infra.errors import ValidationErrorType

_names = cython.declare(tuple, tuple(type.value for type in ValidationErrorType))


def _number(type):
    return list(ValidationErrorType).index(type) + 1


DOMAIN_TO_ASCII = _number(ValidationErrorType.DOMAIN_TO_ASCII)
HOST_INVALID_CODE_POINT = _number(ValidationErrorType.HOST_INVALID_CODE_POINT)
IPV4_TOO_MANY_PARTS = _number(ValidationErrorType.IPV4_TOO_MANY_PARTS)
IPV4_NON_NUMERIC_PART = _number(ValidationErrorType.IPV4_NON_NUMERIC_PART)
IPV4_OUT_OF_RANGE_PART = _number(ValidationErrorType.IPV4_OUT_OF_RANGE_PART)
IPV6_UNCLOSED = _number(ValidationErrorType.IPV6_UNCLOSED)
MISSING_SCHEME = _number(ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL)
HOST_MISSING = _number(ValidationErrorType.HOST_MISSING)
PORT_OUT_OF_RANGE = _number(ValidationErrorType.PORT_OUT_OF_RANGE)
PORT_INVALID = _number(ValidationErrorType.PORT_INVALID)


@cython.cfunc
def name_of(failure: cython.int) -> object:
    """Return the name of a failure by its number."""
    return _names[failure - 1]
