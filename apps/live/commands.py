"""Commands of comments, and of reactions without scripts."""

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import register
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.texts import Texts
from apps.live import services
from apps.live.dependents import dependents_register
from apps.live.enums import Reaction
from apps.live.limits import COMMENT_LENGTH
from apps.live.selectors import live_own
from apps.live.services import live_forget


@command(Access.MEMBER)
def comment_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Add a comment to the session in the argument; the answer names its row."""
    added = services.comment_add(actor=actor, session_id=given.id(), content=given.text("content", COMMENT_LENGTH))
    return Answer(t(services.ADDED), empty=True, data={"row": f"comment-{added.pk}"})


@command(Access.MEMBER, confirm="Delete this comment?")
def comment_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the comment in the argument."""
    services.comment_delete(actor=actor, comment_id=given.id())
    return Answer(t(services.DELETED))


@command(Access.MEMBER)
def reaction_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Add one reaction to the session in the argument, such as "42:heart".

    The answer has a sentence only with the field `wish`, for a reaction that was pressed before the sign-in.
    """
    kind = Reaction(given.word(1, Reaction.values))
    services.reaction_add(actor=actor, session_id=given.id(), kind=kind)
    if not given.flag("wish"):
        return Answer("")
    return Answer(t("Your heart was added.") if kind is Reaction.HEART else t("Your reaction was added."))


register(
    *("session_comments.user_id", "session_reactions.user_id"),
    export=lambda user_id: live_own(user_id=user_id),
    on_deletion=lambda user_id: live_forget(user_id=user_id),
)
dependents_register()
