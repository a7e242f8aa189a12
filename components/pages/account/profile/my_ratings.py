"""One's own ratings on the profile: marks, approval and deletion."""

from functools import partial

from apps.core.database.clock import venue_zone
from apps.core.database.paging import KeysetPage, keyset_page
from apps.core.texts import texts
from apps.ratings.selectors import Mark, RatingShown, cursor_of, ratings_own_list
from components.hooks.connection import use_viewer
from components.hooks.live_query import use_live_query
from components.markup import Markup, VdomDict, component, html
from components.parts.ratings.rating_marks import (
    hidden_badge,
    mark_delete_button,
    mark_list,
    pieces_count,
    rating_delete_button,
    state_badge,
)
from components.parts.ratings.rating_rows import points
from components.ui.blocks import link, list_ways
from components.ui.empty_states import no_marks
from components.ui.venue_time import day

ROWS = 20
DELETE: dict[str, object] = {"class": "link says__delete"}
Ratings = KeysetPage[RatingShown]
NO_RATINGS: Ratings = KeysetPage()


def own_read(*, account_id: int, before: str) -> Ratings:
    """Return a page of an account's ratings, the newest first, from the cursor `before` on."""
    return keyset_page(partial(ratings_own_list, user_id=account_id), cursor_of, before=before, size=ROWS)


@component
def my_ratings(before: str, initial: Ratings, language: str) -> VdomDict:
    """One's own ratings, kept current."""
    t, account_id = texts(language), use_viewer().id or 0
    topic = f"account.{account_id}.ratings"
    page = use_live_query(own_read, topic, "profiles", initial=initial, account_id=account_id, before=before)
    return html.section(
        {"class": "sheet sheet--next", "data-answers": ""},
        html.div({"class": "hang"}, html.h2(t("My Ratings"))),
        html.div(
            {"class": "body"},
            html.p({"class": "small", "data-answer": "", "role": "status"}),
            _list(page.rows, language) if page.rows else no_marks(t("You have not rated anything yet.")),
            list_ways("/profile?tab=ratings", page, t("Show more"), t),
        ),
    )


def _list(found: tuple[RatingShown, ...], language: str) -> VdomDict:
    return html.ol({"class": "letters__list own-ratings"}, *(_row(each, language) for each in found))


def _row(rating: RatingShown, language: str) -> VdomDict:
    t = texts(language)
    performance = rating.session_participant_id
    there = f"/participants/{rating.participant_id}?open={performance}#rating-{performance}"
    about = html.p(
        {"class": "own-ratings__about"},
        link(there, rating.participant),
        html.span({"class": "small muted"}, rating.session),
        day(rating.at, zone=venue_zone(), language=language),
    )
    badges = html.span({"class": "row"}, state_badge(rating.marks, t), hidden_badge(rating, t))
    return html.li(
        {"class": "own-ratings__row", "key": f"{rating.session_participant_id}"},
        about,
        html.p({"class": "own-ratings__what"}, *points(rating, t)),
        html.p({"class": "says__text"}, rating.whole.comment) if rating.whole else None,
        _marks(rating, language),
        html.p({"class": "row row--apart"}, badges, rating_delete_button(rating, t, DELETE)),
    )


def _marks(rating: RatingShown, language: str) -> Markup:
    """Return the pieces to unfold: which of several marks wait, and the button that deletes each alone."""
    t, marks = texts(language), rating.marks
    several, mixed = len(marks) > 1, len({each.approved for each in marks}) > 1

    def beside(each: Mark) -> Markup:
        state = state_badge([each], t) if mixed else None
        return html.span(
            {"class": "row"}, state, mark_delete_button(rating, each, language, DELETE) if several else None
        )

    return mark_list(pieces_count(rating, t), marks if rating.pieces else (), language, beside=beside)
