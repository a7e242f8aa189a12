"""The list of participants, and a participant's header and biography."""

from datetime import datetime, timedelta

from django.utils import timezone

from apps.competition.limits import EXCERPT_LENGTH
from apps.competition.name_languages import name_language
from apps.competition.selectors.admin.participants import ParticipantRow
from apps.competition.selectors.public.participants import (
    ParticipantCard,
    ParticipantDetail,
    participant_get,
    participant_list,
)
from apps.competition.selectors.public.progress import (
    Progress,
    field_numbers,
    imported_stages,
    participants_progress,
)
from apps.competition.selectors.public.sessions import live_now
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from components.parts.following import follow_button
from components.parts.people import oval
from components.parts.prizes import participant_prize_line
from components.parts.programme import STAGE_VIDEO
from components.runtime import Markup, VdomDict, html, public_part, shared_part
from components.ui.blocks import badge, live_badge, paging, prose, visually_hidden
from components.ui.calendar_links import calendar_links
from components.ui.empty_states import empty
from components.ui.frames import SHORT, title, unbroken_pair, unbroken_words
from components.ui.people import performer_link, person_name
from components.ui.venue_time import from_clock

_TOPICS = ("featured_participants", "sessions", "live", "clock.minute")  # the clock, because the next session begins


@public_part(topics=lambda *_: _TOPICS, outcome=True)  # every list depends on all
def participant_results(query: str, country: str, still_in: int, number: int, *, language: str) -> VdomDict:
    """A page of the participants that match a search and a country, with `still_in` only those still competing.

    Each has one line, with its number in the whole field by name, and with the next appearance or the stage reached.
    """
    t, is_search = texts(language), bool(query or country or still_in)
    page = participant_list(query=query, country=country, still_in=bool(still_in), number=number)
    if not page.rows:
        way = ("/participants", t("All participants")) if is_search else None
        yet = None if is_search else html.p(t("No participant has been announced yet."))
        return html.div(empty(t("No participants found matching your criteria."), way, more=yet))
    ids, now = [card.id for card in page.rows], timezone.now()
    numbers, progress = field_numbers(participant_ids=ids), participants_progress(participant_ids=ids)
    imported = imported_stages(participant_ids=ids)
    rows = (
        _row(
            card,
            numbers.get(card.id, ""),
            _progress(progress.get(card.id), imported.get(card.id, ""), now, language),
            language,
        )
        for card in page.rows
    )
    count = t.plural("%(n)d participant", "%(n)d participants", page.total)
    fields = {"q": query, "country": country, "still_in": "on" if still_in else ""}
    return html.div(
        html.p({"class": "small muted cards__found" if is_search else "visually-hidden", "role": "status"}, count),
        html.ol({"class": "cards"}, *rows),
        paging(page.number, page.pages, path="/participants", query=fields, language=language),
    )


Shown = tuple[Markup, bool]  # how far a participant is, and whether that is over


def _row(card: ParticipantCard, number: int | str, progress: Shown, language: str) -> VdomDict:
    t, (shown, is_over) = texts(language), progress
    year = card.birth_year
    born = (" ", html.span(visually_hidden(f"{t('born')} "), str(year))) if year else ()
    drawn = unbroken_pair(t("no. {n}").format(n=card.start_number)) if card.start_number else ""
    return html.li(
        {"key": f"participant-{card.id}"} | ({"class": "is-out"} if is_over else {}),
        html.span({"class": "nr"}, str(number)),
        html.h2({"class": "cards__name"}, performer_link(card.id, card.name)),
        html.p({"class": "cards__from"}, html.span(", ".join(filter(None, (card.country, drawn)))), *born),
        html.p({"class": "cards__next"}, shown),
        html.p({"class": "cards__bio"}, first_characters(card.excerpt)) if card.excerpt else None,
        html.div({"class": "cards__follow"}, shared_part(follow_button(card.id, card.name, language=language))),
    )


def _progress(progress: Progress | None, imported: str, now: datetime, language: str) -> Shown:
    """Return where a participant is on stage, when they play next, or which stage they reached.

    `imported` is the stage of an imported performance, for a participant without appearances.
    """
    t = texts(language)
    if progress is None:
        return imported or None, True
    if progress.is_over:
        played = t("{stage}, played").format(stage=progress.stage)
        return html.span(*(unbroken_words(played) if len(progress.stage) <= SHORT else (played,))), True
    if progress.is_performing:
        return live_badge(t("On stage")), False
    if progress.is_next:
        return t("next"), False
    return (t("today") if progress.is_live else _when(progress.starts_at, now, language)), False


def _when(at: datetime, now: datetime, language: str) -> VdomDict:
    """Return the start of a session to come: its day, as a word where that is near, and the time at the venue."""
    t, zone = texts(language), venue_zone()
    days = (at.astimezone(zone).date() - now.astimezone(zone).date()) // timedelta(days=1)
    return from_clock(at, {0: t("today"), 1: t("tomorrow")}.get(days, ""), zone=zone, language=language)


def first_characters(excerpt: str) -> str:
    """Return the whole words in a biography's first EXCERPT_LENGTH characters, with an ellipsis if it is longer."""
    if len(excerpt) <= EXCERPT_LENGTH:
        return excerpt
    whole, _, last = excerpt[: EXCERPT_LENGTH + 1].rpartition(" ")
    words = (whole or last[:-1]).rstrip()
    return f"{words}\u00a0…" if words.endswith((".", ",", ";", ":", "!", "?")) else f"{words}…"


def origin(participant: ParticipantCard | ParticipantDetail | ParticipantRow, t: Texts) -> list[str]:
    """Return the country and, if known, the birth year and the start number."""
    born = [unbroken_pair(t("born {year}").format(year=participant.birth_year))] if participant.birth_year else []
    number = participant.start_number
    drawn = [unbroken_pair(t("start number {n}").format(n=number))] if number else []
    return [participant.country, *born, *drawn]


@public_part(topics=lambda participant_id: (f"participant.{participant_id}",))
def participant_header(participant_id: int, *, language: str) -> VdomDict:
    """Picture, name, country, birth year, start number, number of performances, prizes, and whether on stage."""
    t = texts(language)
    found = participant_get(participant_id=participant_id)
    if found is None:
        return html.div({"class": "sheet portrait"}, html.div({"class": "body"}, title(t("Participant not found."))))
    about = origin(found, t)
    if found.appearance_count:
        about.append(unbroken_pair(t.plural("%(n)d performance", "%(n)d performances", found.appearance_count)))
    follow = shared_part(follow_button(participant_id, found.name, language=language))
    if found.appearance_count:
        follow = calendar_links(f"/participants/{participant_id}.ics", follow, language=language)
    return html.div(
        {"class": "sheet portrait"},
        html.div({"class": "hang"}, oval(found, "large")),
        html.div(
            {"class": "body"},
            title(person_name(found.name)),
            *_local_name(found),
            html.p(" · ".join(about)),
            shared_part(participant_prize_line(participant_id, language=language)),
            _stage(participant_id, t),
            follow,
        ),
    )


def _local_name(participant: ParticipantDetail) -> list[VdomDict]:
    """Return the name in another script, with its language if it is known."""
    if not participant.name_local:
        return []
    language = name_language(participant.name_local, country=participant.country)
    return [html.p({"translate": "no"} | ({"lang": language} if language else {}), participant.name_local)]


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
