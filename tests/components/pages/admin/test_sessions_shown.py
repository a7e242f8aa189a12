"""The markup of the administrators' page of sessions: search, pages, lineup, and number of queries."""

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.competition.models import Session, SessionParticipant
from tests.components.conftest import busy_session_with
from tests.components.pages.admin.sessions import CREATE, LIST, session_of_three
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, ParticipantFactory, SessionFactory, viewer_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def busy_session(transactional_db: None) -> SimpleNamespace:
    """Return a session of three participants that is not live, and two administrators."""
    return session_of_three()


def test_the_list_is_searched_and_paged_in_the_database(busy_session: SimpleNamespace) -> None:
    for number in range(1, 24):
        SessionFactory(title=f"Round {number}", stage=busy_session.session.stage)
    admin = viewer_of(busy_session.halina)
    first = opened(LIST, admin)
    assert len(every(first.main, "li", "entries__row")) == 20
    assert attributes(one(first.main, "a", "link", rel="next"))["href"] == f"{LIST}?page=2"
    second = opened(f"{LIST}?page=2", admin)
    assert len(every(second.main, "li", "entries__row")) == 4
    assert attributes(one(second.main, "a", "link", rel="prev"))["href"] == LIST
    found = opened(f"{LIST}?q=round+2", admin)
    assert len(every(found.main, "li", "entries__row")) == 5
    assert not every(found.main, "nav", "paging")
    assert "No sessions found." in text(opened(f"{LIST}?q=nothing", admin).main)
    assert len(every(opened(f"{LIST}?page=99", admin).main, "li", "entries__row")) == 4


def test_the_lineup_marks_who_plays_now(busy_session: SimpleNamespace) -> None:
    Session.objects.update(is_live=True)
    SessionParticipant.objects.filter(pk=busy_session.appearances[1].pk).update(is_performing=True)
    (lineup,) = every(opened(LIST, viewer_of(busy_session.halina)).main, "ol", "lineup")
    rows = [" ".join(text(row).split()) for row in every(lineup, "li")]
    assert rows == [
        f"1 {busy_session.names[0]}",
        f"2 {busy_session.names[1]} Now Performing",
        f"3 {busy_session.names[2]}",
    ]


@pytest.mark.parametrize("count", [1, 20])
def test_a_list_is_eight_queries_and_a_form_six_however_long_they_are(transactional_db: None, count: int) -> None:
    busy_session = busy_session_with(count)
    for number in range(count):
        SessionFactory(title=f"Round {number}", stage=busy_session.session.stage)
        ParticipantFactory()
    admin = viewer_of(AdminFactory())
    for address, wanted in ((LIST, 8), (f"{LIST}?mode=edit&id={busy_session.session.pk}", 6), (CREATE, 3)):
        with CaptureQueriesContext(connection) as seen:
            loaded(address, admin)
        assert len(seen) == wanted, address


@pytest.mark.parametrize("query", ["mode=edit", "mode=edit&id=0", "mode=edit&id=x", "mode=other", "id=7", "page=x"])
def test_addresses_that_mean_nothing_mean_the_list(busy_session: SimpleNamespace, query: str) -> None:
    seen = opened(f"{LIST}?{query}", viewer_of(busy_session.halina))
    assert text(one(seen.main, "h1")) == "Sessions"
    assert every(seen.main, "li", "entries__row")
