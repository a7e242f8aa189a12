"""The word "repeated" on the pages of sessions, performers and administrators, and the choice of what counts."""

from types import SimpleNamespace

import pytest

from apps.competition.models import Session, SessionParticipant
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import every, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, SessionFactory, UserFactory, viewer_of
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


@pytest.fixture
def played(transactional_db: None) -> SimpleNamespace:
    """Return a session of two, the second of whom plays again in the session "Once more"."""
    made = busy_session_with(2, is_live=False)
    made.first, made.second = made.appearances
    session = SessionFactory(stage=made.session.stage, title="Once more")
    made.again = AppearanceFactory(session=session, participant=made.second.participant, is_repeated=True)
    made.halina = AdminFactory()
    return made


@live
def test_the_order_of_playing_and_the_performer_have_the_word(played):
    order = one(opened(f"/sessions/{played.again.session_id}").main, "ol", "order")
    assert [text(each) for each in every(order, "span", "badge--quiet")] == ["repeated"]
    order = one(opened(f"/sessions/{played.session.pk}").main, "ol", "order")
    assert not every(order, "span", "badge--quiet")
    page = opened(f"/participants/{played.again.participant_id}").main
    sections = {text(one(each, "h2")): text(each) for each in every(page, "section", "performance")}
    assert {title: "repeated" in words for title, words in sections.items()} == {
        "Once more": True,
        played.session.title: False,
    }


@live
def test_an_earlier_performance_has_the_word_in_its_line(played):
    SessionParticipant.objects.filter(pk=played.again.pk).update(is_repeated=False, session=SessionFactory())
    SessionParticipant.objects.filter(pk=played.second.pk).update(is_repeated=True)
    Session.objects.filter(pk=played.session.pk).update(starts_at=played.session.starts_at.replace(year=2019))
    (line,) = every(opened(f"/participants/{played.again.participant_id}").main, "div", "performance__line")
    assert text(one(line, "span", "badge--quiet")) == "repeated"


@live
def test_administrators_read_the_word_in_lists(played):
    admin = viewer_of(played.halina)
    lineups = every(opened("/admin/sessions", admin).main, "ol", "lineup")
    rows = [" ".join(text(row).split()) for each in lineups for row in every(each, "li")]
    assert sorted(row for row in rows if "repeated" in row) == [f"1 {played.again.participant.name} repeated"]


@live
async def test_another_performance_is_chosen_on_the_page_of_programs(played):
    async with (
        open_page(f"/admin/programs?session={played.again.session_id}", user=played.halina) as halina,
        open_page(f"/sessions/{played.again.session_id}", user=await in_thread(UserFactory)) as fan,
    ):
        await halina.until(f"repeated {played.session.title} counts")
        await fan.until("repeated")
        answer = await command(halina, "appearance_count", played.again.pk)
        assert (answer["ok"], answer["text"]) == (True, "This performance counts in the ranking of its stage.")
        await halina.until_gone("repeated")
        await fan.until_gone("repeated")
    async with open_page(f"/admin/programs?session={played.session.pk}", user=played.halina) as halina:
        await halina.until("repeated Once more counts")
        await in_thread(SessionParticipant.objects.filter(pk=played.again.pk).delete)
    async with open_page(f"/admin/programs?session={played.session.pk}", user=played.halina) as halina:
        await halina.until("repeated none counts in this stage")


@live
async def test_a_form_asks_before_a_performer_of_the_stage_is_added_again(played):
    fields = {"title": "Third", "date": "2027-10-09", "time": "17:00", "description": "", "youtube_id": ""}
    fields |= {"stage": str(played.session.stage_id), "participant_ids": str(played.first.participant_id)}
    async with open_page("/admin/sessions?mode=create", user=played.halina) as halina:
        refused = await command(halina, "session_create", "", **fields)
        assert (refused["ok"], refused["ask"]) == (False, True)
        name, title = played.first.participant.name, played.session.title
        assert refused["text"].startswith(f"{name} plays in this stage already, in {title}, and that performance")
        assert (await command(halina, "session_create", "", **fields, confirmed="1"))["ok"]
    third = await in_thread(lambda: SessionParticipant.objects.get(session__title="Third"))
    assert third.is_repeated
