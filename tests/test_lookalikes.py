"""Tests of `weburl.lookalikes`: why a host may mislead, and which name it looks like."""

from __future__ import annotations

import pickle
from functools import partial
from timeit import timeit
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import weburl
from weburl.lookalikes import (
    DEFAULT_KINDS,
    Kind,
    Likeness,
    ProtectedNames,
    Reason,
    Suspicion,
    suspicions,
)

OWN = ProtectedNames(
    [
        "paypal.com",
        "apple.com",
        "turn.com",
        "wikipedia.org",
        "straße.de",
        "bbc.co.uk",
        "my-bank.com",
    ]
)


def host_of(text: str) -> weburl.Host:
    """Return the host of a URL of the web."""
    host = weburl.parse(f"https://{text}/").host
    assert host is not None
    return host


@pytest.mark.parametrize(
    ("host", "reason", "characters", "reads_as"),
    [
        ("pаypal.com", Reason.MIXED_SCRIPTS, "а", "paypal"),
        ("аррӏе.com", Reason.READS_AS_LATIN, "", "apple"),
        ("12з4567890.com", Reason.READS_AS_LATIN, "", "1234567890"),
        ("paypaı.com", Reason.FOREIGN_LETTER, "ı", "paypai"),
        ("க்\u200dஷ.in", Reason.INVISIBLE, "\u200d", ""),
        ("ห1१.com", Reason.MIXED_DIGITS, "1१", ""),
        ("รี่่.th", Reason.MISPLACED_MARK, "่", ""),
        ("google十com.com", Reason.LIKE_A_DELIMITER, "十", ""),
        ("example\u2010login.com", Reason.LIKE_A_DELIMITER, "\u2010", "example-login"),
        ("グ一グル.jp", Reason.MISPLACED_KANA, "一", ""),
        ("♥love.com", Reason.UNUSUAL, "♥", ""),
        ("straße.de", Reason.DEVIATION, "ß", "strasse"),
        ("ස්\u200dරී.lk", Reason.JOINER, "\u200d", ""),
    ],
)
def test_a_label_has_a_reason(host: str, reason: Reason, characters: str, reads_as: str) -> None:
    """It names the characters, and what the label looks like in ASCII."""
    found = {suspicion.reason: suspicion for suspicion in suspicions(host)}
    label = str(host_of(host)).partition(".")[0]
    assert found[reason] == Suspicion(reason, label, characters, reads_as)


@pytest.mark.parametrize(
    "host",
    [
        *("example.com", "127.0.0.1", "[::1]", "localhost", "москва.ru", "հայաստան.am", "ικα.gr"),
        *("१२३.in", "курс.com", "l·l.cat", "аррӏе.рф", "bücher.example", "日本語.jp"),
        *("pay\u200bpal.com", "ｐａｙｐａｌ.com"),
    ],
)
def test_most_hosts_have_none(host: str) -> None:
    """Words at home, and characters that the parser removes or replaces, leave nothing to see."""
    assert suspicions(host) == suspicions(host_of(host)) == ()


@pytest.mark.parametrize("host", ["ස්\u200dරී.lk", "نامه\u200cای.ir", "straße.de", "ελλάς.gr"])
def test_what_the_spelling_needs_is_information(host: str) -> None:
    """It is shown, and the reason is no warning."""
    (found,) = suspicions(host)
    assert not found.reason.is_warning
    assert "xn--" not in weburl.render(f"https://{host}/", isolate=True)


def test_each_label_has_its_own_reasons() -> None:
    """They come in the order of the labels."""
    labels = [found.label for found in suspicions("аррӏе.gооgle.example")]
    assert labels == ["xn--80ak6aa92e", "xn--ggle-55da"]


def test_a_label_without_a_decoded_form_is_not_trusted() -> None:
    """A host made by hand may contain one, and a long host is not decoded."""
    made = weburl.Domain("xn--a.example")
    assert suspicions(made) == (Suspicion(Reason.UNDECODABLE, "xn--a"),)
    label = "xn--bcher-kva"
    assert suspicions(".".join([label] * 20)) == (Suspicion(Reason.UNDECODABLE, label),) * 20


LETTERS = (
    "abcmnorqi019-\u00b7ßæəþıéạłɡ"
    "аеорсухіјӏѕкмшзйёαοιυρνλςօսոմաყჿბסוןא׳اهبیك\u0647\u064eकषिि्१ස්රී"
    "一二口日本十ノーカ・ひ한ทนกี่་ལྷ\u200c\u200d♥\u2010ǃ\u0301\u0323"
)  # fmt: skip
TOPS = st.sampled_from(["com", "ru", "gr", "in", "jp", "cat", "ir", "az", "is", "рф", "ελ", "한국"])


@given(st.lists(st.text(LETTERS, min_size=1, max_size=6), min_size=1, max_size=3), TOPS)
def test_a_label_is_shown_in_unicode_exactly_if_there_is_no_warning(
    labels: list[str], top: str
) -> None:
    """`render` and `suspicions` have one source."""
    try:
        record = weburl.parse(f"https://{'.'.join([*labels, top])}/")
    except weburl.URLParseError:
        return
    host = record.host
    assert host is not None
    shown = weburl.render(record, only="host", isolate=True)
    for isolate in "\u2066\u2068\u2069":
        shown = shown.replace(isolate, "")
    warned = {found.label for found in suspicions(host) if found.reason.is_warning}
    for label, shown_label in zip(str(host).split("."), shown.split("."), strict=True):
        if label.startswith("xn--"):
            assert (shown_label == label) == (label in warned)
        else:
            assert shown_label == label not in warned


@pytest.mark.parametrize(
    ("host", "kind", "name", "label"),
    [
        ("paypa1.com", Kind.SAME_LOOK, "paypal.com", "paypa1"),
        ("аррӏе.рф", Kind.SAME_LOOK, "apple.com", "xn--80ak6aa92e"),
        ("login.paypạl.com.", Kind.NEAR_LOOK, "paypal.com", "xn--paypl-m11b"),
        ("pay-pal.org", Kind.NEAR_LOOK, "paypal.com", "pay-pal"),
        ("strasse.de", Kind.NEAR_LOOK, "xn--strae-oqa.de", "strasse"),
        ("paypal.com-login.example", Kind.BEFORE_DOMAIN, "paypal.com", "paypal"),
        ("paypal-com.evil.example", Kind.BEFORE_DOMAIN, "paypal.com", "paypal-com"),
        ("paypal-com.example", Kind.BEFORE_DOMAIN, "paypal.com", "paypal-com"),
        ("www.bbc.co.uk.evil.example", Kind.BEFORE_DOMAIN, "bbc.co.uk", "bbc"),
        ("my-bank.com.evil.example", Kind.BEFORE_DOMAIN, "my-bank.com", "my-bank"),
        ("paypa1.com.evil.example", Kind.BEFORE_DOMAIN, "paypal.com", "paypa1"),
        ("payapl.com", Kind.ONE_EDIT, "paypal.com", "payapl"),
        ("paypl.com", Kind.ONE_EDIT, "paypal.com", "paypl"),
        ("wikimedia.org", Kind.ONE_EDIT, "wikipedia.org", "wikimedia"),
        ("paypal.com.au", Kind.OTHER_SUFFIX, "paypal.com", "paypal"),
        ("mypaypal.example", Kind.ADDED_WORD, "paypal.com", "mypaypal"),
        ("login-paypal.example", Kind.ADDED_WORD, "paypal.com", "login-paypal"),
        ("the-bbc-news.example", None, "", ""),
    ],
)
def test_a_host_looks_like_a_name(host: str, kind: Kind | None, name: str, label: str) -> None:
    """Kinds that are often wrong are found only on request."""
    expected = None if kind is None else Likeness(kind, name, label)
    assert OWN.looks_like(host, kinds=list(Kind)) == expected
    assert OWN.looks_like(host_of(host)) == (expected if kind in DEFAULT_KINDS else None)


@pytest.mark.parametrize(
    "host",
    [
        *("paypal.com", "paypal.com.", "www.paypal.com", "a.b.my-bank.com", "straße.de"),
        *("tum.de", "com", "x", "127.0.0.1", "[::1]", "paypal..com", "example.com", "paypal"),
        "a." * 200 + "com",
    ],
)
def test_a_host_that_is_protected_or_unlike_looks_like_none(host: str) -> None:
    """A short label must have the same suffix, too."""
    assert OWN.looks_like(host, kinds=list(Kind)) is None


def test_a_short_name_is_recognised_under_its_own_suffix() -> None:
    """So "hrn.com" looks like "hm.com", and "hrn.de" does not."""
    names = ProtectedNames(["hm.com"])
    assert names.looks_like("hrn.com") == Likeness(Kind.SAME_LOOK, "hm.com", "hrn")
    assert names.looks_like("hrn.de") is None


def test_an_own_site_is_not_compared_once_it_is_listed() -> None:
    """That is how to say that a similar name is one's own."""
    names = ProtectedNames(["wikipedia.org", "wikimedia.org"])
    assert names.looks_like("commons.wikimedia.org", kinds=[Kind.ONE_EDIT]) is None


def test_protected_names_are_a_value() -> None:
    """They are equal by their registrable domains, hashable and frozen, and can be pickled."""
    names = ProtectedNames(["www.Bücher.example", "a.github.io", "a.github.io."])
    assert names.names == ("a.github.io", "xn--bcher-kva.example")
    same = ProtectedNames(reversed(names.names))
    assert same == names and hash(same) == hash(names)
    names.looks_like("bucher.example", kinds=list(Kind))
    copy = pickle.loads(pickle.dumps(names))
    assert copy == names and copy.looks_like("bucher.example") is not None
    assert len(pickle.dumps(names)) < 300
    with pytest.raises(AttributeError):
        names.names = ()  # type: ignore[misc]


@pytest.mark.parametrize(
    ("names", "error"),
    [
        ("paypal.com", TypeError),
        ([1], TypeError),
        ([""], ValueError),
        (["127.0.0.1"], ValueError),
        (["a b"], ValueError),
        (["https://paypal.com/"], ValueError),
    ],
)
def test_what_is_not_a_name_is_refused(names: Any, error: type[Exception]) -> None:
    """The message says what it was."""
    with pytest.raises(error, match="name"):
        ProtectedNames(names)


@pytest.mark.parametrize("look", [suspicions, OWN.looks_like])
def test_what_is_not_a_host_is_refused(look: Any) -> None:
    """A URL is not a host, and its password is not shown."""
    with pytest.raises(ValueError, match="not a host") as caught:
        look("https://u:S3cr3t@h/")
    assert "S3cr3t" not in str(caught.value)
    with pytest.raises(TypeError, match="URLRecord"):
        look(weburl.parse("https://h/"))


def test_a_kind_has_to_be_a_kind() -> None:
    """A misspelled one would find nothing."""
    with pytest.raises(ValueError, match="looks"):
        OWN.looks_like("h.example", kinds=["looks"])  # type: ignore[list-item]


def test_every_reason_has_a_sentence() -> None:
    """It is one sentence."""
    for reason in Reason:
        assert reason.sentence.endswith(".") and reason.sentence.count(".") == 1


@pytest.mark.nightly
def test_many_names_take_no_longer_than_few() -> None:
    """A comparison is a few look-ups, however many names there are."""
    few, many = (ProtectedNames(f"name{i}.example" for i in range(n)) for n in (20, 5000))
    host = host_of("www.pаypal.example")
    seconds = [
        min(timeit(partial(names.looks_like, host), number=200) for _ in range(5))
        for names in (few, many)
    ]
    assert seconds[1] / 200 < 100e-6
    assert seconds[1] < 3 * seconds[0]
