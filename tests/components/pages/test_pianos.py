"""Pianos, orchestra and conductor on public pages, in the search, and in the administration."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actors import OPERATOR
from apps.competition.models import Appearance, Piano, Piece, Session, Stage
from apps.competition.selectors.public.pianos import PianoCount, stage_pianos
from apps.competition.services.pianos import UNKNOWN, piano_add, piano_update, session_pianos_set
from apps.competition.services.sessions import session_update
from apps.core.texts import texts
from apps.core.threads import in_thread
from apps.search.selectors import found
from components.parts.sessions.facts import orchestra_words, pianos_counted, plays_piano
from components.runtime import html
from tests.commanding import command
from tests.components.conftest import busy_session_with
from tests.components.pages.checked_commands import be_refused, check_refusals, succeed
from tests.components.seen import one, opened, text, tree
from tests.factories import AdminFactory
from tests.offenders import check_each
from tests.screen import open_page

ORCHESTRA = {"orchestra": "Sinfonia Nadrzeczna", "conductor": "Jaromír Hlavsa"}
ENGLISH = texts("en")


def give(appearance: Appearance, piano: Piano) -> None:
    session_pianos_set(actor=OPERATOR, session_id=appearance.session_id, pianos={appearance.pk: piano.pk})


@pytest.mark.django_db(transaction=True)
async def test_viewers_see_a_piano_as_it_is_chosen_and_renamed(busy_session):
    now = busy_session.appearances[1]
    await in_thread(lambda: Session.objects.update(**ORCHESTRA))
    piano = await in_thread(lambda: piano_add(actor=OPERATOR, maker="Kitamori", model="EX"))
    page = f"/sessions/{busy_session.session.pk}"
    async with open_page(page) as stage, open_page(f"/participants/{now.participant_id}") as performer:
        assert "With the Sinfonia Nadrzeczna, conducted by Jaromír Hlavsa" in stage.text
        assert "Piano" not in stage.text
        await in_thread(lambda: give(now, piano))
        await stage.until("Piano Kitamori EX Sinfonia Nadrzeczna, conducted by Jaromír Hlavsa")
        await stage.until("plays a Kitamori EX")
        await performer.until("second to play Piano Kitamori EX Sinfonia Nadrzeczna, conducted by Jaromír Hlavsa")
        await in_thread(lambda: piano_update(actor=OPERATOR, piano_id=piano.pk, maker="Aldobrandi", model="F308"))
        await stage.until("plays an Aldobrandi F308")


@pytest.mark.django_db
def test_pianos_of_a_stage_are_counted_without_marks(busy_session):
    stage_id = busy_session.session.stage_id
    pianos = [piano_add(actor=OPERATOR, maker=maker, model="") for maker in ("Sennewald", "Kitamori")]
    for appearance, piano in zip(busy_session.appearances, (*pianos, pianos[1]), strict=True):
        give(appearance, piano)
    assert stage_pianos(stage_id=stage_id) == (PianoCount("Kitamori", 2), PianoCount("Sennewald", 1))
    assert "Pianos Kitamori two, Sennewald one" in text(opened(f"/stages/{stage_id}").main)
    one_piano = text(tree(html.div(pianos_counted((PianoCount("Kitamori EX", 13),), ENGLISH))))
    assert one_piano == "Piano Kitamori EX 13"


def test_words_of_orchestra_and_piano():
    cases = {
        ("Sinfonia", "Hlavsa", True): "With the Sinfonia, conducted by Hlavsa",
        ("The Sinfonia", "", True): "With The Sinfonia",
        ("Sinfonia", "Hlavsa", False): "Sinfonia, conducted by Hlavsa",
        ("", "Hlavsa", True): "Conducted by Hlavsa",
        ("", "", True): "",
    }

    def check(case):
        session = Session(orchestra=case[0], conductor=case[1])
        assert text(tree(html.p(*orchestra_words(session, ENGLISH, opening=case[2])))) == cases[case]

    check_each(list(cases), check)
    assert plays_piano("", ENGLISH) is None


@pytest.mark.django_db
def test_piece_has_its_note_its_score_and_the_pianos_of_its_performances(busy_session):
    now = busy_session.appearances[1]
    give(now, piano_add(actor=OPERATOR, maker="Kitamori", model="EX"))
    piece = Piece.objects.get(name="N")
    about = {"score_url": "https://scores.example.org/27-2", "note": "Written in *1835*.\n<b>No HTML.</b>"}
    Piece.objects.filter(pk=piece.pk).update(**about)
    page = opened(f"/pieces/{piece.pk}").main
    assert "Written in 1835.<b>No HTML.</b>" in text(page)
    assert text(one(page, "em")) == "1835"
    assert text(one(page, "a", href=about["score_url"])) == "Read the score"
    assert "Piano Kitamori EX" in text(page)


@pytest.mark.django_db
def test_piano_and_orchestra_cost_the_same_queries_at_one_and_at_many():
    def costs(count: int) -> dict[str, int]:
        busy = busy_session_with(count, is_live=False)
        Session.objects.filter(pk=busy.session.pk).update(**ORCHESTRA)
        for appearance in busy.appearances:
            give(appearance, piano_add(actor=OPERATOR, maker=f"Maker{appearance.pk}", model=""))
        found = {}
        pages = {"session": f"/sessions/{busy.session.pk}", "stage": f"/stages/{busy.session.stage_id}"}
        pages["performer"] = f"/participants/{busy.appearances[0].participant_id}"
        for name, address in pages.items():
            opened(address)
            with CaptureQueriesContext(connection) as queries:
                opened(address)
            found[name] = len(queries)
        return found

    first = costs(1)
    for table in (Session, Stage, Piece):
        table.objects.all().delete()
    assert costs(8) == first


@pytest.mark.django_db(transaction=True)
async def test_administrator_keeps_the_list_and_chooses_pianos():
    setup = await in_thread(lambda: busy_session_with(2))
    admin = await in_thread(AdminFactory)
    first = setup.appearances[0]
    edit = f"/admin/sessions?mode=edit&id={setup.session.pk}"
    async with open_page("/admin/pianos", user=admin) as pianos, open_page(edit, user=admin) as form:
        assert "The list of pianos is empty." in form.text
        await succeed(pianos, "piano_add", "", "Piano added successfully", maker="Kitamori", model="EX")
        await pianos.until("Kitamori EX in no performance")
        wrong = {"maker": "kitamori", "model": "ex"}
        await check_refusals(pianos, "piano_add", "", [(wrong, "model", "This piano is in the list already.")])
        await form.go(edit)
        piano = await in_thread(Piano.objects.get)
        fields = {"read": f"{first.pk}.0", f"piano-{first.pk}": str(piano.pk)}
        await succeed(form, "session_pianos_set", setup.session.pk, "The pianos are saved.", **fields)
        await pianos.until("Kitamori EX in 1 performance")
        lines = {"piano_lines": f"{setup.appearances[1].participant.name}; Sennewald 274"}
        asked = await command(form, "session_pianos_read", setup.session.pk, **lines)
        assert "Sennewald 274 is not in the list of pianos: maker “Sennewald”, model “274”." in str(asked)
        saved = "The piano of 1 performer is saved."
        await succeed(form, "session_pianos_read", setup.session.pk, saved, confirmed="on", **lines)
        await pianos.until("Sennewald 274 in 1 performance")
        malformed = {"read": "x.1"}
        await be_refused(form, "session_pianos_set", setup.session.pk, UNKNOWN, **malformed)


@pytest.mark.django_db
def test_search_finds_pianos_orchestra_and_conductor(busy_session):
    now = busy_session.appearances[1]
    give(now, piano_add(actor=OPERATOR, maker="Kitamori", model="EX"))
    session = busy_session.session
    form = {"title": session.title, "starts_at": session.starts_at, "description": "", "youtube_id": ""}
    session_update(actor=OPERATOR, session_id=session.pk, **form, **ORCHESTRA)

    def check(case):
        typed, title = case
        groups = found(typed, is_administrator=False, language="en", most=5).groups
        assert [hit.title for group in groups for hit in group.hits] == [title]

    name = now.participant.name
    check_each([("kitamori", name), ("piano kitamori ex", name), ("nadrzeczna", session.title)], check)
    check_each([("hlavsa", session.title)], check)
    session_pianos_set(actor=OPERATOR, session_id=session.pk, pianos={now.pk: None})
    assert not found("kitamori", is_administrator=False, language="en", most=5).groups
