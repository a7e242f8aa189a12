"""A member's relation to a performance as every page shows it: a sign, its words, and a note at the form."""

from apps.core.rounding import rounded
from apps.core.texts import Texts, texts
from apps.ranking.enums import NotCounted
from apps.ranking.own_states import OwnState, OwnStates
from apps.ratings.enums import PerformanceState
from components.parts.ratings.covering import covering_fills
from components.parts.ratings.standing_words import full_minute, standing_words, then_from, then_words
from components.runtime import Fill, fill, part_fill
from components.ui.marks import SIGN, SIGN_WORDS, sign_fills


def state_words(own: OwnState, language: str) -> str:
    """Return the state in words, such as "2 of 5 marked, not submitted".

    Once the ranking is closed, approval makes no submitted mark count any more: its standing says why.
    """
    t, standing = texts(language), own.standing
    match own.state:
        case PerformanceState.TO_COME:
            return t("To come")
        case PerformanceState.UNHEARD:
            return t("Not marked yet")
        case PerformanceState.MARKED:
            return t("{n} of {all} marked, not submitted").format(n=own.marked, all=own.pieces)
        case PerformanceState.CHANGED:
            return t("Changed, not sent")
        case PerformanceState.SUBMITTED if standing is None or standing.after_closing is None:
            return t("Waits for approval")
        case PerformanceState.SUBMITTED | PerformanceState.SHOWN | PerformanceState.COUNTS:
            return standing_words(standing, language) if standing else t("Shown to everybody")


def then_fill(own: OwnState, language: str) -> Fill | None:
    """Return the fill with what comes after the approval of a submitted mark; None if it is not known or closed."""
    standing = own.standing
    if own.state != PerformanceState.SUBMITTED or standing is None or standing.counts:
        return None
    then = standing.once_approved if standing.reason == NotCounted.WAITING else standing
    if then is None or then.after_closing is not None:
        return None
    if then.due_at is None:
        return fill(text=then_words(then, language))
    due = int(full_minute(then.due_at).timestamp())
    return part_fill(then_from(due, then.missing, language=language))


def state_note(own: OwnState, t: Texts) -> str:
    """Return what the form says beside the state: what still counts, or who sees the marks."""
    standing = own.standing
    rejected = t("A moderator did not approve some of it. It is kept here for you.") if own.ratings.is_rejected else ""
    waits = own.state in {PerformanceState.CHANGED, PerformanceState.SUBMITTED} and not _only_whole_waits(own)
    if waits and standing is not None and standing.counts and standing.mark is not None:
        counts = t("{mark} counts until the change is approved.").format(mark=rounded(standing.mark))
        return f"{rejected} {counts}".strip()
    if rejected or own.state == PerformanceState.CHANGED:
        return rejected
    if own.state == PerformanceState.SUBMITTED:
        return _waiting_note(own, t)
    if own.state == PerformanceState.MARKED:
        return t("Your marks are kept as you strike them. Nobody sees them before you submit.")
    return t("Your ratings are shown to everybody. What you change waits for approval again.")


def _only_whole_waits(own: OwnState) -> bool:
    pieces = own.ratings.pieces.values()
    return own.state == PerformanceState.SUBMITTED and bool(pieces) and all(each.approved for each in pieces)


def _waiting_note(own: OwnState, t: Texts) -> str:
    """Return who sees the marks of a submitted rating of which some wait for approval."""
    if _only_whole_waits(own):
        return t("Your marks of the pieces are shown to everybody. The rest waits.")
    if own.ratings.is_partly_approved:
        return t("Some of your ratings are shown to everybody.")
    return t("Only you see your ratings until they are approved.")


RATE, RATE_WAY = "rate", "rate_way"  # the slots' names: the words of a link to the keys, and the link
LISTEN = "listen"  # the slots' name: the words of a link to the stage and its keys


def rate_fills(appearance_id: int, own: OwnState, t: Texts) -> dict[str, Fill]:
    """Return the fills of the links to a performance's keys: their words, and whether all of it is submitted."""
    match own.state:
        case PerformanceState.MARKED:
            return {f"{RATE}:{appearance_id}": fill(text=t("Finish"))}
        case PerformanceState.CHANGED:
            return {f"{RATE}:{appearance_id}": fill(text=t("Send changes"))}
    if not own.ratings.is_submitted or own.marked < own.pieces:
        return {}
    return {f"{RATE_WAY}:{appearance_id}": fill({"hidden": True}), f"{LISTEN}:{appearance_id}": fill(text=t("Listen"))}


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
