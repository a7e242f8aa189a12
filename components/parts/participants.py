"""The list of participants."""

from apps.competition.limits import EXCERPT_LENGTH
from apps.competition.selectors import ParticipantCard, ParticipantDetail, ParticipantRow, participant_list
from apps.core.texts import Texts, texts
from components.markup import VdomDict, html
from components.parts.people import entry
from components.rendering.parts import public_part
from components.ui.empty_states import empty
from components.ui.frames.page_grid import unbroken_pair


@public_part(topics=lambda query, country: ("featured_participants",))  # noqa: ARG005 - every list depends on all
def participant_results(query: str, country: str, *, language: str) -> VdomDict:
    """The participants that match a search and a country."""
    t = texts(language)
    cards = participant_list(query=query, country=country)
    if not cards:
        return html.div(empty(t("No participants found matching your criteria.")))
    count = t.plural("%(n)d participant", "%(n)d participants", len(cards))
    return html.div(
        html.p({"class": "small muted", "role": "status"}, count),
        html.ul({"class": "cast cast--wide"}, *(_card(card, t) for card in cards)),
    )


def _card(card: ParticipantCard, t: Texts) -> VdomDict:
    excerpt = html.p({"class": "person__text"}, first_characters(card.excerpt)) if card.excerpt else None
    about = html.p({"class": "person__from"}, " · ".join(origin(card, t)))
    return html.li({"key": f"participant-{card.id}"}, entry(card, card.id, "h2", about, excerpt))


def first_characters(excerpt: str) -> str:
    """Return a biography's first characters, with dots where it goes on."""
    if len(excerpt) < EXCERPT_LENGTH:
        return excerpt
    text = excerpt.rstrip()
    return f"{text}\u00a0…" if text.endswith((".", ",", ";", ":", "!", "?")) else f"{text}…"


def origin(participant: ParticipantCard | ParticipantDetail | ParticipantRow, t: Texts) -> list[str]:
    """Return the country and, where it is known, the birth year."""
    born = [unbroken_pair(t("born {year}").format(year=participant.birth_year))] if participant.birth_year else []
    return [participant.country, *born]
