"""Character encodings from `meta` elements and XML declarations, by the standard's steps."""

from __future__ import annotations

import encodings

import pytest
from hypothesis import example, given

from tests.html import literal
from tests.strategies import joined
from weburl.html import extract_character_encoding_from_meta_element
from weburl.html.encodings import PRESCANNED, encoding_name, encoding_or_none, xml_encoding


@given(
    joined(
        ("charset", "CharSet", "char", "set", "=", "=", " ", "\t", "\f", "\x0b", "\xa0", "'", '"',
         ";", "utf-8", "latin1", "KOI8-R", "\u212aOI8-R", "x", "\ud800"),
        max_size=12,
    )
)  # fmt: skip
@example("charset='utf-8\"'")
def test_an_encoding_is_extracted_as_the_literal_steps_extract_it(content: str) -> None:
    """Words, signs, quotes and labels in every order."""
    expected = literal.extract_a_character_encoding(content)
    assert extract_character_encoding_from_meta_element(content) == expected


def test_a_label_that_names_no_encoding_is_an_error_or_none() -> None:
    """As the caller asks; what is not text is an error always."""
    assert encoding_or_none("utf8") == encoding_name("UTF8 ") == "utf-8"
    assert encoding_or_none("\xa0utf-8") is None
    with pytest.raises(ValueError, match="there is no encoding with the label"):
        encoding_name("utf-7")
    with pytest.raises(TypeError):
        encoding_name(b"utf-8")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("label", "hint"),
    [
        ("latin-1", "iso8859-1"),
        ("utf_8", "utf-8"),
        ("windows-125", "windows-125."),
        ("euc_jp", "euc"),
    ],
)
def test_a_label_that_is_nearly_right_names_the_nearest(label: str, hint: str) -> None:
    """Python's codecs have other names."""
    with pytest.raises(ValueError, match=f"'{label}'; the nearest is '{hint}") as caught:
        encoding_name(label)
    assert encoding_or_none(str(caught.value).split("'")[-2]) is not None


@pytest.mark.parametrize("label", ["", "\0", "\ud800", "user:pw@h", "é", "?" * 30, "x" * 1_000_000])
def test_any_text_may_be_asked_for(label: str) -> None:
    """The message shows no password, and is short."""
    with pytest.raises(ValueError, match="there is no encoding with the label") as caught:
        encoding_name(label)
    assert "pw" not in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("html", "encoding"),
    [
        (b"<?xml version='1.0' encoding='Big5'?><p>", "big5"),
        (b'<?xml encoding\0= \n"latin1">', "windows-1252"),
        (b"<?xmlencoding='gbk'>", "gbk"),
        (b"<?xml encoding='utf-16'?>", "utf-8"),
        (b"<?xml encoding='x-user-defined'?>", "x-user-defined"),
        (b"<?xml encoding='gbk'" + b" " * PRESCANNED + b"?>", None),
        (b"<?xml encoding='gbk'", None),
        (b"<?xml /> encoding='gbk'>", None),
        (b"<?xml encoding encoding='gbk'?>", None),
        (b"<?xml encoding=gbk?>", None),
        (b"<?xml encoding='gbk\"?>", None),
        (b"<?xml encoding=' gbk'?>", None),
        (b"<?xml encoding=''?>", None),
        (b"<?xml encoding='\xe9'?>", None),
        (b"<?XML encoding='gbk'?>", None),
        (b"\n<?xml encoding='gbk'?>", None),
        (b"", None),
    ],
)
def test_an_xml_declaration_names_an_encoding_in_html_too(
    html: bytes, encoding: str | None
) -> None:
    """At the very start, within quotation marks, before its end; the first "encoding" counts."""
    assert xml_encoding(html) == encoding


def test_labels_that_no_encoding_has_are_not_kept() -> None:
    """Python's `codecs.lookup` keeps them all, and a page chooses what its label is."""
    before = len(vars(encodings)["_cache"])
    for number in range(100):
        assert extract_character_encoding_from_meta_element(f"charset=no-{number}") is None
    assert len(vars(encodings)["_cache"]) == before
