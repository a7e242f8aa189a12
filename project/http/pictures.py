"""`/sessions/{id}/summary.png`: the picture of an ended session, to share. It is public and shows no single marks."""

import hashlib

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotFound
from django.http.response import HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from apps.core.database.fields import venue_zone
from apps.core.texts import Texts, texts
from apps.core.threads import in_thread
from apps.ranking.limits import EVERY
from apps.ranking.selectors.session_standing import SessionPlace, SessionStanding, session_marks, session_standing
from components.pictures.session_picture import VERSION, PictureRow, SessionPicture, session_picture
from components.ui.venue_time import day_text
from project.http.middleware import request_language

TYPE = "image/png"
CACHED = f"public, max-age={EVERY:.0f}"  # as long as the shortest time between two rankings
OUTCOME = "1"  # value of `outcome` in the address with which the picture shows the order


@require_safe
async def summary_picture(request: HttpRequest, session_id: int) -> HttpResponseBase:
    """Return the picture of an ended session; 404 for another one."""
    return await in_thread(lambda: _answered(request, session_id))


def _answered(request: HttpRequest, session_id: int) -> HttpResponseBase:
    """Return the picture, which is drawn only if the browser's copy is not current. Five queries."""
    language = request_language(request)
    t, standing = texts(language), session_standing(session_id=session_id)
    if standing is None or standing.session.ended_at is None:
        sentence = t("There is no summary of this session.")
        return HttpResponseNotFound(f"{sentence}\n", content_type="text/plain; charset=utf-8")
    shown = _picture(standing, t, language, outcome=request.GET.get("outcome") == OUTCOME)
    etag = f'"{hashlib.sha256(f"{VERSION} {shown!r}".encode()).hexdigest()[:32]}"'
    response = get_conditional_response(request, etag=etag) or HttpResponse(session_picture(shown), content_type=TYPE)
    response["ETag"], response["Cache-Control"] = etag, CACHED
    patch_vary_headers(response, ["Accept-Language"])
    return response


def _picture(standing: SessionStanding, t: Texts, language: str, *, outcome: bool) -> SessionPicture:
    """Return what the picture shows; without `outcome` the performers are in the order of playing."""
    session, order = standing.session, standing.performances
    marks = session_marks(stage_id=session.stage_id, appearance_ids=[each.appearance.id for each in order])
    people = t.plural("{n} listener", "{n} listeners", marks.raters).format(n=f"{marks.raters:,}")
    given = t.plural("{n} mark", "{n} marks", marks.marks).format(n=f"{marks.marks:,}")
    return SessionPicture(
        site=t("Parterre · the audience of {stage}").format(stage=session.stage),
        day=day_text(session.starts_at, zone=venue_zone(), language=language),
        title=session.title,
        about=f"{people}, {given}" if marks.marks else t("No marks count yet."),
        rows=tuple(_placed(each) if outcome else _played(each) for each in (standing.by_score if outcome else order)),
        more=t("and {n} more"),
        often=marks.often,
    )


def _played(each: SessionPlace) -> PictureRow:
    return PictureRow(str(each.appearance.order_number), each.appearance.name)


def _placed(each: SessionPlace) -> PictureRow:
    position, score = each.position, each.place.score
    return PictureRow(
        "–" if position is None else str(position), each.appearance.name, "" if score is None else str(score)
    )
