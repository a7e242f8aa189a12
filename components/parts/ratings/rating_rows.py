"""Rows of ratings: a performance's newest comments, and all ratings of a participant in pages."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from apps.accounts.selectors import default_avatars
from apps.community.enums import ReportKind
from apps.core.database.clock import venue_zone
from apps.core.database.paging import keyset_page
from apps.core.text_rules.names import initials
from apps.core.texts import Texts, texts
from apps.ratings.selectors import RatingShown, cursor_of, ratings_public, ratings_words
from components.markup import Markup, VdomDict, cached_markup, html
from components.parts.authors import authors_alone
from components.parts.ratings.rating_marks import (
    mark_delete_button,
    mark_list,
    mean_mark,
    pieces_count,
    pieces_keys,
    quick_word,
    rating_delete_button,
    whole_mark,
)
from components.parts.reporting import report_link
from components.rendering.parts import public_part, read_once
from components.ui.blocks import link, list_ways
from components.ui.empty_states import no_marks
from components.ui.linked_text import linked
from components.ui.people import disc
from components.ui.venue_time import day

LETTERS = 3
ROWS = 20


def with_default_picture(ratings: Sequence[RatingShown]) -> tuple[RatingShown, ...]:
    """Return these ratings, those by people without a picture with the default one. One query."""
    default = read_once(default_avatars).user_avatar_url
    return tuple(each if each.author_avatar_url else replace(each, author_avatar_url=default) for each in ratings)


def _topics(participant_id: int, *_more: str) -> tuple[str, ...]:
    return (f"participant.{participant_id}", f"participant.{participant_id}.ratings", "profiles")


def _words_topics(appearance_id: int, participant_id: int) -> tuple[str, ...]:
    return (f"participant.{participant_id}", f"session_participant.{appearance_id}.ratings", "profiles")


@public_part(topics=_words_topics)
def performance_words(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:
    """The newest comments on a performance."""
    t = texts(language)
    words = ratings_words(appearance_id=appearance_id, limit=LETTERS)
    if not words:
        return html.div({"hidden": True})
    more = link(f"/participants/{participant_id}?tab=ratings", t("All Ratings"))
    return html.section(
        {"class": "performance__part"},
        html.h3({"class": "performance__heading"}, t("What they wrote")),
        html.ol({"class": "letters"}, *(_letter(each, language) for each in with_default_picture(words))),
        html.p(more),
    )


@public_part(topics=_topics)
def participant_ratings(participant_id: int, before: str, *, language: str) -> VdomDict:
    """A participant's approved ratings, the newest first, those after the cursor `before` when there is one."""
    t = texts(language)
    page = keyset_page(partial(ratings_public, participant_id=participant_id), cursor_of, before=before, size=ROWS)
    if not page.rows:
        return html.div({"class": "letters"}, no_marks(t("No ratings available yet.")))
    rows = html.ol(
        {"class": "letters__list"}, *(_letter(each, language, full=True) for each in with_default_picture(page.rows))
    )
    ways = list_ways(f"/participants/{participant_id}?tab=ratings", page, t("Show more"), t)
    return html.div({"class": "letters"}, rows, ways)


def points(rating: RatingShown, t: Texts) -> list[Markup]:
    """Return the marks of a rating, drawn and as text: the mean of the pieces, then the whole performance."""
    pieces = html.span({"class": "points"}, mean_mark(rating, t), pieces_keys(rating)) if rating.pieces else None
    return [pieces, whole_mark(rating.whole, t) if rating.whole else None, quick_word(rating, t)]


@cached_markup
def _letter(rating: RatingShown, language: str, *, full: bool = False) -> VdomDict:
    t = texts(language)
    alone = authors_alone(rating.author_id)
    delete = rating_delete_button(rating, t, {"class": "link"} | alone) if full else None
    return html.li(
        {"class": "says", "key": f"{rating.session_participant_id}-{rating.author_id}"},
        disc(rating.author, initials(rating.author), rating.author_avatar_url),
        html.div(
            html.p(
                {"class": "says__by"},
                html.strong(rating.author),
                *points(rating, t),
                day(rating.at, zone=venue_zone(), language=language),
                html.span({"class": "quiet-acts"}, _report(rating, t), delete),
            ),
            html.p({"class": "small muted"}, rating.session) if full else None,
            _comment(rating),
            _marks_to_delete(rating, language, {"class": "link"} | alone) if full else None,
        ),
    )


def _comment(rating: RatingShown) -> Markup:
    """Return the words of a rating, where it has any."""
    if rating.whole is None or not rating.whole.comment:
        return None
    return html.p({"class": "says__text"}, *linked(rating.whole.comment))


def _marks_to_delete(rating: RatingShown, language: str, own: dict[str, object]) -> Markup:
    """Return the pieces to unfold, each mark with the button that deletes it alone, whose attributes are `own`."""
    several = len(rating.marks) > 1
    return mark_list(
        pieces_count(rating, texts(language)),
        rating.marks if rating.pieces else (),
        language,
        beside=lambda each: mark_delete_button(rating, each, language, own) if several else None,
    )


def _report(rating: RatingShown, t: Texts) -> Markup:
    """Return the link that reports a rating's words, where it has any."""
    if rating.whole is None or not rating.whole.comment:
        return None
    named = t("the comment by {author}").format(author=rating.author)
    return report_link(ReportKind.RATING_COMMENT, rating.whole.id, author_id=rating.author_id, named=named, t=t)
