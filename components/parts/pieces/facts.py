"""What a piece's page shows besides its title: the words about it, the link to its score, and pianos."""

from apps.competition.selectors.public.participants import AppearanceDetail
from apps.competition.selectors.public.pieces import piece_about_get
from apps.core.texts import Texts
from components.parts.article_text import article_text
from components.parts.sessions.facts import piano_words
from components.runtime import Markup, VdomDict, html


def piece_about(piece_id: int, t: Texts) -> tuple[VdomDict, ...]:
    """Return the words about a piece and the link to its score, those that it has. One query."""
    about = piece_about_get(piece_id=piece_id)
    shown = []
    if about.note:
        shown.append(html.div({"key": "note", "class": "piece-note"}, article_text(about.note)))
    if about.score_url:
        to = {"class": "link", "href": about.score_url, "rel": "noopener", "target": "_blank"}
        shown.append(html.p({"key": "score"}, html.a(to, t("Read the score"))))
    return tuple(shown)


def performance_piano(appearance: AppearanceDetail, t: Texts) -> Markup:
    """Return the line with the piano of a performance; None if it is not known."""
    words = piano_words(appearance.piano, t)
    return html.p({"class": "person__from"}, *words) if words else None
