"""Commands of ratings, recommendations and moderation."""

from typing import Any

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.core.commands import REGISTER, UNREADABLE, Access, Answer, Arguments, command
from apps.core.observability import current_context
from apps.core.texts import Texts
from apps.ratings.enums import Advance, QuickRating, RatingKind
from apps.ratings.limits import COMMENT_LENGTH, PERFORMANCE_HIGHEST, PIECE_HIGHEST, SIGNED_OUT_LENGTH
from apps.ratings.services import at_once, covering, deciding, drafts, moderation, submission, taking_over
from apps.ratings.services.rating_moderation import RATING_MODERATION
from apps.ratings.services.signed_out_marks import AGE_MOST, PIECE, piece_id, signed_out_marks_read
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import RECOMMENDATION_FAILED

KINDS = tuple(each.value for each in RatingKind)
DELETION_FAILED = "An error occurred while deleting rating"


@command(Access.MEMBER, door=REGISTER)
def ratings_submit(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Rate the appearance in the argument and its pieces. Pieces with mark 0 are left out.

    `age` are the milliseconds since the button was pressed, if the form is sent by a script.
    """
    client = current_context().client  # of the socket or of the posted form
    return Answer(t(submission.ratings_submit(actor=actor, client=client, **rating_read(given))))


@command(Access.MEMBER)
def rating_send(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Submit what the actor has struck for the appearance in the argument."""
    client = current_context().client
    return Answer(t(submission.rating_send(actor=actor, appearance_id=given.id(), client=client)))


def rating_read(given: Arguments) -> dict[str, Any]:
    """Return the arguments of the service `ratings_submit` from the form's fields."""
    marks = {name: given.number(name, 0, PIECE_HIGHEST) for name in given.fields if piece_id(name)}
    return {
        "appearance_id": given.id(),
        "pieces": {piece_id(name): mark for name, mark in marks.items() if mark},
        "score": given.number("score", 1, PERFORMANCE_HIGHEST) or 0,
        "comment": given.text("comment", COMMENT_LENGTH),
        "quick_rating": given.choice("quick_rating", QuickRating.values),
        "age": _age(given, "age"),
    }


def _age(given: Arguments, name: str) -> float:
    """Return the age in a field in seconds, 0 without the field."""
    return (given.number(name, 0, AGE_MOST) or 0) / 1000


@command(Access.MEMBER)
def rating_keep(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Keep what the actor has struck for the appearance in the argument.

    Only changed fields are sent, each with `age-<name>`, the milliseconds since it was struck. The answer's
    `data.older` names the fields for which a later strike or a submitted mark holds.
    """
    kept = drafts.rating_keep(actor=actor, appearance_id=given.id(), strikes=strikes_read(given))
    older = [name if isinstance(name, str) else f"{PIECE}{name}" for name in kept.older]
    return Answer(t(kept.refusal), data={"older": older} if older else None)


@command(Access.MEMBER)
def rating_restore(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Drop what the actor has struck since submitting the appearance in the argument.

    `age` are the milliseconds since the button was pressed, if a script sends it.
    """
    pressed = _age(given, "age")
    return Answer(t(drafts.rating_restore(actor=actor, appearance_id=given.id(), age=pressed)))


@command(Access.MEMBER)
def ratings_take_over(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Keep marks that were made signed out as the actor's own if the field `keep` is there, else answer the question.

    The field `marks` is read by `signed_out_marks_read`; `keep` is "all" for those that differ from the account's too,
    any other text for those that it lacks. The question's `data.open` names the performances that it is about; it is
    empty if the account has all of the marks. `data.words` are the buttons, and `data.keep` what each of them sends,
    empty for one that drops the marks. The other text names what could not be kept.
    """
    try:
        marks = signed_out_marks_read(given.text("marks", SIGNED_OUT_LENGTH))
    except ValueError as error:
        raise ValidationError(UNREADABLE) from error
    if given.flag("keep"):
        replaces = given.fields["keep"] == "all"
        return Answer(_not_kept(taking_over.ratings_take_over(actor=actor, marks=marks, replaces=replaces), t))
    asked = taking_over.marks_to_ask(actor=actor, marks=marks)
    if not asked.appearance_ids:
        return Answer("")
    question = t.plural(
        "%(n)d performance was marked here before you signed in. Keep it as yours?",
        "%(n)d performances were marked here before you signed in. Keep them as yours?",
        len(asked.appearance_ids),
    )
    buttons = {t("Keep"): "1", t("Discard"): ""}
    if asked.differing:
        words = t("Your account has other marks for {names}.").format(names=", ".join(asked.differing))
        question = f"{question} {words}"
        buttons = {t("Take these"): "all", t("Keep the account's"): "1"} | ({t("Discard"): ""} if asked.missing else {})
    sent = {"words": list(buttons), "keep": list(buttons.values())}
    return Answer(question, data={"open": [str(pk) for pk in asked.appearance_ids], **sent})


def _not_kept(refused: taking_over.NotKept, t: Texts) -> str:
    """Return the sentence that names the performances without their marks, empty without any."""
    number = len(refused.names) + refused.unknown
    if not number:
        return ""
    withdrawn = t.plural("%(n)d that was withdrawn", "%(n)d that were withdrawn", refused.unknown)
    named = ", ".join([*refused.names, *([withdrawn] if refused.unknown else [])])
    words = t.plural(
        "%(n)d performance could not be kept: {names}.", "%(n)d performances could not be kept: {names}.", number
    )
    return words.format(names=named)


@command(Access.MEMBER)
def figures_show(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Show the actor the audience's figures of the appearance in the argument."""
    return Answer(t(covering.figures_show(actor=actor, appearance_id=given.id())))


@command(Access.MEMBER)
def stage_figures_show(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Show the actor all of the audience's figures of the stage in the argument."""
    return Answer(t(covering.stage_figures_show(actor=actor, stage_id=given.id())))


@command(Access.MEMBER)
def ears_first_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Cover the audience's figures until the actor has marked ("on"), or show them at once ("off")."""
    return Answer(t(covering.ears_first_set(actor=actor, ears_first=given.word(0, ("on", "off")) == "on")))


def strikes_read(given: Arguments) -> Strikes:
    """Return the strikes of a form's changed fields."""

    def age(name: str) -> float:
        return _age(given, f"age-{name}")

    pieces = {
        piece_id(name): (given.number(name, 0, PIECE_HIGHEST) or 0, age(name))
        for name in given.fields
        if piece_id(name)
    }
    return Strikes(
        pieces,
        (given.number("score", 0, PERFORMANCE_HIGHEST) or 0, age("score")) if given.flag("score") else None,
        (given.text("comment", COMMENT_LENGTH), age("comment")) if given.flag("comment") else None,
        (given.choice("quick_rating", QuickRating.values), age("quick_rating")) if given.flag("quick_rating") else None,
    )


@command(Access.MEMBER, failed=RECOMMENDATION_FAILED)
def recommendation_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save or withdraw a recommendation: "17:up".

    With `wish` the button was pressed before the sign-in, beside which no own recommendation was shown: it is saved.
    """
    text = submission.recommendation_set(
        actor=actor,
        appearance_id=given.id(),
        recommendation=given.word(1, Advance.values),
        is_withdrawn=not given.flag("wish"),
    )
    return Answer(t(text))


@command(Access.MEMBER, failed=DELETION_FAILED, confirm="Delete this rating?")
def rating_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the actor's rating with all its marks, "17:5" (appearance, person); administrators delete any rating."""
    return Answer(t(moderation.rating_delete(actor=actor, appearance_id=given.id(), user_id=given.id(1))))


@command(Access.MEMBER, failed=DELETION_FAILED, confirm="Delete this rating?")
def mark_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete one mark of the actor's rating, "piece:12"; administrators delete any mark."""
    kind = RatingKind(given.word(0, KINDS))
    return Answer(t(moderation.mark_delete(actor=actor, kind=kind, mark_id=given.id(1))))


@command(Access.ADMINISTRATOR)
def rating_decide(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide about marks of one rating in the version that was seen: "approve:piece:12.13:1823360400000000"."""
    return RATING_MODERATION.answer_one(actor, given, t)


@command(Access.ADMINISTRATOR)
def ratings_decide(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide about the selected ratings."""
    return RATING_MODERATION.answer_selected(actor, given, t)


@command(Access.ADMINISTRATOR, confirm="Decide about all that match?")
def ratings_decide_matching(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide about all ratings that match the filter in the argument."""
    return RATING_MODERATION.answer_matching(actor, given, t)


@command(Access.ADMINISTRATOR)
def decision_undo(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Undo the decision in the argument."""
    return RATING_MODERATION.answer_undo(actor, given, t)


@command(Access.ADMINISTRATOR)
def deciding_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store whether the actor's decisions in a queue include marks of the other kind: "piece:on"."""
    kind, is_on = RatingKind(given.word(0, KINDS)), given.word(1, ("on", "off")) == "on"
    return Answer(t(deciding.deciding_set(actor=actor, kind=kind, both=is_on)))


@command(Access.ADMINISTRATOR)
def pieces_at_once_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Approve the piece ratings of proven accounts at once from now on ("on"), or leave them to moderators ("off")."""
    return Answer(t(at_once.pieces_at_once_set(actor=actor, is_on=given.word(0, ("on", "off")) == "on")))
