"""The profile's choices: whether the audience's figures, and texts, are covered until the viewer has marked."""

from collections.abc import Mapping

from apps.core.texts import Texts, texts
from apps.ratings.selectors.covering import Covering, covering_get
from components.runtime import VdomDict, command_button, component, html, use_live_query, use_viewer
from components.ui.frames import section


@component
def ears_first(initial: Covering, language: str) -> VdomDict:
    """Render both choices, kept current in all windows of the account."""
    t, viewer = texts(language), use_viewer()
    user_id = viewer.id or 0
    topics = (f"account.{user_id}.ratings",)
    is_on = use_live_query(covering_get, topics=topics, initial=initial, user_id=user_id).ears_first
    figures = command_button("ears_first_set", "off" if is_on else "on", busy=t("Saving..."))
    covers = viewer.covers_texts
    texts_too = command_button("covers_texts_set", "off" if covers else "on", busy=t("Saving..."))
    return section(
        t("Own ears first"),
        html.div(
            {"class": "body stack profile__body"},
            _choice(figures, *_figures(t, is_on=is_on)),
            _choice(texts_too, *_texts(t, is_on=covers)),
        ),
        name="ears",
    )


def _figures(t: Texts, *, is_on: bool) -> tuple[str, str]:
    """Return what the choice about figures does now, and the label of its button."""
    if is_on:
        covered = t(
            "The audience’s averages, single marks, scores and ranks of a performance are covered until you have "
            "marked it. One press shows them before."
        )
        return covered, t("Show me everything at once")
    return t("You see the audience’s marks at once, before you have marked a performance."), t("Own ears first")


def _texts(t: Texts, *, is_on: bool) -> tuple[str, str]:
    """Return the same of the choice about texts."""
    if is_on:
        covered = t("Texts about a performance that you have not marked are one line. One press shows them.")
        return covered, t("Show me texts at once")
    shown = t("You see comments, posts and the words of ratings before you have marked a performance.")
    return shown, t("Cover texts too")


def _choice(change: Mapping[str, object], words: str, label: str) -> VdomDict:
    return html.div(
        {"class": "stack", "data-answers": ""},
        html.p(words),
        html.div(
            {"class": "row"},
            html.button({"class": "button button--plain", **change}, label),
            html.p({"class": "small", "data-answer": "", "role": "status"}),
        ),
    )
