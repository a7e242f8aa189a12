"""Names of what administrators see of reports: decisions, states, kinds and reasons."""

from apps.community.enums import ReportKind, ReportReason, ReportState, ReportVerdict
from apps.core.texts import Texts
from components.pages.admin.dashboard.decision_list import Choice


def choices_of(state: ReportState, t: Texts) -> tuple[Choice, ...]:
    """Return what can be decided about a text in this state: what was decided, only otherwise."""
    hide = Choice(ReportVerdict.HIDE, t("Hide"), "h")
    match state:
        case ReportState.OPEN:
            return hide, Choice(ReportVerdict.DISMISS, t("Dismiss"), "d")
        case ReportState.HIDDEN:
            return (Choice(ReportVerdict.DISMISS, t("Restore"), "r"),)
        case _:
            return (hide,)


def kind_words(kind: ReportKind, t: Texts) -> str:
    """Return the name of a kind of text."""
    return t(str(kind.label))


def reason_words(reason: ReportReason, t: Texts) -> str:
    """Return the name of a reason."""
    return t(str(reason.label))


def count_words(state: ReportState, count: int, t: Texts) -> str:
    """Return how many reported texts there are in this state."""
    match state:
        case ReportState.OPEN:
            return t.plural("%(n)d waiting", "%(n)d waiting", count)
        case ReportState.HIDDEN:
            return t.plural("%(n)d hidden", "%(n)d hidden", count)
        case _:
            return t.plural("%(n)d dismissed", "%(n)d dismissed", count)


def nothing_words(state: ReportState, kind: ReportKind | None, t: Texts) -> str:
    """Return the text of the empty list."""
    if kind is not None:
        return t("No reports found matching your criteria.")
    match state:
        case ReportState.OPEN:
            return t("Nothing reported waits for you.")
        case ReportState.HIDDEN:
            return t("No administrator has hidden anything.")
        case _:
            return t("No reports were dismissed yet.")
