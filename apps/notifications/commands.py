"""The command of members' choices, and their export and deletion with the account."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import Kept, leave_to_database, register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.limits import MOMENT_LENGTH, VERSION_LENGTH
from apps.core.texts import Texts
from apps.notifications.enums import Kind, MailChoice
from apps.notifications.limits import TIME_ZONE_LENGTH
from apps.notifications.selectors.preferences import preferences_export
from apps.notifications.services import preferences

PROFILE = "/profile"


@command(Access.MEMBER)
def notifications_choose(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store how the member wants to be notified."""
    kinds = {kind.value: given.flag(kind.value) for kind in Kind}
    mail = given.choice("mail", MailChoice.values) or MailChoice.NEVER.value
    times = given.texts({"quiet_from": MOMENT_LENGTH, "quiet_until": MOMENT_LENGTH})
    hour = given.number("mail_hour", 0, 23)
    typed = {**kinds, **times, "mail": mail, "time_zone": given.text("time_zone", TIME_ZONE_LENGTH)}
    saved = preferences.notifications_choose(
        actor=actor,
        typed=typed if hour is None else {**typed, "mail_hour": hour},
        version=given.text("version", VERSION_LENGTH) or None,
    )
    labels = ", ".join(t(label) for label in saved.kept_fields)
    kept = f" {t('Changed in another window, and kept: {labels}.').format(labels=labels)}" if labels else ""
    return Answer(t(saved.row) + kept, go=PROFILE)


register(
    "notification_preferences.user_id",
    export=lambda user_id: preferences_export(user_id=user_id),
    on_deletion=leave_to_database,
    kept=Kept(
        "What you want to be notified of, whether and when by e-mail, your quiet hours and your time zone.",
        "To notify you of the performers that you follow, at times that suit you.",
        "Until you delete the account.",
        "You, and whoever runs the site.",
        {"notification_preferences": "user_id soon now moved advanced mail mail_hour quiet_from quiet_until time_zone"},
    ),
)
