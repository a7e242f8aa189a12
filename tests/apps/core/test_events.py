"""Publishing: heard after the commit, never without one."""

from dataclasses import dataclass

from django.db import transaction

from apps.core.events import publish


@dataclass(frozen=True)
class LampLit:
    """An event of this test."""

    topics: tuple[str, ...] = ("lamp", "lamp.1")


def test_publish_is_heard_after_the_commit_only(listener):
    with transaction.atomic():
        publish(LampLit())
        assert listener.heard() == set()
    assert listener.heard() == {"lamp", "lamp.1"}


def test_publish_is_not_heard_after_a_rollback(listener):
    with transaction.atomic():
        publish(LampLit())
        transaction.set_rollback(True)
    assert listener.heard() == set()
