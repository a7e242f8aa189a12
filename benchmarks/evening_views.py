"""Control points of the evening: each calls the service of a click, or of a member's taps."""

from random import Random
from uuid import uuid4

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from apps.accounts.actors import OPERATOR
from apps.competition.models import ProgramEntry
from apps.competition.services.live import session_end, session_set_live
from apps.core.database.fields import database_now
from apps.live.enums import Reaction
from apps.live.services import Taps, reactions_store
from apps.ratings.enums import Verdict
from apps.ratings.selectors.moderation_queue import QueueFilter
from apps.ratings.services.rating_moderation import ratings_decide_matching
from apps.ratings.services.submission import ratings_submit
from benchmarks.views import next_listener

LOWEST, HIGHEST = 12, 25  # marks of a piece
_luck = Random(38)

# The present performance began earlier, and had reactions since. All earlier performances were a day earlier, too.
AGE = """
CREATE TEMPORARY TABLE aged ON COMMIT DROP AS
SELECT session_id, extract(epoch FROM began_at)::bigint AS began
FROM performing_times JOIN session_participants ON session_participants.id = session_participant_id
WHERE session_participant_id = %(place)s AND ended_at IS NULL;

UPDATE session_reaction_moments AS moment SET second = second - 86400
FROM aged WHERE moment.session_id = aged.session_id AND second < began;

UPDATE performing_times SET began_at = began_at - interval '1 day', ended_at = ended_at - interval '1 day'
WHERE ended_at IS NOT NULL;

UPDATE performing_times SET began_at = now() - %(seconds)s * interval '1 second'
WHERE session_participant_id = %(place)s AND ended_at IS NULL;

INSERT INTO session_reaction_moments (session_id, second, count)
SELECT session_id, extract(epoch FROM now())::bigint - ago, %(rate)s / 2 + random() * %(rate)s
FROM aged, generate_series(1, %(seconds)s) AS ago ON CONFLICT DO NOTHING
"""


@csrf_exempt
@require_POST
def react(request: HttpRequest) -> HttpResponse:
    """Store these reactions, each of another account, in one transaction, as a process stores those of a tick."""
    session_id, kinds = int(request.GET["session"]), request.GET["kinds"].split(",")
    messages = [Taps(session_id, next_listener().id or 0, uuid4(), (Reaction(kind),)) for kind in kinds]
    return HttpResponse(status=409 if any(reactions_store(messages=messages)) else 200)


@csrf_exempt
@require_POST
def age(request: HttpRequest) -> HttpResponse:
    """Let the present performance have lasted for `seconds`, with `rate` reactions a second."""
    numbers = {name: int(request.GET[name]) for name in ("place", "seconds", "rate")}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(AGE, numbers)
    return HttpResponse("ok")


@csrf_exempt
@require_POST
def rate(request: HttpRequest) -> HttpResponse:
    """Submit a rating of a performance from each of the next `count` accounts."""
    place = int(request.GET["place"])
    pieces = list(ProgramEntry.objects.filter(appearance=place).values_list("piece_id", flat=True))
    for _ in range(int(request.GET["count"])):
        marks = {piece: _luck.randint(LOWEST, HIGHEST) for piece in pieces}
        who, score = next_listener(), _luck.randint(2, 5)
        ratings_submit(actor=who, appearance_id=place, pieces=marks, score=score, comment="What I heard.")
    return HttpResponse("ok")


@csrf_exempt
@require_POST
def approve(_request: HttpRequest) -> HttpResponse:
    """Approve all ratings that wait, with the service that an administrator's click calls."""
    waiting = QueueFilter(both=True)
    ratings_decide_matching(actor=OPERATOR, decision=Verdict.APPROVE.value, filters=waiting, until=database_now())
    return HttpResponse("ok")


@csrf_exempt
@require_POST
def end(request: HttpRequest) -> HttpResponse:
    """End the live session."""
    session_end(actor=OPERATOR, session_id=int(request.GET["session"]))
    return HttpResponse("ok")


@csrf_exempt
@require_POST
def live(request: HttpRequest) -> HttpResponse:
    """Set the session live."""
    session_set_live(actor=OPERATOR, session_id=int(request.GET["session"]))
    return HttpResponse("ok")
