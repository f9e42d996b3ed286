"""Tests of `infra.encodings`, for labels, special rules and whole encoders."""

from __future__ import annotations

import hashlib
from collections import deque
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webencodings.labels import LABELS

from weburl.standard.infra.encodings import encode_or_fail, get_output_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator

# How many of the scalar values up to U+2FFFF encode, and the start of the SHA-256 of all of them
# encoded in order, the others as "&#n;": made by another implementation, which holds the standard's
# own indexes where this one derives them.
ENCODERS: Final = {
    "big5": (14781, "0319f7214cd1393d"),
    "euc-jp": (7520, "edd3baeb3f693a5b"),
    "euc-kr": (17176, "94d0d54f32854a9c"),
    "gb18030": (194559, "9099feedaa5acaf9"),
    "gbk": (24085, "dc3dbec8241cbc14"),
    "ibm866": (256, "76b921d54f366d30"),
    "iso-2022-jp": (7517, "b073a40e3c24f2b6"),
    "iso-8859-10": (256, "510bcff207905e6d"),
    "iso-8859-13": (256, "31e84233af595e9d"),
    "iso-8859-14": (256, "8ad7bb43121acf82"),
    "iso-8859-15": (256, "1a2e02c6b52cb045"),
    "iso-8859-16": (256, "ea868f385a9ef658"),
    "iso-8859-2": (256, "39159f044b504422"),
    "iso-8859-3": (249, "5c8ee05b185938da"),
    "iso-8859-4": (256, "ba84e0e02dca924b"),
    "iso-8859-5": (256, "aee89b4774812a1f"),
    "iso-8859-6": (211, "6efd39907f67d863"),
    "iso-8859-7": (253, "c06ec844109c4168"),
    "iso-8859-8": (220, "c3233c34056e9cb8"),
    "iso-8859-8-i": (220, "c3233c34056e9cb8"),
    "koi8-r": (256, "e7f07caaf486227f"),
    "koi8-u": (256, "31b3375beac6785b"),
    "macintosh": (256, "754190e97e868355"),
    "shift_jis": (7521, "528760e0794520bb"),
    "windows-1250": (256, "2d69bc326e6f7aa0"),
    "windows-1251": (256, "bd931380f652ddd7"),
    "windows-1252": (256, "baac0af72dae227f"),
    "windows-1253": (253, "52e96aa27f067d30"),
    "windows-1254": (256, "11b9428bd7f43c2f"),
    "windows-1255": (246, "172c1390740e0e9a"),
    "windows-1256": (256, "525f38ff48a9c9e8"),
    "windows-1257": (254, "ace964c77ebb6c97"),
    "windows-1258": (256, "90f145f949923e53"),
    "windows-874": (248, "e284c195fb90706a"),
    "x-mac-cyrillic": (256, "28fa5c06075a1591"),
    "x-user-defined": (256, "99a675996bc71f36"),
}
SCALAR_VALUES: Final = "".join(map(chr, [*range(0xD800), *range(0xE000, 0x30000)]))
STATELESS: Final = sorted(ENCODERS.keys() - {"iso-2022-jp"})

scalar_values = st.characters(codec="utf-8")
# Characters that switch ISO-2022-JP's state, fail in it, or are special somewhere.
telling = st.sampled_from(
    "aZ \\~\x0e\x0f\x1b\x80\u00a5\u203e\u2212\uff0d\uff71\uff9eあ漢€é\ue5e5\ue7c7💩"
)
texts = st.text(telling | scalar_values)


def encode(text: str, encoding: str) -> str:
    """Return the bytes in hexadecimal, with "&#n;" instead of each failure."""
    return "".join(
        run.hex() + ("" if failure is None else f"&#{failure};")
        for run, failure in encode_or_fail(text, encoding)
    )


# Labels


def test_a_label_gives_the_name_of_its_encoding() -> None:
    """As in the standard, "ascii" and "latin1" are windows-1252."""
    labels = ["utf8", "ascii", "latin1", "sjis", "ks_c_5601-1987", "x-x-big5", "gb2312", "logical"]
    assert [get_output_encoding(label) for label in labels] == [
        "utf-8",
        "windows-1252",
        "windows-1252",
        "shift_jis",
        "euc-kr",
        "big5",
        "gbk",
        "iso-8859-8-i",
    ]


def test_case_and_surrounding_ascii_whitespace_of_a_label_do_not_matter() -> None:
    """A label is trimmed of the five ASCII whitespace characters and lowercased."""
    assert get_output_encoding("\t\n\f\r Shift_JIS ") == "shift_jis"


@pytest.mark.parametrize("label", ["utf-16", "utf-16le", "utf-16be", "hz-gb-2312", "replacement"])
def test_an_encoding_that_only_decodes_gives_utf_8(label: str) -> None:
    """UTF-16 and replacement have no encoder."""
    assert get_output_encoding(label) == "utf-8"


@pytest.mark.parametrize(
    "label",
    ["", "klingon", "utf-7", "\u00a0utf-8", "\x0butf-8", "\u212aoi8-r", "\ud800", "utf-8\0"],
)
def test_an_unknown_label_is_refused(label: str) -> None:
    """Other whitespace is not trimmed, and the Kelvin sign is not a "k"."""
    with pytest.raises(ValueError, match="there is no encoding with the label"):
        get_output_encoding(label)


def test_an_unknown_encoding_is_refused_before_the_first_run() -> None:
    """The call itself raises the error, even without iteration."""
    with pytest.raises(ValueError, match="'klingon'"):
        encode_or_fail("text", "klingon")


def test_every_output_encoding_is_tested_here() -> None:
    """All 228 labels lead to UTF-8 or to one of the 36 encoders below."""
    assert len(LABELS) == 228
    assert {get_output_encoding(label) for label in LABELS} == ENCODERS.keys() | {"utf-8"}
    assert len(ENCODERS) == 36


# Runs


def test_a_run_ends_at_each_failure_and_at_the_end() -> None:
    """A run between failures may be empty. The last one has no failure."""
    assert list(encode_or_fail("aあい\u00e9b", "windows-1252")) == [
        (b"a", 0x3042),
        (b"", 0x3044),
        (b"\xe9b", None),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", *ENCODERS])
def test_empty_text_is_one_empty_run(encoding: str) -> None:
    """The last pair always has no failure."""
    assert list(encode_or_fail("", encoding)) == [(b"", None)]


def test_utf_8_encodes_every_scalar_value() -> None:
    """There are no failures in UTF-8."""
    assert list(encode_or_fail(SCALAR_VALUES, "utf-8")) == [(SCALAR_VALUES.encode(), None)]


def test_a_long_text_of_failures_is_as_many_runs() -> None:
    """Each failure ends a run, without reading the rest of the text."""
    pairs = list(encode_or_fail("漢" * 100_000, "windows-1252"))
    assert pairs == [(b"", 0x6F22)] * 100_000 + [(b"", None)]


# Rules, by encoding


def test_gb18030_encodes_all_the_supplementary_planes() -> None:
    """Every scalar value from U+10000 takes four bytes that Python decodes to it."""
    text = "".join(map(chr, range(0x10000, 0x110000)))
    [(data, failure)] = encode_or_fail(text, "gb18030")
    assert failure is None
    assert len(data) == 4 * len(text)
    assert data.decode("gb18030") == text


# ISO-2022-JP


ESCAPES: Final = {"ASCII": b"\x1b(B", "Roman": b"\x1b(J", "jis0208": b"\x1b$B"}
ROMAN: Final = {byte: byte for byte in range(0x80)} | {0xA5: 0x5C, 0x203E: 0x7E}
FULLWIDTH: Final = {0x2212: "\uff0d"} | dict(
    enumerate(
        "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソ"
        "タチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜",
        start=0xFF61,
    )
)


def iso_2022_jp_handler(state: str, code_point: int) -> str | bytes | int:
    """Return a state to switch to, bytes to write, or a failure, by the standard's steps."""
    [(jis0208, failure), *_] = encode_or_fail(FULLWIDTH.get(code_point, chr(code_point)), "euc-jp")
    result: str | bytes | int
    if state != "jis0208" and code_point in {0x0E, 0x0F, 0x1B}:
        result = 0xFFFD
    elif state == "ASCII" and code_point < 0x80:
        result = bytes((code_point,))
    elif state == "Roman" and code_point in ROMAN and code_point not in {0x5C, 0x7E}:
        result = bytes((ROMAN[code_point],))
    elif code_point < 0x80:
        result = "ASCII"
    elif code_point in {0xA5, 0x203E}:
        result = "Roman"
    elif failure is not None:
        result = "ASCII" if state == "jis0208" else code_point
    elif state != "jis0208":
        result = "jis0208"
    else:
        result = bytes(byte - 0x80 for byte in jis0208)
    return result


def iso_2022_jp_by_the_letter(text: str) -> Iterator[tuple[bytes, int | None]]:
    """Encode with the handler above, which gets a code point again after each switch."""
    state, output = "ASCII", b""
    queue = deque(map(ord, text))
    while queue:
        result = iso_2022_jp_handler(state, queue[0])
        if isinstance(result, str):
            state = result
            output += ESCAPES[state]
            continue
        queue.popleft()
        if isinstance(result, int):
            yield output, result
            output = b""
        else:
            output += result
    yield output + (b"" if state == "ASCII" else ESCAPES["ASCII"]), None


@given(text=texts)
def test_iso_2022_jp_agrees_with_the_steps_of_the_standard(text: str) -> None:
    """Bytes, failures and states are those of the handler above."""
    assert list(encode_or_fail(text, "iso-2022-jp")) == list(iso_2022_jp_by_the_letter(text))


# Every encoder


@pytest.mark.parametrize("encoding", ENCODERS)
def test_every_encoder_agrees_with_the_standard_on_every_code_point(encoding: str) -> None:
    """The count and digest would also reveal a codec that has changed in some Python."""
    digest = hashlib.sha256()
    count = len(SCALAR_VALUES)
    for run, failure in encode_or_fail(SCALAR_VALUES, encoding):
        digest.update(run)
        if failure is not None:
            digest.update(b"&#%d;" % failure)
            count -= 1
    assert (count, digest.hexdigest()[:16]) == ENCODERS[encoding]


@pytest.mark.parametrize("encoding", sorted(ENCODERS.keys() - {"gb18030"}))
def test_nothing_beyond_u_2ffff_encodes_but_in_gb18030(encoding: str) -> None:
    """The first and last scalar values of each plane fail."""
    text = "".join(chr(plane << 16 | cell) for plane in range(3, 17) for cell in (0, 0xFFFF))
    assert [failure for _, failure in encode_or_fail(text, encoding)] == [*map(ord, text), None]


@given(encoding=st.sampled_from(STATELESS), before=texts, after=texts)
def test_all_encoders_but_one_have_no_state(encoding: str, before: str, after: str) -> None:
    """The encoding of a text is that of its parts, one after the other."""
    assert encode(before + after, encoding) == encode(before, encoding) + encode(after, encoding)


@given(encoding=st.sampled_from(sorted(ENCODERS)), text=texts)
def test_failures_are_code_points_of_the_text_in_order(encoding: str, text: str) -> None:
    """Each code point that does not encode is reported once."""
    alone = [
        failure
        for char in text
        for _, failure in encode_or_fail(char, encoding)
        if failure is not None
    ]
    together = [failure for _, failure in encode_or_fail(text, encoding)]
    assert together == [*alone, None]
