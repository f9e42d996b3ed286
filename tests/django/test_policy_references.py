"""Policies that a field only refers to: what they mean now, in migrations, and what is checked."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db.migrations.writer import MigrationWriter
from django.forms import ModelForm
from django.test import RequestFactory, override_settings

from django_whatwg_url import fields, forms
from django_whatwg_url.constraints import URLAllowedBy
from django_whatwg_url.linkify import LinksValidator, linkify
from django_whatwg_url.policies import policy_of
from django_whatwg_url.redirects import safe_redirect_url
from django_whatwg_url.validators import URLPolicyValidator, URLReferenceValidator
from tests.django.servers import model_with
from weburl import HostList, URLPolicy

PATH = f"{__name__}.links"
blocked: HostList = HostList()
fixed: URLPolicy = URLPolicy(refused_hosts=["fixed.example"])
nothing = "text"
EVIL = "https://evil.com/"


def links() -> URLPolicy:
    """Return the policy with the hosts that are blocked now."""
    return URLPolicy(refused_hosts=blocked)


def wrong() -> Any:
    """Return what is not a policy."""
    return "text"


def fails() -> URLPolicy:
    """Fail as a database may."""
    raise LookupError("no table")


@pytest.fixture(autouse=True)
def nothing_is_blocked() -> Iterator[None]:
    """Begin and end each test with an empty list."""
    block()
    yield
    block()


def block(*hosts: str) -> None:
    """Change the list."""
    global blocked  # noqa: PLW0603
    blocked = HostList(hosts)


def refuses(call: Any) -> bool:
    """Return whether a call raises a ValidationError about a refused host."""
    try:
        call(EVIL)
    except ValidationError as error:
        return [each.code for each in error.error_list] == ["host-refused"]
    return False


@pytest.mark.parametrize("option", [PATH, links], ids=["path", "function"])
@pytest.mark.parametrize(
    "made",
    [
        URLPolicyValidator,
        lambda option: URLReferenceValidator(policy=option),
        lambda option: LinksValidator(policy=option),
        lambda option: forms.CanonicalURLField(policy=option).clean,
        lambda option: forms.ExactURLField(policy=option).clean,
        lambda option: forms.URLReferenceField(policy=option).clean,
        lambda option: lambda url: fields.CanonicalURLField(policy=option).clean(url, None),
        lambda option: lambda url: fields.ExactURLField(policy=option).clean(url, None),
        lambda option: lambda url: fields.URLReferenceField(policy=option).clean(url, None),
    ],
)
def test_a_reference_means_the_policy_of_the_moment(made: Any, option: Any) -> None:
    """Everything that takes a policy is made before the list changes."""
    call = made(option)
    assert not refuses(call)
    block(".evil.com")
    assert refuses(call)
    block()
    assert not refuses(call)


def test_a_path_may_lead_to_a_policy_that_is_a_value() -> None:
    """No function is needed."""
    assert policy_of(f"{__name__}.fixed") is policy_of(fixed) is fixed
    assert policy_of(PATH) == policy_of(links) == links()


@pytest.mark.parametrize("option", ["", 1, None, ["a.b"], URLPolicy, "a b.c", "a..b", "https:"])
def test_what_cannot_be_a_policy_is_refused_where_it_is_written(option: Any) -> None:
    """The message names the possible types."""
    with pytest.raises(TypeError, match="the import path of a policy such as"):
        URLPolicyValidator(option)
    if option is not None:
        for kind in (fields.CanonicalURLField, forms.CanonicalURLField):
            with pytest.raises(TypeError, match="a function that returns one"):
                kind(policy=option)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            "links",
            "no policy 'links'. It has: none. The option policy is a weburl",
        ),
        ("myapp.policies.links", "cannot be imported"),
        (f"{__name__}.missing", "cannot be imported"),
        (f"{__name__}.nothing", "is a str, not a weburl.URLPolicy"),
        (wrong, "'wrong' is a str, not a weburl.URLPolicy"),
        (f"{__name__}.wrong", "is a str, not a weburl.URLPolicy"),
    ],
)
def test_a_reference_that_leads_to_no_policy_allows_nothing(option: Any, message: str) -> None:
    """It raises an error instead."""
    with pytest.raises(ImproperlyConfigured, match=message):
        policy_of(option)
    with pytest.raises(ImproperlyConfigured, match=message):
        forms.CanonicalURLField(policy=option).clean(EVIL)


def test_an_error_of_the_function_comes_out() -> None:
    """Nothing is allowed while the table of blocked hosts cannot be read."""
    with pytest.raises(LookupError, match="no table"):
        forms.CanonicalURLField(policy=fails).clean(EVIL)


def test_a_check_finds_a_reference_that_leads_nowhere() -> None:
    """It does not call a function, because that may need the database."""
    model = model_with(
        good=fields.CanonicalURLField(policy=PATH),
        called=fields.CanonicalURLField(policy=fails),
        missing=fields.CanonicalURLField(policy="myapp.policies.links"),
        other=fields.URLReferenceField(policy=f"{__name__}.nothing"),
    )
    found = {message.obj.name: message.id for message in model.check()}
    assert found == dict.fromkeys(["missing", "other"], "django_whatwg_url.E009")


@pytest.mark.parametrize(
    ("option", "written"),
    [(PATH, f"policy='{PATH}'"), (links, f"policy={PATH}")],
    ids=["path", "function"],
)
def test_migrations_contain_the_reference(option: Any, written: str) -> None:
    """So a change of the list needs no migration."""
    field = fields.CanonicalURLField(policy=option)
    text, _ = MigrationWriter.serialize(field)
    assert written in text
    before = field.clone().deconstruct()
    block(".evil.com")
    assert MigrationWriter.serialize(field)[0] == text
    assert field.deconstruct() == before


def test_a_list_of_hosts_in_a_policy_goes_into_migrations_with_its_hosts() -> None:
    """As the rest of the policy does."""
    policy = URLPolicy(refused_hosts=HostList([".evil.com", "a.example"]))
    text, imports = MigrationWriter.serialize(fields.CanonicalURLField(policy=policy))
    assert "weburl.HostList(['.evil.com', 'a.example'])" in text
    namespace: dict[str, Any] = {}
    exec("\n".join(sorted(imports)), namespace)
    assert eval(text, namespace).policy == policy


def kinds_of_fields(policy: Any) -> dict[str, Any]:
    """Return what takes a policy and schemes, as a function of text, by name."""
    ruled = model_with(
        url=fields.CanonicalURLField(policy=policy),
        exact=fields.ExactURLField(policy=policy),
        reference=fields.URLReferenceField(policy=policy),
    )
    found: dict[str, Any] = {}
    for field in ruled._meta.local_concrete_fields[1:]:
        made: Any = field
        found[f"model {made.name}"] = partial(made.clean, model_instance=None)
        found[f"form {made.name}"] = made.formfield().clean
        found[f"clone {made.name}"] = partial(made.clone().clean, model_instance=None)
    for kind in (forms.CanonicalURLField, forms.ExactURLField, forms.URLReferenceField):
        found[kind.__name__] = kind(policy=policy).clean
    return found


SCHEMES = URLPolicy(schemes=["https", "ftp"])
OTHERS = URLPolicy(schemes=["gopher"])


@override_settings(URL_POLICIES={"web-or-ftp": SCHEMES})
@pytest.mark.parametrize(
    "option",
    [SCHEMES, "web-or-ftp", f"{__name__}.SCHEMES", lambda: SCHEMES],
    ids=["policy", "name", "path", "function"],
)
def test_a_policy_gives_its_schemes_to_a_field_however_it_is_named(option: Any) -> None:
    """What is advised is allowed, and each mistake has one message."""
    found = kinds_of_fields(option)
    assert len(found) == 12
    for name, clean in found.items():
        assert str(clean("ftp://example.com/a")) == "ftp://example.com/a", name
        for scheme in ("http", "gopher", "javascript"):
            with pytest.raises(ValidationError) as caught:
                clean(f"{scheme}://example.com/")
            message = (
                "URLs that begin with “{}:” cannot be used here. Begin with “ftp:” or “https:”."
            )
            assert caught.value.messages == [message.format(scheme)], name


def test_schemes_that_are_given_count_beside_those_of_a_reference() -> None:
    """Both must allow a URL. A policy without schemes leaves those of the field."""
    field = forms.CanonicalURLField(policy=lambda: SCHEMES, schemes=["http", "https"])
    with pytest.raises(ValidationError, match="ftp:"):
        field.clean("ftp://example.com/")
    with pytest.raises(ValidationError, match="javascript:"):
        forms.CanonicalURLField(policy=links).clean("javascript:alert(1)")


def test_the_schemes_of_a_reference_are_those_of_the_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may lead to others later."""
    field = forms.CanonicalURLField(policy=f"{__name__}.SCHEMES")
    monkeypatch.setattr(sys.modules[__name__], "SCHEMES", OTHERS)
    assert str(field.clean("gopher://example.com/")) == "gopher://example.com/"
    with pytest.raises(ValidationError, match="gopher:"):
        field.clean("https://example.com/")


@override_settings(URL_POLICIES={"fixed": fixed, "a.b": fixed, "wrong": "https"})
def test_a_name_in_the_settings_works_wherever_a_policy_is_taken() -> None:
    """Fields, links in text, redirects; and it comes before an import path."""
    evil = "https://fixed.example/"
    for option in ("fixed", "a.b", fixed):
        assert policy_of(option) is fixed
        with pytest.raises(ValidationError):
            URLPolicyValidator(option)(evil)
        with pytest.raises(ValidationError):
            LinksValidator(policy=option)(f"see {evil}")
        assert linkify(evil, policy=option) == evil
        request = RequestFactory().get("/")
        assert safe_redirect_url(request, evil, policy=option) is None
        assert safe_redirect_url(request, "https://other.example/", policy=option)
    for call in (policy_of, lambda name: linkify(EVIL, policy=name)):
        with pytest.raises(ImproperlyConfigured, match=r"It has: 'a\.b', 'fixed', 'wrong'"):
            call("missing")
        with pytest.raises(ImproperlyConfigured, match=r"'wrong' is a str, not a weburl\."):
            call("wrong")


def test_the_form_of_a_model_refers_to_the_same_policy() -> None:
    """It follows the list."""
    referred = model_with(url=fields.CanonicalURLField(policy=links))

    class ReferredForm(ModelForm):  # type: ignore[type-arg]
        class Meta:
            model = referred
            fields = ("url",)

    assert ReferredForm({"url": EVIL}).is_valid()
    block("evil.com")
    form = ReferredForm({"url": EVIL})
    assert form.errors == {"url": ["URLs with the host “evil.com” are not accepted here."]}


def test_a_constraint_takes_no_reference() -> None:
    """It is part of the table, and cannot follow."""
    for option in (PATH, links):
        with pytest.raises(TypeError, match="would stay as it is when the policy changes"):
            URLAllowedBy("url", option, name="allowed")  # type: ignore[arg-type]


def test_a_constraint_names_the_rules_that_the_database_does_not_check() -> None:
    """Combined policies are included. The database does check a few hosts."""
    few = URLPolicy(refused_hosts=["evil.com"], schemes=["https"])
    assert URLAllowedBy("url", few, name="few").left_out == ()
    many = few & URLPolicy(refused_hosts=HostList(["b.example"]), unknown_suffixes=False)
    constraint = URLAllowedBy("url", many, name="many")
    assert constraint.left_out == ("refused_hosts", "unknown_suffixes")
    allowed = URLPolicy(hosts=HostList(["a.example"]), registrable_domains=["b.example"])
    assert URLAllowedBy("url", allowed, name="allowed").left_out == ("hosts",)
