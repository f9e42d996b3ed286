"""Links found in messages, beside urlize, bleach, linkify-it-py and turbohtml.

``python -m benchmarks.links_in_text LINKS`` reads one link per line, makes 10,000 messages of
them, and prints a table. The standard's lines are counted if its data is there.
"""

from __future__ import annotations

import html
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from math import log
from pathlib import Path
from random import Random
from typing import Any, Final

from attrs import frozen

from tests.text import unicode_data
from weburl.text import find_links

MESSAGES: Final = 10_000
_SEED: Final = 32
_ROUNDS: Final = 3
_SIZES: Final = (500, 2_000, 8_000, 32_000, 128_000)  # code points
_LONGEST: Final = 0.2  # seconds
_SHORTEST: Final = 0.001  # seconds; less is noise
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

_HOSTILE: Final = (
    *("http://", "(", "a.com ", "a.com", "a@", "a.", "@.", "&lt;", ";", "http://a.com/("),
    *("www.", "mailto:", "a@b.com.", "http://a.com/?", "。"),
)
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


@frozen
class Finder:
    """A library: ``find`` gives the text of each link, and ``run`` is what is timed."""

    name: str
    run: Callable[[str], object]
    find: Callable[[str], list[str]]


def finders() -> Iterator[Finder]:
    """Yield ours and those of the other libraries."""
    import turbohtml.clean
    from django.conf import settings
    from django.utils.html import urlize

    bleach: Any = import_module("bleach")  # Neither has types.
    linkify_it: Any = import_module("linkify_it").LinkifyIt()
    if not settings.configured:
        settings.configure(USE_I18N=False)

    def ours(text: str) -> list[str]:
        return [link.text for link in find_links(text)]

    def shown(linkify: Callable[[str], str], text: str) -> list[str]:
        """Return the texts of the links in the HTML that a library makes of plain text."""
        return [html.unescape(_TAG.sub("", found)) for _, found in _HREF.findall(linkify(text))]

    def urlized(text: str) -> str:
        return urlize(text, autoescape=True)

    def bleached(text: str) -> str:
        return str(bleach.linkify(html.escape(text, quote=False), callbacks=[], parse_email=True))

    options = turbohtml.clean.Linkify(callbacks=(), parse_email=True)

    def turbo(text: str) -> str:
        return turbohtml.clean.linkify(html.escape(text, quote=False), options)

    def matched(text: str) -> list[str]:
        return [found.raw for found in linkify_it.match(text) or ()]

    yield Finder("`weburl.text.find_links`", ours, ours)
    yield Finder("linkify-it-py", matched, matched)
    for name, linkify in (
        ("Django's `urlize`", urlized),
        ("`bleach.linkify`", bleached),
        ("turbohtml's `linkify`", turbo),
    ):
        yield Finder(name, linkify, partial(shown, linkify))


def lines_right(finder: Finder) -> tuple[int, int]:
    """Return how many of the standard's lines a library gets right, and how many there are."""
    right = total = 0
    for line in unicode_data.lines("LinkDetectionTest.txt"):
        text, marked = unicode_data.links_marked(line)
        total += 1
        right += finder.find(text) == marked
    return right, total


def microseconds(run: Callable[[str], object], texts: list[str]) -> float:
    """Return the processor time for a kilobyte of UTF-8, from the quickest of some rounds."""
    size = sum(len(text.encode()) for text in texts) / 1000
    return min(_seconds(run, texts) for _ in range(_ROUNDS)) / size * 1e6


def growth(run: Callable[[str], object]) -> float:
    """Return the steepest growth on hostile texts: 1 is linear, 2 is quadratic.

    It is told from the two largest texts of those that take less than `_LONGEST` seconds, and one.
    """
    worst = 0.0
    for unit in _HOSTILE:
        times: list[float] = []
        for size in _SIZES:
            times.append(max(_seconds(run, [unit * (size // len(unit))]), _SHORTEST))
            if len(times) > 1 and times[-1] > _LONGEST:
                break
        worst = max(worst, log(times[-1] / times[-2]) / log(_SIZES[1] / _SIZES[0]))
    return worst


def _seconds(run: Callable[[str], object], texts: list[str]) -> float:
    start = time.process_time_ns()
    for text in texts:
        run(text)
    return (time.process_time_ns() - start) / 1e9


def main(path: str) -> None:
    """Print the table."""
    links = Path(path).read_text("utf-8", "replace").split("\n")
    texts = messages(links)
    has_data = unicode_data.DIRECTORY.is_dir()
    print("| library | lines right | µs per kB | growth |")
    print("|---|---|---|---|")
    for finder in finders():
        right = "{} of {}".format(*lines_right(finder)) if has_data else "?"
        taken = microseconds(finder.run, texts)
        print(f"| {finder.name} | {right} | {taken:.1f} | {growth(finder.run):.1f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
