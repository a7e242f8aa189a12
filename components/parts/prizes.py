"""Prizes where they are shown: a stage's section, a performer's line, Home, and the schedule."""

from collections.abc import Sequence

from apps.competition.enums import PrizeKind
from apps.competition.selectors.public.prizes import PrizeShown, participant_prizes, stage_prizes
from apps.competition.selectors.public.stages import stage_names
from apps.core.texts import Texts, texts
from components.runtime import Markup, VdomDict, html, public_part, read_once
from components.ui.blocks import button_link, link
from components.ui.frames import section, unbroken_words
from components.ui.people import performer_link

_TOPICS = ("stages", "featured_participants")
HOME_MOST = 6  # prizes of each list on Home, whose first block has one height; the link leads to all


@public_part(topics=lambda _stage_id: _TOPICS, outcome=True)
def stage_prize_list(stage_id: int, *, language: str) -> VdomDict:
    """The section of a stage's prizes; hidden before they are published."""
    t, prizes = texts(language), read_once(stage_prizes, stage_id=stage_id)
    if not prizes:
        return html.div({"hidden": True})
    return section(t("Prizes"), html.div({"class": "body"}, _list(prizes, t)), name="prizes")


@public_part(topics=lambda participant_id: (f"participant.{participant_id}", "stages"), outcome=True)
def participant_prize_line(participant_id: int, *, language: str) -> VdomDict:
    """The prizes of a performer, each with a link to its stage; hidden without any."""
    t = texts(language)
    prizes = participant_prizes(participant_id=participant_id)
    if not prizes:
        return html.p({"hidden": True})
    ways = [
        link(f"/stages/{each.stage_id}#prizes", prize_words(each.name, t, is_shared=each.is_shared)) for each in prizes
    ]
    return html.p({"class": "row"}, *(html.b({"key": f"prize-{at}"}, way) for at, way in enumerate(ways)))


@public_part(topics=lambda _stage_id: _TOPICS, outcome=True)
def home_prizes(stage_id: int, *, language: str) -> VdomDict:
    """The prizes that lead Home after the final: the first in order, beside distinctions and special prizes.

    A phone shows those in order only.
    """
    t, prizes = texts(language), read_once(stage_prizes, stage_id=stage_id)
    stage = next((each.name for each in read_once(stage_names) if each.id == stage_id), "")
    places = [each for each in prizes if each.kind == PrizeKind.PLACE]
    others = [each for each in prizes if each.kind != PrizeKind.PLACE]
    return html.div(
        {"class": "door__grid"},
        html.div(
            html.p({"class": "door__label"}, *unbroken_words(stage)),
            html.p({"class": "door__name"}, t("Prizes")),
            _list(places[:HOME_MOST], t, "door__prizes") if places else None,
            html.p(button_link(f"/stages/{stage_id}#prizes", t("To the results of the stage"))),
        ),
        html.div(_list(others[:HOME_MOST], t, "door__prizes door__prizes--special")) if others else None,
    )


@public_part(topics=lambda _stage_id: _TOPICS, outcome=True)
def schedule_prizes(stage_id: int, *, language: str) -> VdomDict:
    """The prizes after the last session of their stage in the schedule."""
    t, prizes = texts(language), read_once(stage_prizes, stage_id=stage_id)
    return html.div({"hidden": not prizes}, html.p({"class": "label"}, t("Prizes")), _list(prizes, t))


def prize_words(name: str, t: Texts, *, is_shared: bool) -> str:
    """Return the name of a prize, such as "Second Prize, shared"."""
    return t("{prize}, shared").format(prize=name) if is_shared else name


def _list(prizes: Sequence[PrizeShown], t: Texts, look: str = "") -> VdomDict:
    return html.ul({"class": look} if look else {}, *(_prize(each, t) for each in prizes))


def _prize(prize: PrizeShown, t: Texts) -> VdomDict:
    names: list[Markup] = []
    for who in prize.recipients:
        names += [", " if names else "", performer_link(who.participant_id, who.name, "link")]
    return html.li(
        {"key": f"prize-{prize.id}"},
        html.span({"class": "work"}, prize_words(prize.name, t, is_shared=prize.is_shared)),
        ": ",
        html.span(*names) if names else html.span({"class": "muted"}, t("Not awarded")),
    )
