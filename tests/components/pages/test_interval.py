"""An interval on the session page: in all windows, with each member's own values, and with covered figures."""

import json

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session
from apps.competition.services.live import performer_clear, performer_set
from apps.core.threads import in_thread
from apps.ranking.services import ranking_compute
from apps.ratings.services.covering import figures_show
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import ratings_submit
from tests.apps.ranking.halls import audience, give, listeners
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import UserFactory, viewer_of
from tests.general import queries_counted
from tests.project import covering
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


def hall(count=4):
    """Return a live session with ranked performances, all but the last of which have been on stage."""
    made = busy_session_with(count)
    made.address = f"/sessions/{made.session.pk}"
    audience(made.appearances[:-1], 12)
    ranking_compute(stage_id=made.session.stage_id)
    for appearance in made.appearances[:-1]:
        performer_set(actor=OPERATOR, session_participant_id=appearance.pk)
    return made


def clear(there):
    performer_clear(actor=OPERATOR, session_id=there.session.pk)


def unrated(main):
    """Return the rows of what is not rated, without hidden ones: number, words, and the words of the link."""
    rows = every(one(main, "section", "todo"), "li")
    return [
        (text(one(row, look="nr")), text(one(row, "small")), text(one(row, "a")).split()[0])
        for row in rows
        if not attributes(row).get("hidden")
    ]


@live
def test_what_is_not_rated_follows_a_members_marks_with_the_number_of_pieces_left():
    there = hall()
    clear(there)
    fan = viewer_of(UserFactory())
    first, second, _third, _last = there.appearances
    assert unrated(opened(there.address, fan).main) == [(n, "2 pieces", "Rate") for n in "321"]
    assert unrated(opened(there.address).main) == [(n, "2 pieces", "Rate") for n in "321"]
    one_piece, other = first.program.order_by("order_number").values_list("piece_id", flat=True)
    rating_keep(actor=fan, session_participant_id=first.pk, strikes=Strikes({one_piece: (9, 0.0)}))
    assert unrated(opened(there.address, fan).main)[2] == ("1", "1 of 2 pieces left", "Finish")
    given = {"score": 4, "comment": "Heard."}
    ratings_submit(actor=fan, session_participant_id=first.pk, pieces={one_piece: 9}, **given)
    assert unrated(opened(there.address, fan).main)[2] == ("1", "1 of 2 pieces left", "Rate")
    ratings_submit(actor=fan, session_participant_id=first.pk, pieces={one_piece: 9, other: 7}, **given)
    assert [number for number, *_ in unrated(opened(there.address, fan).main)] == ["3", "2"]
    rating_keep(actor=fan, session_participant_id=first.pk, strikes=Strikes({other: (8, 0.0)}))
    assert unrated(opened(there.address, fan).main)[2] == ("1", "Changed, not sent", "Send")
    pieces = dict.fromkeys(second.program.values_list("piece_id", flat=True), 11)
    rating_keep(actor=fan, session_participant_id=second.pk, strikes=Strikes(dict.fromkeys(pieces, (11, 0.0))))
    assert unrated(opened(there.address, fan).main)[1] == ("2", "2 of 2 marked, not submitted", "Finish")


@live
async def test_from_interval_to_interval_in_two_windows():
    there = await in_thread(hall)
    fan = await in_thread(UserFactory)
    *_, third, last = there.appearances
    await in_thread(lambda: figures_show(actor=viewer_of(fan), session_participant_id=third.pk))
    async with open_page(there.address, user=fan) as own, open_page(there.address) as other:
        both = (own, other)
        assert not any("Ahead in this session" in screen.text for screen in both)
        await in_thread(lambda: clear(there))
        for screen in both:
            await screen.until(f"Next: 4 {last.participant.name}")
            await screen.until("Ahead in this session")
            assert "Just played" in screen.text
        await own.until("2 of 3 covered: Show all")
        assert len(every(one(other.tree, "section", data_slot=f"ahead:{there.session.pk}"), "li")) == 3
        assert len(every(one(own.tree, "section", data_slot=f"ahead:{there.session.pk}"), "li")) == 1
        await in_thread(lambda: performer_set(actor=OPERATOR, session_participant_id=last.pk))
        for screen in both:
            await screen._until(lambda screen=screen: "Ahead in this session" not in screen.text, "the interval stays")

        def more():
            for user in listeners(11):
                give(user, there.appearances, [1, 2, 24, 25])
            ranking_compute(stage_id=there.session.stage_id)
            clear(there)

        await in_thread(more)
        for screen in both:
            await screen.until("Everybody has played.")
        await other.until("new here")
        leaders = every(one(other.tree, "section", data_slot=f"ahead:{there.session.pk}"), "li")
        assert [text(one(row, "small")) for row in leaders if last.participant.name in text(row)] == ["new here"]
        assert "new here" not in text(one(own.tree, "section", data_slot=f"ahead:{there.session.pk}"))
        assert len(unrated(other.tree)) == 4


@live
async def test_a_change_from_one_performer_to_the_next_never_shows_the_interval():
    there = await in_thread(hall)
    last = there.appearances[-1]
    async with covering.opened(there.address, member=False) as screen:
        for appearance in (*there.appearances, there.appearances[0], last):
            await in_thread(lambda pk=appearance.pk: performer_set(actor=OPERATOR, session_participant_id=pk))
            await screen.until(f"Now: {appearance.participant.name}")
        received = screen.received()
        assert "Next: " not in received
        assert "Ahead in this session" not in received
        await in_thread(lambda: clear(there))
        await screen.until("Ahead in this session")


FIGURES = ("performance_mean:", "performance_distribution:", "interval_ahead:")


@live
@pytest.mark.parametrize("youtube_id", ["", "aqz-KE-bpKQ"], ids=["board", "video"])
async def test_no_covered_figure_is_sent_in_an_interval(youtube_id):
    there = await in_thread(hall)
    await in_thread(lambda: Session.objects.update(youtube_id=youtube_id))
    third, other = there.appearances[2], there.appearances[3].pk
    address = f"{there.address}?open={other}"
    async with covering.opened(address) as member, covering.opened(address, member=False) as visitor:
        await in_thread(lambda: clear(there))
        for screen in (member, visitor):
            await screen.until("Ahead in this session")
        await member.until("3 of 3 covered: Show all")
        leaders = every(one(visitor.tree, "section", data_slot=f"ahead:{there.session.pk}"), "li")
        scores = [text(one(row, "b")) for row in leaders]
        assert len(scores) == 3
        for screen, is_member in ((member, True), (visitor, False)):
            received = screen.received() + json.dumps([screen.model, screen.parts])
            sent = {part for part in FIGURES if f'"{part}' in received and f'["{part}' in received}
            assert (sent == set()) is is_member, sent
            assert any(score in received for score in scores) is not is_member
        await member.press(f"Show the audience’s: {third.participant.name}")
        await member.until("2 of 3 covered: Show all")


@live
@pytest.mark.parametrize("count", [4, 7])
def test_an_interval_asks_as_much_for_many_performances_as_for_few(count):
    from tests.components.seen import loaded

    there = hall(count)
    loaded(there.address)
    with queries_counted(14):
        loaded(there.address)
    clear(there)
    with queries_counted(22):
        loaded(there.address)
