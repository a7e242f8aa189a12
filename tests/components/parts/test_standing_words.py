"""The line about a member's mark: whether it counts, and what it still needs."""

import datetime as dt

from django.utils import timezone

from apps.ranking import limits, method
from apps.ranking.counting import Standing
from apps.ranking.enums import AfterClosing, NotCounted
from components.parts.ratings import standing_words as words
from components.parts.ratings.standing_words import standing_words, then_from, then_words
from tests.apps.test_numbers import NUMBERS
from tests.components.seen import every, read_part, text

NOON = dt.datetime(2021, 10, 12, 12, 0, tzinfo=dt.UTC)  # 14:00 in Warsaw
NEW, FEW, PARTIAL = NotCounted.NEW, NotCounted.FEW, NotCounted.PARTIAL


def from_(**delta):
    """Return the standing of a mark of an account that is too young for so long after NOON."""
    return Standing(NEW, due_at=NOON + dt.timedelta(**delta))


def test_line_names_what_is_missing(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    lines = [
        (Standing(mark=17.0), "Counts"),
        (Standing(NotCounted.REPEATED), "Does not count: a repeated performance"),
        (Standing(NotCounted.WAITING), "Waits for approval"),
        (Standing(PARTIAL, missing=1), "Counts with one more piece"),
        (Standing(PARTIAL, missing=3), "Counts with three more pieces"),
        (Standing(FEW, missing=1), "Counts after one more performance"),
        (Standing(FEW, missing=2), "Counts after two more performances"),
        (Standing(FEW), "Counts once your other marks are approved"),
        (Standing(PARTIAL, missing=10), "Counts with ten more pieces"),
        (Standing(PARTIAL, missing=11), "Counts with 11 more pieces"),
        (from_(hours=4, minutes=40), "Counts from today, 18:40\u00a0in\u00a0the\u00a0hall"),
        (from_(hours=9, minutes=59), "Counts from today, 23:59\u00a0in\u00a0the\u00a0hall"),
        (from_(hours=10), "Counts from tomorrow, 00:00\u00a0in\u00a0the\u00a0hall"),
        (from_(hours=9, minutes=59, microseconds=1), "Counts from tomorrow, 00:00\u00a0in\u00a0the\u00a0hall"),
        (from_(hours=28, minutes=39, seconds=30), "Counts from tomorrow, 18:40\u00a0in\u00a0the\u00a0hall"),
        (from_(hours=34), "Counts from 14\u00a0October, 00:00\u00a0in\u00a0the\u00a0hall"),
        (
            Standing(NEW, missing=2, due_at=NOON + dt.timedelta(hours=28, minutes=40)),
            "Counts from tomorrow, 18:40\u00a0in\u00a0the\u00a0hall, after two more performances",
        ),
        (Standing(after_closing=AfterClosing.GIVEN), "Does not count: given after the ranking was closed"),
        (Standing(after_closing=AfterClosing.GIVEN, mark=17.0), "Does not count: given after the ranking was closed"),
    ]
    assert [(standing, standing_words(standing, "en")) for standing, _ in lines] == lines


def test_reasons_have_different_lines_with_the_numbers_of_the_ranking():
    standings = [Standing(reason, missing=1, due_at=NOON if reason == NEW else None) for reason in NotCounted]
    standings += [Standing(after_closing=each) for each in AfterClosing]
    lines = [standing_words(each, "en") for each in [Standing(), *standings]]
    assert len(set(lines)) == len(NotCounted) + len(AfterClosing) + 1
    assert all(line.startswith(("Counts", "Does not count: ", "Waits for approval")) for line in lines)
    assert f"for {NUMBERS[limits.UNIFORM_FROM]} performances or more" in words.FIXED[NotCounted.UNIFORM]
    missing = method.LEAST_PERFORMANCES - 1
    assert NUMBERS[missing] in standing_words(Standing(FEW, missing=missing), "en")


def test_sentence_after_submit_says_what_the_mark_needs_once_approved(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: NOON)
    lines = [
        (Standing(), "Then counts."),
        (Standing(PARTIAL, missing=2), "Then counts with two more pieces."),
        (Standing(FEW, missing=1), "Then counts after one more performance."),
        (Standing(NotCounted.REPEATED), "Does not count: a repeated performance."),
        (Standing(NEW, due_at=NOON), ""),  # `then_from`
    ]
    assert [(standing, then_words(standing, "en")) for standing, _ in lines] == lines
    due = int((NOON + dt.timedelta(hours=27, minutes=12)).timestamp())
    seen = read_part(then_from, due, 2)
    assert text(seen) == "Then counts from tomorrow, 17:12 in the hall, after two more performances."
    (at,) = every(seen, "time")
    assert at["attributes"]["data-yours"] == "{time}\u00a0your\u00a0time"
    assert at["attributes"]["data-hall"] == "{time}\u00a0in\u00a0the\u00a0hall"
    assert text(read_part(then_from, due, 0)) == "Then counts from tomorrow, 17:12 in the hall."
