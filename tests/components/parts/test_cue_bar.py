"""The cue bar on every administration page during a live session: the next performer, one press, live updates."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.competition.models import Session, SessionParticipant
from apps.competition.services.live import performer_next
from apps.core.threads import in_thread
from components.parts.live import cue_bar
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, read_part, text
from tests.factories import AdminFactory, UserFactory
from tests.screen import open_page

PAGES = "/admin /admin?tab=audit /admin/blog /admin/pieces /admin/stages /admin/programs /admin/import".split()


def bar():
    return read_part(cue_bar)


@pytest.mark.django_db
def test_bar_names_the_next_performer_until_the_end(django_assert_num_queries):
    busy_session = busy_session_with(2)
    session, (first, second) = busy_session.session.pk, busy_session.appearances
    SessionParticipant.objects.update(is_performing=False)
    with django_assert_num_queries(2):
        before = bar()
    assert "Interval" in text(before)
    button = one(before, "button")
    assert text(button) == f"Begin with 1 {first.participant.name}"
    assert attributes(button)["data-argument"] == str(session)
    assert (attributes(button)["data-live-only"], attributes(button)["data-away"]) == ("", "No connection")
    performer_next(actor=OPERATOR, session_id=session, after=None)
    button = one(bar(), "button")
    assert text(button) == f"Next 2 {second.participant.name}"
    assert attributes(button)["data-argument"] == f"{session}:{first.pk}"
    performer_next(actor=OPERATOR, session_id=session, after=first.pk)
    button = one(bar(), "button")
    assert (text(button), attributes(button)["data-command"]) == ("All have played End Live Session", "session_end")
    Session.objects.update(is_live=False)
    assert attributes(bar()) == {"class": "cuebar", "hidden": True}


@pytest.mark.django_db(transaction=True)
async def test_bar_is_on_every_administration_page_and_follows_a_press():
    busy_session = await in_thread(lambda: busy_session_with(3))
    await in_thread(lambda: SessionParticipant.objects.update(is_performing=False))
    names = [appearance.participant.name for appearance in busy_session.appearances]
    user, fan = await in_thread(AdminFactory), await in_thread(UserFactory)
    async with open_page("/admin/pieces", user=user) as phone:
        for page in PAGES:
            await phone.go(page)
            assert f"Begin with 1 {names[0]}" in phone.text, page
        async with open_page("/admin/blog", user=user) as desk:
            answer = await command(phone, "performer_next", busy_session.session.pk)
            assert (answer["ok"], answer["undo"][0]) == (True, "live_restore")
            for screen in (phone, desk):
                await screen.until(f"Next 2 {names[1]}")
            assert (await command(desk, *answer["undo"]))["ok"]
            await phone.until(f"Begin with 1 {names[0]}")
    async with open_page("/", user=fan) as outside:
        assert not every(outside.tree, "aside", "cuebar")
        assert not (await command(outside, "performer_next", busy_session.session.pk))["ok"]
