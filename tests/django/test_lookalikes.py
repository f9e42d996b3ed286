"""Tests of look-alikes in the app: a form that asks, a column of the admin, and the sentences."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from django import forms
from django.utils.translation import override

from django_whatwg_url.admin import URLLookalike
from django_whatwg_url.forms import CanonicalURLField, CanonicalURLTextField, LookalikeFormMixin
from django_whatwg_url.rules.messages import LOOKALIKE_MESSAGES
from weburl.lookalikes import ProtectedNames, Reason

NAMES = ProtectedNames(["paypal.com"])


class LinkForm(LookalikeFormMixin, forms.Form):
    """Two URLs, of which one is compared."""

    link = CanonicalURLField()
    other = CanonicalURLTextField(required=False)
    not_like: ClassVar[dict[str, Any]] = {"link": ["paypal.com"], "other": NAMES}


def test_a_form_asks_once_whether_a_look_alike_is_meant() -> None:
    """The box has the host as its value, and the URL is accepted with it."""
    form = LinkForm({"link": "https://paypa1.com/"})
    assert form.errors.as_data().keys() == {"link"}
    (error,) = form.errors.as_data()["link"]
    assert error.code == "look-alike"
    assert "“paypa1.com” looks like “paypal.com”" in form.errors["link"][0]
    assert 'type="checkbox" name="link_meant" value="paypa1.com"' in form.as_p()
    assert "checked" not in form.as_p()
    assert "I mean this address" in form.as_p()
    form = LinkForm({"link": "https://paypa1.com/", "link_meant": "paypa1.com"})
    assert form.is_valid()
    assert form.cleaned_data["link"].href == "https://paypa1.com/"


def test_a_tick_counts_only_for_the_host_that_was_shown() -> None:
    """Another look-alike is asked about again, and the box is empty."""
    form = LinkForm({"link": "https://paypai.com/", "link_meant": "paypa1.com"})
    assert not form.is_valid()
    assert 'value="paypai.com"' in form.as_p() and "checked" not in form.as_p()
    form = LinkForm({"link": "https://paypa1.com/", "link_meant": "paypa1.com", "other": "x y"})
    assert form.errors.keys() == {"other"}
    assert "checked" in form.as_p()


def test_a_form_with_a_prefix_and_a_field_with_text_are_asked_about() -> None:
    """The names of the inputs are those of the form."""
    data = {"a-link": "https://example.com/", "a-other": "https://рaypal.com/"}
    form = LinkForm(data, prefix="a")
    assert form.errors.keys() == {"other"}
    data["a-other_meant"] = "xn--aypal-uye.com"
    assert LinkForm(data, prefix="a").is_valid()


@pytest.mark.parametrize("link", ["https://www.paypal.com/", "https://example.com/", "", "a b"])
def test_other_urls_are_not_asked_about(link: str) -> None:
    """The form has no box."""
    form = LinkForm({"link": link})
    form.is_valid()
    assert form.fields.keys() == {"link", "other"}


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://paypa1.com/", "paypal.com"),
        ("https://gооgle.com/", Reason.MIXED_SCRIPTS.sentence),
        ("https://straße.de/", "-"),
        ("https://example.com/", "-"),
        ("mailto:a@b.example", "-"),
        ("https://[", "-"),
        (None, "-"),
    ],
)
def test_a_column_of_the_admin_shows_what_a_host_looks_like(url: Any, shown: str) -> None:
    """One of the names, or else a warning."""
    column = URLLookalike("url", ["paypal.com"])
    row: Any = SimpleNamespace(url=url)
    assert column(row) == shown
    assert column == URLLookalike("url", NAMES) != URLLookalike("url")
    assert column.__name__ == "url_looks_like"


def test_every_reason_has_a_sentence_in_the_language_of_the_page() -> None:
    """The English one is the sentence of `weburl`."""
    with override("en"):
        assert {each: str(text) for each, text in LOOKALIKE_MESSAGES.items()} == {
            reason: reason.sentence for reason in Reason
        }
    for language in ("de", "es", "fr", "ja", "pt", "zh-hans"):
        with override(language):
            texts = {str(text) for text in LOOKALIKE_MESSAGES.values()}
        assert len(texts) == len(Reason)
        assert not texts & {reason.sentence for reason in Reason}
