"""A member's relation to a performance as every page shows it: a sign, its words, and a note at the form."""

from apps.core.rounding import rounded
from apps.core.texts import Texts, texts
from apps.ranking.own_states import OwnState, OwnStates
from apps.ratings.enums import PerformanceState
from components.parts.ratings.covering import covering_fills
from components.parts.ratings.standing_words import standing_words
from components.runtime import Fill, fill
from components.ui.marks import SIGN, SIGN_WORDS, sign_fills


def state_words(own: OwnState, language: str) -> str:
    """Return the state in words, such as "2 of 5 marked, not submitted"."""
    t = texts(language)
    match own.state:
        case PerformanceState.TO_COME:
            return t("To come")
        case PerformanceState.UNHEARD:
            return t("Not marked yet")
        case PerformanceState.MARKED:
            return t("{n} of {all} marked, not submitted").format(n=own.marked, all=own.pieces)
        case PerformanceState.CHANGED:
            return t("Changed, not sent")
        case PerformanceState.SUBMITTED:
            return t("Waits for approval")
        case PerformanceState.SHOWN | PerformanceState.COUNTS:
            return standing_words(own.standing, language) if own.standing else t("Shown to everybody")


def state_note(own: OwnState, t: Texts) -> str:
    """Return what the form says beside the state: what still counts, or who sees the marks."""
    standing = own.standing
    rejected = t("A moderator did not approve some of it. It is kept here for you.") if own.ratings.is_rejected else ""
    waits = own.state in {PerformanceState.CHANGED, PerformanceState.SUBMITTED}
    if waits and standing is not None and standing.counts and standing.mark is not None:
        counts = t("{mark} counts until the change is approved.").format(mark=rounded(standing.mark))
        return f"{rejected} {counts}".strip()
    if rejected or own.state == PerformanceState.CHANGED:
        return rejected
    if own.state == PerformanceState.SUBMITTED:
        if own.ratings.is_partly_approved:
            return t("Some of your ratings are shown to everybody.")
        return t("Only you see your ratings until they are approved.")
    if own.state == PerformanceState.MARKED:
        return t("Your marks are kept as you strike them. Nobody sees them before you submit.")
    return t("Your ratings are shown to everybody. What you change waits for approval again.")


RATE, RATE_WAY = "rate", "rate_way"  # the slots' names: the words of a link to the keys, and the link


def rate_fills(appearance_id: int, own: OwnState, t: Texts) -> dict[str, Fill]:
    """Return the fills of the links to a performance's keys: their words, and whether all of it is submitted."""
    match own.state:
        case PerformanceState.MARKED:
            return {f"{RATE}:{appearance_id}": fill(text=t("Finish"))}
        case PerformanceState.CHANGED:
            return {f"{RATE}:{appearance_id}": fill(text=t("Send changes"))}
    is_whole = own.ratings.is_submitted and own.marked >= own.pieces
    return {f"{RATE_WAY}:{appearance_id}": fill({"hidden": True})} if is_whole else {}


def unheard_fills(language: str) -> dict[str, Fill]:
    """Return the fills of the signs of all performances that have no fill of their own."""
    return {
        SIGN: fill({"data-own": PerformanceState.UNHEARD.value}),
        SIGN_WORDS: fill(text=texts(language)("Not marked yet")),
    }


def state_fills(states: OwnStates, language: str) -> dict[str, Fill]:
    """Return the fills of the signs of all performances on a member's page, and of the line about what is covered.

    A performance to come has no fill of its own: its sign is in public markup once it has begun, which no page reads
    its fills for, and it is not marked yet then.
    """
    fills = unheard_fills(language)
    for appearance_id, own in states.items():
        if own.state not in {PerformanceState.UNHEARD, PerformanceState.TO_COME}:
            fills |= sign_fills(appearance_id, own.state.value, state_words(own, language))
    return fills | covering_fills(states)
