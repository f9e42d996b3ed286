"""Tests of `URLPatternField`: a URL pattern as canonical text."""

from __future__ import annotations

import re

import pytest
from django.core import serializers
from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.db.models import Value
from django.db.models.functions import Concat
from django.forms import Form, modelform_factory
from django.test.utils import isolate_apps
from hypothesis import given
from hypothesis import strategies as st

from django_whatwg_url.fields import URLPatternField
from django_whatwg_url.forms import URLPatternField as URLPatternFormField
from django_whatwg_url.rules.validators import URLPatternValidator, pattern_text
from tests.django.siteapp.models import Rule
from tests.django.stored import store_text
from tests.django.testapp.models import Bookmark
from weburl import URLPattern

STORED = {
    "https://Example.com/users/:id": "https://example.com/users/:id",
    "https://example.com:443/caf\u00e9": "https://example.com/caf%C3%A9",
    "https://*.example.com/a?q=*": "https://*.example.com/a?q=*",
}
WRONG = {
    "https://example.com/{": "In the pathname",
    "/users/:id": r"needs a base URL.* full pattern such as “\*://\*:\*/users/:id”",
    "https://example.com/(": r"Expected a “\)” for this “\(”",
    r"https://example.com/(\d+)": "regular expression",
    "https://example.com/:a/:a": "pathname",
}


def codes(raised: pytest.ExceptionInfo[ValidationError]) -> list[str | None]:
    """Return the codes of the errors."""
    return [error.code for error in raised.value.error_list]


@pytest.mark.django_db
@pytest.mark.parametrize(("text", "canonical"), STORED.items())
def test_what_is_stored_is_the_canonical_text(text: str, canonical: str) -> None:
    """It makes an equal pattern, and the attribute has it after saving."""
    assert pattern_text(text) == canonical == pattern_text(canonical)
    for value in (text, URLPattern(text)):
        rule = Rule.objects.create(pattern=value)
        assert rule.pattern == canonical
        rule.refresh_from_db()
        assert rule.pattern == canonical
        assert URLPattern(rule.pattern) == URLPattern(text)
        assert Rule.objects.get(pattern=text) == rule
        rule.delete()


@pytest.mark.django_db
@pytest.mark.parametrize(("text", "reason"), WRONG.items())
def test_other_text_is_refused_with_the_reason(text: str, reason: str) -> None:
    """``full_clean()``, every way of saving, and forms refuse it."""
    with pytest.raises(ValidationError, match=reason) as raised:
        Rule(pattern=text).full_clean()
    assert [error.code for error in raised.value.error_dict["pattern"]] == ["invalid-pattern"]
    with pytest.raises(ValidationError, match=reason) as raised, transaction.atomic():
        Rule.objects.create(pattern=text)
    assert codes(raised) == ["invalid-pattern"]
    with pytest.raises(ValidationError, match=reason), transaction.atomic():
        Rule.objects.bulk_create([Rule(pattern=text)])
    form = modelform_factory(Rule, fields=["pattern"])({"pattern": text})
    assert [error.code for error in form.errors["pattern"].as_data()] == ["invalid-pattern"]
    assert re.search(reason, str(form.errors["pattern"][0]))
    assert Rule.objects.count() == 0


@pytest.mark.django_db
def test_two_spellings_are_one_pattern() -> None:
    """The column is unique."""
    Rule.objects.create(pattern="https://Example.com/a")
    with pytest.raises(IntegrityError), transaction.atomic():
        Rule.objects.create(pattern="https://example.com:443/a")
    Rule.objects.create(pattern="https://example.com/A")
    with pytest.raises(ValidationError):
        Rule(pattern="https://example.COM/a").full_clean()


@pytest.mark.django_db
def test_regular_expressions_where_they_are_allowed() -> None:
    """The field may also be null, and have a limit of the length."""
    rule = Rule.objects.create(pattern="https://a/*", wide=r"https://a/(\d+)")
    rule.full_clean()
    assert Rule.objects.create(pattern="https://b/*").wide is None
    with pytest.raises(ValidationError) as raised:
        Rule.objects.create(pattern="https://c/*", wide="https://c/" + "a" * 60)
    assert codes(raised) == ["max_length"]


@pytest.mark.django_db
def test_a_pattern_that_is_not_one_text_is_refused() -> None:
    """One that ignores letter case: its text would not."""
    pattern = URLPattern("https://a/*", ignore_case=True)
    with pytest.raises(ValidationError, match="cannot be written as one text"):
        Rule.objects.create(pattern=pattern)


@pytest.mark.django_db
@pytest.mark.parametrize("text", ["https://a/{", r"https://a/(\d+)"])
def test_a_form_keeps_a_pattern_that_it_would_refuse_now(text: str) -> None:
    """As long as it does not change it. ``regexp_groups`` may have been allowed before."""
    rule = Rule.objects.create(pattern="https://a/*")
    store_text(rule, text, "pattern")
    form_class = modelform_factory(Rule, fields=["pattern", "wide"])
    assert "no longer follows the rules" in str(form_class(instance=Rule.objects.get()))
    form = form_class({"pattern": text, "wide": "https://b/*"}, instance=Rule.objects.get())
    form.save()
    rule = Rule.objects.get()
    assert (rule.pattern, rule.wide) == (text, "https://b/*")
    form = form_class({"pattern": f"{text}{{"}, instance=rule)
    assert form.errors.keys() == {"pattern"}
    with pytest.raises(TypeError):
        URLPatternField(check_unchanged="no")  # type: ignore[call-overload]


@pytest.mark.django_db
def test_a_row_that_someone_else_wrote() -> None:
    """It is read as it is, and its other columns can be saved with update_fields."""
    rule = Rule.objects.create(pattern="https://a/*")
    store_text(rule, "https://a/{", "pattern")
    rule = Rule.objects.get()
    assert rule.pattern == "https://a/{"
    rule.wide = "https://b/*"
    rule.save(update_fields=["wide"])
    assert Rule.objects.get().wide == "https://b/*"


@pytest.mark.django_db
def test_rules_of_one_model_find_rows_of_another() -> None:
    """They use ``url__matches``."""
    Bookmark.objects.create(url="https://example.com/users/1")
    Bookmark.objects.create(url="https://example.com/about")
    rule = Rule.objects.create(pattern="https://example.com/users/:id")
    found = Bookmark.objects.filter(url__matches=rule.pattern)
    assert [row.url.href for row in found] == ["https://example.com/users/1"]


@pytest.mark.django_db
def test_fixtures_and_expressions() -> None:
    """Text in, text out; the database may compute it."""
    Rule.objects.create(pattern="https://a/:x")
    data = serializers.serialize("json", Rule.objects.all())
    Rule.objects.all().delete()
    for loaded in serializers.deserialize("json", data):
        loaded.save()
    Rule.objects.update(pattern=Concat("pattern", Value("/b")))
    assert Rule.objects.get().pattern == "https://a/:x/b"


@isolate_apps("tests.django.siteapp")
def test_options_in_migrations() -> None:
    """Only those that are not the default."""

    class Local(models.Model):
        plain = URLPatternField()
        wide = URLPatternField(regexp_groups=True, max_length=None)

        class Meta:
            app_label = "siteapp"

    assert Local._meta.get_field("plain").deconstruct()[1:] == (
        "django_whatwg_url.fields.URLPatternField",
        [],
        {},
    )
    assert Local._meta.get_field("wide").deconstruct()[3] == {
        "regexp_groups": True,
        "max_length": None,
    }
    assert URLPatternValidator(regexp_groups=True).deconstruct()[2] == {"regexp_groups": True}
    for options in ({"regexp_groups": 1}, {"regexp_groups": None}):
        with pytest.raises(TypeError):
            URLPatternField(**options)
        with pytest.raises(TypeError):
            URLPatternFormField(**options)


def test_the_form_field() -> None:
    """Its value is canonical text, and it shows the text that was typed."""

    class Own(Form):
        pattern = URLPatternFormField(required=False)

    form = Own({"pattern": "  https://Example.com/:id "})
    assert form.is_valid()
    assert form.cleaned_data == {"pattern": "https://example.com/:id"}
    assert Own({"pattern": ""}).is_valid()
    assert 'dir="ltr"' in str(form["pattern"])
    with pytest.raises(ValidationError) as raised:
        URLPatternFormField().clean("https://a/" + "{" * 10_000_000)
    assert codes(raised) == ["max_length"]


@given(st.text() | st.text("https:/*{}()?+:.a\\#[]@"))
def test_any_text_is_a_pattern_or_a_validation_error(text: str) -> None:
    """Accepted text is its own canonical text."""
    try:
        canonical = pattern_text(text)
    except ValidationError as error:
        found = [each.code for each in error.error_list]
    else:
        assert pattern_text(canonical) == canonical
        found = ["invalid-pattern"]
    assert found == ["invalid-pattern"]


def test_a_password_is_not_shown() -> None:
    """It is in a pattern that is refused."""
    for text in ("https://user:{s3cret@example.com/", "https://user:(s3cret@example.com/"):
        with pytest.raises(ValidationError) as raised:
            pattern_text(text)
        assert "s3cret" not in str(raised.value)
        assert "s3cret" not in str(raised.value.__cause__)
