"""Validators for URLs, references, patterns, origins and redirect URIs.

They accept text, and those for URLs also records, so they also work on other fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import attrs
from django.core.exceptions import ValidationError
from django.core.validators import (
    BaseValidator,
    MaxLengthValidator,
    MinLengthValidator,
    URLValidator,
)
from django.utils.deconstruct import deconstructible
from django.utils.text import format_lazy
from django.utils.translation import ngettext_lazy

import weburl
from django_whatwg_url.column.values import UnparsableURL, text_of, to_url
from django_whatwg_url.policies import PolicyOption, check_policy_option, policy_of
from django_whatwg_url.rules.messages import (
    COMMA_IN_HOST,
    INVALID_URL_STRING,
    ORIGIN_MESSAGES,
    OTHER_SITE,
    POLICY_ERROR_MESSAGES,
    REDIRECT_URI_MESSAGES,
    REFERENCE_MESSAGES,
    SCHEME_NOT_ALLOWED,
    TOO_MANY_ERRORS,
    URL_ERROR_MESSAGES,
    alternatives_when_shown,
    is_default,
    parse_error,
    pattern_error,
    presentable_entry,
    url_error,
)
from weburl import (
    PolicyViolation,
    RelativeReference,
    Report,
    URLParseError,
    URLPolicy,
    URLRecord,
    ValidationErrorType,
)
from weburl.integrations.building_blocks import (
    TypedProblem,
    normalized_scheme,
    read_typed_text,
)
from weburl.redirect_uris import MAX_LENGTH as MAX_REDIRECT_URI_LENGTH
from weburl.redirect_uris import RedirectURIProblem, RedirectURIs

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

# Not Iterable[str], because a misspelled "browser" is one too.
Strictness: TypeAlias = (
    Literal["browser", "valid"]
    | tuple[str, ...]
    | AbstractSet[str]
    | list[str]
    | list[ValidationErrorType]
    | list[ValidationErrorType | str]
)
"""How strictly a URL must be written. ``"browser"``: refuse only what a browser refuses.
``"valid"``: also refuse text that is not a valid URL string. Names of validation errors: also
refuse text that has any of these errors."""

DEFAULT_SCHEMES: Final = ("http", "https")

# For these codes, the violation lists the allowed values, separated by commas.
_LISTS: Final = frozenset({SCHEME_NOT_ALLOWED, "host-not-allowed", "port-not-allowed"})

# People fix only a few mistakes at a time.
MAX_MESSAGES: Final = 10

# Django's validators that accept only text.
_VALIDATORS_OF_TEXT: Final = (MaxLengthValidator, MinLengthValidator, URLValidator)


def normalized_schemes(schemes: Iterable[str]) -> tuple[str, ...]:
    """Return schemes in lower case, sorted and without duplicates, so that they can be compared.

    Raises TypeError for a string, because its letters would be treated as schemes. Raises
    ValueError if a value is not a scheme (such as "https:"), or if there are no schemes.

    Spec: #url-scheme-string
    """
    if isinstance(schemes, str):
        raise TypeError("schemes must be an iterable of schemes, not a string")
    if schemes is DEFAULT_SCHEMES:
        return DEFAULT_SCHEMES  # It is told from equal ones, which somebody chose.
    found: set[str] = set()
    for text in schemes:
        scheme = normalized_scheme(text)
        if scheme is None:
            raise ValueError(f"{text!r} is not a scheme; a scheme looks like 'https'")
        found.add(scheme)
    if not found:
        raise ValueError("schemes must not be empty")
    return tuple(sorted(found))


class _Deconstructible:
    """The base of validators that are equal if their arguments are, and can be in migrations."""

    __slots__ = ()

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, object]]:
        """Return the import path and the arguments, for migrations."""
        kind: Any = type(self)
        names = [field.name for field in attrs.fields(kind) if field.init]
        path = f"{kind.__module__}.{kind.__qualname__}"
        return path, (), {name: getattr(self, name) for name in names}


@attrs.frozen
class URLSchemeValidator(_Deconstructible):
    """Refuses a URL if its scheme is not in ``schemes``, and text that does not parse.

    Call it with text or a `URLRecord`. It raises ValidationError with the code
    "scheme-not-allowed". For text that does not parse, the code is the standard's name for the
    error. ``schemes``: an iterable of schemes, or None to allow every scheme. Invalid schemes raise
    TypeError or ValueError.
    """

    __module__ = "django_whatwg_url.validators"

    schemes: tuple[str, ...] | None = attrs.field(
        default=DEFAULT_SCHEMES, converter=attrs.converters.optional(normalized_schemes)
    )

    def __call__(self, value: object) -> None:
        url = value if isinstance(value, URLRecord) else to_url(value)
        if isinstance(url, UnparsableURL):
            raise parse_error(url.error)
        if url is None or self.allows(url.scheme):
            return
        allowed = self._schemes_now() or ()
        if url.scheme not in allowed:
            raise url_error(
                SCHEME_NOT_ALLOWED,
                value=text_of(value),
                culprit=f"{url.scheme}:",
                allowed=alternatives_when_shown([f"{scheme}:" for scheme in allowed]),
            )

    def allows(self, scheme: str) -> bool:
        """Return whether a URL may have this scheme. ``scheme``: in lower case."""
        return self.schemes is None or scheme in self.schemes

    def _schemes_now(self) -> tuple[str, ...] | None:
        return self.schemes


@attrs.frozen
class _SchemesOfReference(URLSchemeValidator):
    """Allows the schemes that the policy of a reference has when a URL is checked.

    The policy itself refuses http and https, so that it is not looked up twice.
    """

    policy: PolicyOption = attrs.field(kw_only=True)

    def _schemes_now(self) -> tuple[str, ...] | None:
        return policy_of(self.policy).schemes or self.schemes


def _normalized(strictness: Strictness) -> Literal["browser", "valid"] | tuple[str, ...]:
    if isinstance(strictness, str):
        if strictness == "browser":
            return "browser"
        if strictness == "valid":
            return "valid"
        raise ValueError(
            f"strictness must be 'browser', 'valid' or an iterable of errors, not {strictness!r}"
        )
    wanted = {str(name) for name in strictness}
    known = [str(type) for type in ValidationErrorType]
    if unknown := wanted.difference(known):
        raise ValueError(
            f"the URL Standard has no validation error {min(unknown)!r}, only {', '.join(known)}"
        )
    return tuple(name for name in known if name in wanted) or "browser"


@attrs.frozen
class URLStrictnessValidator(_Deconstructible):
    """Refuses a URL that is not written strictly enough.

    Call it with text or a `URLRecord`. For a record, it checks the canonical href. It raises
    ValidationError with one error for each problem, and the code is the standard's name for the
    error. ``strictness``: see `Strictness`. An unknown strictness raises ValueError.

    Spec: #validation-error, #valid-url-string
    """

    __module__ = "django_whatwg_url.validators"

    strictness: Literal["browser", "valid"] | tuple[str, ...] = attrs.field(
        default="browser", converter=_normalized
    )

    def __call__(self, value: object) -> None:
        text = text_of(value)
        if errors := self.errors_in(weburl.check(text)):
            raise ValidationError(errors)

    def errors_in(
        self, report: Report, messages: Mapping[str, _StrOrPromise] = URL_ERROR_MESSAGES
    ) -> list[ValidationError]:
        """Return the errors of ``report`` that this strictness refuses, without duplicates.

        If the text does not parse, the error that made parsing fail is always included.
        """
        text = report.input_without_credentials
        if self.strictness == "valid" and report.is_valid_url_string and report.failure is None:
            return []
        refused: dict[tuple[str, ...], ValidationError] = {}  # by code and message
        for error in report.errors:
            if not (error.is_failure or self._refuses(error.type)):
                continue
            culprit = report.culprit(error)
            if error.is_failure or len(refused) < MAX_MESSAGES:
                said = url_error(error.type, value=text, culprit=culprit, messages=messages)
                refused.setdefault((error.type, *said.messages), said)
        if refused or self.strictness == "browser":
            return list(refused.values())
        if self.strictness == "valid":
            return [url_error(INVALID_URL_STRING, value=text, messages=messages)]
        if report.error_count > len(report.errors):
            # The report is bounded, so it may lack an error that must be refused.
            return [url_error(TOO_MANY_ERRORS, value=text, messages=messages)]
        return []

    def _refuses(self, type: ValidationErrorType) -> bool:
        return self.strictness == "valid" or (
            self.strictness != "browser" and type in self.strictness
        )


def check_policy(_validator: object, _attribute: attrs.Attribute[Any], value: object) -> None:
    """Raise TypeError if an option of a validator is not a policy."""
    check_policy_option(value)


@attrs.frozen
class URLPolicyValidator(_Deconstructible):
    """Refuses a URL that ``policy`` does not allow, and text that does not parse.

    Call it with text or a `URLRecord`. A policy that requires agreement checks the text. It raises
    ValidationError with one error for each violation, which has the code of the violation. For text
    that does not parse, the code is the standard's name for the error. ``policy``: a policy or a
    reference to one, see `policies.PolicyOption`. Another value raises TypeError.
    """

    __module__ = "django_whatwg_url.validators"

    policy: PolicyOption = attrs.field(validator=check_policy)

    def __call__(self, value: object) -> None:
        url = to_url(value)
        if isinstance(url, UnparsableURL):
            raise parse_error(url.error)
        if url is None:
            return
        written = text_of(value) if isinstance(value, str) else None
        found = policy_of(self.policy).check(url, written=written)
        if found:
            text = text_of(value)
            raise ValidationError([_policy_error(each, text) for each in _worst(found)])


# If the host breaks several rules, the first of these codes says best what to do.
_BEST_OF_HOST: Final = (
    "host-not-allowed", "host-refused", "special-use-name", "single-label", "ip-host",
    "unresolvable-name", "address-not-allowed",
)  # fmt: skip
READERS_DISAGREE: Final = "readers-disagree"


def _worst(found: tuple[PolicyViolation, ...]) -> list[PolicyViolation]:
    """Return one violation for each part of a URL, since one mistake may break several rules.

    Programs often disagree because of the same mistake, so that is only said without another one.
    """
    ranks = {code: rank for rank, code in enumerate(_BEST_OF_HOST)}
    of_parts: dict[str, PolicyViolation] = {}
    for each in sorted(found, key=lambda each: ranks.get(each.code, len(ranks))):
        of_parts.setdefault(each.code if each.part == "url" else each.part, each)
    if len(of_parts) > 1:
        of_parts.pop(READERS_DISAGREE, None)
    return [each for each in found if each in of_parts.values()]


def _policy_error(violation: PolicyViolation, text: str) -> ValidationError:
    code, detail = violation.code, ""
    culprit, messages = _culprit(violation), POLICY_ERROR_MESSAGES
    if violation.part == "host" and "," in culprit:
        detail = COMMA_IN_HOST
    elif read_typed_text(text).problem is TypedProblem.TWO_SCHEMES:
        detail = TypedProblem.TWO_SCHEMES.value
    elif code == READERS_DISAGREE:
        # What a browser repairs, and others do not.
        report = weburl.check(text)
        for error in report.errors[:1]:
            detail, culprit = error.type.value, report.culprit(error)
    return url_error(
        code,
        value=text,
        culprit=culprit,
        messages=messages,
        detail=detail,
        allowed=_allowed(violation),
    )


# The parser removes tabs and newlines anywhere, and replaces lone surrogates. PostgreSQL does not
# store NUL.
_NEVER_EXACT: Final = re.compile("[\x00\t\n\r\ud800-\udfff]")


def exact_text(text: str, messages: Mapping[str, _StrOrPromise] = URL_ERROR_MESSAGES) -> URLRecord:
    """Return the URL that a browser makes of ``text``. The parser must not have to remove anything.

    Raises ValidationError with the standard's name for the error if ``text`` is not a URL. Spaces
    and C0 controls at the ends, tabs, newlines, NUL and lone surrogates are "invalid-URL-unit".

    Spec: #concept-basic-url-parser
    """
    culprit = _NEVER_EXACT.search(text)
    ends = [end for end in (text[:1], text[-1:]) if end <= " "]
    if culprit is not None or (text and ends):
        raise url_error(
            ValidationErrorType.INVALID_URL_UNIT,
            value=text,
            culprit=culprit[0] if culprit is not None else ends[0],
            messages=messages,
        )
    try:
        return weburl.parse(text)
    except URLParseError as error:
        raise parse_error(error, messages) from error


@attrs.frozen
class ExactURLValidator(_Deconstructible):
    """Refuses text that is not a URL exactly as it is, or that breaks another rule.

    Call it with text. It raises ValidationError with one error for each problem, with the codes of
    the other validators in this module. Spaces and C0 controls at the ends, tabs, newlines, NUL and
    lone surrogates have the code "invalid-URL-unit".

    Args:
        schemes: As in `URLSchemeValidator`.
        strictness: As in `URLStrictnessValidator`.
        policy: As in `URLPolicyValidator`, or None.
    """

    __module__ = "django_whatwg_url.validators"

    schemes: tuple[str, ...] | None = attrs.field(
        default=DEFAULT_SCHEMES, converter=attrs.converters.optional(normalized_schemes)
    )
    strictness: Literal["browser", "valid"] | tuple[str, ...] = attrs.field(
        default="browser", converter=_normalized
    )
    policy: PolicyOption | None = attrs.field(
        default=None, validator=attrs.validators.optional(check_policy)
    )

    def __call__(self, value: object) -> None:
        text = text_of(value)
        if text == "":
            return
        record = exact_text(text)
        validators: list[Callable[[Any], None]] = [scheme_validator(self.schemes, self.policy)]
        if self.strictness != "browser":
            validators.append(URLStrictnessValidator(self.strictness))
        if self.policy is not None:
            validators.append(URLPolicyValidator(self.policy))
        if errors := collect_errors(validators, record, text, {}):
            raise ValidationError(errors)


# References are parsed with two bases, because the parser drops the default port of the base.
_ON_HTTPS: Final = "https://site.invalid/"
_ON_HTTP: Final = "http://site.invalid/"


def reference_text(
    text: str,
    *,
    allow_scheme_relative: bool = False,
    messages: Mapping[str, _StrOrPromise] = REFERENCE_MESSAGES,
) -> str:
    r"""Return the canonical text of a path on a site, or of a whole URL, and "" for empty text.

    A whole URL becomes its href. A path, query or fragment is written as the parser would write it:
    percent-encoded, with slashes instead of backslashes, and without ``.`` and ``..``. On every
    page of an http or https site, the result means the same URL as ``text``.

    Raises ValidationError with the standard's name for the error. It is
    "missing-scheme-non-relative-URL" for a reference that does not start with ``/``, ``?`` or
    ``#``, because it means a different URL in each folder. A reference that names a host in any
    spelling (``//evil``, ``/\evil``) has the same code, unless ``allow_scheme_relative`` is true.

    Spec: #relative-url-string
    """
    try:
        reference = RelativeReference(text)
    except URLParseError:
        try:
            record = weburl.parse(text)
        except URLParseError as error:
            raise parse_error(error, messages) from error
        if any(_parses_to_another(text, base, record) for base in (_ON_HTTPS, _ON_HTTP)):
            raise url_error(
                ValidationErrorType.SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS,
                value=text,
                messages=messages,
            ) from None
        return record.href
    if reference.text == "":
        return ""
    kind = reference.kind
    if kind == "path-relative" or (reference.names_a_host and not allow_scheme_relative):
        raise url_error(
            ValidationErrorType.MISSING_SCHEME_NON_RELATIVE_URL,
            value=text,
            messages=messages,
            detail="" if kind == "path-relative" else OTHER_SITE,
        )
    try:
        return reference.canonical().text
    except URLParseError as error:
        raise parse_error(error, messages) from error


def _parses_to_another(text: str, base: str, record: URLRecord) -> bool:
    try:
        return weburl.parse(text, base) != record
    except URLParseError:
        return True


@attrs.frozen
class URLReferenceValidator(_Deconstructible):
    """Refuses text that is neither a path on a site nor a whole URL, or that breaks another rule.

    Call it with text. It raises ValidationError with the codes of `URLSchemeValidator` and
    `URLPolicyValidator`. Other text has the code "missing-scheme-non-relative-URL".

    Args:
        schemes: As in `URLSchemeValidator`, for whole URLs.
        policy: As in `URLPolicyValidator`, for whole URLs and for references that name a host,
            which are resolved against an https page. None for no policy.
        allow_scheme_relative: Whether a reference may name a host, as ``//cdn.example/a`` does.
    """

    __module__ = "django_whatwg_url.validators"

    schemes: tuple[str, ...] | None = attrs.field(
        default=DEFAULT_SCHEMES, converter=attrs.converters.optional(normalized_schemes)
    )
    policy: PolicyOption | None = attrs.field(
        default=None, validator=attrs.validators.optional(check_policy)
    )
    allow_scheme_relative: bool = attrs.field(
        default=False, validator=attrs.validators.instance_of(bool)
    )

    def __call__(self, value: object) -> None:
        text = reference_text(text_of(value), allow_scheme_relative=self.allow_scheme_relative)
        if text == "" or (text[0] in "/?#" and not text.startswith("//")):
            return
        record = weburl.parse(text, _ON_HTTPS)
        validators: list[Callable[[Any], None]] = []
        if not text.startswith("//"):
            validators.append(scheme_validator(self.schemes, self.policy))
        if self.policy is not None:
            validators.append(URLPolicyValidator(self.policy))
        if errors := collect_errors(validators, record, text_of(value), {}):
            raise ValidationError(errors)


@attrs.frozen
class URLPatternValidator(_Deconstructible):
    """Refuses text that is not a URL pattern, such as ``https://*.example.com/users/:id``.

    Call it with text. It raises ValidationError with the code "invalid-pattern" and the reason.

    Args:
        regexp_groups: Whether the pattern may have groups with regular expressions.

    Spec: https://urlpattern.spec.whatwg.org/#constructor-string-parsing
    """

    __module__ = "django_whatwg_url.validators"

    regexp_groups: bool = attrs.field(default=False, validator=attrs.validators.instance_of(bool))

    def __call__(self, value: object) -> None:
        text = text_of(value)
        try:
            weburl.URLPolicy(patterns=[text])  # This refuses a misleading hostname.
            weburl.URLPattern(text, regexp_groups=self.regexp_groups)
        except weburl.URLPatternError as error:
            raise pattern_error(error) from error


validate_url_pattern: Final = URLPatternValidator()
"""Refuses text that is not a URL pattern, and patterns with regular expressions."""


def _culprit(violation: PolicyViolation) -> str:
    is_scheme = violation.code == SCHEME_NOT_ALLOWED
    return f"{violation.culprit}:" if is_scheme else violation.culprit or "?"


def _allowed(violation: PolicyViolation) -> str | int:
    """Return the allowed length, or the allowed values as a list in the current language."""
    if violation.code == "too-long":
        return int(violation.allowed)
    if violation.code not in _LISTS:
        return violation.allowed
    listed = [] if violation.allowed == "none" else violation.allowed.split(", ")
    colon = ":" if violation.code == SCHEME_NOT_ALLOWED else ""
    return alternatives_when_shown([f"{item}{colon}" for item in listed])


def schemes_beside(
    policy: PolicyOption | None, schemes: Iterable[str] | None
) -> Iterable[str] | None:
    """Return the schemes that a field allows: ``schemes`` if given, or else the policy's.

    The schemes of a reference are not copied, because its policy may change: see
    `scheme_validator`. Raises TypeError if ``policy`` is not a policy.
    """
    if policy is None:
        return schemes
    check_policy_option(policy)
    if isinstance(policy, URLPolicy) and schemes is DEFAULT_SCHEMES:
        return policy.schemes or schemes
    return schemes


def scheme_validator(
    schemes: Iterable[str] | None, policy: PolicyOption | None
) -> URLSchemeValidator:
    """Return the validator for the schemes of a field, which may be those of its policy."""
    if schemes is DEFAULT_SCHEMES and policy is not None and not isinstance(policy, URLPolicy):
        return _SchemesOfReference(schemes, policy=policy)
    return URLSchemeValidator(schemes)


def depends_on_spelling(validator: object) -> bool:
    """Return whether ``validator`` checks how a URL is written, and so needs the original text."""
    if isinstance(validator, URLPolicyValidator):
        # The policy of a reference may require agreement later.
        policy = validator.policy
        return policy.require_agreement if isinstance(policy, URLPolicy) else True
    return isinstance(validator, URLStrictnessValidator)


@deconstructible(path="django_whatwg_url.validators.CanonicalMaxLengthValidator")
class CanonicalMaxLengthValidator(BaseValidator):
    """Refuses a URL whose canonical form is longer than ``limit_value`` characters.

    Call it with a `URLRecord` or with text. If the text does not parse, its own length counts.
    """

    __module__ = "django_whatwg_url.validators"

    code = "max_length"
    message: _StrOrPromise = ngettext_lazy(
        # Do not use a percent sign here, because Django formats messages for array elements twice.
        "This URL may have at most %(limit_value)d character, but has %(show_value)d. Each "
        "special character counts as several: one “é” is stored as six.",
        "This URL may have at most %(limit_value)d characters, but has %(show_value)d. Each "
        "special character counts as several: one “é” is stored as six.",
        "limit_value",
    )

    def compare(self, a: int, b: int) -> bool:
        return a > b

    def clean(self, x: object) -> int:
        return len(x.href if isinstance(x, URLRecord) else str(to_url(x) or x))


_VALIDATORS_OF_WRITING: Final = (URLPolicyValidator, URLStrictnessValidator)

# These get the record even if `as_text` is true, because they would parse text again.
_VALIDATORS_OF_RECORDS: Final = (
    URLSchemeValidator,
    URLStrictnessValidator,
    URLPolicyValidator,
    CanonicalMaxLengthValidator,
)


def collect_errors(
    validators: Iterable[Callable[[Any], None]],
    record: URLRecord,
    written: str | None,
    messages: Mapping[str, _StrOrPromise],
    *,
    as_text: bool = False,
) -> list[ValidationError]:
    """Run ``validators`` on a URL and return their errors.

    It stops if the scheme is not allowed, because later validators may require a host, for example.

    Args:
        validators: They are called with the record, with two exceptions. Django's validators for
            text get its href. Validators that check how a URL is written get ``written``, if given.
        record: The URL.
        written: The text from which the record was parsed, or None.
        messages: The messages for errors with these codes.
        as_text: Whether all validators of other packages get the href.
    """
    errors: list[ValidationError] = []
    for validator in validators:
        value: object = record
        if (
            written is not None
            and isinstance(validator, _VALIDATORS_OF_WRITING)
            and depends_on_spelling(validator)
        ):
            value = written
        elif isinstance(validator, _VALIDATORS_OF_TEXT) or (
            as_text and not isinstance(validator, _VALIDATORS_OF_RECORDS)
        ):
            value = record.href
        if found := errors_of([validator], value, messages):
            errors += found
            if isinstance(validator, URLSchemeValidator):
                break
    return errors


def errors_of(
    validators: Iterable[Callable[[Any], None]],
    value: object,
    messages: Mapping[str, _StrOrPromise],
) -> list[ValidationError]:
    """Run ``validators`` on a value, and return their errors with the field's own ``messages``.

    A default message of a field may be less exact than that of the validator, which stays.
    """
    errors: list[ValidationError] = []
    for validator in validators:
        try:
            validator(value)
        except ValidationError as raised:
            errors += raised.error_list
    for error in errors:
        said = messages.get(error.code or "")
        if said is not None and not is_default(said, error.code or ""):
            error.message = said
    return errors


def _private_schemes(schemes: Iterable[str]) -> tuple[str, ...]:
    """Return schemes as `RedirectURIs` stores them, so that validators can be compared."""
    return RedirectURIs((), schemes=schemes).schemes


@attrs.frozen
class RedirectURIValidator(_Deconstructible):
    """Refuses text that cannot be registered as the redirect URI of an OAuth client.

    Call it with text. It raises ValidationError with the code of a
    `weburl.redirect_uris.RedirectURIProblem`. It has the arguments of
    `weburl.redirect_uris.RedirectURIs`.
    """

    __module__ = "django_whatwg_url.validators"

    allow_localhost: bool = False
    allow_http: bool = False
    schemes: tuple[str, ...] = attrs.field(default=(), converter=_private_schemes)
    subdomain_wildcards: bool = False
    _rules: RedirectURIs = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        # attrs freezes the class.
        object.__setattr__(self, "_rules", self.registered(()))

    def __call__(self, value: object) -> None:
        text = text_of(value)
        problem = self._rules.problem(text)
        if problem is not None:
            raise url_error(
                problem.code,
                value=problem.entry,
                culprit=_culprit_of(problem, text),
                messages=REDIRECT_URI_MESSAGES,
                allowed=_allowed_beside(problem, self.schemes),
                suggestion=presentable_entry(problem.suggestion),
            )

    def registered(self, texts: Iterable[str]) -> RedirectURIs:
        """Return the ``texts`` that this validator accepts, to match redirect URIs with."""
        return RedirectURIs.from_stored(
            texts,
            allow_localhost=self.allow_localhost,
            allow_http=self.allow_http,
            schemes=self.schemes,
            subdomain_wildcards=self.subdomain_wildcards,
        )


def _culprit_of(problem: RedirectURIProblem, text: str) -> str:
    """Return what the message about ``problem`` quotes, such as a scheme, a host or a length."""
    if problem.code == "too-long":
        return str(len(text))
    if problem.part not in ("scheme", "host"):
        return problem.entry
    record = weburl.parse(text)
    return f"{record.scheme}:" if problem.part == "scheme" else str(record.host)


def _allowed_beside(problem: RedirectURIProblem, schemes: Iterable[str]) -> object:
    if problem.code == "too-long":
        return MAX_REDIRECT_URI_LENGTH
    return alternatives_when_shown([f"{scheme}:" for scheme in ("https", *schemes)])


def refusals(texts: Iterable[str], check: Callable[[object], None]) -> dict[str, ValidationError]:
    """Return the error of each text that ``check`` refuses, for a field with several URIs.

    Each message begins with the text, without credentials, query and fragment. The codes do not
    change.
    """
    found: dict[str, ValidationError] = {}
    for text in texts:
        try:
            check(text)
        except ValidationError as error:
            found[text] = ValidationError(
                format_lazy("%(entry)s: {}", error.message),
                code=error.code,
                params={**(error.params or {}), "entry": presentable_entry(text)},
            )
    return found


@attrs.frozen
class OriginValidator(_Deconstructible):
    """Refuses text that a browser never sends as an origin, such as a URL with a path.

    Call it with text. It raises ValidationError with the code of a `weburl.OriginProblem`. For an
    origin in another spelling, the message says what to write.

    Args:
        schemes: The allowed schemes, or None to allow every scheme that an origin can have.
        several: Whether the text is a list of origins, separated by white space.
    """

    __module__ = "django_whatwg_url.validators"

    schemes: tuple[str, ...] | None = attrs.field(
        default=DEFAULT_SCHEMES, converter=attrs.converters.optional(normalized_schemes)
    )
    several: bool = attrs.field(default=False, validator=attrs.validators.instance_of(bool))

    def __call__(self, value: object) -> None:
        text = text_of(value)
        if not self.several:
            self._check(text)
        elif errors := refusals(text.split(), self._check):
            raise ValidationError([*errors.values()])

    def _check(self, value: object) -> None:
        text = text_of(value)
        problems = weburl.origin_problems(text, schemes=self.schemes)
        if problems:
            worst = min(problems, key=lambda problem: problem.is_spelling)
            raise url_error(
                worst.code,
                value=worst.entry,
                culprit=f"{text.partition(':')[0].strip()}:",
                messages=ORIGIN_MESSAGES,
                allowed=alternatives_when_shown([f"{scheme}:" for scheme in self.schemes or ()]),
                suggestion=worst.suggestion,
            )


validate_origin: Final = OriginValidator()
"""Refuses text that no http or https page has as its origin."""

validate_origins: Final = OriginValidator(several=True)
"""Checks each origin of a list that is separated by white space, such as one a line."""
