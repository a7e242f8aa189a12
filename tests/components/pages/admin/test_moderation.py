"""Moderators at work: what they see, what they decide, what they take back; two at once, and nobody else."""

import asyncio
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.competition.models import Session
from apps.core.bus import publish_topics
from apps.ratings.models import PerformanceRating, PieceRating
from components.pages.admin.desk.queue import ROWS
from project.threads import in_thread
from tests.acting import Answer, acted
from tests.components.conftest import evening_with
from tests.components.seen import Seen, attributes, every, loaded, name, one, opened, text
from tests.factories import AdminFactory, PerformanceRatingFactory, PieceRatingFactory, UserFactory, viewer_of
from tests.screen import Screen, open_page

DESK = "/admin"
live = pytest.mark.django_db(transaction=True)
GONE = "This rating has been decided already."


def waiting(place: Any, piece: Any, author: str, **more: Any) -> PieceRating:
    """A piece rating that waits."""
    return PieceRatingFactory(session_participant=place, piece=piece, user=UserFactory(username=author), **more)


def hall(authors: str = "ada ben cleo") -> SimpleNamespace:
    """An evening of three with a rating of its first piece by each of `authors`, and two who moderate."""
    made = evening_with(3)
    made.piece = made.places[0].program.get(order_number=1).piece
    made.ratings = {each: waiting(made.places[0], made.piece, each) for each in authors.split()}
    made.halina, made.ignacy = AdminFactory(username="halina_k"), AdminFactory(username="ignacy_p")
    return made


def authors(where: Seen) -> list[str]:
    """Whose ratings the list shows, in its order."""
    return [text(each).split(", by ")[1].split(",")[0] for each in every(where.main, "p", "queue__by")]


def decision(where: Any, verdict: str, author: str) -> tuple[str, str]:
    """Act and argument of the button that decides about this author's rating."""
    (found,) = [each for each in every(where, "button") if name(each) == f"{verdict} the rating by {author}"]
    return attributes(found)["data-act"], attributes(found)["data-argument"]


def ticks(where: Any) -> list[str]:
    """The values of the boxes."""
    return [attributes(each)["value"] for each in every(where, "input", "tick")]


async def decided(screen: Screen, verdict: str, author: str) -> Answer:
    """Press a row's button."""
    return await acted(screen, *decision(screen.tree, verdict, author))


async def shows(screen: Screen, count: int) -> None:
    """Wait until the list has so many rows."""
    await screen._until(lambda: len(ticks(screen.tree)) == count, f"not {count} rows")


@live
async def test_what_one_decides_leaves_the_list_of_the_other_and_is_decided_once() -> None:
    made = await in_thread(hall)
    async with open_page(DESK, user=made.halina) as halina, open_page(DESK, user=made.ignacy) as ignacy:
        stale = decision(ignacy.tree, "Reject", "ada")
        answer = await decided(halina, "Approve", "ada")
        assert (answer["ok"], answer["text"]) == (True, "Piece rating approved successfully")
        await shows(ignacy, 2)
        late = await acted(ignacy, *stale)
        assert (late["ok"], late["text"]) == (False, GONE)
        answer = await decided(ignacy, "Reject", "ben")
        assert answer["text"] == "Piece rating rejected successfully"
        await shows(halina, 1)
        await halina.until("Piece Ratings 1 waiting")
    assert await in_thread(lambda: PieceRating.objects.get(approved=True).user.username) == "ada"
    assert await in_thread(PieceRating.objects.count) == 2


@live
async def test_two_who_decide_about_one_rating_at_the_same_moment_decide_it_once() -> None:
    made = await in_thread(hall)
    async with open_page(DESK, user=made.halina) as halina, open_page(DESK, user=made.ignacy) as ignacy:
        answers = await asyncio.gather(decided(halina, "Approve", "cleo"), decided(ignacy, "Reject", "cleo"))
        assert sorted((each["ok"], each["text"] == GONE) for each in answers) == [(False, True), (True, False)]
        for screen in (halina, ignacy):
            await shows(screen, 2)


@live
async def test_a_selection_is_decided_in_one_go_and_taken_back() -> None:
    made = await in_thread(hall)
    async with open_page(DESK, user=made.halina) as halina:
        answer = await acted(halina, "ratings_decide", decision="reject", rating=ticks(halina.tree)[:2])
        assert (answer["ok"], answer["text"]) == (True, "2 ratings rejected.")
        await shows(halina, 1)
        await halina.until("Undo: 2 rejected")
        back = await acted(halina, *answer["undo"])
        assert (back["ok"], back["text"]) == (True, "2 ratings wait again.")
        await shows(halina, 3)
        await halina.until_gone("Undo:")
        again = await acted(halina, *answer["undo"])
        assert (again["ok"], again["text"]) == (False, "This can no longer be taken back.")


@live
async def test_the_way_back_is_ones_own_and_survives_a_reload() -> None:
    made = await in_thread(hall)
    async with open_page(DESK, user=made.halina) as halina, open_page(DESK, user=made.ignacy) as ignacy:
        await decided(halina, "Approve", "ada")
        await shows(ignacy, 2)
        assert "Undo" not in ignacy.text.replace("Z undo", "")
        await halina.load(DESK)
        assert halina.button("Undo: 1 approved")
        await halina.press("Undo: 1 approved")
        await shows(ignacy, 3)


@live
async def test_what_comes_while_one_reads_is_counted_and_shown_when_asked_for() -> None:
    made = await in_thread(hall)
    async with open_page(DESK, user=made.halina) as halina:
        await in_thread(lambda: comes(made.places[1], made.piece, "dora"))
        await halina.until("Show 1 newer rating")
        assert ("by dora" in halina.text, "3 waiting" in halina.text) == (False, True)
        await halina.press("Show 1 newer rating")
        await halina.until("by dora")
        await halina.until("4 waiting")
        await halina.until_gone("newer")


@transaction.atomic
def comes(*whose: Any) -> None:
    """Give one more rating, as the services do: everybody who moderates is told."""
    waiting(*whose)
    publish_topics("ratings.waiting")


@live
async def test_all_that_match_means_what_the_list_said_and_nothing_that_came_since() -> None:
    made = await in_thread(hall)
    await in_thread(lambda: [waiting(made.places[1], made.piece, f"late_{n}", score=3) for n in range(ROWS + 1)])
    async with open_page(f"{DESK}?to=5", user=made.halina) as halina:
        assert f"All {ROWS} on this page are selected." in halina.text
        (found,) = [each for each in every(halina.tree, "button") if name(each) == "Reject all 51 that match"]
        assert attributes(found)["data-confirm"] == "Reject all 51 ratings that match?"
        await in_thread(lambda: waiting(made.places[2], made.piece, "later", score=3))
        answer = await acted(halina, attributes(found)["data-act"], attributes(found)["data-argument"])
        assert (answer["ok"], answer["text"]) == (True, "51 ratings rejected.")
        await halina.until("Show 1 newer rating")
    left = await in_thread(lambda: sorted(PieceRating.objects.values_list("user__username", flat=True)))
    assert left == ["ada", "ben", "cleo", "later"]


@live
@pytest.mark.parametrize(
    ("act", "argument", "fields"),
    [
        ("rating_decide", "approve:piece:1:x", {}),
        ("rating_decide", "approve:piece:1:999999999999999999", {}),
        ("ratings_decide", "", {"decision": "approve", "rating": ["17"]}),
        ("ratings_decide", "", {"decision": "approve", "rating": {"a": "b"}}),
        ("ratings_decide", "", {"decision": "burn", "rating": "piece:1:1"}),
        ("ratings_decide_matching", "approve:0:tab=pieces", {}),
        ("ratings_decide_matching", "burn:1:tab=pieces", {}),
        ("decision_undo", "x", {}),
    ],
)
async def test_what_no_client_of_ours_sends_decides_nothing(act: str, argument: str, fields: dict[str, Any]) -> None:
    made = await in_thread(hall)
    async with open_page(DESK, user=made.halina) as halina:
        answer = await acted(halina, act, argument, **fields)
        assert (answer["ok"], "no longer understand" in answer["text"]) == (False, True)
    assert await in_thread(PieceRating.objects.filter(approved=False).count) == 3


@live
async def test_nothing_selected_is_said() -> None:
    made = await in_thread(hall)
    async with open_page(DESK, user=made.halina) as halina:
        answer = await acted(halina, "ratings_decide", decision="approve")
        assert (answer["ok"], answer["text"]) == (False, "Select ratings first, at most 1,000 of them.")


@live
async def test_whoever_is_no_administrator_any_more_decides_nothing() -> None:
    made = await in_thread(hall)
    async with open_page(DESK, user=made.halina) as halina:
        one_act = decision(halina.tree, "Approve", "ada")
        tick = ticks(halina.tree)[0]
        # not by a service: nobody is told, the window stays
        await in_thread(lambda: User.objects.filter(pk=made.halina.pk).update(is_admin=False))
        for act, argument, fields in (
            (*one_act, {}),
            ("ratings_decide", "", {"decision": "reject", "rating": tick}),
            ("ratings_decide_matching", "reject:4000000000000000:", {}),
            ("decision_undo", "1", {}),
        ):
            answer = await acted(halina, act, argument, **fields)
            assert (answer["ok"], answer["text"]) == (False, "Only administrators decide about ratings."), act
    assert await in_thread(PieceRating.objects.filter(approved=False).count) == 3


@live
@pytest.mark.parametrize("tab", ["", "performances", "live", "avatars", "audit"])
async def test_others_are_led_away(tab: str) -> None:
    fan = await in_thread(UserFactory)
    async with open_page(f"{DESK}?tab={tab}", user=fan) as screen:
        assert screen.path == "/"
    async with open_page(f"{DESK}?tab={tab}") as screen:
        assert screen.path.startswith("/login?next=%2Fadmin")


@pytest.mark.django_db
def test_the_list_is_narrowed_by_its_address() -> None:
    made = hall()
    boss, place = viewer_of(made.halina), made.places[2]
    waiting(place, made.piece, "dora", score=3)
    User.objects.filter(username="ben").update(created_at="2020-01-01T00:00:00Z")
    PieceRating.objects.filter(user__username="cleo").update(approved=True)
    for query, expected in (
        ("", ["dora", "ben", "ada"]),
        (f"?participant={place.participant_id}", ["dora"]),
        (f"?session={made.session.pk}", ["dora", "ben", "ada"]),
        ("?session=999", []),
        ("?from=4", ["ben", "ada"]),
        ("?to=4", ["dora"]),
        ("?from=99&to=x", ["dora", "ben", "ada"]),
        ("?q=DORA", ["dora"]),
        ("?q=zofia", []),
        ("?new=1", ["dora", "ada"]),
        ("?show=approved", ["cleo"]),
        ("?show=all", ["dora", "cleo", "ben", "ada"]),
        ("?show=nonsense&before=nonsense", ["dora", "ben", "ada"]),
    ):
        assert authors(opened(DESK + query, boss)) == expected, query


@pytest.mark.django_db
def test_what_is_approved_is_only_deleted_after_asking() -> None:
    made = hall("ada")
    PieceRating.objects.update(approved=True)
    seen = opened(f"{DESK}?show=approved", viewer_of(made.halina))
    (button,) = every(one(seen.main, "ol", "queue"), "button")
    assert attributes(button)["data-act"] == "rating_delete"
    assert attributes(button)["data-confirm"].startswith("Delete the rating “")
    assert (ticks(seen.main), every(seen.main, "button", name="decision")) == ([], [])


@pytest.mark.django_db
def test_all_that_match_are_offered_only_where_all_of_them_wait() -> None:
    made = hall("ada")
    crowd(made, 2 * ROWS + 20)
    boss = viewer_of(made.halina)
    for show, offered in (("waiting", 2), ("all", 0)):
        seen = opened(f"{DESK}?show={show}", boss)
        acts = [attributes(each).get("data-act") for each in every(seen.main, "button")]
        assert acts.count("ratings_decide_matching") == offered


@pytest.mark.django_db
def test_a_performance_is_read_with_its_words() -> None:
    made = hall("ada")
    PerformanceRatingFactory(session_participant=made.places[1], comment="Silence.\nThen more.", score=5)
    seen = opened(f"{DESK}?tab=performances", viewer_of(made.halina))
    (row,) = every(one(seen.main, "ol", "queue"), "li")
    assert "Silence.\nThen more." in text(row)
    assert "5 of 5" in text(row)
    assert "The whole performance" in text(row)
    tabs = one(seen.main, "nav", "tabs")
    assert [text(each) for each in every(tabs, "a")] == [
        "Piece Ratings 1 waiting",
        "Performance Ratings 1 waiting",
        "Live Sessions",
        "Default Avatars",
        "Audit",
    ]
    assert text(one(tabs, "a", aria_current="page")) == "Performance Ratings 1 waiting"


@pytest.mark.django_db
def test_an_empty_list_says_so() -> None:
    boss = viewer_of(AdminFactory())
    assert "Nothing waits for you." in text(opened(DESK, boss).main)
    assert "No ratings found matching your criteria." in text(opened(f"{DESK}?q=nobody", boss).main)
    assert "No ratings available yet." in text(opened(f"{DESK}?show=approved", boss).main)
    assert "No session is live" in text(opened(f"{DESK}?tab=live", boss).main)


def crowd(made: SimpleNamespace, count: int) -> None:
    """So many ratings that wait, half of them of performances with long words."""
    people = User.objects.bulk_create(
        [User(username=f"seat_{n}", email=f"seat{n}@example.org", password="x") for n in range(count // 2)]
    )
    place, piece = made.places[0], made.piece
    common = {"session_participant": place}
    PieceRating.objects.bulk_create([PieceRating(user=each, piece=piece, score=20, **common) for each in people])
    words = "What a night." * 20
    PerformanceRating.objects.bulk_create(
        [PerformanceRating(user=each, score=4, comment=words, **common) for each in people]
    )


@pytest.mark.django_db
def test_ten_thousand_that_wait_cost_what_one_costs() -> None:
    made = hall("ada")
    boss = viewer_of(made.halina)
    with CaptureQueriesContext(connection) as few:
        loaded(DESK, boss)
    crowd(made, 10_000)
    for tab, count in (("", 5001), ("performances", 5000)):
        with CaptureQueriesContext(connection) as many:
            loaded(f"{DESK}?tab={tab}", boss)
        assert len(many) <= len(few) <= 11, [each["sql"] for each in many]
        seen = opened(f"{DESK}?tab={tab}", boss)
        assert len(ticks(seen.main)) == ROWS
        assert f"{count} waiting" in text(seen.main)
        assert len(orjson.dumps(seen.model)) < 200_000
        assert len(seen.html) < 200_000


@pytest.mark.django_db
def test_the_list_goes_on_without_gap_or_repetition() -> None:
    made = hall("ada")
    crowd(made, 2 * ROWS + 20)
    boss, address, read = viewer_of(made.halina), DESK, []
    while address:
        seen = opened(address, boss)
        read += ticks(seen.main)
        address = next((attributes(a)["href"] for a in every(seen.main, "a") if text(a) == "Show older"), "")
    assert len(read) == len(set(read)) == PieceRating.objects.count()
    assert Session.objects.count() == 1
