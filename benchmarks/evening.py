"""Fills an empty database with one live session: `python -m benchmarks.evening` prints what to ask for, as JSON."""

import datetime as dt
import json

import django

APPEARANCES, PIECES = 12, 4  # participants, pieces of each program
RATEABLE = 3  # the first ones have been on stage, the first of all is
VIDEO = "dQw4w9WgXcQ"


def fill() -> dict[str, object]:
    """Create the evening with the site's own services; returns its ids, and a session cookie of somebody signed in."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

    from apps.accounts.actors import OPERATOR
    from apps.accounts.services import account_create
    from apps.accounts.session_store import SessionStore
    from apps.competition import services
    from apps.competition.models import Piece

    services.catalogue_load()
    stage = services.stage_create(actor=OPERATOR, name="Stage II", order_number=2)
    begins = dt.datetime(2027, 10, 12, 15, 0, tzinfo=dt.UTC)
    session = services.session_create(
        actor=OPERATOR, stage_id=stage.pk, title="Stage II, evening session", starts_at=begins,
        description="Twelve participants, four works each.", youtube_id=VIDEO,
    )  # fmt: skip
    pieces = list(Piece.objects.order_by("pk"))
    appearances, participants = [], []
    for number in range(1, APPEARANCES + 1):
        participant = services.participant_create(
            actor=OPERATOR, first_name="Player", second_name=f"Number {number:02d}", country="Poland", birth_year=2001,
            biography="Studied at home and abroad, and plays since the age of five.",
        )  # fmt: skip
        appearance = services.appearance_add(actor=OPERATOR, session_id=session.pk, participant_id=participant.pk)
        program = [
            services.NewEntry(pieces[(number * PIECES + index) % len(pieces)].pk, "", 600 * number + 150 * index, "")
            for index in range(PIECES)
        ]
        services.program_add(actor=OPERATOR, session_participant_id=appearance.pk, entries=program)
        appearances.append(appearance.pk)
        participants.append(participant.pk)
    services.session_set_live(actor=OPERATOR, session_id=session.pk)
    for appearance_id in reversed(appearances[:RATEABLE]):
        services.performer_set(actor=OPERATOR, session_participant_id=appearance_id)
    account = account_create(email="listener@example.org", password=None, username="listener")
    store = SessionStore()
    store[SESSION_KEY] = str(account.pk)
    store[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    store[HASH_SESSION_KEY] = account.get_session_auth_hash()
    store.create()
    cookie = f"{settings.SESSION_COOKIE_NAME}={store.session_key}"
    return {"session": session.pk, "appearances": appearances, "participants": participants, "cookie": cookie}


if __name__ == "__main__":
    django.setup()
    from project.launcher.launch import migrate

    migrate()
    print(json.dumps(fill()))
