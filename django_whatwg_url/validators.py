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
]
