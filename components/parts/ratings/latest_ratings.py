"""The newest ratings, and the distribution of the day's marks, for the home page."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from django.utils import timezone

from apps.core.database.fields import venue_day, venue_zone
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.ratings.selectors.lists import DayMarks, ratings_by_id
from apps.ratings.selectors.lists import day_marks as day_marks_read
from apps.ratings.selectors.lists import ratings_latest as latest_read
from apps.ratings.selectors.statistics import RatingShown
from components.parts.failures import read_or_nothing
from components.parts.people import oval
from components.parts.ratings.covering import figures_slot
from components.parts.ratings.performance import with_most_often
from components.parts.ratings.rating_rows import (
    covered_marks,
    mark_list,
    mean_mark,
    pieces_count,
    pieces_keys,
    whole_mark,
    with_default_picture,
)
from components.runtime import VdomDict, html, public_part, read_together, shared_part, slot
from components.ui.empty_states import no_marks
from components.ui.marks import string_lengths, strings
from components.ui.people import disc, performer_link, person
from components.ui.venue_time import ago

SHOWN = 5
# the topics of the home page, as specified, and the clock, so that a failed read is repeated
TOPICS = ("latest_news", "featured_participants", "clock.minute", "ratings.latest", "profiles")


@dataclass(frozen=True, slots=True)
class RatedParticipant:
    """A rated participant's name and picture."""

    name: str
    avatar_url: str


def _marks_read(ids: tuple[int, ...]) -> Mapping[int, RatingShown]:
    """Return these ratings by id, none if the read fails. Four queries."""
    nothing: Mapping[int, RatingShown] = {}
    return read_or_nothing(partial(ratings_by_id, ids=ids), nothing)


@public_part(topics=lambda _rating_id, author_id: ("clock.minute", f"author.{author_id}.ratings"), together=_marks_read)
def latest_marks(rating_id: int, author_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The approved marks of one of the newest ratings: their mean, the keys, and a list."""
    t, rating = texts(language), read_together(_marks_read, rating_id)
    if rating is None:
        return html.div({"hidden": True})
    return html.div(
        {"class": "ledger__points"},
        html.span({"class": "ledger__mark"}, mean_mark(rating, t)),
        html.span({"class": "ledger__keys"}, pieces_keys(rating)),
        _marks(rating, language),
    )


@public_part(topics=lambda: TOPICS)
def latest_ratings(*, language: str) -> VdomDict:
    """The five newest ratings: author, participant, and the marks inside, which may be covered."""
    nothing: tuple[RatingShown, ...] = ()
    found = read_or_nothing(partial(latest_read, limit=SHOWN), nothing)
    if not found:
        return html.div({"class": "body"}, no_marks(texts(language)("No ratings available yet.")))
    return html.ol({"class": "body ledger"}, *(_row(each, language) for each in with_default_picture(found)))


def _row(rating: RatingShown, language: str) -> VdomDict:
    t, at = texts(language), ago(rating.at, zone=venue_zone(), language=language)
    by = html.span(html.span({"class": "ledger__name", "translate": "no"}, rating.author), at)
    marks = latest_marks(rating.id, rating.author_id, language=language)
    return html.li(
        {"key": f"{rating.appearance_id}-{rating.author_id}"},
        _whom(rating),
        html.div({"class": "ledger__points"} | figures_slot(rating.appearance_id), shared_part(marks)),
        html.p({"class": "ledger__covered", "data-answers": ""}, *covered_marks(rating, t)),
        html.p({"class": "ledger__by"}, disc(rating.author, initials(rating.author), rating.author_avatar_url), by),
    )


def _whom(rating: RatingShown) -> VdomDict:
    to = performer_link(rating.participant_id, rating.participant)
    name = html.p({"class": "person__name"}, to, " ", html.small(rating.country))
    likeness = oval(RatedParticipant(rating.participant, rating.participant_avatar_url), "small")
    return person(likeness, name)


def _marks(rating: RatingShown, language: str) -> VdomDict:
    """Return the marks in one line, "3 of 5 pieces: 18, 17, 21; the whole 4 of 5", which unfolds to the pieces."""
    t = texts(language)
    scores = html.span({"class": "num"}, ", ".join(str(each.score) for each in rating.pieces))
    pieces = mark_list(html.span(pieces_count(rating, t), ": ", scores), rating.pieces, language)
    whole = (
        html.span({"class": "ledger__whole"}, html.span(t("the whole ")), whole_mark(rating.whole, t))
        if rating.whole
        else None
    )
    return html.div({"class": "ledger__marks"}, pieces, whole)


DAY_MARKS = "day_marks"  # the slots' name
EVERY = 1 / 3  # seconds between two reads
DAY_MARKS_TOPICS = ("latest_news", "featured_participants", "clock.minute", "ratings.latest", "sessions")


@public_part(topics=lambda: DAY_MARKS_TOPICS, every=EVERY)
def day_marks(*, language: str) -> VdomDict:
    """The distribution of the day's marks as strings, with their number.

    Before the day's first mark it is that of the last session; without any marks it is the keyboard alone.
    """
    since, until = venue_day(timezone.now())
    marks = read_or_nothing(partial(day_marks_read, since=since, until=until), DayMarks())
    figures = marks.figures
    lengths = string_lengths(figures.distribution)
    about, count = _note(marks, texts(language))
    return html.div(
        {"class": "day-marks"},
        html.div({"class": "hero__board"}, strings(lengths, numbered_to=max(figures.most_frequent, default=None))),
        html.p({"class": "hero__note"}, html.span(about), " ", html.span(count)),
    )


def _note(marks: DayMarks, t: Texts) -> tuple[str, str]:
    """Return the caption of the strings, and the number of marks in words."""
    figures = marks.figures
    today = t("Twenty-five keys, twenty-five marks. The longer the string, the more often its key was struck today.")
    if not figures.count:
        return today, t("No marks yet")
    counted = t.plural("{n} mark", "{n} marks", figures.count).format(n=f"{figures.count:,}")
    if marks.session:
        about = t("Twenty-five keys, twenty-five marks. The longer the string, the more often its key was struck.")
        return about, t("{title}: {marks}").format(title=marks.session, marks=with_most_often(counted, figures, t))
    return today, with_most_often(t("{count} so far").format(count=counted), figures, t)


@public_part(topics=lambda: ())  # it never changes; its inner part does
def day_marks_beside_words(*, language: str) -> VdomDict:
    """The day's marks for anonymous visitors. A member's fill takes them away: the day has covered performances."""
    return html.div(slot(DAY_MARKS, "all"), shared_part(day_marks(language=language)))
