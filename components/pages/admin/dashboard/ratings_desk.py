"""The queue of ratings: its filters, texts and decisions."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from apps.accounts.actors import Viewer
from apps.competition.selectors.admin.participants import ParticipantOption
from apps.core.limits import DAY, SEARCH_LENGTH
from apps.core.moderation import COUNTED, LastDecision, OthersDecision
from apps.core.texts import Texts, texts
from apps.ratings.enums import ApprovalFilter, RatingKind, Verdict
from apps.ratings.limits import MATCHED, PROVEN_FROM, UNREJECTED_FOR
from apps.ratings.queue_address import HIGHEST, TICKED, fields_of, filters_of
from apps.ratings.selectors.deciding import Deciding, deciding_get, marks_decided_by_others, pieces_at_once
from apps.ratings.selectors.lists import cursor_of
from apps.ratings.selectors.moderation_queue import QueueFilter, decision_last, ratings_match_count, ratings_queue
from apps.ratings.selectors.statistics import RatingShown
from apps.ratings.services.rating_moderation import RATING_MODERATION
from components.pages.admin import choices
from components.pages.admin.choices import participant_choice, participant_fields, session_choice, session_fields
from components.pages.admin.dashboard.moderation_queue import Desk, Held, Queue, QueueStart, Words, queue_start
from components.pages.admin.dashboard.query import TABS, is_narrowed
from components.pages.admin.dashboard.queue_keys import Choice
from components.pages.admin.dashboard.rating_rows import rating_row
from components.runtime import (
    Component,
    Query,
    VdomDict,
    command_button,
    component,
    html,
    key,
    use_live_query,
    use_viewer,
)
from components.ui import forms
from components.ui.areas import DASHBOARD
from components.ui.frames import answer_line, search

RatingQueue = Queue[QueueFilter, RatingShown]


def ratings_start(viewer: Viewer, query: Query, path: str = DASHBOARD) -> QueueStart[QueueFilter, RatingShown]:
    """Return the data of the tab of the page at `path` for the filters in the address. At most sixteen queries."""
    filters = filters_of(query, until=datetime.now(UTC))
    options = (
        session_choice(query, filters.session_id or 0),
        participant_choice(query, filters.participant_id or 0),
        pieces_at_once() if filters.kind == RatingKind.PIECE else None,
    )
    return queue_start(RATING_DESK, viewer, query, filters, options=options, path=path)


def _choices(_filters: QueueFilter, t: Texts) -> tuple[Choice, ...]:
    """Return the possible decisions about a rating."""
    all_approved, all_rejected = t("Approve all {n} that match"), t("Reject all {n} that match")
    return (
        Choice(
            Verdict.APPROVE, t("Approve"), "a", all_approved, t("Approve all that match? Ratings: {n}, marks: {marks}")
        ),
        Choice(
            Verdict.REJECT, t("Reject"), "r", all_rejected, t("Reject all that match? Ratings: {n}, marks: {marks}")
        ),
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
        return t.plural("Undo: %(n)d rating approved", "Undo: %(n)d ratings approved", last.count)
    return t.plural("Undo: %(n)d rating rejected", "Undo: %(n)d ratings rejected", last.count)


def _count(queue: RatingQueue, t: Texts) -> str:
    """Return how many ratings match, and how many of their marks a decision about all of them includes."""
    if queue.total > COUNTED:
        return t("More than {n} ratings").format(n=f"{COUNTED:,}")
    ratings = t.plural("%(n)d rating", "%(n)d ratings", queue.total)
    if not 0 < queue.total <= MATCHED or queue.filters.show != ApprovalFilter.WAITING:
        return ratings
    return f"{ratings}, {t.plural('%(n)d mark', '%(n)d marks', queue.marks)}"


def _filters_form(start: QueueStart[QueueFilter, RatingShown], language: str) -> VdomDict:
    """Return the filter form; every change loads the list."""
    t, filters = texts(language), start.queue.filters
    sessions, participants, _ = start.options
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
        start.path,
        forms.select(t("Show"), "show", shown, "" if filters.show == ApprovalFilter.WAITING else filters.show.value),
        *session_fields(sessions, filters.session_id, language, first=[("", t("All sessions"))]),
        text_field,
        _more(participants, filters, t),
        language=language,
        hidden_fields=hidden_fields,
    )


def _together(start: QueueStart[QueueFilter, RatingShown], language: str) -> Component:
    """Return the box of the tab."""
    kind = start.queue.filters.kind
    return key(f"together-{kind}", together_box(kind, start.queue.filters.both, language))


@component
def together_box(kind: RatingKind, both: bool, language: str) -> VdomDict:  # noqa: FBT001 - props
    """Render the box that includes marks of the other kind in decisions, kept current in all windows of the account."""
    t, user_id = texts(language), use_viewer().id or 0
    first = replace(Deciding(), **{"whole_too" if kind == RatingKind.PIECE else "pieces_too": both})
    topics = (f"account.{user_id}.deciding",)
    is_on = use_live_query(deciding_get, topics=topics, initial=first, user_id=user_id).both(kind)
    words = t("Decide the whole performance too") if kind == RatingKind.PIECE else t("Decide the pieces too")
    own = {"type": "button", "class": "together", "role": "checkbox", "aria-checked": "true" if is_on else "false"}
    change = command_button("deciding_set", f"{kind}:{'off' if is_on else 'on'}")
    return html.div({"class": "together__line", "data-answers": ""}, html.button(own | change, words), answer_line())


def _foot(start: QueueStart[QueueFilter, RatingShown], language: str) -> Component | None:
    """Return the setting below the queue of piece ratings."""
    *_, is_on = start.options
    return None if is_on is None else key("at-once", at_once_box(is_on, language))


@component
def at_once_box(initial: bool, language: str) -> VdomDict:  # noqa: FBT001 - props
    """Render the box that approves piece ratings of proven accounts at once, kept current in all windows."""
    t = texts(language)
    is_on = use_live_query(pieces_at_once, topics=("ratings.approval",), initial=initial)
    own = {"type": "button", "class": "together", "role": "checkbox", "aria-checked": "true" if is_on else "false"}
    change = command_button("pieces_at_once_set", "off" if is_on else "on")
    words = t(
        "For accounts with at least {least} approved submissions and none rejected in the last {days} days. The whole "
        "performance and its comment still wait for approval."
    )
    days = UNREJECTED_FOR // DAY
    return html.div(
        {"data-answers": ""},
        html.div(
            {"class": "together__line"},
            html.button(own | change, t("Approve piece ratings automatically")),
            answer_line(),
        ),
        html.p({"class": "small muted"}, words.format(least=PROVEN_FROM, days=days)),
    )


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


def _held(rating: RatingShown) -> Held:
    """Return the row's name, its author, and its marks."""
    marks = tuple((mark.kind.value, mark.id) for mark in rating.marks)
    return f"{rating.appearance_id}-{rating.author_id}", rating.author_id, marks


def _decided(*, user_id: int, held: Collection[Held], after: int) -> Mapping[str, OthersDecision]:
    """Return what other moderators decided about these rows since the decision `after`, by row. One query."""
    authors, marks = {author_id for _, author_id, _ in held}, {mark for *_, marks in held for mark in marks}
    found = marks_decided_by_others(user_id=user_id, author_ids=authors, marks=marks, after=after)
    return {name: found[mark] for name, _, marks in held for mark in marks if mark in found}


def _decided_words(decision: OthersDecision, t: Texts) -> str:
    name = decision.by or t("another moderator")
    words = t("Approved by {name}") if decision.verdict == Verdict.APPROVE else t("Rejected by {name}")
    return words.format(name=name)


def _personal(filters: QueueFilter, user_id: int) -> QueueFilter:
    """Return the filters with what this moderator decides together. One query."""
    return replace(filters, both=deciding_get(user_id=user_id).both(filters.kind))


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
    personal=_personal,
    held=_held,
    decided=_decided,
    decided_words=_decided_words,
    choices=_choices,
    words=_words,
    row=rating_row,
    filters_form=_filters_form,
    together=_together,
    foot=_foot,
)
