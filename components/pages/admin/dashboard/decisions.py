"""What a moderator asks for: one rating, those that are ticked, or all that match; and the way back."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.core.exceptions import ValidationError

from apps.ratings.enums import RatingKind, Verdict
from apps.ratings.selectors import QueueFilter, RatingShown
from apps.ratings.services import RatingSeen, decision_undo, ratings_decide, ratings_decide_matching
from components.hooks.arguments import UNREADABLE
from components.hooks.command import Asked, Back, use_action
from components.markup import VdomDict
from components.pages.admin.dashboard.query import fields_of, filters_of
from components.pages.admin.dashboard.queue import ROWS
from components.rendering.parts import acts

ONE, SEVERAL, MATCHING, UNDO = "rating_decide", "ratings_decide", "ratings_decide_matching", "decision_undo"
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
TICK = re.compile(r"(piece|performance):([1-9]\d{0,17}):([1-9]\d{0,17})", re.ASCII)


def use_decisions(language: str) -> VdomDict:
    """Register all that a moderator does; a hook, as `use_action` is."""

    def said(result: Any) -> str:
        return str(result.said_in(language))

    return acts(
        {
            ONE: use_action(ratings_decide, read=read_one, said=said, undo=_back),
            SEVERAL: use_action(ratings_decide, read=read_several, said=said, undo=_back),
            MATCHING: use_action(ratings_decide_matching, read=read_matching, said=said, undo=_back),
            UNDO: use_action(decision_undo, read=lambda asked: {"decision_id": asked.id()}, said=said),
        }
    )


def tick_of(rating: RatingShown) -> str:
    """Return a rating as it was read, in a word: "piece:17:1823360400000000"."""
    return f"{rating.kind.value}:{rating.id}:{_number(rating.updated_at)}"


def one_argument(verdict: Verdict, rating: RatingShown) -> str:
    """Return the argument that decides about this rating."""
    return f"{verdict.value}:{tick_of(rating)}"


def matching_argument(verdict: Verdict, filters: QueueFilter) -> str:
    """Return the argument that decides about all that match: it says itself which, whatever the address says then."""
    until = _number(filters.until) if filters.until else 0
    return f"{verdict.value}:{until}:{urlencode(fields_of(filters))}"


def read_one(asked: Asked) -> dict[str, Any]:
    """What `ratings_decide` takes, of a row's button."""
    verdict, _, tick = asked.argument.partition(":")
    return {"decision": verdict, "ratings": [_seen(tick)]}


def read_several(asked: Asked) -> dict[str, Any]:
    """What `ratings_decide` takes, of the boxes that are ticked."""
    return {
        "decision": asked.choice("decision", tuple(Verdict)),
        "ratings": [_seen(tick) for tick in asked.several("rating", ROWS)],
    }


def read_matching(asked: Asked) -> dict[str, Any]:
    """What `ratings_decide_matching` takes."""
    fields = dict(parse_qsl(asked.argument.split(":", 2)[-1].replace("\0", "")))
    return {
        "decision": asked.word(0, tuple(Verdict)),
        "filters": filters_of(fields),
        "until": _moment(asked.id(1)),
    }


def _seen(tick: str) -> RatingSeen:
    found = TICK.fullmatch(tick)
    if found is None:
        raise ValidationError(UNREADABLE)
    return RatingSeen(RatingKind(found[1]), int(found[2]), _moment(int(found[3])))


def _number(at: datetime) -> int:
    """Return a moment as whole microseconds."""
    return (at - BEGINNING) // MICROSECOND


def _moment(number: int) -> datetime:
    try:
        return BEGINNING + number * MICROSECOND
    except OverflowError as error:
        raise ValidationError(UNREADABLE) from error


def _back(result: Any) -> Back | None:
    return UNDO, result.id
