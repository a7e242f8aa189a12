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
    covers = use_viewer().covers_texts
    texts_words = t("Texts about a performance that you have not marked are one line, and one press shows them.")
    if not covers:
        texts_words = t("You see comments, posts and the words of ratings before you have marked a performance.")
    texts_label = t("Show me the texts at once") if covers else t("Cover texts too")
    texts_change = command_button("covers_texts_set", "off" if covers else "on", busy=t("Saving..."))
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
        html.div(
            {"class": "body stack profile__body", "data-answers": ""},
            html.p(texts_words),
            html.div(
                {"class": "row"},
                html.button({"class": "button button--plain"} | texts_change, texts_label),
                html.p({"class": "small", "data-answer": "", "role": "status"}),
            ),
        ),
        name="ears",
    )
