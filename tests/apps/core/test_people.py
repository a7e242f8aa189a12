"""Test whom a line names: certain, or a question with candidates, by one rule for every list and file."""

from dataclasses import dataclass
from time import thread_time

from apps.core.people import PeopleIndex, PersonDoubt, words_of
from tests.offenders import check_each


@dataclass(frozen=True, slots=True)
class Listed:
    """A person of a list."""

    name: str
    country: str = "Poland"
    start_number: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The spellings of the whole name."""
        return (self.name,)


ZOFIA, LAM, LI = (
    Listed("Zofia Wróblewska-Łęcka", "Poland", 12),
    Listed("Chun Lam U", "Hong Kong", 13),
    Listed("云迪 李"),
)
MULLER, MUELLER = Listed("Jürgen Müller", "Germany", 1), Listed("Juergen Mueller", "Germany", 2)
EWA, EWA_OF_JAPAN = Listed("Ewa Lis"), Listed("Ewa Lis", "Japan")
ANNA, ANNA_7 = Listed("Anna Nowak"), Listed("Anna Nowak", "Poland", 7)
PEOPLE = (ZOFIA, LAM, LI, MULLER, MUELLER, EWA, EWA_OF_JAPAN, ANNA, ANNA_7)
NONE, UNKNOWN, SEVERAL = PersonDoubt.NONE, PersonDoubt.NOT_FOUND, PersonDoubt.SEVERAL
OTHER_NAME, CONTRADICTION = PersonDoubt.OTHER_NAME, PersonDoubt.CONTRADICTION


def test_name_of_a_line_is_certain_or_a_question() -> None:
    index = PeopleIndex(PEOPLE)

    def check(line: tuple[str, Listed | None, PersonDoubt, tuple[Listed, ...]]) -> None:
        name, person, doubt, likely = line
        result = index.find(name)
        assert (result.person, result.doubt, result.likely) == (person, doubt, likely)

    zofia = ["wroblewska lecka zofia", "Zofia Wroblewskalecka", "Łęcka-Wróblewska, Zofia", "ZOFIA WRÓBLEWSKA-ŁĘCKA"]
    with_country = ["Wróblewska-Łęcka Zofia (Poland)", "Zofia Wroblewskalecka, Republic of Poland"]
    certain = [
        *((name, ZOFIA, NONE, ()) for name in (*zofia, *with_country)),
        *((name, LAM, NONE, ()) for name in ("ChunLam U", "Lam U Chun", "U, Chun Lam, Hong Kong")),
        *((name, LI, NONE, ()) for name in ("李云迪", "Yundi Li")),
        ("Müller Jürgen", MULLER, NONE, ()),
        ("Mueller, Juergen", MUELLER, NONE, ()),
        ("Ewa Lis, Japan", EWA_OF_JAPAN, NONE, ()),
    ]
    questions = [
        ("Jurgen Muller", None, SEVERAL, (MULLER, MUELLER)),
        ("Ewa Lis", None, SEVERAL, (EWA, EWA_OF_JAPAN)),
        ("Zofia Wróblewska", None, UNKNOWN, (ZOFIA,)),
        ("Zofia Wróblewska-Łęcka, Japan", None, UNKNOWN, (ZOFIA,)),
        ("Maria Kowalska", None, UNKNOWN, ()),
        ("–", None, UNKNOWN, ()),
    ]
    check_each([*certain, *questions], check)


def test_start_number_belongs_to_the_named_person_or_is_the_place() -> None:
    index = PeopleIndex(PEOPLE)

    def check(line: tuple[int, str, bool, Listed | None, PersonDoubt]) -> None:
        number, name, is_place, person, doubt = line
        result = index.find(name, number, is_place=is_place)
        assert (result.person, result.doubt) == (person, doubt)
        assert bool(result.likely) == (doubt is not NONE and bool(words_of(name)))

    lines = [
        (12, "", False, ZOFIA, NONE),
        (12, "Zofia Wróblewska-Łęcka", False, ZOFIA, NONE),
        (12, "Wróblewska-Łęcka", False, ZOFIA, NONE),
        (12, "Wróblewska-Łęcka", True, None, UNKNOWN),
        (12, "Maria Kowalska", False, None, OTHER_NAME),
        (13, "Zofia Wróblewska-Łęcka", False, None, CONTRADICTION),
        (99, "Zofia Wróblewska-Łęcka", False, None, CONTRADICTION),
        (13, "Zofia Wróblewska-Łęcka", True, ZOFIA, NONE),
        (4, "Li Yundi", False, LI, NONE),
        (2, "Jurgen Muller", False, MUELLER, NONE),
        (2, "Jurgen Muller", True, MUELLER, NONE),
        (7, "Anna Nowak", False, ANNA_7, NONE),
        (9, "Anna Nowak", False, None, SEVERAL),
        (12, "Anna Nowak", False, None, CONTRADICTION),
        (99, "", False, None, UNKNOWN),
    ]

    check_each(lines, check)
    assert index.find("Wróblewska-Łęcka", 12, is_place=True).likely == (ZOFIA,)


def test_time_of_a_search_grows_linearly_with_the_line() -> None:
    index = PeopleIndex(PEOPLE)

    def seconds(count: int, part: str) -> float:
        begun = thread_time()
        index.find(part * count, 12)
        return thread_time() - begun

    for part in ("Nowak ", "Nowak,", "é-", "( "):
        assert seconds(16_000, part) < 8 * 4 * min(seconds(2_000, part), seconds(2_000, part)), part
