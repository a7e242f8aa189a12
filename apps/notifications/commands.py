"""The commands of notifications, the export and deletion of their rows with the account, and corrections of calls."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import Kept, leave_to_database, register
from apps.competition.calls import calls_register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.limits import MOMENT_LENGTH, VERSION_LENGTH
from apps.core.texts import Texts
from apps.notifications.enums import CHOSEN, MailChoice
from apps.notifications.limits import ENDPOINT_LENGTH, KEY_LENGTH, TIME_ZONE_LENGTH
from apps.notifications.selectors.call_alerts import call_alerts_export
from apps.notifications.selectors.notifications import notifications_export
from apps.notifications.selectors.preferences import preferences_export
from apps.notifications.selectors.push import push_subscriptions_export
from apps.notifications.services import announcements, call_alerts, notifications, preferences, push_subscriptions

PROFILE = "/profile"


@command(Access.MEMBER)
def notification_close(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Show a notification, and all older ones, no longer."""
    notifications.notifications_see(actor=actor, notification_id=given.id())
    return Answer(t("Notification closed"))


@command(Access.MEMBER, waits=True)
def call_alert_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Notify the member of the next performer of a session, or no longer: "17:on".

    The button says it itself. With `wish` it was pressed before the sign-in: the answer has a sentence and an undo.
    """
    session_id, is_wanted = given.id(), given.word(1, ("on", "off")) == "on"
    text = call_alerts.call_alert_set(actor=actor, session_id=session_id, is_wanted=is_wanted)
    if not given.flag("wish"):
        return Answer("")
    return Answer(t(text), undo=("call_alert_set", f"{session_id}:off"))


@command(Access.MEMBER)
def push_subscribe(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Send notifications to this browser too. The page's script fills in what the browser gave it."""
    push_subscriptions.push_subscribe(
        actor=actor,
        endpoint=given.text("endpoint", ENDPOINT_LENGTH),
        p256dh=given.text("p256dh", KEY_LENGTH),
        auth=given.text("auth", KEY_LENGTH),
    )
    return Answer(t("Notifications are on in this browser."))


@command(Access.MEMBER)
def push_unsubscribe(actor: Viewer, given: Arguments, t: Texts) -> Answer:  # noqa: ARG001 - the session says which browser
    """Send no more notifications to this browser."""
    push_subscriptions.push_unsubscribe(actor=actor)
    return Answer(t("Notifications are off in this browser."))


@command(Access.MEMBER)
def notifications_choose(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Store how the member wants to be notified."""
    kinds = {kind.value: given.flag(kind.value) for kind in CHOSEN}
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


calls_register(taken_back=announcements.call_undone)
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
register(
    "call_alerts.user_id",
    export=lambda user_id: call_alerts_export(user_id=user_id),
    on_deletion=leave_to_database,
    kept=Kept(
        "The session whose next performer you want to be notified of, after whom, since when, and when you were.",
        "To notify you once when the next performer is called, also if you follow nobody.",
        "Until you undo it, the session has ended, or you delete the account.",
        "You.",
        {"call_alerts": "id user_id session_id stay_id created_at told_at"},
    ),
)
register(
    "push_subscriptions.user_id",
    export=lambda user_id: push_subscriptions_export(user_id=user_id),
    on_deletion=leave_to_database,
    kept=Kept(
        "The browsers in which you turned notifications on: the address that its maker's push service (Google, "
        "Mozilla, Apple or Microsoft) gave it, with the keys that encrypt them for it.",
        "To send a notification while no page is open. The push service sees when one is sent, but not what it says.",
        "Until you turn them off, sign out in that browser, or the push service forgets the address.",
        "You see whether they are on; the push service gets its own address back.",
        {"push_subscriptions": "id user_id session_handle endpoint p256dh auth created_at paused_until"},
    ),
)
register(
    "notification_preferences.user_id",
    export=lambda user_id: preferences_export(user_id=user_id),
    on_deletion=leave_to_database,
    kept=Kept(
        "What you want to be notified of, whether and when by e-mail, your quiet hours and your time zone.",
        "To notify you of the performers that you follow, at times that suit you.",
        "Until you delete the account.",
        "You, and whoever runs the site.",
        {
            "notification_preferences": "user_id soon now moved advanced prizes mail mail_hour quiet_from quiet_until "
            "time_zone"
        },
    ),
)
