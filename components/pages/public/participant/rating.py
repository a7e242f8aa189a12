"""A viewer's own ratings of a participant's performances, in the forms and beside the figures."""

from collections.abc import Mapping
from typing import Any

from apps.core.texts import Texts, texts
from apps.ratings.selectors import OwnRatings, ratings_own
from components.hooks.connection import use_viewer
from components.hooks.live_query import use_own
from components.markup import VdomDict, component, html, web_module

SCORES = web_module("modules/score.js", "Scores")
UNKNOWN: Mapping[int, OwnRatings] | None = None


@component
def rating(participant_id: int, language: str) -> VdomDict:
    """The viewer's own ratings in the forms, beside the public figures."""
    t, viewer = texts(language), use_viewer()
    if viewer.id is None:
        return SCORES({"own": {}, "words": _words(t)})
    return html.div(own_ratings(viewer.id, participant_id, language))


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
    fields = {f"piece-{piece_id}": str(mark.score) for piece_id, mark in given.pieces.items()}
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
