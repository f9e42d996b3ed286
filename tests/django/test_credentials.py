"""That no form, no validator, no page of errors and no command of the app says a secret."""

from __future__ import annotations

import re

import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.test import Client
from hypothesis import HealthCheck, given, settings

from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.forms import CanonicalURLField as FormField
from django_whatwg_url.validators import URLPolicyValidator, URLStrictnessValidator
from tests.standard.infra.test_credentials import SECRET
from tests.standard.infra.test_credentials_everywhere import anywhere, says_nothing
from weburl import URLPolicy


class Form(forms.Form):
    """A field as strict as possible, and one that takes any scheme."""

    url = FormField(strictness={"invalid-credentials", "invalid-URL-unit"})
    any_url = FormField(schemes=None)


def said_by(error: ValidationError) -> str:
    """Return everything that an error can be shown as, without its params."""
    return "".join([str(error), repr(error), *error.messages])


@given(anywhere)
def test_no_form_says_a_secret(url: str) -> None:
    """This applies to every notation of its errors."""
    errors = Form({"url": url, "any_url": url}).errors
    says_nothing(errors.as_text() + errors.as_json() + str(errors) + repr(errors))


@given(anywhere)
def test_no_validator_and_no_model_field_says_a_secret(url: str) -> None:
    """This applies to messages and to the repr of the error."""
    field = CanonicalURLField()
    attempts = (
        field.to_python,
        lambda text: field.clean(text, None),
        URLStrictnessValidator({"invalid-credentials"}),
        URLPolicyValidator(URLPolicy.webhook()),
    )
    for attempt in attempts:
        try:
            attempt(url)
        except ValidationError as error:
            says_nothing(said_by(error))


@pytest.mark.django_db
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(anywhere)
def test_the_admin_says_a_secret_only_in_the_field(admin_client: Client, url: str) -> None:
    """There it is what was typed. The list of errors has no part of it."""
    response = admin_client.post(
        "/admin/testapp/bookmark/add/",
        {"url": url, "title": "t", "visit_set-TOTAL_FORMS": "0", "visit_set-INITIAL_FORMS": "0"},
    )
    if response.status_code == 200:
        errors = response.context["adminform"].form.errors
        assert errors
        says_nothing(str(errors) + errors.as_json())
        lists = re.findall(r'<ul class="errorlist.*?</ul>', response.content.decode(), re.DOTALL)
        assert lists
        says_nothing("".join(lists))


def test_the_secret_of_these_tests_is_found() -> None:
    """So a test that finds nothing has looked for it."""
    with pytest.raises(AssertionError):
        says_nothing(f"https://u:{SECRET}@h/")
