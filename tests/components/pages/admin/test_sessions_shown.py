"""The markup of the administrators' page of sessions: search, pages, lineup, and number of queries."""

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.competition.models import Session, SessionParticipant
from tests.components.conftest import busy_session_with
from tests.components.pages.admin.sessions import CREATE, LIST
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import AdminFactory, ParticipantFactory, SessionFactory, viewer_of

pytestmark = pytest.mark.django_db


def test_list_is_searched_and_paged(busy_session: SimpleNamespace) -> None:
    for number in range(1, 24):
        SessionFactory(title=f"Round {number}", stage=busy_session.session.stage)
    admin = viewer_of(busy_session.admin)
    first = opened(LIST, admin)
    assert len(every(first.main, "li", "entries__row")) == 20
    assert attributes(one(first.main, "a", "link", rel="next"))["href"] == f"{LIST}?page=2"
    second = opened(f"{LIST}?page=2", admin)
    assert len(every(second.main, "li", "entries__row")) == 4
    assert attributes(one(second.main, "a", "link", rel="prev"))["href"] == LIST
    results = opened(f"{LIST}?q=round+2", admin)
    assert len(every(results.main, "li", "entries__row")) == 5
    assert not every(results.main, "nav", "paging")
    assert "No sessions found." in text(opened(f"{LIST}?q=nothing", admin).main)
    assert len(every(opened(f"{LIST}?page=99", admin).main, "li", "entries__row")) == 4


def test_lineup_marks_the_performer_on_stage(busy_session: SimpleNamespace) -> None:
    Session.objects.update(is_live=True)
    SessionParticipant.objects.filter(pk=busy_session.appearances[1].pk).update(is_performing=True)
    (lineup,) = every(opened(LIST, viewer_of(busy_session.admin)).main, "ol", "lineup")
    rows = [" ".join(text(row).split()) for row in every(lineup, "li")]
    assert rows == [
        f"1 {busy_session.names[0]}",
        f"2 {busy_session.names[1]} Now Performing",
        f"3 {busy_session.names[2]}",
    ]


@pytest.mark.parametrize("count", [1, 20])
def test_query_counts_are_independent_of_length(db: None, count: int) -> None:
    busy_session = busy_session_with(count)
    for number in range(count):
        SessionFactory(title=f"Round {number}", stage=busy_session.session.stage)
        ParticipantFactory()
    admin = viewer_of(AdminFactory())
    for address, expected in ((LIST, 8), (f"{LIST}?mode=edit&id={busy_session.session.pk}", 6), (CREATE, 3)):
        with CaptureQueriesContext(connection) as seen:
            loaded(address, admin)
        assert len(seen) == expected, address


def test_unreadable_queries_show_the_list(busy_session: SimpleNamespace) -> None:
    admin = viewer_of(busy_session.admin)
    for query in ("mode=edit", "mode=edit&id=0", "mode=edit&id=x", "mode=other", "id=7", "page=x"):
        main = opened(f"{LIST}?{query}", admin).main
        assert text(one(main, "h1")) == "Sessions", query
        assert every(main, "li", "entries__row"), query
