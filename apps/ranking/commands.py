"""Commands of the ranking: each reads its arguments and calls one service."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import Kept, leave_to_database, no_rows, register
from apps.competition.dependents import program_effects_register
from apps.competition.intervals import interval_register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.texts import Texts
from apps.ranking import services
from apps.ranking.intervals import interval_begin, interval_undo
from apps.ranking.limits import REASON_LENGTH
from apps.ranking.selectors import accounts_own, decisions_own, program_effects
from apps.ranking.services import sheets_forget


@command(Access.ADMINISTRATOR, confirm="Close this ranking?")
def ranking_close(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Close the ranking of the stage in the argument."""
    return Answer(t(services.ranking_close(actor=actor, stage_id=given.id(), confirmed=given.flag("confirmed"))))


@command(Access.ADMINISTRATOR, confirm="Open this ranking again?")
def ranking_reopen(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Reopen the ranking of the stage in the argument."""
    return Answer(t(services.ranking_reopen(actor=actor, stage_id=given.id())))


@command(Access.ADMINISTRATOR)
def ranking_release(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let an account weigh fully; the argument is stage and account ("2:17"), `reason` is required."""
    reason = given.text("reason", REASON_LENGTH)
    sentence = services.decision_make(
        actor=actor, stage_id=given.id(), user_id=given.id(1), is_left_out=False, reason=reason
    )
    return Answer(t(sentence), empty=True)


@command(Access.ADMINISTRATOR)
def ranking_leave_out(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Leave an account's marks of a stage out; the argument is stage and account ("2:17"), `reason` is required."""
    reason = given.text("reason", REASON_LENGTH)
    sentence = services.decision_make(
        actor=actor, stage_id=given.id(), user_id=given.id(1), is_left_out=True, reason=reason
    )
    return Answer(t(sentence), empty=True)


@command(Access.ADMINISTRATOR)
def ranking_crowd(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Decide about all accounts of a crowd with one `reason`.

    The argument is stage, decision ("out" or "fully"), side ("above" or "below") and appearance ("2:out:above:17"),
    without the appearance for sheets that agree with each other.
    """
    count = services.crowd_decide(
        actor=actor,
        stage_id=given.id(),
        is_left_out=given.word(1, ("out", "fully")) == "out",
        is_above=given.word(2, ("above", "below")) == "above",
        appearance_id=given.id(3) if given.argument.count(":") > 2 else 0,  # noqa: PLR2004 - parts of the argument
        reason=given.text("reason", REASON_LENGTH),
    )
    return Answer(t.plural("%(n)d account is decided.", "%(n)d accounts are decided.", count), empty=True)


@command(Access.ADMINISTRATOR)
def ranking_unrelease(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Withdraw the decision about an account; the argument is stage and account ("2:17")."""
    return Answer(t(services.decision_take(actor=actor, stage_id=given.id(), user_id=given.id(1))))


register(
    "ranking_decisions.user_id",
    export=lambda user_id: decisions_own(user_id=user_id),
    on_deletion=leave_to_database,
)
register(
    "ranking_accounts.user_id",
    export=lambda user_id: accounts_own(user_id=user_id),
    on_deletion=lambda user_id: sheets_forget(user_id=user_id),
    kept=Kept(
        "Which of your marks the ranking of a stage counts, how much they weigh and why, and the number of "
        "your marks in the file of a closed ranking.",
        "To tell you what counts and why other marks do not, also when the ranking is closed; and to take your "
        "marks out of that file when you leave.",
        "Until a ranking is made without your marks; a closed ranking's until the account is gone.",
        "You; administrators see which accounts weigh less, and why.",
        {"ranking_accounts": "id user_id stage_id marks is_in_burst quarters why rater"},
    ),
)
# the row stays without the administrator's name
register("ranking_decisions.decided_by_id", export=no_rows, on_deletion=leave_to_database)
program_effects_register(program_effects)
interval_register(
    begun=lambda session_id: interval_begin(session_id=session_id),
    undone=lambda session_id: interval_undo(session_id=session_id),
)
