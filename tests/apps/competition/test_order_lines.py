"""A pasted running order: lines by start number and name, what is open, and participants from elsewhere."""

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
from tests.factories import AppearanceFactory, ParticipantFactory, SessionFactory, StageFactory

pytestmark = pytest.mark.django_db


def person(first: str, second: str, number: int | None = None, country: str = "Poland") -> Participant:
    return ParticipantFactory(first_name=first, second_name=second, start_number=number, country=country)


@pytest.mark.parametrize(
    "line",
    [
        "12",
        "12.",
        "No. 12",
        "12. Zofia Wróblewska-Łęcka",
        "12\tZofia Wróblewska-Łęcka\tPoland",
        "12;Zofia Wróblewska-Łęcka;Poland",
        "1;12;Zofia Wróblewska-Łęcka",
        "3) ZOFIA WROBLEWSKA LECKA",
        "Wróblewska-Łęcka, Zofia",
        "wroblewska-lecka zofia",
        "Zofia Wróblewska-Łęcka, Poland",
        "  12  -  Zofia Wróblewska-Łęcka  ",
    ],
)
def test_a_line_names_a_participant_by_number_by_name_and_by_both(line: str) -> None:
    zofia = person("Zofia", "Wróblewska-Łęcka", 12)
    person("Jan", "Kowalski", 3)
    draft = order_lines_read(line, [])
    assert (draft.participant_ids, draft.added, draft.open_lines) == ((zofia.pk,), 1, ())


def test_what_is_not_found_or_is_several_stays_open_and_all_lines_add_up() -> None:
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
    assert {each.id for each in people.like("Ewa Lis")} == {twin.pk, other.pk}
    assert {each.id for each in people.like("Eva Liss")} == {twin.pk, other.pk}
    assert people.like("99") == ()


def test_a_chosen_participant_comes_where_the_line_stood() -> None:
    draft = order_chosen([1, 2, 3], [(1, 7), (1, 8), (0, 9), (2, 2), (55, 6)])
    assert (draft.participant_ids, draft.added) == ((9, 1, 7, 8, 2, 3, 6), 4)


def test_the_next_ones_are_in_no_session_of_the_stage() -> None:
    stage, other = StageFactory(), StageFactory()
    last, first, second, unnumbered = person("A", "A", 30), person("B", "B", 4), person("C", "C", 9), person("D", "D")
    AppearanceFactory(session=SessionFactory(stage=stage), participant=first)
    AppearanceFactory(session=SessionFactory(stage=other), participant=second)
    draft = order_next(stage_id=stage.pk, count=2, playing=[])
    assert draft.participant_ids == (second.pk, last.pk)
    assert order_next(stage_id=stage.pk, count=9, playing=[last.pk]).participant_ids == (
        last.pk,
        second.pk,
        unnumbered.pk,
    )


def test_a_session_is_copied_and_those_who_advance_are_put_in() -> None:
    first, final = StageFactory(order_number=1), StageFactory(order_number=3)
    StageFactory(order_number=2, archived_at="2027-01-01T00:00Z")
    session = SessionFactory(stage=first)
    people = [person("A", "A", 8), person("B", "B", 2), person("C", "C", 5)]
    for each in people:
        AppearanceFactory(session=session, participant=each)
    copied = order_copied(session_id=session.pk, playing=[people[1].pk])
    assert copied.participant_ids == (people[1].pk, people[0].pk, people[2].pk)
    assert (copied.added, copied.there) == (2, (2,))
    for each in people[:2]:
        StageAdvancement.objects.create(stage=first, participant=each)
    assert order_advancing(stage_id=final.pk, playing=[]).participant_ids == (people[1].pk, people[0].pk)
    AppearanceFactory(session=SessionFactory(stage=final), participant=people[0])
    assert order_advancing(stage_id=final.pk, playing=[]).participant_ids == (people[1].pk,)
    assert order_advancing(stage_id=first.pk, playing=[]).participant_ids == ()


NUMBERS = st.lists(st.integers(1, 10**6), max_size=20, unique=True).map(tuple)
OPEN = st.builds(
    OpenLine,
    st.integers(1, 300),
    st.integers(0, 10**6),
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1),
)


@given(
    ids=NUMBERS, there=NUMBERS, repeated=NUMBERS, lines=st.lists(OPEN, max_size=5).map(tuple), added=st.integers(0, 100)
)
def test_an_address_says_the_whole_draft(ids, there, repeated, lines, added) -> None:  # type: ignore[no-untyped-def]
    draft = OrderDraft(ids, added, there, repeated, lines)
    assert order_draft_of(dict(parse_qsl(draft.address(7).partition("?")[2]))) == draft


@given(query=st.dictionaries(st.sampled_from(["stamp", "order", "added", "there", "open"]), st.text()))
def test_any_other_address_is_read_too(query: dict[str, str]) -> None:
    draft = order_draft_of(query)
    assert (draft is None) == ("stamp" not in query)
