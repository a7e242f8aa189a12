"""Commands of articles."""

from typing import Any

from apps.accounts.actors import Viewer
from apps.core.commands import Answer, Arguments, command
from apps.core.limits import VERSION_LENGTH
from apps.core.texts import Texts
from apps.news import services
from apps.news.limits import POST_TEXTS

LIST = "/admin/blog"


@command()
def post_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create an article."""
    services.post_create(actor=actor, **_post(given))
    return Answer(t("Post created successfully"), go=LIST)


@command()
def post_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the article in the argument."""
    version = given.text("version", VERSION_LENGTH)
    saved = services.post_update(actor=actor, post_id=given.id(), version=version, **_post(given))
    return Answer(t("Post updated successfully"), go=LIST, kept_fields=saved.kept_fields)


@command(confirm="Delete this post?")
def post_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the article in the argument."""
    services.post_delete(actor=actor, post_id=given.id())
    return Answer(t("Post deleted successfully"))


def _post(given: Arguments) -> dict[str, Any]:
    return given.texts(POST_TEXTS) | {"is_published": given.flag("is_published")}
