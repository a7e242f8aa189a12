"""Rows of ratings; a participant's newest comments, and all ratings in pages."""

from dataclasses import replace
from functools import partial

from apps.accounts.selectors import default_avatars
from apps.community.enums import ReportKind
from apps.core.database.clock import venue_zone
from apps.core.database.paging import keyset_page
from apps.core.text_rules.names import initials
from apps.core.texts import Texts, texts
from apps.ratings.enums import QuickRating, RatingKind
from apps.ratings.selectors import RatingShown, cursor_of, ratings_public
from components.markup import Markup, VdomDict, cached_markup, html
from components.parts.authors import authors_alone
from components.parts.reporting import report_link
from components.rendering.parts import public_part, read_once
from components.ui.blocks import badge, link, list_ways, visually_hidden
from components.ui.controls.commands import command_button
from components.ui.empty_states import no_marks
from components.ui.key_marks import five_keys, mark, mark_keys
from components.ui.people import disc
from components.ui.piece_title import work, work_text
from components.ui.venue_time import day

LETTERS = 5
ROWS = 30


def with_default_picture(ratings: tuple[RatingShown, ...]) -> tuple[RatingShown, ...]:
    """Return these ratings, those by people without a picture with the default one. One query."""
    default = read_once(default_avatars).user_avatar_url
    return tuple(each if each.author_avatar_url else replace(each, author_avatar_url=default) for each in ratings)


def _topics(participant_id: int, *_more: str) -> tuple[str, ...]:
    return (f"participant.{participant_id}", f"participant.{participant_id}.ratings", "profiles")


@public_part(topics=_topics)
def participant_letters(participant_id: int, *, language: str) -> VdomDict:
    """The newest comments on a participant's performances."""
    t = texts(language)
    words = ratings_public(participant_id=participant_id, kinds=(RatingKind.PERFORMANCE,), limit=LETTERS)
    if not words:
        return html.section({"hidden": True})
    more = link(f"/participants/{participant_id}?tab=ratings", t("All Ratings"))
    return html.section(
        {"class": "sheet sheet--ruled"},
        html.div({"class": "hang"}, html.h2(t("What they wrote")), html.p(more)),
        html.ol({"class": "body letters"}, *(_letter(each, language) for each in with_default_picture(words))),
    )


@public_part(topics=_topics)
def participant_ratings(participant_id: int, before: str, *, language: str) -> VdomDict:
    """A participant's approved ratings, the newest first, those after the cursor `before` when there is one."""
    t = texts(language)
    read = partial(ratings_public, participant_id=participant_id)
    page = keyset_page(read, cursor_of, before=before, size=ROWS, kinds=tuple(RatingKind))
    if not page.rows:
        return html.div({"class": "letters"}, no_marks(t("No ratings available yet.")))
    rows = html.ol(
        {"class": "letters__list"}, *(_letter(each, language, full=True) for each in with_default_picture(page.rows))
    )
    ways = list_ways(f"/participants/{participant_id}?tab=ratings", page, t("Show more"), t)
    return html.div({"class": "letters"}, rows, ways)


def points(rating: RatingShown, t: Texts) -> VdomDict:
    """Return the mark of a rating, drawn and as text."""
    if rating.piece is None:
        return five_keys(rating.score, t("{n} of 5").format(n=rating.score))
    return html.span(
        {"class": "points"}, mark(rating.score, t("{n} of 25").format(n=rating.score)), mark_keys(rating.score)
    )


def quick_word(rating: RatingShown, t: Texts) -> Markup:
    """Return the quick rating, if any."""
    if not rating.quick_rating:
        return None
    return html.span({"class": "small muted"}, t(str(QuickRating(rating.quick_rating).label)))


def subject(rating: RatingShown, language: str) -> VdomDict:
    """Return what a rating is about: the piece, or the whole performance."""
    if rating.piece is not None:
        return work(rating.piece, language=language)
    return html.span({"class": "work"}, html.b(texts(language)("The whole performance")))


def delete_button(rating: RatingShown, language: str, look: str) -> VdomDict:
    """Return the button that deletes a rating after asking."""
    t = texts(language)
    what = work_text(rating.piece, language=language) if rating.piece else t("The whole performance")
    named = t("{what}, {name}, by {author}").format(what=what, name=rating.participant, author=rating.author)
    asking = command_button(
        "rating_delete",
        f"{rating.kind.value}:{rating.id}",
        busy=t("Deleting..."),
        confirm=t("Delete the rating “{rating}”?").format(rating=named),
        words=t("It will be gone for everybody."),
        yes=t("Delete"),
    )
    alone = authors_alone(rating.author_id) if look == "link" else {}
    return html.button({"class": look} | alone | asking, t("Delete"), visually_hidden(f": {named}"))


@cached_markup
def _letter(rating: RatingShown, language: str, *, full: bool = False) -> VdomDict:
    t = texts(language)
    about = html.p({"class": "small muted"}, subject(rating, language), " · ", rating.session) if full else None
    return html.li(
        {"class": "says", "key": f"{rating.kind.value}-{rating.id}"},
        disc(rating.author, initials(rating.author), rating.author_avatar_url),
        html.div(
            html.p(
                {"class": "says__by"},
                html.strong(rating.author),
                points(rating, t),
                quick_word(rating, t),
                day(rating.created_at, zone=venue_zone(), language=language),
                html.span(
                    {"class": "quiet-acts"},
                    _report(rating, t),
                    delete_button(rating, language, "link") if full else None,
                ),
            ),
            about,
            html.p({"class": "says__text"}, rating.comment) if rating.comment else None,
        ),
    )


def _report(rating: RatingShown, t: Texts) -> Markup:
    """Return the link that reports a rating's words, where it has any."""
    if not rating.comment:
        return None
    named = t("the comment by {author}").format(author=rating.author)
    return report_link(ReportKind.RATING_COMMENT, rating.id, author_id=rating.author_id, named=named, t=t)


def hidden_badge(rating: RatingShown, t: Texts) -> Markup:
    """Return the badge that says that nobody else reads a rating's comment, None where everybody may."""
    return badge(t("Comment hidden"), "quiet") if rating.is_comment_hidden else None


def state_badge(rating: RatingShown, t: Texts) -> VdomDict:
    """Return the badge that says whether a rating is approved."""
    return badge(t("Approved")) if rating.approved else badge(t("Waiting for approval"), "quiet")
