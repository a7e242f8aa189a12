"""Test "blind first": which figures are covered for a member, what uncovers them, and which marks are blind."""

from functools import partial
from itertools import product
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from apps.accounts.actors import ANONYMOUS
from apps.competition.models import PerformingTime
from apps.ranking.own_states import OwnState, own_states
from apps.ratings.enums import PerformanceState
from apps.ratings.models import DraftMark
from apps.ratings.selectors.covering import performances_seen, ranks_covered
from apps.ratings.services.covering import ears_first_set, figures_show, stage_figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.moderation import mark_reject, rating_delete
from apps.ratings.services.strikes import Strikes, strikes_write
from apps.ratings.services.submission import ratings_submit
from apps.ratings.services.verdicts import TABLES
from tests.components.conftest import busy_session_with
from tests.factories import (
    EVENING,
    AdminFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    viewer_of,
)
from tests.offenders import check_each

pytestmark = pytest.mark.django_db


@pytest.fixture
def appearances():
    """Return three performances of two pieces each, all of one session, which is over."""
    return busy_session_with(3, is_live=False).appearances


def pieces_of(appearance: Any) -> list[int]:
    return list(appearance.program.order_by("order_number").values_list("piece_id", flat=True))


def own_state(fan: Any, appearance: Any) -> OwnState:
    """Return the state of this performance; `performances_seen` has the same performances of its session."""
    states, seen = own_states(user_id=fan.id, session_id=appearance.session_id), performances_seen(user_id=fan.id)
    assert {pk for pk, own in states.items() if not own.is_covered} == (
        states.keys() if seen is None else states.keys() & seen
    )
    return states[appearance.pk]


def strike(fan: Any, appearance: Any, *places: int) -> None:
    """Keep a mark of the pieces in these places of the program."""
    pieces = {pieces_of(appearance)[place]: (15, 0.0) for place in places}
    rating_keep(actor=fan, appearance_id=appearance.pk, strikes=Strikes(pieces))


def marks_reject(*, actor: Any, appearance_id: int, user_id: int) -> None:
    """Reject all marks of a rating as a moderator; the actor is its author."""
    moderator = viewer_of(AdminFactory())
    assert actor.id == user_id
    for kind, table in TABLES.items():
        for mark in table.objects.filter(appearance=appearance_id, user=user_id):
            mark_reject(actor=moderator, kind=kind, mark_id=mark.pk)


def blind(fan: Any, appearance: Any) -> list[bool | None]:
    """Return whether each mark of the performance was made blind, in the order of the marks."""
    marks = DraftMark.objects.filter(draft__user_id=fan.id, draft__appearance=appearance)
    return list(marks.order_by("pk").values_list("blind", flat=True))


def covered(fan: Any, appearance: Any) -> tuple[bool, Any]:
    """Return whether the performance is covered, and its uncovered pieces; None if all are uncovered."""
    own = own_state(fan, appearance)
    return own.is_covered, own.open_pieces


def submit(fan: Any, appearance: Any) -> None:
    """Submit a mark of the first piece and of the whole performance."""
    pieces = {pieces_of(appearance)[0]: 9}
    ratings_submit(actor=fan, appearance_id=appearance.pk, pieces=pieces, score=3, comment="So.")


def test_mark_uncovers_its_piece_and_the_last_mark_the_performance(fan, appearances):
    first, second, _ = appearances
    assert covered(fan, first) == (True, frozenset())
    strike(fan, first, 0)
    assert covered(fan, first) == (True, {pieces_of(first)[0]})
    removed = Strikes({pieces_of(first)[0]: (0, 0.0)})
    rating_keep(actor=fan, appearance_id=first.pk, strikes=removed)
    assert covered(fan, first) == (True, {pieces_of(first)[0]}), "a removed mark leaves its piece uncovered"
    strike(fan, first, 0)
    strike(fan, first, 1)
    assert covered(fan, first) == (False, set(pieces_of(first)))
    assert own_state(fan, second).is_covered
    assert blind(fan, first) == [True, True]


def test_submit_uncovers_the_performance_and_later_marks_are_not_blind(fan, appearances):
    first = appearances[0]
    submit(fan, first)
    assert covered(fan, first) == (False, {pieces_of(first)[0]})
    strike(fan, first, 1)
    assert blind(fan, first) == [True, False]


def test_figures_show_uncovers_one_performance(fan, appearances):
    first, second, _ = appearances
    figures_show(actor=fan, appearance_id=first.pk)
    figures_show(actor=fan, appearance_id=first.pk)
    assert covered(fan, first) == (False, None)
    assert own_state(fan, second).is_covered
    strike(fan, first, 0)
    strike(fan, second, 0)
    assert (blind(fan, first), blind(fan, second)) == ([False], [True])


def test_stage_figures_show_uncovers_all_performances_of_the_stage(fan, appearances):
    stage_id = appearances[0].session.stage_id
    stage_figures_show(actor=fan, stage_id=stage_id)
    assert not any(own.is_covered for own in own_states(user_id=fan.id, stage_id=stage_id).values())
    strike(fan, appearances[2], 0)
    assert blind(fan, appearances[2]) == [False]


def test_performances_shown_without_blind_first_stay_uncovered(fan, appearances):
    first, second, _ = appearances
    ears_first_set(actor=fan, ears_first=False)
    assert own_state(fan, first).open_pieces is None
    strike(fan, first, 0)
    later = ProgramEntryFactory(appearance__session__starts_at=EVENING).appearance
    ears_first_set(actor=fan, ears_first=True)
    assert not own_state(fan, second).is_covered
    assert own_state(fan, later).is_covered
    assert blind(fan, first) == [False]


def test_deleted_rating_leaves_the_performance_uncovered(fan, appearances):
    first = appearances[0]
    strike(fan, first, 0, 1)
    submit(fan, first)
    rating_delete(actor=fan, appearance_id=first.pk, user_id=fan.id)
    assert covered(fan, first) == (False, set(pieces_of(first)))
    strike(fan, first, 0)
    assert blind(fan, first)[0] is False


@pytest.mark.parametrize("remove", [rating_delete, marks_reject])
def test_removed_rating_without_a_sheet_uncovers_only_its_pieces(fan, appearances, remove):
    """The figures of the whole performance stay uncovered; those of a piece without a mark stay covered."""
    first = appearances[0]
    submit(fan, first)
    DraftMark.objects.all().delete()  # as a rating from before sheets existed
    remove(actor=fan, appearance_id=first.pk, user_id=fan.id)
    assert not own_state(fan, first).ratings.is_submitted
    assert covered(fan, first) == (False, {pieces_of(first)[0]})
    strike(fan, first, 1)
    assert blind(fan, first)[-1] is False


def test_blindness_of_a_mark_made_signed_out_is_unknown(fan, appearances):
    first, second, _ = appearances
    strikes_write(fan.id, first.pk, Strikes({pieces_of(first)[0]: (15, 0.0)}), made_here=False)
    figures_show(actor=fan, appearance_id=second.pk)
    strikes_write(fan.id, second.pk, Strikes({pieces_of(second)[0]: (15, 0.0)}), made_here=False)
    assert (blind(fan, first), blind(fan, second)) == ([None], [False])


def test_figures_of_unknown_subjects_and_of_anonymous_visitors_are_refused(fan, appearances):
    for show in (
        partial(figures_show, appearance_id=appearances[0].pk),
        partial(stage_figures_show, stage_id=appearances[0].session.stage_id),
        partial(ears_first_set, ears_first=False),
    ):
        with pytest.raises(PermissionDenied):
            show(actor=ANONYMOUS)
    for show in partial(figures_show, appearance_id=10**9), partial(stage_figures_show, stage_id=10**9):
        with pytest.raises(ValidationError, match="any more"):
            show(actor=fan)


def _submit_and_delete(fan: Any, appearance: Any) -> None:
    submit(fan, appearance)
    DraftMark.objects.all().delete()
    rating_delete(actor=fan, appearance_id=appearance.pk, user_id=fan.id)


WAYS = {
    "no mark": (lambda *_: None, True),
    "one piece": (lambda fan, appearance: strike(fan, appearance, 0), True),
    "all pieces": (lambda fan, appearance: strike(fan, appearance, 0, 1), False),
    "show": (lambda fan, appearance: figures_show(actor=fan, appearance_id=appearance.pk), False),
    "a mark": (lambda fan, appearance: PieceRatingFactory(user_id=fan.id, appearance=appearance), False),
    "an overall mark": (
        lambda fan, appearance: PerformanceRatingFactory(user_id=fan.id, appearance=appearance),
        False,
    ),
    "a deleted rating": (_submit_and_delete, False),
    "no program": (lambda _, appearance: appearance.program.all().delete(), True),
}


def test_ranks_are_covered_by_each_covered_performance_that_has_begun(fan, appearances):
    """The conditions of the query equal those of `own_states`."""
    first, second, other = appearances
    for appearance in (first, second):
        figures_show(actor=fan, appearance_id=appearance.pk)
    session = other.session

    def check(case):
        way, begins = case
        act, is_covered = WAYS[way]
        with transaction.atomic():
            act(fan, other)
            is_ahead = begins == "ahead"
            type(session).objects.filter(pk=session.pk).update(
                is_live=begins not in {"began", "ahead"}, **({"starts_at": "2100-01-01T10:00:00Z"} if is_ahead else {})
            )
            if begins == "performing":
                type(other).objects.filter(pk=other.pk).update(is_performing=True)
            if begins == "came":
                PerformingTime.objects.create(appearance=other, began_at=EVENING)
            state = own_states(user_id=fan.id, stage_id=session.stage_id)[other.pk]
            ranks = ranks_covered(user_id=fan.id, participant_id=first.participant_id)
            transaction.set_rollback(True)
        assert state.is_covered is is_covered
        assert ranks == ({first.pk} if is_covered and state.state != PerformanceState.TO_COME else set())

    check_each(product(WAYS, ("began", "live", "performing", "came", "ahead")), check)
