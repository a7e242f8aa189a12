"""Whether somebody should advance, as long as that is open; then whether they did."""

from collections.abc import Mapping

from apps.competition.selectors import SessionAppearance, appearances_get
from apps.core.texts import Texts, texts
from apps.ratings.enums import Advance
from apps.ratings.selectors import RecommendationCounts, recommendation_counts
from components.markup import VdomDict, html
from components.rendering.parts import public_part, read_together
from components.rendering.slots import slot
from components.ui.controls.commands import command_button
from components.ui.placeholder_pictures import reaction_sign

SIGNS = {Advance.UP: "thumbsUp", Advance.DOWN: "thumbsDown"}
VOTE = "vote"  # the slots' name
EVERY = 1 / 3  # seconds between two readings


def _recommended_read(appearance_ids: tuple[int, ...]) -> Mapping[int, tuple[SessionAppearance, RecommendationCounts]]:
    """Return these performances with their recommendations, by appearance. Three queries."""
    counts = recommendation_counts(appearance_ids=appearance_ids)
    found = appearances_get(appearance_ids=appearance_ids)
    return {pk: (each, counts.get(pk, RecommendationCounts())) for pk, each in found.items()}


def _topics(_appearance_id: int, participant_id: int) -> tuple[str, ...]:
    topic = f"participant.{participant_id}"
    return (topic, f"{topic}.recommendations", "stages")


@public_part(topics=_topics, every=EVERY, together=_recommended_read, outcome=True)
def performance_recommendation(appearance_id: int, participant_id: int, *, language: str) -> VdomDict:
    """The question whether somebody should advance, from when the performance began to when the field is drawn."""
    t, known = texts(language), read_together(_recommended_read, appearance_id)
    if known is None or not known[0].appearance.has_begun:
        return html.div({"hidden": True})
    found, counts = known
    name = f"advance-{appearance_id}"
    back = f"/participants/{participant_id}?open={appearance_id}#{name}"
    return html.section(
        {"class": "performance__part", "id": name, "data-back": back},
        html.h3({"class": "performance__heading"}, t("The next stage")),
        *(_outcome(found, counts, t) if found.next_stage else _question(found, counts, t)),
    )


def _question(found: SessionAppearance, counts: RecommendationCounts, t: Texts) -> tuple[VdomDict, ...]:
    numbers = {Advance.UP: (t("Yes"), counts.up), Advance.DOWN: (t("No"), counts.down)}
    buttons = [_vote(found.appearance.id, which, *numbers[which]) for which in (Advance.UP, Advance.DOWN)]
    answer = html.p({"class": "small", "data-answer": "", "role": "status"})
    return (
        html.p({"class": "ask"}, t("Should {name} advance?").format(name=found.appearance.name)),
        html.div({"class": "row", "data-answers": ""}, *buttons, answer),
    )


def _outcome(found: SessionAppearance, counts: RecommendationCounts, t: Texts) -> tuple[VdomDict, ...]:
    """Return who has advanced, and what the audience had said; the field is drawn, so nobody recommends any more."""
    outcome = t("{name} plays in {stage}.") if found.has_advanced else t("{name} does not play in {stage}.")
    said = t("The audience had said: {yes} yes, {no} no.").format(yes=counts.up, no=counts.down)
    return (
        html.p({"class": "ask"}, outcome.format(name=found.appearance.name, stage=found.next_stage)),
        html.p({"class": "muted"}, said),
    )


def _vote(appearance_id: int, which: Advance, words: str, count: int) -> VdomDict:
    """Return the button; its slot shows one's own recommendation as pressed."""
    name = f"{appearance_id}:{which.value}"
    asked = command_button("recommendation_set", name) | slot(VOTE, name)
    asked |= {"class": "button button--plain vote", "aria-pressed": "false"}
    return html.button(asked, reaction_sign(SIGNS[which]), f"{words} ", html.span({"class": "num"}, str(count)))
