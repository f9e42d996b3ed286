"""Tests of `infra.encodings`, for labels, special rules and whole encoders."""

from __future__ import annotations

import hashlib
from collections import deque
from typing import TYPE_CHECKING, Final

import pytest
import webencodings
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
GB18030_2022: Final = (
    "\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19"
    "\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb"
)
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
    with pytest.raises(ValueError, match="no encoding has the label"):
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


def test_a_label_is_as_good_as_a_name() -> None:
    """Any label selects its output encoding."""
    assert list(encode_or_fail("é", "latin1")) == [(b"\xe9", None)]
    assert list(encode_or_fail("é", "utf-16")) == [(b"\xc3\xa9", None)]


def test_a_long_text_of_failures_is_as_many_runs() -> None:
    """Each failure ends a run, without reading the rest of the text."""
    pairs = list(encode_or_fail("漢" * 100_000, "windows-1252"))
    assert pairs == [(b"", 0x6F22)] * 100_000 + [(b"", None)]


# Rules, by encoding


def test_a_c1_control_takes_the_place_a_code_page_leaves_open() -> None:
    """Windows code pages have gaps in 0x80 to 0x9F, which the standard fills."""
    assert encode("\x81\x8d\x80\x99", "windows-1252") == "818d&#128;&#153;"
    assert encode("\x98", "windows-1251") == "98"
    assert encode("\x80\x81\xa0", "windows-874") == "&#128;81a0"


def test_a_hole_above_the_c1_controls_stays_open() -> None:
    """Bytes from 0xA0 on that mean nothing are never written."""
    assert encode("\u00aa\u00d2\u00ff", "windows-1253") == "&#170;&#210;&#255;"
    assert encode("\u00a5", "iso-8859-3") == "&#165;"


def test_koi8_u_has_a_letter_of_belarusian() -> None:
    """U+040E and U+045E replace two box-drawing characters."""
    assert encode("ўЎ╝╬", "koi8-u") == "aebe&#9565;&#9580;"
    assert encode("╝╬ў", "koi8-r") == "aebe&#1118;"


def test_windows_1255_has_the_hebrew_point_holam_haser() -> None:
    """U+05BA is the byte 0xCA."""
    assert encode("\u05ba", "windows-1255") == "ca"


def test_iso_8859_8_and_its_logical_twin_encode_alike() -> None:
    """ISO-8859-8-I differs only in the reading direction."""
    expected = list(encode_or_fail(SCALAR_VALUES, "iso-8859-8"))
    assert list(encode_or_fail(SCALAR_VALUES, "iso-8859-8-i")) == expected


def test_x_user_defined_writes_its_128_private_use_code_points() -> None:
    """U+F780 to U+F7FF are the upper half, and U+0080 is not part of it."""
    assert encode("\uf780\uf7ff\x80\uf77f", "x-user-defined") == "80ff&#128;&#63359;"


def test_gbk_writes_the_euro_sign_in_one_byte() -> None:
    """gb18030 has two bytes for it."""
    assert encode("€", "gbk") == "80"
    assert encode("€", "gb18030") == "a2e3"


def test_gbk_has_two_bytes_of_gb18030_and_no_four() -> None:
    """What gb18030 writes in four bytes fails in GBK."""
    assert encode("\u0152💩", "gb18030") == "813093339439da33"
    assert encode("漢\u0152💩", "gbk") == "9d68&#338;&#128169;"


@pytest.mark.parametrize("encoding", ["gb18030", "gbk"])
def test_u_e5e5_fails_in_gb18030(encoding: str) -> None:
    """Its bytes decode to the ideographic space, so it could not be read again."""
    assert encode("\ue5e5\u3000", encoding) == "&#58853;a1a1"


def test_gb18030_swaps_u_1e3f_and_u_e7c7_as_its_edition_of_2005() -> None:
    """The letter has two bytes, and the private-use code point four."""
    assert encode("\u1e3f\ue7c7", "gb18030") == "a8bc8135f437"
    assert encode("\u1e3f\ue7c7", "gbk") == "a8bc&#59335;"


@pytest.mark.parametrize("encoding", ["gb18030", "gbk"])
def test_gb18030_writes_replaced_private_use_as_what_replaced_it(encoding: str) -> None:
    """Old and new code points of the edition of 2022 share 18 pairs of bytes."""
    pairs = "a6d9 a6da a6db a6dc a6dd a6de a6df a6ec a6ed a6f3"
    pairs += " fe59 fe61 fe66 fe67 fe6d fe7e fe90 fea0"
    old = "\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796"
    old += "\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864"
    assert encode(old, encoding) == encode(GB18030_2022, encoding) == pairs.replace(" ", "")


def test_gb18030_encodes_all_the_supplementary_planes() -> None:
    """Every scalar value from U+10000 takes four bytes that Python decodes to it."""
    text = "".join(map(chr, range(0x10000, 0x110000)))
    [(data, failure)] = encode_or_fail(text, "gb18030")
    assert failure is None
    assert len(data) == 4 * len(text)
    assert data.decode("gb18030") == text


def test_big5_never_writes_a_lead_byte_below_0xa1() -> None:
    """The first rows of the Hong Kong supplement are only for decoding."""
    leads = {run[0] for char in SCALAR_VALUES for run, _ in encode_or_fail(char, "big5") if run}
    assert not leads & set(range(0x80, 0xA1))
    assert encode("Ê㐂嘅", "big5") == "&#202;&#13314;fb48"


def test_big5_takes_the_last_pair_for_six_characters_and_the_first_for_others() -> None:
    """The index has ten characters twice."""
    assert encode("═╞╡╪十卅", "big5") == "f9f9f9e9f9ebf9eaa451a4ca"
    assert encode("╭╮╰╯", "big5") == "a27ea2a1a2a2a2a3"


def test_big5_writes_symbols_as_microsoft_does() -> None:
    """It has fullwidth forms and the euro sign, but not the halfwidth cent, pound or yen."""
    assert encode("￠￡￥€‧¯\uff5e", "big5") == "a246a247a244a3e1a145a1c2a1e3"
    assert encode("¢£¥•‾\u223c", "big5") == "&#162;&#163;&#165;&#8226;&#8254;&#8764;"


def test_big5_writes_control_pictures() -> None:
    """There are 33, and the last is for delete."""
    assert encode("\u2400\u241f\u2420\u2421", "big5") == "a3c0a3df&#9248;a3e0"


def test_big5_writes_nine_ideographs_that_the_supplement_moved() -> None:
    """They use their pairs from 0xA1 on, because the supplement's pairs are below."""
    assert encode("廴无癶隶仝嘅廐悤猪", "big5") == "c6cfc6d3c6d5c6d7c6dffb48fbf9fc6cfe52"


@pytest.mark.parametrize(
    ("encoding", "minus"), [("shift_jis", "817c"), ("euc-jp", "a1dd"), ("iso-2022-jp", "215d")]
)
def test_the_minus_sign_is_the_fullwidth_one_in_japanese(encoding: str, minus: str) -> None:
    """U+2212 encodes as U+FF0D."""
    assert minus in encode("\u2212", encoding)
    assert encode("\u2212", encoding) == encode("\uff0d", encoding)


@pytest.mark.parametrize("encoding", ["shift_jis", "euc-jp"])
def test_yen_and_overline_are_backslash_and_tilde_in_japanese(encoding: str) -> None:
    """They share the bytes of these ASCII characters."""
    assert encode("¥‾\\~", encoding) == "5c7e5c7e"


def test_halfwidth_katakana_are_as_each_japanese_encoding_has_them() -> None:
    """They take one byte in Shift_JIS, two in EUC-JP, and are fullwidth in ISO-2022-JP."""
    assert encode("｡ｱﾞﾟ", "shift_jis") == "a1b1dedf"
    assert encode("｡ｱﾞﾟ", "euc-jp") == "8ea18eb18ede8edf"
    assert encode("｡ｱﾞﾟ", "iso-2022-jp") == encode("。ア゛゜", "iso-2022-jp")


def test_shift_jis_writes_ibm_extensions_as_ibm_does() -> None:
    """EUC-JP and ISO-2022-JP use NEC's selection of them, which comes first in the index."""
    assert encode("纊ⅰ", "shift_jis") == "fa5cfa40"
    assert encode("纊ⅰ", "euc-jp") == "f9a1fcf1"
    assert encode("纊ⅰ", "iso-2022-jp") == "1b244279217c711b2842"


def test_shift_jis_writes_u_0080_and_no_private_use() -> None:
    """The end-user-defined rows are only for decoding."""
    assert encode("\x80\x81\ue000", "shift_jis") == "80&#129;&#57344;"


def test_euc_jp_has_no_third_byte() -> None:
    """The index jis0212 is only for decoding."""
    assert encode("\u4e02¦", "euc-jp") == "&#19970;&#166;"


def test_euc_kr_is_all_of_unified_hangul() -> None:
    """It also has the syllables beyond KS X 1001."""
    assert encode("가갂똠힣", "euc-kr") == "b0a181418c63c652"


# ISO-2022-JP


def test_iso_2022_jp_switches_and_switches_back() -> None:
    """Kanji are between two escape sequences, and the end is in ASCII."""
    assert list(encode_or_fail("aあいb", "iso-2022-jp")) == [(b'a\x1b$B$"$$\x1b(Bb', None)]
    assert list(encode_or_fail("あ", "iso-2022-jp")) == [(b'\x1b$B$"\x1b(B', None)]


def test_iso_2022_jp_writes_yen_and_overline_in_roman() -> None:
    """Backslash and tilde leave Roman; other ASCII does not."""
    assert list(encode_or_fail("¥", "iso-2022-jp")) == [(b"\x1b(J\\\x1b(B", None)]
    assert list(encode_or_fail("\u203e\\", "iso-2022-jp")) == [(b"\x1b(J~\x1b(B\\", None)]
    assert list(encode_or_fail("¥a‾~¥", "iso-2022-jp")) == [
        (b"\x1b(J\\a~\x1b(B~\x1b(J\\\x1b(B", None)
    ]


def test_iso_2022_jp_leaves_kanji_but_not_roman_at_a_failure() -> None:
    """ASCII that a caller writes for the failure is the same in both states."""
    assert list(encode_or_fail("あ💩あ", "iso-2022-jp")) == [
        (b'\x1b$B$"\x1b(B', 0x1F4A9),
        (b'\x1b$B$"\x1b(B', None),
    ]
    assert list(encode_or_fail("¥💩a¥", "iso-2022-jp")) == [
        (b"\x1b(J\\", 0x1F4A9),
        (b"a\\\x1b(B", None),
    ]


@pytest.mark.parametrize("control", ["\x0e", "\x0f", "\x1b"])
def test_iso_2022_jp_refuses_controls_that_switch(control: str) -> None:
    """In every state, the failure is U+FFFD and not the control."""
    assert list(encode_or_fail(f"{control}¥{control}あ{control}", "iso-2022-jp")) == [
        (b"", 0xFFFD),
        (b"\x1b(J\\", 0xFFFD),
        (b'\x1b$B$"\x1b(B', 0xFFFD),
        (b"", None),
    ]


def test_iso_2022_jp_and_euc_jp_have_the_same_kanji() -> None:
    """The bytes differ only in the high bit."""
    count = 0
    for char in SCALAR_VALUES:
        [(euc_jp, failure), *_] = encode_or_fail(char, "euc-jp")
        if failure is None and len(euc_jp) == 2 and euc_jp[0] != 0x8E:
            kanji = bytes(byte & 0x7F for byte in euc_jp)
            assert list(encode_or_fail(char, "iso-2022-jp")) == [(b"\x1b$B%b\x1b(B" % kanji, None)]
            count += 1
    assert count == 7327


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


@pytest.mark.parametrize("encoding", STATELESS)
def test_ascii_encodes_as_itself(encoding: str) -> None:
    """ISO-2022-JP is the exception."""
    text = "".join(map(chr, range(0x80)))
    assert list(encode_or_fail(text, encoding)) == [(text.encode(), None)]


@pytest.mark.parametrize(
    ("encoding", "codec", "one_way"),
    [
        ("euc-kr", "cp949", ""),
        ("shift_jis", "cp932", "¥‾\u2212"),
        ("gb18030", "gb18030", "\u1e3f\ue7c7" + GB18030_2022),
    ],
    ids=["euc-kr", "shift_jis", "gb18030"],
)
def test_what_encodes_decodes_to_itself(encoding: str, codec: str, one_way: str) -> None:
    """Python's codec reads every character, except those with a rule above."""
    encodable = [char for char in SCALAR_VALUES if len(list(encode_or_fail(char, encoding))) == 1]
    both_ways = "".join(char for char in encodable if char not in one_way)
    assert len(encodable) == len(both_ways) + len(one_way) == ENCODERS[encoding][0]
    [(data, _)] = encode_or_fail(both_ways, encoding)
    assert data.decode(codec) == both_ways


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


@given(
    encoding=st.sampled_from([name for name in STATELESS if ENCODERS[name][0] <= 256]),
    text=texts,
)
def test_a_single_byte_encoding_reads_back_by_its_codec(encoding: str, text: str) -> None:
    """A codec may have a gap or an older letter for a byte."""
    codec = webencodings.lookup(encoding)
    assert codec is not None
    for char in text:
        [(data, failure), *_] = encode_or_fail(char, encoding)
        if failure is None:
            decoded, _ = codec.codec_info.decode(data, "replace")
            assert len(data) == 1
            assert decoded in {char, "\ufffd"} or char in "ўЎ"
