"""The filters of the list of ratings."""

from typing import Any

from apps.core.limits import SEARCH_LENGTH
from apps.core.texts import Texts, texts
from apps.ratings.enums import ApprovalFilter, RatingKind
from apps.ratings.queue_address import HIGHEST, TICKED, fields_of
from apps.ratings.selectors.moderation_queue import QueueFilter
from components.markup import VdomDict, html
from components.pages.admin.choices import participant_fields, session_fields
from components.pages.admin.dashboard.queue import ModerationStart
from components.ui import forms
from components.ui.frames import DASHBOARD, search


def filters_form(start: ModerationStart, language: str) -> VdomDict:
    """Return the form; every change loads the list."""
    t, filters = texts(language), start.queue.filters
    hidden_fields = {name: value for name, value in fields_of(filters).items() if name == "tab"}
    shown = [("", t("Waiting")), (ApprovalFilter.APPROVED.value, t("Approved")), (ApprovalFilter.ALL.value, t("All"))]
    found = forms.field(
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
        *session_fields(start.sessions, filters.session_id, language, first=[("", t("All sessions"))]),
        found,
        forms.check(_both(filters, t), "both", value=TICKED, defaultChecked=filters.both),
        _more(start, filters, t),
        language=language,
        hidden_fields=hidden_fields,
    )


def _both(filters: QueueFilter, t: Texts) -> str:
    """Return the words of the box that lets the marks of the other kind be decided as well."""
    if filters.kind == RatingKind.PIECE:
        return t("Decide the whole performance too")
    return t("Decide the pieces too")


def _more(start: ModerationStart, filters: QueueFilter, t: Texts) -> VdomDict:
    """Return the rarer fields, folded, with the number of those in use in the summary."""
    rarer = (filters.participant_id, filters.score_from, filters.score_to, filters.new_accounts or None)
    used = sum(each is not None for each in rarer)
    number: dict[str, Any] = {"type": "number", "min": 1, "max": HIGHEST[filters.kind], "inputMode": "numeric"}
    everybody = [("", t("All participants"))]
    return html.details(
        {"class": "queue-tools__more"},
        html.summary({"class": "link"}, t("More filters ({n})").format(n=used) if used else t("More filters")),
        html.div(
            {"class": "queue-tools__rarer"},
            *participant_fields(start.participants, filters.participant_id, t, first=everybody),
            forms.field(t("Score from"), "from", value=str(filters.score_from or ""), **number),
            forms.field(t("Score to"), "to", value=str(filters.score_to or ""), **number),
            forms.check(t("New accounts only"), "new", value=TICKED, defaultChecked=filters.new_accounts),
        ),
    )
