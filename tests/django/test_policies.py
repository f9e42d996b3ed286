"""Tests of ``policy=`` on fields and validators, and of the constraint that a policy makes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import attrs
import pytest
import sqlparse
from django import forms as django_forms
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db import connection, models
from django.db.migrations.writer import MigrationWriter
from django.db.models.expressions import Col
from django.test.utils import override_settings
from django.utils.functional import Promise

import weburl
from django_whatwg_url.constraints import IsCanonicalURL, URLAllowedBy
from django_whatwg_url.fields import CanonicalURLField, ExactURLField, URLReferenceField
from django_whatwg_url.forms import CanonicalURLField as FormField
from django_whatwg_url.policies import policy_of
from django_whatwg_url.query.policies import MOST_CHARACTERS, policy_condition, rules_left_out
from django_whatwg_url.rules.messages import POLICY_ERROR_MESSAGES, URL_ERROR_MESSAGES, url_error
from django_whatwg_url.validators import URLPolicyValidator
from tests.django.hrefs import misleading_hrefs, wpt_hrefs
from tests.django.partsapp.models import HOOK_POLICY, Hook, Plain
from tests.django.servers import created, model_with
from tests.django.test_constraints import REFUSED, raw_insert
from weburl import HostList, OpaqueHost, URLPolicy, URLRecord
from weburl.policies.violations import CODES

LINK = URLPolicy.public_link()
CONFUSING = "http://127.0.0.1\\@1.1.1.1/"


def codes(call: Any, value: object) -> list[str | None]:
    """Return the codes of what a validator or a field raises, none if it does not."""
    try:
        call(value)
    except ValidationError as error:
        return [each.code for each in error.error_list if each.messages[0]]
    return []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hallo", ["single-label"]),
        ("1", ["single-label"]),
        ("https://1", ["address-not-allowed"]),
        ("https://127.1", ["address-not-allowed"]),
        ("localhost:8000", ["special-use-name"]),
        ("http://169.254.169.254/", ["address-not-allowed"]),
        ("http://[::ffff:127.0.0.1]/", ["address-not-allowed"]),
        ("https://user:secret@example.com/", ["credentials-not-allowed"]),
        ("https://example.com:6379/", ["port-not-allowed"]),
        ("ftp://example.com/", ["scheme-not-allowed"]),
        ("https://example.com:99999/", ["port-out-of-range"]),
        ("https://bücher.example/ä b", []),
        ("example.com", []),
        ("", ["required"]),
    ],
)
def test_a_form_refuses_by_name_what_a_policy_does_not_allow(
    text: str, expected: list[str]
) -> None:
    """What was typed, with the scheme that the field assumes; and shows no password."""
    assert codes(FormField(policy=LINK).clean, text) == expected


@pytest.mark.parametrize("code", CODES)
def test_every_violation_has_a_message_that_is_translated(code: str) -> None:
    """A sentence of its own, lazily."""
    message = POLICY_ERROR_MESSAGES[code]
    assert isinstance(message, Promise)
    text = url_error(
        code, value="v", culprit="c", allowed="a", messages=POLICY_ERROR_MESSAGES
    ).messages[0]
    assert text.endswith(".")
    assert "%" not in text


def test_the_messages_are_those_of_the_codes_and_no_others() -> None:
    """One is shared with the validator of schemes, and means the same."""
    assert set(POLICY_ERROR_MESSAGES) == set(CODES)
    assert set(POLICY_ERROR_MESSAGES) & set(URL_ERROR_MESSAGES) == {"scheme-not-allowed"}
    assert len({str(message) for message in POLICY_ERROR_MESSAGES.values()}) == len(CODES)


def test_a_policy_that_demands_agreement_is_asked_about_what_was_typed() -> None:
    """The URL itself is read in one way by all."""
    policy = URLPolicy(require_agreement=True)
    assert codes(FormField(policy=policy).clean, CONFUSING) == ["readers-disagree"]
    assert codes(URLPolicyValidator(policy), CONFUSING) == ["readers-disagree"]
    assert codes(URLPolicyValidator(policy), weburl.parse(CONFUSING)) == []
    assert codes(FormField(policy=URLPolicy()).clean, CONFUSING) == []


def test_the_validator_takes_text_and_records() -> None:
    """As the other validators do; an empty string is no URL."""
    validator = URLPolicyValidator(LINK)
    assert codes(validator, "http://localhost.localdomain/") != []
    assert codes(validator, weburl.parse("https://hallo/")) == ["single-label"]
    assert codes(validator, "https://") == ["host-missing"]
    assert codes(validator, "ftp://a.com:80") == ["scheme-not-allowed"]
    assert codes(validator, "") == codes(validator, None) == []
    assert validator == URLPolicyValidator(URLPolicy.public_link())
    with pytest.raises(TypeError):
        URLPolicyValidator("https:")


def test_the_schemes_of_a_policy_count_unless_others_are_named() -> None:
    """Both for the field of a model and of a form; `schemes` then has its own say."""
    policy = URLPolicy(schemes=["https", "ftp"])
    for field in (FormField(policy=policy), CanonicalURLField(policy=policy)):
        assert field.schemes == ("ftp", "https")
    for field in (
        FormField(policy=policy, schemes=["https"]),
        CanonicalURLField(policy=policy, schemes=["https"]),
    ):
        assert field.schemes == ("https",)
    # Named too, although they are the default of a field without a policy.
    web = ["http", "https"]
    for field in (
        FormField(policy=policy, schemes=web),
        CanonicalURLField(policy=policy, schemes=web),
        CanonicalURLField(policy=policy, schemes=web).clone(),
    ):
        assert field.schemes == ("http", "https")
    assert FormField(policy=URLPolicy()).schemes == ("http", "https")
    assert FormField(policy=URLPolicy(schemes=["ftp"])).assume_scheme is None


def test_a_model_s_field_keeps_its_policy_and_gives_it_to_the_form() -> None:
    """`full_clean` refuses, and so does the form; text is judged as it was assigned."""
    link_model = model_with(
        url=CanonicalURLField(policy=URLPolicy.public_link().narrowed(require_agreement=True))
    )

    class LinkForm(django_forms.ModelForm):  # type: ignore[type-arg]
        class Meta:
            model = link_model
            fields = ("url",)

    form = LinkForm({"url": "hallo"})
    assert [error.code for error in form.errors.as_data()["url"]] == ["single-label"]
    with pytest.raises(ValidationError) as caught:
        link_model(url="http://1.1.1.1\\@example.com/").full_clean()
    assert [error.code for error in caught.value.error_dict["url"]] == ["readers-disagree"]
    link = link_model(url="https://example.com/")
    link.full_clean()
    assert isinstance(link.url, URLRecord)


def test_a_policy_goes_into_migrations() -> None:
    """The field that is made from the migration has the same policy, written as code."""
    field = CanonicalURLField(policy=URLPolicy.webhook(), max_length=100)
    _name, path, args, kwargs = field.deconstruct()
    assert kwargs == {"policy": URLPolicy.webhook(), "max_length": 100}
    again = CanonicalURLField(*args, **kwargs)
    assert again.policy == field.policy
    assert again.deconstruct()[1:] == (path, args, kwargs)
    text, imports = MigrationWriter.serialize(field)
    assert "policy=weburl.URLPolicy(" in text
    assert "import weburl" in imports
    assert "policy" not in CanonicalURLField().deconstruct()[3]
    both = HOOK_POLICY & URLPolicy(hosts=["a.example"])
    text, imports = MigrationWriter.serialize(both)
    assert eval(text, {"weburl": weburl}) == both
    named = CanonicalURLField(policy=URLPolicy(schemes=["ftp"]), schemes=["ftp", "http"])
    assert named.deconstruct()[3]["schemes"] == ("ftp", "http")


# --- the constraint ----------------------------------------------------------------------------

ALLOWED = (
    "https://hook.example/",
    "https://hook.example:8443/x?y",
    "ws://hook.example/",
    "https://a.hooks.example/",
    "https://a.b.hooks.example/",
    "https://x.example.co.uk/",
    "https://example.co.uk/",
    "https://worse.hooks.example/",
    "https://hook.example/x://:",
    None,
)
NOT_ALLOWED = (
    "http://hook.example/",
    "https://hook.example:8444/",
    "https://user@hook.example/",
    "https://:secret@hook.example/",
    "https://user:secret@hook.example/",
    "https://hook.example/#",
    "https://hook.example/" + "x" * 60,
    "https://other.example/",
    "https://hooks.example/",
    "https://badhooks.example/",
    "https://hook.example./",
    "https://bad.hooks.example/",
    "https://a.worse.hooks.example/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://single/",
    "https://x",
    "mailto:x@hook.example",
)


@pytest.mark.django_db
@pytest.mark.parametrize("url", ALLOWED)
def test_the_database_takes_what_the_policy_allows(url: str | None) -> None:
    """It is written by raw SQL and checked by `full_clean`."""
    raw_insert(Hook, ("url", url))
    Hook(url=url).full_clean()
    assert url is None or HOOK_POLICY.allows(weburl.parse(url))


@pytest.mark.django_db
@pytest.mark.parametrize("url", NOT_ALLOWED)
def test_the_database_refuses_what_the_policy_does_not_allow(url: str) -> None:
    """Every program is refused."""
    with pytest.raises(REFUSED):
        raw_insert(Hook, ("url", url))
    hook = Hook(url=url)
    with pytest.raises(ValidationError) as caught:
        hook.full_clean()
    assert [error.code for error in caught.value.error_dict["url"]] == ["url-not-allowed"]
    assert not HOOK_POLICY.allows(weburl.parse(url))


READY = {
    "public_link": URLPolicy.public_link(),
    "webhook": URLPolicy.webhook(),
    "image": URLPolicy.image(),
    "self_hosted": URLPolicy.self_hosted(),
    "own_sites": URLPolicy.own_sites(".example.com", "shop.example"),
    "internal": URLPolicy.internal(networks=["10.0.0.0/8"], names=[".corp.example", "10.1.2.3"]),
}
MANY_HOSTS = [f"{kind}host-{n}.evil{n % 7}.example" for n in range(34) for kind in ("", ".", "*.")]
HOSTS = (
    "a.example", "a.example.", ".a.example", "..a.example", "example.com", "www.example.com",
    "x.www.example.com", "notexample.com", ".example.com", "example.com..", "single", "single.",
    ".single", "..", ".", "127.0.0.1", "10.1.2.3", "8.8.8.8", "127.0.0.1..", "1a.b1", "1.2.3.a4",
    "[::1]", "[::ffff:7f00:1]", "[::7f00:1]", "[::80]", "[2001:db8::70]", "xn--bcher-kva.example",
    "host-1.evil1.example", "x.host-2.evil2.example", 'a"b.example', "b'.example", "A.example",
    "414", "0x7f", "0x", "1..2", "a%2Eb", "%2E", "100%25", "a_b", "-", "com", "a.com", "",
)  # fmt: skip


def odd_urls() -> list[URLRecord]:
    """Return URLs with every combination of parts, and those that have misled others."""
    texts = [
        f"{scheme}://{userinfo}{host}{port}{rest}"
        for scheme in ("http", "https", "foo", "file")
        for userinfo in ("", ":p@", "a.example:80@")
        for host in HOSTS
        for port in ("", ":70", ":443")
        for rest in ("/", "/:80/@b.example/?y#f")
    ]
    texts += ["mailto:x", "foo:/x", "foo:/.//x:80", "data:,#f", "foo://h", "foo://h:80?x"]
    texts += [*misleading_hrefs(), *wpt_hrefs()]
    records = {weburl.parse(text) for text in texts if weburl.can_parse(text)}
    assert len(records) > 2500
    return sorted(records, key=str)


def allows_in_sql(policy: URLPolicy, url: URLRecord) -> bool:
    """Return what Python says of the rules that SQL can check."""
    policies = [policy, *policy.and_also]
    needs_host = any(
        (each.address_classes, each.networks) != (None, None) or isinstance(each.hosts, HostList)
        for each in policies
    )
    some = [
        attrs.evolve(
            each, **{name: getattr(URLPolicy(), name) for name in rules_left_out(each)}, and_also=()
        )
        for each in policies
    ]
    return all(each.allows(url) for each in some) and not (needs_host and not url.hostname)


@pytest.mark.django_db
def test_sql_and_python_agree_on_the_rules_that_sql_can_check() -> None:
    """No URL that a policy allows is refused. Others may pass only for the reasons given here."""
    policies = [
        URLPolicy(),
        *READY.values(),
        URLPolicy.webhook().narrowed(refused_hosts=MANY_HOSTS),
        URLPolicy.webhook().replaced(single_labels=True),
        URLPolicy.webhook().replaced(single_labels=True, ip_hosts=True),
        URLPolicy(ip_hosts=False),
        URLPolicy(single_labels=False),
        URLPolicy(single_labels=False, ip_hosts=False, schemes=["https", "foo", "file"]),
        URLPolicy(hosts=[]),
        URLPolicy(hosts=["a.example", "127.0.0.1"]) & URLPolicy(hosts=["*.example", "[::1]"]),
        URLPolicy(hosts=["*.example.com", ".single", ".a.example", "a.example.", "[::1]"]),
        URLPolicy(hosts=[".com", "b'.example", 'a"b.example', "127.0.0.1", "8.8.8.8"]),
        URLPolicy(refused_hosts=["a.example", "*.example", "127.0.0.1"], credentials=False),
        URLPolicy(refused_hosts=["[::1]", ".example.com.", "single", ".com"]),
        URLPolicy(ports=[80, 70], schemes=["http", "https", "foo"]),
        URLPolicy(ports=[443], credentials=False, fragments=False),
        URLPolicy(ports=[]),
        URLPolicy(registrable_domains=["example.com"], fragments=False, max_length=25),
    ]
    urls = dict(enumerate(odd_urls(), 1))  # MySQL refuses the key 0.
    Plain.objects.bulk_create(Plain(pk=pk, url=url) for pk, url in urls.items())
    more = 0
    for policy in policies:
        condition = URLAllowedBy("url", policy, name="x").condition
        assert isinstance(condition, models.Q)
        met = set(Plain.objects.filter(condition).values_list("pk", flat=True))
        expected = {pk for pk, url in urls.items() if allows_in_sql(policy, url)}
        assert met >= expected, policy
        for url in map(urls.__getitem__, met - expected):
            more += 1
            # Only Python reads an opaque host as another kind of host, and knows which of the
            # names below another one can be registered.
            assert isinstance(url.host, OpaqueHost) or policy.registrable_domains, (policy, url)
    assert more < 2500


@pytest.mark.parametrize("vendor", ["sqlite", "postgresql", "mysql"])
@pytest.mark.parametrize("name", READY)
def test_a_ready_policy_is_short(name: str, vendor: str) -> None:
    """On each database, also with a hundred hosts that it refuses."""
    for policy in (READY[name], READY[name].narrowed(refused_hosts=MANY_HOSTS)):
        made: Any = Col
        column = made(None, Plain._meta.get_field("url"))  # As in the SQL of a table.
        term: Any
        (term,) = policy_condition("url", policy).children
        term.set_source_expressions([column])
        sql, _params = term.as_sql(
            Plain.objects.all().query.get_compiler("default"), SimpleNamespace(vendor=vendor)
        )
        statement: Any = sqlparse.parse(sql)[0]
        assert len(list(statement.flatten())) <= 1500


@pytest.mark.django_db(transaction=True)
def test_a_table_with_several_policies_can_be_read_again() -> None:
    """Django reads the SQL of a table on SQLite with sqlparse, which stops at 10,000 tokens."""
    model = model_with(
        url=CanonicalURLField(),
        meta={
            "constraints": (
                *(URLAllowedBy("url", policy, name=name) for name, policy in READY.items()),
                URLAllowedBy("url", URLPolicy(refused_hosts=MANY_HOSTS), name="refused"),
                URLAllowedBy("url", URLPolicy(), name="any"),
                IsCanonicalURL("url", name="is_canonical"),
            )
        },
    )
    with created(model), connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
        assert {*READY, "refused", "any", "is_canonical"} <= set(found)


@pytest.mark.parametrize(
    "hosts",
    [
        [f"host-{n}.example" for n in range(2000)],
        [".".join("a" * n) + ".example" for n in range(1, 20)],
    ],
)
def test_hosts_that_do_not_fit_are_refused_when_the_model_is_loaded(hosts: list[str]) -> None:
    """The error says what to do, and the constraint then says what it leaves out."""
    with pytest.raises(ValueError, match="Put them into a weburl"):
        URLAllowedBy("url", URLPolicy(refused_hosts=hosts), name="x")
    with pytest.raises(ValueError, match="Put them into a weburl"):
        URLAllowedBy("url", URLPolicy(hosts=hosts), name="x")
    policy = URLPolicy(refused_hosts=HostList(hosts))
    assert URLAllowedBy("url", policy, name="x").left_out == ("refused_hosts",)


@pytest.mark.django_db(transaction=True)
def test_the_longest_policy_that_fits_works() -> None:
    """The database takes it, and refuses its last host."""
    hosts = [f"a{n:05}.host-{n}.example" for n in range(800)]
    while sum(map(len, hosts)) > MOST_CHARACTERS:
        hosts.pop()
    assert len(hosts) > 700
    model = model_with(
        url=CanonicalURLField(),
        meta={
            "constraints": (URLAllowedBy("url", URLPolicy(refused_hosts=hosts), name="limited"),)
        },
    )
    with created(model):
        model(url="https://a.example/").save()
        with pytest.raises(REFUSED):
            model(url=f"https://{hosts[-1]}/").save()


def test_a_constraint_is_made_of_a_policy_and_goes_into_migrations() -> None:
    """Two with the same policy are equal."""
    constraint = URLAllowedBy("url", HOOK_POLICY, name="hook")
    path, args, kwargs = constraint.deconstruct()
    assert args == ("url", HOOK_POLICY)
    assert URLAllowedBy(*args, **kwargs) == constraint
    assert "weburl.URLPolicy(" in MigrationWriter.serialize(constraint)[0]
    assert path == "django_whatwg_url.constraints.URLAllowedBy"
    with pytest.raises(TypeError):
        URLAllowedBy("url", "https", name="hook")  # type: ignore[arg-type]
    kinds: tuple[Any, ...] = (CanonicalURLField, FormField)
    for kind in kinds:
        with pytest.raises(TypeError, match="policy must be"):
            kind(policy="https:")
    assert connection.vendor in {"sqlite", "postgresql", "mysql"}


@pytest.mark.parametrize("kind", [CanonicalURLField, ExactURLField, URLReferenceField])
def test_a_model_field_says_what_its_form_says_of_a_comma_in_a_host(kind: Any) -> None:
    """The message of the rule, which is less exact, took its place: “example,com.com”."""
    field = kind(policy=URLPolicy.public_link())
    model_with(url=field)
    checks: tuple[Any, ...] = (lambda url: field.clean(url, None), field.formfield().clean)
    for check in checks:
        with pytest.raises(ValidationError) as caught:
            check("https://example,com/")
        assert caught.value.messages == [
            "“example,com” contains a comma. Write a dot in its place."
        ]


@override_settings(URL_POLICIES={"hook": LINK, "wrong": "https"})
def test_a_policy_has_a_name_in_the_settings() -> None:
    """What is there but is no policy, and what is not there, are mistakes of the project."""
    assert policy_of("hook") is LINK
    with pytest.raises(ImproperlyConfigured, match=r"no policy 'other'\. It has: 'hook', 'wrong'"):
        policy_of("other")
    with pytest.raises(ImproperlyConfigured, match="is a str, not a weburl"):
        policy_of("wrong")


@override_settings(URL_POLICIES=[LINK])
def test_the_setting_of_policies_is_a_dictionary() -> None:
    """It may be missing."""
    with pytest.raises(ImproperlyConfigured, match="is a dictionary"):
        policy_of("hook")
    with override_settings():
        delattr(settings, "URL_POLICIES")
        with pytest.raises(ImproperlyConfigured, match="It has: none"):
            policy_of("hook")
