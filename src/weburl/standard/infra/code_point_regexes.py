"""Regexes of code points. The fast path does without them, so they are loaded when needed."""

from __future__ import annotations

import re
from typing import Final

from weburl.standard.infra.code_points import (
    FORBIDDEN_DOMAIN_CODE_POINTS,
    FORBIDDEN_HOST_CODE_POINTS,
    character_class,
)

# Spec: #forbidden-host-code-point, #forbidden-domain-code-point
FORBIDDEN_HOST_CODE_POINT: Final = re.compile(f"[{character_class(FORBIDDEN_HOST_CODE_POINTS)}]")
FORBIDDEN_DOMAIN_CODE_POINT: Final = re.compile(
    f"[{character_class(FORBIDDEN_DOMAIN_CODE_POINTS)}]"
)

PERCENT_ENCODED_BYTE: Final = re.compile("%[0-9A-Fa-f]{2}")

# Spec: #scheme-state
SCHEME: Final = re.compile("[a-z][a-z0-9+.-]*")  # as a record holds it
SCHEME_AND_COLON: Final = re.compile("([A-Za-z][A-Za-z0-9+.-]*):")  # as text holds it
