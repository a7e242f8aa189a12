"""The rate limit of reactions per account, and the answers of the batcher."""

import asyncio
from uuid import uuid4

import pytest

from apps.core.buckets import Buckets, Rate
from apps.live.enums import Reaction
from apps.live.services import ReactionMessage
from project.process.commands import Reactions


class Recorder:
    """Replaces the batcher: records all taps, and returns this answer."""

    def __init__(self, answer=""):
        self.answer, self.taken = answer, []

    async def add(self, taps):
        self.taken.append(taps)
        return self.answer


def message(account=1, count=10):
    return ReactionMessage(session_id=1, user_id=account, key=uuid4(), types=(Reaction.HEART,) * count)


@pytest.fixture
def taps():
    made = Reactions()
    made.batcher = Recorder()
    made.buckets = Buckets(Rate(10, 0))
    return made


def add(taps, *messages):
    async def all_of_them():
        return [await taps.add(each) for each in messages]

    return asyncio.run(all_of_them())


def test_each_account_has_its_own_allowance(taps):
    messages = message(1, 4), message(2), message(1), message(1, 3)
    assert add(taps, *messages) == [(4, ""), (10, ""), (6, ""), (0, "")]
    assert [len(each.types) for each in taps.batcher.taken] == [4, 10, 6]


def test_missing_answer_of_the_batcher_is_none(taps):
    taps.batcher.answer = None
    assert add(taps, message()) == [None]
