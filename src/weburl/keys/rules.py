"""`KeyRules` and what it makes of a URL: a key, and an explanation of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import attrs

from weburl.keys.params import (
    ParamMatcher,
    ParamRule,
    Params,
    as_texts,
    param_rules,
)
from weburl.keys.steps import (
    PARAM_STEPS,
    RUN,
    STEPS,
    Certainty,
    Details,
    Parts,
    Run,
    Step,
)
from weburl.keys.tracking import TRACKING_PARAMS
from weburl.standard.infra.credentials import masked, masked_value, without_credentials
from weburl.standard.infra.one_value import FrozenValue, check_boolean
from weburl.standard.infra.strings import exact, require_text, shortened
from weburl.standard.storage import COMPILED
from weburl.standard.support.json_options import FROM, options_in, refuse_others
from weburl.standard.url.api import canonicalize, record_of
from weburl.standard.url.record import AnyURL

if TYPE_CHECKING:
    from weburl.standard.compiled.suffixes import SuffixTable

if COMPILED or TYPE_CHECKING:
    from weburl.keys.compiled.plans import KeyPlan as KeyPlan  # noqa: PLC0414  # `keys` passes it on
else:

    class KeyPlan:
        """A plan that is always unsure."""

        __slots__ = ()

        def __init__(self, *_prepared: object) -> None:
            """Keep nothing."""

        def key_of(self, _url: object) -> None:
            """Return None: the steps run."""


# Of the names of a plan.
_IS_PREFIX: Final = 1
_IS_EVERYWHERE: Final = 2

# The name in JSON for parameters to drop in addition to those of the ready rules.
_ALSO_DROP_PARAMS: Final = "also_drop_params"
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,39}", re.ASCII)


def _shown(href: str) -> str:
    """Return the text of a URL without what may be a username or a password.

    Keys of http and https URLs have no credentials of their own, only URLs inside them do.
    """
    return without_credentials(href) if href.startswith(("http:", "https:")) else masked(href)


@attrs.frozen
class StepTaken:
    """What one step did to a URL.

    Args:
        step: the step, with its certainty.
        before: the URL before the step, as canonical text.
        after: the URL after it.
    """

    __module__ = "weburl.keys"

    step: Step
    before: str = attrs.field(repr=lambda text: repr(_shown(text)))
    after: str = attrs.field(repr=lambda text: repr(_shown(text)))

    def __str__(self) -> str:
        before, after = map(_shown, (self.before, self.after))
        return f"{self.step.name} ({self.step.certainty}): {before} -> {after}"


@attrs.frozen
class KeyExplanation:
    """How `KeyRules` made a key.

    Args:
        rules: the name and the version of the rules, such as "page 1".
        url: the URL, as canonical text.
        key: its key.
        steps: the steps that changed it, in order.
    """

    __module__ = "weburl.keys"

    rules: str
    url: str = attrs.field(repr=lambda text: repr(_shown(text)))
    key: str = attrs.field(repr=lambda text: repr(_shown(text)))
    steps: tuple[StepTaken, ...]

    @property
    def certainty(self) -> Certainty:
        """The least certain of all steps; "same" if there are none."""
        found = {each.step.certainty for each in self.steps}
        return "guess" if "guess" in found else next(iter(found - {"same"}), "same")

    def __str__(self) -> str:
        return "\n".join([f"{_shown(self.url)} ({self.rules})", *map(str, self.steps)])


def _as_keep_fragments(value: Iterable[str]) -> tuple[str, ...]:
    return as_texts(value, "keep_fragments")


def _as_keep_params(value: Params) -> tuple[ParamRule, ...]:
    return param_rules(value, "keep_params")


def _as_drop_params(value: Params) -> tuple[ParamRule, ...]:
    return param_rules(value, "drop_params")


@attrs.frozen(kw_only=True)
class KeyRules(FrozenValue):
    """Rules about which URLs count as one page. Without arguments, every URL is its own.

    Rules are frozen, and can be compared, hashed and pickled. `browser`, `page` and `crawl` return
    ready ones. Only http and https URLs are changed. The key of any other URL is its href.

    Args:
        name: what the rules are called: lowercase letters, digits and underscores, first a letter,
            40 characters at the most.
        version: the version of the rules, at least 1. Raise it when you change them: keys that
            were stored before are no longer theirs.
        drop_fragment: the fragment is removed.
        keep_fragments: fragments that begin with these are kept, such as ("!", "/") for routes.
        keep_text_directives: ``:~:text=`` stays, and what belongs to it.
        drop_credentials: the username and the password are removed.
        fold_https: http becomes https, if the URL has no port.
        drop_trailing_dot: a dot at the end of the host is removed.
        fold_www: ``www.`` at the start of the host is removed, unless it is part of the registrable
            domain by the packaged list. So ``www.co.uk`` is kept.
        fold_percent_encoding: in the path and the query, letters, digits and ``-._~`` are decoded,
            other codes get uppercase digits, and a percent sign that is not one becomes ``%25``.
        drop_session_ids: ``;jsessionid=…`` and its like are removed from the path.
        lowercase_path: the path is lowercased.
        fold_default_document: a name such as "index.html" is removed from the end of the path.
        fold_trailing_slash: slashes at the end of the path are removed, except the root's.
        keep_params: only these parameters are kept, on the URLs that one of the rules is for;
            None for all.
        drop_params: these parameters are removed.
        drop_empty_params: parameters with an empty value, ``a=``, are removed. A flag without "="
            is kept.
        sort_params: parameters are sorted by name. Those of the same name keep their order.
        drop_empty_query: a "?" without parameters is removed.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: the name or the version is not allowed.
    """

    __module__ = "weburl.keys"

    name: str = attrs.field(default="custom")
    version: int = attrs.field(default=1)
    drop_fragment: bool = attrs.field(default=False, validator=check_boolean)
    keep_fragments: tuple[str, ...] = attrs.field(default=(), converter=_as_keep_fragments)
    keep_text_directives: bool = attrs.field(default=False, validator=check_boolean)
    drop_credentials: bool = attrs.field(default=False, validator=check_boolean)
    fold_https: bool = attrs.field(default=False, validator=check_boolean)
    drop_trailing_dot: bool = attrs.field(default=False, validator=check_boolean)
    fold_www: bool = attrs.field(default=False, validator=check_boolean)
    fold_percent_encoding: bool = attrs.field(default=False, validator=check_boolean)
    drop_session_ids: bool = attrs.field(default=False, validator=check_boolean)
    lowercase_path: bool = attrs.field(default=False, validator=check_boolean)
    fold_default_document: bool = attrs.field(default=False, validator=check_boolean)
    fold_trailing_slash: bool = attrs.field(default=False, validator=check_boolean)
    keep_params: tuple[ParamRule, ...] | None = attrs.field(
        default=None, converter=attrs.converters.optional(_as_keep_params)
    )
    drop_params: tuple[ParamRule, ...] = attrs.field(default=(), converter=_as_drop_params)
    drop_empty_params: bool = attrs.field(default=False, validator=check_boolean)
    sort_params: bool = attrs.field(default=False, validator=check_boolean)
    drop_empty_query: bool = attrs.field(default=False, validator=check_boolean)

    # What is prepared for `key_of`.
    _details: Details = attrs.field(init=False, eq=False, repr=False)
    _steps: tuple[tuple[Step, Run], ...] = attrs.field(init=False, eq=False, repr=False)
    _plan: KeyPlan = attrs.field(init=False, eq=False, repr=False)
    _quick_key: Callable[[object], str | None] = attrs.field(init=False, eq=False, repr=False)

    @name.validator
    def _check_name(self, _attribute: object, value: object) -> None:
        if not isinstance(value, str) or _NAME.fullmatch(value) is None:
            raise ValueError(
                "the name of rules is 1 to 40 lowercase letters, digits and underscores, and"
                f" begins with a letter, unlike {masked_value(value)}"
            )

    @version.validator
    def _check_version(self, _attribute: object, value: object) -> None:
        if type(value) is not int or value < 1:
            raise ValueError(
                f"the version of rules must be an integer of 1 or more, not {masked_value(value)}"
            )

    @keep_fragments.validator
    def _check_keep_fragments(self, _attribute: object, value: tuple[str, ...]) -> None:
        if "" in value:
            raise ValueError(
                "keep_fragments cannot contain an empty string: turn off drop_fragment"
            )

    def __attrs_post_init__(self) -> None:
        prepare = object.__setattr__
        details = Details(
            self.keep_fragments,
            self.keep_text_directives,
            self.fold_trailing_slash,
            ParamMatcher(self.drop_params),
            ParamMatcher(self.keep_params or ()),
            self.keep_params == (),
            self.keep_params is None and not self.drop_empty_params,
        )
        prepare(self, "_details", details)
        steps = tuple((step, RUN[step]) for step in STEPS if self._does(step))
        prepare(self, "_steps", steps)
        prepare(self, "_plan", _plan_of({step.name for step, _ in steps}, details))
        prepare(self, "_quick_key", self._plan.key_of)

    def _does(self, step: Step) -> bool:
        value = getattr(self, step.name)
        # To keep no parameters at all is a rule too.
        return value is not None if step.name == "keep_params" else bool(value)

    def __reduce__(self) -> tuple[object, ...]:
        # What is prepared stays out of pickles: its classes may change.
        return partial(KeyRules, **self._options()), ()

    @classmethod
    def browser(cls) -> KeyRules:
        """Return the rules "browser", version 1: only what a browser fetches as the same.

        The fragment is removed, except one that begins with "!" or "/", which is the route of an
        application.
        """
        return cls(name="browser", drop_fragment=True, keep_fragments=_ROUTES)

    @classmethod
    def page(cls) -> KeyRules:
        """Return the rules "page", version 1: what is almost certainly one page to people.

        Besides what `browser` removes, tracking parameters (`TRACKING_PARAMS`), credentials,
        ``www.``, the trailing dot of a host, slashes at the end of the path and an empty query are
        removed. http becomes https, ``%7E`` becomes ``~``, ``%eb`` becomes ``%EB``, and parameters
        are sorted.
        """
        return cls(name="page", drop_fragment=True, keep_fragments=_ROUTES, **_OF_A_PAGE)

    @classmethod
    def crawl(cls) -> KeyRules:
        """Return the rules "crawl", version 1: what a crawler should not fetch twice.

        Besides what `page` removes, every fragment, session ids in the path, names such as
        "index.html" and parameters with an empty value are removed. Some of these steps guess.
        """
        return cls(
            name="crawl",
            drop_fragment=True,
            drop_session_ids=True,
            fold_default_document=True,
            drop_empty_params=True,
            **_OF_A_PAGE,
        )

    @classmethod
    def named(cls, name: str, version: int | None = None) -> KeyRules:
        """Return the ready rules of that name; those of one version, if it is given.

        Raises ValueError if there are no such rules, and TypeError for a name that is not text.
        """
        make = {"browser": cls.browser, "page": cls.page, "crawl": cls.crawl}.get(
            require_text(name, "the name of ready rules")
        )
        rules = None if make is None else make()
        if rules is None or version not in (None, rules.version):
            # In SQL, it is a URL if the arguments are mixed up.
            wanted = repr(shortened(masked(name)))
            wanted += "" if version is None else f", version {masked_value(version)}"
            raise ValueError(f"there are no ready rules {wanted}: they are {', '.join(RULE_NAMES)}")
        return rules

    @classmethod
    def from_json(cls, text: str) -> KeyRules:
        """Return the rules in a JSON object whose names are the options of `KeyRules`.

        A parameter is a name, or an object with the options of `ParamRule`. To start from
        ready rules and change them, use ``from``, and ``also_drop_params`` for more parameters to
        ignore: ``{"from": "page", "also_drop_params": ["ref"]}``. The name of such rules is
        "custom", unless you give a ``name``.

        Raises:
            TypeError: ``text`` is not text, or an option has the wrong type.
            ValueError: ``text`` is not such an object, or a value is not allowed.
        """
        names = [each.name for each in attrs.fields(cls) if each.init]
        options = options_in(
            exact(require_text(text, "JSON")),
            "rules",
            [*names, FROM, _ALSO_DROP_PARAMS],
            '{"from": "page"}',
        )
        for name in ("keep_params", "drop_params", _ALSO_DROP_PARAMS):
            if isinstance(options.get(name), list):
                options[name] = [_param_in_json(each) for each in options[name]]
        if FROM in options:
            ready = cls.named(options.pop(FROM))
            options = {**ready._options(), "name": "custom", "version": 1, **options}  # noqa: SLF001
        if _ALSO_DROP_PARAMS in options:
            also = param_rules(options.pop(_ALSO_DROP_PARAMS), _ALSO_DROP_PARAMS)
            options["drop_params"] = (
                *param_rules(options.get("drop_params", ()), "drop_params"),
                *also,
            )
        return cls(**options)

    def to_json(self) -> str:
        """Return JSON from which `from_json` makes equal rules."""
        return json.dumps(self._options(), default=attrs.asdict)

    def _options(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in attrs.fields(KeyRules) if each.init}

    def explain(self, url: AnyURL) -> KeyExplanation:
        """Return what each step does to ``url``. Raises the errors of `url_key`."""
        record = record_of(url)
        before = start = record.href
        done: list[StepTaken] = []
        if record.scheme in ("http", "https"):
            parts = Parts(start)
            for step, run in self._steps:
                run(parts, self._details)
                after = parts.href()
                if after != before:
                    done.append(StepTaken(step, before, after))
                    before = after
        return KeyExplanation(f"{self.name} {self.version}", start, before, tuple(done))

    def same(self, a: AnyURL, b: AnyURL) -> bool:
        """Return whether both URLs have the same key. Raises the errors of `url_key`."""
        return url_key(a, self) == url_key(b, self)


def _param_in_json(value: object) -> object:
    """Return the rule that an object of JSON is, and any other value as it is."""
    if not isinstance(value, dict):
        return value
    refuse_others(value, "rules", [field.name for field in attrs.fields(ParamRule)])
    return ParamRule(**value)


_WEB: Final = ("https://", "http://")
_ROUTES: Final = ("!", "/")
_OF_A_PAGE: Final[dict[str, Any]] = {
    "drop_credentials": True,
    "fold_https": True,
    "drop_trailing_dot": True,
    "fold_www": True,
    "fold_percent_encoding": True,
    "fold_trailing_slash": True,
    "drop_params": tuple(each.rule for each in TRACKING_PARAMS),
    "sort_params": True,
    "drop_empty_query": True,
}

RULE_NAMES: Final = ("browser", "page", "crawl")
"""The names of the ready rules."""


def url_key(url: AnyURL, rules: KeyRules) -> str:
    """Return the key of ``url``: the same text for all URLs that the rules count as one page.

    The key is canonical text, and it is its own key. It is for comparing and for an index: do not
    fetch it, and do not store it in place of the URL.

    Raises `URLParseError` for text that does not parse, and TypeError if ``url`` is not a URL,
    or ``rules`` are not KeyRules.
    """
    try:
        quick_key = rules._quick_key  # noqa: SLF001
    except AttributeError:
        kind = type(rules).__name__
        raise TypeError(f"rules must be KeyRules, such as KeyRules.page(), not {kind}") from None
    key = quick_key(url)
    if key is not None:
        return key
    return key_of_href(canonicalize(url), rules)


def plan_by(rules: KeyRules) -> KeyPlan:
    """Return what makes the keys of most URLs, if compiled code does."""
    return rules._plan  # noqa: SLF001


def _plan_of(steps: Collection[str], details: Details) -> KeyPlan:
    """Return a plan, whose ``key_of`` also reads text that is not canonical.

    ``steps``: the names of those that are on.
    """
    names = details.dropped.plain_names
    options = {*steps}
    starts = [start for start in details.keep_fragments if start.isascii()]
    if details.keep_text_directives:
        options.add("keep_text_directives")
    if PARAM_STEPS & options:
        options.add("changes_query")
    if names is None or not details.only_drops_some:
        options.add("declines_queries")
    return KeyPlan(
        options,
        "".join(start for start in starts if len(start) == 1).encode(),
        "".join(start[0] for start in starts if len(start) > 1).encode(),
        [
            (name.text.encode(), name.is_prefix * _IS_PREFIX | name.is_everywhere * _IS_EVERYWHERE)
            for name in names or ()
        ],
        _packaged_table,
    )


def _packaged_table() -> SuffixTable:
    """Return the table for `weburl.keys.steps.end_of_www`."""
    from weburl.standard.hosts.public_suffix import packaged_list

    return packaged_list()._table  # type: ignore[return-value]  # noqa: SLF001  # as it is if compiled


def key_of_href(href: str, rules: KeyRules) -> str:
    """Return the key of a URL that is canonical text already, by running the steps."""
    if not href.startswith(_WEB):
        return href
    parts = Parts(href)
    for _, run in rules._steps:  # noqa: SLF001
        run(parts, rules._details)  # noqa: SLF001
    return parts.href()
