"""Pictures to share, drawn when they are requested.

`/sessions/{id}/summary.png` is the public picture of an ended session, without any figure of the audience: members who
have not marked yet see it too. With `?outcome=1` it shows the scores and how often each mark was given.
`/stages/{id}/nearest.png` shows a member's nearest juror. Only this member gets it, and no cache stores it.
"""

import hashlib
from collections import Counter
from dataclasses import replace

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotFound
from django.http.response import HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from apps.accounts.requests import viewer_of_request
from apps.competition.selectors.public.stages import stage_names
from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from apps.jury.nearest import nearest_get
from apps.ranking.limits import EVERY
from apps.ranking.own_states import own_states
from apps.ranking.selectors.session_standing import SessionPlace, SessionStanding, session_marks, session_standing
from apps.ratings.limits import PIECE_HIGHEST
from components.parts.jury.audience import number
from components.parts.jury.nearest import apart_words
from components.parts.jury.sheet import jury_shown_to
from components.pictures.session_picture import VERSION, PictureRow, SessionPicture, session_picture
from components.ui.venue_time import day_text
from project.visit import request_language

TYPE = "image/png"
CACHED = f"public, max-age={EVERY:.0f}"  # as long as the shortest time between two rankings
NO_JUROR = "You have no nearest juror in this stage."
OUTCOME = "1"  # value of `outcome` in the address with which the picture shows the order


@require_safe
async def summary_picture(request: HttpRequest, session_id: int) -> HttpResponseBase:
    """Return the picture of an ended session; 404 for another one."""
    return await in_thread(lambda: _answered(request, session_id))


def _answered(request: HttpRequest, session_id: int) -> HttpResponseBase:
    """Return the picture, which is drawn only if the browser's copy is not current. At most five queries."""
    language = request_language(request)
    t, standing = texts(language), session_standing(session_id=session_id)
    if standing is None or standing.session.ended_at is None:
        sentence = t("There is no summary of this session.")
        return HttpResponseNotFound(f"{sentence}\n", content_type="text/plain; charset=utf-8")
    shown = (_outcome if request.GET.get("outcome") == OUTCOME else _plain)(standing, t, language)
    etag = f'"{hashlib.sha256(f"{VERSION} {shown!r}".encode()).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag) or HttpResponse(session_picture(shown), content_type=TYPE)
    response["ETag"], response["Cache-Control"] = etag, CACHED
    patch_vary_headers(response, ["Accept-Language"])
    return response


def _plain(standing: SessionStanding, t: Texts, language: str) -> SessionPicture:
    """Return the picture with the performers in the order of playing, without numbers: they would look like ranks."""
    session, order = standing.session, standing.performances
    return SessionPicture(
        site=t("Parterre · the audience of {stage}").format(stage=session.stage),
        day=day_text(session.starts_at, zone=venue_zone(), language=language),
        title=session.title,
        about=t("{performers}, in order of playing").format(
            performers=t.plural("%(n)d performer", "%(n)d performers", len(order))
        ),
        rows=tuple(map(_played, order)),
        more=t("and {n} more"),
        often=(),
    )


def _outcome(standing: SessionStanding, t: Texts, language: str) -> SessionPicture:
    """Return the picture with the performers by score, the numbers of listeners and marks, and the marks as strings."""
    of = [each.appearance.id for each in standing.performances]
    marks = session_marks(stage_id=standing.session.stage_id, appearance_ids=of)
    people = t.plural("{n} listener", "{n} listeners", marks.raters).format(n=f"{marks.raters:,}")
    given = t.plural("{n} rating", "{n} ratings", marks.marks).format(n=f"{marks.marks:,}")
    return replace(
        _plain(standing, t, language),
        about=f"{people}, {given}" if marks.marks else t("No ratings count yet."),
        rows=tuple(map(_placed, standing.by_score)),
        often=marks.often,
    )


@require_safe
async def nearest_picture(request: HttpRequest, stage_id: int) -> HttpResponseBase:
    """Return the picture of the viewer's nearest juror; 404 for a viewer without one."""
    return await in_thread(lambda: _nearest_answered(request, stage_id))


def _nearest_answered(request: HttpRequest, stage_id: int) -> HttpResponseBase:
    """Return the picture. At most eight queries."""
    viewer, t = viewer_of_request(request), texts(request_language(request))
    shown = None if viewer.id is None else _nearest_shown(viewer.id, stage_id, t)
    if shown is None:
        return HttpResponseNotFound(f"{t(NO_JUROR)}\n", content_type="text/plain; charset=utf-8")
    return HttpResponse(session_picture(shown), content_type=TYPE)


def _nearest_shown(user_id: int, stage_id: int, t: Texts) -> SessionPicture | None:
    """Return what the picture shows: the sentence, the largest differences, and the member's marks as strings."""
    states = own_states(user_id=user_id, stage_id=stage_id)
    is_shown = jury_shown_to(user_id=user_id, stage_id=stage_id, states=states)
    found = nearest_get(stage_id=stage_id, states=states) if is_shown else None
    stage = next((each.name for each in stage_names() if each.id == stage_id), "")
    if found is None:
        return None
    near = found.nearest
    marks = Counter(mark.score for state in states.values() for mark in state.ratings.pieces.values())
    return SessionPicture(
        site=t("Parterre · the jury of {stage}").format(stage=stage),
        day=t("{n} performances in common").format(n=near.shared),
        title=t("My nearest juror: {juror}").format(juror=near.juror),
        about=t("Agreement {shrunk}: 1 is the same order, 0 no relation").format(shrunk=number(near.shrunk)),
        rows=tuple(PictureRow("", apart_words(each, near.juror, found, t)) for each in near.apart),
        more="",
        often=tuple(marks[mark] for mark in range(1, PIECE_HIGHEST + 1)),
    )


def _played(each: SessionPlace) -> PictureRow:
    return PictureRow("", each.appearance.name)


def _placed(each: SessionPlace) -> PictureRow:
    position, score = each.position, each.place.score
    return PictureRow(
        "–" if position is None else str(position), each.appearance.name, "" if score is None else str(score)
    )
