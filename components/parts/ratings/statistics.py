"""Figures of a participant: recommendations and the distribution of marks. One query for all figures."""

from apps.competition.selectors import SessionAppearance, participant_appearances
from apps.core.texts import Texts, texts
from apps.ratings.enums import Advance
from apps.ratings.selectors import (
    Figures,
    ParticipantFigures,
    PerformanceFigures,
    RecommendationCounts,
    participant_figures,
    recommendation_counts,
)
from components.markup import Markup, VdomDict, html
from components.rendering.parts import public_part
from components.rendering.slots import slot
from components.ui.blocks import visually_hidden
from components.ui.controls.commands import command_button
from components.ui.empty_states import no_marks
from components.ui.key_marks import figure
from components.ui.piece_title import work
from components.ui.placeholder_pictures import reaction_sign

SIGNS = {Advance.UP: "thumbsUp", Advance.DOWN: "thumbsDown"}
VOTE = "vote"  # the slots' name
EVERY = 1 / 3  # seconds between two readings


def _topics(participant_id: int) -> tuple[str, ...]:
    topic = f"participant.{participant_id}"
    return (topic, f"{topic}.ratings", f"{topic}.recommendations", "stages", "clock.minute")


@public_part(topics=_topics, every=EVERY)
def participant_statistics(participant_id: int, *, language: str) -> VdomDict:
    """The recommendations and marks of each performance."""
    session_appearances = participant_appearances(participant_id=participant_id)
    if not session_appearances:
        return html.div({"hidden": True})
    figures = participant_figures(participant_id=participant_id)
    counts = recommendation_counts(participant_id=participant_id)
    several = len(session_appearances) > 1
    sections: list[Markup] = []
    for each in session_appearances:
        if not each.appearance.has_begun:
            continue
        votes = counts.get(each.appearance.id, RecommendationCounts())
        sections += [
            _recommendations(each, votes, several, texts(language)),
            _statistics(each, figures.of_appearance(each.appearance.id), several, language),
        ]
    summary = _all_together(figures, language) if several else None
    return html.div({"class": "stalls"}, *sections, summary)


def _margin(heading: str, *below: str) -> VdomDict:
    return html.div({"class": "hang"}, html.h2(heading), *(html.p(words) for words in below if words))


def _recommendations(
    session_appearance: SessionAppearance,
    votes: RecommendationCounts,
    several: bool,  # noqa: FBT001 - private
    t: Texts,
) -> VdomDict:
    appearance, title = session_appearance.appearance, session_appearance.session.title
    if session_appearance.next_stage:
        return _advanced(session_appearance, votes, several, t)
    numbers = {Advance.UP: (t("Yes"), votes.up), Advance.DOWN: (t("No"), votes.down)}
    buttons = [
        _vote(appearance.id, which, *numbers[which], title if several else "") for which in (Advance.UP, Advance.DOWN)
    ]
    ask = html.p({"class": "ask"}, t("Should {name} advance?").format(name=appearance.name))
    answer = html.p({"class": "small", "data-answer": "", "role": "status"})
    return html.section(
        {"class": "sheet sheet--ruled", "key": f"advance-{appearance.id}", "id": f"advance-{appearance.id}"},
        _margin(t("The next stage"), title if several else ""),
        html.div({"class": "body", "data-answers": ""}, ask, html.div({"class": "row"}, *buttons, answer)),
    )


def _advanced(
    session_appearance: SessionAppearance,
    votes: RecommendationCounts,
    several: bool,  # noqa: FBT001 - private
    t: Texts,
) -> VdomDict:
    """Return who has advanced, beside what the audience had said; the field is drawn, so nobody recommends any more."""
    appearance, stage = session_appearance.appearance, session_appearance.next_stage
    if session_appearance.has_advanced:
        outcome = t("{name} plays in {stage}.").format(name=appearance.name, stage=stage)
    else:
        outcome = t("{name} does not play in {stage}.").format(name=appearance.name, stage=stage)
    said = t("The audience had said: {yes} yes, {no} no.").format(yes=votes.up, no=votes.down)
    return html.section(
        {"class": "sheet sheet--ruled", "key": f"advance-{appearance.id}", "id": f"advance-{appearance.id}"},
        _margin(t("The next stage"), session_appearance.session.title if several else ""),
        html.div({"class": "body"}, html.p({"class": "ask"}, outcome), html.p({"class": "muted"}, said)),
    )


def _vote(appearance_id: int, which: Advance, words: str, count: int, whose: str) -> VdomDict:
    """Return the button; its slot shows one's own recommendation as pressed."""
    name = f"{appearance_id}:{which.value}"
    asked = command_button("recommendation_set", name) | slot(VOTE, name)
    asked |= {"class": "button button--plain vote", "aria-pressed": "false"}
    named = visually_hidden(f", {whose}") if whose else None
    return html.button(asked, reaction_sign(SIGNS[which]), f"{words} ", html.span({"class": "num"}, str(count)), named)


def _statistics(
    session_appearance: SessionAppearance,
    figures: PerformanceFigures,
    several: bool,  # noqa: FBT001 - private
    language: str,
) -> VdomDict:
    t, appearance = texts(language), session_appearance.appearance
    pieces = {line.piece.id: line.piece for line in appearance.program}
    shown = [
        _figure(f"{appearance.id}-{pk}", work(piece, language=language), figures.piece(pk), t)
        for pk, piece in pieces.items()
    ]
    overall = _overall(f"{appearance.id}-whole", figures.overall, t)
    any_marks = figures.overall.count or any(figures.piece(pk).count for pk in pieces)
    body = html.div({"class": "hall"}, *shown, overall) if any_marks else no_marks(t("No ratings available yet."))
    how = t("Each string is as long as its mark was given often. Brass key: the average. Oxblood: yours.")
    title = session_appearance.session.title if several else ""
    return html.section(
        {"class": "sheet sheet--ruled", "key": f"heard-{appearance.id}"},
        _margin(t("How the stalls heard it"), title, how if any_marks else ""),
        html.div({"class": "body"}, body),
    )


def _all_together(figures: ParticipantFigures, language: str) -> Markup:
    """Return the figures of all performances as one."""
    t = texts(language)
    if not figures.overall.count and not figures.pieces.count:
        return None
    pieces = _figure("pieces", _work(t("All pieces")), figures.pieces, t)
    overall = _figure("whole", _work(t("All performances")), figures.overall, t)
    return html.section(
        {"class": "sheet sheet--ruled", "key": "together"},
        _margin(t("All together")),
        html.div({"class": "body"}, html.div({"class": "hall"}, pieces, overall)),
    )


def _work(words: str) -> VdomDict:
    return html.span({"class": "work"}, html.b(words))


def _overall(name: str, figures: Figures, t: Texts) -> VdomDict:
    return _figure(name, _work(t("The whole performance")), figures, t)


def _figure(name: str, heading: Markup, figures: Figures, t: Texts) -> VdomDict:
    often = figures.distribution
    given = ", ".join(f"{mark}: {times}" for mark, times in enumerate(often, start=1) if times)
    return figure(
        name,
        heading,
        often,
        figures.mean,
        average=t("average"),
        count=t.plural("%(n)d rating", "%(n)d ratings", figures.count),
        spread=t("How often each mark was given: {marks}").format(marks=given) if given else "",
    )
