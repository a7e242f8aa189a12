"""Fill a stage of 84 performances: `python -m benchmarks.ranked_stage 1191` prints its id and raters as JSON.

Without a number it is the number of raters who give 100,000 marks.
"""

import datetime as dt
import json
import random
import sys

import django

PERFORMANCES, MARKS = 84, 100_000
PIECES = 2  # pieces of each program
BEGINS = dt.datetime(2021, 10, 3, 9, 0, tzinfo=dt.UTC)
EVENING, LATEST, LATE = dt.timedelta(hours=6), dt.timedelta(days=4), 1 / 7


def fill(count: int) -> dict[str, int]:
    """Store the performances and approved, years-old ratings of so many listeners with varying severity.

    One rating in seven is late. Returns the stage's id.
    """
    from django.db import connection

    from apps.accounts.models import User
    from apps.competition.models import Appearance, Participant, Piece, ProgramEntry, Session, Stage
    from apps.competition.services.participants import name_columns
    from apps.ratings.models import PieceRating

    stage = Stage.objects.create(name="Stage I", order_number=1)
    session = Session.objects.create(stage=stage, title="Stage I, all sessions", starts_at=BEGINS)
    players = Participant.objects.bulk_create(
        Participant(**name_columns(first_name="Pianist", second_name=f"Number {number:02d}"), country="Poland")
        for number in range(1, PERFORMANCES + 1)
    )
    appearances = Appearance.objects.bulk_create(
        Appearance(session=session, participant=player, order_number=number)
        for number, player in enumerate(players, start=1)
    )
    pieces = list(Piece.objects.order_by("pk")[:PIECES])
    ProgramEntry.objects.bulk_create(
        ProgramEntry(appearance=appearance, piece=piece, order_number=number, slot=piece.category)
        for appearance in appearances
        for number, piece in enumerate(pieces, start=1)
    )
    raters = User.objects.bulk_create(
        User(email=f"stalls{number}@example.org", username=f"stalls{number}", password="!", created_at=BEGINS)
        for number in range(count)
    )
    chance = random.Random(1)
    severity = {rater.pk: chance.gauss(0, 2) for rater in raters}
    for appearance in appearances:
        quality = chance.gauss(17, 2)
        given = {
            rater.pk: BEGINS + chance.random() * (LATEST if chance.random() < LATE else EVENING) for rater in raters
        }
        PieceRating.objects.bulk_create(
            PieceRating(
                user=rater, appearance=appearance, piece=piece, approved=True, updated_at=given[rater.pk],
                score=min(25, max(1, round(chance.gauss(quality + severity[rater.pk], 1.5)))),
            )
            for rater in raters
            for piece in pieces
        )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return {"stage": stage.pk, "raters": count}


if __name__ == "__main__":
    django.setup()
    print(json.dumps(fill(int(sys.argv[1]) if sys.argv[1:] else MARKS // PERFORMANCES + 1)))
