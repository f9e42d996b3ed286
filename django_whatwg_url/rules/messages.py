"""The error messages that people see in forms: one or two translatable sentences for each error.

The key is the standard's name for the error, which is also the code of the ValidationError. All
messages may use the same parameters, so a project can replace a single message.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from operator import is_
from typing import TYPE_CHECKING, Any, Final

from django.core.exceptions import ValidationError
from django.db import DEFAULT_DB_ALIAS
from django.db.models import Field
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

import weburl
from weburl.integrations.building_blocks import (
    TypedKind,
    TypedProblem,
    TypedText,
    is_visible,
    read_typed_text,
)
from weburl.lookalikes import Reason

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

# A longer culprit is shortened in the middle, so that the message stays readable.
CULPRIT_LENGTH: Final = 60

SCHEME_NOT_ALLOWED: Final = "scheme-not-allowed"
INVALID_URL_STRING: Final = "invalid-URL-string"
LOOK_ALIKE: Final = "look-alike"
TOO_MANY_ERRORS: Final = "too-many-errors"
SPACE_IN_HOST: Final = "space-in-host"
INVISIBLE_IN_HOST: Final = "invisible-character-in-host"
SCHEME_BEFORE_USERNAME: Final = "scheme-before-username"
OTHER_SITE: Final = "other-site"
COMMA_IN_HOST: Final = "comma-in-host"

URL_ERROR_MESSAGES: Final[dict[str, _StrOrPromise]] = {
    "domain-to-ASCII": _(
        "“%(culprit)s” breaks the rules for domain names. Check it for spaces, symbols, "
        "missing parts and misplaced dots or hyphens."
    ),
    "domain-percent-encoded": _(
        "The domain name contains “%(culprit)s”, which stands for another character. "
        "Type that character itself."
    ),
    "host-invalid-code-point": _(
        "The host name contains “%(culprit)s”, which is not allowed there. Remove it."
    ),
    "IPv4-non-ASCII-input": _(
        "The IP address “%(culprit)s” is not written in plain digits and dots. Type it with "
        "the digits 0 to 9, as in 192.0.2.1."
    ),
    "IPv4-empty-part": _("The IP address ends with a dot. Remove that dot."),
    "IPv4-too-few-parts": _(
        "The IP address “%(culprit)s” has fewer than four numbers. Write all four, as in 192.0.2.1."
    ),
    "IPv4-too-many-parts": _(
        "The IP address “%(culprit)s” has more than four numbers. Keep four, as in 192.0.2.1."
    ),
    "IPv4-non-numeric-part": _(
        "The host name ends in a number, so it must be an IP address, but “%(culprit)s” cannot "
        "be part of one. Check the host name for typing errors."
    ),
    "IPv4-non-decimal-part": _(
        "“%(culprit)s” in the IP address is not a decimal number. Write it with the digits 0 "
        "to 9 and no zero in front."
    ),
    "IPv4-out-of-range-part": _(
        "“%(culprit)s” in the IP address is too large. Use four numbers from 0 to 255."
    ),
    "IPv6-unclosed": _("The IPv6 address is missing its closing bracket. Add “]” at its end."),
    "IPv6-invalid-compression": _(
        "The IPv6 address begins with a single colon. Begin it with “::” or with a digit."
    ),
    "IPv6-too-many-pieces": _(
        "The IPv6 address has more than eight groups of digits. Remove some of them."
    ),
    "IPv6-multiple-compression": _(
        "The IPv6 address contains “::” more than once. Use it in one place only."
    ),
    "IPv6-invalid-code-point": _(
        "The IPv6 address is wrong at “%(culprit)s”. Use only the digits 0 to 9, the letters "
        "a to f and colons, and do not end it with a single colon."
    ),
    "IPv6-too-few-pieces": _(
        "The IPv6 address has fewer than eight groups of digits. Add the missing ones, or put "
        "“::” in their place."
    ),
    "IPv6-piece-leading-zero": _(
        "“%(culprit)s” in the IPv6 address begins with a zero that is not needed. Remove that zero."
    ),
    "IPv4-in-IPv6-too-many-pieces": _(
        "The IPv6 address has too many groups of digits before the IPv4 address in it. Keep at "
        "most six."
    ),
    "IPv4-in-IPv6-invalid-code-point": _(
        "The IPv4 address within the IPv6 address is wrong at “%(culprit)s”. Write four "
        "numbers with dots between them and no zero in front."
    ),
    "IPv4-in-IPv6-out-of-range-part": _(
        "“%(culprit)s” in the IPv4 address within the IPv6 address is too large. Use four "
        "numbers from 0 to 255."
    ),
    "IPv4-in-IPv6-too-few-parts": _(
        "The IPv4 address within the IPv6 address has fewer than four numbers. Write all four, "
        "as in [::192.0.2.1]."
    ),
    "invalid-URL-unit": _(
        "“%(culprit)s” is not allowed in this place. Remove it, or percent-encode it."
    ),
    "special-scheme-missing-following-solidus": _(
        "The scheme must be followed by a colon and two slashes, no more and no fewer, as in "
        "“https://example.com”."
    ),
    "missing-scheme-non-relative-URL": _("Begin the URL with “https://”."),
    "invalid-reverse-solidus": _("The URL contains a backslash. Write “/” in its place."),
    "invalid-credentials": _(
        "The URL contains a user name or a password. Remove the text between the slashes "
        "and the host name, up to and including “@”."
    ),
    "host-missing": _(
        "The host name is missing. Write it after the slashes, as in “https://example.com”."
    ),
    "port-out-of-range": _(
        "The port “%(culprit)s” is too large. Use a number from 0 to 65535, or leave it out."
    ),
    "port-invalid": _(
        "The port is wrong at “%(culprit)s”. Only a number may follow the colon after the host "
        "name, as in “https://example.com:8000”."
    ),
    "file-invalid-Windows-drive-letter": _(
        "“%(culprit)s” is a Windows drive. Write the whole URL, as in “file:///C:/folder”."
    ),
    "file-invalid-Windows-drive-letter-host": _(
        "“%(culprit)s” is a Windows drive, not a host name. Put three slashes before it, as in "
        "“file:///C:/folder”."
    ),
    SCHEME_NOT_ALLOWED: _(
        "URLs that begin with “%(culprit)s” cannot be used here. Begin with %(allowed)s."
    ),
    INVALID_URL_STRING: _(
        "Browsers understand this URL, but it is not written correctly. Copy it from a "
        "browser’s address bar."
    ),
    TOO_MANY_ERRORS: _("The URL contains too many mistakes to list. Check it again."),
}

TYPED_TEXT_MESSAGES: Final[dict[str, _StrOrPromise]] = {
    TypedProblem.EMAIL_ADDRESS.value: _(
        "This is an e-mail address. Write a URL, as in “https://example.com”."
    ),
    TypedProblem.NUMBER.value: _(
        "“%(culprit)s” is not a host name. An IP address has four numbers, as in 192.0.2.1."
    ),
    TypedProblem.MISPLACED_DOT.value: _("“%(culprit)s” has a dot in the wrong place. Remove it."),
    TypedProblem.QUOTATION_MARKS.value: _("Remove the quotation marks."),
    TypedProblem.BRACKETS.value: _("Remove the brackets around the URL."),
    TypedProblem.TWO_SCHEMES.value: _("The URL begins with two schemes. Keep only one of them."),
    TypedProblem.OTHER_TEXT.value: _("Write only the URL, without other text."),
    TypedProblem.GIT_ADDRESS.value: _(
        "This is a Git address. Write a URL, as in “https://example.com”."
    ),
    TypedProblem.FILE_PATH.value: _(
        "This is a file on a computer. Write a URL, as in “https://example.com”."
    ),
    TypedProblem.IPV4_IN_BRACKETS.value: _("Write the IPv4 address without brackets: %(culprit)s."),
    TypedProblem.SIGNS_BEFORE_URL.value: _("Remove “%(culprit)s” before the URL."),
    TypedProblem.TWO_URLS.value: _("These are two URLs. Write only one."),
    TypedProblem.IPV6_WITHOUT_BRACKETS.value: _("Put the IPv6 address in brackets: %(culprit)s."),
    TypedProblem.MISSING_COLON.value: _("Write a colon after “%(culprit)s”."),
    TypedProblem.WRONG_COLON.value: _(
        "Write a colon after “%(scheme)s”, in place of “%(culprit)s”."
    ),
    # More specific messages for an error of the standard.
    SPACE_IN_HOST: _("“%(culprit)s” contains a space. Remove it."),
    INVISIBLE_IN_HOST: _(
        "The host name contains an invisible character (%(code_point)s) after “%(before)s”. "
        "Remove it."
    ),
    COMMA_IN_HOST: _("“%(culprit)s” contains a comma. Write a dot in its place."),
    SCHEME_BEFORE_USERNAME: _("Write “https://” first."),
    OTHER_SITE: _("Begin with one slash only, or write a complete URL."),
}
"""The messages for text that is not a URL, by `TypedProblem`, and some that are more specific than
the message for an error of the standard."""

POLICY_ERROR_MESSAGES: Final[dict[str, _StrOrPromise]] = {
    SCHEME_NOT_ALLOWED: URL_ERROR_MESSAGES[SCHEME_NOT_ALLOWED],
    "too-long": ngettext_lazy(
        "This URL may have at most %(allowed)s character, but has %(culprit)s. Each special "
        "character counts as several: one “é” is stored as six.",
        "This URL may have at most %(allowed)s characters, but has %(culprit)s. Each special "
        "character counts as several: one “é” is stored as six.",
        "allowed",
    ),
    "credentials-not-allowed": _(
        "The URL contains a user name or a password, which cannot be used here. Remove the text "
        "between the slashes and the host name, up to and including “@”."
    ),
    "leading-hyphen": _("The host name or the user name begins with a hyphen. Remove it."),
    "fragment-not-allowed": _("Remove the “#” and the text after it."),
    "no-host": _(
        "The URL has no host name. Use a URL with a host name, as in “https://example.com”."
    ),
    "host-not-understood": _("The host “%(culprit)s” cannot be used here."),
    "host-not-allowed": _(
        "The host “%(culprit)s” cannot be used here. These can be used: %(allowed)s."
    ),
    "host-refused": _("URLs with the host “%(culprit)s” are not accepted here."),
    "ip-host": _("“%(culprit)s” is an IP address. Use a name, as in “https://example.com”."),
    "address-not-allowed": _(
        "“%(culprit)s” is not an address on the public Internet that everyone can use. Use another "
        "one."
    ),
    "single-label": _(
        "“%(culprit)s” is not a complete host name. Check it for missing parts, as in "
        "“%(culprit)s.com”."
    ),
    "special-use-name": _(
        "“%(culprit)s” is a name in a private network. Use one on the public Internet."
    ),
    "public-suffix": _(
        "“%(culprit)s” is only the ending of a host name. Add the part that comes before it."
    ),
    "unknown-suffix": _(
        "The host name “%(culprit)s” does not have a known ending. Check it for typing errors."
    ),
    "unresolvable-name": _(
        "“%(culprit)s” cannot be a host name on the Internet. It has a part that is empty or too "
        "long."
    ),
    LOOK_ALIKE: _(
        "“%(culprit)s” looks like “%(allowed)s”, but it is another address. Check which one you "
        "mean."
    ),
    "port-not-allowed": _(
        "The port “%(culprit)s” cannot be used here. These can be used: %(allowed)s."
    ),
    "readers-disagree": _(
        "Different programs read this URL in different ways. Copy it from a browser’s address bar."
    ),
    "no-address": _("The host name of the URL has no address."),
    "no-pattern-matches": _("This URL is not one of those that can be used here."),
}
"""The messages for violations of a `weburl.URLPolicy`, by the code of the violation."""

LOOKALIKE_MESSAGES: Final[dict[Reason, _StrOrPromise]] = {
    Reason.MIXED_SCRIPTS: _("It mixes letters of different scripts."),
    Reason.READS_AS_LATIN: _("All of its letters look like letters of the Latin alphabet."),
    Reason.FOREIGN_LETTER: _(
        "It contains a letter of another country’s alphabet that looks like a common letter."
    ),
    Reason.INVISIBLE: _("It contains a character that cannot be seen."),
    Reason.MIXED_DIGITS: _("It mixes digits of different scripts."),
    Reason.MISPLACED_MARK: _("It contains an accent or another mark in an unusual place."),
    Reason.LIKE_A_DELIMITER: _(
        "It contains a character that looks like a dot, a slash or other punctuation."
    ),
    Reason.MISPLACED_KANA: _(
        "It contains a Japanese character in place of one that looks the same."
    ),
    Reason.UNUSUAL: _("It contains a character that names seldom contain."),
    Reason.UNDECODABLE: _("It is encoded, and has no valid decoded form."),
    Reason.DEVIATION: _("It contains a letter that older software replaces with others."),
    Reason.JOINER: _("It contains an invisible joiner that its spelling needs."),
}
"""The sentences of `weburl.lookalikes.Reason` about a host, translated."""

FIELD_MESSAGES: Final = {**POLICY_ERROR_MESSAGES, **URL_ERROR_MESSAGES}
REFERENCE_MESSAGES: Final[dict[str, _StrOrPromise]] = {
    **FIELD_MESSAGES,
    "missing-scheme-non-relative-URL": _(
        "This is neither a page of this site nor a complete URL. Begin with a slash, as in "
        "“/about”, or with a scheme, as in “https://example.com”."
    ),
}
"""The messages for references, by the code of the error."""

_NO_WILDCARD: Final = _("“*” does not match other text here. Write the whole address without it.")

REDIRECT_URI_MESSAGES: Final[dict[str, _StrOrPromise]] = {
    "too-long": POLICY_ERROR_MESSAGES["too-long"],
    "not-a-url": URL_ERROR_MESSAGES["missing-scheme-non-relative-URL"],
    SCHEME_NOT_ALLOWED: URL_ERROR_MESSAGES[SCHEME_NOT_ALLOWED],
    "scheme-without-dot": URL_ERROR_MESSAGES[SCHEME_NOT_ALLOWED],
    "not-encrypted": URL_ERROR_MESSAGES[SCHEME_NOT_ALLOWED],
    "credentials": POLICY_ERROR_MESSAGES["credentials-not-allowed"],
    "fragment": POLICY_ERROR_MESSAGES["fragment-not-allowed"],
    "wildcard": _NO_WILDCARD,
    "wildcard-misplaced": _NO_WILDCARD,
    "localhost": POLICY_ERROR_MESSAGES["host-refused"],
    "not-canonical": _("Browsers spell this URL differently. Write “%(suggestion)s”."),
    "readers-disagree": POLICY_ERROR_MESSAGES["readers-disagree"],
}
"""The messages for redirect URIs, by the code of a `weburl.redirect_uris.RedirectURIProblem`."""

_PARAMS: Final = ("value", "culprit", "scheme", "before", "code_point")
# A quotation in a reason of `weburl`, but not an apostrophe inside a word.
_QUOTED: Final = re.compile(r"(?<!\w)'(.+?)'(?!\w)")
_NOT_A_PATTERN: Final = _("This is not a URL pattern. Check it at “%(culprit)s”.")
_NOT_AN_ORIGIN: Final = _(
    "This is not an origin. Write the scheme and the host name, and the port if there is one, as "
    "in “https://example.com”."
)

_NO_WILDCARD_IN_ORIGINS: Final = _(
    "“*” does not mean all origins here. Write one origin, as in “https://example.com”."
)

ORIGIN_MESSAGES: Final[dict[str, _StrOrPromise]] = {
    **dict.fromkeys(
        ("null", "no-scheme", "not-a-url", "no-host", "path", "query", "fragment"), _NOT_AN_ORIGIN
    ),
    SCHEME_NOT_ALLOWED: URL_ERROR_MESSAGES[SCHEME_NOT_ALLOWED],
    "credentials": POLICY_ERROR_MESSAGES["credentials-not-allowed"],
    "wildcard": _NO_WILDCARD_IN_ORIGINS,
    "wildcard-misplaced": _NO_WILDCARD_IN_ORIGINS,
    **dict.fromkeys(
        ("trailing-slash", "capital-letters", "default-port", "not-ascii", "spelling"),
        REDIRECT_URI_MESSAGES["not-canonical"],
    ),
}
"""The messages for origins, by the code of a `weburl.OriginProblem`."""


def use_catch_all(
    messages: dict[str, _StrOrPromise], defaults: Mapping[str, _StrOrPromise]
) -> None:
    """Replace this package's default messages with the message "invalid", if there is one."""
    if "invalid" in messages:
        for code, default in defaults.items():
            is_of_django = default is Field.default_error_messages.get(code)
            if messages[code] is default and not is_of_django:
                messages[code] = messages["invalid"]


@lru_cache(maxsize=256)
def _inherited_messages(field_class: type[Any]) -> dict[str, _StrOrPromise]:
    """Return the default messages of a class of fields."""
    messages: dict[str, _StrOrPromise] = {}
    for base in reversed(field_class.__mro__):
        messages.update(getattr(base, "default_error_messages", {}))
    return messages


def are_inherited(messages: Mapping[str, _StrOrPromise], field_class: type[Any]) -> bool:
    """Return whether ``messages`` are exactly the default messages of a class of fields.

    They are compared by identity, because text may equal a message in only one language. A field
    has more than fifty messages, and Django REST framework makes new fields for each request, so
    this uses `map`. A loop took four times as long.
    """
    inherited = _inherited_messages(field_class)  # type: ignore[arg-type]  # a class is hashable
    return len(messages) == len(inherited) and all(
        map(is_, messages.values(), inherited.values())  # Both have the same order.
    )


def url_error(
    code: str,
    *,
    value: str,
    culprit: str = "",
    messages: Mapping[str, _StrOrPromise] = URL_ERROR_MESSAGES,
    detail: str = "",
    **params: object,
) -> ValidationError:
    """Return a ValidationError whose message may quote ``value`` and ``culprit``.

    Neither may contain a username or a password, because messages end up in logs.

    Args:
        code: The standard's name for the error, which is a key of ``messages``.
        value: The whole text.
        culprit: The part of the text that causes the error. By default, the whole text.
        messages: The message for each code.
        detail: The key of a more specific message, which is used if the message for ``code`` is the
            default message.
        **params: Other parameters of the message.
    """
    message = _message(code, messages)
    if detail and is_default(message, code):
        message = _message(detail, messages)
    return ValidationError(
        message,
        code=str(code),
        params={
            "value": _masked_when_shown(value),
            "culprit": _presentable_when_shown(culprit or value),
            "scheme": "",
            "before": "",
            "code_point": "",
            **params,
        },
    )


def _message(code: str, messages: Mapping[str, _StrOrPromise]) -> _StrOrPromise:
    for each in (messages, TYPED_TEXT_MESSAGES, URL_ERROR_MESSAGES):
        if code in each:
            return each[code]
    raise KeyError(code)


def is_default(message: _StrOrPromise, code: str) -> bool:
    """Return whether ``message`` is this package's own for an error with ``code``."""
    return message is URL_ERROR_MESSAGES.get(code) or message is REFERENCE_MESSAGES.get(code)


def parse_error(
    error: weburl.URLParseError, messages: Mapping[str, _StrOrPromise] = URL_ERROR_MESSAGES
) -> ValidationError:
    """Return the ValidationError for text that a browser refuses.

    The message and its parameters are computed when they are shown.
    """
    if error.type is None:
        message = messages.get("invalid", error.reason)
        return ValidationError(
            message, code="invalid", params={"value": error.input_without_password}
        )
    # Locating the error takes ten times as long as naming it, and only messages need the place.
    code = error.type.value
    message = _message(code, messages)
    if is_default(message, code):
        message = _message_when_shown(error, messages)
    params: dict[str, object] = {name: _param_when_shown(error, name) for name in _PARAMS}
    return ValidationError(message, code=code, params=params)


def _explained(error: weburl.URLParseError) -> dict[str, str]:
    """Return the parameters of `url_error` for text that does not parse."""
    shown = error.input_without_password
    report = error.report
    failure = None if report is None else report.failure
    culprit = "" if report is None or failure is None else report.culprit(failure)
    params = {"culprit": culprit}
    typed = read_typed_text(shown, single_labels=True)
    if typed.kind in (TypedKind.EMAIL_ADDRESS, TypedKind.JUNK):
        params |= _params_of(typed)
    elif error.type is weburl.ValidationErrorType.DOMAIN_TO_ASCII:
        params |= _params_of_host(culprit)
    return params | {"value": shown, "culprit": presentable(params["culprit"] or shown)}


def typed_error(
    typed: TypedText, messages: Mapping[str, _StrOrPromise] = URL_ERROR_MESSAGES
) -> ValidationError:
    """Return the ValidationError for typed text that has a problem."""
    return url_error(typed.code, value=typed.text, messages=messages, **_params_of(typed))


def _params_of(typed: TypedText) -> dict[str, str]:
    """Return the parameters of `url_error` for typed text that has a problem."""
    if typed.problem is None:
        return {}
    params = {"detail": typed.problem.value, "culprit": typed.culprit, "scheme": typed.scheme}
    if typed.problem is TypedProblem.SINGLE_LABEL:
        params |= _params_of_host(typed.culprit)
    return params


def _params_of_host(host: str) -> dict[str, str]:
    """Return the parameters of `url_error` for an invalid host."""
    if "," in host:
        return {"detail": COMMA_IN_HOST}
    if " " in host:
        return {"detail": SPACE_IN_HOST}
    for at, char in enumerate(host):
        if not is_visible(char):
            before, code_point = presentable(host[:at]), f"U+{ord(char):04X}"
            return {"detail": INVISIBLE_IN_HOST, "code_point": code_point, "before": before}
    return {}


def pattern_error(error: weburl.URLPatternError) -> ValidationError:
    """Return the ValidationError for text that is not a URL pattern, without credentials."""
    message = str(_NOT_A_PATTERN)
    if message.startswith("This is not"):
        # The reason is in English, so other languages only say where the pattern is wrong.
        message = "This is not a URL pattern: %(reason)s"
    culprit = error.culprit or error.input_without_credentials or error.component or "…"
    return ValidationError(
        message,
        code="invalid-pattern",
        params={
            "reason": _QUOTED.sub(r"“\1”", str(error).partition("\n")[0]),
            "culprit": presentable(culprit),
        },
    )


def part_error(message: _StrOrPromise, text: str) -> ValidationError:
    """Return the error for text that cannot be a part of a URL. ``message``: with ``culprit``."""
    return ValidationError(message, code="invalid", params={"culprit": presentable_part(text)})


def located(
    error: ValidationError, *, field: object, value: object, row: object = None
) -> ValidationError:
    """Return ``error`` with a message that also names the field, the row and the value.

    This is for errors outside forms, when a value is stored or used in a query. The code does not
    change.

    Args:
        error: The error to add to.
        field: A field of a model.
        value: The value, which the message quotes without a password.
        row: The primary key of the row, or None if it is not known.
    """
    where = str(field)
    if row is not None:
        # Translators: "field" is a name in code, such as "links.Link.url". "row" is often a number.
        where = _("%(field)s of row %(row)s") % {"field": field, "row": presentable(str(row))}
    return ValidationError(
        # Translators: "error" is a whole sentence with its full stop.
        _("%(where)s: %(error)s The value is “%(shown)s”."),
        code=error.code,
        params={
            **(error.params or {}),
            "where": where,
            "error": sentences(error.messages),
            "shown": presentable(str.__str__(value) if isinstance(value, str) else str(value)),
        },
    )


def operand_error(
    error: ValidationError, operand: object, expected: str, advice: str
) -> ValidationError:
    """Return ``error`` with a message for the programmer who wrote a lookup.

    Args:
        error: What the operand was refused with. Its code does not change.
        operand: The operand, which the message quotes without a password.
        expected: What the lookup takes.
        advice: A sentence about what to write instead.
    """
    text = str.__str__(operand) if isinstance(operand, str) else str(operand)
    return ValidationError(
        "Expected %(expected)s, but got “%(shown)s”. %(advice)s",
        code=error.code,
        params={
            **(error.params or {}),
            "expected": expected,
            "shown": presentable(text),
            "advice": advice,
        },
    )


def alternatives(texts: Iterable[str]) -> str:
    """Return ``texts`` in quotation marks, joined with "or" in the current language."""
    # Translators: use the quotation marks of your language. "text" is a scheme, host or port.
    quoted = [_("“%(text)s”") % {"text": text} for text in texts]
    if not quoted:
        # Translators: this replaces an empty list, as in "These can be used: none."
        return str(_("none"))
    # These are our own messages. Django also translates "or" into languages that we do not have.
    *texts, last = quoted
    if not texts:
        return last
    # Translators: a list of three or more texts before its last text.
    join = _("%(texts)s, %(next)s")
    listed = reduce(lambda listed, text: join % {"texts": listed, "next": text}, texts)
    # Translators: the end of a list, as in "http: or https:".
    return _("%(texts)s or %(last)s") % {"texts": listed, "last": last}


def sentences(texts: Iterable[str]) -> str:
    """Return whole sentences joined as the current language joins them."""
    # Translators: two sentences with their full stops.
    join = _("%(sentence)s %(next)s")
    return reduce(lambda said, text: join % {"sentence": said, "next": text}, texts)


def manage_py(*words: str, alias: str) -> str:
    """Return a command line for manage.py, with ``--database`` unless it is the default database.

    ``alias``: the alias of the database.
    """
    database = [] if alias == DEFAULT_DB_ALIAS else ["--database", alias]
    return shlex.join(["manage.py", *words, *database])


def without_credentials(text: str) -> str:
    """Return ``text`` with everything masked that could be a username or password.

    ``text`` may be a URL, or text that does not parse.
    """
    return weburl.URLParseError("", text).input_without_password


def presentable_part(text: str) -> str:
    """Return a part of a URL as `presentable` does, and mask the text before an "@"."""
    return presentable(f"…{text[text.rindex('@') :]}" if "@" in text else text)


def presentable(text: str) -> str:
    """Return ``text`` as a message can quote it: not too long, and without invisible characters.

    Code points that are invisible or change the writing direction become ``U+202E`` and the like. A
    possible username or password is masked with "*".
    """
    text = without_credentials(text)
    if len(text) > CULPRIT_LENGTH:
        half = CULPRIT_LENGTH // 2
        text = f"{text[:half]}…{text[-half:]}"
    return visible(text)


def presentable_entry(text: str) -> str:
    """Return a URI as `presentable` does, without its query and fragment, which may be secret."""
    return presentable(re.split("[?#]", text, maxsplit=1)[0])


def visible(text: str) -> str:
    """Return ``text`` with each invisible code point replaced by ``U+202E`` and the like."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(c if is_visible(c) else f"U+{ord(c):04X}" for c in text)


def _shown_message(error: weburl.URLParseError, messages: Mapping[str, _StrOrPromise]) -> str:
    code = _explained(error).get("detail") or str(error.type)
    return str(_message(code, messages))


def _shown_param(error: weburl.URLParseError, name: str) -> str:
    return _explained(error).get(name, "")


# These are computed only if the message is shown.
_message_when_shown: Final = lazy(_shown_message, str)
_param_when_shown: Final = lazy(_shown_param, str)
_masked_when_shown: Final = lazy(without_credentials, str)
_presentable_when_shown: Final = lazy(presentable, str)
alternatives_when_shown: Final = lazy(alternatives, str)
"""Calls `alternatives` in the language in which the error is shown."""
