"""Test calls that are taken back: two administrators against an oracle, marks that stay, and the race with a submit."""

import os
from datetime import timedelta
from functools import partial

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from apps.competition.models import Appearance, PerformingTime
from apps.competition.selectors.admin.live import LiveState, live_control_get
from apps.competition.services.live import (
    SINCE_CHANGED,
    TAKEN_BACK,
    call_take_back,
    interval_take_back,
    live_restore,
    live_undo_read,
    performer_clear,
    performer_next,
    performer_set,
    session_end,
)
from apps.core.audit import audit_list
from apps.core.edits import ConfirmationNeeded
from apps.core.moderation import Seen
from apps.ratings.enums import RatingKind
from apps.ratings.models import PerformanceRating, PieceRating, RatingSubmission
from apps.ratings.selectors.own import OwnRatings, ratings_own
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.rating_moderation import decision_undo, ratings_decide
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import NOT_BEGUN, ratings_submit
from tests.apps.conftest import run_together
from tests.clock import clock_set
from tests.factories import AdminFactory, ProgramEntryFactory, SessionFactory, UserFactory, viewer_of

PERFORMERS = st.integers(0, 3)
FANS = ADMINS = st.integers(0, 1)


class Hall:
    """A live session of four performers with a piece each, two administrators, and two fans."""

    def __init__(self):
        session = SessionFactory(is_live=True)
        self.session_id = session.pk
        entries = [
            ProgramEntryFactory(appearance__session=session, appearance__order_number=number) for number in (1, 2, 3, 4)
        ]
        self.ids = [entry.appearance_id for entry in entries]
        self.pieces = [entry.piece_id for entry in entries]
        self.admins = [viewer_of(AdminFactory()) for _ in range(2)]
        self.fans = [viewer_of(UserFactory()) for _ in range(2)]

    def perform(self, who, **more):
        return performer_set(actor=self.admins[0], appearance_id=self.ids[who], **more)

    def stay(self, who):
        """Return the id of the performer's last time on stage, 0 without one."""
        rows = {each.id: each.stay_id for each in live_control_get().appearances}
        return rows[self.ids[who]] or 0

    def take_back(self, who, stay=None, admin=0, **more):
        call = {"appearance_id": self.ids[who], "stay_id": self.stay(who) if stay is None else stay}
        return call_take_back(actor=self.admins[admin], **call, **more)

    def keep(self, fan, who, mark):
        strikes = Strikes({self.pieces[who]: (mark, 0.0)})
        rating_keep(actor=self.fans[fan], appearance_id=self.ids[who], strikes=strikes)

    def submit(self, fan, who, mark, comment="Dry."):
        marks = {"pieces": {self.pieces[who]: mark}, "score": 4, "comment": comment}
        ratings_submit(actor=self.fans[fan], appearance_id=self.ids[who], **marks)

    def own(self, fan, who):
        found = ratings_own(user_id=self.fans[fan].id, appearance_ids=self.ids)
        return found.get(self.ids[who], OwnRatings())

    def on_stage(self):
        found = Appearance.objects.filter(is_performing=True).values_list("pk", flat=True)
        return [self.ids.index(pk) for pk in found]


class TwoAdministrators(RuleBasedStateMachine):
    """The oracle keeps the times on stage as a list, the newest last; each one knows which one left for it."""

    @initialize()
    def begin(self):
        """Begin in a transaction that is rolled back."""
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.hall = Hall()
        self.times = []  # [performer, id, the time that ended for it or None]
        self.is_open = False
        self.marks, self.submitted = {}, set()
        self.seen = [{}, {}]  # what each administrator's screen shows

    def teardown(self):
        """Forget everything."""
        if hasattr(self, "atomic"):
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    def _performer(self):
        return self.times[-1][0] if self.is_open else None

    def _following(self):
        return self.times[-1][0] + 1 if self.times else 0

    def _enter(self, who):
        if self._performer() != who:
            left = self.times[-1] if self.is_open else None
            self.times.append([who, self.hall.stay(who), left])
            self.is_open = True

    @rule(admin=ADMINS)
    def look(self, admin):
        """Let an administrator's screen follow; without this it shows what was."""
        self.seen[admin] = {who: self.hall.stay(who) for who in range(4)} | {"performer": self._performer()}

    @rule(who=PERFORMERS, is_confirmed=st.booleans())
    def call(self, who, is_confirmed):
        """Call a performer from the list."""
        is_asked = self._performer() not in {None, who} and who != self._following()
        if is_asked and not is_confirmed:
            with pytest.raises(ConfirmationNeeded):
                self.hall.perform(who, confirmed=False)
        else:
            self.hall.perform(who, confirmed=is_confirmed)
            self._enter(who)

    @rule(admin=ADMINS)
    def next(self, admin):
        """Press Next on a screen that may be old."""
        shown, who = self.seen[admin].get("performer"), self._following()
        after = None if shown is None else self.hall.ids[shown]
        press = partial(performer_next, actor=self.hall.admins[admin], session_id=self.hall.session_id, after=after)
        if shown != self._performer() or who > 3:
            with pytest.raises(ValidationError):
                press()
        else:
            press()
            self._enter(who)

    @rule()
    def interval(self):
        """Begin an interval."""
        performer_clear(actor=self.hall.admins[0], session_id=self.hall.session_id)
        self.is_open = False

    @rule(admin=ADMINS, who=PERFORMERS)
    def interval_back(self, admin, who):
        """Take an interval back, as a screen shows it."""
        stay = self.seen[admin].get(who, 0)
        press = partial(
            interval_take_back, actor=self.hall.admins[admin], session_id=self.hall.session_id, stay_id=stay
        )
        if self.is_open or not self.times or self.times[-1][1] != stay:
            with pytest.raises(ValidationError, match=SINCE_CHANGED):
                press()
        else:
            press()
            self.is_open = True

    @rule(admin=ADMINS, who=PERFORMERS, is_confirmed=st.booleans())
    def call_back(self, admin, who, is_confirmed):
        """Take a call back, as a screen shows it."""
        stay = self.seen[admin].get(who, 0)
        press = partial(self.hall.take_back, who, stay, admin, confirmed=is_confirmed)
        own = [each for each in self.times if each[0] == who]
        if not own or own[-1][1] != stay:
            with pytest.raises(ValidationError, match=SINCE_CHANGED):
                press()
        elif len(own) == 1 and not is_confirmed and any((fan, who) in self.submitted for fan in (0, 1)):
            with pytest.raises(ConfirmationNeeded):
                press()
        else:
            press()
            if self.is_open and self.times[-1] is own[-1]:
                self.is_open = len(self.times) > 1 and self.times[-2] is own[-1][2]
            self.times.remove(own[-1])
            if len(own) == 1:
                self.submitted -= {(0, who), (1, who)}

    @rule(fan=FANS, who=PERFORMERS, mark=st.integers(1, 25), is_sent=st.booleans())
    def rate(self, fan, who, mark, is_sent):
        """Keep a mark, or submit it."""
        give = self.hall.submit if is_sent else self.hall.keep
        if not any(each[0] == who for each in self.times):
            with pytest.raises(ValidationError, match=NOT_BEGUN):
                give(fan, who, mark)
        else:
            give(fan, who, mark)
            self.marks[fan, who] = mark
            self.submitted |= {(fan, who)} if is_sent else set()

    @invariant()
    def stage_is_that_of_the_oracle(self):
        """Compare the stage, the times and all marks with the oracle's; no mark is ever lost."""
        if not hasattr(self, "times"):
            return
        performer = self._performer()
        assert self.hall.on_stage() == ([] if performer is None else [performer])
        rows = PerformingTime.objects.order_by("pk").values_list("appearance_id", "pk", "ended_at")
        assert [(pk, stay) for pk, stay, _ in rows] == [(self.hall.ids[who], stay) for who, stay, _ in self.times]
        open_ones = [stay for _, stay, ended_at in rows if ended_at is None]
        assert open_ones == ([self.times[-1][1]] if self.is_open else [])
        for fan in (0, 1):
            for who in range(4):
                own = self.hall.own(fan, who)
                expected = {self.hall.pieces[who]: self.marks[fan, who]} if (fan, who) in self.marks else {}
                assert (own.marks, own.is_submitted) == (expected, (fan, who) in self.submitted)
        counts = {self.hall.ids[who]: [at for _, at in self.submitted].count(who) for _, who in self.submitted}
        assert live_control_get().rated == counts


@pytest.mark.django_db
def test_two_administrators_agree_with_the_oracle():
    examples = int(os.environ.get("EXAMPLES", "8"))
    few = settings(max_examples=examples, stateful_step_count=25, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(TwoAdministrators, settings=few)


@pytest.fixture
def hall(db):
    return Hall()


def times():
    rows = PerformingTime.objects.order_by("pk").values_list("appearance_id", "began_at", "ended_at")
    return list(rows)


def test_call_taken_back_leaves_the_performer_before_as_if_never_interrupted(hall):
    hall.perform(0)
    before = times()
    hall.perform(2)
    step = hall.take_back(2)
    assert (times(), hall.on_stage()) == (before, [0])
    assert (step.undo, step.sentence) == ("", TAKEN_BACK)
    (entry,) = audit_list(limit=1)
    name = Appearance.objects.get(pk=hall.ids[0]).participant.name
    assert (entry.action, entry.details["on_stage"]) == ("performer.take_back", name)
    hall.perform(1)
    assert [pk for pk, *_ in times()] == hall.ids[:2]


def test_another_call_undoes_a_call_that_was_taken_back(hall):
    hall.perform(0)
    hall.perform(2)
    hall.submit(0, 2, 23)
    before = [pk for pk, *_ in times()]
    assert hall.take_back(2, confirmed=True).sentence.endswith("To undo this, call the performer again.")
    hall.perform(2, confirmed=True)
    assert ([pk for pk, *_ in times()], hall.on_stage()) == (before, [2])
    hall.submit(0, 2, 23)
    assert hall.own(0, 2).is_submitted


def test_clock_that_was_set_back_does_not_hide_who_left(hall):
    hall.perform(0)
    clock_set(timedelta(minutes=-3))
    hall.perform(2)
    hall.take_back(2)
    assert hall.on_stage() == [0]


def test_older_undo_is_refused_after_a_call_was_taken_back(hall):
    hall.perform(0)
    older = hall.perform(2).undo
    hall.take_back(2)
    with pytest.raises(ValidationError, match=SINCE_CHANGED):
        live_restore(actor=hall.admins[1], **live_undo_read(older))
    with pytest.raises(ValidationError, match=SINCE_CHANGED):
        hall.take_back(2, stay=10**9)
    with pytest.raises(PermissionDenied):
        call_take_back(actor=hall.fans[0], appearance_id=hall.ids[0], stay_id=hall.stay(0))
    with pytest.raises(PermissionDenied):
        interval_take_back(actor=hall.fans[0], session_id=hall.session_id, stay_id=1)
    stay = hall.stay(0)
    session_end(actor=hall.admins[0], session_id=hall.session_id)
    with pytest.raises(ValidationError, match=SINCE_CHANGED):
        call_take_back(actor=hall.admins[0], appearance_id=hall.ids[0], stay_id=stay)
    assert live_control_get().state == LiveState()


def seen_of(hall, fan):
    """Return the marks of a fan, as a moderator sees them."""
    tables = {RatingKind.PIECE: PieceRating, RatingKind.PERFORMANCE: PerformanceRating}
    return [Seen(kind, table.objects.get(user_id=hall.fans[fan].id).pk) for kind, table in tables.items()]


def test_submitted_ratings_become_kept_marks_after_a_question(hall):
    hall.perform(2)
    hall.submit(0, 2, 21, comment="Like weather.")
    hall.submit(1, 2, 7)
    hall.keep(1, 2, 9)  # changed since
    ratings_decide(actor=hall.admins[0], decision="approve", seen=seen_of(hall, 0))
    rejected = ratings_decide(actor=hall.admins[0], decision="reject", seen=seen_of(hall, 1))
    with pytest.raises(ConfirmationNeeded) as asked:
        hall.take_back(2, confirmed=False)
    assert asked.value.messages[0].startswith("1 rating of ")
    assert "the marks stay with their members" in asked.value.messages[1]
    hall.take_back(2)
    assert not RatingSubmission.objects.exists()
    first, second = hall.own(0, 2), hall.own(1, 2)
    assert (list(first.marks.values()), first.score, first.comment) == ([21], 4, "Like weather.")
    assert (first.is_submitted, first.is_rejected) == (False, False)
    assert list(second.marks.values()) == [9]
    decision_undo(actor=hall.admins[0], decision_id=rejected.id)  # it brings no rating back
    assert not PieceRating.objects.exists()
    hall.perform(2)
    hall.submit(0, 2, 20)
    assert hall.own(0, 2).is_submitted


@pytest.mark.django_db(transaction=True)
def test_rating_that_is_submitted_meanwhile_is_kept_or_refused():
    hall = Hall()
    for _ in range(4):
        hall.perform(0)
        sent, back = run_together(partial(hall.submit, 0, 0, 20), partial(hall.take_back, 0, hall.stay(0)))
        assert sent is None or isinstance(sent, ValidationError)
        assert not isinstance(back, Exception)
        assert not RatingSubmission.objects.exists()
        assert hall.own(0, 0).marks == ({hall.pieces[0]: 20} if sent is None else hall.own(0, 0).marks)
