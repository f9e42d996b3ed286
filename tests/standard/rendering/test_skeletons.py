"""Compares the table of confusable characters with Unicode's file, and tests skeletons."""

from __future__ import annotations

import zlib

import pytest

from tests.standard.rendering import confusables as making
from weburl.standard.infra import unicode_data
from weburl.standard.rendering.skeletons import near_skeleton, skeleton, without_accents

needs_the_file = pytest.mark.skipif(
    making.source() is None, reason="needs confusables.txt of UTS #39: see CONTRIBUTING.md"
)


@needs_the_file
def test_the_table_is_made_from_unicodes_file() -> None:
    """`make confusables` writes it."""
    path = making.source()
    assert path is not None
    assert making.TABLE.read_text(encoding="utf-8") == making.tables(path)
    assert len(making.prototypes(path)) == 3252


def test_the_table_is_small() -> None:
    """A wheel holds it compressed."""
    assert len(zlib.compress(making.TABLE.read_bytes())) < 16_000


@needs_the_file
def test_a_skeleton_is_that_of_uts_39_for_what_a_host_may_contain() -> None:
    """Lowercase prototypes change nothing: a host has no capitals."""
    path = making.source()
    assert path is not None
    for char, prototype in making.prototypes(path).items():
        assert skeleton(char) == unicode_data.normalize("NFD", prototype)


@pytest.mark.parametrize(
    ("one", "other"),
    [("paypal", "раураӏ"), ("paypal", "paypa1"), ("microsoft", "rnicrosoft"), ("google", "g00g1e")],
)
def test_labels_that_look_the_same_have_one_skeleton(one: str, other: str) -> None:
    """The whole label may be in another script."""
    assert skeleton(one) == skeleton(other) == skeleton(skeleton(one))


@pytest.mark.parametrize(
    "label",
    ["pаypạl", "pay-pal", "paỵpaI".lower(), "ρаypal", "ᴘaypal", "paypɑł", "payṗal", "paypàl"],
)
def test_labels_that_look_nearly_the_same_have_one_near_skeleton(label: str) -> None:
    """Marks, hyphens, small capitals and letters of other alphabets are all that differs."""
    assert near_skeleton(label) == near_skeleton("paypal")
    assert skeleton("paypal") == skeleton("paypal") != skeleton("paypals")


def test_near_skeletons_confuse_no_more_than_they_say() -> None:
    """Other pairs of letters stay apart."""
    assert near_skeleton("wikipedia") == near_skeleton("vvlkipecliа")
    assert near_skeleton("google") == near_skeleton("qooqle")
    labels = ["bank", "dank", "cat", "eat", "mat", "nat", "uat", "vat", "annex", "arnex"]
    assert len(set(map(near_skeleton, labels))) == len(labels)


def test_what_a_label_looks_like_keeps_its_ascii() -> None:
    """It is shown to people, so "1" stays "1"."""
    assert without_accents("pаypạ1-q") == "paypa1-q"
    assert without_accents("straße") == "strasse"
    assert without_accents("日本") == "日本"
