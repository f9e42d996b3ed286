"""Classifies text as canonical, to be changed, or not a URL, with a reason, without a database."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.core.exceptions import ImproperlyConfigured, ValidationError

import weburl
from django_whatwg_url import forms
from django_whatwg_url.column.columns import DEFAULT_MAX_LENGTH, ASCIIColumn
from django_whatwg_url.column.values import text_of
from django_whatwg_url.policies import PolicyOption, policy_name, policy_of
from django_whatwg_url.rows.options import Options
from django_whatwg_url.rules.messages import sentences, without_credentials
from django_whatwg_url.rules.validators import (
    DEFAULT_SCHEMES,
    URLPolicyValidator,
    URLSchemeValidator,
    URLStrictnessValidator,
    collect_errors,
    schemes_beside,
)
from weburl import URLParseError, URLPolicy, URLRecord, ValidationErrorType
from weburl.integrations.building_blocks import TypedProblem, read_typed_text


class Refusal(NamedTuple):
    """The code of the first error of a URL, and a sentence for people."""

    code: str
    reason: str


def _refusals_of(field: Any, options: Options) -> Callable[[str], Refusal | None]:
    """Return a function that returns why the field of a column would refuse a canonical URL.

    A field without such options is treated as a `CanonicalURLField`. A reference to a policy is
    looked up only once. Raises ImproperlyConfigured if that fails. The message names the policy.
    """
    schemes = getattr(field, "schemes", DEFAULT_SCHEMES)
    if options.schemes is not None:
        schemes = None if options.schemes == ("*",) else options.schemes
    strictness = URLStrictnessValidator(getattr(field, "strictness", "browser"))
    policy = options.policy or getattr(field, "policy", None)
    if policy is not None:
        policy = _policy_now(policy)
        schemes = schemes_beside(policy, schemes)
    rules: list[Any] = [URLSchemeValidator(schemes)]
    surely_allowed = frozenset(rules[0].schemes or ())
    if strictness.strictness != "browser":
        rules.append(strictness)
    if policy is not None:
        rules.append(URLPolicyValidator(policy))
    if len(rules) > 1:
        surely_allowed = frozenset()
    elif schemes is None:
        return lambda _href: None

    def refuses(href: str) -> Refusal | None:
        if href.partition(":")[0] in surely_allowed:
            return None
        for error in collect_errors(rules, weburl.parse(href), None, {}):
            return Refusal(error.code or "invalid", sentences(error.messages))
        return None

    return refuses


def _policy_now(option: PolicyOption) -> URLPolicy:
    """Return the current policy for the option of a field."""
    try:
        return policy_of(option)
    except ImproperlyConfigured:
        raise
    except Exception as error:  # The project's function may raise any error.
        text = without_credentials(str(error).strip().partition("\n")[0])
        raised = f"{type(error).__name__}: {text}".removesuffix(": ")
        raise ImproperlyConfigured(f"The policy {policy_name(option)!r} raised {raised}") from error


class Outcome(StrEnum):
    """What happens to a row. Every row that is read has exactly one of these."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    UNPARSABLE = "unparsable"
    TOO_LONG = "too long"
    NOT_ALLOWED = "not allowed"
    EMPTY = "empty"
    BLANK = "blank"
    NULL = "null"
    COLLIDING = "colliding"
    MERGED = "merged"
    REFUSED = "refused"
    GONE = "gone"


class Reading(NamedTuple):
    """The classification of a column's value.

    ``href``: its canonical form, or None. ``error``: the standard's name for the error. ``reason``:
    a sentence for people that says what is wrong. ``refusal``: why the field would refuse the URL,
    which is kept.
    """

    outcome: Outcome
    href: str | None = None
    error: str = ""
    reason: str = ""
    refusal: Refusal | None = None


_NULL: Final = Reading(Outcome.NULL)
# These errors quote the text after a colon, which may be a password that contains a slash.
_QUOTES_A_PORT: Final = {ValidationErrorType.PORT_INVALID, ValidationErrorType.PORT_OUT_OF_RANGE}
_MISSING_SCHEME: Final = ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL.value
_PATH: Final = re.compile(r"/(?!/)")

Reader = Callable[[Any], Reading]


def reader_of(field: Any, options: Options) -> Reader:
    """Return a function that classifies the values of a column.

    Raises ImproperlyConfigured if the policy of the field cannot be read.
    """
    # With ``as_text=True, blank=True``, "" means no URL.
    holds_empty_text = bool(field.blank) and getattr(field, "no_url", None) == ""
    empty = Reading(Outcome.BLANK if holds_empty_text else Outcome.EMPTY)
    limit = _limit_of(field, options)
    refuses = _refusals_of(field, options)
    stays = options.on_not_allowed.leaves_the_row
    common = {*DEFAULT_SCHEMES, options.assume_scheme}
    canonicalize = weburl.canonicalize
    complete = _completer(options.assume_scheme)

    def read(value: Any) -> Reading:
        if value is None:
            return _NULL
        text = text_of(value)
        if text == "":
            return empty
        if "\n" in text or "\r" in text:  # The parser would join the lines.
            typed = read_typed_text(text)
            if typed.problem is TypedProblem.TWO_URLS:
                return Reading(Outcome.UNPARSABLE, None, typed.code, typed.reason)
        try:
            href = canonicalize(text)
        except URLParseError as error:
            completed = complete(text)
            if not isinstance(completed, str):
                return _unparsable(error, completed)
            href = completed
        else:
            if options.assume_scheme is not None and href.partition(":")[0] not in common:
                completed = complete(text)
                href = completed if isinstance(completed, str) else href
        if limit is not None and len(href) > limit:
            reason = f"It has {len(href):,} characters in canonical form, but may have {limit:,}."
            return Reading(Outcome.TOO_LONG, href, "too-long", reason)
        refusal = refuses(href)
        if refusal is not None and not stays:
            return Reading(Outcome.NOT_ALLOWED, href, *refusal)
        outcome = Outcome.UNCHANGED if href == value else Outcome.CHANGED
        return Reading(outcome, href, refusal=refusal)

    return read


def _limit_of(field: Any, options: Options) -> int | None:
    """Return the longest canonical form that a column can store, in characters, or None."""
    length: int | None = field.max_length
    wanted = options.max_length
    if wanted is None:
        wanted = length if isinstance(field, ASCIIColumn) else DEFAULT_MAX_LENGTH
    return min((each for each in (wanted, length) if each is not None), default=None)


def _completer(scheme: str | None) -> Callable[[str], str | ValidationError | None]:
    """Return a function that adds a scheme to text without one, as the form does.

    The function returns an href, or the error of the form, or None.
    """
    if scheme is None:
        return lambda _text: None
    allowed = {*DEFAULT_SCHEMES, scheme}
    field = forms.CanonicalURLField(
        required=False, max_length=None, assume_scheme=scheme, schemes=allowed
    )

    def complete(text: str) -> str | ValidationError | None:
        try:
            url = field.to_python(text)
        except ValidationError as error:
            return error
        return url.href if isinstance(url, URLRecord) else None

    return complete


def _unparsable(error: URLParseError, completed: ValidationError | None = None) -> Reading:
    """Return the reading of text that is not a URL.

    ``completed``: what is wrong with it after a scheme was added, if one was.
    """
    name = "" if error.type is None else error.type.value
    if completed is not None and name == _MISSING_SCHEME:
        # Only report a missing scheme if the form does too, because a scheme was added.
        (first, *_) = completed.error_list
        if isinstance(first.__cause__, URLParseError):
            return _unparsable(first.__cause__)
        if first.code != name:
            return Reading(Outcome.UNPARSABLE, None, first.code or "", first.messages[0])
    reason = error.reason
    if name == _MISSING_SCHEME:
        typed = read_typed_text(error.input_without_password)
        if typed.problem not in (None, TypedProblem.SINGLE_LABEL):
            reason = typed.reason
    if _PATH.match(error.input):
        reason = "It is a path of a site. A URLReferenceField can hold it."
    if error.type in _QUOTES_A_PORT and "@" in error.input:
        reason = "The text after the colon is not a port."
    return Reading(Outcome.UNPARSABLE, None, name, reason)
