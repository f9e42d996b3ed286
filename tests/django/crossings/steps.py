"""The places of the table: what a project does with a field, step by step.

A place is a generator. It yields the name of a step and a function, whose result or error is the
outcome of the step. Each step has a savepoint of its own. What a place does between its steps must
work with every field. A place that a row does not have yields nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import attrs
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import QuerySet

from tests.django.crossings.rows import NAMES, Side
from weburl import URLRecord

Steps = Iterator[tuple[str, Callable[[], object]]]


@attrs.frozen
class Place:
    """A place, with the name that it has in the data and on the page."""

    name: str
    steps: Callable[[Side], Steps]
    needs: str = ""
    """The module of another package that the place is about."""


PLACES: Final[dict[str, Place]] = {}


def place(
    name: str, needs: str = ""
) -> Callable[[Callable[[Side], Steps]], Callable[[Side], Steps]]:
    """Add a function to the places."""

    def add(steps: Callable[[Side], Steps]) -> Callable[[Side], Steps]:
        assert name not in PLACES, name
        PLACES[name] = Place(name, steps, needs)
        return steps

    return add


def outcomes(found: Place, side: Side) -> dict[str, str]:
    """Run a place and undo what it did. Return what was the outcome of each step."""
    done: dict[str, str] = {}
    with transaction.atomic():
        for name, step in found.steps(side):
            assert name not in done, f"{found.name}: two steps are called {name!r}"
            done[name] = outcome(step)
        transaction.set_rollback(True)
    return done


def outcome(step: Callable[[], object]) -> str:
    """Return the result or the error of a step, which has a savepoint."""
    try:
        with transaction.atomic():
            return said(step())
    except ValidationError as error:
        fields = sorted(error.error_dict) if hasattr(error, "error_dict") else []
        return "refused" + f" ({', '.join(fields)})" * (fields not in ([], ["url"]))
    except Exception as error:  # noqa: BLE001 (the outcome of a step is whatever it does)
        return type(error).__name__


def said(value: object) -> str:
    """Return a value as the data writes it: records and text are the same, and A is a URL."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | URLRecord):
        return NAMES.get(str(value), str(value)) or "''"
    if isinstance(value, models.Model):
        return str(value)
    if isinstance(value, dict):
        return ", ".join(f"{said(name)}: {said(held)}" for name, held in value.items())
    if isinstance(value, set | frozenset):
        return " ".join(sorted(map(said, value)))
    if isinstance(value, QuerySet | Iterable) and not isinstance(value, bytes):
        return " ".join(map(said, value)) or "(none)"
    return str(value)


def as_json(text: str) -> Any:
    """Return the value of a JSON text."""
    return json.loads(text)
