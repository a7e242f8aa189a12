"""The marks of one rating: their mean, the keys that were struck, the whole performance, the pieces to unfold."""

from collections.abc import Callable, Sequence

from apps.core.texts import Texts, texts
from apps.ratings.enums import QuickRating
from apps.ratings.selectors import Mark, PieceMark, RatingShown, WholeMark
from components.markup import Markup, VdomDict, html
from components.ui.blocks import badge, visually_hidden
from components.ui.controls.commands import command_button
from components.ui.key_marks import five_keys, mark, mark_keys
from components.ui.piece_title import work, work_text

Beside = Callable[[Mark], Markup]  # what stands beside a mark: a badge, buttons


def mean_mark(rating: RatingShown, t: Texts) -> VdomDict:
    """Return the mean of the pieces as a number, a dash without any."""
    if rating.mean is None:
        return html.span({"class": "mark"}, html.span({"aria-hidden": "true"}, "–"), visually_hidden(t("no pieces")))
    return mark(rating.mean, t("average {n} of 25").format(n=rating.mean))


def pieces_keys(rating: RatingShown) -> VdomDict:
    """Return the small keyboard with the keys that were struck; the numbers stand beside it."""
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
    """Return marks to unfold, each with what it is about and what stands beside it; None without any."""
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
    command = command_button("rating_delete", f"{rating.session_participant_id}:{rating.author_id}", **asking)
    return html.button(own | command, t("Delete"), visually_hidden(f": {named}"))


def mark_delete_button(rating: RatingShown, each: Mark, language: str, own: dict[str, object]) -> VdomDict:
    """Return the button that deletes one mark of a rating after asking; `own` are its attributes."""
    t = texts(language)
    named = t("{what}, {name}, by {author}").format(
        what=subject_text(each, language), name=rating.participant, author=rating.author
    )
    asking = _asking(named, t("It will be gone for everybody."), t)
    command = command_button("mark_delete", f"{each.kind.value}:{each.id}", **asking)
    return html.button(own | command, t("Delete"), visually_hidden(f": {named}"))


def _asking(named: str, words: str, t: Texts) -> dict[str, str]:
    """Return what a button that deletes says before and meanwhile."""
    question = t("Delete the rating “{rating}”?").format(rating=named)
    return {"busy": t("Deleting..."), "confirm": question, "words": words, "yes": t("Delete")}


def hidden_badge(rating: RatingShown, t: Texts) -> Markup:
    """Return the badge that says that nobody else reads a rating's comment, None where everybody may."""
    hidden = rating.whole is not None and rating.whole.is_comment_hidden
    return badge(t("Comment hidden"), "quiet") if hidden else None


def state_badge(marks: Sequence[Mark], t: Texts) -> VdomDict:
    """Return the badge that says whether marks are approved: all of them, some or none."""
    waiting = sum(not each.approved for each in marks)
    if not waiting:
        return badge(t("Approved"))
    if waiting == len(marks):
        return badge(t("Waiting for approval"), "quiet")
    return badge(t.plural("%(n)d mark waits for approval", "%(n)d marks wait for approval", waiting), "quiet")
