"""The commands of following, and the export and deletion of its rows with the account."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import Kept, leave_to_database, register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.texts import Texts
from apps.following import services
from apps.following.selectors import calendar_keys_export, follows_export, is_followed


@command(Access.MEMBER, waits=True)
def follow_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Follow a performer, or no longer: "17:on".

    With `wish` the button was pressed before the sign-in: the answer then has an undo, unless it was followed already.
    """
    participant_id, is_wanted = given.id(), given.word(1, ("on", "off")) == "on"
    is_undoable = given.flag("wish") and not is_followed(user_id=actor.id or 0, participant_id=participant_id)
    text = services.follow_set(actor=actor, participant_id=participant_id, is_wanted=is_wanted)
    return Answer(t(text), undo=("follow_set", f"{participant_id}:off") if is_undoable else None)


@command(Access.MEMBER)
def calendar_key_make(actor: Viewer, _given: Arguments, t: Texts) -> Answer:
    """Make the address of the private calendar."""
    return Answer(t(services.calendar_key_make(actor=actor)))


@command(Access.MEMBER)
def calendar_key_renew(actor: Viewer, _given: Arguments, t: Texts) -> Answer:
    """Replace the address of the private calendar."""
    return Answer(t(services.calendar_key_renew(actor=actor)))


@command(Access.MEMBER)
def calendar_key_end(actor: Viewer, _given: Arguments, t: Texts) -> Answer:
    """End the private calendar."""
    return Answer(t(services.calendar_key_end(actor=actor)))


register(
    "follows.user_id",
    export=lambda user_id: follows_export(user_id=user_id),
    on_deletion=lambda user_id: services.follows_forget(user_id=user_id),
    kept=Kept(
        "The performers that you follow, and since when.",
        "To show you when they play, and to count who follows them.",
        "Until you unfollow the performer or delete the account.",
        "You see the list; all visitors see how many members follow a performer.",
        {"follows": "id user_id participant_id created_at"},
    ),
)

register(
    "calendar_keys.user_id",
    export=lambda user_id: calendar_keys_export(user_id=user_id),
    on_deletion=leave_to_database,
    kept=Kept(
        "The secret in the address of your private calendar, if you made one, and since when.",
        "To let your calendar program read when the performers that you follow play, without your password.",
        "Until you replace it, end the calendar or delete the account.",
        "You, and the people to whom you give the address: it shows the performers that you follow.",
        {"calendar_keys": "user_id secret created_at"},
    ),
)
