"""What of one's own is hidden from everybody else, with the reason, above one's settings."""

from apps.community.selectors import OwnHidden, own_hidden
from apps.core.database.clock import venue_zone
from apps.core.texts import Texts, texts
from components.hooks.connection import use_viewer
from components.hooks.live_query import use_live_query
from components.markup import VdomDict, component, html
from components.ui.frames.page_grid import section
from components.ui.venue_time import ago

Hidden = tuple[OwnHidden, ...]


@component
def hidden_texts(initial: Hidden, language: str) -> VdomDict:
    """One's hidden texts, kept current; nothing where there are none."""
    t, user_id = texts(language), use_viewer().id or 0
    hidden = use_live_query(own_hidden, f"account.{user_id}.hidden", initial=initial, user_id=user_id)
    if not hidden:
        return html.div({"hidden": True})
    words = html.p(t("Only you and the administrators see these now. They stay in your data."))
    rows = html.ol({"class": "letters__list"}, *(_row(each, language) for each in hidden))
    return section(t("Hidden"), html.div({"class": "body stack profile__body"}, words, rows), name="hidden")


def _row(hidden: OwnHidden, language: str) -> VdomDict:
    t = texts(language)
    written = ago(hidden.text.created_at, zone=venue_zone(), language=language)
    kind = html.strong(t(str(hidden.kind.label)))
    return html.li(
        {"key": f"{hidden.kind.value}-{hidden.text.id}", "class": "own-ratings__row"},
        html.p({"class": "says__by"}, kind, written),
        html.blockquote({"class": "says__text"}, hidden.text.text),
        html.p({"class": "small muted"}, _reason(hidden, t)),
    )


def _reason(hidden: OwnHidden, t: Texts) -> str:
    if hidden.by_audience:
        words = t("Several people reported it. It is hidden until an administrator decides, for a day at most.")
    else:
        words = t("An administrator has hidden it.")
    reasons = ", ".join(t(str(reason.label)) for reason in hidden.reasons)
    return f"{words} {t('Reasons given: {reasons}.').format(reasons=reasons)}" if reasons else words
