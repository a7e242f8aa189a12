"""Commands of articles."""

from datetime import datetime
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError

from apps.accounts.actors import Viewer
from apps.accounts.data_rights import register
from apps.competition.services.sessions import venue_moment
from apps.core.commands import Access, Answer, Arguments, command
from apps.core.edits import FieldErrors
from apps.core.limits import MOMENT_LENGTH, VERSION_LENGTH
from apps.core.texts import Texts
from apps.news import selectors, services
from apps.news.limits import POST_TEXTS
from apps.news.searchable import searchables_register
from apps.news.selectors import post_edit

LIST = "/admin/blog"


@command(Access.ADMINISTRATOR)
def post_create(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Create an article."""
    errors = FieldErrors()
    errors.checked(partial(services.post_create, actor=actor, **_post(given, errors)), None)
    errors.require_none()
    return Answer(t("Post created successfully"), go=LIST)


@command(Access.ADMINISTRATOR)
def post_update(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Save the article in the argument."""
    errors, version = FieldErrors(), given.text("version", VERSION_LENGTH)
    stored = post_edit(post_id=given.id())
    fields = _post(given, errors, publish_at=stored.publish_at if stored else None)
    update = partial(services.post_update, actor=actor, post_id=given.id(), version=version, **fields)
    saved = errors.checked(update, None)
    errors.require_none()
    return Answer(t("Post updated successfully"), go=LIST, kept_fields=saved.kept_fields if saved else ())


@command(Access.ADMINISTRATOR, confirm="Delete this post?")
def post_delete(actor: Viewer, given: Arguments, t: Texts) -> Answer:
    """Delete the article in the argument."""
    services.post_delete(actor=actor, post_id=given.id())
    return Answer(t("Post deleted successfully"))


def _post(given: Arguments, errors: FieldErrors, *, publish_at: datetime | None = None) -> dict[str, Any]:
    """Return the fields of an article; the time of a draft's publication is read only if it stays a draft.

    `publish_at` is the stored time of an edited draft.
    """
    is_published = given.flag("is_published")
    planned = None if is_published else errors.checked(partial(_publish_at, given, publish_at), None)
    return given.texts(POST_TEXTS) | {"is_published": is_published, "publish_at": planned}


def _publish_at(given: Arguments, stored: datetime | None) -> datetime | None:
    """Return the planned time, None without a day and a time. Raises ValidationError at the form's fields."""
    date, time = given.text("publish_date", MOMENT_LENGTH), given.text("publish_time", MOMENT_LENGTH)
    if not (date.strip() or time.strip()):
        return None
    try:
        return venue_moment(date=date, time=time, stored=stored)
    except ValidationError as error:
        raise ValidationError({f"publish_{field}": errors for field, errors in error.error_dict.items()}) from error


searchables_register()
register(
    "blog_posts.author_id",
    export=lambda user_id: {"articles": list(selectors.posts_own(user_id=user_id))},
    on_deletion=lambda user_id: services.posts_disown(user_id=user_id),
)
