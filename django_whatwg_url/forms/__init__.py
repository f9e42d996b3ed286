"""The form: fields that take text as people type it, their validators, widgets and messages.

`fields` has the form fields, `bound_fields` keeps what a row has already, and `messages` has what
people are told, everywhere. Nothing here imports model fields or queries.
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
