"""Hypothesis's Django support with our fields, which needs only the entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from django.forms import Form, ModelForm
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase, from_field, from_form, from_model

from django_whatwg_url import forms
from django_whatwg_url.fields import CanonicalURLField
from django_whatwg_url.integrations.hypothesis import register, urls_for
from tests.django.stored import column_field
from tests.integrations.linksapp.models import Link
from tests.integrations.makersapp.models import Bounded
from weburl import Host, Origin, Site, URLPolicy, URLRecord

FEW = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class LinkForm(ModelForm):  # type: ignore[type-arg]  # Django takes no arguments
    """A model form with a unique URL."""

    class Meta:
        model = Link
        fields = ("title", "url", "homepage")


# The stubs of Hypothesis know no model forms.
ANY_FORM: Any = LinkForm


class Strict(Form):
    """A form with a field that refuses some spellings."""

    url = forms.CanonicalURLField(strictness="valid", max_length=40, allowed_schemes=["https"])
    other = forms.CanonicalURLField(required=False)


class TestFromModel(TestCase):
    """Tests that need rows. Hypothesis's test case rolls back after each example."""

    @FEW
    @given(from_model(Link))
    def test_a_row_is_saved_and_read_again(self, link: Link) -> None:
        """Nothing has to be registered."""
        again = Link._default_manager.get(pk=link.pk)
        assert isinstance(again.url, URLRecord)
        assert again.url == link.url
        assert again.homepage == link.homepage
        link.full_clean()

    @FEW
    @given(
        from_model(
            Bounded,
            **{
                name: urls_for(column_field(Bounded, name))  # type: ignore[arg-type]
                for name in ("short", "shorter", "mail", "anything", "valid", "hook", "ours")
            },
        )
    )
    def test_the_options_of_a_field_are_respected(self, row: Bounded) -> None:
        """Length, schemes, strictness and policy are respected, so the row is valid."""
        row.full_clean()
        assert len(row.short.href) <= 20
        assert len(row.shorter.href) <= 9
        assert row.mail.scheme == "mailto"
        assert str(row.hook.host).endswith(".com")
        assert row.site in {"example.com", "example.org"}

    @FEW
    @given(
        st.lists(from_model(Link, title=st.just(""), homepage=st.none()), min_size=2, max_size=4)
    )
    def test_a_unique_column_takes_several(self, rows: list[Link]) -> None:
        """A URL that is already stored gives the row that has it."""
        assert len({row.pk for row in rows}) == len({row.url for row in rows})

    @FEW
    @given(from_form(ANY_FORM))
    def test_a_model_form_is_valid(self, form: LinkForm) -> None:
        """The texts have many spellings, as people type them."""
        assert form.is_bound
        if form.is_valid():
            assert isinstance(form.cleaned_data["url"], URLRecord)
        else:
            assert set(form.errors) <= {"title"}, form.errors

    @FEW
    @given(from_form(Strict, url=urls_for(Strict.base_fields["url"])))  # type: ignore[arg-type]
    def test_a_strict_form_is_valid(self, form: Strict) -> None:
        """All texts are ones that the field accepts."""
        assert form.is_valid(), form.errors


@pytest.mark.parametrize(
    "policy",
    [
        None,
        URLPolicy.webhook(),
        URLPolicy.image(),
        URLPolicy(registrable_domains=["example.co.uk"], ports=[443]),
        URLPolicy(schemes=["ftp"], ip_hosts=False, fragments=False, max_length=30),
    ],
)
def test_every_policy_finds_its_urls(policy: URLPolicy | None) -> None:
    """Hypothesis would complain about a filter that rejects most URLs."""
    field: Any = CanonicalURLField(policy=policy)

    @settings(max_examples=50, deadline=None, database=None)
    @given(urls_for(field))
    def each_is_allowed(url: URLRecord) -> None:
        assert policy is None or policy.allows(url)

    each_is_allowed()


def test_the_simplest_is_simple() -> None:
    """It is the example that a failing test shows in the end."""
    field: Any = CanonicalURLField()
    assert find(from_field(field), lambda _url: True).href == "http://a/"
    assert find(from_field(forms.CanonicalURLField()), lambda _text: True) == "http://a/"


def test_registering_again_is_harmless() -> None:
    """Registering twice changes nothing."""
    register()
    register()
    assert find(from_field(CanonicalURLField()), lambda _url: True).href == "http://a/"


@pytest.mark.parametrize("kind", [URLRecord, Host, Origin, Site])
def test_types_are_known_to_from_type(kind: Any) -> None:
    """The entry point of `weburl` registers them, and unions work too."""
    assert find(st.from_type(kind), lambda _value: True) is not None


ORDERS = {
    "Django first": "import django; django.setup(); import hypothesis",
    "Hypothesis first, and a line": (
        "import hypothesis, django; django.setup();"
        "from django_whatwg_url.integrations import hypothesis as ours; ours.register()"
    ),
}


@pytest.mark.parametrize("order", ORDERS)
def test_it_works_in_either_order(order: str) -> None:
    """A script may import Hypothesis first. ``manage.py test`` sets up Django first."""
    program = (
        f"{ORDERS[order]}\n"
        "from django_whatwg_url.fields import CanonicalURLField\n"
        "from hypothesis.extra.django import from_field\n"
        "from hypothesis import find\n"
        "print(find(from_field(CanonicalURLField()), lambda url: True).href)"
    )
    assert printed_by(program) == ["http://a/"]


def test_libraries_that_a_policy_asks_are_imported_before_the_first_example() -> None:
    """One of them draws a random number when it is imported, and Hypothesis would warn about it."""
    program = (
        "import warnings, django; django.setup()\n"
        "from django_whatwg_url.fields import CanonicalURLField\n"
        "from hypothesis import HealthCheck, given, settings\n"
        "from django_whatwg_url.integrations.hypothesis import urls_for\n"
        "from weburl import URLPolicy\n"
        "slow = [HealthCheck.too_slow]\n"
        "@settings(max_examples=5, deadline=None, suppress_health_check=slow)\n"
        "@given(urls_for(CanonicalURLField(policy=URLPolicy.webhook())))\n"
        "def each_is_drawn(url): pass\n"
        "warnings.simplefilter('error')\n"
        "each_is_drawn()\n"
        "print('all')"
    )
    assert printed_by(program) == ["all"]


def test_hypothesis_does_not_load_django() -> None:
    """Importing it does not load our strategies either, and our fields do not load Hypothesis."""
    loaded = printed_by("import hypothesis, sys; print(*sys.modules)")[0].split()
    assert "weburl.integrations.hypothesis" in loaded
    assert "django_whatwg_url.integrations.hypothesis" in loaded
    assert {"django", "weburl.testing"}.isdisjoint(loaded)
    loaded = printed_by(
        "import sys, django, weburl; django.setup(); import django_whatwg_url.fields;"
        "print(*sys.modules)"
    )[0].split()
    assert {"hypothesis", "weburl.testing", "weburl.integrations.hypothesis"}.isdisjoint(loaded)


def printed_by(program: str) -> list[str]:
    """Return the lines that a program prints, which runs in its own interpreter."""
    result = subprocess.run(
        [sys.executable, "-c", program],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": "src:.:docs/demo"},
    )
    return result.stdout.splitlines()
