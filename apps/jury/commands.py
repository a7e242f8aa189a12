"""Commands of the jury: each reads its arguments and calls one service."""

from apps.accounts.actors import Viewer
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.texts import Texts
from apps.jury import services

PAGE = "/admin/jury"


@command(Access.ADMINISTRATOR, confirm="Publish this sheet? Everybody sees the jury’s marks then.")
def jury_publish(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Publish the draft in the argument."""
    services.sheet_publish(actor=actor, sheet_id=given.id())
    return Answer(t("The sheet is published."))


@command(Access.ADMINISTRATOR)
def jury_unpublish(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Take the published sheet in the argument back; the service asks first."""
    services.sheet_unpublish(actor=actor, sheet_id=given.id(), confirmed=given.flag("confirmed"))
    return Answer(t("The sheet is a draft again; no page shows it."))


@command(Access.ADMINISTRATOR, confirm="Delete this draft?")
def jury_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the draft in the argument."""
    services.sheet_delete(actor=actor, sheet_id=given.id())
    return Answer(t("The draft is deleted."), go=PAGE)


@command(Access.MEMBER)
def jury_show(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Show the actor the jury's marks of the stage in the argument."""
    return Answer(t(services.jury_show(actor=actor, stage_id=given.id())))
