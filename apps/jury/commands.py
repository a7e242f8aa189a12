"""Commands of the jury: each reads its arguments and calls one service."""

from urllib.parse import parse_qsl

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import Kept, leave_to_database, no_rows, register
from apps.competition.stage_orders import stage_orders_register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.limits import VERSION_LENGTH
from apps.core.texts import Texts
from apps.jury import (
    events,  # noqa: F401 - declares the topics, also where no service is imported
    services,
)
from apps.jury.limits import RULE_LENGTH
from apps.jury.rule_form import rule_read
from apps.jury.selectors import (
    jury_shown_own,
    sheets_published_by,
    stage_orders_read,
)

PAGE = "/admin/jury"


@command(Access.ADMINISTRATOR)
def jury_publish(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Publish the draft in the argument."""
    services.sheet_publish(actor=actor, sheet_id=given.id(), confirmed=given.flag("confirmed"))
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


stage_orders_register(stage_orders_read)

# the rows stay without the administrator's name
register(
    "jury_sheets.saved_by_id",
    export=lambda user_id: sheets_published_by(user_id=user_id),
    on_deletion=leave_to_database,
    kept=Kept(
        "The jury: the names of its members, their marks of the pianists, and the result that follows; which "
        "administrator saved and published a sheet, and when.",
        "To show the official result beside the audience’s, and who published it.",
        "As long as the competition is of interest; an administrator’s name until the account is gone.",
        "Everybody, once an administrator has published a sheet; drafts, and who saved them: administrators.",
        {
            "jurors": "id name name_folded",
            "jury_rules": "id edition version lowest highest decimals rounding distances weights stages is_current",
            "jury_sheets": "id stage_id rule_id place digest file_name saved_at saved_by_id published_at "
            "published_by_id",
            "jury_marks": "id sheet_id juror_id participant_id score is_recused",
            "jury_results": "id sheet_id participant_id mean score corrected cumulated rank plain_rank "
            "official official_cumulated official_rank",
        },
    ),
)
register("jury_sheets.published_by_id", export=no_rows, on_deletion=leave_to_database)
register(
    "jury_shown.user_id",
    export=lambda user_id: jury_shown_own(user_id=user_id),
    on_deletion=leave_to_database,
    kept=Kept(
        "The stages whose jury marks you have asked to see before you marked everything.",
        "So that what is shown stays shown.",
        "Until your account or the stage is gone.",
        "You.",
        {"jury_shown": "id user_id stage_id shown_at"},
    ),
)
