"""Commands of live control: which session is live, who performs, and undoing a step."""

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.competition.services import LiveStep
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.texts import Texts


@command()
def session_set_live(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Set the session in the argument live."""
    confirmed = given.flag("confirmed")
    return _answer(services.session_set_live(actor=actor, session_id=given.id(), confirmed=confirmed), t)


@command()
def session_end(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """End the session in the argument."""
    return _answer(services.session_end(actor=actor, session_id=given.id(), confirmed=given.flag("confirmed")), t)


@command()
def performer_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let the appearance in the argument perform."""
    return _answer(services.performer_set(actor=actor, session_participant_id=given.id()), t)


@command()
def performer_next(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let the next one perform; the argument is the session, and the performer on the screen if any: "3:17", "3"."""
    after = given.id(1) if ":" in given.argument else None
    return _answer(services.performer_next(actor=actor, session_id=given.id(0), after=after), t)


@command()
def performer_clear(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let nobody perform in the session in the argument."""
    return _answer(services.performer_clear(actor=actor, session_id=given.id()), t)


@command()
def live_restore(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Undo the step in the argument."""
    return Answer(t(services.live_restore(actor=actor, **services.live_undo_read(given.argument)).sentence))


def _answer(step: LiveStep, t: Texts) -> Answer:
    return Answer(t(step.sentence), undo=("live_restore", step.undo) if step.undo else None)
