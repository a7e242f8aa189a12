"""What a viewer may do about a participant's performances: rate, recommend, delete ratings."""

from collections.abc import Mapping
from typing import Any

from apps.core.texts import Texts, texts
from apps.ratings.enums import Advance, QuickRating, RatingKind
from apps.ratings.selectors import OwnRatings, ratings_own
from apps.ratings.services import RECOMMENDATION_FAILED, rating_delete, ratings_submit, recommendation_set
from components.hooks.command import Asked, use_action
from components.hooks.connection import use_viewer
from components.hooks.live_query import use_own
from components.markup import Markup, VdomDict, component, html, web_module
from components.pages.public.participant.rating_form import COMMENT_LENGTH
from components.rendering.parts import acts

SCORES = web_module("modules/score.js", "Scores")
PIECE, HIGHEST, HIGHEST_WHOLE, ID_DIGITS = "piece-", 25, 5, 18
UNKNOWN: Mapping[int, OwnRatings] | None = None


def read_rating(asked: Asked) -> dict[str, Any]:
    """What `ratings_submit` takes: marks by piece, those at rest left out."""
    marks = {name: asked.number(name, 0, HIGHEST) for name in asked.fields if _piece_id(name)}
    return {
        "session_participant_id": asked.id(),
        "pieces": {_piece_id(name): mark for name, mark in marks.items() if mark},
        "score": asked.number("score", 1, HIGHEST_WHOLE) or 0,
        "comment": asked.text("comment", COMMENT_LENGTH),
        "quick_rating": asked.choice("quick_rating", QuickRating.values),
    }


def _piece_id(name: str) -> int:
    """Return the id in "piece-12", 0 in any other name."""
    digits = name.removeprefix(PIECE)
    is_one = name != digits and digits.isascii() and digits.isdecimal() and len(digits) <= ID_DIGITS
    return int(digits) if is_one else 0


def read_recommendation(asked: Asked) -> dict[str, Any]:
    """What `recommendation_set` takes, of "17:up"."""
    return {"session_participant_id": asked.id(), "recommendation": asked.word(1, Advance.values)}


def read_deletion(asked: Asked) -> dict[str, Any]:
    """What `rating_delete` takes, of "piece:12"."""
    return {"kind": RatingKind(asked.word(0, [each.value for each in RatingKind])), "rating_id": asked.id(1)}


@component
def rating(participant_id: int, language: str) -> VdomDict:
    """The acts of the performances' tab, and the viewer's own ratings in the forms, beside the public figures."""
    t, viewer = texts(language), use_viewer()
    rate = use_action(ratings_submit, read=read_rating, said=t)
    recommend = use_action(recommendation_set, read=read_recommendation, said=t, failed=t(RECOMMENDATION_FAILED))
    own = (
        own_ratings(viewer.id, participant_id, language)
        if viewer.id is not None
        else SCORES({"own": {}, "words": _words(t)})
    )
    return html.div(acts({"rate": rate, "recommend": recommend}), own)


@component
def own_ratings(account_id: int, participant_id: int, language: str) -> VdomDict:
    """One's own ratings, for the forms and the figures of this page, as they are now."""
    t = texts(language)
    topic = f"account.{account_id}.ratings"
    own = use_own(ratings_own, topic, nothing=UNKNOWN, user_id=account_id, participant_id=participant_id)
    known = None if own is None else {str(appearance): _given(given, t) for appearance, given in own.items()}
    return SCORES({"own": known, "words": _words(t)})


def _words(t: Texts) -> dict[str, str]:
    return {"of": t("{n} of 25"), "none": t("no mark yet"), "yours": t("yours: {n}")}


def _given(given: OwnRatings, t: Texts) -> dict[str, Any]:
    """One performance's ratings as fields of its form, with what is said about them."""
    fields = {f"{PIECE}{piece_id}": str(mark.score) for piece_id, mark in given.pieces.items()}
    if overall := given.overall:
        fields |= {"score": str(overall.score), "comment": overall.comment, "quick_rating": overall.quick_rating}
    return {"fields": fields, "recommendation": given.recommendation, "state": _state(given, t)}


def _state(given: OwnRatings, t: Texts) -> str:
    approved = [each.approved for each in (*given.pieces.values(), *((given.overall,) if given.overall else ()))]
    if not approved:
        return ""
    if all(approved):
        return t("Your ratings are shown to everybody.")
    if any(approved):
        return t("Some of your ratings are shown to everybody; the others wait for approval.")
    return t("Your ratings wait for approval; only you see them.")


@component
def use_rating_deletion(language: str) -> Markup:
    """The act of deleting ratings, one's own or, for administrators, anybody's."""
    t = texts(language)
    failed = t("An error occurred while deleting rating")
    return acts({"rating_delete": use_action(rating_delete, read=read_deletion, said=t, failed=failed)})
