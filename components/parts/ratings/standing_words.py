"""Whether a member's mark counts in the ranking, and what it still needs, in one line."""

from datetime import datetime, timedelta

from django.utils import timezone

from apps.core.database.fields import venue_day, venue_zone
from apps.core.limits import MINUTE
from apps.core.texts import Texts, texts
from apps.ranking.counting import Standing
from apps.ranking.enums import AfterClosing, NotCounted
from components.ui.venue_time import clock_time, day_month

IN_WORDS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")  # sources of gettext


FIXED = {  # sources of gettext
    AfterClosing.GIVEN: "Does not count: given after the ranking was closed",
    AfterClosing.DUE: "Does not count: not complete when the ranking was closed",
    NotCounted.REPEATED: "Does not count: a repeated performance",
    NotCounted.WAITING: "Waits for approval",
    NotCounted.UNIFORM: "Does not count: the same mark for five performances or more",
    NotCounted.LEFT_OUT: "Does not count: left out by an administrator",
    NotCounted.BURST: "Does not count: one of many at once, long after the music",
}


def standing_words(standing: Standing, language: str) -> str:
    """Return the standing of a mark in words, such as "Counts after two more performances"."""
    t, why = texts(language), standing.after_closing or standing.reason
    if why is None:
        return t("Counts")
    if standing.words:
        return f"{t(FIXED[why])}. {standing.words}"
    return t(FIXED[why]) if why in FIXED else _missing(standing, language)


def _missing(standing: Standing, language: str) -> str:
    """Return what the mark still needs: pieces, performances, or an older account."""
    t = texts(language)
    if standing.reason == NotCounted.PARTIAL:
        words = t.plural("Counts with {n} more piece", "Counts with {n} more pieces", standing.missing)
        return words.format(n=_number(standing.missing, t))
    if standing.due_at is not None:
        since = t("Counts from {time}").format(time=_since(standing.due_at, language))
        return f"{since}, {_after(standing.missing, t)}" if standing.missing else since
    if standing.missing:
        return t("Counts {after}").format(after=_after(standing.missing, t))
    return t("Counts once your other marks are approved")


def _after(performances: int, t: Texts) -> str:
    words = t.plural("after {n} more performance", "after {n} more performances", performances)
    return words.format(n=_number(performances, t))


def _number(count: int, t: Texts) -> str:
    """Return a number in words, from eleven on in digits."""
    return t(IN_WORDS[count]) if 0 < count < len(IN_WORDS) else str(count)


def _since(at: datetime, language: str) -> str:
    """Return a moment of today, tomorrow or later at the venue as plain text, such as "tomorrow, 18:40 in the hall".

    It is rounded up to a full minute: at the time shown the mark counts.
    """
    t, zone = texts(language), venue_zone()
    at += timedelta(seconds=-at.timestamp() % MINUTE)
    _, midnight = venue_day(timezone.now())
    if at < midnight:
        day = t("today")
    elif at < midnight + timedelta(days=1):
        day = t("tomorrow")
    else:
        day = day_month(at, zone=zone, language=language)
    return t("{day}, {time}").format(day=day, time=clock_time(at, zone=zone, language=language))
