"""Test the list of pianos, the pianos of performances, and lists that give pianos to performers."""

from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from django.core.exceptions import PermissionDenied, ValidationError

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.competition.models import Appearance, Piano, Session
from apps.competition.order_drafts import order_draft_of
from apps.competition.piano_names import PianoName, piano_read
from apps.competition.selectors.admin.order_lines import order_lines_read
from apps.competition.selectors.admin.pianos import pianos_admin
from apps.competition.selectors.public.pianos import stage_pianos
from apps.competition.services.pianos import (
    piano_add,
    piano_delete,
    piano_update,
    pianos_of_order,
    session_pianos_read,
    session_pianos_set,
)
from apps.competition.services.program_undo import program_undo
from apps.competition.services.session_series import Series, session_series_create
from apps.competition.services.sessions import session_create, session_update
from apps.core.audit import audit_list
from apps.core.edits import ConfirmationNeeded
from tests.factories import EVENING, AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory
from tests.offenders import check_each

pytestmark = pytest.mark.django_db


def piano(maker: str, model: str = "") -> Piano:
    return piano_add(actor=OPERATOR, maker=maker, model=model)


def played(session: object) -> list[str]:
    """Return the pianos of a session in its order."""
    rows = Appearance.objects.filter(session=session).order_by("order_number").select_related("piano")
    return [str(each.piano or "") for each in rows]


def refusal(call: object, **arguments: object) -> dict[str, list[str]]:
    with pytest.raises(ValidationError) as refused:
        call(actor=OPERATOR, **arguments)  # type: ignore[operator]
    return refused.value.message_dict


def test_name_is_split_into_maker_and_model() -> None:
    def check(case: tuple[str, str, str]) -> None:
        text, maker, model = case
        assert piano_read(text) == PianoName(maker, model)

    cases = [
        ("Steinway & Sons D-274", "Steinway & Sons", "D-274"),
        ("Shigeru Kawai SK-EX", "Shigeru Kawai", "SK-EX"),
        ("Yamaha CFX", "Yamaha", "CFX"),
        ("YAMAHA CFX", "YAMAHA", "CFX"),
        ("STEINWAY & SONS D-274", "STEINWAY & SONS", "D-274"),
        ("  Fazioli   F278 ", "Fazioli", "F278"),
        ("C. Bechstein D 282", "C. Bechstein", "D 282"),
        ("Bösendorfer, 280VC", "Bösendorfer", "280VC"),
        ("Steingraeber Modell E 272", "Steingraeber", "E 272"),
        ("Kitamori EX", "Kitamori", "EX"),
        ("Bechstein", "Bechstein", ""),
        ("STEINWAY", "STEINWAY", ""),
    ]
    check_each(cases, check)
    spellings = ["steinway & sons d 274", "Steinway & Sons; D274", "STEINWAY & SONS D-274"]
    assert {piano_read(each).key for each in spellings} == {"steinway&sonsd274"}


def test_list_is_extended_renamed_and_cleared_of_unused_pianos() -> None:
    kitamori = piano(" Kitamori ", "EX")
    assert refusal(piano_add, maker="KITAMORI", model="e-x") == {"model": ["This piano is in the list already."]}
    assert refusal(piano_add, maker=" ", model="EX") == {"maker": ["Please enter the maker of the piano."]}
    assert "maker" in refusal(piano_add, maker="K" * 101, model="")
    appearance = AppearanceFactory(piano=kitamori, participant__name="Ewa Lis", session__title="Final")
    assert [(each.name, each.performances) for each in pianos_admin()] == [("Kitamori EX", 1)]
    with pytest.raises(ValidationError, match=r"Ewa Lis plays this piano \(Final\)"):
        piano_delete(actor=OPERATOR, piano_id=kitamori.pk)
    piano_update(actor=OPERATOR, piano_id=kitamori.pk, maker="Kitamori", model="EX II")
    appearance.refresh_from_db()
    assert str(appearance.piano) == "Kitamori EX II"
    Appearance.objects.update(piano=None)
    piano_delete(actor=OPERATOR, piano_id=kitamori.pk)
    assert not Piano.objects.exists()
    assert [entry.action for entry in audit_list()[:3]] == ["piano.delete", "piano.update", "piano.add"]
    for service, arguments in ((piano_add, {"maker": "A", "model": ""}), (piano_delete, {"piano_id": 1})):
        with pytest.raises(PermissionDenied):
            service(actor=ANONYMOUS, **arguments)  # type: ignore[operator]


def test_two_editors_of_a_session_do_not_overwrite_each_other(listener) -> None:
    first, second = AppearanceFactory(), None
    second = AppearanceFactory(session=first.session, participant__name="Ewa Lis")
    kitamori, other = piano("Kitamori", "EX"), piano("Sennewald", "274")
    listener.heard()
    read: dict[int, int | None] = {first.pk: None, second.pk: None}
    save = {"session_id": first.session_id, "read": read}
    session_pianos_set(actor=OPERATOR, pianos={first.pk: None, second.pk: kitamori.pk}, **save)  # type: ignore[arg-type]
    heard = {f"session.{first.session_id}.performer", f"participant.{second.participant_id}", "pianos", "sessions"}
    assert listener.heard() == heard
    session_pianos_set(actor=OPERATOR, pianos={first.pk: other.pk, second.pk: None}, **save)  # type: ignore[arg-type]
    assert played(first.session) == ["Sennewald 274", "Kitamori EX"], "each keeps what the other one chose"
    conflict = refusal(session_pianos_set, pianos={second.pk: other.pk}, **save)
    assert conflict == {f"piano-{second.pk}": ["The piano of Ewa Lis was changed meanwhile. It is now “Kitamori EX”."]}
    with pytest.raises(ValidationError, match="no longer in the list"):
        session_pianos_set(actor=OPERATOR, session_id=first.session_id, pianos={first.pk: 987654})
    assert audit_list()[0].details["after"] == {f"1 {first.participant.name}": "Sennewald 274"}


def test_removal_from_a_session_and_its_undo_keep_the_piano() -> None:
    kitamori, lost = piano("Kitamori", "EX"), piano("Sennewald", "274")
    first = AppearanceFactory(piano=kitamori)
    AppearanceFactory(session=first.session, piano=lost)
    session = first.session
    form = {"title": session.title, "starts_at": session.starts_at, "description": "", "youtube_id": ""}
    saved = session_update(
        actor=OPERATOR, session_id=session.pk, participant_ids=[], confirmed=True, orchestra="Sinfonia", **form
    )
    piano_delete(actor=OPERATOR, piano_id=lost.pk)
    program_undo(actor=OPERATOR, undo_id=saved.undo_id or 0)
    assert played(session) == ["Kitamori EX", ""], "the removed piano is not known any more"
    session.refresh_from_db()
    assert session.orchestra == "Sinfonia"


def test_pasted_list_gives_pianos_and_offers_unknown_ones() -> None:
    people = [("Tomoharu", "Ushida", 3), ("Zitong", "Wang", 5), ("Ewa", "Lis", 9)]
    session = SessionFactory()
    for first, second, number in people:
        one = ParticipantFactory(first_name=first, second_name=second, start_number=number)
        AppearanceFactory(session=session, participant=one)
    ParticipantFactory(first_name="Jan", second_name="Nowak", start_number=12)
    piano("Yamaha", "CFX")
    read = {"session_id": session.pk}

    def check(text: str) -> None:
        Appearance.objects.update(piano=None)
        count = session_pianos_read(actor=OPERATOR, text=text, session_id=session.pk)
        assert (count, played(session)) == (lists[text], ["Yamaha CFX"] * lists[text] + [""] * (3 - lists[text]))

    lists = {
        "3; Tomoharu Ushida; Yamaha CFX\n5\tZitong Wang\tyamaha\tcfx": 2,
        "Ushida, Tomoharu, yamaha cfx": 1,
        "3,Tomoharu Ushida,Yamaha,CFX": 1,
        "Tomoharu Ushida | Yamaha CFX\n\nEwa Lis |": 1,
        "Nr; Vorname; Nachname; Klavier\n3; Tomoharu; Ushida; Yamaha CFX\n9; Ewa; Lis; ": 1,
    }
    check_each(list(lists), check)
    Appearance.objects.update(piano=None)
    session_pianos_read(actor=OPERATOR, session_id=session.pk, text="3; Yamaha, CFX")
    assert played(session) == ["Yamaha CFX", "", ""], "a start number alone names a participant"
    with pytest.raises(ConfirmationNeeded, match="Kitamori EX is not in the list of pianos: maker “Kitamori”") as offer:
        session_pianos_read(actor=OPERATOR, text="Zitong Wang; kitamori\nEwa Lis; Kitamori EX", **read)
    assert len(offer.value.messages) == 2
    session_pianos_read(actor=OPERATOR, text="Ewa Lis; Kitamori EX\n5; KITAMORI EX", confirmed=True, **read)
    assert played(session) == ["Yamaha CFX", "Kitamori EX", "Kitamori EX"]
    bad = {
        "12; Jan Nowak; Yamaha CFX": "not in this session: 12 Jan Nowak. Put them into the order of playing first.",
        "Nobody; Yamaha CFX": "Lines that name no participant or several ones: 1 (“Nobody”)",
        "3; Tomoaru Ushida; Kitamori EX; x": "Lines that name no participant",
        "3; Yamaha CFX\nUshida, Tomoharu; Kitamori EX": "Two lines give",
        f"3; {'K' * 101}": "Line 1: the name of a piano is too long.",
        " \n": "Paste a list first",
    }

    def check_bad(text: str) -> None:
        errors = refusal(session_pianos_read, text=text, **read)
        assert bad[text] in errors["piano_lines"][0]

    check_each(list(bad), check_bad)


def test_order_list_and_series_take_pianos_over() -> None:
    ids = [
        ParticipantFactory(first_name=first, second_name=second, start_number=number).pk
        for first, second, number in (("Tomoharu", "Ushida", 3), ("Zitong", "Wang", 5))
    ]
    text = "\nNr;Name;Piano\n5;Zitong Wang;\n3;Tomoharu Ushida;yamaha cfx\n"
    piano("Yamaha", "CFX")
    pianos = pianos_of_order(actor=OPERATOR, text=text, field="lines", confirmed=False)
    draft = replace(order_lines_read(text, []), pianos=tuple(pianos.items()))
    assert (draft.participant_ids, draft.open_lines) == ((ids[1], ids[0]), ())
    shown = order_draft_of(dict(parse_qsl(draft.address(0).partition("?")[2])))
    assert shown == draft
    order = {"participant_ids": draft.participant_ids, "pianos": dict(shown.pianos)}
    session = session_create(actor=OPERATOR, title="Evening", starts_at=EVENING, **order)
    assert played(session) == ["", "Yamaha CFX"]
    stage_id = StageFactory(order_number=9).pk  # after the one of the session
    series = Series("2027-10-12 10:00", "", orchestra="Sinfonia", performers=text.replace("yamaha cfx", "Kitamori EX"))
    make = {"actor": OPERATOR, "stage_id": stage_id, "series": series}
    with pytest.raises(ConfirmationNeeded, match=r"1\. 5 Zitong Wang', '\\u20032\. 3 Tomoharu Ushida · Kitamori EX"):
        session_series_create(**make)
    (made,) = session_series_create(**make, confirmed=True)
    assert played(made) == ["", "Kitamori EX"]
    assert Session.objects.get(pk=made).orchestra == "Sinfonia"


def test_pianos_of_a_real_stage_are_read_and_counted() -> None:
    text = (Path(__file__).parent / "pianos_2025.csv").read_text()
    session = SessionFactory()
    for line in text.splitlines()[1:]:
        number, name = line.split(",")[:2]
        first, _, second = name.rpartition(" ")
        one = ParticipantFactory(first_name=first, second_name=second, start_number=int(number))
        AppearanceFactory(session=session, participant=one)
    with pytest.raises(ConfirmationNeeded) as offer:
        session_pianos_read(actor=OPERATOR, session_id=session.pk, text=text)
    assert len(offer.value.messages) == 5
    assert session_pianos_read(actor=OPERATOR, session_id=session.pk, text=text, confirmed=True) == 21
    assert [(each.name, each.performances) for each in stage_pianos(stage_id=session.stage_id)] == [
        ("Steinway & Sons D-274", 12),
        ("Shigeru Kawai SK-EX", 4),
        ("Fazioli F278", 2),
        ("Yamaha CFX", 2),
        ("C. Bechstein D 282", 1),
    ]
