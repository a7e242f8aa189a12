"""Commands of the ranking."""

from apps.accounts.actors import Viewer
from apps.core.commands import Answer, Arguments, command
from apps.core.texts import Texts
from apps.ranking import services
from apps.ranking.limits import REASON_LENGTH


@command(confirm="Close this ranking?")
def ranking_close(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let the ranking of the stage in the argument stay as it is."""
    return Answer(t(services.ranking_close(actor=actor, stage_id=given.id(), confirmed=given.flag("confirmed"))))


@command(confirm="Open this ranking again?")
def ranking_reopen(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let the ranking of the stage in the argument follow the marks again."""
    return Answer(t(services.ranking_reopen(actor=actor, stage_id=given.id())))


@command()
def ranking_release(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let an account's marks of a stage count, "2:17" (stage, account), for the reason that was typed."""
    reason = given.text("reason", REASON_LENGTH)
    sentence = services.release_give(actor=actor, stage_id=given.id(), user_id=given.id(1), reason=reason)
    return Answer(t(sentence), empty=True)


@command()
def ranking_unrelease(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let the rules decide about an account's marks of a stage again: "2:17"."""
    return Answer(t(services.release_take(actor=actor, stage_id=given.id(), user_id=given.id(1))))
