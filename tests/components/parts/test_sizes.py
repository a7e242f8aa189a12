"""What a change of a live session costs: the parts that are read, their queries, and one compressed frame of them."""

import datetime as dt
import random
import zlib
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
from components.runtime.rendering.encoding import encode
from components.runtime.rendering.live_part import LivePart
from components.runtime.rendering.tree import difference
from tests.components.seen import opened
from tests.rendering import renew_all

PLAYED = 1200  # seconds that the current performer has been on stage
WORDS = "I never heard the nocturne played like this, and what a wonderful left hand!"


@pytest.fixture
def evening(db):
    """Return the ids of the benchmarks' live session; the third has played for twenty minutes, with reactions."""
    made = SimpleNamespace(**busy_session.fill(busy_session.APPEARANCES))
    before, earlier = dt.timedelta(seconds=PLAYED), dt.timedelta(hours=2)
    PerformingTime.objects.update(began_at=F("began_at") - earlier)
    PerformingTime.objects.exclude(ended_at=None).update(ended_at=F("ended_at") - earlier)
    performer_set(actor=OPERATOR, session_participant_id=made.appearances[2])
    PerformingTime.objects.filter(ended_at=None).update(began_at=F("began_at") - before)
    chance, now = random.Random(7), int(database_now().timestamp())  # noqa: S311 - no secret
    ReactionMoment.objects.bulk_create(
        ReactionMoment(session_id=made.session, second=second, count=1 + int(chance.expovariate(0.2)))
        for second in range(now - PLAYED, now, 7)
    )
    return made


def sent(lives, event):
    """Read the parts that depend on this event. Return what was read, changed and asked, and the frame's bytes."""
    stale = [live for live in lives.values() if not set(live.ref.topics).isdisjoint(event.topics)]
    known = {live.ref.key: (live.version, live.model) for live in stale}
    read, parts = 0, []
    with CaptureQueriesContext(connection) as queries:
        while stale:
            read += len(stale)
            assert not [each for each in renew_all(stale) if isinstance(each, Exception)]
            parts += [part for live in stale if (part := part_of(live, *known.get(live.ref.key, ("", ""))))]
            inner = {ref.key: LivePart(ref) for live in stale for ref in live.inner_refs if ref.key not in lives}
            lives |= inner
            stale = list(inner.values())
    body = encode({"type": "parts", "parts": parts})
    shrunk = zlib.compressobj(6, zlib.DEFLATED, -15)
    size = len(shrunk.compress(body) + shrunk.flush(zlib.Z_SYNC_FLUSH)) - len(b"\0\0\xff\xff")
    return SimpleNamespace(read=read, changed=len(parts), queries=len(queries), bytes=size, plain=len(body))


def part_of(live, version, model):
    """Return the change of a part since this version as it is sent, None without one."""
    if live.version == version:
        return None
    if not version:
        return {"key": live.ref.key, "to": live.version, "model": live.model}
    return {"key": live.ref.key, "from": version, "to": live.version, "operations": difference(model, live.model)}


def watched(evening):
    return dict(opened(f"/sessions/{evening.session}").parts)


def on_stage(evening, *numbers):
    return PerformerChanged(evening.session, tuple(evening.participants[number] for number in numbers))


def test_a_change_of_performer(evening):
    lives = watched(evening)
    performer_next(actor=OPERATOR, session_id=evening.session, after=evening.appearances[2])
    found = sent(lives, on_stage(evening, 2, 3))
    assert (found.read, found.changed, found.queries) == (8, 7, 9)
    assert found.bytes <= 1450
    assert found.plain <= 7300


def test_an_interval_and_the_next_performer(evening):
    lives = watched(evening)
    performer_clear(actor=OPERATOR, session_id=evening.session)
    found = sent(lives, on_stage(evening, 2))
    assert found.bytes <= 1400
    performer_next(actor=OPERATOR, session_id=evening.session, after=None)
    found = sent(lives, on_stage(evening, 3))
    assert found.bytes <= 900


def test_a_comment(evening):
    lives = watched(evening)
    listener = User.objects.get(username="listener")
    SessionComment.objects.create(session_id=evening.session, user_id=listener.pk, content=WORDS)
    found = sent(lives, CommentsChanged((evening.session,)))
    assert (found.read, found.queries) == (2, 3)
    assert found.bytes <= 500


def test_a_reaction(evening):
    listener, lives = User.objects.get(username="listener"), watched(evening)
    for most in (450, 400):  # the bar is read again after the first one, and the curve grows
        reactions_store(messages=[Taps(evening.session, listener.pk, uuid4(), (Reaction.HEART,))])
        found = sent(lives, ReactionsChanged((evening.session,)))
        assert found.queries == 3
        assert found.bytes <= most
