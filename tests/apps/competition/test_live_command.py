"""Test `manage.py live`: its arguments and output."""

import pytest
from django.core.management import CommandError, call_command

from apps.competition.selectors.public.sessions import live_now, live_session
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def busy_session():
    session = SessionFactory(title="Stage I, evening session", is_live=True, starts_at=EVENING)
    for first in ("Ewa", "Jan", "Zofia"):
        AppearanceFactory(session=session, participant=ParticipantFactory(first_name=first, second_name="Nowak"))
    return session


@pytest.fixture
def live(capsys):
    def run(*words):
        call_command("live", *words)
        return capsys.readouterr().out

    return run


def test_list_prints_sessions_in_venue_time_and_the_live_order(live, busy_session):
    printed = live("list")
    assert f"{busy_session.pk:>4}  2027-10-12 17:00  Stage I, evening session (3)  << LIVE" in printed
    assert "   2  Jan Nowak (Poland)\n" in printed


def test_set_prints_the_ended_and_the_live_session(live, busy_session):
    other = SessionFactory(title="Final")
    assert "Ended: Stage I, evening session\nLive: Final\n" in live("set", str(other.pk))
    assert live_session().id == other.pk


def test_perform_sets_performers_and_clear_and_end_remove_them(live, busy_session):
    for name in ("Ewa Nowak", "Jan Nowak", "Zofia Nowak"):
        live("perform", "--next")
        assert live_now().name == name
    with pytest.raises(CommandError, match="Nobody comes after number 3"):
        live("perform", "--next")
    assert live_now().name == "Zofia Nowak"
    assert "   2  Jan Nowak (Poland)  << on stage\n" in live("perform", "2")
    assert live_now().name == "Jan Nowak"
    live("perform", "--appearance", str(busy_session.appearances.get(order_number=3).pk))
    assert live_now().name == "Zofia Nowak"
    assert live("clear") == "Nobody is on stage. Stage I, evening session is still live.\n"
    assert live_now() is None
    assert live("end") == "Ended: Stage I, evening session\n"
    assert live_session() is None


def test_commands_need_a_live_session(live):
    assert "There are no sessions yet." in live("list")
    SessionFactory()
    for words in (("perform", "1"), ("perform", "--next"), ("clear",), ("end",)):
        with pytest.raises(CommandError, match=r"No session is live\..*live set NUMBER"):
            live(*words)


def test_invalid_arguments_are_refused(live, busy_session):
    for words in ((), ("perform",), ("perform", "two"), ("perform", "1", "--next"), ("set",), ("dance",)):
        with pytest.raises((CommandError, SystemExit)):
            live(*words)
    assert (live_now(), live_session().id) == (None, busy_session.pk)
    live("perform", "2")
    for words, error in (
        (("perform", "9"), r"has no number 9\. Its order: 1, 2, 3\."),
        (("perform", "--appearance", "987654"), "There is nothing with that number"),
        (("set", "987654"), "There is nothing with that number"),
        (("perform", "--appearance", str(AppearanceFactory().pk)), "Set the session live first"),
    ):
        with pytest.raises(CommandError, match=error):
            live(*words)
    assert live_now().name == "Jan Nowak"
