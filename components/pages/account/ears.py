"""The profile's choice whether the audience's figures are covered until the viewer has marked."""

from apps.core.texts import texts
from apps.ratings.selectors.covering import Covering, covering_get
from components.runtime import VdomDict, command_button, component, html, use_live_query, use_viewer
from components.ui.frames import section


@component
def ears_first(initial: Covering, language: str) -> VdomDict:
    """Render the choice, kept current in all windows of the account."""
    t, user_id = texts(language), use_viewer().id or 0
    topics = (f"account.{user_id}.ratings",)
    is_on = use_live_query(covering_get, topics=topics, initial=initial, user_id=user_id).ears_first
    words = t(
        "The audience’s averages, single marks, scores and ranks of a performance are covered until you have marked "
        "it. One press shows them before."
    )
    if not is_on:
        words = t("You see the audience’s marks at once, before you have marked a performance.")
    label = t("Show me everything at once") if is_on else t("Own ears first")
    change = command_button("ears_first_set", "off" if is_on else "on", busy=t("Saving..."))
    return section(
        t("Own ears first"),
        html.div(
            {"class": "body stack profile__body", "data-answers": ""},
            html.p(words),
            html.div(
                {"class": "row"},
                html.button({"class": "button button--plain"} | change, label),
                html.p({"class": "small", "data-answer": "", "role": "status"}),
            ),
        ),
        name="ears",
    )
