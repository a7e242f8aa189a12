"""One participant's page: the header and the biography."""

from apps.competition.selectors import live_now, participant_get
from apps.core.texts import Texts, texts
from components.markup import VdomDict, html
from components.parts.participants import origin
from components.parts.people import oval
from components.parts.programme import STAGE_VIDEO
from components.rendering.parts import public_part
from components.ui.blocks import badge, prose, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames.page_grid import title, unbroken_pair


@public_part(topics=lambda participant_id: (f"participant.{participant_id}",))
def participant_header(participant_id: int, *, language: str) -> VdomDict:
    """Likeness, name, country, birth year."""
    t = texts(language)
    found = participant_get(participant_id=participant_id)
    if found is None:
        return html.div({"class": "sheet portrait"}, html.div({"class": "body"}, title(t("Participant not found."))))
    about = origin(found, t)
    if found.appearance_count:
        about.append(unbroken_pair(t.plural("%(n)d performance", "%(n)d performances", found.appearance_count)))
    return html.div(
        {"class": "sheet portrait"},
        html.div({"class": "hang"}, oval(found, "large")),
        html.div({"class": "body"}, title(found.name), html.p(" · ".join(about)), _stage(participant_id, t)),
    )


def _stage(participant_id: int, t: Texts) -> VdomDict:
    """Return that somebody is on stage, with the way there; the line is kept for who is not."""
    now = live_now()
    if now is None or now.participant_id != participant_id:
        return html.p({"class": "portrait__stage"})
    to = f"/sessions/{now.session_id}#{STAGE_VIDEO}"
    watch = html.a({"class": "watch", "href": to}, t("Watch"), visually_hidden(f": {now.session_title}"))
    return html.p({"class": "portrait__stage"}, badge(t("On stage now"), "now"), " ", watch)


@public_part(topics=lambda participant_id: (f"participant.{participant_id}",))
def participant_biography(participant_id: int, *, language: str) -> VdomDict:
    """The biography, one paragraph a line."""
    found = participant_get(participant_id=participant_id)
    if found is None or not found.biography.strip():
        return html.div({"class": "body"}, empty(texts(language)("No biography available yet.")))
    return html.div({"class": "body"}, prose(found.biography))
