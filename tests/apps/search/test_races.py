"""Test race conditions: concurrent writers leave the entries of a rebuild, and a hidden post is never a hit."""

import re
from datetime import timedelta
from functools import partial
from itertools import count

import pytest

from apps.accounts.actors import OPERATOR
from apps.community.services.posts import post_add, posts_hide, posts_lock
from apps.competition.models import Session, Stage
from apps.competition.services.participants import participant_create, participant_update
from apps.competition.services.sessions import session_create, session_update
from apps.competition.services.stages import stage_create, stage_move, stage_update
from apps.core.database.fields import database_now
from apps.search.models import SearchEntry
from apps.search.services import entries_rebuild
from tests.apps.conftest import run_together
from tests.apps.meanwhile import meanwhile
from tests.apps.search.places import titles
from tests.factories import MemberFactory, viewer_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.long(reason="repeats concurrent writes of the search's entries"),
]
# Statements on rows that both writers use.
SHARED = re.compile(r"\b(stages|sessions|participants|search_entries)\b")
NAMES = {"first_name": "Jan", "second_name": "Nowak", "country": "Poland", "biography": "A pianist."}


def assert_complete() -> None:
    for counts in entries_rebuild():
        assert (counts.missing, counts.different, counts.superfluous) == (0, 0, 0), counts.kind


def stages_with_session(number: int) -> tuple[Stage, Stage, Session]:
    """Return two stages and a session of the first, as the only ones of the database."""
    Session.objects.all().delete()
    Stage.objects.all().delete()
    entries_rebuild()
    stage, other = (stage_create(actor=OPERATOR, name=f"{name} {number}") for name in ("Heats", "Repechage"))
    session = session_create(actor=OPERATOR, title="Morning", starts_at=database_now(), stage_id=stage.pk)
    return stage, other, session


@pytest.mark.parametrize("is_moved", [False, True])
def test_session_is_edited_while_its_stage_is_renamed(is_moved):
    numbers = count(1)

    def writes():
        number = next(numbers)
        stage, other, session = stages_with_session(number)
        rename = partial(stage_update, actor=OPERATOR, stage_id=stage.pk, name=f"Opening {number}")
        form = {"title": "Evening", "starts_at": session.starts_at + timedelta(days=1), "description": ""}
        form |= {"youtube_id": "", "stage_id": (other if is_moved else stage).pk}
        return rename, partial(session_update, actor=OPERATOR, session_id=session.pk, **form)

    for _ in meanwhile(writes, shared=SHARED):
        assert_complete()


def test_session_is_created_while_its_stage_is_renamed_or_moved():
    numbers = count(1)

    def writes():
        number = next(numbers)
        stage, _, session = stages_with_session(number)
        form = {"title": "Second", "starts_at": session.starts_at, "stage_id": stage.pk}
        create = partial(session_create, actor=OPERATOR, **form)
        if number % 2:
            return create, partial(stage_update, actor=OPERATOR, stage_id=stage.pk, name=f"Opening {number}")
        return create, partial(stage_move, actor=OPERATOR, stage_id=stage.pk, direction="down")

    for _ in meanwhile(writes, shared=SHARED):
        assert_complete()


def test_rebuild_keeps_a_concurrent_edit():
    numbers = count(1)
    person = participant_create(actor=OPERATOR, **NAMES)
    form = {**NAMES, "birth_year": None, "avatar_url": "", "featured": False, "participant_id": person.pk}

    def writes():
        SearchEntry.objects.update(title="Another name")
        renamed = form | {"second_name": f"Kowalski{next(numbers)}"}
        return partial(participant_update, actor=OPERATOR, **renamed), entries_rebuild

    for _ in meanwhile(writes, shared=SHARED):
        assert_complete()


def test_hidden_post_is_not_a_hit_after_the_commit():
    author = viewer_of(MemberFactory())
    post = post_add(actor=author, content="The pillar hides the keyboard.")
    seen: list[list[str]] = []

    def hide() -> None:
        posts_lock(ids=[post.pk])
        posts_hide(ids=[post.pk], hidden=True)
        seen.append(titles("pillar"))

    def search() -> None:
        for _ in range(20):
            titles("pillar")

    for _ in range(3):
        posts_hide(ids=[post.pk], hidden=False)
        assert len(titles("pillar")) == 1
        assert run_together(hide, search) == [None, None]
        assert titles("pillar") == []
    assert seen == [[]] * 3
    assert_complete()


def test_edits_in_opposite_order_do_not_deadlock():
    ids = [participant_create(actor=OPERATOR, **NAMES, confirmed=True).pk for _ in range(4)]

    def edits(order: list[int], country: str) -> None:
        form = {**NAMES, "country": country, "birth_year": None, "avatar_url": "", "featured": False}
        for pk in order:
            participant_update(actor=OPERATOR, participant_id=pk, **form)

    assert run_together(lambda: edits(ids, "Chile"), lambda: edits(ids[::-1], "Peru")) == [None, None]
    assert_complete()
