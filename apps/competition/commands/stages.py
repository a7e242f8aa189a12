"""Commands of stages."""

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.competition.enums import FieldState
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.texts import Texts


@command()
def stage_field_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Say that a stage's field is drawn, or open again: "2:drawn"."""
    is_drawn = given.word(1, tuple(FieldState)) == FieldState.DRAWN
    return Answer(t(services.stage_field_set(actor=actor, stage_id=given.id(), is_drawn=is_drawn)))
