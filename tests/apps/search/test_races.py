"""Two writers at the same time leave the entries that a rebuild would write, and what is hidden is never found."""

from datetime import timedelta

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

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.long]
NAMES = {"first_name": "Jan", "second_name": "Nowak", "country": "Poland", "biography": "A pianist."}


def assert_complete() -> None:
    for each in entries_rebuild():
        assert (each.missing, each.different, each.superfluous) == (0, 0, 0), each.kind


def stages_with_session(number: int) -> tuple[Stage, Stage, Session]:
    stage, other = (stage_create(actor=OPERATOR, name=f"{name} {number}") for name in ("Heats", "Repechage"))
    return stage, other, session_create(
        actor=OPERATOR, title="Morning", starts_at=database_now(), stage_id=stage.pk
    )  # fmt: skip


def edit(session: Session, stage: Stage, title: str) -> None:
    session_update(
        actor=OPERATOR, session_id=session.pk, title=title, starts_at=session.starts_at + timedelta(days=1),
        description="", youtube_id="", stage_id=stage.pk,
    )  # fmt: skip


@pytest.mark.parametrize("is_moved", [False, True])
def test_a_stage_is_renamed_while_its_session_is_edited(is_moved):
    numbers = iter(range(1, 100))

    def made():
        number = next(numbers)
        Session.objects.all().delete()
        Stage.objects.all().delete()
        entries_rebuild()
        stage, other, session = stages_with_session(number)
        name = f"Opening {number}"
        rename = lambda: stage_update(actor=OPERATOR, stage_id=stage.pk, name=name)  # noqa: E731 - one of two acts
        return (rename, lambda: edit(session, other if is_moved else stage, "Evening"))

    for _ in meanwhile(made):
        assert_complete()


def test_a_session_is_created_while_its_stage_is_renamed_or_moved():
    numbers = iter(range(1, 100))

    def made():
        number = next(numbers)
        Session.objects.all().delete()
        Stage.objects.all().delete()
        entries_rebuild()
        stage, _, session = stages_with_session(number)
        create = lambda: session_create(  # noqa: E731 - one of two acts
            actor=OPERATOR, title="Second", starts_at=session.starts_at, stage_id=stage.pk
        )
        if number % 2:
            return create, lambda: stage_update(actor=OPERATOR, stage_id=stage.pk, name=f"Opening {number}")
        return create, lambda: stage_move(actor=OPERATOR, stage_id=stage.pk, direction="down")

    for _ in meanwhile(made):
        assert_complete()


def test_a_rebuild_beside_an_edit_keeps_the_edit():
    numbers = iter(range(1, 200))
    person = participant_create(actor=OPERATOR, **NAMES)
    given = {**NAMES, "birth_year": None, "avatar_url": "", "featured": False, "participant_id": person.pk}

    def made():
        SearchEntry.objects.update(title="Another name")
        name = f"Kowalski{next(numbers)}"
        return (lambda: participant_update(actor=OPERATOR, **given | {"second_name": name}), entries_rebuild)

    for _ in meanwhile(made):
        assert_complete()


def test_a_hidden_post_is_not_found_from_the_commit_on():
    author = viewer_of(MemberFactory())
    post = post_add(actor=author, content="The pillar hides the keyboard.")
    seen: list[list[str]] = []

    def hide() -> None:
        posts_lock(ids=[post.pk])
        posts_hide(ids=[post.pk], hidden=True)
        seen.append(titles("pillar"))

    def look() -> None:
        for _ in range(50):
            titles("pillar")

    for _ in range(5):
        posts_hide(ids=[post.pk], hidden=False)
        assert len(titles("pillar")) == 1
        answers = run_together(hide, look)
        assert answers == [None, None]
        assert titles("pillar") == []
    assert seen == [[]] * 5
    assert_complete()


def test_two_edits_of_many_entries_in_opposite_order_do_not_deadlock():
    author = viewer_of(MemberFactory())
    ids = [participant_create(actor=OPERATOR, **NAMES, confirmed=True).pk for _ in range(4)]
    assert author.id

    def edits(order: list[int], country: str) -> None:
        for pk in order:
            given = {**NAMES, "country": country, "birth_year": None, "avatar_url": "", "featured": False}
            participant_update(actor=OPERATOR, participant_id=pk, **given)

    assert run_together(lambda: edits(ids, "Chile"), lambda: edits(ids[::-1], "Peru")) == [None, None]
    assert_complete()
