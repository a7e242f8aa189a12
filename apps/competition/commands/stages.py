"""Commands of stages."""

from apps.accounts.actors import Viewer
from apps.competition import services
from apps.competition.enums import FieldState, StageState
from apps.competition.limits import STAGE_LENGTH
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.limits import VERSION_LENGTH
from apps.core.texts import Texts

LIST = "/admin/stages"


@command()
def stage_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create a stage, after all others."""
    services.stage_create(actor=actor, name=given.text("name", STAGE_LENGTH))
    return Answer(t("Stage created successfully"), go=LIST)


@command()
def stage_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Rename the stage in the argument."""
    name, version = given.text("name", STAGE_LENGTH), given.text("version", VERSION_LENGTH) or None
    saved = services.stage_update(actor=actor, stage_id=given.id(), name=name, version=version)
    return Answer(t("Stage updated successfully"), go=LIST, kept_fields=saved.kept_fields)


@command()
def stage_move(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Let a stage change places with its neighbour: "2:up"."""
    return Answer(t(services.stage_move(actor=actor, stage_id=given.id(), direction=given.word(1, ("up", "down")))))


@command()
def stage_archive(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Archive a stage, or bring it back: "2:archived", "2:offered"."""
    is_archived = given.word(1, tuple(StageState)) == StageState.ARCHIVED
    return Answer(t(services.stage_archive(actor=actor, stage_id=given.id(), is_archived=is_archived)))


@command()
def stage_field_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Say that a stage's field is drawn, or open again: "2:drawn"."""
    is_drawn = given.word(1, tuple(FieldState)) == FieldState.DRAWN
    return Answer(t(services.stage_field_set(actor=actor, stage_id=given.id(), is_drawn=is_drawn)))


@command(confirm="Delete this stage?")
def stage_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the stage in the argument."""
    services.stage_delete(actor=actor, stage_id=given.id())
    return Answer(t("Stage deleted successfully"))
