"""Test `manage.py live`: an operator's input and the terminal's output."""

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


def test_list_without_sessions_says_what_to_do(live):
    assert "There are no sessions yet." in live("list")


def test_list_shows_sessions_in_the_halls_time_and_the_live_order(live, busy_session):
    printed = live("list")
    assert f"{busy_session.pk:>4}  2027-10-12 17:00  Stage I, evening session (3)  << LIVE" in printed
    assert "   2  Jan Nowak (Poland)\n" in printed


def test_set_says_what_ended_and_what_is_live(live, busy_session):
    other = SessionFactory(title="Final")
    printed = live("set", str(other.pk))
    assert "Ended: Stage I, evening session\nLive: Final\n" in printed
    assert live_session().id == other.pk


def test_perform_puts_the_order_number_on_stage(live, busy_session):
    assert "   2  Jan Nowak (Poland)  << on stage\n" in live("perform", "2")
    assert live_now().name == "Jan Nowak"


def test_perform_next_walks_through_the_order_and_stops_at_its_end(live, busy_session):
    for name in ("Ewa Nowak", "Jan Nowak", "Zofia Nowak"):
        live("perform", "--next")
        assert live_now().name == name
    with pytest.raises(CommandError, match="Nobody comes after number 3"):
        live("perform", "--next")
    assert live_now().name == "Zofia Nowak"


def test_perform_takes_the_id_of_a_appearance_when_told_so(live, busy_session):
    appearance = busy_session.appearances.get(order_number=3)
    live("perform", "--appearance", str(appearance.pk))
    assert live_now().name == "Zofia Nowak"


def test_clear_and_end_say_so(live, busy_session):
    live("perform", "1")
    assert live("clear") == "Nobody is on stage. Stage I, evening session is still live.\n"
    assert live_now() is None
    assert live("end") == "Ended: Stage I, evening session\n"
    assert live_session() is None


@pytest.mark.parametrize("words", [("perform", "1"), ("perform", "--next"), ("clear",), ("end",)])
def test_without_a_live_session_it_says_how_to_get_one(live, words):
    SessionFactory()
    with pytest.raises(CommandError, match=r"No session is live\..*live set NUMBER"):
        live(*words)


@pytest.mark.usefixtures("busy_session")
def test_wrong_numbers_change_nothing_and_say_which_are_right(live):
    live("perform", "2")
    with pytest.raises(CommandError, match=r"has no number 9\. Its order: 1, 2, 3\."):
        live("perform", "9")
    with pytest.raises(CommandError, match="There is nothing with that number"):
        live("perform", "--appearance", "987654")
    with pytest.raises(CommandError, match="There is nothing with that number"):
        live("set", "987654")
    with pytest.raises(CommandError, match="Set the session live first"):
        live("perform", "--appearance", str(AppearanceFactory().pk))
    assert live_now().name == "Jan Nowak"


@pytest.mark.parametrize(
    "words", [(), ("perform",), ("perform", "two"), ("perform", "1", "--next"), ("set",), ("dance",)]
)
def test_what_it_does_not_understand_it_does_not_do(live, busy_session, words):
    with pytest.raises((CommandError, SystemExit)):
        live(*words)
    assert live_now() is None
    assert live_session().id == busy_session.pk
