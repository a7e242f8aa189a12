"""Commands of the jury: each reads its arguments and calls one service."""

from apps.accounts.actors import Viewer
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.texts import Texts
from apps.jury import services


@command(Access.MEMBER)
def jury_show(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Show the actor the jury's marks of the stage in the argument."""
    return Answer(t(services.jury_show(actor=actor, stage_id=given.id())))
