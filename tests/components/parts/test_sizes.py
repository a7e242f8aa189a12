"""The cost of a change of a live session: the parts that are read, their queries, and the size of the frame."""

import datetime as dt
import random
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.events import PerformerChanged
from apps.competition.models import PerformingTime
from apps.competition.services.live import performer_clear, performer_next, performer_set
from apps.core.database.fields import database_now
from apps.live.enums import Reaction
from apps.live.events import CommentsChanged, ReactionsChanged
from apps.live.models import ReactionMoment, SessionComment
from apps.live.services import Taps, reactions_store
from benchmarks import busy_session
from components.runtime.rendering.frames import parts_frame
from components.runtime.rendering.live_part import LivePart
from tests.components.seen import opened
from tests.rendering import renew_all

PLAYED = 1200  # seconds that the current performer has been on stage
WORDS = "I never heard the nocturne played like this, and what a wonderful left hand!"


@pytest.fixture
def evening(db):
    """Return the ids of the benchmarks' live session; the third has played for twenty minutes, with reactions."""
    evening = SimpleNamespace(**busy_session.fill(busy_session.APPEARANCES))
    before, earlier = dt.timedelta(seconds=PLAYED), dt.timedelta(hours=2)
    PerformingTime.objects.update(began_at=F("began_at") - earlier)
    PerformingTime.objects.exclude(ended_at=None).update(ended_at=F("ended_at") - earlier)
    performer_set(actor=OPERATOR, appearance_id=evening.appearances[2])
    PerformingTime.objects.filter(ended_at=None).update(began_at=F("began_at") - before)
    chance, now = random.Random(7), int(database_now().timestamp())  # noqa: S311 - no secret
    ReactionMoment.objects.bulk_create(
        ReactionMoment(session_id=evening.session, second=second, count=1 + int(chance.expovariate(0.2)))
        for second in range(now - PLAYED, now, 7)
    )
    return evening


def sent(lives, event):
    """Read the parts that depend on this event. Return the numbers of reads, changes and queries, and the frame."""
    stale = [live for live in lives.values() if not set(live.ref.topics).isdisjoint(event.topics)]
    read, contents = 0, []
    with CaptureQueriesContext(connection) as queries:
        while stale:
            read += len(stale)
            contents += [content for content in renew_all(stale) if content]
            inner = {ref.key: LivePart(ref) for live in stale for ref in live.inner_refs if ref.key not in lives}
            lives |= inner
            stale = list(inner.values())
    frame = parts_frame(contents)
    return SimpleNamespace(
        read=read, changed=len(contents), queries=len(queries), bytes=len(frame.deflated), plain=len(frame.plain)
    )


def watched(evening):
    return dict(opened(f"/sessions/{evening.session}").parts)


def on_stage(evening, *numbers):
    return PerformerChanged(evening.session, tuple(evening.participants[number] for number in numbers))


def test_cost_of_changes_of_a_live_session(evening):
    lives, listener = watched(evening), User.objects.get(username="listener")
    performer_next(actor=OPERATOR, session_id=evening.session, after=evening.appearances[2])
    cost = sent(lives, on_stage(evening, 2, 3))
    assert (cost.read, cost.changed, cost.queries) == (14, 9, 11)  # the form of the performance has its figure
    assert cost.bytes <= 1450
    assert cost.plain <= 9000

    lives = watched(evening)
    performer_clear(actor=OPERATOR, session_id=evening.session)
    assert sent(lives, on_stage(evening, 3)).bytes <= 2200
    performer_next(actor=OPERATOR, session_id=evening.session, after=None)
    assert sent(lives, on_stage(evening, 4)).bytes <= 1250

    lives = watched(evening)
    SessionComment.objects.create(session_id=evening.session, user_id=listener.pk, content=WORDS)
    cost = sent(lives, CommentsChanged((evening.session,)))
    assert (cost.read, cost.queries) == (2, 3)
    assert cost.bytes <= 500
    lives = watched(evening)
    for most in (450, 400):  # the bar is read again after the first one, and the curve grows
        reactions_store(messages=[Taps(evening.session, listener.pk, uuid4(), (Reaction.HEART,))])
        cost = sent(lives, ReactionsChanged((evening.session,)))
        assert cost.queries == 3
        assert cost.bytes <= most
