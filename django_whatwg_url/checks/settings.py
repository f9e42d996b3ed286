"""A system check of the settings that list origins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from django.apps import AppConfig
from django.conf import settings
from django.core import checks

from weburl import OriginProblem, origin_problems

# From an entry with a wildcard, Django uses only the domain, and ignores letter case and path.
_HARMLESS_BESIDE_WILDCARD: Final = frozenset(("capital-letters", "trailing-slash", "path"))


def check_origins(
    app_configs: Sequence[AppConfig] | None = None,  # noqa: ARG001  # Django's
    **_kwargs: object,
) -> list[checks.CheckMessage]:
    """Return the messages about origins in the settings that no browser sends.

    The settings are ``CSRF_TRUSTED_ORIGINS``, and ``CORS_ALLOWED_ORIGINS`` of django-cors-headers.
    Django and that package have checks for entries without a scheme.
    """
    return [
        *_messages("CSRF_TRUSTED_ORIGINS", "django_whatwg_url.W040", subdomain_wildcards=True),
        *_messages("CORS_ALLOWED_ORIGINS", "django_whatwg_url.W041", subdomain_wildcards=False),
    ]


def _messages(setting: str, id: str, *, subdomain_wildcards: bool) -> Iterator[checks.CheckMessage]:
    entries = getattr(settings, setting, None)
    if not isinstance(entries, list | tuple | set | frozenset):
        return
    for entry in entries:
        if not isinstance(entry, str):
            continue
        found = origin_problems(entry, schemes=None, subdomain_wildcards=subdomain_wildcards)
        problems = [problem for problem in found if _matters(problem)]
        if problems:
            yield checks.Warning(
                f"{setting}: {' '.join(problem.message for problem in problems)}",
                hint=_HINT_OF_NULL if problems[0].code == "null" else _HINT,
                id=id,
            )


def _matters(problem: OriginProblem) -> bool:
    if problem.code == "no-scheme":
        return False
    return not ("://*" in problem.entry and problem.code in _HARMLESS_BESIDE_WILDCARD)


_HINT: Final = "Browsers compare origins as text. Write each one as a browser sends it."
_HINT_OF_NULL: Final = "Give the page an origin of its own, and allow that one."
