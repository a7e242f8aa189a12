"""The command that closes the line of a notification, and the export and deletion of notifications."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import Kept, leave_to_database, register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.texts import Texts
from apps.notifications.selectors.notifications import notifications_export
from apps.notifications.services import notifications


@command(Access.MEMBER)
def notification_close(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Show a notification, and all older ones, no longer."""
    notifications.notifications_see(actor=actor, notification_id=given.id())
    return Answer(t("Notification closed"))


register(
    "notifications.user_id",
    export=lambda user_id: notifications_export(user_id=user_id),
    on_deletion=leave_to_database,
    kept=Kept(
        "What you were notified of: the performer, the occasion, when, over which channels, and whether you closed it.",
        "To notify you of the performers that you follow, once of each occasion.",
        "For 30 days, or until you delete the account.",
        "You.",
        {
            "notifications": "id user_id kind participant_id occasion session_id stage_id created_at expires_at "
            "seen_at push_due_at push_tries pushed_to mail_due_at"
        },
    ),
)
