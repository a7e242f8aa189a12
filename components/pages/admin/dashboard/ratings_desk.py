"""The queue of ratings: its filters, texts and decisions."""

from datetime import UTC, datetime
from typing import Any

from apps.accounts.actors import Viewer
from apps.competition.selectors.admin.participants import ParticipantOption
from apps.core.limits import SEARCH_LENGTH
from apps.core.moderation import COUNTED, LastDecision
from apps.core.texts import Texts, texts
from apps.ratings.enums import ApprovalFilter, RatingKind, Verdict
from apps.ratings.limits import MATCHED
from apps.ratings.queue_address import HIGHEST, TICKED, fields_of, filters_of
from apps.ratings.selectors.lists import cursor_of
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last, ratings_match_count, ratings_queue
from apps.ratings.selectors.statistics import RatingShown
from apps.ratings.services.rating_moderation import RATING_MODERATION
from components.pages.admin import choices
from components.pages.admin.choices import participant_choice, participant_fields, session_choice, session_fields
from components.pages.admin.dashboard.moderation_queue import Choice, Desk, Queue, QueueStart, Words, queue_start
from components.pages.admin.dashboard.query import TABS, is_narrowed
from components.pages.admin.dashboard.rating_rows import rating_row
from components.runtime import Query, VdomDict, html
from components.ui import forms
from components.ui.areas import DASHBOARD
from components.ui.frames import search

RatingQueue = Queue[QueueFilter, RatingShown]


def ratings_start(viewer: Viewer, query: Query) -> QueueStart[QueueFilter, RatingShown]:
    """Return the data of the tab for the filters in the address. At most thirteen queries."""
    filters = filters_of(query, until=datetime.now(UTC))
    options = session_choice(query, filters.session_id or 0), participant_choice(query, filters.participant_id or 0)
    return queue_start(RATING_DESK, viewer, query, filters, options)


def _choices(filters: QueueFilter, t: Texts) -> tuple[Choice, ...]:
    """Return the possible decisions about a rating."""
    approve, reject = (t("Approve both"), t("Reject both")) if filters.both else (t("Approve"), t("Reject"))
    all_approved, all_rejected = t("Approve all {n} that match"), t("Reject all {n} that match")
    return (
        Choice(Verdict.APPROVE, approve, "a", all_approved, t("Approve all {n} ratings that match?")),
        Choice(Verdict.REJECT, reject, "r", all_rejected, t("Reject all {n} ratings that match?")),
    )


def _words(queue: RatingQueue, t: Texts) -> Words:
    many_newer = t("Show newer ratings")
    newer = t.plural("Show %(n)d newer rating", "Show %(n)d newer ratings", queue.newer)
    return Words(
        name=t("Ratings"),
        count=_count(queue, t),
        newer=many_newer if queue.newer > COUNTED else newer,
        undo=_undo(queue.last, t) if queue.last else "",
        empty=_empty(queue.filters, t),
        note=_note(queue.filters, t),
        opens=t("pieces"),
    )


def _empty(filters: QueueFilter, t: Texts) -> str:
    if is_narrowed(filters):
        return t("No ratings found matching your criteria.")
    return t("Nothing waits for you.") if filters.show == ApprovalFilter.WAITING else t("No ratings available yet.")


def _note(filters: QueueFilter, t: Texts) -> str:
    words = t("Also those that this page does not show. You can take it back for ten minutes.")
    if not filters.both:
        return words
    return t("{words} The pieces and the whole performances are decided together.").format(words=words)


def _undo(last: LastDecision, t: Texts) -> str:
    if last.verdict == Verdict.APPROVE:
        return t.plural("Undo: %(n)d approved", "Undo: %(n)d approved", last.count)
    return t.plural("Undo: %(n)d rejected", "Undo: %(n)d rejected", last.count)


def _count(queue: RatingQueue, t: Texts) -> str:
    many = queue.total > COUNTED
    match queue.filters.show:
        case ApprovalFilter.WAITING if many:
            return t("More than {n} waiting").format(n=COUNTED)
        case ApprovalFilter.WAITING:
            return t.plural("%(n)d waiting", "%(n)d waiting", queue.total)
        case ApprovalFilter.APPROVED if not many:
            return t.plural("%(n)d approved", "%(n)d approved", queue.total)
        case _other if many:
            return t("More than {n} ratings").format(n=COUNTED)
    return t.plural("%(n)d rating", "%(n)d ratings", queue.total)


def _filters_form(start: QueueStart[QueueFilter, RatingShown], language: str) -> VdomDict:
    """Return the filter form; every change loads the list."""
    t, filters = texts(language), start.queue.filters
    sessions, participants = start.options
    hidden_fields = {name: value for name, value in fields_of(filters).items() if name == "tab"}
    shown = [("", t("Waiting")), (ApprovalFilter.APPROVED.value, t("Approved")), (ApprovalFilter.ALL.value, t("All"))]
    text_field = forms.field(
        t("Participant, listener or words"),
        "q",
        value=filters.text,
        type="search",
        maxLength=SEARCH_LENGTH,
        autoComplete="off",
    )
    return search(
        DASHBOARD,
        forms.select(t("Show"), "show", shown, "" if filters.show == ApprovalFilter.WAITING else filters.show.value),
        *session_fields(sessions, filters.session_id, language, first=[("", t("All sessions"))]),
        text_field,
        forms.check(_both(filters, t), "both", value=TICKED, defaultChecked=filters.both),
        _more(participants, filters, t),
        language=language,
        hidden_fields=hidden_fields,
    )


def _both(filters: QueueFilter, t: Texts) -> str:
    """Return the label of the checkbox that includes marks of the other kind in decisions."""
    if filters.kind == RatingKind.PIECE:
        return t("Decide the whole performance too")
    return t("Decide the pieces too")


def _more(participants: choices.Choice[ParticipantOption], filters: QueueFilter, t: Texts) -> VdomDict:
    """Return the less frequent filters, folded; the summary shows the number in use."""
    rarer = (filters.participant_id, filters.score_from, filters.score_to, filters.new_accounts or None)
    used = sum(each is not None for each in rarer)
    number: dict[str, Any] = {"type": "number", "min": 1, "max": HIGHEST[filters.kind], "inputMode": "numeric"}
    all_participants = [("", t("All participants"))]
    return html.details(
        {"class": "queue-tools__more"},
        html.summary({"class": "link"}, t("More filters ({n})").format(n=used) if used else t("More filters")),
        html.div(
            {"class": "queue-tools__rarer"},
            *participant_fields(participants, filters.participant_id, t, first=all_participants),
            forms.field(t("Score from"), "from", value=str(filters.score_from or ""), **number),
            forms.field(t("Score to"), "to", value=str(filters.score_to or ""), **number),
            forms.check(t("New accounts only"), "new", value=TICKED, defaultChecked=filters.new_accounts),
        ),
    )


RATING_DESK = Desk(
    moderation=RATING_MODERATION,
    topics=("ratings.waiting", "ratings.latest"),
    selected_command="ratings_decide",
    matching_command="ratings_decide_matching",
    matching_most=MATCHED,
    rows=ratings_queue,
    cursor_of=cursor_of,
    match_count=ratings_match_count,
    decision_last=decision_last,
    tab=lambda filters: TABS[filters.kind].value,
    waits=lambda filters: filters.show == ApprovalFilter.WAITING,
    decides=lambda queue: any(rating.waiting(queue.filters.kind) for rating in queue.rows),
    choices=_choices,
    words=_words,
    row=rating_row,
    filters_form=_filters_form,
)
