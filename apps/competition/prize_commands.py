"""Commands of the prizes of a stage."""

from functools import partial

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.competition.enums import PrizeAward, PrizeKind
from apps.competition.limits import PRIZE_LENGTH, PRIZES_MOST, RECIPIENTS_MOST
from apps.competition.selectors.admin.prizes import PrizeLine
from apps.competition.services import prizes
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.edits import FieldErrors
from apps.core.limits import ID_DIGITS, VERSION_LENGTH
from apps.core.texts import Texts

STAGES = "/admin/stages"
NOT_FOUND = "Selected participant not found"


@command(Access.ADMINISTRATOR)
def prizes_save(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store the prizes in the form as the draft of the stage in the argument."""
    errors, stage_id = FieldErrors(), given.id()
    numbers = [number for number in range(1, PRIZES_MOST + 1) if f"name-{number}" in given.fields]
    lines = [errors.checked(partial(_line, given, number), PrizeLine("")) for number in numbers]
    errors.require_none()
    version = given.text("version", VERSION_LENGTH) or None
    saved = prizes.prizes_save(actor=actor, stage_id=stage_id, lines=lines, version=version)
    return Answer(t(saved), go=f"{STAGES}?mode=prizes&id={stage_id}")


def _line(given: Arguments, number: int) -> PrizeLine:
    field = f"recipient-{number}"
    return PrizeLine(
        given.text(f"name-{number}", PRIZE_LENGTH),
        PrizeKind(given.choice(f"kind-{number}", PrizeKind.values) or PrizeKind.PLACE),
        PrizeAward(given.choice(f"award-{number}", PrizeAward.values) or PrizeAward.SINGLE),
        tuple(_id(word, field) for word in given.several(field, RECIPIENTS_MOST)),
    )


def _id(word: str, field: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) <= ID_DIGITS):
        raise ValidationError({field: NOT_FOUND})
    return int(word)


@command(Access.ADMINISTRATOR)
def prizes_publish(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Publish the draft of the prizes of the stage in the argument."""
    version, confirmed = given.text("version", VERSION_LENGTH) or None, given.flag("confirmed")
    made = prizes.prizes_publish(actor=actor, stage_id=given.id(), version=version, confirmed=confirmed)
    return Answer(t(made.sentence), go=STAGES, undo=("prizes_restore", made.list_id))


@command(Access.ADMINISTRATOR)
def prizes_restore(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take back the publication of the list of prizes in the argument."""
    return Answer(t(prizes.prizes_restore(actor=actor, list_id=given.id())))


@command(Access.ADMINISTRATOR, confirm="Withdraw the prizes of this stage?")
def prizes_withdraw(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Withdraw the published prizes of the stage in the argument."""
    return Answer(t(prizes.prizes_withdraw(actor=actor, stage_id=given.id())))
