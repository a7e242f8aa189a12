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
from components.parts.ratings.rating_rows import subject, with_default_picture
from components.rendering.parts import public_part
from components.ui.empty_states import no_marks
from components.ui.key_marks import five_keys, mark, mark_keys
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
    """The five newest approved ratings, with who gave them to whom."""
    nothing: tuple[RatingShown, ...] = ()
    found = read_or_nothing(partial(latest_read, limit=SHOWN), nothing)
    if not found:
        return html.div({"class": "body"}, no_marks(texts(language)("No ratings available yet.")))
    return html.ol({"class": "body ledger"}, *(_row(each, language) for each in with_default_picture(found)))


def _row(rating: RatingShown, language: str) -> VdomDict:
    t, at = texts(language), ago(rating.created_at, zone=venue_zone(), language=language)
    by = html.span(html.span({"class": "ledger__name"}, rating.author), at)
    of = t("{n} of 25") if rating.piece else t("{n} of 5")
    drawn = mark_keys(rating.score) if rating.piece else five_keys(rating.score, of.format(n=rating.score))
    return html.li(
        {"key": f"{rating.kind.value}-{rating.id}"},
        html.span({"class": "ledger__mark"}, mark(rating.score, of.format(n=rating.score))),
        html.span({"class": "ledger__keys"}, drawn),
        _whom(rating, language),
        html.p({"class": "ledger__by"}, disc(rating.author, initials(rating.author), rating.author_avatar_url), by),
    )


def _whom(rating: RatingShown, language: str) -> VdomDict:
    to = html.a({"href": f"/participants/{rating.participant_id}"}, rating.participant)
    name = html.p({"class": "person__name"}, to, " ", html.small(rating.country))
    likeness = oval(RatedParticipant(rating.participant, rating.participant_avatar_url), "small")
    return person(likeness, name, html.p(subject(rating, language)))
