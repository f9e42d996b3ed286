"""Form fields that accept what people type, and their widgets.

Nothing here imports model fields or queries.
"""

from __future__ import annotations

from django_whatwg_url.forms.fields import (
    CanonicalURLField,
    CanonicalURLTextField,
    ExactURLField,
    ExactURLInput,
    HostField,
    LookalikeFormMixin,
    URLReferenceField,
)

__all__ = [
    "CanonicalURLField",
    "CanonicalURLTextField",
    "ExactURLField",
    "ExactURLInput",
    "HostField",
    "LookalikeFormMixin",
    "URLReferenceField",
]
