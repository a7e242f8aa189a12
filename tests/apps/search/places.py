"""Data of the search tests: the demo, the whole catalogue and some performers of a real competition."""

from apps.accounts.actors import OPERATOR
from apps.community.services.posts import post_add
from apps.competition.services.participants import participant_create
from apps.demo.competition import competition_load
from apps.search.selectors import found
from tests.factories import MemberFactory, viewer_of

PERFORMERS = (
    ("Jan", "Kałduński", "Poland", 17),
    ("David", "Khrikuli", "Georgia", 25),
    ("Hyo-jin", "Lee", "South Korea", 31),
    ("Xiaoxuan", "Li", "China", 32),
    ("Kevin", "Chen", "Canada", 8),
    ("Kai-Min", "Chang", "Taiwan", 9),
    ("Yuewen", "Zhang", "China", 10),
    ("Chun Lam", "Ng", "Hong Kong", 11),
    ("Zuzanna", "Wąsik-Müller", "Poland", 77),
    ("Ærøskøbing", "Straßmeyer", "Denmark", 60),
)
LOCAL = {"Lee": "이효진", "Khrikuli": "დავით ხრიკული"}  # names in another script, by second name
POSTS = (
    "Halfway through the live session and my programme has more exclamation marks than in all the years before.",
    "To all who want to follow with the notes: a friend has put an edition of the nocturnes on the table at the door.",
    "It is four in the morning in Valparaíso.",
)


def places_load() -> None:
    """Load the demo with its posts, and the performers."""
    competition_load()
    for text in POSTS:
        post_add(actor=viewer_of(MemberFactory()), content=text)
    for first, second, country, number in PERFORMERS:
        participant_create(
            actor=OPERATOR, first_name=first, second_name=second, country=country, biography="A pianist.",
            start_number=number, name_local=LOCAL.get(second, ""), confirmed=True,
        )  # fmt: skip


def first(typed: str, *, is_administrator: bool = False) -> str:
    """Return kind and title of the first hit, such as "participant Jan Kałduński"; empty without a hit."""
    groups = found(typed, is_administrator=is_administrator, most=5).groups
    return f"{groups[0].kind} {groups[0].hits[0].title}" if groups else ""


def titles(typed: str, *, is_administrator: bool = False) -> list[str]:
    """Return the titles of all hits."""
    groups = found(typed, is_administrator=is_administrator, most=50).groups
    return [hit.title for group in groups for hit in group.hits]
