"""One row of the moderation list."""

from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from apps.ratings.decision_arguments import one_argument, tick_of
from apps.ratings.enums import Verdict
from apps.ratings.selectors import RatingShown
from components.markup import Markup, VdomDict, cached_markup, html
from components.parts.ratings.rating_rows import delete_button, hidden_badge, quick_word, state_badge, subject
from components.ui.controls.commands import command_button
from components.ui.key_marks import mark
from components.ui.piece_title import work_text
from components.ui.venue_time import ago


@cached_markup
def rating_row(rating: RatingShown, language: str, *, where: bool) -> VdomDict:
    """Return the row of a rating; `where` shows its session."""
    t = texts(language)
    waits = not rating.approved
    return html.li(
        {"key": f"{rating.kind.value}-{rating.id}"},
        _tick(rating, language) if waits else html.span(),
        html.span({"class": "queue__mark"}, mark(rating.score, _of(rating, t))),
        html.div({"class": "queue__what"}, *_what(rating, language, where)),
        html.div({"class": "queue__acts"}, *(_verdicts(rating, t) if waits else [_delete(rating, language)])),
    )


def _tick(rating: RatingShown, language: str) -> VdomDict:
    t = texts(language)
    what = work_text(rating.piece, language=language) if rating.piece else t("The whole performance")
    name = t("{mark}: {what}, {name}, by {author}").format(
        mark=_of(rating, t), what=what, name=rating.participant, author=rating.author
    )
    own = {"type": "checkbox", "class": "tick", "name": "rating", "value": tick_of(rating)}
    return html.input(own | {"aria-label": t("Select: {rating}").format(rating=name)})


def _of(rating: RatingShown, t: Texts) -> str:
    return (t("{n} of 25") if rating.piece else t("{n} of 5")).format(n=rating.score)


def _what(rating: RatingShown, language: str, where: bool) -> list[Markup]:  # noqa: FBT001
    t = texts(language)
    when = ago(rating.updated_at, zone=venue_zone(), language=language)
    to = html.a({"href": f"/participants/{rating.participant_id}"}, rating.participant)
    by = t(", by {author}, ").format(author=rating.author)
    badges = [state_badge(rating, t) if rating.approved else None, hidden_badge(rating, t)]
    return [
        html.p({"class": "queue__title"}, subject(rating, language), quick_word(rating, t)),
        html.p({"class": "queue__by"}, to, by, when),
        html.p({"class": "queue__where"}, rating.session) if where else None,
        html.p({"class": "queue__words"}, rating.comment) if rating.comment else None,
        html.p({"class": "row"}, *badges) if any(badges) else None,
    ]


def _verdicts(rating: RatingShown, t: Texts) -> list[Markup]:
    approve = t("Approve the rating by {author}").format(author=rating.author)
    reject = t("Reject the rating by {author}").format(author=rating.author)
    return [
        _button(rating, Verdict.APPROVE, t("Approve"), approve, t),
        _button(rating, Verdict.REJECT, t("Reject"), reject, t),
    ]


def _button(rating: RatingShown, verdict: Verdict, label: str, name: str, t: Texts) -> VdomDict:
    doing = command_button("rating_decide", one_argument(verdict, rating), busy=t("Processing..."))
    look = {"class": "button button--plain button--small", "aria-label": name}
    return html.button(look | doing, label)


def _delete(rating: RatingShown, language: str) -> VdomDict:
    return delete_button(rating, language, "button button--plain button--small")
