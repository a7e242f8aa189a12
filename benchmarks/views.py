"""Control points that trigger changes, and views for comparison with page views."""

from functools import lru_cache
from itertools import count

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.accounts.actors import OPERATOR, Viewer
from apps.accounts.models import User
from apps.competition.selectors.public.participants import AppearanceDetail
from apps.competition.selectors.public.sessions import session_appearances_with_programs, session_get
from apps.competition.services.live import performer_set
from apps.imports.services.participant_files import participant_file_store
from apps.imports.services.participant_saving import import_save, import_undo
from apps.live.selectors import reaction_curves, reactions_now, session_comments
from apps.live.services import comment_add
from apps.ratings.enums import QuickRating
from apps.ratings.selectors.own import OwnRatings, ratings_own
from apps.ratings.selectors.statistics import PerformanceFigures, performance_figures
from benchmarks import crowded
from project.process.web_process import process

HEADER = "FirstName|LastName|Country|Piece1|Piece2|Piece3|Piece4|Piece5"
PIECES = (
    "Etude in C-sharp minor, Op. 10 No. 4|Etude in G-sharp minor, Op. 25 No. 6|Nocturne in B major, Op. 62 No. 1"
    "|Scherzo in E major, Op. 54|Mazurka in C major, Op. 24 No. 2"
)

LISTENERS = 1000
_TURNS = count()


@csrf_exempt
@require_POST
def perform(request: HttpRequest) -> HttpResponse:
    """Change the performer with the service that an administrator's click calls."""
    performer_set(actor=OPERATOR, appearance_id=int(request.GET["place"]))
    return HttpResponse("ok")


@csrf_exempt
@require_POST
def comment(request: HttpRequest) -> HttpResponse:
    """Comment `text` on a session from the next account."""
    comment_add(actor=next_listener(), session_id=int(request.GET["session"]), content=request.GET["text"])
    return HttpResponse("ok")


def next_listener() -> Viewer:
    """Return the next of many accounts, because one account is rate-limited."""
    return _listener(next(_TURNS) % LISTENERS)


@lru_cache(maxsize=LISTENERS)
def _listener(number: int) -> Viewer:
    name = f"listener{number}"
    account, _ = User.objects.get_or_create(username=name, defaults={"email": f"{name}@example.org"})
    return Viewer(account.pk, name)


@csrf_exempt
@require_POST
def import_file(request: HttpRequest) -> JsonResponse:
    """Import a file of `rows` new participants with the services of an upload, and undo the import."""
    names = (f"Bench{number:05d}|Player|Poland|{PIECES}" for number in range(int(request.GET["rows"])))
    content = "\n".join((HEADER, *names)).encode()
    stored = participant_file_store(actor=OPERATOR, file_name="bench.csv", content=content)
    saved = import_save(actor=OPERATOR, import_id=stored.pk)
    removed, _pieces = import_undo(actor=OPERATOR, import_id=stored.pk)
    stored.delete()
    return JsonResponse({"new": saved.new_participants, "removed": removed})


@csrf_exempt
async def raw(request: HttpRequest) -> HttpResponse:
    """Send a frame to the peers' sockets, as long as the site's for the same change."""
    from benchmarks import peers  # needs the reactor, which is missing when URLs are imported

    await peers.broadcast(request.GET["marker"], int(request.GET["bytes"]))
    return HttpResponse("ok")


@csrf_exempt
async def touch(request: HttpRequest) -> HttpResponse:
    """Change one row, or the live query, of the crowded page."""
    kind = request.GET["kind"]
    crowded.touch(kind, int(request.GET["number"]))
    process.bus.notify_listeners(f"bench.{kind}")
    return HttpResponse("ok")


def plain(_request: HttpRequest) -> HttpResponse:
    """A Django view of 325 bytes."""
    return HttpResponse("x" * 325)


def template(request: HttpRequest) -> HttpResponse:
    """Render the content of the session page with the same selectors in a Django template."""
    session_id = int(request.GET["session"])
    appearances = session_appearances_with_programs(session_id=session_id)
    figures = performance_figures(appearance_ids=[appearance.id for appearance in appearances])
    own = ratings_own(user_id=request.user.pk, session_id=session_id) if request.user.is_authenticated else {}
    now = next(appearance.id for appearance in appearances if appearance.is_performing)
    curve = reaction_curves(appearance_ids=(now,)).get(now)
    return render(
        request,
        "benchmarks/session.html",
        {
            "session": session_get(session_id=session_id),
            "rows": [
                _row(shown, figures.get(shown.id, PerformanceFigures()), own.get(shown.id)) for shown in appearances
            ],
            "lately": reactions_now(session_id=session_id).lately.items(),
            "moments": curve.counts if curve else (),
            "comments": session_comments(session_id=session_id),
            "quick": QuickRating,
            "viewer": request.user,
        },
    )


def _row(shown: AppearanceDetail, figures: PerformanceFigures, own: OwnRatings | None) -> dict[str, object]:
    """Return one performance for the template."""
    marks = own.pieces if own else {}
    return {
        "shown": shown,
        "figures": figures.all_pieces,
        "overall": figures.overall,
        "own": own,
        "mean": sum(mark.score for mark in marks.values()) / len(marks) if marks else None,
        "pieces": [
            {"line": line, "figures": figures.piece(line.piece.id), "own": marks.get(line.piece.id)}
            for line in shown.program
        ],
    }
