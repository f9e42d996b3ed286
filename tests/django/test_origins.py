"""Tests of `OriginField`, `RedirectURIValidator` and the checks of settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.checks import Tags, run_checks
from django.core.exceptions import ValidationError
from django.db import connection, models
from django.db.migrations.writer import MigrationWriter
from django.forms import modelform_factory
from django.test import override_settings
from django.test.utils import isolate_apps

from django_whatwg_url import forms
from django_whatwg_url.checks.settings import check_origins
from django_whatwg_url.fields import OriginField
from django_whatwg_url.rules.messages import ORIGIN_MESSAGES, REDIRECT_URI_MESSAGES
from django_whatwg_url.validators import OriginValidator, RedirectURIValidator
from tests.django.stored import store_text
from weburl import origin_problems
from weburl.redirect_uris import PROBLEM_CODES

SPELLINGS = [
    "https://example.com",
    "HTTPS://Example.com:443/",
    " https://example.com ",
    "https:example.com",
]
REFUSED = [
    ("https://example.com/a", "path"),
    ("https://example.com?a", "query"),
    ("https://example.com#", "fragment"),
    ("https://u:s3cret@example.com", "credentials"),
    ("https://*.example.com", "wildcard"),
    ("*", "wildcard"),
    ("null", "null"),
    ("example.com", "no-scheme"),
    ("https://a b", "not-a-url"),
    ("ws://example.com", "scheme-not-allowed"),
]


@pytest.mark.parametrize("text", SPELLINGS)
def test_a_form_field_cleans_to_what_a_browser_sends(text: str) -> None:
    """The spelling does not matter."""
    assert forms.OriginField().clean(text) == "https://example.com"
    OriginValidator()(text)


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_what_is_not_an_origin_is_an_error(text: str, code: str) -> None:
    """With the code of the problem, which a project can give words of its own."""
    with pytest.raises(ValidationError) as caught:
        forms.OriginField().clean(text)
    assert caught.value.code == code
    assert "%(" not in str(caught.value) and "s3cret" not in str(caught.value)
    with pytest.raises(ValidationError) as caught:
        forms.OriginField(error_messages={code: "No: %(culprit)s"}).clean(text)
    assert caught.value.messages[0].startswith("No: ")
    with pytest.raises(ValidationError):
        OriginValidator()(text)


def test_the_options_of_the_form_field() -> None:
    """Schemes, length, emptiness."""
    assert forms.OriginField(required=False).clean("") == ""
    assert forms.OriginField(schemes=None).clean("chrome-extension://abc")
    with pytest.raises(ValidationError) as caught:
        forms.OriginField().clean(f"https://{'a' * 300}")
    assert caught.value.error_list[0].code == "max_length"
    with pytest.raises(TypeError):
        forms.OriginField(schemes="https")
    assert forms.OriginField().widget.attrs["autocapitalize"] == "none"


@pytest.fixture
def allowed(transactional_db: None) -> Iterator[Any]:
    """Return a model with an origin, which has a table."""
    with isolate_apps("tests.django.testapp"):

        class Allowed(models.Model):
            origin = OriginField(unique=True)

            class Meta:
                app_label = "testapp"

        with connection.schema_editor() as editor:
            editor.create_model(Allowed)
        yield Allowed
        with connection.schema_editor() as editor:
            editor.delete_model(Allowed)


def test_the_model_field_stores_and_finds_one_spelling(allowed: Any) -> None:
    """This applies to saving, queries and model forms."""
    row = allowed.objects.create(origin="HTTPS://Example.com:443/")
    assert row.origin == "https://example.com"
    assert allowed.objects.get(origin="https://EXAMPLE.com/") == row
    assert allowed.objects.filter(origin__in=["https://Example.com"]).exists()
    assert allowed.objects.filter(origin__contains="example").exists()
    with pytest.raises(ValidationError, match=r"testapp\.Allowed\.origin"):
        allowed(origin="https://example.com/path").save()
    with pytest.raises(ValidationError):
        allowed.objects.filter(origin="null").exists()
    again = allowed(origin="https://example.com:443")
    with pytest.raises(ValidationError, match="already exists"):
        again.full_clean()
    form: Any = modelform_factory(allowed, fields=["origin"])({"origin": "https://a.example/"})
    assert isinstance(form.fields["origin"], forms.OriginField)
    assert form.is_valid()
    assert form.save().origin == "https://a.example"


def test_text_that_the_model_field_refuses_stays_in_its_row(allowed: Any) -> None:
    """It is kept by saving, by a form that does not change it, and by a fixture."""
    text = "https://a.example/path"
    store_text(allowed.objects.create(origin="https://a.example"), text, "origin")
    row = allowed.objects.get()
    row.save()
    form_class: Any = modelform_factory(allowed, fields=["origin"])
    assert "no longer follows the rules" in str(form_class(instance=row))
    form_class({"origin": text}, instance=row).save()
    assert allowed.objects.get().origin == text
    field = allowed._meta.get_field("origin")
    loaded = allowed(pk=row.pk, origin=field.to_python(field.value_to_string(row)))
    loaded.save_base(raw=True)
    assert allowed.objects.get().origin == text
    form = form_class({"origin": "https://a.example/other"}, instance=row)
    assert form.errors.keys() == {"origin"}
    row.origin = "https://a.example/other"
    with pytest.raises(ValidationError):
        row.save()


@pytest.mark.parametrize(("text", "code"), REFUSED)
def test_the_validators_of_the_model_field_refuse_what_saving_refuses(text: str, code: str) -> None:
    """Programs may run only these, such as the serializers of Django REST framework."""
    field = OriginField()
    for check in (field.run_validators, field.get_prep_value):
        with pytest.raises(ValidationError) as caught:
            check(text)
        (error,) = caught.value.error_list
        assert error.code == code
    for spelling in SPELLINGS:
        field.run_validators(spelling)


def test_the_model_field_is_written_in_migrations() -> None:
    """With its schemes if they are not the usual ones, and its validators with their options."""
    assert OriginField().deconstruct()[1:] == (
        "django_whatwg_url.fields.OriginField",
        [],
        {},
    )
    assert OriginField(max_length=300).deconstruct() == OriginField().deconstruct()
    assert OriginField(max_length=2048).clone().max_length == 2048
    field = OriginField(schemes=["https"])
    assert field.clone().schemes == ("https",)
    validators: list[Any] = [RedirectURIValidator(schemes=["cursor"]), OriginValidator(None)]
    for validator in validators:
        path, args, options = validator.deconstruct()
        assert path.startswith("django_whatwg_url.validators.")
        assert type(validator)(*args, **options) == validator
        assert MigrationWriter.serialize(validator)[0]


def test_every_problem_has_a_message() -> None:
    """This includes redirect URIs, and origins except for their spelling."""
    assert set(REDIRECT_URI_MESSAGES) == set(PROBLEM_CODES)
    assert {code for _, code in REFUSED} < set(ORIGIN_MESSAGES)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("http://app.example/", "not-encrypted", "“http:”"),
        ("myapp:/", "scheme-without-dot", "“myapp:” cannot be used here. Begin with “https:”."),
        ("http://localhost/", "localhost", "“localhost”"),
        ("https://APP.example/?s3cret", "not-canonical", "Write “https://app.example/”."),
        ("https://*.example.com/", "wildcard", "“*”"),
        (f"https://a.example/{'a' * 9000}", "too-long", "9018"),
        ("https://u:s3cret@app.example/", "credentials", "password"),
        ("x", "not-a-url", "Begin the URL with"),
    ],
)
def test_the_validator_says_what_to_change(text: str, code: str, words: str) -> None:
    """The message is in the language of the user, without secrets."""
    with pytest.raises(ValidationError) as caught:
        RedirectURIValidator()(text)
    assert caught.value.code == code
    assert words in caught.value.messages[0].replace(",", "")
    assert "s3cret" not in f"{caught.value}{caught.value.params}"


@pytest.mark.parametrize(
    ("setting", "entry", "words"),
    [
        ("CSRF_TRUSTED_ORIGINS", "https://example.com/", "no slash at its end"),
        ("CSRF_TRUSTED_ORIGINS", "https://example.com/a", "no path"),
        ("CSRF_TRUSTED_ORIGINS", "https://Example.com", "lowercase"),
        ("CSRF_TRUSTED_ORIGINS", "https://example.com:443", "default port"),
        ("CSRF_TRUSTED_ORIGINS", "https://b\u00fccher.example", "xn--bcher-kva"),
        ("CSRF_TRUSTED_ORIGINS", "https://*.com", "only be the first label"),
        ("CSRF_TRUSTED_ORIGINS", "https://www.*.com", "only be the first label"),
        ("CSRF_TRUSTED_ORIGINS", "https://*.example.com:443", "default port"),
        ("CSRF_TRUSTED_ORIGINS", "null", "sandboxed"),
        ("CORS_ALLOWED_ORIGINS", "https://*.example.com", "not part of an origin"),
        ("CORS_ALLOWED_ORIGINS", "null", "sandboxed"),
        ("CORS_ALLOWED_ORIGINS", "wss://example.com", "No page"),
        ("CORS_ALLOWED_ORIGINS", "https://u:s3cret@example.com", "no username"),
    ],
)
def test_a_check_names_what_no_browser_sends(setting: str, entry: str, words: str) -> None:
    """One message for each entry."""
    with override_settings(**{setting: ["https://fine.example", entry]}):
        (found,) = check_origins()
        assert found in run_checks(tags=[Tags.security])
    assert found.msg.startswith(f"{setting}: ")
    assert words in found.msg
    assert "s3cret" not in found.msg
    assert found.id == f"django_whatwg_url.W04{int(setting.startswith('CORS'))}"


def test_a_check_leaves_good_entries_and_those_of_other_checks_alone() -> None:
    """Wildcards as Django reads them, extensions, and text without a scheme."""
    good = [
        "https://*.example.com",
        "https://*.Example.com/",
        "chrome-extension://abc",
        "a.example",
    ]
    with override_settings(CSRF_TRUSTED_ORIGINS=good, CORS_ALLOWED_ORIGINS=None):
        assert check_origins() == []
    with override_settings(CSRF_TRUSTED_ORIGINS=[1], CORS_ALLOWED_ORIGINS="https://a.example/"):
        assert check_origins() == []


@pytest.mark.parametrize("text", ["*", "https://*.example.com"])
def test_an_origin_with_an_asterisk_is_one_too_many(text: str) -> None:
    """The message says what to write."""
    with pytest.raises(ValidationError, match="does not mean all origins here"):
        forms.OriginField().clean(text)


def test_the_first_of_several_problems_is_named() -> None:
    """The order is that of `weburl.origin_problems`, without problems of spelling."""
    text = "HTTPS://user@Example.com:443/path?q#f"
    found = [problem.code for problem in origin_problems(text) if not problem.is_spelling]
    assert found == ["credentials", "path", "query", "fragment"]
    with pytest.raises(ValidationError) as caught:
        OriginValidator()(text)
    assert caught.value.code == "credentials"
