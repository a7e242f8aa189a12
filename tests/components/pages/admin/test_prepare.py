"""The area Prepare and the setup steps: the state of each kind of row, what is to be done next, and live updates."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.utils import timezone

from apps.accounts.actors import OPERATOR
from apps.accounts.services.site_contact import site_contact_set
from apps.competition.models import Participant, Piece, Session
from apps.competition.selectors.admin.preparation import preparation_get
from apps.competition.services.participants import participant_delete
from apps.competition.services.stages import stage_create
from apps.core.threads import in_thread
from apps.imports.services.participant_files import participant_file_store
from apps.jury.services import sheet_publish, sheet_save
from tests.commanding import command
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import (
    AdminFactory,
    AppearanceFactory,
    BlogPostFactory,
    ParticipantFactory,
    PieceFactory,
    ProgramEntryFactory,
    SessionFactory,
    StageFactory,
    viewer_of,
)
from tests.screen import open_page

PREPARE = "/admin/prepare"


def coming(**more):
    return SessionFactory(starts_at=timezone.now() + timedelta(hours=2), **more)


def lines(page):
    """Return the state of each line by its name."""
    blocks = [one(row, "div", "entries__what") for row in every(page, "li", "entries__row")]
    return {text(one(block, "h2")): text(one(block, "p")) for block in blocks}


def shown(viewer):
    return opened(PREPARE, viewer).main


@pytest.fixture
def admin(db):
    return viewer_of(AdminFactory())


def test_empty_installation_has_setup_steps(admin):
    Piece.objects.all().delete()
    page = shown(admin)
    assert every(page, "section", "first-steps")
    assert not every(page, "section", "next-task")
    assert lines(page) == {
        "Participants": "No participants yet.",
        "Pieces": "No pieces yet.",
        "Pianos": "No pianos yet.",
        "Stages": "No stages yet.",
        "Sessions": "No sessions yet.",
        "Programs": "No session is to come.",
        "Imports": "Nothing waits.",
        "Jury": "No sheet is stored yet.",
        "Blog": "No blog posts yet.",
    }


def set_up():
    """Complete all setup steps of a competition with one past session."""
    Piece.objects.all().delete()
    site_contact_set(actor=OPERATOR, name="Jan Kowalski", email="hall@example.org")
    entry = ProgramEntryFactory(appearance__participant__avatar_url="/static/a.png")
    entry.appearance.times.create(began_at=timezone.now() - timedelta(days=1), ended_at=timezone.now())
    return entry


def test_lines_count_in_singular_and_plural(admin):
    set_up()
    assert lines(shown(admin)) | {"Imports": ""} == {
        "Participants": "1 participant",
        "Pieces": "1 piece",
        "Pianos": "No pianos yet.",
        "Stages": "1 stage",
        "Sessions": "1 session, 0 to come",
        "Programs": "No session is to come.",
        "Imports": "",
        "Jury": "No sheet is stored yet.",
        "Blog": "No blog posts yet.",
    }
    session = coming(title="Stage I, evening session")
    first, _ = AppearanceFactory(session=session), AppearanceFactory(session=session)
    ProgramEntryFactory(appearance=first, piece=PieceFactory())
    coming(title="Later, without performers")
    BlogPostFactory.create_batch(2, is_published=True, published_at=timezone.now())
    BlogPostFactory(is_published=False, published_at=None)
    seen = lines(shown(admin))
    assert seen["Participants"] == "3 participants, 2 without a picture"
    assert (seen["Pieces"], seen["Stages"]) == ("2 pieces", "3 stages")
    assert seen["Sessions"] == "3 sessions, 2 to come, 1 without an order of playing"
    assert seen["Programs"] == "Stage I, evening session: 1 of 2 have a program"
    assert seen["Blog"] == "2 articles, 1 draft"


def test_next_task_is_the_first_gap_of_coming_sessions(admin):
    set_up()

    def task():
        page = one(shown(admin), "section", "next-task")
        return text(one(page, "p")), attributes(one(page, "a"))["href"]

    assert "No session is to come." in text(shown(admin))
    session = coming(title="Evening")
    assert task() == ("Evening: no order of playing yet", f"/admin/sessions?mode=edit&id={session.pk}")
    appearance = AppearanceFactory(session=session)
    assert task() == ("Evening: 0 of 1 has a program", f"/admin/programs?session={session.pk}")
    ProgramEntryFactory(appearance=appearance, piece=PieceFactory())
    assert "All sessions to come have their programs." in text(shown(admin))
    assert not every(shown(admin), "section", "next-task")


def test_session_is_coming_until_live_or_an_hour_late(db):
    now = timezone.now()
    late = SessionFactory(starts_at=now - timedelta(minutes=50))
    SessionFactory(starts_at=now - timedelta(minutes=70))
    SessionFactory(starts_at=now - timedelta(minutes=5), ended_at=now)
    live = SessionFactory(starts_at=now - timedelta(hours=3), is_live=True)
    later = coming()
    preparation = preparation_get()
    assert [session.id for session in preparation.coming] == [live.pk, late.pk, later.pk]
    assert (preparation.sessions, preparation.to_come) == (5, 3)
    assert preparation.next_session.id == live.pk


def test_unsaved_imports_and_jury_sheets_are_counted(admin):
    marks = {(ParticipantFactory().pk, "Juror One"): Decimal(20)}
    sheets = [
        sheet_save(actor=OPERATOR, stage_id=StageFactory().pk, place=place, marks=marks).sheet_id for place in (1, 2)
    ]
    sheet_publish(actor=OPERATOR, sheet_id=sheets[0])
    assert lines(shown(admin))["Jury"] == "1 sheet published, 1 draft"
    names = "FirstName|LastName|Country|Piece1|Piece2|Piece3|Piece4|Piece5\n"
    content = (names + "Zofia|Łęcka|Poland|||||\n" + "short\n").encode()
    participant_file_store(actor=admin, file_name="people.csv", content=content)
    assert lines(shown(admin))["Imports"] == "people.csv: 1 row to save, 1 short row"
    assert lines(shown(viewer_of(AdminFactory())))["Imports"] == "Nothing waits."


async def test_open_page_follows_changes():
    user = await in_thread(AdminFactory)
    person = await in_thread(ParticipantFactory)
    async with open_page(PREPARE, user=user) as screen:
        await screen.until("1 participant, 1 without a picture")
        await in_thread(lambda: participant_delete(actor=OPERATOR, participant_id=person.pk))
        await screen.until("No participants yet.")
    assert await in_thread(lambda: not Participant.objects.exists())


def steps_done(screen):
    steps = every(one(screen.tree, "section", "first-steps"), "li")
    return [text(step).endswith("Done") for step in steps]


async def test_setup_steps_follow_changes_and_disappear_when_done():
    await in_thread(lambda: Piece.objects.all().delete())
    user, colleague = await in_thread(lambda: AdminFactory.create_batch(2))
    async with open_page("/admin", user=user) as screen, open_page("/admin/programs", user=colleague) as elsewhere:
        assert steps_done(screen) == [False] * 7
        assert attributes(one(screen.tree, "a", "button"))["href"] == "/admin/contact"
        named = {"name": "Jan Kowalski", "email": "hall@example.org"}
        await in_thread(lambda: site_contact_set(actor=OPERATOR, **named))
        await screen._until(lambda: steps_done(screen) == [True] + [False] * 6, "the first step done, by push")
        assert attributes(one(screen.tree, "a", "button"))["href"] == "/admin/stages?mode=create"
        stage = await in_thread(lambda: stage_create(actor=OPERATOR, name="Stage I"))
        await screen._until(lambda: steps_done(screen) == [True] * 2 + [False] * 5, "the second step done, by push")
        appearance = await in_thread(lambda: AppearanceFactory(session__stage=stage))
        piece = await in_thread(PieceFactory)
        await screen.go("/admin/blog")
        await screen.go("/admin")
        assert steps_done(screen) == [True] * 5 + [False] * 2
        assert (await command(elsewhere, "program_select", f"{appearance.pk}:{piece.pk}"))["ok"]
        await screen._until(
            lambda: steps_done(screen) == [True] * 6 + [False], "a program chosen by a colleague, by push"
        )
        await in_thread(lambda: Session.objects.update(is_live=True))
        await screen.go("/admin/blog")
        await screen.go("/admin")
        assert not every(screen.tree, "section", "first-steps")


@pytest.mark.django_db
def test_command_lists_missing_setup_steps(capsys):
    def output():
        call_command("first_steps")
        return capsys.readouterr().out

    Piece.objects.all().delete()
    assert output().count("missing  ") == 8
    AdminFactory()
    call_command("contact", "Jan Kowalski", "hall@example.org")
    ProgramEntryFactory(appearance__session__is_live=True)
    assert output().splitlines()[-1] == "All of it is done."
