"""Pages of covered members depend on no covered figure: they stay equal when two performances exchange their marks.

The exchange changes all figures of both, their order and their ranks, and no other value: every rater's marks stay the
same as a set. Unlike planted numbers it also shows what is no number, such as an order, a class or a length.
"""

import asyncio
import difflib
import os
import re
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from apps.jury.services import jury_show
from apps.ranking.models import RankingRow, RankingRun
from apps.ranking.services import ranking_compute
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.covering import figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import ratings_submit
from project.process.web_process import process
from tests.apps.jury.juries import published
from tests.factories import PLAYED, UserFactory, viewer_of
from tests.project.moves import until
from tests.project.planted import Competition, Played, aged, competition, paths, viewed
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)

# What differs between two views of one page: tokens and nonces.
VARIES = re.compile(r'nonce="[^"]*"|value"?[=:] ?"[A-Za-z0-9]{32,}"|"token": ?"[^"]*"')
EXCHANGES = int(os.environ.get("EXCHANGES", "2"))  # `make soak` tries more
RANKED = ("rank", "lowest", "highest", "score", "score_from", "score_to", "raters", "mean", "late")
ACTS = st.sampled_from(["none", "none", "one piece", "all pieces", "submit", "show"])


def act(viewer: Any, played: Played, what: str) -> bool:
    """Do this, and return whether all of the performance is covered afterwards."""
    pk, (first, second) = played.row.pk, played.pieces
    if what == "show":
        figures_show(actor=viewer, appearance_id=pk)
    elif what == "submit":
        ratings_submit(actor=viewer, appearance_id=pk, pieces={first: 25}, score=5, comment="Played well.")
    elif what != "none":
        pieces = {first: (25, 0.0)} | ({} if what == "one piece" else {second: (24, 0.0)})
        rating_keep(actor=viewer, appearance_id=pk, strikes=Strikes(pieces))
    return what == "none"


@transaction.atomic
def exchange(stage_data: Competition, one: Played, other: Played) -> None:
    """Exchange the audience's marks of two performances of one program, and their places in the ranking.

    The ranking is not computed again: intervals are simulated, and differ for other performances too.
    """
    users = [user.pk for user in stage_data.raters]
    for table in (PieceRating, PerformanceRating):
        rows = {
            (row.appearance_id, row.user_id, getattr(row, "piece_id", 0)): row
            for row in table.objects.filter(user__in=users, appearance__in=[one.row, other.row])
        }
        scores = {key: row.score for key, row in rows.items()}
        for (place, user, piece), row in rows.items():
            exchanged_pk = other.row.pk if place == one.row.pk else one.row.pk
            table.objects.filter(pk=row.pk).update(score=scores[exchanged_pk, user, piece])
    for run_id in RankingRun.objects.filter(stage_id=one.row.session.stage_id).values_list("pk", flat=True):
        first, second = (RankingRow.objects.get(run=run_id, appearance=played.row) for played in (one, other))
        for row, figures in ((first, second), (second, first)):
            RankingRow.objects.filter(pk=row.pk).update(**{name: getattr(figures, name) for name in RANKED})
    ratings_announce(users, [one.row.pk, other.row.pk], public=True, waiting=False)


async def views(addresses: list[str], cookie: str) -> dict[str, str]:
    """Return these pages of this viewer, of a process that has just started."""
    async with serving():
        await until(lambda: not any(live.refresh for live in process.parts.live.values()))
        return {path: VARIES.sub("", await viewed(path, cookie)) for path in addresses}


def first_difference(before: dict[str, str], after: dict[str, str]) -> str:
    """Return the first difference of two views, "" without one."""
    for path, html in before.items():
        if html != after[path]:
            lines = [re.sub(r"(?<=[>},])", "\n", page).splitlines() for page in (html, after[path])]
            return f"{path}:\n" + "\n".join(list(difflib.unified_diff(*lines, lineterm="", n=1))[:40])
    return ""


@pytest.fixture
def stage_data() -> Competition:
    """A competition with the audience's marks, with rankings, and with the jury's published marks."""
    made = competition()
    for played in made.begun():
        made.rate(played, played.place)
    for stage in range(len(made.sessions)):
        rank(made, stage)
        rows = [played.row for played in made.performances if played.stage == stage]
        published(rows, [[str(20 + number), str(24 - number)] for number in range(len(rows))], place=stage + 1)
    return made


def rank(stage_data: Competition, stage: int) -> None:
    """Compute a ranking, of one time in all examples."""
    ranking_compute(stage_id=stage_data.sessions[stage].stage_id)
    RankingRun.objects.update(made_at=PLAYED)


@settings(
    max_examples=EXCHANGES, deadline=None, phases=[Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)  # fmt: skip
@given(acts=st.lists(ACTS, min_size=6, max_size=6), which=st.integers(0, 99))
def test_pages_of_a_member_do_not_depend_on_covered_marks(stage_data: Competition, acts: list[str], which: int) -> None:
    viewer = viewer_of(aged(UserFactory()))
    for session in stage_data.sessions:
        jury_show(actor=viewer, stage_id=session.stage_id)
    covered = [played for played, what in zip(stage_data.begun(), acts, strict=True) if act(viewer, played, what)]
    pairs = [
        (one, other) for one in covered for other in covered if one.place < other.place and one.stage == other.stage
    ]
    if not pairs:
        return
    one, other = pairs[which % len(pairs)]
    addresses = paths(stage_data)
    public = [address for address in addresses if address.startswith("/stages/")]
    requests = [(addresses, session_cookie(viewer)), (public, "")]
    rank(stage_data, one.stage)
    before = [asyncio.run(views(*request)) for request in requests]
    exchange(stage_data, one, other)
    after = [asyncio.run(views(*request)) for request in requests]
    difference = first_difference(before[0], after[0])
    assert not difference, difference
    assert first_difference(before[1], after[1]), "the exchange changes no public page"
