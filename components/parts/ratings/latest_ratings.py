"""The newest ratings of all."""

from dataclasses import dataclass
from functools import partial

from apps.core.database.clock import venue_zone
from apps.core.text_rules.names import initials
from apps.core.texts import texts
from apps.ratings.selectors import RatingShown
from apps.ratings.selectors import ratings_latest as latest_read
from components.markup import VdomDict, html
from components.parts.failures import read_or_nothing
from components.parts.people import oval
from components.parts.ratings.rating_marks import mark_list, mean_mark, pieces_count, pieces_keys, whole_mark
from components.parts.ratings.rating_rows import with_default_picture
from components.rendering.parts import public_part
from components.ui.empty_states import no_marks
from components.ui.people import disc, person
from components.ui.venue_time import ago

SHOWN = 5
# all that the title page follows, as specified; with the clock, so that a failed read is repeated
TOPICS = ("latest_news", "featured_participants", "clock.minute", "ratings.latest", "profiles")


@dataclass(frozen=True, slots=True)
class RatedParticipant:
    """The participant who was rated."""

    name: str
    avatar_url: str


@public_part(topics=lambda: TOPICS)
def latest_ratings(*, language: str) -> VdomDict:
    """The five newest ratings with their approved marks, and who gave them to whom."""
    nothing: tuple[RatingShown, ...] = ()
    found = read_or_nothing(partial(latest_read, limit=SHOWN), nothing)
    if not found:
        return html.div({"class": "body"}, no_marks(texts(language)("No ratings available yet.")))
    return html.ol({"class": "body ledger"}, *(_row(each, language) for each in with_default_picture(found)))


def _row(rating: RatingShown, language: str) -> VdomDict:
    t, at = texts(language), ago(rating.at, zone=venue_zone(), language=language)
    by = html.span(html.span({"class": "ledger__name"}, rating.author), at)
    return html.li(
        {"key": f"{rating.session_participant_id}-{rating.author_id}"},
        html.span({"class": "ledger__mark"}, mean_mark(rating, t)),
        html.span({"class": "ledger__keys"}, pieces_keys(rating)),
        _whom(rating, language),
        html.p({"class": "ledger__by"}, disc(rating.author, initials(rating.author), rating.author_avatar_url), by),
    )


def _whom(rating: RatingShown, language: str) -> VdomDict:
    to = html.a({"href": f"/participants/{rating.participant_id}"}, rating.participant)
    name = html.p({"class": "person__name"}, to, " ", html.small(rating.country))
    likeness = oval(RatedParticipant(rating.participant, rating.participant_avatar_url), "small")
    return person(likeness, name, _marks(rating, language))


def _marks(rating: RatingShown, language: str) -> VdomDict:
    """Return the marks in a line, "3 of 5 pieces: 18, 17, 21; the whole 4 of 5", with the pieces to unfold."""
    t = texts(language)
    scores = html.span({"class": "num"}, ", ".join(str(each.score) for each in rating.pieces))
    pieces = mark_list(html.span(pieces_count(rating, t), ": ", scores), rating.pieces, language)
    whole = (
        html.span({"class": "ledger__whole"}, t("the whole "), whole_mark(rating.whole, t)) if rating.whole else None
    )
    return html.div({"class": "ledger__marks"}, pieces, whole)
