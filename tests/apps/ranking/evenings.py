"""Random evenings of a stage with their audience, and the reasons that the published rules give for each mark."""

import datetime as dt
from functools import partial

from django.db.models.functions import Now
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.competition.models import Appearance, ProgramEntry
from apps.ranking.enums import NotCounted
from apps.ranking.models import RankingDecision
from apps.ratings.models import PieceRating
from tests.apps.ranking.halls import listeners, stage_of
from tests.factories import ProgramEntryFactory

PERFORMANCES, PIECES, PEOPLE, CROWD = 7, 4, 8, 33
EVENING = dt.timedelta(minutes=30)  # after the session's start
DAYS_LATER = dt.timedelta(days=3)

piece = st.none() | st.tuples(st.integers(1, 25), st.sampled_from([True, True, True, False]))  # mark, approved
rated = st.lists(piece, min_size=PIECES, max_size=PIECES)
whole = st.integers(1, 25).map(lambda mark: [(mark, True)] * PIECES)
alike = st.just([(17, True)] * PIECES)
unmarked = st.just([None] * PIECES)


def _all(performance):
    return st.lists(performance, min_size=PERFORMANCES, max_size=PERFORMANCES)


person = st.fixed_dictionaries(
    {
        "hours": st.sampled_from([None, None, None, 1, 23, 25]),  # age, None for years
        "is_left_out": st.sampled_from([None, None, None, False, True]),
        "marks": _all(whole | rated | unmarked) | _all(alike | unmarked),
    }
)
crowd = st.fixed_dictionaries(
    {
        "count": st.sampled_from([0, 30, 31, CROWD]),
        "mark": st.sampled_from([1, 5, 6, 20, 21, 25]),
        "minutes": st.sampled_from([5, 10, 20]),
        "others": st.integers(1, PERFORMANCES - 1),
        "released": st.integers(0, 2),
    }
)
CHANGES = (
    *("approve", "change", "give", "reject", "grow_up", "let_out", "leave_out", "decision_take", "lengthen"),
    *("close_account", "repeat", "count"),
)
events = st.lists(
    st.tuples(st.sampled_from(CHANGES), st.integers(0, PEOPLE), st.integers(0, PERFORMANCES - 1)), max_size=5
)
evenings = st.fixed_dictionaries(
    {
        "programs": st.lists(st.integers(1, PIECES), min_size=PERFORMANCES, max_size=PERFORMANCES),
        "repeated": st.lists(
            st.sampled_from([False, False, False, True]), min_size=PERFORMANCES, max_size=PERFORMANCES
        ),
        "people": st.lists(person, min_size=PEOPLE, max_size=PEOPLE),
        "crowd": crowd,
        "is_closed": st.booleans(),
        "before_closing": events,
        "after_closing": events,
    }
)


class Audience:
    """A stage of seven performances, and the accounts of its audience."""

    def __init__(self):
        self.appearances = stage_of(PERFORMANCES, pieces=PIECES)
        self.stage_id = self.appearances[0].session.stage_id
        self.start = self.appearances[0].session.starts_at
        self.pieces = [[entry.piece for entry in each.program.order_by("order_number")] for each in self.appearances]
        self.people = listeners(PEOPLE + CROWD)
        self.changes = 0

    def fill(self, evening):
        """Store this evening."""
        self.changes = 0
        for appearance, length in zip(self.appearances, evening["programs"], strict=True):
            ProgramEntry.objects.filter(appearance=appearance, order_number__gt=length).delete()
        for appearance, is_repeated in zip(self.appearances, evening["repeated"], strict=True):
            Appearance.objects.filter(pk=appearance.pk).update(is_repeated=is_repeated)
        PieceRating.objects.bulk_create([*self.come(evening["people"]), *self.crowd_in(evening["crowd"])])

    def come(self, people):
        """Store the accounts of these people and yield their marks."""
        for user, of_person in zip(self.people, people, strict=False):
            if of_person["hours"] is not None:
                self.be_of_age(user, of_person["hours"])
            if of_person["is_left_out"] is not None:
                self.decide(user, is_left_out=of_person["is_left_out"])
            for at, marks in enumerate(of_person["marks"]):
                yield from self.marks(user, at, marks, self.start + EVENING)

    def crowd_in(self, group):
        """Yield the marks of a crowd: one for the first performance days later, others on the evening."""
        span = dt.timedelta(minutes=group["minutes"])
        for number, user in enumerate(self.people[PEOPLE : PEOPLE + group["count"]]):
            moment = self.start + DAYS_LATER + number * span / (group["count"] - 1)
            yield from self.marks(user, 0, [(group["mark"], True)] * PIECES, moment)
            for at in range(1, group["others"] + 1):
                yield from self.marks(user, at, [(7 + (at + number) % 13, True)] * PIECES, self.start + EVENING)
            if number < group["released"]:
                self.decide(user, is_left_out=bool(number))

    def marks(self, user, at, given, moment):
        """Return the marks for the pieces of a performance's program."""
        appearance = self.appearances[at]
        rated = zip(self.pieces[at][: appearance.program.count()], given, strict=False)
        of_rating = partial(PieceRating, user=user, appearance=appearance, updated_at=moment)
        return [of_rating(piece=each, score=mark[0], approved=mark[1]) for each, mark in rated if mark is not None]

    def be_of_age(self, user, hours):
        User.objects.filter(pk=user.pk).update(created_at=dt.datetime.now(dt.UTC) - dt.timedelta(hours=hours))

    def decide(self, user, *, is_left_out):
        decision = {"is_left_out": is_left_out, "reason": "I know them."}
        RankingDecision.objects.update_or_create(user=user, stage_id=self.stage_id, defaults=decision)

    def happen(self, what, person_at, at):
        """Make one change: of a person's marks of a performance, of the account, or of the program."""
        self.changes += 1
        user = self.people[person_at]
        getattr(self, what)(user, at, PieceRating.objects.filter(user=user, appearance=self.appearances[at]))

    def approve(self, _user, _at, rating):
        rating.update(approved=True)

    def change(self, _user, _at, rating):
        rating.update(score=self.changes, approved=bool(self.changes % 2), updated_at=Now())

    def give(self, user, at, rating):
        if not rating.exists():
            PieceRating.objects.bulk_create(self.marks(user, at, [(13, True)] * PIECES, self.start))
            rating.update(updated_at=Now())

    def reject(self, _user, _at, rating):
        rating.delete()

    def grow_up(self, user, _at, _rating):
        self.be_of_age(user, 25)

    def let_out(self, user, _at, _rating):
        self.decide(user, is_left_out=False)

    def leave_out(self, user, _at, _rating):
        self.decide(user, is_left_out=True)

    def decision_take(self, user, _at, _rating):
        RankingDecision.objects.filter(user=user).delete()

    def lengthen(self, _user, at, _rating):
        played = self.appearances[at].program.count()
        if played < PIECES:
            ProgramEntryFactory(appearance=self.appearances[at], piece=self.pieces[at][played])

    def repeat(self, _user, at, _rating):
        Appearance.objects.filter(pk=self.appearances[at].pk).update(is_repeated=True)

    def count(self, _user, at, _rating):
        Appearance.objects.filter(pk=self.appearances[at].pk).update(is_repeated=False)

    def close_account(self, user, _at, _rating):
        User.objects.filter(pk=user.pk).update(is_active=False)


def reasons_by_rules(audience):
    """Return the first reason that the published rules give for each pair, None for a mark that counts."""
    given, ready, reasons, again = given_of_program(audience), {}, {}, repeated_of(audience)
    for pair, (pieces, rows) in given.items():  # `ready`: marks of half of the program and more
        approved = [score for score, is_approved in rows if is_approved]
        if pair[1] in again:
            reasons[pair] = NotCounted.REPEATED
        elif len(approved) >= pieces / 2:
            ready[pair] = sum(approved) / len(approved)
        else:
            reasons[pair] = NotCounted.WAITING if len(rows) >= pieces / 2 else NotCounted.PARTIAL
    decided = dict(RankingDecision.objects.values_list("user_id", "is_left_out"))
    for user in User.objects.filter(pk__in={user_id for user_id, _ in ready}):
        marks = {appearance_id: mark for (pk, appearance_id), mark in ready.items() if pk == user.pk}
        reason = reason_of_account(user, decided.get(user.pk), len(marks))
        reasons |= {(user.pk, appearance_id): reason for appearance_id in marks}
    return reasons


def reason_of_account(user, is_left_out, count):
    """Return the reason that holds for all marks of an account, None without one."""
    if is_left_out:
        return NotCounted.LEFT_OUT
    if is_left_out is None and dt.datetime.now(dt.UTC) - user.created_at < dt.timedelta(hours=24):
        return NotCounted.NEW
    return NotCounted.FEW if count < 3 else None


def repeated_of(audience):
    """Return the ids of the repeated performances."""
    repeated = Appearance.objects.filter(pk__in=[each.pk for each in audience.appearances], is_repeated=True)
    return set(repeated.values_list("pk", flat=True))


def given_of_program(audience):
    """Return the length of the program and the marks for its pieces, of open accounts, by account and performance."""
    programs = {each.pk: set(each.program.values_list("piece_id", flat=True)) for each in audience.appearances}
    rows = PieceRating.objects.filter(appearance__in=programs, user__is_active=True)
    given = {}
    for user_id, appearance_id, piece_id, *row in rows.values_list(
        *("user_id", "appearance_id", "piece_id", "score", "approved")
    ):
        if piece_id in programs[appearance_id]:
            given.setdefault((user_id, appearance_id), (len(programs[appearance_id]), []))[1].append(row)
    return given
