"""Test which participants and sessions a text names."""

import pytest

from apps.competition.selectors.public.participants import named_in
from tests.factories import ParticipantFactory, SessionFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def known():
    for first, second in (
        ("Ewa", "Nowak"),
        ("Ewa", "Nowak Lis"),
        ("Zofia", "Wróblewska-Łęcka"),
        ("Li", "An"),
        ("云迪", "李"),
        ("성진", "조"),
        ("さくら", "氷室"),
        ("Seong-jin", "Cho"),
        ("Jürgen", "D’Arcy"),
    ):
        ParticipantFactory(first_name=first, second_name=second)
    for title in ("Stage I, morning session", "Final"):
        SessionFactory(title=title)


@pytest.mark.usefixtures("known")
def test_whole_names_are_found_in_their_order():
    cases = [
        ("Then Ewa Nowak played.", ["Ewa Nowak"]),
        ("EWA NOWAK’s mazurkas", ["Ewa Nowak"]),
        ("“Ewa Nowak”, she called", ["Ewa Nowak"]),
        ("Ewa Nowak Lis and Zofia Wroblewska-Lecka", ["Ewa Nowak Lis", "Zofia Wróblewska-Łęcka"]),
        ("Zofia Wróblewska-Łęcka—then Ewa Nowak, then Ewa Nowak", ["Zofia Wróblewska-Łęcka", "Ewa Nowak"]),
        ("Ewa Nowakowska, Ewa Nowak-Smith, Mewa Nowak, Ewa. Nowak, Ewa\nNowak, Nowak", []),
        ("Julian Ani li Anna", []),
        ("In Stage I, morning session, it rained.", ["Stage I, morning session"]),
        ("in stage I, morning session; the final; Stage I morning session", []),
        ("Before the Final", ["Final"]),
        ("昨晚李云迪演奏了", []),  # the stored name has the first name first
        ("昨晚云迪李演奏了。", ["云迪 李"]),
        ("성진조가 연주했다", ["성진 조"]),
        ("昨日のさくら氷室さんは", ["さくら 氷室"]),
        ("Seongjin Cho, SEONG-JIN CHO’s", ["Seong-jin Cho"]),
        ("Juergen D'Arcy and Ju\u0308rgen Darcy", ["Jürgen D’Arcy"]),
        ("Seong-jin Choi, Jürgen D’Arcys", []),
        ("", []),
    ]
    names = [(text, [subject.name for subject in named_in(text)]) for text, _ in cases]
    assert names == cases


def test_named_in_takes_two_queries_for_any_number_of_rows(django_assert_num_queries):
    for n in range(5):
        ParticipantFactory(second_name=f"Nowak{n}")
        SessionFactory()
        with django_assert_num_queries(2):
            assert named_in("Zofia Nowak0")
