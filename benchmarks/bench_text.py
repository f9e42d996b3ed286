"""Links found in messages, beside urlize, bleach, linkify-it-py and turbohtml.

``extra_info`` in the JSON file has ``right``, how many of the standard's lines a library gets right.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from random import Random
from typing import Any, Final

import pytest

from tests.text import unicode_data
from weburl.text import find_links

MESSAGES: Final = 10_000
_SEED: Final = 32
_HREF: Final = re.compile(r'<a\b[^>]*?\bhref="([^"]*)"[^>]*>(.*?)</a>', re.DOTALL)
_TAG: Final = re.compile(r"<[^>]*>")

PROSE: Final = (
    # Latin
    ("Have you seen this page? It explains the whole thing.", "Thanks, that helped me a lot!",
     "We moved the meeting to Tuesday (room 4), e.g. after lunch."),
    # Cyrillic
    ("Посмотри на эту страницу, там всё написано.", "Спасибо, завтра поговорим!",
     "Мы живём у реки и часто гуляем."),
    # Greek
    ("Δες αυτή τη σελίδα όταν έχεις χρόνο.", "Ευχαριστώ πολύ, τα λέμε αύριο!",
     "Το καφενείο ανοίγει στις οκτώ."),
    # Arabic
    ("انظر إلى هذه الصفحة عندما يكون لديك وقت.", "شكرا لك، نلتقي غدا!", "الطقس جميل اليوم."),
    # Hebrew
    ("תסתכל על הדף הזה כשיהיה לך זמן.", "תודה רבה, נדבר מחר!", "מזג האוויר נעים היום."),
    # Devanagari
    ("समय मिले तो यह पन्ना देखना।", "बहुत धन्यवाद, कल मिलते हैं!", "आज मौसम अच्छा है।"),
    # Bengali
    ("সময় পেলে এই পাতাটা দেখো।", "অনেক ধন্যবাদ, কাল কথা হবে!", "আজ আকাশ পরিষ্কার।"),
    # Tamil
    ("நேரம் கிடைத்தால் இந்தப் பக்கத்தைப் பார்.", "மிக்க நன்றி, நாளை பேசலாம்!", "இன்று மழை இல்லை."),
    # Thai
    ("ถ้ามีเวลาลองดูหน้านี้นะ", "ขอบคุณมาก พรุ่งนี้คุยกัน", "วันนี้อากาศดี"),
    # Hangul
    ("시간 있으면 이 페이지를 봐.", "고마워, 내일 이야기하자!", "오늘은 날씨가 좋다."),
    # Kana and Han
    ("時間があったらこのページを見てください。", "ありがとう、また明日!", "今日は晴れです。"),
    # Han
    ("有时间请看这个网页。", "非常感谢，明天再聊！", "今天天气很好，我们去散步吧。"),
)  # fmt: skip
"""Sentences in twelve scripts."""

_AROUND: Final = ("{}", "({})", "{}.", "{},", "“{}”", "<{}>", "{}!", "[{}]", "{}: ")


def messages(links: Iterable[str], count: int = MESSAGES) -> list[str]:
    """Return messages of prose and links, the same each time: one in four has no link."""
    random = Random(_SEED)
    found = [link for link in links if link.startswith(("http://", "https://"))]
    made = []
    for at in range(count):
        sentences = PROSE[at % len(PROSE)]
        parts = [random.choice(sentences) for _ in range(random.randint(1, 6))]
        for _ in range(random.choice((0, 1, 1, 2))):
            link = random.choice(found)
            if random.random() < 0.2:
                link = link.partition("://")[2]
            parts.insert(random.randint(0, len(parts)), random.choice(_AROUND).format(link))
        made.append(" ".join(parts))
    return made


Find = Callable[[str], list[str]]


def ours(text: str) -> list[str]:
    """Return the texts of the links that we find."""
    return [link.text for link in find_links(text)]


def linkify_it() -> Find:
    """Return the links that linkify-it-py finds."""
    linkify: Any = import_module("linkify_it").LinkifyIt()
    return lambda text: [found.raw for found in linkify.match(text) or ()]


def _shown(linkify: Callable[[str], str]) -> Find:
    """Return the texts of the links in the HTML that a library makes of plain text."""
    return lambda text: [
        html.unescape(_TAG.sub("", found)) for _, found in _HREF.findall(linkify(text))
    ]


def urlize() -> Find:
    """Return the links of Django's `urlize`."""
    from django.conf import settings
    from django.utils.html import urlize as linkify

    if not settings.configured:
        settings.configure(USE_I18N=False)
    return _shown(partial(linkify, autoescape=True))


def bleach() -> Find:
    """Return the links of bleach."""
    linkify = import_module("bleach").linkify
    return _shown(
        lambda text: linkify(html.escape(text, quote=False), callbacks=[], parse_email=True)
    )


def turbohtml() -> Find:
    """Return the links of turbohtml."""
    clean: Any = import_module("turbohtml.clean")
    options = clean.Linkify(callbacks=(), parse_email=True)
    return _shown(lambda text: clean.linkify(html.escape(text, quote=False), options))


FINDERS: Final[dict[str, Callable[[], Find]]] = {
    "`weburl.text.find_links`": lambda: ours,
    "linkify-it-py": linkify_it,
    "Django's `urlize`": urlize,
    "`bleach.linkify`": bleach,
    "turbohtml's `linkify`": turbohtml,
}
"""How each library finds the texts of links. One line is one row."""


@pytest.mark.parametrize("who", FINDERS)
def bench_text(who: str, links: list[str], limit: int | None, timed: Any, benchmark: Any) -> None:
    """Find the links of messages."""
    try:
        find = FINDERS[who]()
    except ImportError as error:
        pytest.skip(f"{error.name} is not installed")
    benchmark.group = "links in text"
    if unicode_data.DIRECTORY.is_dir():
        marked = map(unicode_data.links_marked, unicode_data.lines("LinkDetectionTest.txt"))
        found = [find(text) == wanted for text, wanted in marked]
        benchmark.extra_info.update(right=sum(found), of=len(found))
    texts = messages(links, limit or MESSAGES)
    timed(lambda given: [find(text) for text in given], texts, who=who)
