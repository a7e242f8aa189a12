"""Rate performances of the test session, few and many times: `python -m benchmarks.rated '{"few": 10, …}'`.

Prints the participants' ids and the milliseconds to read and render their pages, as JSON.
"""

import json
import sys
import time
from statistics import median

import django

TIMES = 30
PIECES = 4  # of a program: with the whole performance, a user has five ratings


def fill(sizes: dict[str, int]) -> dict[str, int]:
    """Store this many approved ratings for one participant per name; return the participants' ids by name."""
    from apps.accounts.models import User
    from apps.competition.models import Appearance
    from apps.ratings.models import PerformanceRating, PieceRating

    for marks in (PieceRating, PerformanceRating):  # delete those of the test session
        marks.objects.all().delete()
    raters = User.objects.bulk_create(
        User(email=f"rater{n}@example.org", username=f"rater{n}", password="!")
        for n in range(max(sizes.values()) // (PIECES + 1))
    )
    participants = {}
    for appearance, (name, size) in zip(Appearance.objects.order_by("pk"), sizes.items(), strict=False):
        chosen = raters[: size // (PIECES + 1)]
        pieces = list(appearance.program.values_list("piece_id", flat=True))
        PieceRating.objects.bulk_create(
            PieceRating(user=who, appearance=appearance, piece_id=piece, score=1 + (n * 7 + piece) % 25, approved=True)
            for n, who in enumerate(chosen)
            for piece in pieces
        )
        PerformanceRating.objects.bulk_create(
            PerformanceRating(
                user=who,
                appearance=appearance,
                score=1 + n % 5,
                comment=f"What I heard, number {n}.",
                approved=True,
            )
            for n, who in enumerate(chosen)
        )
        participants[name] = appearance.participant_id
    return participants


def anew(address: str) -> float:
    """Return the seconds to load a page, read its parts and render their HTML, in this process and its database."""
    from apps.accounts.actors import ANONYMOUS
    from components.routes import Target, find
    from components.runtime.rendering.live_part import LivePart

    begun = time.perf_counter()
    target = find(address, ANONYMOUS)
    assert isinstance(target, Target)
    for ref in target.load(ANONYMOUS, "en").parts.values():
        part = LivePart(ref)
        part.renew()
        assert part.pieces
    return time.perf_counter() - begun


def measured(participants: dict[str, int]) -> dict[str, dict[str, float]]:
    """Return the milliseconds of each page by tab and name: the median of TIMES, measured in turn."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    tabs = {"performances": "", "all ratings": "?tab=ratings"}
    times: dict[tuple[str, str], list[float]] = {(tab, name): [] for tab in tabs for name in participants}
    for _ in range(TIMES):
        for tab, query in tabs.items():
            for name, pk in participants.items():
                times[tab, name].append(anew(f"/participants/{pk}{query}"))
    return {tab: {name: median(times[tab, name]) * 1e3 for name in participants} for tab in tabs}


if __name__ == "__main__":
    django.setup()
    made = fill(json.loads(sys.argv[1]))
    print(json.dumps({"participants": made, "anew": measured(made)}))
