"""One participant's page: the title page, the performances, the biography."""

from apps.competition.selectors import PerformanceOf, participant_get, participant_performances
from apps.core.clock import venue_zone
from apps.core.texts import texts
from components.markup import Markup, VdomDict, html
from components.parts.likeness import oval
from components.parts.participants import origin
from components.parts.programme import program_lines
from components.rendering.parts import public_part
from components.ui.blocks import prose
from components.ui.moment import day
from components.ui.programme import composer
from components.ui.sheet import title, unbroken
from components.ui.states import empty


@public_part(topics=lambda participant_id: (f"participant.{participant_id}",))
def participant_header(participant_id: int, *, language: str) -> VdomDict:
    """Likeness, name, country, birth year."""
    _ = texts(language)
    found = participant_get(participant_id=participant_id)
    if found is None:
        return html.div({"class": "sheet portrait"}, html.div({"class": "body"}, title(_("Participant not found."))))
    about = origin(found, _)
    if found.performance_count:
        about.append(_.plural("%(n)d performance", "%(n)d performances", found.performance_count))
    return html.div(
        {"class": "sheet portrait"},
        html.div({"class": "hang"}, oval(found, "large")),
        html.div({"class": "body"}, title(found.name), html.p(" · ".join(about))),
    )


@public_part(topics=lambda participant_id: (f"participant.{participant_id}",))
def participant_biography(participant_id: int, *, language: str) -> VdomDict:
    """The biography, one paragraph a line."""
    found = participant_get(participant_id=participant_id)
    if found is None or not found.biography.strip():
        return html.div({"class": "body"}, empty(texts(language)("No biography available yet.")))
    return html.div({"class": "body"}, prose(found.biography))


@public_part(topics=lambda participant_id: (f"participant.{participant_id}",))
def participant_stages(participant_id: int, *, language: str) -> VdomDict:
    """Every performance with its session and its program, the newest first."""
    performances = participant_performances(participant_id=participant_id)
    if not performances:
        words = empty(texts(language)("No performances yet."))
        return html.div({"class": "sheet sheet--next"}, html.div({"class": "body"}, words))
    return html.div({"class": "performances"}, *(_performance(performance, language) for performance in performances))


def _performance(performance: PerformanceOf, language: str) -> VdomDict:
    session, place, _ = performance.session, performance.place, texts(language)
    hang = html.div(
        {"class": "hang"},
        html.h2(html.a({"href": f"/sessions/{session.id}"}, *unbroken(session.title))),
        html.p(
            day(session.starts_at, zone=venue_zone(), language=language),
            html.br(),
            _("No. {number} in the order of playing").format(number=place.order_number),
        ),
    )
    body = html.div({"class": "body"}, *_program(performance, language))
    return html.section({"class": "sheet sheet--ruled", "key": f"place-{place.id}"}, hang, body)


def _program(performance: PerformanceOf, language: str) -> list[Markup]:
    session, place, _ = performance.session, performance.place, texts(language)
    follow = html.p({"class": "performances__follow"}, _("Ratings of this performance will follow here."))
    lines = program_lines(place.program, session.id, whose=session.title, language=language)
    return [composer() if place.program else None, lines, follow]
