"""State machine: members, an audience and moderators act; covered figures reach no window, page, poll or download.

Which figures are covered follows from the events alone (`tests/project/own_marks.py`).
"""

import asyncio
import json
import os
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from apps.accounts.actors import OPERATOR
from apps.accounts.services.accounts import account_export
from apps.core.events import publish
from apps.core.threads import in_thread
from apps.ranking.services import ranking_compute
from apps.ratings.enums import RatingKind
from apps.ratings.events import DraftChanged
from apps.ratings.models import PerformanceRating, PieceRating
from apps.ratings.services.moderation import mark_approve, mark_reject, rating_delete
from apps.ratings.services.removal import account_ratings_delete
from apps.ratings.services.submission import ratings_submit
from project.process.web_process import process
from tests.commanding import command
from tests.factories import UserFactory, viewer_of
from tests.project.covering import Recorded
from tests.project.moves import until
from tests.project.own_marks import Member, Own
from tests.project.planted import (
    OWN_MARKS,
    Competition,
    Planted,
    Played,
    aged,
    competition,
    described,
    found_in,
    mean,
    paths,
    planted,
    viewed,
)
from tests.serving import serving, session_cookie

pytestmark = pytest.mark.django_db(transaction=True)

EVENINGS = int(os.environ.get("EVENINGS", "1"))  # `make soak` tries more
STEPS = 25
MEMBERS = 3  # the last one sees everything
ANONYMOUS = MEMBERS
WINDOWS = 5
MEMBER, PERFORMANCE = st.integers(0, MEMBERS - 1), st.integers(0, 6)
WINDOW, PLACE = st.integers(0, WINDOWS - 1), st.integers(0, 99)
MARKS = st.tuples(*[st.sampled_from(OWN_MARKS)] * 2)


class CoveredSite(RuleBasedStateMachine):
    """One web process, its members and their windows."""

    there: Competition

    def __init__(self) -> None:
        super().__init__()
        self.viewers = [viewer_of(aged(UserFactory())) for _ in range(MEMBERS)]
        rows = [played.row.pk for played in self.there.performances]
        self.members = [Member({pk: Own() for pk in rows}) for _ in self.viewers]
        self.cookies = [*map(session_cookie, self.viewers), ""]
        self.outsider = self.there.raters[0].pk
        self.figures = planted()
        self.before = self.figures
        self.windows: list[tuple[int, Recorded]] = []
        self.comments = 0
        self.runner = asyncio.Runner()
        self.process = serving()
        self.run(self.process.__aenter__())
        self.described = self.run(described())

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    def paths(self) -> list[str]:
        return paths(self.there)

    def path(self, number: int, who: int) -> str:
        paths = [path for path in self.paths() if who != ANONYMOUS or not path.startswith("/profile")]
        return paths[number % len(paths)]

    @initialize()
    def arrive(self) -> None:
        """The last member sees everything from the start; the windows open."""
        for number in range(WINDOWS):
            who = (0, 0, 1, 2, ANONYMOUS)[number]
            screen = Recorded(self.cookies[who])
            self.windows.append((who, screen))
            self.run(screen.load(self.path(number, who)))
        self.decide(MEMBERS - 1, ears_first=False)

    # --- members

    @rule(who=MEMBER, which=PERFORMANCE, marks=MARKS, pieces=st.sets(st.integers(0, 1), min_size=1))
    def keep(self, who: int, which: int, marks: tuple[int, int], pieces: set[int]) -> None:
        played = self.there.performances[which]
        self.strike(who, played, {played.pieces[place]: marks[place] for place in pieces})

    @rule(who=MEMBER, which=PERFORMANCE, marks=MARKS, score=st.integers(4, 5), sends=st.booleans())
    def complete(self, who: int, which: int, marks: tuple[int, int], score: int, *, sends: bool) -> None:
        played = self.there.performances[which]
        self.comments += 1
        self.strike(who, played, dict(zip(played.pieces, marks, strict=True)), score, f"Heard it, {self.comments}.")
        if sends:
            self.submit(who, which)

    def strike(self, who: int, played: Played, struck: dict[int, int], score: int = 0, comment: str = "") -> None:
        fields = {f"piece-{pk}": str(mark) for pk, mark in struck.items()}
        more = {"score": str(score), "comment": comment} if score else {}
        answer = self.send(who, "rating_keep", played.row.pk, **fields, **more)
        assert answer["ok"] is played.has_begun
        if played.has_begun:
            self.members[who].own[played.row.pk].keep(struck)
        self.settle()

    @rule(who=MEMBER, which=PERFORMANCE)
    def submit(self, who: int, which: int) -> None:
        played = self.there.performances[which]
        own = self.members[who].own[played.row.pk]
        if not own.marks:
            return
        self.comments += 1
        ratings_submit(
            actor=self.viewers[who], appearance_id=played.row.pk, pieces=own.marks, score=5,
            comment=f"So it was, {self.comments}.",
        )  # fmt: skip
        own.submit()
        self.settle()

    @rule(who=MEMBER, which=PERFORMANCE)
    def delete(self, who: int, which: int) -> None:
        played = self.there.performances[which]
        own = self.members[who].own[played.row.pk]
        if own.is_submitted:
            viewer = self.viewers[who]
            rating_delete(actor=viewer, appearance_id=played.row.pk, user_id=viewer.id or 0)
            own.delete()
            self.settle()

    @rule(who=MEMBER, which=PERFORMANCE)
    def show(self, who: int, which: int) -> None:
        played = self.there.performances[which]
        assert self.send(who, "figures_show", played.row.pk)["ok"]
        self.members[who].own[played.row.pk].is_shown = True
        self.settle()

    @rule(who=MEMBER, stage=st.integers(0, 1), is_meant=st.integers(0, 3))
    def show_stage(self, who: int, stage: int, is_meant: int) -> None:
        if is_meant == 0:  # rare, because little is covered afterwards
            assert self.send(who, "stage_figures_show", self.there.sessions[stage].stage_id)["ok"]
            self.members[who].shown_stages.add(stage)
            self.settle()

    @rule(who=MEMBER, is_meant=st.integers(0, 3))
    def change_the_choice(self, who: int, is_meant: int) -> None:
        if is_meant == 0:
            self.decide(who, ears_first=not self.members[who].ears_first)

    def decide(self, who: int, *, ears_first: bool) -> None:
        assert self.send(who, "ears_first_set", "on" if ears_first else "off")["ok"]
        self.members[who].choose(ears_first, self.there.begun())
        self.settle()

    def send(self, who: int, name: str, argument: Any, /, **fields: str) -> Any:
        """Send a command over a window of this member, or over a new one."""
        return self.run(self._send(who, name, argument, fields))

    async def _send(self, who: int, name: str, argument: Any, fields: dict[str, str]) -> Any:
        for owner, screen in self.windows:
            if owner == who:
                return await command(screen, name, argument, **fields)
        screen = Recorded(self.cookies[who])
        await screen.load("/")
        try:
            return await command(screen, name, argument, **fields)
        finally:
            await screen.leave()

    # --- audience and moderators

    @rule(who=MEMBER, which=PERFORMANCE, approves=st.booleans())
    def moderate(self, who: int, which: int, *, approves: bool) -> None:
        played = self.there.performances[which]
        own = self.members[who].own[played.row.pk]
        for kind, table in ((RatingKind.PIECE, PieceRating), (RatingKind.PERFORMANCE, PerformanceRating)):
            waiting = table.objects.filter(user=self.viewers[who].id, appearance=played.row, approved=False)
            for pk in list(waiting.values_list("pk", flat=True)):
                (mark_approve if approves else mark_reject)(actor=OPERATOR, kind=kind, mark_id=pk)
        if own.is_submitted:
            own.is_submitted = approves
            self.settle()

    @rule(which=PERFORMANCE, seed=st.integers(0, 9_999), most=st.integers(1, 11))
    def audience_rates(self, which: int, seed: int, most: int) -> None:
        played = self.there.performances[which]
        if played.has_begun:
            self.there.rate(played, seed, self.there.raters[:most])
            self.settle()

    @rule(stage=st.integers(0, 1))
    def rank(self, stage: int) -> None:
        ranking_compute(stage_id=self.there.sessions[stage].stage_id)
        self.settle()

    @rule()
    def perform(self) -> None:
        coming = [played for played in self.there.performances if not played.has_begun]
        if coming:
            self.there.begin(coming[0])
            self.settle()

    # --- windows

    @rule(window=WINDOW, place=PLACE)
    def navigate(self, window: int, place: int) -> None:
        who, screen = self.windows[window]
        self.run(screen.go(self.path(place, who)))
        self.settle()

    @rule(window=WINDOW)
    def reconnect(self, window: int) -> None:
        self.run(self.windows[window][1].go_online())
        self.settle()

    @rule(window=WINDOW, who=st.integers(0, MEMBERS), place=PLACE)
    def sign_in_or_out(self, window: int, who: int, place: int) -> None:
        former, screen = self.windows[window]
        self.check(former, screen.received(), screen.path)
        screen.cookie = self.cookies[who]
        self.windows[window] = who, screen
        screen.parts = {}
        self.run(screen.load(self.path(place, who)))
        self.settle()

    @rule(who=st.integers(0, MEMBERS), place=PLACE, polls=st.booleans())
    def view_or_poll(self, who: int, place: int, *, polls: bool) -> None:
        path = self.path(place, who)
        address = f"{path}{'&' if '?' in path else '?'}parts=1&half=&versions=" if polls else path
        self.check(who, self.run(viewed(address, self.cookies[who])), path)

    # --- invariants

    def settle(self) -> None:
        """Wait for all windows, and check what they have received."""
        self.before, self.figures = self.figures, planted()
        self.run(self._settle())
        for who, screen in self.windows:
            held = json.dumps([screen.model, screen.parts])
            self.check(who, screen.received() + held, screen.path)

    async def _settle(self) -> None:
        notified = asyncio.Event()
        leave = process.bus.subscribe(f"account.{self.outsider}.ratings", notified.set)
        await in_thread(self.announce)  # the last change that the bus announces
        await notified.wait()
        leave()
        await until(lambda: not any(live.refresh for live in process.parts.live.values()))

    @transaction.atomic
    def announce(self) -> None:
        publish(DraftChanged(self.outsider))

    def check(self, who: int, received: str, path: str) -> None:
        """Assert that a viewer has received no covered figure."""
        if who == ANONYMOUS:
            return
        covered, others = self.texts(who)
        for pk, texts in covered.items():
            leaked = found_in(received, texts - others)
            assert not leaked, f"{path} has figures of {pk} for {who}: {leaked}"

    def texts(self, who: int) -> tuple[dict[int, set[str]], set[str]]:
        """Return the texts of covered figures by performance, and those of all others."""
        covered: dict[int, set[str]] = {}
        others = self.described | {"24.0", "24.5", "25.0", "24 of 25", "25 of 25"}
        for played in self.there.performances:
            pk = played.row.pk
            both = self.before.get(pk, Planted()) | self.figures.get(pk, Planted())
            covered[pk], more = self.members[who].texts(played, both)
            others |= more
        return covered, others | self.together(who)

    def together(self, who: int) -> set[str]:
        """Return the means over all performances of a participant that a viewer sees, as on participants' pages."""
        by_participant: dict[int, list[int]] = {}
        for played in self.there.performances:
            if not self.members[who].covers(played):
                by_participant.setdefault(played.row.participant_id, []).append(played.row.pk)
        return {
            str(mean(mark for pk in seen for mark in figures.get(pk, Planted()).marks))
            for figures in (self.before, self.figures)
            for seen in by_participant.values()
        }

    def teardown(self) -> None:
        try:
            for who, viewer in enumerate(self.viewers):
                for path in self.paths():
                    self.check(who, self.run(viewed(path, self.cookies[who])), path)
                self.check(who, json.dumps(account_export(actor=viewer), default=str), "download")
            for played in self.there.begun():
                self.find(played)
        finally:
            for _, screen in self.windows:
                self.run(screen.leave())
            self.run(self.process.__aexit__(None, None, None))
            self.runner.close()
            for viewer in self.viewers:
                account_ratings_delete(viewer.id or 0)

    def find(self, played: Played) -> None:
        """Find the figures of a performance on its session's page of each viewer who sees them."""
        pieces = PieceRating.objects.filter(appearance=played.row, approved=True)
        if not pieces.exists():
            return
        address = f"/sessions/{played.row.session_id}"
        for who in range(MEMBERS + 1):
            if who == ANONYMOUS or not self.members[who].covers(played):
                texts = self.figures[played.row.pk].whole
                assert found_in(self.run(viewed(address, self.cookies[who])), texts), (
                    f"{who} does not see {texts} at {address}"
                )


@pytest.mark.limit(240, reason="each example renders all pages for each member")
def test_covered_figures_reach_no_member() -> None:
    CoveredSite.there = there = competition()
    for played in there.begun():
        there.rate(played, played.place)
    checks = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        CoveredSite,
        settings=settings(
            max_examples=EVENINGS,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=checks,
            phases=[Phase.reuse, Phase.generate],  # without shrinking, which takes minutes
        ),
    )
