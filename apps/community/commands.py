"""What somebody posts, says to a post, thinks of it, and takes away again."""

from apps.accounts.actors import Viewer
from apps.community import services
from apps.community.enums import REACTION_WISHES
from apps.community.limits import COMMENT_LENGTH, POST_LENGTH
from apps.core.commands.arguments import Arguments
from apps.core.commands.registry import Answer, command
from apps.core.limits import ADDRESS_LENGTH
from apps.core.texts import Texts


@command()
def post_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Post what was typed."""
    content, image_url = given.text("content", POST_LENGTH), given.text("image_url", ADDRESS_LENGTH)
    services.post_add(actor=actor, content=content, image_url=image_url)
    return Answer(t(services.POST_ADDED), empty=True)


@command(confirm="Delete this post?")
def community_post_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the post in the argument; `post_delete` deletes an article of the news."""
    services.post_delete(actor=actor, post_id=given.id())
    return Answer(t(services.POST_DELETED))


@command()
def post_comment_add(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Say something to the post in the argument."""
    services.post_comment_add(actor=actor, post_id=given.id(), content=given.text("content", COMMENT_LENGTH))
    return Answer(t(services.COMMENT_ADDED), empty=True)


@command(confirm="Delete this comment?")
def post_comment_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the comment in the argument."""
    services.post_comment_delete(actor=actor, comment_id=given.id())
    return Answer(t(services.COMMENT_DELETED))


@command()
def post_reaction_set(actor: Viewer, given: Arguments, t: Texts) -> Answer:  # noqa: ARG001 - every command's signature
    """Make the word in the argument what one thinks of the post: "17:applause". Its counts say so, nothing else."""
    services.post_reaction_set(actor=actor, post_id=given.id(), reaction=given.word(1, REACTION_WISHES))
    return Answer("")
