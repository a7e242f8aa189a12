"""The session page: rows open for each viewer alone, rating beside the video, and blind rating."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.advancements import advancements_publish
from apps.competition.services.live import performer_clear, performer_set
from apps.competition.services.sessions import appearance_add
from apps.core.threads import in_thread
from apps.ratings.enums import RatingKind
from apps.ratings.models import PieceRating
from apps.ratings.services.moderation import mark_approve
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.pages.checked_commands import be_refused
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import (
    AppearanceFactory,
    ParticipantFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    StageFactory,
    UserFactory,
    viewer_of,
)
from tests.screen import open_page


def perform(appearance):
    performer_set(actor=OPERATOR, appearance_id=appearance.pk)


def live_session():
    """Return a live session with three appearances; the second is performing, the first has not played."""
    session = busy_session_with(3)
    perform(session.appearances[1])
    session.address = f"/sessions/{session.session.pk}"
    session.fan = viewer_of(UserFactory())
    return session


def rows_open(screen):
    return [attributes(row)["aria-expanded"] == "true" for row in every(screen.tree, "a", "order__row")]


def forms(screen):
    return [int(attributes(form)["data-argument"]) for form in every(screen.tree, "form", "rating")]


def now(screen):
    row = one(screen.tree, "li", "is-now")
    return text(one(row, look="person__name"))


async def test_change_of_performer_keeps_open_rows():
    session = await in_thread(live_session)
    _, second, third = session.appearances
    async with open_page(session.address, user=session.fan) as fan, open_page(session.address) as anonymous:
        for screen in (fan, anonymous):
            assert (rows_open(screen), forms(screen)) == ([False, True, False], [second.pk])
        await in_thread(lambda: perform(third))
        for screen in (fan, anonymous):
            await screen._until(
                lambda screen=screen: now(screen) == "Tomás Villaseñor Ibáñez", "the marker did not move"
            )
            await screen.until("Now: Tomás Villaseñor Ibáñez")
            assert (rows_open(screen), forms(screen)) == ([False, True, False], [second.pk])
        async with open_page(session.address) as later:
            assert forms(later) == [third.pk]


def folded(screen):
    """Return the line of the folded rows, and the row below them."""
    line = one(screen.tree, "details", "order__before")
    first = [attributes(row)["id"] for row in every(screen.tree, "li") if attributes(row).get("data-own") == "first"]
    return None if attributes(line)["hidden"] else (text(line), first)


async def test_rows_before_the_performer_at_the_load_are_one_line():
    session = await in_thread(live_session)
    first, second, third = session.appearances
    async with open_page(session.address) as early:
        assert folded(early) is None, "a single row is not longer than the line"
        await in_thread(lambda: perform(third))
        await early.until("Now: Tomás Villaseñor Ibáñez")
        assert folded(early) is None
    async with open_page(session.address, user=session.fan) as fan, open_page(session.address) as anonymous:
        for screen in (fan, anonymous):
            assert folded(screen) == ("2 earlier performers", [f"appearance-{third.pk}"])
            to = [attributes(way)["href"] for way in every(screen.tree, "a", "skip") if text(way) == "To the keys"]
            assert to == [f"{session.address}?open={third.pk}#keys-{third.pk}"]
        await in_thread(lambda: perform(second))
        for screen in (fan, anonymous):
            await screen.until("Now: Zofia")
            assert folded(screen) == ("2 earlier performers", [f"appearance-{third.pk}"])
    seen = (await in_thread(lambda: opened(f"{session.address}?open={first.pk}"))).main
    assert attributes(one(seen, "details", "order__before"))["hidden"]


async def test_row_opens_and_closes_for_one_viewer():
    session = await in_thread(live_session)
    first, second, _ = session.appearances
    async with open_page(session.address) as screen, open_page(session.address) as other:
        screen.act("order_open", str(first.pk))
        await screen.until("Plays first. You can rate once it begins.")
        screen.act("order_open", str(second.pk))
        await screen._until(lambda: forms(screen) == [], "the row did not close")
        for nonsense in ("", "x", "999999", "9" * 40, "-1"):
            screen.act("order_open", nonsense)
        screen.act("order_open", "all")
        await screen._until(lambda: rows_open(screen) == [True, True, True], "not all are open")
        screen.act("order_open", str(second.pk))
        await screen._until(lambda: rows_open(screen) == [True, False, True], "the row did not close")
        for argument in ("", "x", "999999", "9" * 40, "-1", str(first.pk), str(second.pk)):
            screen.act("keys_open", argument)  # the link to the form of an open row leaves it open
        await screen._until(lambda: forms(screen) == [second.pk], "the row has no form")
        assert rows_open(screen) == [True, True, True]
        assert rows_open(other) == [False, True, False]


async def test_added_row_opens_with_its_form():
    session = await in_thread(live_session)
    second, elsewhere = session.appearances[1], await in_thread(AppearanceFactory)

    def added():
        late = appearance_add(
            actor=OPERATOR, session_id=session.session.pk, participant_id=ParticipantFactory(second_name="Late").pk
        )
        ProgramEntryFactory(appearance=late)
        perform(late)
        return late

    async with open_page(session.address, user=session.fan) as fan, open_page(session.address) as anonymous:
        late = await in_thread(added)
        for screen in (fan, anonymous):
            await screen._until(lambda screen=screen: now(screen).endswith("Late"), "the row did not come")
            for nonsense in ("", "x", "-1", "9" * 40, "999999", str(elsewhere.pk)):
                screen.act("order_open", nonsense)
            screen.act("order_open", str(late.pk))
            await screen._until(lambda screen=screen: late.pk in forms(screen), "the row has no form")
            assert (rows_open(screen), forms(screen)) == ([False, True, False, True], [second.pk, late.pk])
            screen.act("order_open", str(late.pk))
            await screen._until(lambda screen=screen: forms(screen) == [second.pk], "the row did not close")


@pytest.mark.django_db
def test_address_opens_one_row_or_all():
    session = live_session()
    first, *_ = session.appearances
    for query, expanded in (
        (f"?open={first.pk}", [True, False, False]),
        ("?open=all", [True, True, True]),
        ("?open=x", [False, True, False]),
        (f"?open={AppearanceFactory().pk}", [False, True, False]),
    ):
        rows = every(opened(session.address + query).main, "a", "order__row")
        assert [attributes(row)["aria-expanded"] == "true" for row in rows] == expanded, query


def test_comment_button_needs_a_text(db):
    session = busy_session_with(1).session
    main = opened(f"/sessions/{session.pk}", viewer_of(UserFactory())).main
    [form] = [form for form in every(main, "form") if attributes(form).get("data-command") == "comment_add"]
    assert attributes(form)["data-needs"] == attributes(one(form, "textarea"))["name"]


async def test_started_performance_can_be_rated():
    session = await in_thread(live_session)
    third = session.appearances[2]
    piece = await in_thread(lambda: third.program.first().piece_id)
    async with open_page(f"{session.address}?open={third.pk}", user=session.fan) as fan:
        fields = {f"piece-{piece}": "19", "score": "4", "comment": "Alive."}
        await be_refused(fan, "ratings_submit", third.pk, "You can rate once it begins.", **fields)
        await in_thread(lambda: perform(third))
        await fan._until(lambda: forms(fan) == [third.pk], "the form did not come")
        await in_thread(lambda: performer_clear(actor=OPERATOR, session_id=session.session.pk))
        await fan.until("Everybody has played.")
        assert forms(fan) == [third.pk]
        assert (await command(fan, "ratings_submit", third.pk, **fields))["ok"]
    assert await in_thread(PieceRating.objects.count) == 1


async def test_member_sees_audience_marks_after_their_own():
    session = await in_thread(live_session)
    second = session.appearances[1]
    entries = await in_thread(lambda: list(second.program.order_by("order_number")))
    await in_thread(lambda: [PieceRatingFactory(entry=entry, score=18, approved=True) for entry in entries])

    def blind(screen):
        form = attributes(one(screen.tree, "form", "rating"))
        marked = [text(mark) for mark in every(one(screen.tree, "ol", "marks"), "span", "items__own")]
        [strings] = every(screen.tree, "div", "stage__audience")
        return form.get("data-own"), marked, attributes(strings).get("data-own")

    async with open_page(session.address, user=session.fan) as fan, open_page(session.address) as anonymous:
        assert blind(fan) == ("first", ["you rate", "you rate"], "none")
        assert blind(anonymous) == (None, ["you rate", "you rate"], None)
        assert "audience 18.0" in anonymous.text
        fields = {f"piece-{entries[0].piece_id}": "21", "score": "4", "comment": "Alive."}
        assert (await command(fan, "ratings_submit", second.pk, **fields))["ok"]
        await fan._until(
            lambda: blind(fan) == ("submitted", ["you 21", "you rate"], "21.0"), "the own mark is not shown"
        )
        own_fields = await in_thread(lambda: PieceRating.objects.get(user_id=session.fan.id).pk)
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PIECE, mark_id=own_fields))
        await anonymous.until("3 marks, most often 18")
        assert blind(anonymous) == (None, ["you rate", "you rate"], None)


async def test_published_advancement_closes_recommendations():
    session = await in_thread(live_session)
    second = session.appearances[1]

    stage = second.session.stage
    await in_thread(lambda: StageFactory(name="Stage II", order_number=stage.order_number + 1))
    publish = {"actor": OPERATOR, "stage_id": stage.pk, "participant_ids": [second.participant_id]}
    address = f"/participants/{second.participant_id}"
    async with open_page(address) as anonymous, open_page(address, user=session.fan) as fan:
        await in_thread(lambda: advancements_publish(**publish))
        for screen in (anonymous, fan):
            await screen.until("Zofia Wróblewska-Łęcka advances to Stage II.")
            assert not every(screen.tree, "button", "vote")
        answer = await command(fan, "recommendation_set", f"{second.pk}:up")
        assert answer["text"] == "It has been announced who advances, so recommendations are closed."
