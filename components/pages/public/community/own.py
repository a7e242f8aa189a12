"""What one viewer sees of the feed besides everybody: one's own reactions and buttons, and the forms of members."""

from apps.accounts.actors import Viewer
from apps.community.selectors import own_reactions_recent
from components.parts.authors import author_fills
from components.parts.community.comments import MEMBER, STRANGER
from components.parts.community.posts import REACTION, pressed
from components.rendering.slots import Fills, fill


def community_fills(*, viewer: Viewer, language: str) -> Fills:
    """Return what fills the slots of somebody who is signed in. One query."""
    reactions = own_reactions_recent(user_id=viewer.id) if viewer.id is not None else {}
    return {
        **author_fills(viewer=viewer, language=language),
        MEMBER: fill({"hidden": False}),
        STRANGER: fill({"hidden": True}),
        **{f"{REACTION}:{post_id}:{kind}": pressed(post_id) for post_id, kind in reactions.items()},
    }
