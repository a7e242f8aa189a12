"""The moderation list: one rating, a selection or all that match are decided, also by keyboard."""

from apps.core.texts import Texts, texts
from apps.ratings.enums import ApprovalFilter
from apps.ratings.queue_address import fields_of
from apps.ratings.selectors.moderation_queue import COUNTED
from components.markup import VdomDict, component
from components.pages.admin.dashboard.decision_list import decision_list, newer_button, use_queue
from components.pages.admin.dashboard.query import dashboard_at, is_narrowed
from components.pages.admin.dashboard.queue import TOPICS, ModerationStart, RatingQueue, queue_read
from components.pages.admin.dashboard.rows import rating_row
from components.pages.admin.dashboard.toolbar import bar, choices_of
from components.ui.forms import command_form


@component
def moderation(start: ModerationStart, language: str) -> VdomDict:
    """The list as of its opening, without ratings decided since; newer ones are only counted."""
    t = texts(language)
    queue, on_newer = use_queue(queue_read, topics=TOPICS, start=start.queue)
    return decision_list(
        command_form("ratings_decide"),
        queue,
        *(rating_row(each, queue.filters, language) for each in queue.rows),
        name=t("Ratings"),
        bar=bar(queue, language),
        newer=newer_button(_newer(queue.newer, t), on_newer) if queue.newer else None,
        nothing=_nothing(queue, t),
        choices=choices_of(queue.filters, t),
        opens=t("pieces"),
        to=dashboard_at(**fields_of(queue.filters)),
        t=t,
    )


def _newer(count: int, t: Texts) -> str:
    if count > COUNTED:
        return t("Show newer ratings")
    return t.plural("Show %(n)d newer rating", "Show %(n)d newer ratings", count)


def _nothing(queue: RatingQueue, t: Texts) -> str:
    if is_narrowed(queue.filters):
        return t("No ratings found matching your criteria.")
    return (
        t("Nothing waits for you.") if queue.filters.show == ApprovalFilter.WAITING else t("No ratings available yet.")
    )
