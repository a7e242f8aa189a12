"""Test the demo's command: it loads once, and only the owner of the machine sees the demo's passwords."""

import os
import stat
import subprocess
import sys
from datetime import date, datetime, timedelta

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.competition.models import Participant, ProgramEntry, Session, SessionParticipant
from apps.competition.selectors.public.sessions import live_now
from apps.core.database.fields import venue_zone
from apps.demo.accounts import accounts_load, accounts_text
from apps.demo.audience.opinions import rater_names
from apps.demo.audience.ranked_stage import stalls_names
from apps.demo.audience.ratings import ratings_load
from apps.demo.competition import competition_load
from apps.demo.dates import demo_remember
from apps.demo.moments import moment, starts_at, title_of
from apps.demo.texts import account_texts, post_texts, session_texts
from apps.news.models import BlogPost
from tests.apps.conftest import run_together

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def data_folder(settings, tmp_path, monkeypatch):
    settings.DATA = tmp_path
    monkeypatch.setenv("DEMO_PASSWORD", "row-g-seat-12")
    return tmp_path


@pytest.mark.django_db(transaction=True)
def test_competition_loads_once_whoever_asks_and_however_often(capsys):
    assert sorted(run_together(competition_load, competition_load)) == [False, True]
    ratings_load()
    demo_remember()
    models = (User, Participant, Session, SessionParticipant, ProgramEntry, BlogPost)
    before = [list(model.objects.order_by("pk").values()) for model in models]
    assert all(before)
    call_command("demo")
    assert "There are sessions already, nothing loaded." in capsys.readouterr().out
    assert before == [list(model.objects.order_by("pk").values()) for model in models]


@pytest.mark.django_db
def test_accounts_are_told_to_the_owner_of_the_machine_only(data_folder, capsys):
    call_command("demo")
    printed = capsys.readouterr().out
    assert "The demo competition is loaded." in printed
    assert "Password: row-g-seat-12" in printed
    assert "halina@example.org  halina_k  administrator" in printed
    assert stat.S_IMODE((data_folder / "demo-accounts.txt").stat().st_mode) == 0o600
    assert authenticate(username="halina@example.org", password="row-g-seat-12").is_admin
    members = User.objects.filter(is_admin=False).exclude(username__in=[*rater_names(), *stalls_names()])
    assert members.count() == 2
    assert live_now() is not None


@pytest.mark.django_db
def test_a_password_is_made_up_and_kept_when_none_is_given(monkeypatch):
    monkeypatch.delenv("DEMO_PASSWORD")
    ids = accounts_load()
    password = accounts_text().splitlines()[0].removeprefix("Password: ")
    assert len(password) > 20
    assert authenticate(username="pedal@example.org", password=password).pk == ids["pedal-point"]
    User.objects.all().delete()
    accounts_load()
    assert authenticate(username="corda@example.org", password=password)


@pytest.mark.django_db
def test_a_note_that_others_could_read_is_closed(data_folder):
    file = data_folder / "demo-accounts.txt"
    file.write_text("Password: old\n")
    file.chmod(0o644)
    accounts_load()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert accounts_text().startswith("Password: row-g-seat-12\n")


@given(st.datetimes(datetime(2026, 1, 1), datetime(2028, 12, 31)))  # noqa: DTZ001 - given its zone below
def test_sessions_and_news_lie_around_now_whenever_it_is(clock):
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


def test_a_day_is_a_day_of_the_hall():
    now = datetime(2027, 10, 12, 23, 30, tzinfo=venue_zone())
    assert moment(now, 1, "10:00").date() == date(2027, 10, 13)


@pytest.mark.django_db
def test_behind_a_public_address_nobody_signs_in_with_the_demos_accounts(settings, data_folder, capsys):
    settings.DEMO_ACCOUNTS = False
    call_command("demo")
    printed = capsys.readouterr().out
    assert "The demo competition is loaded." in printed
    assert "the demo brings no accounts to sign in with" in printed
    assert "WARNING" not in printed
    assert "row-g-seat-12" not in printed
    assert not (data_folder / "demo-accounts.txt").exists()
    assert User.objects.count() == len(account_texts()) + len(rater_names()) + len(stalls_names())
    assert not User.objects.filter(is_admin=True).exists()
    assert not any(user.has_usable_password() for user in User.objects.all())
    assert not any(authenticate(username=text.email, password="row-g-seat-12") for text in account_texts())
    assert live_now() is not None


@pytest.mark.django_db
def test_accounts_of_a_local_demo_are_named_once_the_site_is_public(settings, capsys):
    call_command("demo")
    settings.DEMO_ACCOUNTS = False
    capsys.readouterr()
    call_command("demo")
    printed = capsys.readouterr().out
    assert "WARNING: halina_k, pedal-point, una_corda came with a password" in printed
    assert "row-g-seat-12" not in printed


@pytest.mark.parametrize(
    ("address", "given"),
    [
        ("http://localhost:8000", True),
        ("http://127.0.0.1:8000", True),
        ("https://parterre.example", False),
        ("https://localhost", False),
        ("http://192.168.1.5:8000", False),
    ],
)
def test_the_address_decides_whether_the_demos_accounts_have_a_password(address, given):
    told = "from django.conf import settings; print(settings.DEMO_ACCOUNTS)"
    environment = {**os.environ, "PUBLIC_URL": address, "SECRET_KEY": "k" * 60, "DEMO": "1", "ALLOWED_HOSTS": ""}
    environment["DJANGO_SETTINGS_MODULE"] = "project.settings"
    made = subprocess.run([sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=True)
    assert made.stdout.strip() == str(given)
