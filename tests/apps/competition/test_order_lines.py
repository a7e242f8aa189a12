"""Test a pasted order of playing: lines with numbers and names, open lines, and other sources of participants."""

from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.competition.models import Participant, StageAdvancement
from apps.competition.order_drafts import OpenLine, OrderDraft, order_draft_of
from apps.competition.selectors.admin.order_lines import (
    People,
    order_advancing,
    order_chosen,
    order_copied,
    order_lines_read,
    order_next,
)
from apps.core.id_orders import IdOrder
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory
from tests.offenders import check_each

pytestmark = pytest.mark.django_db


def person(first: str, second: str, number: int | None = None, country: str = "Poland") -> Participant:
    return ParticipantFactory(first_name=first, second_name=second, start_number=number, country=country)


def test_line_names_a_participant_by_number_name_or_both() -> None:
    zofia = person("Zofia", "Wróblewska-Łęcka", 12)
    person("Jan", "Kowalski", 3)

    def check(line: str) -> None:
        draft = order_lines_read(line, [])
        assert (draft.participant_ids, draft.added, draft.open_lines) == ((zofia.pk,), 1, ())

    name = "Zofia Wróblewska-Łęcka"
    numbered = [f"12. {name}", f"12\t{name}\tPoland", f"12;{name};Poland", f"1;12;{name}", f"  12  -  {name}  "]
    named = [f"{name}, Poland", "3) ZOFIA WROBLEWSKA LECKA", "Wróblewska-Łęcka, Zofia", "wroblewska-lecka zofia"]
    check_each(["12", "12.", "No. 12", *numbered, *named], check)


def test_unknown_and_ambiguous_lines_stay_open() -> None:
    jan, twin, other = person("Jan", "Nowak", 1), person("Ewa", "Lis", 2), person("Ewa", "Lis", 3, "Japan")
    draft = order_lines_read("Jan Nowak\n\nEwa Lis\n99\nEva Liss\n1\n3. Ewa Lis\n2", [other.pk])
    assert draft.participant_ids == (other.pk, jan.pk, twin.pk)
    assert draft.open_lines == (
        OpenLine(3, jan.pk, "Ewa Lis"),
        OpenLine(4, jan.pk, "99"),
        OpenLine(5, jan.pk, "Eva Liss"),
    )
    assert (draft.added, draft.repeated, draft.there, draft.lines) == (2, (6,), (7,), 7)
    people = People.read()
    assert {participant.id for participant in people.like("Ewa Lis")} == {twin.pk, other.pk}
    assert {participant.id for participant in people.like("Eva Liss")} == {twin.pk, other.pk}
    assert people.like("99") == ()


def test_chosen_participant_is_inserted_at_the_line() -> None:
    draft = order_chosen([1, 2, 3], [(1, 7), (1, 8), (0, 9), (2, 2), (55, 6)])
    assert (draft.participant_ids, draft.added) == ((9, 1, 7, 8, 2, 3, 6), 4)


def test_order_next_returns_participants_without_a_session_in_the_stage() -> None:
    stage, other = StageFactory(), StageFactory()
    last, first, second, unnumbered = person("A", "A", 30), person("B", "B", 4), person("C", "C", 9), person("D", "D")
    AppearanceFactory(session=SessionFactory(stage=stage), participant=first)
    AppearanceFactory(session=SessionFactory(stage=other), participant=second)
    draft = order_next(stage_id=stage.pk, count=2, playing=[])
    assert draft.participant_ids == (second.pk, last.pk)
    draft = order_next(stage_id=stage.pk, count=9, playing=[last.pk])
    assert draft.participant_ids == (last.pk, second.pk, unnumbered.pk)


def test_order_copied_and_advancing_add_missing_participants() -> None:
    first, final = StageFactory(order_number=1), StageFactory(order_number=3)
    StageFactory(order_number=2, archived_at="2027-01-01T00:00Z")
    session = SessionFactory(stage=first)
    people = [person("A", "A", 8), person("B", "B", 2), person("C", "C", 5)]
    for participant in people:
        AppearanceFactory(session=session, participant=participant)
    copied = order_copied(session_id=session.pk, playing=[people[1].pk])
    assert copied.participant_ids == (people[1].pk, people[0].pk, people[2].pk)
    assert (copied.added, copied.there) == (2, (2,))
    for participant in people[:2]:
        StageAdvancement.objects.create(stage=first, participant=participant)
    assert order_advancing(stage_id=final.pk, playing=[]).participant_ids == (people[1].pk, people[0].pk)
    AppearanceFactory(session=SessionFactory(stage=final), participant=people[0])
    assert order_advancing(stage_id=final.pk, playing=[]).participant_ids == (people[1].pk,)
    assert order_advancing(stage_id=first.pk, playing=[]).participant_ids == ()
    assert order_next(stage_id=final.pk, count=9, playing=[]).participant_ids == (people[1].pk,)


NUMBERS = st.lists(st.integers(1, 10**6), max_size=20, unique=True).map(tuple)
NAMES = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1)
OPEN = st.builds(OpenLine, st.integers(1, 300), st.integers(0, 10**6), NAMES)


DRAFTS = st.builds(
    OrderDraft,
    NUMBERS,
    st.integers(0, 100),
    NUMBERS,
    NUMBERS,
    st.lists(OPEN, max_size=5).map(tuple),
    read=st.none() | NUMBERS.map(IdOrder),
)


@given(draft=DRAFTS)
def test_address_contains_the_whole_draft(draft: OrderDraft) -> None:
    assert order_draft_of(dict(parse_qsl(draft.address(7).partition("?")[2]))) == draft


@given(query=st.dictionaries(st.sampled_from(["stamp", "order", "added", "there", "open", "read"]), st.text()))
def test_any_address_is_read_as_a_draft_or_none(query: dict[str, str]) -> None:
    draft = order_draft_of(query)
    assert (draft is None) == ("stamp" not in query)
