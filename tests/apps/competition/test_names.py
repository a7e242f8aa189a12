"""Test which names of the competition a text contains."""

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
@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Then Ewa Nowak played.", ["Ewa Nowak"]),
        ("EWA NOWAK’s mazurkas", ["Ewa Nowak"]),
        ("“Ewa Nowak”, she said", ["Ewa Nowak"]),
        ("Ewa Nowak Lis and Zofia Wroblewska-Lecka", ["Ewa Nowak Lis", "Zofia Wróblewska-Łęcka"]),
        ("Zofia Wróblewska-Łęcka—then Ewa Nowak, then Ewa Nowak", ["Zofia Wróblewska-Łęcka", "Ewa Nowak"]),
        ("Ewa Nowakowska, Ewa Nowak-Smith, Mewa Nowak, Ewa. Nowak, Ewa\nNowak, Nowak", []),
        ("Julian Ani li Anna", []),
        ("In Stage I, morning session, it rained.", ["Stage I, morning session"]),
        ("in stage I, morning session; the final; Stage I morning session", []),
        ("Before the Final", ["Final"]),
        ("昨晚李云迪演奏了", []),  # who is stored with the first name first
        ("昨晚云迪李演奏了。", ["云迪 李"]),
        ("성진조가 연주했다", ["성진 조"]),
        ("昨日のさくら氷室さんは", ["さくら 氷室"]),
        ("Seongjin Cho, SEONG-JIN CHO’s", ["Seong-jin Cho"]),
        ("Juergen D'Arcy and Ju\u0308rgen Darcy", ["Jürgen D’Arcy"]),
        ("Seong-jin Choi, Jürgen D’Arcys", []),
        ("", []),
    ],
)
def test_names_are_found_whole_and_in_their_order(text, names):
    assert [each.name for each in named_in(text)] == names


@pytest.mark.parametrize("rows", [1, 5])
def test_two_queries_however_many_there_are(rows, django_assert_num_queries):
    for n in range(rows):
        ParticipantFactory(second_name=f"Nowak{n}")
        SessionFactory()
    with django_assert_num_queries(2):
        assert named_in("Zofia Nowak0")
