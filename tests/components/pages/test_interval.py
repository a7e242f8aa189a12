"""An interval on the session page: in all windows, with each member's own values, and with covered figures."""

import json

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_clear, performer_set
from apps.core.threads import in_thread
from apps.ranking.services import ranking_compute
from apps.ratings.services.covering import figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import ratings_submit
from tests.apps.ranking.halls import audience, give, listeners
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import UserFactory, viewer_of
from tests.general import queries_counted
from tests.project import covering
from tests.screen import open_page


def live_session(count=4):
    """Return a live session with ranked performances, all but the last of which have been on stage."""
    session = busy_session_with(count)
    session.address = f"/sessions/{session.session.pk}"
    audience(session.appearances[:-1], 12)
    ranking_compute(stage_id=session.session.stage_id)
    for appearance in session.appearances[:-1]:
        performer_set(actor=OPERATOR, appearance_id=appearance.pk)
    return session


def clear(session):
    performer_clear(actor=OPERATOR, session_id=session.session.pk)


def unrated(main):
    """Return the rows of what is not rated, without hidden ones: number, words, and the words of the link."""
    rows = every(one(main, "section", "todo"), "li")
    return [
        (text(one(row, look="nr")), text(one(one(row, "span", "heads__name"), "small")), text(one(row, "a")).split()[0])
        for row in rows
        if not attributes(row).get("hidden")
    ]


@pytest.mark.django_db
def test_unrated_performances_follow_the_members_marks():
    session = live_session()
    clear(session)
    fan = viewer_of(UserFactory())
    first, second, _third, _last = session.appearances
    assert unrated(opened(session.address, fan).main) == [(n, "2 pieces", "Rate") for n in "321"]
    assert unrated(opened(session.address).main) == [(n, "2 pieces", "Rate") for n in "321"]
    one_piece, other = first.program.order_by("order_number").values_list("piece_id", flat=True)
    rating_keep(actor=fan, appearance_id=first.pk, strikes=Strikes({one_piece: (9, 0.0)}))
    assert unrated(opened(session.address, fan).main)[2] == ("1", "1 of 2 pieces left", "Finish")
    rest = {"score": 4, "comment": "Heard."}
    ratings_submit(actor=fan, appearance_id=first.pk, pieces={one_piece: 9}, **rest)
    assert unrated(opened(session.address, fan).main)[2] == ("1", "1 of 2 pieces left", "Rate")
    ratings_submit(actor=fan, appearance_id=first.pk, pieces={one_piece: 9, other: 7}, **rest)
    assert [number for number, *_ in unrated(opened(session.address, fan).main)] == ["3", "2"]
    rating_keep(actor=fan, appearance_id=first.pk, strikes=Strikes({other: (8, 0.0)}))
    assert unrated(opened(session.address, fan).main)[2] == ("1", "Changed, not sent", "Send")
    pieces = dict.fromkeys(second.program.values_list("piece_id", flat=True), 11)
    rating_keep(actor=fan, appearance_id=second.pk, strikes=Strikes(dict.fromkeys(pieces, (11, 0.0))))
    assert unrated(opened(session.address, fan).main)[1] == ("2", "2 of 2 marked, not submitted", "Finish")


async def test_both_windows_follow_two_intervals(fan):
    session = await in_thread(live_session)
    *_, third, last = session.appearances
    await in_thread(lambda: figures_show(actor=viewer_of(fan), appearance_id=third.pk))
    async with open_page(session.address, user=fan) as own, open_page(session.address) as other:
        both = (own, other)
        assert not any("Ahead in this session" in screen.text for screen in both)
        await in_thread(lambda: clear(session))
        for screen in both:
            await screen.until(f"Next: 4 {last.participant.name}")
            await screen.until("Ahead in this session")
            assert "Just played" in screen.text
        await own.until("2 of 3 covered: Show all")
        assert len(every(one(other.tree, "section", data_slot=f"ahead:{session.session.pk}"), "li")) == 3
        assert len(every(one(own.tree, "section", data_slot=f"ahead:{session.session.pk}"), "li")) == 1
        await in_thread(lambda: performer_set(actor=OPERATOR, appearance_id=last.pk))
        for screen in both:
            await screen._until(lambda screen=screen: "Ahead in this session" not in screen.text, "the interval stays")

        def rank_and_clear():
            for user in listeners(11):
                give(user, session.appearances, [1, 2, 24, 25])
            ranking_compute(stage_id=session.session.stage_id)
            clear(session)

        await in_thread(rank_and_clear)
        for screen in both:
            await screen.until("Everybody has played.")
        await other.until("new here")
        leaders = every(one(other.tree, "section", data_slot=f"ahead:{session.session.pk}"), "li")
        [name] = [one(row, "span", "heads__name") for row in leaders if last.participant.name in text(row)]
        assert text(one(name, "small")) == "new here"
        assert "new here" not in text(one(own.tree, "section", data_slot=f"ahead:{session.session.pk}"))
        assert len(unrated(other.tree)) == 4


async def test_change_of_performer_does_not_show_the_interval():
    session = await in_thread(live_session)
    last = session.appearances[-1]
    async with covering.opened(session.address, member=False) as screen:
        for appearance in (*session.appearances, session.appearances[0], last):
            await in_thread(lambda pk=appearance.pk: performer_set(actor=OPERATOR, appearance_id=pk))
            await screen.until(f"Now: {appearance.participant.name}")
        received = screen.received()
        assert "Interval. Next: " not in received
        assert "Ahead in this session" not in received
        await in_thread(lambda: clear(session))
        await screen.until("Ahead in this session")


FIGURES = ("performance_mean:", "performance_distribution:", "interval_ahead:")


async def test_covered_figures_are_not_sent_in_an_interval():
    session = await in_thread(live_session)
    third, other = session.appearances[2], session.appearances[3].pk
    address = f"{session.address}?open={other}"
    async with covering.opened(address) as member, covering.opened(address, member=False) as visitor:
        await in_thread(lambda: clear(session))
        for screen in (member, visitor):
            await screen.until("Ahead in this session")
        await member.until("3 of 3 covered: Show all")
        leaders = every(one(visitor.tree, "section", data_slot=f"ahead:{session.session.pk}"), "li")
        scores = [text(one(row, "b")).split()[0] for row in leaders]
        assert len(scores) == 3
        for screen, is_member in ((member, True), (visitor, False)):
            received = screen.received() + json.dumps([screen.model, screen.parts])
            sent = {part for part in FIGURES if f'"{part}' in received and f'["{part}' in received}
            assert (sent == set()) is is_member, sent
            assert any(score in received for score in scores) is not is_member
        await member.press(f"Show the audience’s: {third.participant.name}")
        await member.until("2 of 3 covered: Show all")


@pytest.mark.django_db
def test_query_count_is_independent_of_performances():
    count = 7
    session = live_session(count)
    loaded(session.address)
    with queries_counted(15):
        loaded(session.address)
    clear(session)
    with queries_counted(23):
        loaded(session.address)
