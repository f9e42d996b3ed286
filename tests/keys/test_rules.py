"""Tests of `weburl.keys.rules`: what each step does, and the ready rules."""

# Pickles of our own.

from __future__ import annotations

import copy
import pickle
from typing import Any

import attrs
import pytest

from weburl import parse
from weburl.keys import RULE_NAMES, STEPS, TRACKING_PARAMS, KeyRules, ParamRule, url_key

# Options, a URL, and its key.
STEP_CASES: list[tuple[dict[str, Any], str, str]] = [
    ({}, "HTTP://www.Example.com:80/a/?b#c", "http://www.example.com/a/?b#c"),
    ({"drop_fragment": True}, "https://a.b/#top", "https://a.b/"),
    ({"drop_fragment": True}, "https://a.b/#", "https://a.b/"),
    ({"drop_fragment": True, "keep_fragments": ("!", "/")}, "https://a.b/#!/x", "https://a.b/#!/x"),
    ({"drop_fragment": True, "keep_fragments": ("/",)}, "https://a.b/#!/x", "https://a.b/"),
    (
        {"drop_fragment": True, "keep_fragments": ("/",)},
        "https://a.b/#/x:~:text=a",
        "https://a.b/#/x",
    ),
    (
        {"drop_fragment": True, "keep_text_directives": True},
        "https://a.b/#x:~:text=a",
        "https://a.b/#:~:text=a",
    ),
    ({"drop_credentials": True}, "https://me:pw@a.b/", "https://a.b/"),
    ({"fold_https": True}, "http://a.b/", "https://a.b/"),
    ({"fold_https": True}, "http://a.b:8080/", "http://a.b:8080/"),
    ({"fold_https": True}, "http://a.b:443/", "http://a.b:443/"),
    ({"drop_trailing_dot": True}, "https://a.b./", "https://a.b/"),
    ({"drop_trailing_dot": True}, "https://a.b:8080/", "https://a.b:8080/"),
    ({"fold_www": True}, "https://www.a.b/", "https://a.b/"),
    ({"fold_www": True}, "https://www.www.a.b/", "https://a.b/"),
    ({"fold_www": True}, "https://www.com/", "https://www.com/"),
    ({"fold_www": True}, "https://www.com./", "https://www.com./"),
    ({"fold_www": True}, "https://www/", "https://www/"),
    ({"fold_www": True}, "https://[::1]/", "https://[::1]/"),
    ({"fold_www": True}, "https://www.www.co.uk/", "https://www.co.uk/"),
    ({"fold_www": True}, "https://www.co.uk./", "https://www.co.uk./"),
    ({"fold_www": True}, "https://www.github.io/", "https://www.github.io/"),
    ({"fold_www": True}, "https://www.www.ck:8080/", "https://www.ck:8080/"),
    ({"fold_www": True}, "https://www..a.b/", "https://www..a.b/"),
    ({"fold_percent_encoding": True}, "https://a.b/%7E%eb?%7e=%2d%2f", "https://a.b/~%EB?~=-%2F"),
    ({"fold_percent_encoding": True}, "https://a.b/%41%2EZ%7a%2F", "https://a.b/A.Zz%2F"),
    ({"fold_percent_encoding": True}, "https://a.b/100%?%%37E", "https://a.b/100%25?%257E"),
    ({"fold_percent_encoding": True}, "https://a.b/%25%37%45#%7E", "https://a.b/%257E#%7E"),
    ({"drop_session_ids": True}, "https://a.b/c;jsessionid=1F/d", "https://a.b/c/d"),
    ({"drop_session_ids": True}, "https://a.b/c;v=1;JSESSIONID=2", "https://a.b/c;v=1"),
    ({"drop_session_ids": True}, "https://a.b/(S(x1))/d", "https://a.b/d"),
    ({"drop_session_ids": True}, "https://a.b/x/..;jsessionid=1", "https://a.b/x/..;jsessionid=1"),
    ({"lowercase_path": True}, "https://a.b/C%2FD?E", "https://a.b/c%2fd?E"),
    ({"fold_default_document": True}, "https://a.b/c/INDEX.html?d", "https://a.b/c/?d"),
    ({"fold_default_document": True}, "https://a.b/myindex.html", "https://a.b/myindex.html"),
    ({"fold_trailing_slash": True}, "https://a.b/c//", "https://a.b/c"),
    ({"fold_trailing_slash": True}, "https://a.b//", "https://a.b/"),
    (
        {"fold_trailing_slash": True, "fold_default_document": True},
        "https://a.b/c/index.html/index.html/",
        "https://a.b/c",
    ),
    (
        {"drop_params": ("a",)},
        "https://b.c/?x=%FC&%61=1&q=a/b+c%20",
        "https://b.c/?x=%FC&q=a/b+c%20",
    ),
    ({"drop_params": ("a",)}, "https://b.c/?a", "https://b.c/"),
    ({"drop_params": ("a",)}, "https://b.c/?A&aa", "https://b.c/?A&aa"),
    (
        {"drop_params": (ParamRule(prefixes=("u_",)),)},
        "https://b.c/?u_1&v&xu_",
        "https://b.c/?v&xu_",
    ),
    (
        {"drop_params": (ParamRule(patterns=("s[0-9]+",)),)},
        "https://b.c/?s12&s&s1x",
        "https://b.c/?s&s1x",
    ),
    ({"drop_params": (ParamRule(("A",), ignore_case=True),)}, "https://b.c/?a&b", "https://b.c/?b"),
    (
        {"drop_params": (ParamRule(("t",), sites=("b.c",)),)},
        "https://x.b.c/?t&u",
        "https://x.b.c/?u",
    ),
    (
        {"drop_params": (ParamRule(("t",), sites=("b.c",)),)},
        "https://xb.c/?t&u",
        "https://xb.c/?t&u",
    ),
    (
        {"drop_params": (ParamRule(("t",), sites=("shop.*",)),)},
        "https://www.shop.co.uk/?t&u",
        "https://www.shop.co.uk/?u",
    ),
    (
        {"drop_params": (ParamRule(("t",), sites=("shop.*",)),)},
        "https://shop.example.com/?t&u",
        "https://shop.example.com/?t&u",
    ),
    (
        {"drop_params": (ParamRule(("t",), except_sites=("b.c",)),)},
        "https://x.b.c./?t&u",
        "https://x.b.c./?t&u",
    ),
    ({"keep_params": ("id",)}, "https://b.c/?x&id=1&y&id=2", "https://b.c/?id=1&id=2"),
    ({"keep_params": ()}, "https://b.c/?x&y", "https://b.c/"),
    ({"keep_params": (ParamRule(("v",), sites=("y.z",)),)}, "https://b.c/?x&y", "https://b.c/?x&y"),
    ({"drop_empty_params": True}, "https://b.c/?a=&b&=&c=1", "https://b.c/?b&c=1"),
    ({"sort_params": True}, "https://b.c/?b=1&a&b=0&&", "https://b.c/?a&b=1&b=0"),
    (
        {"sort_params": True},
        "https://b.c/?%FF=1&%F0%9F%98%80&a",
        "https://b.c/?a&%F0%9F%98%80&%FF=1",
    ),
    ({"drop_empty_query": True}, "https://b.c/?", "https://b.c/"),
    ({"drop_empty_query": True}, "https://b.c/?&&", "https://b.c/"),
]


@pytest.mark.parametrize(("options", "url", "key"), STEP_CASES)
def test_a_step_changes_what_it_says(options: dict[str, Any], url: str, key: str) -> None:
    """The key of text, of a record and of the key itself are the same."""
    rules = KeyRules(**options)
    assert url_key(url, rules) == key
    assert url_key(parse(url), rules) == key
    assert url_key(key, rules) == key
    assert rules.explain(url).key == key


def test_every_step_has_a_case() -> None:
    """And every step is an option of the rules."""
    assert {step.name for step in STEPS} <= {
        name for options, _, _ in STEP_CASES for name in options
    }
    assert {step.name for step in STEPS} < {each.name for each in attrs.fields(KeyRules)}


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("browser", "http://me:pw@www.example.com./a/index.html?utm_source=x&b=1&a=%41&c="),
        ("page", "https://example.com/a/index.html?a=A&b=1&c="),
        ("crawl", "https://example.com/a?a=A&b=1"),
    ],
)
def test_the_ready_rules_merge_more_and_more(name: str, key: str) -> None:
    """What they make is a promise: a change needs another version."""
    rules = KeyRules.named(name)
    url = "http://me:pw@www.example.com./a/index.html?utm_source=x&b=1&a=%41&c=#top"
    assert (rules.name, rules.version) == (name, 1)
    assert url_key(url, rules) == key


@pytest.mark.parametrize("name", RULE_NAMES)
@pytest.mark.parametrize(
    "url", ["mailto:a@b.c?subject=#x", "javascript:a#b", "file:///a/?utm_source=1#b", "data:,x#y"]
)
def test_other_schemes_keep_their_href(name: str, url: str) -> None:
    """A fragment is a part of a script, and the params of other schemes are not a site's."""
    assert url_key(url, KeyRules.named(name)) == parse(url).href


def test_ready_rules_are_found_by_name_and_version() -> None:
    """An unknown name or version raises ValueError with the names that there are."""
    assert KeyRules.named("page", 1) == KeyRules.page()
    for name, version in [("pages", None), ("page", 2)]:
        with pytest.raises(ValueError, match="browser, page, crawl"):
            KeyRules.named(name, version)


def test_rules_are_values() -> None:
    """They are frozen, compared and hashed by their options, copied and pickled."""
    rules = KeyRules.page()
    assert rules == KeyRules.page() != KeyRules.crawl()
    assert (
        len({rules, KeyRules.page(), copy.deepcopy(rules), pickle.loads(pickle.dumps(rules))}) == 1
    )
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        rules.version = 2  # type: ignore[misc]
    changed = attrs.evolve(rules, fold_https=False, version=2)
    assert url_key("http://www.a.b/", changed) == "http://a.b/"


def test_an_explanation_names_each_step_and_no_password() -> None:
    """Before and after are the URL around the step."""
    found = KeyRules.page().explain("http://me:s3cret@a.b/c/?utm_id=1")
    assert [each.step.name for each in found.steps] == [
        "drop_credentials",
        "fold_https",
        "fold_trailing_slash",
        "drop_params",
    ]
    assert found.steps[-1].before == "https://a.b/c?utm_id=1"
    assert found.steps[-1].after == found.key == "https://a.b/c"
    assert found.certainty == "almost certain"
    assert KeyRules.browser().explain("https://a.b/#x").certainty == "same"
    assert KeyRules.crawl().explain("https://a.b/?x=").certainty == "guess"
    assert "s3cret" not in f"{found} {found!r}"


def test_two_urls_are_the_same_by_rules() -> None:
    """Either may be text or a record."""
    rules = KeyRules.page()
    assert rules.same("http://www.a.b/c/?utm_id=1", parse("https://a.b/c"))
    assert not rules.same("https://a.b/c", "https://a.b/d")


@pytest.mark.parametrize(
    ("kind", "options", "error", "message"),
    [
        (KeyRules, {"name": "Page"}, ValueError, "lowercase letters"),
        (KeyRules, {"name": "p\n"}, ValueError, "lowercase letters"),
        (KeyRules, {"version": 0}, ValueError, "1 or more"),
        (KeyRules, {"version": True}, ValueError, "1 or more"),
        (KeyRules, {"fold_www": 1}, TypeError, "fold_www"),
        (KeyRules, {"keep_fragments": ("",)}, ValueError, "turn off drop_fragment"),
        (ParamRule, {"prefixes": ("",)}, ValueError, "every parameter"),
        (ParamRule, {"sites": ("a b",)}, ValueError, "a site must be a domain"),
        (ParamRule, {"sites": ("a.b/c",)}, ValueError, "a site must be a domain"),
        (ParamRule, {"sites": ("127.0.0.1",)}, ValueError, "a site must be a domain"),
        (ParamRule, {"patterns": ("(a+)+",)}, ValueError, "subset"),
    ],
)
def test_wrong_options_are_refused(
    kind: type, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    """With a message that names what is wrong. A rule for everything would be a mistake."""
    with pytest.raises(error, match=message):
        kind(**options)


@pytest.mark.parametrize(
    ("kind", "argument"),
    [
        *((KeyRules, name) for name in ("keep_fragments", "keep_params", "drop_params")),
        *((ParamRule, each.name) for each in attrs.fields(ParamRule) if each.name != "ignore_case"),
    ],
)
def test_one_text_for_a_list_of_names_is_refused_with_what_to_write(
    kind: type, argument: str
) -> None:
    """The message names the argument, and shows no password."""
    with pytest.raises(TypeError, match=rf"{argument} is a list .* write \['ref'\]"):
        kind(**{argument: "ref"})
    with pytest.raises(TypeError, match=f"{argument} is a list of names, not int"):
        kind(**{argument: 5})
    with pytest.raises(TypeError, match=f"a name in {argument} must be text, not int"):
        kind(**{argument: [5]})
    with pytest.raises(TypeError) as caught:
        kind(**{argument: "me:S3cr3t@example.com"})
    assert "S3cr3t" not in str(caught.value)


def test_sites_are_canonical() -> None:
    """They are compared with canonical hosts."""
    assert ParamRule(sites=("BÜCHER.example.",)).sites == ("xn--bcher-kva.example",)


@pytest.mark.parametrize("rules", ["page", KeyRules.page, None])
def test_rules_of_another_type_are_refused(rules: Any) -> None:
    """The message says what to pass."""
    with pytest.raises(TypeError, match=r"rules must be KeyRules, such as KeyRules\.page\(\)"):
        url_key("https://a.b/", rules)


def test_each_tracking_param_has_a_reason_and_stands_once() -> None:
    """A name in two rows would be a slip."""
    names = [name for each in TRACKING_PARAMS for name in (*each.rule.names, *each.rule.prefixes)]
    assert len(names) == len(set(names)) > 40
    assert all(each.reason for each in TRACKING_PARAMS)


def test_rules_in_json_build_on_ready_ones() -> None:
    """Options that the JSON does not have are those of the ready rules."""
    rules = KeyRules.from_json(
        '{"from": "page", "also_drop_params": ["ref"], "sort_params": false}'
    )
    assert (rules.name, rules.version, rules.sort_params) == ("custom", 1, False)
    assert url_key("http://www.a.b/?z=1&ref=2&utm_source=3&c", rules) == "https://a.b/?z=1&c"
    only = KeyRules.from_json('{"from": "page", "drop_params": ["a"], "also_drop_params": ["b"]}')
    assert url_key("https://a.b/?a&b&utm_source=3", only) == "https://a.b/?utm_source=3"
    assert KeyRules.from_json("{}") == KeyRules()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", ValueError, "not JSON: Expecting value at line 1, column 1"),
        ("[]", ValueError, "not a JSON object"),
        ("[" * 100_000, ValueError, "too many brackets"),
        ('{"fold_ww": true}', ValueError, "no option 'fold_ww'"),
        ('{"name": "a", "name": "b"}', ValueError, "'name' twice"),
        ('{"name": "A"}', ValueError, "lowercase"),
        ('{"version": 1.0}', ValueError, "1 or more"),
        ('{"fold_www": 1}', TypeError, "fold_www"),
        ('{"from": "pages"}', ValueError, "browser, page, crawl"),
        ('{"from": ["page"]}', TypeError, "the name of ready rules"),
        ('{"drop_params": [{"name": ["a"]}]}', ValueError, "no option 'name'"),
        ('{"drop_params": [{"patterns": ["("]}]}', ValueError, "pattern"),
        ('{"drop_params": "a"}', TypeError, "drop_params is a list"),
        ('{"also_drop_params": null}', TypeError, "also_drop_params is a list"),
    ],
)
def test_json_that_makes_no_rules_is_an_error(
    text: str, error: type[Exception], message: str
) -> None:
    """With what is wrong, and never another error than the documented two."""
    with pytest.raises(error, match=message):
        KeyRules.from_json(text)
    with pytest.raises(TypeError, match="JSON"):
        KeyRules.from_json(b"{}")  # type: ignore[arg-type]
