"""The list of participants, and a participant's header and biography."""

from django.utils import timezone

from apps.competition.limits import EXCERPT_LENGTH
from apps.competition.selectors.admin.participants import ParticipantRow
from apps.competition.selectors.public.participants import (
    NextAppearance,
    ParticipantCard,
    ParticipantDetail,
    participant_get,
    participant_list,
    participants_next,
)
from apps.competition.selectors.public.sessions import live_now
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.parts.people import entry, oval
from components.parts.programme import STAGE_VIDEO
from components.runtime import Markup, VdomDict, html, public_part
from components.ui.blocks import badge, link, paging, prose, visually_hidden
from components.ui.empty_states import empty
from components.ui.frames import title, unbroken_pair
from components.ui.venue_time import day_time

_TOPICS = ("featured_participants", "sessions", "live", "clock.minute")  # the clock, because the next session begins


@public_part(topics=lambda *_: _TOPICS, outcome=True)  # every list depends on all
def participant_results(query: str, country: str, still_in: int, number: int, *, language: str) -> VdomDict:
    """A page of the participants that match a search and a country, with `still_in` only those still competing."""
    t = texts(language)
    page = participant_list(query=query, country=country, still_in=bool(still_in), number=number)
    if not page.rows:
        return html.div(empty(t("No participants found matching your criteria.")))
    count = t.plural("%(n)d participant", "%(n)d participants", page.total)
    following = participants_next(participant_ids=[card.id for card in page.rows], now=timezone.now())
    fields = {"q": query, "country": country, "still_in": "on" if still_in else ""}
    return html.div(
        html.p({"class": "small muted", "role": "status"}, count),
        html.ul({"class": "cast cast--wide"}, *(_card(card, following.get(card.id), language) for card in page.rows)),
        paging(page.number, page.pages, path="/participants", query=fields, language=language),
    )


def _card(card: ParticipantCard, following: NextAppearance | None, language: str) -> VdomDict:
    about = html.p({"class": "person__from"}, " · ".join(origin(card, texts(language))))
    excerpt = html.p({"class": "person__text"}, first_characters(card.excerpt)) if card.excerpt else None
    comes = _next(following, language) if following else None
    return html.li({"key": f"participant-{card.id}"}, entry(card, card.id, "h2", about, comes, excerpt))


def _next(following: NextAppearance, language: str) -> Markup:
    """Return where a participant is on stage, or where and when they play next."""
    t, to = texts(language), f"/sessions/{following.session_id}"
    if following.is_performing:
        return html.p({"class": "person__next"}, badge(t("On stage now"), "now"), " ", link(to, following.title))
    if following.is_live:
        return html.p({"class": "person__next"}, t("Today:"), " ", link(to, following.title))
    when = day_time(following.starts_at, zone=venue_zone(), language=language)
    return html.p({"class": "person__next"}, t("Next:"), " ", link(to, following.title), ", ", when)


def first_characters(excerpt: str) -> str:
    """Return the whole words in a biography's first EXCERPT_LENGTH characters, with an ellipsis if it is longer."""
    if len(excerpt) <= EXCERPT_LENGTH:
        return excerpt
    whole, _, last = excerpt[: EXCERPT_LENGTH + 1].rpartition(" ")
    words = (whole or last[:-1]).rstrip()
    return f"{words}\u00a0…" if words.endswith((".", ",", ";", ":", "!", "?")) else f"{words}…"


def origin(participant: ParticipantCard | ParticipantDetail | ParticipantRow, t: Texts) -> list[str]:
    """Return the country and, if known, the birth year."""
    born = [unbroken_pair(t("born {year}").format(year=participant.birth_year))] if participant.birth_year else []
    return [participant.country, *born]


@public_part(topics=lambda participant_id: (f"participant.{participant_id}",))
def participant_header(participant_id: int, *, language: str) -> VdomDict:
    """Picture, name, country, birth year, number of performances, and whether the participant is on stage."""
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
    """Return the line "on stage" with its link; for other participants the line keeps its height."""
    now = live_now()
    if now is None or now.participant_id != participant_id:
        return html.p({"class": "portrait__stage"})
    to = f"/sessions/{now.session_id}#{STAGE_VIDEO}"
    watch = html.a({"class": "watch", "href": to}, t("Watch"), visually_hidden(f": {now.session_title}"))
    return html.p({"class": "portrait__stage"}, badge(t("On stage now"), "now"), " ", watch)


@public_part(topics=lambda participant_id: (f"participant.{participant_id}",))
def participant_biography(participant_id: int, *, language: str) -> VdomDict:
    """The biography, one paragraph for each line."""
    found = participant_get(participant_id=participant_id)
    if found is None or not found.biography.strip():
        return html.div({"class": "body"}, empty(texts(language)("No biography available yet.")))
    return html.div({"class": "body"}, prose(found.biography))
