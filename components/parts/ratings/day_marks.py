"""What the hall has marked today, as strings over the keys of the title page; they fill while marks come in."""

from functools import partial

from django.utils import timezone

from apps.core.database.clock import venue_day
from apps.core.texts import Texts, texts
from apps.ratings.selectors import DayMarks
from apps.ratings.selectors import day_marks as day_marks_read
from components.markup import VdomDict, html
from components.parts.failures import read_or_nothing
from components.parts.ratings.performance import most_often
from components.rendering.parts import public_part
from components.ui.key_marks import string_lengths
from components.ui.keyboard import KEYS, strings

EVERY = 1 / 3  # seconds between two readings
TOPICS = ("latest_news", "featured_participants", "clock.minute", "ratings.latest", "live", "sessions")


@public_part(topics=lambda: TOPICS, every=EVERY)
def day_marks(*, language: str) -> VdomDict:
    """The strings of the day's marks with their number; of the last session before the first; else a drawing."""
    since, until = venue_day(timezone.now())
    marks = read_or_nothing(partial(day_marks_read, since=since, until=until), DayMarks())
    figures = marks.figures
    lengths = string_lengths(figures.distribution) if figures.count else _one_mark_each()
    about, count = _note(marks, texts(language))
    return html.div(
        {"class": "day-marks"},
        html.div({"class": "hero__board"}, strings(lengths, numbered_to=max(figures.most_frequent, default=KEYS))),
        html.p({"class": "hero__note"}, html.span(about), " ", html.span(count)),
    )


def _note(marks: DayMarks, t: Texts) -> tuple[str, str]:
    """Return what the strings are, and how many marks."""
    figures = marks.figures
    if not figures.count:
        about = t("Twenty-five keys, twenty-five marks. The higher the mark, the longer its string.")
        return about, t("From 1 to 25")
    counted = t.plural("{n} mark", "{n} marks", figures.count).format(n=f"{figures.count:,}")
    words = {"count": counted, "often": most_often(figures, t), "title": marks.session}
    if marks.session:
        about = t("Twenty-five keys, twenty-five marks. Each string is as long as its key was struck often.")
        return about, t("{title}: {count}, {often}").format(**words)
    about = t("Twenty-five keys, twenty-five marks. Each string is as long as its key was struck today.")
    return about, t("{count} so far, {often}").format(**words)


def _one_mark_each() -> list[float]:
    """Return the strings' lengths, growing with the marks, so that they do not cover the words."""
    return [(number / KEYS) ** 1.9 for number in range(1, KEYS + 1)]
