"""Commands of the jury: each reads its arguments and calls one service."""

from urllib.parse import parse_qsl

from apps.accounts.actors import Viewer
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.limits import VERSION_LENGTH
from apps.core.texts import Texts
from apps.jury import services
from apps.jury.limits import RULE_LENGTH
from apps.jury.rule_form import rule_read

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


@command(Access.ADMINISTRATOR)
def jury_rule_choose(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Choose the rule in the field `rule`, written as a query; `version` is that of the rule before."""
    rule = rule_read(dict(parse_qsl(given.text("rule", RULE_LENGTH))))
    words = services.rule_choose(actor=actor, rule=rule, version=given.text("version", VERSION_LENGTH))
    return Answer(t(words), go=PAGE)


@command(Access.ADMINISTRATOR)
def jury_renew(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Compute the sheet in the argument with the rule in force."""
    saved = services.sheet_renew(actor=actor, sheet_id=given.id())
    words = services.SAVED if saved.is_changed else services.UNCHANGED
    return Answer(t(words), go=f"{PAGE}?sheet={saved.sheet_id}")


@command(Access.MEMBER)
def jury_show(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Show the actor the jury's marks of the stage in the argument."""
    return Answer(t(services.jury_show(actor=actor, stage_id=given.id())))
