"""Whether a member's mark counts in the ranking, and what it still needs, in one line."""

from datetime import UTC, datetime, timedelta

from django.utils import timezone

from apps.core.database.fields import venue_day, venue_zone
from apps.core.limits import MINUTE
from apps.core.texts import Texts, texts
from apps.ranking.counting import Standing
from apps.ranking.enums import AfterClosing, NotCounted
from components.runtime import VdomDict, html, public_part
from components.ui.venue_time import clock, clock_time, day_month

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
        at = full_minute(standing.due_at)
        since = t("{day}, {time}").format(
            day=_day(at, language), time=clock_time(at, zone=venue_zone(), language=language)
        )
        words = t("Counts from {time}").format(time=since)
        return f"{words}, {_after(standing.missing, t)}" if standing.missing else words
    if standing.missing:
        return t("Counts {after}").format(after=_after(standing.missing, t))
    return t("Counts once your other marks are approved")


def then_words(standing: Standing, language: str) -> str:
    """Return what comes after the approval of a mark that then has this standing, as a sentence.

    Empty for an account that is too young: `then_from` says from when it counts.
    """
    t = texts(language)
    if standing.due_at is not None and standing.reason == NotCounted.NEW:
        return ""
    if standing.counts:
        return t("Then counts.")
    if standing.reason == NotCounted.PARTIAL:
        words = t.plural("Then counts with {n} more piece.", "Then counts with {n} more pieces.", standing.missing)
        return words.format(n=_number(standing.missing, t))
    if standing.reason == NotCounted.FEW and standing.missing and standing.after_closing is None:
        return t("Then counts {after}.").format(after=_after(standing.missing, t))
    return f"{standing_words(standing, language)}."


@public_part(topics=lambda *_: ())  # a moment that does not change
def then_from(due: int, missing: int, *, language: str) -> VdomDict:
    """From when a mark counts that waits for approval, and after how many more performances.

    `due` is that moment in seconds of Unix time.
    """
    t, at = texts(language), datetime.fromtimestamp(due, UTC)
    before, _, after = t("Then counts from {time}").partition("{time}")
    day, _, end = t("{day}, {time}").format(day=_day(at, language), time="{time}").partition("{time}")
    time = clock(at, zone=venue_zone(), language=language)
    more = f", {_after(missing, t)}" if missing else ""
    return html.span(before, day, time, f"{end}{after}{more}.")


def full_minute(at: datetime) -> datetime:
    """Return the moment rounded up to a full minute: at the time shown the mark counts."""
    return at + timedelta(seconds=-at.timestamp() % MINUTE)


def _after(performances: int, t: Texts) -> str:
    words = t.plural("after {n} more performance", "after {n} more performances", performances)
    return words.format(n=_number(performances, t))


def _number(count: int, t: Texts) -> str:
    """Return a number in words, from eleven on in digits."""
    return t(IN_WORDS[count]) if 0 < count < len(IN_WORDS) else str(count)


def _day(at: datetime, language: str) -> str:
    """Return the day of a moment at the venue as plain text: today, tomorrow, or its date."""
    t = texts(language)
    _, midnight = venue_day(timezone.now())
    if at < midnight:
        return t("today")
    if at < midnight + timedelta(days=1):
        return t("tomorrow")
    return day_month(at, zone=venue_zone(), language=language)
