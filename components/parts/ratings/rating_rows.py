"""Rows of ratings: a performance's newest comments, and all ratings of a participant in pages."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from apps.accounts.selectors.own_account import default_avatars
from apps.community.enums import ReportKind
from apps.core.database.fields import venue_zone
from apps.core.database.paging import keyset_page
from apps.core.text_rules import initials
from apps.core.texts import Texts, texts
from apps.ratings.enums import QuickRating
from apps.ratings.selectors.lists import cursor_of, ratings_by_id, ratings_public, ratings_words, words_by_id
from apps.ratings.selectors.statistics import Mark, PieceMark, RatingShown, WholeMark
from components.parts.people import authors_alone
from components.parts.ratings.covering import figures_slot, show_button
from components.parts.reporting import report_link
from components.runtime import (
    Markup,
    Ref,
    VdomDict,
    cached_markup,
    command_button,
    html,
    public_part,
    read_once,
    read_together,
    shared_part,
)
from components.ui.blocks import acts_menu, badge, link, linked, list_ways, visually_hidden
from components.ui.empty_states import no_marks
from components.ui.marks import five_keys, mark, mark_keys
from components.ui.people import disc
from components.ui.pieces import work, work_text
from components.ui.venue_time import day

Beside = Callable[[Mark], Markup]  # returns the content beside a mark: a badge, buttons


def mean_mark(rating: RatingShown, t: Texts) -> VdomDict:
    """Return the mean of the pieces as a number, a dash without any."""
    if rating.mean is None:
        return html.span({"class": "mark"}, html.span({"aria-hidden": "true"}, "–"), visually_hidden(t("no pieces")))
    return mark(rating.mean, t("average {n} of 25").format(n=rating.mean))


def pieces_keys(rating: RatingShown) -> VdomDict:
    """Return the small keyboard with the struck keys; the numbers are beside it."""
    return mark_keys({each.score for each in rating.pieces})


def whole_mark(whole: WholeMark, t: Texts) -> VdomDict:
    """Return the mark of the whole performance, as five keys and "4 of 5"."""
    return five_keys(whole.score, t("{n} of 5").format(n=whole.score))


def quick_word(rating: RatingShown, t: Texts) -> Markup:
    """Return the quick rating, if any."""
    if not (rating.whole and rating.whole.quick_rating):
        return None
    return html.span({"class": "small muted"}, t(str(QuickRating(rating.whole.quick_rating).label)))


def pieces_count(rating: RatingShown, t: Texts) -> str:
    """Return how many pieces of the program have a mark, as "3 of 5 pieces"."""
    all_pieces = max(rating.program_length, len(rating.pieces))
    words = t.plural("{n} of %(n)d piece", "{n} of %(n)d pieces", all_pieces)
    return words.format(n=len(rating.pieces))


def mark_list(summary: Markup, marks: Sequence[Mark], language: str, *, beside: Beside = lambda _mark: None) -> Markup:
    """Return a list of marks that unfolds, each with its subject and the content beside it; None without marks."""
    if not marks:
        return None
    lines = (
        html.li(
            {"key": f"{each.kind.value}-{each.id}"},
            html.span({"class": "mark-list__mark"}, mark(each.score, mark_words(each, texts(language)))),
            subject(each, language),
            beside(each),
        )
        for each in marks
    )
    return html.details({"key": "marks", "class": "mark-list"}, html.summary(summary), html.ol(*lines))


def mark_words(each: Mark, t: Texts) -> str:
    """Return a mark in words, as "23 of 25"."""
    return (t("{n} of 25") if isinstance(each, PieceMark) else t("{n} of 5")).format(n=each.score)


def subject(each: Mark, language: str) -> VdomDict:
    """Return what a mark is about: the piece, or the whole performance."""
    if isinstance(each, PieceMark):
        return work(each.piece, language=language)
    return html.span({"class": "work"}, html.b(texts(language)("The whole performance")))


def subject_text(each: Mark, language: str) -> str:
    """Return what a mark is about as plain text."""
    if isinstance(each, PieceMark):
        return work_text(each.piece, language=language)
    return texts(language)("The whole performance")


def rating_delete_button(rating: RatingShown, t: Texts, own: dict[str, object]) -> VdomDict:
    """Return the button that deletes a rating with all its marks after asking; `own` are its attributes."""
    named = t("{name}, {session}, by {author}").format(
        name=rating.participant, session=rating.session, author=rating.author
    )
    asking = _asking(named, t("All its marks and the comment will be gone for everybody."), t)
    command = command_button("rating_delete", f"{rating.appearance_id}:{rating.author_id}", **asking)
    return html.button(own | command, t("Delete"), visually_hidden(f": {named}", has_name=True))


def mark_delete_button(rating: RatingShown, each: Mark, language: str, own: dict[str, object]) -> VdomDict:
    """Return the button that deletes one mark of a rating after asking; `own` are its attributes."""
    t = texts(language)
    named = t("{what}, {name}, by {author}").format(
        what=subject_text(each, language), name=rating.participant, author=rating.author
    )
    asking = _asking(named, t("It will be gone for everybody."), t)
    command = command_button("mark_delete", f"{each.kind.value}:{each.id}", **asking)
    return html.button(own | command, t("Delete"), visually_hidden(f": {named}", has_name=True))


def _asking(named: str, words: str, t: Texts) -> dict[str, str]:
    """Return the texts of a delete button: its label during the deletion, and the question before it."""
    question = t("Delete the rating “{rating}”?").format(rating=named)
    return {"busy": t("Deleting..."), "confirm": question, "words": words, "yes": t("Delete")}


def hidden_badge(rating: RatingShown, t: Texts) -> Markup:
    """Return the badge of a hidden comment, None for a public one."""
    hidden = rating.whole is not None and rating.whole.is_comment_hidden
    return badge(t("Comment hidden"), "quiet") if hidden else None


def state_badge(marks: Sequence[Mark], t: Texts) -> VdomDict:
    """Return the badge for the approval of marks: all of them, some or none."""
    waiting = sum(not each.approved for each in marks)
    if not waiting:
        return badge(t("Approved"))
    if waiting == len(marks):
        return badge(t("Waiting for approval"), "quiet")
    return badge(t.plural("%(n)d mark waits for approval", "%(n)d marks wait for approval", waiting), "quiet")


LETTERS = 3
ROWS = 20


def covered_marks(rating: RatingShown, t: Texts) -> tuple[Markup, ...]:
    """Return the content in the place of marks that are covered for the viewer, with the button that shows them.

    The style sheet shows it beside a covered slot.
    """
    show = show_button(rating.appearance_id, rating.participant, t)
    return t("Marks covered"), " · ", show, " ", html.span({"data-answer": "", "role": "status"})


def with_default_picture(ratings: Sequence[RatingShown]) -> tuple[RatingShown, ...]:
    """Return these ratings with the default picture for authors without one. One query."""
    default = read_once(default_avatars).user_avatar_url
    return tuple(each if each.author_avatar_url else replace(each, author_avatar_url=default) for each in ratings)


def _topics(participant_id: int, *_more: str) -> tuple[str, ...]:
    return (f"participant.{participant_id}", f"participant.{participant_id}.ratings", "profiles")


def _words_topics(appearance_id: int, participant_id: int) -> tuple[str, ...]:
    return (f"participant.{participant_id}", f"session_participant.{appearance_id}.ratings", "profiles")


def _words_read(ids: tuple[int, ...]) -> Mapping[int, RatingShown]:
    """Return these ratings of whole performances by id. One query."""
    return words_by_id(ids=ids)


@public_part(topics=lambda _words_id, author_id: (f"author.{author_id}.ratings",), together=_words_read)
def words_marks(words_id: int, author_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The mark of a whole performance beside a comment, and the quick rating."""
    t, rating = texts(language), read_together(_words_read, words_id)
    return html.div({"class": "says__marks"}, *points(rating, t)) if rating else html.div({"hidden": True})


@public_part(topics=_words_topics)
def performance_words(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:
    """The newest comments on a performance."""
    t = texts(language)
    words = with_default_picture(ratings_words(appearance_id=appearance_id, limit=LETTERS))
    if not words:
        return html.div({"hidden": True})
    more = link(f"/participants/{participant_id}?tab=ratings", t("All Ratings"))
    return html.section(
        {"class": "performance__part"},
        html.h3({"class": "performance__heading"}, t("What they wrote")),
        html.ol({"class": "letters"}, *(_letter(each, _words_marks(each, language), language) for each in words)),
        html.p(more),
    )


def _words_marks(rating: RatingShown, language: str) -> Ref:
    return words_marks(rating.id, rating.author_id, language=language)


def _marks_read(ids: tuple[int, ...]) -> Mapping[int, RatingShown]:
    """Return these ratings by id. Four queries."""
    return ratings_by_id(ids=ids)


def _marks_topics(_rating_id: int, author_id: int, participant_id: int) -> tuple[str, ...]:
    return (f"author.{author_id}.ratings", f"participant.{participant_id}", "profiles")


@public_part(topics=_marks_topics, together=_marks_read)
def rating_marks(rating_id: int, author_id: int, participant_id: int, *, language: str) -> VdomDict:  # noqa: ARG001 - a topic
    """The approved marks of one rating: drawn, and as a list that unfolds, with a button that deletes each."""
    t, rating = texts(language), read_together(_marks_read, rating_id)
    if rating is None:
        return html.div({"hidden": True})
    own = {"class": "link"} | authors_alone(author_id)
    return html.div({"class": "says__marks"}, *points(rating, t), _marks_to_delete(rating, language, own))


@public_part(topics=_topics)
def participant_ratings(participant_id: int, before: str, *, language: str) -> VdomDict:
    """A page of a participant's approved ratings, newest first, after the cursor `before`."""
    t = texts(language)
    page = keyset_page(partial(ratings_public, participant_id=participant_id), cursor_of, before=before, size=ROWS)
    if not page.rows:
        return html.div({"class": "letters"}, no_marks(t("No ratings available yet.")))
    rows = html.ol(
        {"class": "letters__list"},
        *(
            _letter(each, rating_marks(each.id, each.author_id, participant_id, language=language), language, full=True)
            for each in with_default_picture(page.rows)
        ),
    )
    ways = list_ways(f"/participants/{participant_id}?tab=ratings", page, t("Show more"), t)
    return html.div({"class": "letters"}, rows, ways)


def points(rating: RatingShown, t: Texts) -> list[Markup]:
    """Return the marks of a rating, drawn and as text: the mean of the pieces, then the whole performance."""
    pieces = html.span({"class": "points"}, mean_mark(rating, t), pieces_keys(rating)) if rating.pieces else None
    return [pieces, whole_mark(rating.whole, t) if rating.whole else None, quick_word(rating, t)]


@cached_markup
def _letter(rating: RatingShown, marks: Ref, language: str, *, full: bool = False) -> VdomDict:
    """Return the row of a rating; `marks` may be covered."""
    t = texts(language)
    own = {"class": "link"} | authors_alone(rating.author_id)
    delete = rating_delete_button(rating, t, own) if full else None
    acts = acts_menu(_report(rating, t), delete, named=t("the rating by {author}").format(author=rating.author), t=t)
    return html.li(
        {"class": "says", "key": f"{rating.appearance_id}-{rating.author_id}"},
        disc(rating.author, initials(rating.author), rating.author_avatar_url),
        html.div(
            {"class": "says__rated"},
            html.div(
                {"class": "says__by"},
                html.strong({"translate": "no"}, rating.author),
                day(rating.at, zone=venue_zone(), language=language),
                acts,
            ),
            html.p({"class": "small muted"}, rating.session) if full else None,
            _comment(rating),
            html.div({"class": "says__marks"} | figures_slot(rating.appearance_id), shared_part(marks)),
            html.p({"class": "says__covered", "data-answers": ""}, *covered_marks(rating, t)),
        ),
    )


def _comment(rating: RatingShown) -> Markup:
    """Return the comment of a rating, if any."""
    if rating.whole is None or not rating.whole.comment:
        return None
    return html.p({"class": "says__text"}, *linked(rating.whole.comment))


def _marks_to_delete(rating: RatingShown, language: str, own: dict[str, object]) -> Markup:
    """Return the marks, which unfold. Each has a button, with the attributes `own`, that deletes only this mark."""
    several = len(rating.marks) > 1
    return mark_list(
        pieces_count(rating, texts(language)),
        rating.marks if rating.pieces else (),
        language,
        beside=lambda each: mark_delete_button(rating, each, language, own) if several else None,
    )


def _report(rating: RatingShown, t: Texts) -> Markup:
    """Return the link that reports a rating's comment, if any."""
    if rating.whole is None or not rating.whole.comment:
        return None
    named = t("the comment by {author}").format(author=rating.author)
    return report_link(ReportKind.RATING_COMMENT, rating.whole.id, author_id=rating.author_id, named=named, t=t)
