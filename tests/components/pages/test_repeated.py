"""The word "repeated" on the pages of sessions, performers and administrators, and the choice of what counts."""

from types import SimpleNamespace

import pytest

from apps.competition.models import Appearance, Session
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.seen import every, one, opened, text
from tests.factories import AdminFactory, AppearanceFactory, SessionFactory, UserFactory, viewer_of
from tests.screen import open_page


@pytest.fixture
def repeated(db: None) -> SimpleNamespace:
    """Return a session of two, the second of whom plays again in the session "Once more"."""
    setup = busy_session_with(2, is_live=False)
    setup.first, setup.second = setup.appearances
    session = SessionFactory(stage=setup.session.stage, title="Once more")
    setup.again = AppearanceFactory(session=session, participant=setup.second.participant, is_repeated=True)
    setup.admin = AdminFactory()
    return setup


def test_repeated_performance_is_marked_on_all_pages(repeated):
    order = one(opened(f"/sessions/{repeated.again.session_id}").main, "ol", "order")
    assert [text(badge) for badge in every(order, "span", "badge--quiet")] == ["repeated"]
    order = one(opened(f"/sessions/{repeated.session.pk}").main, "ol", "order")
    assert not every(order, "span", "badge--quiet")
    performer = opened(f"/participants/{repeated.again.participant_id}").main
    sections = {text(one(section, "h2")): text(section) for section in every(performer, "section", "performance")}
    assert {title for title, content in sections.items() if "repeated" in content} == {"Once more"}
    assert len(sections) == 2
    lineups = every(opened("/admin/sessions", viewer_of(repeated.admin)).main, "ol", "lineup")
    rows = [" ".join(text(row).split()) for lineup in lineups for row in every(lineup, "li")]
    assert [row for row in rows if "repeated" in row] == [f"1 {repeated.again.participant.name} repeated"]
    Appearance.objects.filter(pk=repeated.again.pk).update(is_repeated=False, session=SessionFactory())
    Appearance.objects.filter(pk=repeated.second.pk).update(is_repeated=True)
    Session.objects.filter(pk=repeated.session.pk).update(starts_at=repeated.session.starts_at.replace(year=2019))
    (line,) = every(opened(f"/participants/{repeated.again.participant_id}").main, "div", "performance__line")
    assert text(one(line, "span", "badge--quiet")) == "repeated"


async def test_counting_performance_is_chosen_on_the_programs_page(repeated):
    async with (
        open_page(f"/admin/programs?session={repeated.again.session_id}", user=repeated.admin) as admin,
        open_page(f"/sessions/{repeated.again.session_id}", user=await in_thread(UserFactory)) as fan,
    ):
        await admin.until(f"repeated {repeated.session.title} counts")
        await fan.until("repeated")
        answer = await command(admin, "appearance_count", repeated.again.pk)
        assert (answer["ok"], answer["text"]) == (True, "This performance counts in the ranking of its stage.")
        await admin.until_gone("repeated")
        await fan.until_gone("repeated")
    async with open_page(f"/admin/programs?session={repeated.session.pk}", user=repeated.admin) as admin:
        await admin.until("repeated Once more counts")
        await in_thread(Appearance.objects.filter(pk=repeated.again.pk).delete)
    async with open_page(f"/admin/programs?session={repeated.session.pk}", user=repeated.admin) as admin:
        await admin.until("repeated none counts in this stage")
