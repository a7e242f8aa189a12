"""Covered figures on real pages: a member gets no byte of them before marking, and all of them afterwards."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.services.live import performer_clear, performer_set
from apps.core.threads import in_thread
from project.process.web_process import process
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.factories import PieceRatingFactory, UserFactory
from tests.project.covering import opened

pytestmark = pytest.mark.django_db(transaction=True)
FIGURES = ("13.7", "most often 14")  # of the marks 13, 14 and 14


def hall():
    """Return a live session after its first performance, whose marks have unique figures, and a member."""
    session = busy_session_with(3)
    first = session.appearances[0]
    performer_set(actor=OPERATOR, session_participant_id=first.pk)
    performer_clear(actor=OPERATOR, session_id=session.session.pk)
    entry = first.program.order_by("order_number").first()
    for score in (13, 14, 14):
        PieceRatingFactory(entry=entry, score=score, approved=True)
    return session, first, entry, UserFactory()


def found(received):
    """Return the planted figures in this text."""
    return {figure for figure in FIGURES if figure in received}


@pytest.mark.parametrize("is_member", [True, False])
async def test_a_running_order_has_no_figure_of_what_the_member_has_not_marked(is_member):
    session, first, entry, fan = await in_thread(hall)
    other = session.appearances[2].pk  # its row is open, so that the form of the first one is not on the page
    async with opened(f"/sessions/{session.session.pk}?open={other}", member=is_member, user=fan) as screen:
        assert "3 marks" in screen.text
        assert found(screen.received()) == (set() if is_member else set(FIGURES))
        await in_thread(lambda: PieceRatingFactory(entry=entry, score=14, approved=True))
        process.bus.notify_listeners(f"session_participant.{first.pk}.ratings")
        await screen.until("4 marks")
        await screen.go_online()
        if is_member:
            assert "13.8" not in screen.received()
            assert "Show the audience’s" in screen.text
            await screen.press(f"Show the audience’s: {first.participant.first_name} {first.participant.second_name}")
            await screen.until("13.8")
        assert {"13.8", "most often 14"} <= {each for each in ("13.8", "most often 14") if each in screen.text}


INNER = ("performance_heard_figures", "participant_figures_together", "performance_rank")


def parts_in(received):
    """Return which of the parts with figures are in this text."""
    return {part for part in INNER if f'data-part="{part}' in received or f'["{part}' in received}


async def test_a_performers_page_has_no_figure_of_what_the_member_has_not_marked():
    _session, first, _entry, fan = await in_thread(hall)
    address = f"/participants/{first.participant_id}"
    async with opened(address, user=fan) as member, opened(address, member=False) as visitor:
        assert (parts_in(member.received()), parts_in(visitor.received())) == (set(), set(INNER))
        assert (await command(member, "figures_show", first.pk))["ok"]
        await member.until("All pieces")
        assert parts_in(member.received()) == set(INNER)
