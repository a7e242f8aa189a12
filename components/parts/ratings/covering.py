"""What a page says about covered figures ("own ears first"), and the buttons that show them."""

from collections.abc import Mapping

from apps.core.texts import Texts
from apps.ranking.own_states import OwnState
from components.runtime import Fill, VdomDict, command_button, fill, html, slot
from components.ui.blocks import link, visually_hidden

COVERING = "covering"  # the slots' name: the line of a page on which something is covered for the viewer


def covering_line(stage_id: int, t: Texts) -> VdomDict:
    """Return the line that says that figures are covered; hidden until `covering_fills` finds some for the viewer."""
    show = command_button("stage_figures_show", stage_id, busy=t("Processing..."))
    return html.p(
        {"class": "small muted covering", "hidden": True, "data-answers": ""} | slot(COVERING, stage_id),
        t("The audience’s marks are covered until you have marked."),
        " ",
        html.button({"class": "link"} | show, t("Show all of this stage")),
        " · ",
        link("/profile#ears", t("Your choice")),
        " ",
        html.span({"data-answer": "", "role": "status"}),
    )


def show_button(appearance_id: int, name: str, t: Texts) -> VdomDict:
    """Return the button that shows a member the audience's figures of the performance of `name`."""
    show = command_button("figures_show", appearance_id, busy=t("Processing..."))
    return html.button({"class": "link"} | show, t("Show"), visually_hidden(f": {name}"))


def covering_fills(states: Mapping[int, OwnState]) -> dict[str, Fill]:
    """Return the fill that shows the line if a figure of any of these performances is covered for the viewer."""
    is_covered = any(own.is_covered or own.open_pieces is not None for own in states.values())
    return {COVERING: fill({"hidden": False})} if is_covered else {}
