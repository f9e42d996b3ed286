"""The validators. Migrations contain this import path, so it must not change."""

from __future__ import annotations

from django_whatwg_url.rules.validators import (
    CanonicalMaxLengthValidator,
    ExactURLValidator,
    OriginValidator,
    RedirectURIValidator,
    Strictness,
    URLPatternValidator,
    URLPolicyValidator,
    URLReferenceValidator,
    URLSchemeValidator,
    URLStrictnessValidator,
    validate_origin,
    validate_origins,
    validate_url_pattern,
)

__all__ = [
    "CanonicalMaxLengthValidator",
    "ExactURLValidator",
    "OriginValidator",
    "RedirectURIValidator",
    "Strictness",
    "URLPatternValidator",
    "URLPolicyValidator",
    "URLReferenceValidator",
    "URLSchemeValidator",
    "URLStrictnessValidator",
    "validate_origin",
    "validate_origins",
    "validate_url_pattern",
]
