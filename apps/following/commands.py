"""The command of following, and the export and deletion of follows with the account."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import Kept, register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.texts import Texts
from apps.following import services
from apps.following.selectors import follows_export


@command(Access.MEMBER)
def follow_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Follow a performer, or no longer: "17:on"."""
    is_wanted = given.word(1, ("on", "off")) == "on"
    return Answer(t(services.follow_set(actor=actor, participant_id=given.id(), is_wanted=is_wanted)))


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
