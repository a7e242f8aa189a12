"""`python -m benchmarks.piece_page`: a member's page of a piece with 18 performances beside one with 200, in one run.

Each performance has ten approved marks. A member's page is rendered for each view; the parts are kept.
"""

import asyncio
import datetime as dt
import json
import sys
from statistics import median

import django

from benchmarks import site_processes
from benchmarks.clocks import cpu
from benchmarks.page_views import ask
from benchmarks.ranking import answered

FEW, MANY, RATERS = 18, 200, 10
PAGES, ROUNDS = 20, 6  # requests of each page in turn


def fill() -> dict[str, object]:
    """Store both pieces with their performances and marks. Returns their ids, and a member's cookie."""
    from apps.accounts.models import User
    from apps.competition.models import Appearance, Participant, Piece, ProgramEntry, Session, Stage
    from apps.competition.services.participants import name_columns
    from apps.ratings.models import PieceRating
    from benchmarks.audience import seated

    begins = dt.datetime(2021, 10, 3, 9, 0, tzinfo=dt.UTC)
    stage = Stage.objects.create(name="Stage of pieces", order_number=50)
    session = Session.objects.create(stage=stage, title="All performances", starts_at=begins)
    players = Participant.objects.bulk_create(
        Participant(**name_columns(first_name="Pianist", second_name=f"Number {number:03d}"), country="Poland")
        for number in range(MANY)
    )
    appearances = Appearance.objects.bulk_create(
        Appearance(session=session, participant=player, order_number=number)
        for number, player in enumerate(players, start=1)
    )
    few, many = Piece.objects.order_by("pk")[:2]
    for order, (piece, count) in enumerate(((few, FEW), (many, MANY)), start=1):
        ProgramEntry.objects.bulk_create(
            ProgramEntry(appearance=each, piece=piece, order_number=order, slot=piece.category)
            for each in appearances[:count]
        )
        raters = User.objects.bulk_create(
            User(email=f"p{order}-{number}@example.org", username=f"p{order}_{number}", password="!")
            for number in range(RATERS)
        )
        PieceRating.objects.bulk_create(
            PieceRating(user=rater, appearance=each, piece=piece, score=1 + (each.pk + rater.pk) % 25, approved=True)
            for each in appearances[:count]
            for rater in raters
        )
    return {"few": few.pk, "many": many.pk, "cookie": seated(1)[0]}


def main() -> None:
    """Measure and print."""
    with site_processes.opened() as opened:
        ids = answered(opened, "benchmarks.piece_page", 1)
        with opened.server("site") as serving:
            costs: dict[str, list[float]] = {f"/pieces/{ids['few']}": [], f"/pieces/{ids['many']}": []}
            sizes = {}
            for number in range(ROUNDS + 1):
                for path, times in costs.items():
                    begun = cpu(serving.pid)
                    status, sizes[path], _ = asyncio.run(ask(serving.port, path, f"Cookie: {ids['cookie']}\r\n", PAGES))
                    assert "200" in status, (path, status)
                    if number:  # the first round warms up
                        times.append((cpu(serving.pid) - begun) / PAGES * 1e3)
    (few, short), (many, long) = ((median(times), sizes[path]) for path, times in costs.items())
    print(f"{FEW} performances: {few:.1f} ms, {short:,} bytes; {MANY}: {many:.1f} ms, {long:,} bytes")
    print(f"ratios for {MANY / FEW:.1f} times the performances: CPU {many / few:.2f}, bytes {long / short:.2f}")


if __name__ == "__main__":
    if sys.argv[1:]:
        django.setup()
        print(json.dumps(fill()))
    else:
        main()
