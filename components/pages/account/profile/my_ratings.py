"""One's own ratings on the profile: marks, approval and deletion."""

from functools import partial

from apps.core.database.clock import venue_zone
from apps.core.database.paging import KeysetPage, keyset_page
from apps.core.texts import texts
from apps.ratings.enums import RatingKind
from apps.ratings.selectors import RatingShown, cursor_of, ratings_own_list
from components.hooks.connection import use_viewer
from components.hooks.live_query import use_live_query
from components.markup import VdomDict, component, html
from components.parts.ratings.rating_rows import delete_button, hidden_badge, points, quick_word, state_badge, subject
from components.ui.blocks import link, list_ways
from components.ui.empty_states import no_marks
from components.ui.venue_time import day

ROWS = 30
Ratings = KeysetPage[RatingShown]
NO_RATINGS: Ratings = KeysetPage()


def own_read(*, account_id: int, before: str) -> Ratings:
    """Return a page of an account's ratings, the newest first, from the cursor `before` on."""
    read = partial(ratings_own_list, user_id=account_id)
    return keyset_page(read, cursor_of, before=before, size=ROWS, kinds=tuple(RatingKind))


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
    there = f"/participants/{rating.participant_id}#rating-{rating.session_participant_id}"
    about = html.p(
        {"class": "own-ratings__about"},
        link(there, rating.participant),
        html.span({"class": "small muted"}, rating.session),
        day(rating.created_at, zone=venue_zone(), language=language),
    )
    delete = delete_button(rating, language, "link says__delete")
    return html.li(
        {"class": "own-ratings__row", "key": f"{rating.kind.value}-{rating.id}"},
        html.p({"class": "own-ratings__what"}, subject(rating, language), points(rating, t), quick_word(rating, t)),
        about,
        html.p({"class": "says__text"}, rating.comment) if rating.comment else None,
        html.p(
            {"class": "row row--apart"},
            html.span({"class": "row"}, state_badge(rating, t), hidden_badge(rating, t)),
            delete,
        ),
    )
