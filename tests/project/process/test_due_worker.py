"""The worker of what is due, with planned drafts: it wakes at the next time, and continues for a killed process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from apps.accounts.actors import OPERATOR
from apps.core.audit import audit_list
from apps.core.bus.listeners import Bus
from apps.core.database.fields import database_now
from apps.core.threads import in_thread
from apps.news.models import BlogPost
from apps.news.services import post_create, posts_publish_due
from project.database.parameters import session_parameters
from project.process.due_worker import DueWorker
from tests.screen import SECONDS
from tests.waiting import until

pytestmark = pytest.mark.django_db(transaction=True)
WRITTEN = {"title": "Four pianos", "excerpt": "They wait.", "content": "Behind the stage."}
SOON = timedelta(milliseconds=500)


@asynccontextmanager
async def publishers(count: int) -> AsyncIterator[list[asyncio.Task[None]]]:
    """Run this many publishers, each with a bus of its own, as separate processes have; yield their tasks."""
    buses = [Bus() for _ in range(count)]
    listening = [asyncio.create_task(bus.run(session_parameters("publisher test"), "")) for bus in buses]
    await asyncio.gather(*(asyncio.wait_for(bus.connected.wait(), SECONDS) for bus in buses))
    publishing = [asyncio.create_task(DueWorker(bus, posts_publish_due, "planned_posts").run()) for bus in buses]
    try:
        yield publishing
    finally:
        for task in (*publishing, *listening):
            task.cancel()
        await asyncio.gather(*publishing, *listening, return_exceptions=True)


async def draft_create(ahead: timedelta) -> int:
    post = await in_thread(lambda: post_create(actor=OPERATOR, **WRITTEN, publish_at=database_now() + ahead))
    return post.pk


async def until_published() -> None:
    async def is_published() -> bool:
        return await in_thread(BlogPost.objects.filter(is_published=True).exists)

    await until(is_published, "the draft is published")


def publications(post_id: int) -> int:
    return sum((entry.action, entry.subject_id) == ("post.publish", post_id) for entry in audit_list())


async def test_three_processes_publish_a_draft_once_at_its_time():
    async with publishers(3):
        post_id = await draft_create(SOON)
        planned_at = await in_thread(lambda: BlogPost.objects.get().publish_at)
        await until_published()
        published_at = await in_thread(lambda: BlogPost.objects.get().published_at)
        assert planned_at <= published_at < planned_at + timedelta(seconds=SECONDS)
        assert await in_thread(lambda: publications(post_id)) == 1


async def test_another_process_publishes_after_one_has_ended():
    async with publishers(2) as (first, _):
        post_id = await draft_create(SOON)
        first.cancel()
        await until_published()
        assert await in_thread(lambda: publications(post_id)) == 1


async def test_overdue_draft_is_published_at_the_start():
    post_id = await draft_create(SOON)
    await in_thread(lambda: BlogPost.objects.filter(pk=post_id).update(publish_at=database_now() - timedelta(hours=1)))
    async with publishers(1):
        await until_published()
        assert await in_thread(lambda: publications(post_id)) == 1
