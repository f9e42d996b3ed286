"""Tests of the translations: the catalogues are well-formed, and people read them."""

from __future__ import annotations

import gettext
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import polib
import pytest
from django import forms
from django.core.exceptions import ValidationError
from django.template import Context, Template
from django.test import override_settings
from django.utils.translation import gettext as translated
from django.utils.translation import override

import weburl
from catalogues import catalogues, messages_in_the_source, unfinished
from django_whatwg_url.forms import CanonicalURLField
from django_whatwg_url.rules.messages import alternatives, sentences
from django_whatwg_url.validators import (
    CanonicalMaxLengthValidator,
    URLPolicyValidator,
    validate_url_pattern,
)
from weburl import URLPolicy

APP: Final = Path(__file__).parents[2] / "django_whatwg_url"
DOCS: Final = Path(__file__).parents[2] / "docs"

# The languages by their codes in Django, with how each quotes "a".
QUOTED: Final = {
    "de": "„a“",
    "es": "«a»",
    "fr": "«\N{NO-BREAK SPACE}a\N{NO-BREAK SPACE}»",
    "ja": "「a」",
    "pt": "“a”",
    "zh-hans": "“a”",
}
LOCALES: Final = {"zh-hans": "zh_Hans"}
PLACEHOLDER: Final = re.compile(r"%\([a-z_]+\)[a-z]")
QUOTATION_MARKS: Final = frozenset("“”„«»「」『』\"'‘")


class PagesForm(forms.Form):
    """A URL."""

    url = CanonicalURLField()


languages = pytest.mark.parametrize("language", sorted(QUOTED))


def catalogue(language: str) -> Path:
    """Return the path of a language's messages, which translators edit."""
    return APP / "locale" / LOCALES.get(language, language) / "LC_MESSAGES" / "django.po"


def entries(language: str) -> dict[str, polib.POEntry]:
    """Return the messages that a language has, by what they translate."""
    po = polib.pofile(str(catalogue(language)))
    return {entry.msgid: entry for entry in po.translated_entries()}


def translations(entry: polib.POEntry) -> list[str]:
    """Return the texts of a message: one, or one for each form of the plural."""
    return list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]


def refusal(field: CanonicalURLField, text: str) -> str:
    """Return what a person is told who types ``text``."""
    with pytest.raises(ValidationError) as caught:
        field.clean(text)
    return " ".join(caught.value.messages)


def test_the_catalogues_are_those_of_the_languages() -> None:
    """Each with its source and compiled, and the page names them all."""
    found = {path.parent.name for path in (APP / "locale").glob("*/LC_MESSAGES")}
    assert found == {LOCALES.get(language, language) for language in QUOTED}
    for language in QUOTED:
        assert catalogue(language).with_suffix(".mo").is_file()
    listed = (DOCS / "forms.md").read_text(encoding="utf-8").partition("There are German")[2]
    rows = re.findall(r" `([\w-]+)`[,. ]", listed.partition("In other languages")[0])
    assert sorted(rows) == sorted(QUOTED)


@languages
def test_every_message_of_the_source_is_translated(language: str) -> None:
    """A page would mix two languages otherwise."""
    po = polib.pofile(str(catalogue(language)))
    assert list(unfinished(po, messages_in_the_source())) == []


@languages
def test_a_translation_has_every_form_of_the_plural(language: str) -> None:
    """No message has an uncertain translation."""
    po = polib.pofile(str(catalogue(language)))
    assert not po.metadata_is_fuzzy
    forms = re.search(r"nplurals=([0-9])", po.metadata["Plural-Forms"])
    assert forms is not None
    assert len(entries(language)) >= 60
    for entry in po.translated_entries():
        assert len(translations(entry)) == (int(forms[1]) if entry.msgid_plural else 1)
        assert all(translations(entry))


def test_a_message_that_is_not_translated_keeps_a_release_back() -> None:
    """As one that is missing, uncertain or left over does; and nothing else."""
    po = polib.POFile()
    for message, translation, flags in (
        ("whole", "ganz", []),
        ("empty", "", []),
        ("fuzzy", "ungefähr", ["fuzzy"]),
        ("old", "alt", []),
    ):
        po.append(polib.POEntry(msgid=message, msgstr=translation, flags=flags))
    po.append(polib.POEntry(msgid="gone", msgstr="weg", obsolete=True))
    source = dict.fromkeys(["whole", "empty", "fuzzy", "new"], "")
    assert list(unfinished(po, source)) == [
        "not translated: empty",
        "uncertain (fuzzy): fuzzy",
        "not in the catalogue: new",
        "no longer in the source: old",
        "obsolete: gone",
    ]


def test_the_messages_of_the_source_are_found() -> None:
    """They include plurals, and each catalogue has its path."""
    source = messages_in_the_source()
    assert len(source) >= 68
    assert sum(map(bool, source.values())) >= 1
    assert catalogues() == sorted(map(catalogue, QUOTED))


@languages
def test_translations_keep_the_placeholders(language: str) -> None:
    """Each the same as often, with no other percent sign."""
    for msgid, entry in entries(language).items():
        for text in translations(entry):
            assert sorted(PLACEHOLDER.findall(text)) == sorted(PLACEHOLDER.findall(msgid)), msgid
            assert "%" not in PLACEHOLDER.sub("", text), msgid


@languages
def test_translations_quote_as_their_language_does(language: str) -> None:
    """The marks are in pairs, and wherever the original has them."""
    begin, end = QUOTED[language].split("a")
    for msgid, entry in entries(language).items():
        for text in translations(entry):
            assert text.count(begin) == text.count(end) == msgid.count("“"), msgid
            rest = text.replace(begin, "").replace(end, "")
            assert QUOTATION_MARKS.isdisjoint(rest), msgid


@languages
def test_the_compiled_catalogue_says_what_its_source_says(language: str) -> None:
    """`make messages` was run after the last change."""
    with catalogue(language).with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    expected: dict[object, str] = {}
    for msgid, entry in entries(language).items():
        if entry.msgid_plural:
            for number, text in entry.msgstr_plural.items():
                expected[msgid, number] = text
        else:
            expected[msgid] = entry.msgstr
    held = dict(compiled._catalog)  # type: ignore[attr-defined]
    held.pop("")
    assert held == expected


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("de", "Der Port „99999“ ist zu groß."),
        ("es", "El puerto «99999» es demasiado grande."),
        ("fr", "Le port «\N{NO-BREAK SPACE}99999\N{NO-BREAK SPACE}» est trop grand."),
        ("ja", "ポート「99999」は大きすぎます。"),
        ("pt", "A porta “99999” é demasiado grande."),
        ("zh-hans", "端口“99999”太大。"),
    ],
)
def test_a_form_speaks_the_language_of_its_reader(language: str, message: str) -> None:
    """The language may be one of a region."""
    field = CanonicalURLField()
    with override(language):
        assert refusal(field, "https://example.com:99999").startswith(message)
    regional = {"de": "de-at", "fr": "fr-ca", "es": "es-mx", "pt": "pt-br"}.get(language, language)
    with override(regional):
        assert refusal(field, "https://example.com:99999").startswith(message)
    with override("en"):
        assert refusal(field, "https://example.com:99999").startswith("The port “99999”")


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("de", "Beginnen Sie mit „ftp:“, „http:“ oder „https:“."),
        ("es", "Empiece con «ftp:», «http:» o «https:»."),
        ("fr", "Commencez par « ftp: », « http: » ou « https: »."),
        ("ja", "「ftp:」、「http:」または「https:」で始めてください。"),
        ("pt", "Comece com “ftp:”, “http:” ou “https:”."),
        ("zh-hans", "请以“ftp:”、“http:”或“https:”开头。"),
    ],
)
def test_a_list_is_joined_and_quoted_by_language(language: str, message: str) -> None:
    """With our own "or", without the spaces that Japanese and Chinese do not have."""
    field = CanonicalURLField(schemes=["ftp", "http", "https"])
    with override(language):
        said = refusal(field, "mailto:a@example.com").replace("\N{NO-BREAK SPACE}", " ")
    assert said.endswith(message)


@pytest.mark.parametrize("language", ["ar", "he", "ru"])
def test_a_message_that_is_not_translated_is_all_english(language: str) -> None:
    """Django has its own "or" and comma in languages that our catalogues do not have."""
    field = CanonicalURLField(schemes=["ftp", "http", "https"])
    with override(language):
        assert translated("or") != "or"
        said = refusal(field, "mailto:a@example.com")
    assert said.endswith("Begin with “ftp:”, “http:” or “https:”.")


@pytest.mark.parametrize("language", ["ar", "he"])
def test_english_errors_keep_their_direction_on_a_page_from_right_to_left(language: str) -> None:
    """The full stop is at the end, and both quotation marks are around the text."""
    form = PagesForm({"url": "exa mple.com"}, auto_id="id_%s")
    with override(language):
        html = str(form)
        shown = "<bdi>“exa mple.com” contains a space. Remove it.</bdi>"
        assert shown in html and html.count("<bdi>") == 1
        assert 'aria-describedby="id_url_error"' in html and 'id="id_url_error"' in html
        assert form.errors["url"] == ["“exa mple.com” contains a space. Remove it."]
    assert "<bdi>" not in str(PagesForm({"url": "exa mple.com"}))


def test_sentences_are_joined_by_language() -> None:
    """Japanese and Chinese have no space between two of them."""
    for language, joined in (("en", "A. B. C."), ("ja", "A.B.C."), ("zh-hans", "A.B.C.")):
        with override(language):
            assert sentences(["A.", "B.", "C."]) == joined


def test_the_error_of_a_pattern_is_in_one_language() -> None:
    """The reason is in English, so other languages say only where the pattern is wrong."""
    for text, place, reason in (
        ("https://example.com/:", ":", "This is not a URL pattern: In the pathname: "),
        ("https://u:secret(@example.com/", "***", "This is not a URL pattern: "),
    ):
        with override("de"), pytest.raises(ValidationError) as caught:
            validate_url_pattern(text)
        (german,) = caught.value.messages
        assert german.startswith("Dies ist kein URL-Muster. Prüfen Sie es bei „")
        assert place in german and "secret" not in german and "Expected" not in german
        with pytest.raises(ValidationError) as caught:
            validate_url_pattern(text)
        (english,) = caught.value.messages
        assert english.startswith(reason) and "secret" not in english


_JAPANESE = "[\u3001-\u30ff\u4e00-\u9fff\uff01-\uff5e]"


def test_japanese_has_no_spaces() -> None:
    """There is none beside Latin letters and numbers, nor after a colon."""
    for msgid, entry in entries("ja").items():
        for text in translations(entry):
            assert not re.search(f"{_JAPANESE} | {_JAPANESE}", text), msgid


def test_chinese_has_spaces_only_beside_latin_letters() -> None:
    """There is none beside its own punctuation."""
    for msgid, entry in entries("zh-hans").items():
        for text in translations(entry):
            assert not re.search(
                "[\u3001-\u303f\uff01-\uff5e] | [\u3001-\u303f\uff01-\uff5e“”]|” [“”]", text
            ), msgid


def test_portuguese_is_that_of_portugal() -> None:
    """As Django's "pt" is; "pt-br" falls back to it."""
    said = " ".join(text for entry in entries("pt").values() for text in translations(entry))
    of_brazil = r"caractere\b|colchete|usuário|senha|registr[áo]vel|canônic|arquivo|aceitos|tela\b"
    assert not re.findall(of_brazil, said)
    assert not re.findall(r"\b(?:esta|uma|a|da|na|à) URL", said, re.IGNORECASE)  # o URL


@languages
def test_the_hosts_and_ports_of_a_policy_are_listed_by_language(language: str) -> None:
    """They came with English commas and without marks."""
    policy = URLPolicy(hosts=["a.example", "b.example"], ports=[80, 443])
    with override(language):
        with pytest.raises(ValidationError) as caught:
            URLPolicyValidator(policy)("https://c.example:81/")
        of_host, of_port = caught.value.messages
        assert alternatives(["a.example", "b.example"]) in of_host
        assert alternatives(map(str, policy.ports or ())) in of_port


def test_a_long_list_of_hosts_quotes_only_hosts() -> None:
    """It is cut in its middle, where the halves of two hosts were joined to a third."""
    policy = URLPolicy(hosts=[f"{number}.example" for number in range(100, 200)])
    with override("de"), pytest.raises(ValidationError) as caught:
        URLPolicyValidator(policy)("https://example.com/")
    with override("de"):
        (message,) = caught.value.messages
    quoted = re.findall("„(.+?)“", message)
    assert "…" in quoted
    assert {*quoted} - {"…", "example.com"} < {*(policy.hosts or ())}


def test_a_policy_that_allows_nothing_says_so() -> None:
    """The word came from the part that knows no languages."""
    validator = URLPolicyValidator(URLPolicy(ports=[80]) & URLPolicy(ports=[443]))
    for language, word in (("en", "none"), ("de", "nichts"), ("ja", "なし")):
        with override(language), pytest.raises(ValidationError) as caught:
            validator("https://example.com/")
        with override(language):
            assert word in caught.value.messages[0]


@pytest.mark.parametrize(
    ("language", "limit", "words"),
    [
        ("en", 1, "at most 1 character, but has 20."),
        ("en", 2, "at most 2 characters, but has 20."),
        ("de", 1, "höchstens 1 Zeichen haben, hat aber 20."),
        ("es", 1, "1 carácter, pero tiene 20."),
        ("es", 2, "2 caracteres, pero tiene 20."),
        ("fr", 1, "1 caractère, mais elle en a 20."),
        ("fr", 2, "2 caractères, mais elle en a 20."),
        ("ja", 2, "2文字以下でなければなりませんが、20文字あります。"),
        ("pt", 1, "1 carácter, mas tem 20."),
        ("pt", 2, "2 caracteres, mas tem 20."),
        ("zh-hans", 2, "最多只能有 2 个字符，但现在有 20 个。"),
    ],
)
def test_a_length_is_counted_by_language(language: str, limit: int, words: str) -> None:
    """Policies and the validator of lengths do this."""
    url = weburl.parse("https://example.com/")
    for validator in (
        CanonicalMaxLengthValidator(limit),
        URLPolicyValidator(URLPolicy(max_length=limit)),
    ):
        with override(language):
            with pytest.raises(ValidationError) as caught:
                validator(url)
            assert words in caught.value.messages[0]


def test_spanish_millions_are_of_characters() -> None:
    """The third form of its plural."""
    error = ValidationError(
        CanonicalMaxLengthValidator.message, params={"limit_value": 10**6, "show_value": 10**6 + 1}
    )
    with override("es"):
        assert "1000000 de caracteres" in error.messages[0]


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_project_has_the_last_word(language: str, tmp_path: Path) -> None:
    """A catalogue in LOCALE_PATHS replaces a message, as the page says."""
    directory = tmp_path / language / "LC_MESSAGES"
    directory.mkdir(parents=True)
    own = polib.POFile()
    own.metadata = {"Content-Type": "text/plain; charset=UTF-8"}
    own.append(
        polib.POEntry(msgid="The URL contains a backslash. Write “/” in its place.", msgstr="!")
    )
    own.save_as_mofile(str(directory / "django.mo"))
    field = CanonicalURLField(strictness="valid")
    with override(language):
        before = refusal(field, "https://example.com/a\\b")
    with override_settings(LOCALE_PATHS=[tmp_path]), override(language):
        assert before != "!"
        assert refusal(field, "https://example.com/a\\b") == "!"


@pytest.mark.parametrize(("default", "language"), [("de", "it"), ("en", "it"), ("de", "en-gb")])
def test_other_languages_are_shown_the_default_one(default: str, language: str) -> None:
    """This is LANGUAGE_CODE, except that English is always English."""
    shown = "Der Port" if (default, language) == ("de", "it") else "The port"
    # LOCALE_PATHS makes Django forget what it has read, before and after.
    with override_settings(LANGUAGE_CODE=default, LOCALE_PATHS=[]), override(language):
        assert refusal(CanonicalURLField(), "https://example.com:99999").startswith(shown)


@languages
def test_words_of_the_admin_are_left_to_django(language: str) -> None:
    """A project may have other words for "All"; ours would take their place."""
    assert {"All", "Currently:", "Change:", "or"}.isdisjoint(entries(language))
    with override(language):
        assert Template("{% load i18n %}{% translate 'All' %}").render(Context()) != "All"


def held(catalogue: Path) -> tuple[object, ...]:
    """Return what a catalogue holds for the messages of the source, apart from its dates."""
    po = polib.pofile(str(catalogue))
    metadata = {key: value for key, value in po.metadata.items() if not key.endswith("-Date")}
    source = messages_in_the_source()
    entries = [str(entry) for entry in po.translated_entries() if entry.msgid in source]
    return po.header, metadata, entries


@pytest.mark.skipif(
    not all(map(shutil.which, ("xgettext", "msgmerge", "msgattrib", "msguniq"))),
    reason="makemessages needs the programs of GNU gettext, and they are not installed",
)
def test_makemessages_keeps_what_is_translated(tmp_path: Path) -> None:
    """It runs on a copy of the app, as in `make messages`."""
    copy = tmp_path / "django_whatwg_url"
    shutil.copytree(APP, copy, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(
        [
            sys.executable,
            "-m",
            "django",
            "makemessages",
            "--all",
            "--no-location",
            "--no-wrap",
            "--no-obsolete",
        ],
        cwd=copy,
        env={k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"},
        check=True,
        capture_output=True,
    )
    for language in QUOTED:
        after = copy / catalogue(language).relative_to(APP)
        assert held(after) == held(catalogue(language))
    assert {path.relative_to(copy) for path in copy.rglob("*.po")} == {
        path.relative_to(APP) for path in APP.rglob("*.po")
    }
