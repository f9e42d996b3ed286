"""Form fields that accept what people type, with their validators, widgets and messages.

`fields` has the form fields, `bound_fields` keeps the URL that a row already has, and `messages`
has the messages for the whole app. Nothing here imports model fields or queries.
"""

from __future__ import annotations

from django_whatwg_url.forms.fields import (
    CanonicalURLField,
    CanonicalURLTextField,
    ExactURLField,
    ExactURLInput,
    HostField,
    OriginField,
    URLPatternField,
    URLReferenceField,
)

__all__ = [
    "CanonicalURLField",
    "CanonicalURLTextField",
    "ExactURLField",
    "ExactURLInput",
    "HostField",
    "OriginField",
    "URLPatternField",
    "URLReferenceField",
]
