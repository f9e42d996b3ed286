"""The encoders of the Encoding Standard, for the query of a URL in a legacy encoding.

The tables come from the decoders of webencodings and Python, reversed as the standard reverses
its own. The rules here are the differences between the two. Nothing about URLs or percent-encoding
belongs here, and only a query encoding other than UTF-8 may load this module.
"""

from __future__ import annotations

import codecs
import difflib
from contextlib import suppress
from encodings import normalize_encoding
from encodings.aliases import aliases
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Final

import webencodings
from webencodings.labels import LABELS

from weburl.standard.infra.explanations import quoted
from weburl.standard.infra.strings import require_text
from weburl.standard.infra.unicode_data import normalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_LONGEST_LABEL: Final = max(map(len, LABELS))

_TO_ASCII: Final = b"\x1b(B"
_TO_ROMAN: Final = b"\x1b(J"
_TO_JIS0208: Final = b"\x1b$B"
_SHIFT_OR_ESCAPE: Final = "\x0e\x0f\x1b"

_HALFWIDTH_KATAKANA: Final = [chr(code_point) for code_point in range(0xFF61, 0xFFA0)]
# NFKC would turn the last two, the sound marks, into combining characters.
_FULLWIDTH_KATAKANA: Final = [
    *(normalize("NFKC", char) for char in _HALFWIDTH_KATAKANA[:-2]),
    "\u309b",
    "\u309c",
]

# Letters in the standard's single-byte indexes that Python's codecs lack.
_SINGLE_BYTE_CHANGES: Final = {
    "koi8-u": {0xAE: "\u045e", 0xBE: "\u040e"},
    "windows-1255": {0xCA: "\u05ba"},
}

# Private-use code points, and their replacements in GB 18030-2022: both have the same encoding.
_GB18030_2000: Final = (
    "\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796"
    "\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864"
)
_GB18030_2022: Final = (
    "\ufe10\ufe12\ufe11\ufe13\ufe14\ufe15\ufe16\ufe17\ufe18\ufe19"
    "\u9fb4\u9fb5\u9fb6\u9fb7\u9fb8\u9fb9\u9fba\u9fbb"
)

# Characters that index Big5 has twice, and that encode to their last position.
_BIG5_LAST: Final = "═╞╡╪十卅"
# Missing from both of Python's Big5 codecs: control pictures and nine ideographs.
_BIG5_LACKING: Final = {
    **{chr(0x2400 + i): bytes((0xA3, 0xC0 + i)) for i in range(0x20)},
    "\u2421": b"\xa3\xe0",
    "廴": b"\xc6\xcf",
    "无": b"\xc6\xd3",
    "癶": b"\xc6\xd5",
    "隶": b"\xc6\xd7",
    "仝": b"\xc6\xdf",
    "嘅": b"\xfb\x48",
    "廐": b"\xfb\xf9",
    "悤": b"\xfc\x6c",
    "猪": b"\xfe\x52",
}


def get_encoding(label: str) -> str:
    """Return the name of the encoding that has ``label``: the standard's in lower case.

    ``"latin1"`` gives ``"windows-1252"``. The case of the label and ASCII whitespace
    around it do not matter. Raises ``ValueError`` if no encoding has the label, and ``TypeError``
    for a value that is not text.

    Spec: https://encoding.spec.whatwg.org/#concept-encoding-get
    """
    return _encoding(label).name


def get_output_encoding(label: str) -> str:
    """Return the name of the encoding to encode with, given any label of an encoding.

    The name is the standard's in lower case: ``"latin1"`` gives ``"windows-1252"``. An encoding
    that only decodes (UTF-16, replacement) gives ``"utf-8"``. The case of the label and ASCII
    whitespace around it do not matter. Raises ``ValueError`` if no encoding has the label.

    Spec: https://encoding.spec.whatwg.org/#get-an-output-encoding
    """
    name = get_encoding(label)
    return "utf-8" if name in {"replacement", "utf-16be", "utf-16le"} else name


def encode_or_fail(text: str, encoding: str) -> Iterator[tuple[bytes, int | None]]:
    """Encode a scalar value string in runs, each ended by a code point that cannot be encoded.

    Yields pairs: the bytes of a run, which may be empty, and the value of the code point that ended
    it. The last pair has ``None`` instead. The caller may replace the code point with ASCII
    letters, digits and punctuation, except the backslash and the tilde. ISO-2022-JP keeps its state
    from run to run, and gives 0xFFFD for the three controls that it refuses. Takes linear time.
    Raises ``ValueError`` if no encoding has the label ``encoding``.

    Spec: https://encoding.spec.whatwg.org/#encode-or-fail
    """
    name = get_output_encoding(encoding)
    encode = _encoder(name)
    return (_encode_iso_2022_jp if name == "iso-2022-jp" else _encode_stateless)(text, encode)


def _encoding(label: str) -> webencodings.Encoding:
    require_text(label, "the label of an encoding")
    encoding = webencodings.lookup(label) if label.isascii() else None
    if encoding is None:
        raise ValueError(f"there is no encoding with the label {quoted(label)}{_hint(label)}")
    return encoding


def _hint(label: str) -> str:
    """Return the label nearest to a name of Python's codecs or a misspelt label, or all names."""
    near: list[str] = []
    if len(label) <= _LONGEST_LABEL and label.isascii():
        alias = normalize_encoding(label.lower())
        # `codecs.lookup` keeps every label for ever, also those that it does not find.
        if alias in aliases or alias in aliases.values():
            with suppress(LookupError):
                near = [name for name in [codecs.lookup(alias).name] if name in LABELS]
        near = near or difflib.get_close_matches(label.strip().lower(), LABELS, n=1)
    if near:
        return f"; the nearest is {near[0]!r}"
    return f"; there are {', '.join(dict.fromkeys(LABELS.values()))}, and other labels"


def _encode_stateless(
    text: str, encode: Callable[[str], bytes | None]
) -> Iterator[tuple[bytes, int | None]]:
    run = bytearray()
    for char in text:
        encoded = encode(char)
        if encoded is None:
            yield bytes(run), ord(char)
            run.clear()
        else:
            run += encoded
    yield bytes(run), None


def _encode_iso_2022_jp(
    text: str, encode: Callable[[str], bytes | None]
) -> Iterator[tuple[bytes, int | None]]:
    run = bytearray()
    state = _TO_ASCII
    for char in text:
        encoded = encode(char)
        if encoded is not None and len(encoded) == 2:
            needed = _TO_JIS0208
        # Roman differs from ASCII in two characters only, and a failure does not leave it.
        elif char in "\u00a5\u203e" or (state == _TO_ROMAN and char not in "\\~"):
            needed = _TO_ROMAN
        else:
            needed = _TO_ASCII
        if state != needed:
            run += needed
            state = needed
        if encoded is None:
            # Reported as itself, a control could be written back and start an escape sequence.
            yield bytes(run), 0xFFFD if char in _SHIFT_OR_ESCAPE else ord(char)
            run.clear()
        else:
            run += encoded
    if state != _TO_ASCII:
        run += _TO_ASCII
    yield bytes(run), None


@cache
def _encoder(name: str) -> Callable[[str], bytes | None]:
    """Return a function that encodes one character, or returns None if the encoding lacks it."""
    match name:
        case "utf-8":
            return str.encode
        case "gb18030":
            pairs = _gb18030_index()
            return lambda char: pairs.get(char) or _gb18030_four_bytes(char)
        case "gbk":
            index = _gb18030_index() | {"€": b"\x80"}
        case "big5":
            index = _big5_index()
        case "euc-jp":
            index = _japanese(_jis0208(0xA1), (bytes((0x8E, b)) for b in range(0xA1, 0xE0)))
        case "iso-2022-jp":
            jis0208 = _jis0208(0x21)
            index = _japanese(jis0208, (jis0208[char] for char in _FULLWIDTH_KATAKANA))
            for char in _SHIFT_OR_ESCAPE:
                del index[char]
        case "shift_jis":
            # Neither NEC's selection of IBM's extensions (0xED to 0xEF) nor private use encodes.
            index = _shift_jis_pairs([*range(0x81, 0xA0), *range(0xE0, 0xED), *range(0xFA, 0xFD)])
            index["\x80"] = b"\x80"
            index = _japanese(index, (bytes((b,)) for b in range(0xA1, 0xE0)))
        case "euc-kr":
            index = _index("cp949", range(0x81, 0xFF), range(0x41, 0xFF))
        case _:
            index = _single_byte_index(name)
    return index.get


def _single_byte_index(name: str) -> dict[str, bytes]:
    decoded, _ = _encoding(name).codec_info.decode(bytes(range(0x100)), "replace")
    index = {}
    for byte, char in (dict(enumerate(decoded)) | _SINGLE_BYTE_CHANGES.get(name, {})).items():
        if char != "\ufffd":
            index[char] = bytes((byte,))
        elif byte < 0xA0:
            # A C1 control takes the byte that the code page leaves unused for it.
            index[chr(byte)] = bytes((byte,))
    return index


def _index(codec: str, leads: Iterable[int], trails: Iterable[int]) -> dict[str, bytes]:
    """Return ASCII, and the first pair of bytes that decodes to each other character."""
    index = {chr(byte): bytes((byte,)) for byte in range(0x80)}
    for pair in map(bytes, product(leads, trails)):
        with suppress(UnicodeDecodeError):
            index.setdefault(pair.decode(codec), pair)
    return index


def _gb18030_index() -> dict[str, bytes]:
    index = _index("gb18030", range(0x81, 0xFF), [*range(0x40, 0x7F), *range(0x80, 0xFF)])
    index |= {new: index[old] for old, new in zip(_GB18030_2000, _GB18030_2022, strict=True)}
    index["\u1e3f"] = index.pop("\ue7c7")  # since the edition of 2005
    del index["\ue5e5"]  # its bytes decode to U+3000
    return index


def _gb18030_four_bytes(char: str) -> bytes | None:
    if char == "\ue5e5":
        return None
    # The codec follows the edition of 2000, where U+1E3F had the bytes that U+E7C7 has now.
    return char.replace("\ue7c7", "\u1e3f").encode("gb18030")


def _big5_index() -> dict[str, bytes]:
    trails = [*range(0x40, 0x7F), *range(0xA1, 0xFF)]
    symbols = _index("cp950", range(0xA1, 0xA4), trails)
    # Pairs that start below 0xA1 only decode.
    rest = _index("big5hkscs", range(0xA4, 0xFF), trails)
    return rest | symbols | {char: rest[char] for char in _BIG5_LAST} | _BIG5_LACKING


def _shift_jis_pairs(leads: Iterable[int]) -> dict[str, bytes]:
    return _index("cp932", leads, [*range(0x40, 0x7F), *range(0x80, 0xFD)])


def _jis0208(offset: int) -> dict[str, bytes]:
    """Return ASCII and index jis0208, as pairs of row and cell counted from ``offset``."""
    index = _shift_jis_pairs([*range(0x81, 0xA0), *range(0xE0, 0xF0)])
    for char, (lead, *trail) in index.items():
        if trail:
            pointer = (lead - (0x81 if lead < 0xA0 else 0xC1)) * 188
            pointer += trail[0] - (0x40 if trail[0] < 0x7F else 0x41)
            index[char] = bytes((offset + pointer // 94, offset + pointer % 94))
    return index


def _japanese(index: dict[str, bytes], katakana: Iterable[bytes]) -> dict[str, bytes]:
    """Return an index with what all three Japanese encoders add, each in its bytes."""
    halfwidth = dict(zip(_HALFWIDTH_KATAKANA, katakana, strict=True))
    return index | halfwidth | {"\u00a5": b"\\", "\u203e": b"~", "\u2212": index["\uff0d"]}
