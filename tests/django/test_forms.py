"""Tests of `django_whatwg_url.forms`: what people type, and what they are told."""

from __future__ import annotations

from typing import Any

import pytest
from django import forms as django_forms
from django.core.exceptions import ValidationError
from django.core.validators import MinLengthValidator
from django.utils.functional import lazystr

import weburl
from django_whatwg_url import fields, forms
from django_whatwg_url.column.values import to_url
from django_whatwg_url.rules.messages import URL_ERROR_MESSAGES
from weburl import URLPolicy, URLRecord, parse


def clean(text: Any, **options: Any) -> str:
    """Return the href of the cleaned value."""
    record = forms.CanonicalURLField(**options).clean(text)
    assert isinstance(record, URLRecord)
    return record.href


def errors(text: Any, **options: Any) -> list[tuple[str | None, str]]:
    """Return the code and the message of each error in the text."""
    with pytest.raises(ValidationError) as caught:
        forms.CanonicalURLField(**options).clean(text)
    return [(error.code, error.messages[0]) for error in caught.value.error_list]


def codes(text: Any, **options: Any) -> list[str | None]:
    """Return the codes of the errors in the text."""
    return [code for code, _message in errors(text, **options)]


def test_the_cleaned_value_is_a_record() -> None:
    """It is canonical for every spelling."""
    assert forms.CanonicalURLField().clean(" HTTPS://EXAMPLE.com/a/../é ") == parse(
        "https://example.com/%C3%A9"
    )


def test_a_record_and_lazy_text_are_cleaned_as_well() -> None:
    """The initial value of a disabled field may have these types."""
    record = parse("https://example.com/")
    for value in (record, lazystr("example.com"), weburl.URL("https://example.com")):
        assert forms.CanonicalURLField().clean(value) == record
        assert not forms.CanonicalURLField().has_changed(value, "example.com")


@pytest.mark.parametrize(
    "value", [5, 1.5, True, b"https://example.com", ["https://a"], {"a": 1}, to_url("bad")]
)
def test_no_scheme_is_assumed_for_what_nobody_typed(value: object) -> None:
    """A number is not the host of its name, nor is what a broken row holds, in a disabled field."""
    assert codes(value) == ["missing-scheme-non-relative-URL"]
    assert codes(value, required=False, disabled=True) == ["missing-scheme-non-relative-URL"]
    assert forms.CanonicalURLField().has_changed(value, f"https://{value}") is True


@pytest.mark.parametrize("nothing", [None, "", "  ", "\n", "\u3000", [], {}])
def test_nothing_is_none(nothing: object) -> None:
    """It is an error if the URL is required."""
    assert forms.CanonicalURLField(required=False).clean(nothing) is None
    assert codes(nothing) == ["required"]


@pytest.mark.parametrize(
    ("text", "href"),
    [
        ("example.com", "https://example.com/"),
        ("  example.com/a?b#c ", "https://example.com/a?b#c"),
        ("Example.COM:8080/x", "https://example.com:8080/x"),
        ("example.com:80", "https://example.com:80/"),
        ("example.com:443", "https://example.com/"),
        ("www.example.co.uk:8000?q", "https://www.example.co.uk:8000/?q"),
        ("localhost", "https://localhost/"),
        ("localhost:8000", "https://localhost:8000/"),
        ("LOCALHOST:8000/x", "https://localhost:8000/x"),
        ("localhost:8000#top", "https://localhost:8000/#top"),
        ("//example.com/x", "https://example.com/x"),
        ("127.0.0.1:8000", "https://127.0.0.1:8000/"),
        ("[::1]:8000/x", "https://[::1]:8000/x"),
        ("münchen.de/straße", "https://xn--mnchen-3ya.de/stra%C3%9Fe"),
        ("user@example.com/a", "https://user@example.com/a"),
        ("example.com//x", "https://example.com//x"),
        ("///example.com/x", "https://example.com/x"),
        ("//localhost:8000", "https://localhost:8000/"),
        ("LOCALHOST./x", "https://localhost./x"),
        ("[::1]:80", "https://[::1]:80/"),
        ("a%2Eb", "https://a.b/"),
        ("a。b", "https://a.b/"),
        ("\u200bexample.com\ufeff", "https://example.com/"),
        ("\ufeff\u202ahttps://example.com/a\u202c", "https://example.com/a"),
        ("https://example.com/a\u200b", "https://example.com/a%E2%80%8B"),
        ("127.0.0.1", "https://127.0.0.1/"),
        ("日本.jp", "https://xn--wgv71a.jp/"),
    ],
)
def test_a_missing_scheme_is_assumed(text: str, href: str) -> None:
    """Nobody types https://, and a port makes no scheme of a host."""
    assert clean(text) == href


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("notalink", "notalink"),
        ("redis/x", "redis"),
        ("wiki.", "wiki"),
        ("wiki?a=b.c", "wiki"),
        ("wiki\\b.c#d.e", "wiki"),
        ("a.b@wiki/x", "wiki"),
        ("1", "1"),
        ("0x7f000001", "0x7f000001"),
        ("é", "é"),
    ],
)
def test_a_word_is_no_host(text: str, culprit: str) -> None:
    """It is a slip; a browser would search for it. With a scheme, it is what somebody means."""
    with pytest.raises(ValidationError) as caught:
        forms.CanonicalURLField().clean(text)
    assert caught.value.error_list[0].code == "single-label"
    (message,) = caught.value.messages
    assert message == (
        f"“{culprit}” is not a complete host name. Check it for missing parts, as in "
        f"“{culprit}.com”."
    )
    assert forms.CanonicalURLField().clean(f"https://{culprit}")
    assert forms.CanonicalURLField(single_labels=True).clean(text)


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("me@gmail.com", "email-address", "This is an e-mail address. Write a URL"),
        ("192.168.1", "number", "“192.168.1” is not a host name. An IP address has four"),
        ("3.99", "number", "“3.99” is not a host name."),
        ("01.02.2024", "number", "“01.02.2024” is not a host name."),
        ("n.a.", "misplaced-dot", "“n.a.” has a dot in the wrong place. Remove it."),
        (".com", "misplaced-dot", "“.com” has a dot"),
        ("...com", "misplaced-dot", "“...com” has a dot"),
        ("localhost.", "misplaced-dot", "“localhost.” has a dot"),
        ("“https://example.com/a”", "quotation-marks", "Remove the quotation marks."),
        ("<https://example.com/a>", "brackets", "Remove the brackets around the URL."),
        ("http://https://a.com", "two-schemes", "The URL begins with two schemes. Keep only one"),
        ("see https://a.com/ now", "other-text", "Write only the URL, without other text."),
        ("[Text](https://a.com)", "other-text", "Write only the URL, without other text."),
        ("git@github.com:a/b.git", "git-address", "This is a Git address. Write a URL, as in"),
        ("C:\\Users\\x", "file-path", "This is a file on a computer. Write a URL, as in"),
        ("https://[192.0.2.1]/", "IPv4-in-brackets", "Write the IPv4 address"),
        ("https://a.com https://b.com", "two-URLs", "These are two URLs. Write only one."),
        ("a,com", "single-label", "“a,com” contains a comma. Write a dot in its place."),
        ("- https://example.com/a", "signs-before-URL", "Remove “-” before the URL."),
        ("::1", "IPv6-without-brackets", "Put the IPv6 address in brackets: https://[::1]."),
        ("fe80::1", "IPv6-without-brackets", "Put the IPv6 address in brackets: https://[fe80::1]"),
        ("https://a/8\nhttps://a/9", "two-URLs", "These are two URLs. Write only one."),
        ("https//x", "missing-scheme-non-relative-URL", "Write a colon after “https”."),
        ("http;//x", "missing-scheme-non-relative-URL", "Write a colon after “http”, in place"),
        ("/a", "missing-scheme-non-relative-URL", "Begin the URL with “https://”."),
        ("http;x.com", "missing-scheme-non-relative-URL", "Write a colon after “http”, in place"),
        ("about us/x", "single-label", "“about us” contains a space. Remove it."),
        ("See it. The end.", "domain-to-ASCII", "“See it. The end.” contains a space. Remove it."),
        ("exa mple.com", "domain-to-ASCII", "“exa mple.com” contains a space. Remove it."),
        ("me:pw@example.com", "scheme-not-allowed", "Write “https://” first."),
        (
            "https://a\u200d.b.example",
            "domain-to-ASCII",
            "The host name contains an invisible character (U+200D) after “a”. Remove it.",
        ),
    ],
)  # fmt: skip
def test_other_text_than_a_url_says_what_it_is(text: str, code: str, message: str) -> None:
    """The message also says what to do."""
    with pytest.raises(ValidationError) as caught:
        forms.CanonicalURLField().clean(text)
    (error,) = caught.value.error_list
    assert (error.code, error.messages[0].startswith(message)) == (code, True), error.messages
    own = forms.CanonicalURLField(error_messages={code: "No."})
    with pytest.raises(ValidationError, match=r"No\."):
        own.clean(text)


@pytest.mark.parametrize(
    ("code", "texts"),
    [
        # There is no host that lacks a scheme.
        (
            "missing-scheme-non-relative-URL",
            [
                "/path",
                "\\path",
                "\\\\host\\share",
                "?query",
                "#fragment",
                "./a",
                "../a",
                ".",
                "..",
                ".\\a",
            ],
        ),
        # A typing error must not become a URL of the host “http”.
        ("missing-scheme-non-relative-URL", ["http//example.com", "HTTPS//example.com"]),
        # Text with a dot before its first colon is a host to most people.
        ("port-invalid", ["example.com:abc", "example.com:80a/x", "localhost:x"]),
        ("port-out-of-range", ["example.com:999999", "example.com:65536/"]),
        ("scheme-not-allowed", ["foo.bar:x@y", "mailto:x", "example:abc"]),
    ],
)
def test_a_scheme_is_assumed_only_for_a_host(code: str, texts: list[str]) -> None:
    """Other text has one error."""
    for text in texts:
        assert codes(text) == [code], text


def test_another_scheme_can_be_assumed() -> None:
    """Any that is allowed."""
    assert clean("example.com", assume_scheme="http") == "http://example.com/"
    assert clean("example.com:21", assume_scheme="ftp", schemes=["ftp"]) == ("ftp://example.com/")


@pytest.mark.parametrize(
    "options", [{"assume_scheme": None}, {"schemes": ["ftp"]}, {"assume_scheme": "ftp"}]
)
def test_assuming_a_scheme_can_be_turned_off(options: dict[str, Any]) -> None:
    """The option is None, or a scheme that is not allowed."""
    assert codes("example.com", **options) == ["missing-scheme-non-relative-URL"]
    assert codes("//example.com", **options) == ["missing-scheme-non-relative-URL"]
    assert codes("localhost:8000", **options) == ["scheme-not-allowed"]


def test_text_is_not_stripped_when_told_so() -> None:
    """The parser then strips what the standard strips, and no more."""
    assert clean(" \nexample.com\t ", strip=False) == "https://example.com/"
    assert clean("https://example.com/\u3000") == "https://example.com/"
    assert clean("https://example.com/\u3000", strip=False) == "https://example.com/%E3%80%80"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("javascript:alert(1)", "“javascript:”"),
        (" JavaScript\t:alert(1)", "“javascript:”"),
        ("mailto:user@example.com", "“mailto:”"),
        ("ftp://example.com", "“ftp:”"),
        ("file:///etc/passwd", "“file:”"),
        ("tel:12345", "“tel:”"),
        ("example:user", "“example:”"),
        ("com.example.app:callback@x", "“com.example.app:”"),
    ],
)
def test_a_scheme_that_is_not_allowed_is_refused(text: str, shown: str) -> None:
    """The error has its own code, and the message names the allowed schemes."""
    ((code, message),) = errors(text)
    assert code == "scheme-not-allowed"
    assert shown in message and "“http:” or “https:”" in message


def test_schemes_can_be_chosen() -> None:
    """Some others, or any."""
    assert clean("mailto:a@b.example", schemes=["MAILTO"]) == "mailto:a@b.example"
    assert codes("https://a", schemes=iter(["mailto"])) == ["scheme-not-allowed"]
    assert clean("javascript:alert(1)", schemes=None) == "javascript:alert(1)"
    # A name, a colon and digits are a host and a port, unless the scheme is named.
    for text in ("localhost:8000", "example.com:8000/a"):
        assert clean(text, schemes=None) == clean(f"https://{text}")
        assert clean(text, schemes=None, assume_scheme=None) == text
    assert clean("example.com:8000", schemes=["example.com", "https"]) == "example.com:8000"
    assert clean("ersatztv:8409/iptv", single_labels=True) == "https://ersatztv:8409/iptv"
    assert clean("tel:911", single_labels=True, schemes=None) == "tel:911"
    assert clean("example.com", schemes=None) == "https://example.com/"


@pytest.mark.parametrize("text", ["//about", "///about", "//wiki/page", "////]@N.AN", "/\\\\wiki"])
def test_the_rules_for_a_host_come_after_the_slashes(text: str) -> None:
    """Otherwise a path would become a foreign host."""
    assert errors(text)
    with pytest.raises(ValidationError):
        forms.ExactURLField(assume_scheme="https").clean(text)


def test_one_string_is_no_list_of_schemes() -> None:
    """Its letters would be taken for schemes."""
    with pytest.raises(TypeError):
        forms.CanonicalURLField(schemes="https")


@pytest.mark.parametrize("schemes", [[], ["https:"], ["https", ""], ["http(s)"], ["1a"], ["ſ"]])
def test_schemes_that_make_no_sense_are_refused_at_once(schemes: list[str]) -> None:
    """A typing error would otherwise refuse every URL."""
    with pytest.raises(ValueError, match="scheme"):
        forms.CanonicalURLField(schemes=schemes)


def test_the_scheme_to_assume_is_one() -> None:
    """Letter case does not matter, but a colon does not belong to a scheme."""
    assert forms.CanonicalURLField(assume_scheme="HTTP").assume_scheme == "http"
    with pytest.raises(ValueError, match="'https://'"):
        forms.CanonicalURLField(assume_scheme="https://")


def test_a_scheme_that_is_not_allowed_is_told_alone() -> None:
    """Other validators need not expect a URL without a host; the message has all parameters."""
    seen: list[object] = []
    options: dict[str, Any] = {"strictness": "valid", "validators": [seen.append], "min_length": 99}
    assert codes("mailto:a b", **options) == ["scheme-not-allowed"]
    assert seen == []
    messages = {"scheme-not-allowed": "%(value)s has %(culprit)s, not %(allowed)s"}
    ((_code, message),) = errors("ftp://example.com", error_messages=messages)
    assert message == "ftp://example.com/ has ftp:, not “http:” or “https:”"


@pytest.mark.parametrize(
    ("text", "code", "quoted"),
    [
        ("https://", "host-missing", "“https://example.com”"),
        ("https://:80/", "host-missing", "host name"),
        ("exa mple.com", "domain-to-ASCII", "“exa mple.com”"),
        ("example.com:99999", "port-out-of-range", "“99999”"),
        ("https://example.com:port/", "port-invalid", "“p”"),
        ("https://[::1", "IPv6-unclosed", "bracket"),
        ("https://[1::2::3]/", "IPv6-multiple-compression", "“::”"),
        ("1.2.3.4.5", "IPv4-too-many-parts", "“1.2.3.4.5”"),
        ("https://exam.42", "IPv4-non-numeric-part", "“exam”"),
        ("https://\ud800/", "domain-to-ASCII", "U+D800"),
        ("https://a\0b/", "domain-to-ASCII", "U+0000"),
    ],
)
def test_the_message_says_what_is_wrong(text: str, code: str, quoted: str) -> None:
    """The code is the standard's name, and there is more to it than "Enter a valid URL"."""
    ((found, message),) = errors(text)
    assert found == code
    assert quoted in message
    assert "nter a valid" not in message


def test_a_text_that_browsers_mend_is_no_error() -> None:
    """Even a null character is percent-encoded in a path."""
    assert clean("http:\\\\exa%6Dple.com\\a b\0|\ud800") == (
        "http://example.com/a%20b%00|%EF%BF%BD"
    )
    assert clean("https://exa_mple.com/a..b") == "https://exa_mple.com/a..b"
    assert clean("http:/example.com") == "http://example.com/"


def test_text_is_measured_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A megabyte costs no more than its length."""

    def refuse(*_args: object) -> URLRecord:
        raise AssertionError("parsed")

    monkeypatch.setattr(weburl, "parse", refuse)
    text = "https://" + "é" * 1_000_000
    ((code, message),) = errors(text)
    assert code == "max_length"
    assert "2048" in message
    assert forms.CanonicalURLField().has_changed("", text)


def test_white_space_around_the_text_does_not_count() -> None:
    """It is removed before the length is checked, unless there is more than a copied URL has."""
    assert clean("  https://a.example/ \n", max_length=18) == "https://a.example/"
    assert clean(" " * 900 + "https://a.example/", max_length=18) == "https://a.example/"
    assert codes("  https://a.example/ ", max_length=18, strip=False) == ["max_length"]


def test_very_long_text_is_not_even_stripped() -> None:
    """A megabyte of white space is neither a URL nor an empty field."""
    for text in (" " * 1_000_000, " " * 1_000_000 + "https://a.example/"):
        assert codes(text) == ["max_length"]
        assert codes(text, required=False) == ["max_length"]
        assert forms.CanonicalURLField().has_changed("https://a.example/", text)


def test_the_canonical_form_is_measured_too() -> None:
    """Since that is what will be stored, and the message says so."""
    assert clean("https://example.com/é", max_length=26) == "https://example.com/%C3%A9"
    ((code, message),) = errors("https://example.com/é", max_length=25)
    assert code == "max_length"
    assert "“é” is stored as six" in message and "26" in message


def test_length_can_be_left_open() -> None:
    """There may also be a lower limit, which counts characters of the canonical form."""
    assert len(clean("https://example.com/" + "a" * 5000, max_length=None)) == 5020
    assert codes("a.b", min_length=20) == ["min_length"]


def test_other_validators_get_the_record() -> None:
    """Those of Django that measure text get its href."""
    seen: list[Any] = []
    clean("example.com", validators=[seen.append, MinLengthValidator(20)])
    assert seen == [parse("https://example.com")]


def test_strictness_judges_what_was_typed_with_its_assumed_scheme() -> None:
    """A missing scheme and white space around it are the field's own indulgence."""
    assert clean(" example.com ", strictness="valid") == "https://example.com/"
    assert clean("localhost:8000", strictness="valid") == "https://localhost:8000/"
    assert codes("example.com\\a", strictness="valid") == ["invalid-reverse-solidus"]


def test_messages_can_be_replaced_one_by_one() -> None:
    """The key is the code, and the other messages do not change."""
    messages = {
        "host-missing": "Where is it?",
        "scheme-not-allowed": "%(culprit)s is out.",
        "max_length": "Too long.",
        "required": "Type something.",
        "invalid-credentials": "No passwords.",
    }
    options: dict[str, Any] = {
        "error_messages": messages,
        "max_length": 30,
        "strictness": ["invalid-credentials"],
    }
    assert errors("https://", **options) == [("host-missing", "Where is it?")]
    assert errors("javascript:x", **options) == [("scheme-not-allowed", "javascript: is out.")]
    assert errors("https://example.com/" + "a" * 99, **options) == [("max_length", "Too long.")]
    assert errors("https://example.com/ééé", **options) == [("max_length", "Too long.")]
    assert errors("", **options) == [("required", "Type something.")]
    assert errors("https://a@b", **options) == [("invalid-credentials", "No passwords.")]
    ((code, message),) = errors("https://a:b", **options)
    assert code == "port-invalid" and "“b”" in message


def test_messages_are_translated_when_they_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """They use the language of the request, not the language during the import."""
    assert errors("https://") == [("host-missing", str(URL_ERROR_MESSAGES["host-missing"]))]
    monkeypatch.setattr("django.utils.translation._trans.gettext", "de: {}".format)
    ((_code, message),) = errors("https://example.com:99999")
    assert message.startswith("de: The port “99999” is too large.")


class LinkForm(django_forms.Form):
    """A form with one field."""

    url = forms.CanonicalURLField()


@pytest.mark.parametrize(
    ("initial", "data", "changed"),
    [
        (parse("https://example.com/"), "https://example.com/", False),
        (parse("https://example.com/"), " HTTPS://EXAMPLE.COM ", False),
        (parse("https://example.com/"), "example.com", False),
        ("HTTPS:example.com", "https://example.com/", False),
        (parse("https://example.com/a"), "https://example.com/A", True),
        (parse("https://example.com/"), "", True),
        (parse("https://example.com/"), "bad bad", True),
        (None, "", False),
        (None, None, False),
        ("", None, False),
        (None, "https://example.com/", True),
        (to_url("not a URL"), "not a URL", False),
        (to_url("not a URL"), "https://example.com/", True),
        (parse("ftp://example.com/"), "ftp:example.com", False),
    ],
)
def test_another_spelling_is_no_change(initial: Any, data: str | None, changed: bool) -> None:
    """A different URL is a change, and so is text that is not a URL."""
    assert forms.CanonicalURLField().has_changed(initial, data) is changed


def test_the_widget_lets_people_leave_out_the_scheme() -> None:
    """Browsers would not submit such text from an <input type="url">."""
    html = str(LinkForm()["url"])
    assert 'type="text"' in html
    assert 'inputmode="url"' in html


def test_the_widget_cuts_nothing_off() -> None:
    """A browser cuts pasted text at maxlength without a word, which makes another URL of it."""
    html = str(forms.CanonicalURLField(min_length=5).widget_attrs(django_forms.TextInput()))
    assert "length" not in html
    assert "length" not in str(LinkForm()["url"])


def test_a_localized_field_shows_a_record_as_its_href() -> None:
    """Django would format a number."""

    class LocalizedForm(django_forms.Form):
        url = forms.CanonicalURLField(localize=True, initial=parse("https://l.example/1000"))

    assert 'value="https://l.example/1000"' in str(LocalizedForm())


class FancyInput(django_forms.TextInput):
    """A widget of one's own."""


class FancyField(forms.CanonicalURLField):
    """A field with a widget of its own."""

    widget = FancyInput


@pytest.mark.parametrize("scheme", ["https", None])
def test_a_widget_of_a_subclass_is_kept(scheme: str | None) -> None:
    """The assumed scheme does not matter."""
    widget: object = FancyField(assume_scheme=scheme).widget
    assert isinstance(widget, FancyInput)


def test_the_widget_is_a_url_input_when_a_scheme_is_needed() -> None:
    """The browser may then tell people first."""
    field = forms.CanonicalURLField(assume_scheme=None)
    assert field.widget.input_type == "url"


def test_a_widget_of_ones_own_keeps_its_attributes() -> None:
    """The field only adds what is missing, and nothing to a hidden one."""
    widget = django_forms.URLInput({"inputmode": "text", "maxlength": "9", "class": "wide"})
    field = forms.CanonicalURLField(widget=widget)
    assert field.widget.attrs == {
        "inputmode": "text",
        "maxlength": "9",
        "class": "wide",
        "dir": "ltr",
        "autocapitalize": "none",
        "spellcheck": "false",
    }
    hidden = forms.CanonicalURLField(widget=django_forms.HiddenInput)
    assert hidden.widget.attrs == {}


@pytest.mark.parametrize(
    ("make", "texts"),
    [
        (forms.CanonicalURLField, ["https://", "ftp://a/", "me@example.com", "exa mple.com"]),
        (forms.CanonicalURLTextField, ["https://", "ftp://a/", "n.a."]),
        (forms.ExactURLField, ["https://", "ftp://a/", "a"]),
        (forms.URLReferenceField, ["//evil.example", "a/b", "ftp://a/"]),
        (forms.HostField, ["exa mple"]),
    ],
)
def test_one_message_for_every_error(make: Any, texts: list[str]) -> None:
    """The codes do not change. It does not replace the messages for empty and for long text."""
    plain, own = make(), make(error_messages={"invalid": "No.", "host-missing": "Which?"})
    for text in texts:
        with pytest.raises(ValidationError) as expected:
            plain.clean(text)
        with pytest.raises(ValidationError) as caught:
            own.clean(text)
        codes = [error.code for error in caught.value.error_list]
        assert codes == [error.code for error in expected.value.error_list]
        wanted = "Which?" if codes == ["host-missing"] else "No."
        assert caught.value.messages == [wanted] != expected.value.messages
    for text in ("", "https://example.com/" + "a" * 3000):
        with pytest.raises(ValidationError) as caught:
            own.clean(text)
        assert caught.value.messages[0] not in ("No.", "Which?")


def test_the_message_of_a_model_field_is_that_of_its_form() -> None:
    """The migration has only what was given."""
    for make in (fields.CanonicalURLField, fields.ExactURLField, fields.URLReferenceField):
        field: Any = make(error_messages={"invalid": "No."})
        for clean in (lambda text, field=field: field.clean(text, None), field.formfield().clean):
            with pytest.raises(ValidationError, match=r"No\."):
                clean("ftp://example.com/")
        assert field.deconstruct()[3]["error_messages"] == {"invalid": "No."}
        with pytest.raises(ValidationError, match="null"):
            field.clean(None, None)


def test_an_exact_url_may_have_an_assumed_scheme() -> None:
    """This must be requested, and the rest of the text is not changed."""
    field = forms.ExactURLField(assume_scheme="https")
    assert field.clean(" Example.com/A b ") == "https://Example.com/A b"
    assert field.clean("HTTP://Example.com") == "HTTP://Example.com"
    assert not field.has_changed("https://Example.com", "Example.com")
    for text, code in (("me@example.com", "email-address"), ("x" * 9999, "max_length")):
        with pytest.raises(ValidationError) as caught:
            field.clean(text)
        assert caught.value.error_list[0].code == code
    with pytest.raises(ValidationError):
        forms.ExactURLField().clean("example.com")
    with pytest.raises(ValueError, match="scheme"):
        forms.ExactURLField(assume_scheme="a b")


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("https://localhost/", "special-use-name", "“localhost” is a name in a private network."),
        ("https://wiki/", "single-label", "Check it for missing parts, as in “wiki.com”."),
        ("https://a,com", "single-label", "“a,com” contains a comma. Write a dot in its place."),
        ("https:/example.com", "readers-disagree", "followed by a colon and two slashes"),
        ("https:\\\\example.com", "readers-disagree", "no more and no fewer"),
        ("https://1.2.3/", "ip-host", "“1.2.0.3” is an IP address."),
        ("https://[::1]/", "ip-host", "“[::1]” is an IP address."),
        ("https://example..com/", "unresolvable-name", "It has a part that is empty"),
        ("https://metadata.google.internal/", "special-use-name", "private network"),
    ],
)
@pytest.mark.parametrize("kind", [forms.CanonicalURLField, forms.ExactURLField])
def test_one_mistake_that_breaks_several_rules_has_one_message(
    kind: Any, text: str, code: str, message: str
) -> None:
    """The one that says what to do."""
    with pytest.raises(ValidationError) as caught:
        kind(policy=URLPolicy.webhook()).clean(text)
    (error,) = caught.value.error_list
    assert error.code == code
    assert message in error.messages[0]


def test_several_mistakes_have_several_messages() -> None:
    """One for each part of the URL."""
    with pytest.raises(ValidationError) as caught:
        forms.CanonicalURLField(policy=URLPolicy.webhook()).clean("https://u:p@localhost:1/")
    codes = [error.code for error in caught.value.error_list]
    assert codes == ["credentials-not-allowed", "special-use-name", "port-not-allowed"]
