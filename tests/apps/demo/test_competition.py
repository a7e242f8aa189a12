"""Test the demo's command: it loads once, and prints passwords on a local site only."""

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from functools import partial

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db.models import F
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.actors import OPERATOR
from apps.accounts.models import User
from apps.competition.models import Appearance, Participant, PerformingTime, ProgramEntry, Session
from apps.competition.selectors.public.sessions import live_now
from apps.competition.services.sessions import session_create
from apps.core.database.fields import venue_zone
from apps.demo.accounts import accounts_load, accounts_text
from apps.demo.audience.opinions import rater_names
from apps.demo.audience.ratings import ratings_load
from apps.demo.closing import ranking_load
from apps.demo.competition import competition_load
from apps.demo.dates import Dates, dates_move, demo_remember
from apps.demo.models import LoadedDemo
from apps.demo.moments import moment, starts_at, title_of
from apps.demo.texts import account_texts, post_texts, session_texts
from apps.news.models import BlogPost
from apps.ratings.models import PerformanceRating, PieceRating
from tests.apps.conftest import run_together
from tests.apps.demo.living import audience_shrink, sessions_shrink

pytestmark = pytest.mark.long(reason="loads the demo")
PASSWORD = "row-g-seat-12"
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path, monkeypatch):
    settings.DATA = tmp_path
    monkeypatch.setenv("DEMO_PASSWORD", PASSWORD)
    return tmp_path


@pytest.fixture(autouse=True)
def listeners(monkeypatch):
    """Reduce competition and audience; return the names of the listeners."""
    sessions_shrink(monkeypatch)
    return (*rater_names(), *audience_shrink(monkeypatch))


@pytest.fixture
def demo_command(capsys):
    """Return a function that calls the command and returns what it prints."""

    def call():
        call_command("demo")
        return capsys.readouterr().out

    return call


@pytest.mark.django_db(transaction=True)
def test_concurrent_loads_and_moves_happen_once(demo_command):
    assert sorted(run_together(competition_load, competition_load)) == [False, True]
    assert sorted(run_together(ratings_load, ratings_load)) == [False, True]
    assert sorted(run_together(ranking_load, ranking_load)) == [False, True]
    demo_remember()
    models = (User, Participant, Session, Appearance, ProgramEntry, BlogPost, PieceRating, PerformanceRating)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    assert all(before)
    assert "There are sessions already, nothing loaded." in demo_command()
    assert before == [list(model.objects.order_by("pk").values()) for model in models]
    starts = dict(Session.objects.values_list("pk", "starts_at"))
    move = partial(dates_move, now=LoadedDemo.objects.get().present_at + DAY)
    assert {*run_together(move, move)} == {Dates.MOVED, Dates.CURRENT}
    moved = {pk: (at.astimezone(venue_zone()) + DAY).astimezone(UTC) for pk, at in starts.items()}
    assert dict(Session.objects.values_list("pk", "starts_at")) == moved


def assert_moves_once(demo_command):
    """Call the command twice on the day after the load: the first call moves the dates."""
    LoadedDemo.objects.update(present_at=F("present_at") - DAY)
    assert "The demo's dates were moved to today." in demo_command()
    assert "moved" not in demo_command()


@pytest.mark.django_db
def test_command_prints_the_accounts_on_a_local_site_only(settings, data_folder, demo_command, listeners):
    printed = demo_command()
    assert "The demo competition is loaded." in printed
    assert f"Password: {PASSWORD}" in printed
    assert "halina@example.org  halina_k  administrator" in printed
    assert stat.S_IMODE((data_folder / "demo-accounts.txt").stat().st_mode) == 0o600
    assert authenticate(username="halina@example.org", password=PASSWORD).is_admin
    assert User.objects.filter(is_admin=False).exclude(username__in=listeners).count() == 2
    assert live_now() is not None
    assert_moves_once(demo_command)
    settings.DEMO_ACCOUNTS = False
    printed = demo_command()
    assert "WARNING: halina_k, pedal-point, una_corda came with a password" in printed
    assert PASSWORD not in printed


@pytest.mark.django_db
def test_public_demo_has_no_accounts_to_sign_in_with(settings, data_folder, demo_command, listeners):
    settings.DEMO_ACCOUNTS = False
    printed = demo_command()
    assert "The demo competition is loaded." in printed
    assert "the demo brings no accounts to sign in with" in printed
    assert "WARNING" not in printed
    assert PASSWORD not in printed
    assert not (data_folder / "demo-accounts.txt").exists()
    assert User.objects.count() == len(account_texts()) + len(listeners)
    assert not User.objects.filter(is_admin=True).exists()
    assert not any(user.has_usable_password() for user in User.objects.all())
    assert not any(authenticate(username=text.email, password=PASSWORD) for text in account_texts())
    assert live_now() is not None
    assert_moves_once(demo_command)


@pytest.mark.django_db
def test_competition_without_a_demo_keeps_its_dates(demo_command):
    accounts_load()
    starts_at = timezone.now() - DAY
    session_create(actor=OPERATOR, title="Opening", starts_at=starts_at)
    assert "There are sessions already, nothing loaded.\n" in demo_command()
    assert not LoadedDemo.objects.exists()
    assert dates_move() == Dates.NONE
    assert Session.objects.get().starts_at == starts_at


@pytest.mark.django_db
def test_random_password_is_made_once_and_kept(monkeypatch):
    monkeypatch.delenv("DEMO_PASSWORD")
    ids = accounts_load()
    password = accounts_text().splitlines()[0].removeprefix("Password: ")
    assert len(password) > 20
    assert authenticate(username="pedal@example.org", password=password).pk == ids["pedal-point"]
    User.objects.all().delete()
    accounts_load()
    assert authenticate(username="corda@example.org", password=password)


@pytest.mark.django_db
def test_accounts_file_becomes_readable_by_its_owner_only(data_folder):
    file = data_folder / "demo-accounts.txt"
    file.write_text("Password: old\n")
    file.chmod(0o644)
    accounts_load()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert accounts_text().startswith(f"Password: {PASSWORD}\n")


@given(st.datetimes(datetime(2026, 1, 1), datetime(2028, 12, 31)))  # noqa: DTZ001 - given its zone below
def test_sessions_and_news_lie_around_now_at_any_moment(clock):
    now = clock.replace(tzinfo=venue_zone())
    for text in session_texts():
        begins = starts_at(text, now)
        if text.live:
            assert begins.astimezone(venue_zone()).date() == now.date()
            assert now - timedelta(hours=3, minutes=1) <= begins <= now
            assert begins.minute in {0, 30}
            assert title_of(text, begins).endswith(("morning session", "afternoon session", "evening session"))
        else:
            assert (begins < now) == (text.day < 0)
    assert all(moment(now, text.day, text.time) < now for text in post_texts() if text.is_published)


@pytest.mark.django_db
def test_times_on_stage_lie_within_their_session_shortly_after_midnight():
    competition_load(now=datetime(2027, 10, 12, 0, 2, tzinfo=venue_zone()))
    times = PerformingTime.objects.all()
    assert times.filter(ended_at=None).exists()
    assert not times.filter(began_at__lt=F("appearance__session__starts_at")).exists()


def test_day_follows_the_venue_clock():
    now = datetime(2027, 10, 12, 23, 30, tzinfo=venue_zone())
    assert moment(now, 1, "10:00").date() == date(2027, 10, 13)


LOCAL = ("http://localhost:8000", "http://127.0.0.1:8000")
PUBLIC = ("https://parterre.example", "https://localhost", "http://192.168.1.5:8000")
SETTINGS = """
import json, os, sys
from importlib import import_module
answers = {}
for address in sys.argv[1:]:
    os.environ["PUBLIC_URL"] = address
    for name in [name for name in sys.modules if name.startswith("project")]:
        del sys.modules[name]
    answers[address] = import_module("project.settings").DEMO_ACCOUNTS
print(json.dumps(answers))
"""


def test_address_decides_whether_demo_accounts_have_a_password():
    environment = {**os.environ, "SECRET_KEY": "k" * 60, "DEMO": "1", "ALLOWED_HOSTS": ""}
    command = [sys.executable, "-c", SETTINGS, *LOCAL, *PUBLIC]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == dict.fromkeys(LOCAL, True) | dict.fromkeys(PUBLIC, False)
