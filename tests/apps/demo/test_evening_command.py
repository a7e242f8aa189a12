"""Test `manage.py evening`: all participants play in turn, and the stage is empty afterwards."""

import io
import os
import signal
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.competition.models import Session
from apps.competition.selectors.public.sessions import live_now, live_session
from project.config import ROOT
from tests.factories import AppearanceFactory, SessionFactory

pytestmark = pytest.mark.long

QUICK = "--seconds-per-performer=0.01"


def busy_session(size=3):
    session = SessionFactory(is_live=True)
    return [AppearanceFactory(session=session) for _ in range(size)]


@pytest.mark.django_db(transaction=True)
def test_evening_plays_everyone_in_order_as_often_as_told(capsys):
    appearances = busy_session()
    call_command("evening", QUICK, "--rounds=2")
    lines = capsys.readouterr().out.splitlines()
    order = [f"{appearance.order_number:>4}  {appearance.participant.name} (Poland)" for appearance in appearances]
    assert lines[1:-1] == order * 2
    assert lines[-1] == "The stage is empty. The session is still live."
    assert live_now() is None
    assert live_session() is not None


def test_evening_is_heard_by_every_screen(listener):
    appearances = busy_session(size=2)
    call_command("evening", QUICK)
    stage = f"session.{appearances[0].session_id}.performer"
    assert {"live", stage} <= listener.heard()


@pytest.mark.django_db
def test_evening_without_a_live_session_or_without_appearances_says_so():
    with pytest.raises(CommandError, match="No session is live"):
        call_command("evening", QUICK)
    SessionFactory(is_live=True)
    with pytest.raises(CommandError, match="Nobody has a place"):
        call_command("evening", QUICK)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "words", ["--seconds-per-performer=0", "--seconds-per-performer=soon", "--rounds=0", "--rounds=x"]
)
def test_evening_refuses_durations_and_rounds_that_make_no_sense(words):
    busy_session()
    with pytest.raises(CommandError):
        call_command("evening", words)
    assert live_now() is None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_evening_ends_cleanly_when_interrupted(number):
    appearances = busy_session()
    with playing() as process:
        assert process.stdout.readline().endswith("Ctrl-C ends the evening.\n")
        assert appearances[0].participant.name in process.stdout.readline()
        assert live_now().name == appearances[0].participant.name
        process.send_signal(number)
        rest, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (0, "")
    assert rest == "The stage is empty. The session is still live.\n"
    assert live_now() is None


@pytest.mark.django_db(transaction=True)
def test_evening_stops_when_somebody_ends_the_session():
    busy_session()
    with playing("--seconds-per-performer=0.5") as process:
        process.stdout.readline()
        process.stdout.readline()
        Session.objects.update(is_live=False)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "Somebody ended the session." in errors


@pytest.mark.django_db(transaction=True)
def test_evening_goes_on_without_who_was_taken_off_the_order():
    first, second, third = busy_session()

    class Heard(io.StringIO):
        """An output stream that removes the second appearance while the first plays."""

        def write(self, text):
            if first.participant.name in text:
                second.delete()
            return super().write(text)

    heard = Heard()
    call_command("evening", QUICK, stdout=heard)
    played = [line.split("  ")[-1] for line in heard.getvalue().splitlines()[1:-1]]
    assert played == [f"{appearance.participant.name} (Poland)" for appearance in (first, third)]


def playing(*words):
    """Start the command in a separate process on the test's database."""
    script = (
        "import sys, django; from django.conf import settings;"
        f"settings.DATABASES['default']['NAME'] = {connection.settings_dict['NAME']!r};"
        "django.setup(); from django.core.management import execute_from_command_line as run;"
        "run(['manage.py', 'evening', *sys.argv[1:]])"
    )
    return subprocess.Popen(
        [sys.executable, "-c", script, *(words or ("--seconds-per-performer=600",))],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "project.settings", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
