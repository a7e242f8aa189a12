"""Row of the moderation list: one user's rating of one performance."""

from collections.abc import Sequence

from apps.core.database.fields import venue_zone
from apps.core.moderation import tick_of
from apps.core.texts import Texts, texts
from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.selectors.moderation_queue import QueueFilter
from apps.ratings.selectors.statistics import Mark, RatingShown
from apps.ratings.services.rating_moderation import RATING_MODERATION
from components.pages.admin.dashboard.moderation_queue import PLAIN
from components.parts.ratings.rating_rows import (
    hidden_badge,
    mark_delete_button,
    mark_list,
    pieces_count,
    quick_word,
    rating_delete_button,
    state_badge,
    subject_text,
    whole_mark,
)
from components.runtime import Markup, VdomDict, cached_markup, command_button, html
from components.ui.blocks import visually_hidden
from components.ui.people import performer_link, with_names
from components.ui.venue_time import ago

LINK = "link"


def rating_row(rating: RatingShown, filters: QueueFilter, language: str) -> VdomDict:
    """Return the row of a rating in a list with these filters."""
    return _row(rating, filters.kind, filters.decided, language, where=filters.session_id is None)


@cached_markup
def _row(
    rating: RatingShown, kind: RatingKind, decided: tuple[RatingKind, ...], language: str, *, where: bool
) -> VdomDict:
    """Return the row; `decided` are the kinds of marks that its buttons decide, `where` shows its session."""
    t, marks = texts(language), rating.waiting(*decided)
    is_open = bool(rating.waiting(kind))
    return html.li(
        {"key": f"{rating.appearance_id}-{rating.author_id}"},
        _tick(rating, marks, kind, t) if is_open else html.span(),
        html.div({"class": "queue__what"}, *_what(rating, kind, language, where)),
        html.div(
            {"class": "queue__acts"},
            *(_verdicts(rating, marks, kind, t) if is_open else [rating_delete_button(rating, t, {"class": PLAIN})]),
        ),
    )


def _tick(rating: RatingShown, marks: tuple[Mark, ...], kind: RatingKind, t: Texts) -> VdomDict:
    scores = ", ".join(str(mark.score) for mark in marks)
    name = t("{marks}: {name}, by {author}").format(marks=scores, name=rating.participant, author=rating.author)
    own = {"type": "checkbox", "class": "tick", "name": "rating", "value": tick_of(marks, kind)}
    return html.input(own | {"aria-label": t("Select: {rating}").format(rating=name)})


def _what(rating: RatingShown, kind: RatingKind, language: str, where: bool) -> list[Markup]:  # noqa: FBT001
    t = texts(language)
    when = ago(rating.at, zone=venue_zone(), language=language)
    to = performer_link(rating.participant_id, rating.participant)
    by = html.span({"class": "small muted"}, *with_names(t(" by {author}, "), author=rating.author), when)
    drawn = [_pieces(rating, t), _whole(rating, t)]
    badges = [state_badge(rating.marks, t) if not rating.waiting(kind) else None, hidden_badge(rating, t)]
    return [
        html.p({"class": "queue__who"}, to, by),
        html.p({"class": "queue__where"}, rating.session) if where else None,
        html.p({"class": "queue__marks"}, *(drawn if kind == RatingKind.PIECE else reversed(drawn))),
        html.p({"class": "queue__words"}, rating.whole.comment) if rating.whole and rating.whole.comment else None,
        _marks(rating, language),
        html.p({"class": "row"}, *badges) if any(badges) else None,
    ]


def _pieces(rating: RatingShown, t: Texts) -> Markup:
    """Return the marks of the pieces in one line; approved marks are muted."""
    if not rating.pieces:
        return None
    scores = (
        html.b({"key": mark.id}, str(mark.score))
        if not mark.approved
        else html.span({"key": mark.id, "class": "muted"}, str(mark.score), visually_hidden(t(" (approved)")))
        for mark in rating.pieces
    )
    spaced = [each for score in scores for each in (score, " ")]
    return html.span({"class": "queue__scores"}, visually_hidden(t("Marks: ")), *spaced)


def _whole(rating: RatingShown, t: Texts) -> Markup:
    if rating.whole is None:
        return None
    return html.span({"class": "queue__whole"}, whole_mark(rating.whole, t), quick_word(rating, t))


def _marks(rating: RatingShown, language: str) -> Markup:
    """Return the folded marks, each with buttons to decide or delete it alone."""
    t = texts(language)

    def beside(mark: Mark) -> Markup:
        if mark.approved:
            return mark_delete_button(rating, mark, language, {"class": LINK})
        named = t("{decision} only {what}, by {author}")
        about = {"what": subject_text(mark, language), "author": rating.author}
        labels = ((Verdict.REJECT, t("Reject")), (Verdict.APPROVE, t("Approve")))
        buttons = (
            _button(
                RATING_MODERATION.one_argument(each, [mark]),
                label,
                named=named.format(decision=label, **about),
                look=LINK,
                t=t,
            )
            for each, label in labels
        )
        return html.span({"class": "mark-list__acts"}, *buttons)

    return mark_list(pieces_count(rating, t), rating.marks, language, beside=beside)


def _verdicts(rating: RatingShown, marks: Sequence[Mark], kind: RatingKind, t: Texts) -> list[Markup]:
    """Return the buttons for the waiting marks; the labels name "both" if both kinds of marks wait."""
    both = len({mark.kind for mark in marks}) > 1
    labels = (
        (Verdict.REJECT, t("Reject both") if both else t("Reject"), LINK),
        (Verdict.APPROVE, t("Approve both") if both else t("Approve"), PLAIN),
    )
    named = t("{decision} ratings by {author}") if both else t("{decision} the rating by {author}")
    return [
        _button(
            RATING_MODERATION.one_argument(verdict, marks, kind),
            label,
            named=named.format(decision=label, author=rating.author),
            look=look,
            t=t,
        )
        for verdict, label, look in labels
    ]


def _button(argument: str, label: str, *, named: str, look: str, t: Texts) -> VdomDict:
    doing = command_button("rating_decide", argument, busy=t("Processing..."))
    return html.button({"class": look, "aria-label": named} | doing, label)
