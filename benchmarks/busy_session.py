"""Fill an empty database with one live session: `python -m benchmarks.busy_session 12` prints its ids as JSON."""

import datetime as dt
import json
import sys

import django

APPEARANCES, PIECES = 12, 4  # participants unless another number is ordered, and pieces of each program
RATEABLE = 3  # performances that can be rated; the first one is the current performance
LISTENERS = 40  # accounts that rated and commented
VIDEO = "dQw4w9WgXcQ"


def fill(participant_count: int) -> dict[str, object]:
    """Create the session with the site's own services. Returns its ids, and a cookie of a signed-in account."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from apps.accounts.actors import OPERATOR
    from apps.accounts.services.accounts import account_create
    from apps.accounts.session_store import SessionStore
    from apps.competition.models import Piece
    from apps.competition.services.catalogue import catalogue_load
    from apps.competition.services.live import performer_set, session_set_live
    from apps.competition.services.participants import participant_create
    from apps.competition.services.programs import NewEntry, program_add
    from apps.competition.services.sessions import appearance_add, session_create
    from apps.competition.services.stages import stage_create

    catalogue_load()
    stage = stage_create(actor=OPERATOR, name="Stage II", order_number=2)
    begins = dt.datetime(2027, 10, 12, 15, 0, tzinfo=dt.UTC)
    session = session_create(
        actor=OPERATOR, stage_id=stage.pk, title="Stage II, evening session", starts_at=begins,
        description="Twelve participants, four works each.", youtube_id=VIDEO,
    )  # fmt: skip
    pieces = list(Piece.objects.order_by("pk"))
    appearances, participants = [], []
    for number in range(1, participant_count + 1):
        participant = participant_create(
            actor=OPERATOR, first_name="Player", second_name=f"Number {number:02d}", country="Poland", birth_year=2001,
            biography="Studied at home and abroad, and plays since the age of five.",
        )  # fmt: skip
        appearance = appearance_add(actor=OPERATOR, session_id=session.pk, participant_id=participant.pk)
        program = [
            NewEntry(pieces[(number * PIECES + index) % len(pieces)].pk, "", 600 * number + 150 * index, "")
            for index in range(PIECES)
        ]
        program_add(actor=OPERATOR, appearance_id=appearance.pk, entries=program)
        appearances.append(appearance.pk)
        participants.append(participant.pk)
    session_set_live(actor=OPERATOR, session_id=session.pk)
    for appearance_id in reversed(appearances[:RATEABLE]):
        performer_set(actor=OPERATOR, appearance_id=appearance_id)
    account = account_create(email="listener@example.org", password=None, username="listener")
    audience(session.pk, appearances[:RATEABLE], account.pk)
    store = SessionStore()
    store[SESSION_KEY] = str(account.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = account.get_session_auth_hash()
    store.create()
    cookie = f"{settings.SESSION_COOKIE_NAME}={store.session_key}"
    return {"session": session.pk, "appearances": appearances, "participants": participants, "cookie": cookie}


def audience(session_id: int, appearance_ids: list[int], listener_id: int) -> None:
    """Store ratings of these performances by LISTENERS accounts and the listener, and comments on the session."""
    from apps.accounts.models import User
    from apps.competition.models import ProgramEntry
    from apps.live.models import SessionComment
    from apps.ratings.models import PerformanceRating, PieceRating

    made = User.objects.bulk_create(
        User(email=f"heard{n}@example.org", username=f"heard{n}", password="!") for n in range(LISTENERS)
    )
    listeners = [listener_id, *(account.pk for account in made)]
    played = ProgramEntry.objects.filter(appearance__in=appearance_ids)
    for appearance_id, piece_id in played.values_list("appearance_id", "piece_id"):
        PieceRating.objects.bulk_create(
            PieceRating(
                user_id=pk, appearance_id=appearance_id, piece_id=piece_id, score=15 + (n + piece_id) % 11,
                approved=True,
            )
            for n, pk in enumerate(listeners)
        )  # fmt: skip
    PerformanceRating.objects.bulk_create(
        PerformanceRating(
            user_id=pk, appearance_id=appearance_id, score=3 + n % 3, comment=f"What I heard, number {n}.",
            approved=True,
        )
        for appearance_id in appearance_ids
        for n, pk in enumerate(listeners)
    )  # fmt: skip
    for n, pk in enumerate(listeners):
        SessionComment.objects.create(session_id=session_id, user_id=pk, content=f"The left hand of the second, {n}!")


if __name__ == "__main__":
    django.setup()
    from project.launcher.launch import migrate

    migrate()
    print(json.dumps(fill(int(sys.argv[1]))))
