"""A member's nearest and farthest juror on a stage's page: an empty hidden section whose slots the server fills.

The public part has no values. They are in the fills of the member's own page only.
"""

from fractions import Fraction

from apps.accounts.actors import Viewer
from apps.core.texts import Texts, texts
from apps.jury.nearest import LEAST_SHARED, MOST_APART, SHRINKAGE, Likeness, MarkedApart, Nearest, nearest_get
from apps.ranking.own_states import OwnStates, own_states
from components.parts.jury.audience import AUDIENCE, number, own_jury_comparison
from components.parts.jury.sheet import JURY, jury_cover, jury_shown_to, own_jury_marks
from components.runtime import (
    Fill,
    Fills,
    SlotQuery,
    VdomDict,
    covered,
    covered_by,
    fill,
    html,
    public_part,
    slot,
    slot_query,
)
from components.ui.frames import section

NEAREST, LINE, APART = "nearest_juror", "nearest_line", "nearest_apart"  # the slots' names
NEAR, FAR = "near", "far"
# sources of gettext
IS_NEAREST = "{juror} hears most as you do: you put {same} of {pairs} pairs of performances in the same order."
IS_FARTHEST = "{juror} hears least as you do: you put {same} of {pairs} pairs in the same order."
MEASURED = "{juror}: {shrunk}, from {n} performances that you both marked (tau-b {tau})."
HOW = (
    "Your submitted marks beside each juror’s: 1 is the same order, 0 no relation. Tau-b is multiplied by n / (n + "
    "{more}), because few performances say little; at least {least} are needed."
)
ONLY_YOU = "Only you see this."


def nearest_card(stage_id: int) -> str:
    """Return the address of the picture of a member's nearest juror, which only that member gets."""
    return f"/stages/{stage_id}/nearest.png"


@public_part(topics=lambda *_: (), outcome=True)  # it never changes; its slots do
def nearest_juror(stage_id: int, *, language: str) -> VdomDict:
    """The section without any value, hidden until a member's fills show it."""
    t = texts(language)
    how = html.details(
        html.summary({"class": "link"}, t("How this is counted")),
        *(html.p({"class": "small muted"} | slot(LINE, f"{which}-measured")) for which in (NEAR, FAR)),
        html.p({"class": "small muted"}, t(HOW).format(more=SHRINKAGE, least=LEAST_SHARED)),
    )
    note = html.p({"class": "small muted"}, t(ONLY_YOU))
    # a form, because programs follow a link also in this hidden section, where most viewers have no card
    own = {"method": "get", "action": nearest_card(stage_id), "target": "_blank"}
    card = html.form(own, html.button({"class": "link", "type": "submit"}, t("A card to share")))
    inside = html.div({"class": "body stack"}, _juror(NEAR, t), _juror(FAR, t), how, note, card)
    return html.div({"hidden": True} | slot(NEAREST, stage_id), section(t("Your nearest juror"), inside))


def _juror(which: str, t: Texts) -> VdomDict:
    rows = (
        html.li({"key": str(place), "hidden": True} | slot(APART, f"{which}-{place}")) for place in range(MOST_APART)
    )
    return html.div(
        {"key": which, "hidden": True} | slot(LINE, which),
        html.p(slot(LINE, f"{which}-words")),
        html.p({"class": "small muted"}, t("Where your marks differ most:")),
        html.ul({"class": "lines"}, *rows),
    )


def beside_slots(*, stage_id: int, order: str, juror_id: int, language: str) -> SlotQuery:
    """Return the query for the viewer's nearest juror, and for the jury's marks without what is covered."""
    topics = ("account.<id>.ratings", "account.<id>.jury", f"ranking.{stage_id}", f"jury.{stage_id}")
    which = {"stage_id": stage_id, "order": order, "juror_id": juror_id}
    return slot_query(beside_fills, topics=topics, language=language, **which)


def beside_fills(*, viewer: Viewer, stage_id: int, order: str, juror_id: int, language: str) -> Fills:
    """Return the fills of a member: the nearest juror, and what is covered of the jury's marks and the comparison.

    All of it is covered until the jury's marks are shown to the member (`jury_shown_to`). At most nine queries.
    """
    if viewer.id is None:
        return {}
    states, name = own_states(user_id=viewer.id, stage_id=stage_id), f"{AUDIENCE}:{stage_id}"
    if not jury_shown_to(user_id=viewer.id, stage_id=stage_id, states=states):
        return {name: covered(), f"{JURY}:{stage_id}": covered_by(jury_cover(stage_id, language=language))}
    fills: dict[str, Fill] = {}
    if any(own.covers_others for own in states.values()):
        seen = "-".join(str(pk) for pk, own in sorted(states.items()) if not own.is_covered)
        fills[name] = covered_by(own_jury_comparison(stage_id, seen, language=language))
        marks = own_jury_marks(stage_id, order, juror_id, seen, language=language)
        fills[f"{JURY}:{stage_id}"] = covered_by(marks)
    return fills | _nearest_fills(stage_id, states, texts(language))


def _nearest_fills(stage_id: int, states: OwnStates, t: Texts) -> dict[str, Fill]:
    found: Nearest | None = nearest_get(stage_id=stage_id, states=states)
    if found is None:
        return {}
    shown = {f"{NEAREST}:{stage_id}": fill({"hidden": False})}
    far = _likeness_fills(FAR, IS_FARTHEST, found.farthest, found, t) if found.farthest else {}
    return shown | _likeness_fills(NEAR, IS_NEAREST, found.nearest, found, t) | far


def _likeness_fills(which: str, sentence: str, likeness: Likeness, found: Nearest, t: Texts) -> dict[str, Fill]:
    words = t(sentence).format(juror=likeness.juror, same=likeness.same, pairs=likeness.pairs)
    numbers = {"shrunk": number(likeness.shrunk), "n": likeness.shared, "tau": number(likeness.tau)}
    measured = t(MEASURED).format(juror=likeness.juror, **numbers)
    rows = {
        f"{APART}:{which}-{place}": fill({"hidden": False}, apart_words(each, likeness.juror, found, t))
        for place, each in enumerate(likeness.apart)
    }
    line = {"": fill({"hidden": False}), "-words": fill(text=words), "-measured": fill(text=measured)}
    return {f"{LINE}:{which}{name}": each for name, each in line.items()} | rows


def apart_words(each: MarkedApart, juror: str, found: Nearest, t: Texts) -> str:
    """Return a performance with the member's mark and the juror's."""
    words = t("{performer}: you {own}, {juror} {mark}")
    name = found.names[each.participant_id]
    return words.format(performer=name, own=_mark(each.own), juror=juror, mark=_mark(each.juror))


def _mark(mark: Fraction) -> str:
    """Return a mark with at most two decimals, a half rounded up."""
    hundredths = (200 * mark + 1) // 2
    return f"{hundredths // 100}.{hundredths % 100:02d}".removesuffix("0").removesuffix(".0")
