"""Performances of a piece side by side: what may be compared, without names, and after the member's marks."""

import json
from datetime import timedelta

import pytest
from django.db.transaction import atomic
from django.utils import timezone

from apps.core.threads import in_thread
from apps.ratings.models import PieceRating
from apps.ratings.services.announcement import ratings_announce
from apps.ratings.services.drafts import rating_keep
from apps.ratings.services.strikes import Strikes
from apps.ratings.services.submission import SUBMITTED
from tests.commanding import command
from tests.components.seen import attributes, every, loaded, one, opened, text
from tests.factories import (
    AppearanceFactory,
    PerformanceRatingFactory,
    PieceFactory,
    PieceRatingFactory,
    ProgramEntryFactory,
    SessionFactory,
    UserFactory,
    viewer_of,
)
from tests.general import queries_counted
from tests.project.covering import opened as opened_in_a_window
from tests.screen import open_page

pytestmark = pytest.mark.django_db
VIDEO = "https://youtu.be/aqz-KE-bpKQ?t=62"
PERFORMERS = (("Ada", "Quillfeather", "Ruritania"), ("Ewa", "Marmalade", "Graustark"), ("Jan", "Zweig", "Borduria"))


def entry_of(piece, person, *, days_ago=1, link=VIDEO):
    first, second, country = person
    session = SessionFactory(
        title=f"Evening of {second}", starts_at=timezone.now() - timedelta(days=days_ago), youtube_id=""
    )
    appearance = AppearanceFactory(
        session=session,
        participant__first_name=first,
        participant__second_name=second,
        participant__name=f"{first} {second}",
        participant__country=country,
        participant__avatar_url=f"https://example.org/{second}.png",
    )
    return ProgramEntryFactory(appearance=appearance, piece=piece, youtube_url=link)


def compared(count=2):
    """Return a piece and its entries."""
    piece = PieceFactory()
    return piece, [entry_of(piece, person) for person in PERFORMERS[:count]]


def address(piece, entries, more=""):
    fields = (f"{side}={entry.appearance_id}" for side, entry in zip("abc", entries, strict=False))
    return f"/pieces/{piece.pk}/compare?{'&'.join(fields)}{more}"


def test_two_or_three_performances_are_compared_side_by_side():
    piece, entries = compared()
    main = opened(address(piece, entries)).main
    sides = every(one(main, "ol", "duo__sides"), "li")
    assert len([side for side in sides if attributes(side).get("key", "").startswith("side-")]) == 2
    assert [text(heading) for heading in every(main, "h2", "person__name")] == ["Ada Quillfeather", "Ewa Marmalade"]
    ranges = [attributes(field) for field in every(main, "input") if attributes(field)["type"] == "range"]
    assert [field["name"] for field in ranges] == [f"piece-{piece.pk}"] * 2
    drafts = [attributes(form).get("data-draft") for form in every(main, "form", "rating")]
    assert drafts == [f"rating:{entry.appearance_id}" for entry in entries]
    main = opened(address(piece, entries, "&offset=-4")).main
    (duo,) = every(main, "Duo")
    sides = attributes(duo)["sides"]
    assert [side["second"] for side in sides] == [62, 62]
    assert [side["offset"] for side in sides] == [0, -4]
    assert all("start=" not in side["source"] and "autoplay=1" in side["source"] for side in sides)
    assert json.dumps(sides).count("aqz-KE-bpKQ") == 2
    links = [attributes(link)["href"] for link in every(main, "a") if "YouTube" in text(link)]
    assert len(links) == 2
    assert not every(main, "iframe")
    for offset_typed, offset in (("4", 4), ("-600", -600), ("999", 600), ("9" * 8, 0), ("x", 0), ("--1", 0)):
        duo = one(opened(address(piece, entries, f"&offset={offset_typed}")).main, "Duo")
        assert [side["offset"] for side in attributes(duo)["sides"]] == [0, offset], offset_typed
    assert len(every(opened(address(*compared(3))).main, "h2", "person__name")) == 3


def test_incomparable_performances_are_explained():
    piece, (first, second) = compared()
    alone = PieceFactory()
    entry_of(alone, PERFORMERS[2])
    other = entry_of(PieceFactory(), PERFORMERS[2])
    coming = entry_of(piece, PERFORMERS[2], days_ago=-1)
    for entries, words in (
        ((first, first), "These are the same performance."),
        ((first, other), "does not have this piece in its program"),
        ((first, coming), "has not begun yet"),
    ):
        main = opened(address(piece, entries)).main
        assert words in text(main)
        assert not every(main, "ol", "duo__sides")
    assert "So far there are fewer." in text(opened(f"/pieces/{alone.pk}/compare").main)
    assert loaded("/pieces/999999/compare")[0].status == 404
    ticks = "&".join(f"tick-{entry.appearance_id}={entry.appearance_id}" for entry in (first, second))
    ticked = opened(f"/pieces/{piece.pk}/compare?{ticks}").main
    names = {text(heading) for heading in every(ticked, "h2", "person__name")}
    assert names == {"Ada Quillfeather", "Ewa Marmalade"}
    one_ticked = opened(f"/pieces/{piece.pk}/compare?{ticks.partition('&')[0]}").main
    assert "One performance is chosen. Choose a second one." in text(one_ticked)
    assert attributes(one(one_ticked, "select", name="a"))["defaultValue"] == str(first.appearance_id)
    chosen = opened(f"/pieces/{piece.pk}/compare").main
    assert "Ada Quillfeather (Evening of Quillfeather" in text(chosen)
    for bad in ("a=x&b=y", f"a={first.appearance_id}", "offset=9999999&a=-1"):
        assert loaded(f"/pieces/{piece.pk}/compare?{bad}")[0].status == 200


def secrets_in(content):
    """Return the words of performers in this text."""
    words = [word for person in PERFORMERS for word in person]
    return {
        word for word in [*words, "/participants/", "/sessions/"] if word in content.replace('href="/participants"', "")
    }


async def test_hidden_names_are_not_sent_before_both_marks():
    piece, entries = await in_thread(compared)
    member = await in_thread(UserFactory)
    path = address(piece, entries, "&names=hidden")
    async with opened_in_a_window(path, user=member) as screen:
        own = screen.received()
        assert "The first" in screen.text
        assert secrets_in(own) == set()
        for place, entry in enumerate(entries):

            def marked(entry=entry):
                with atomic():
                    PieceRatingFactory(entry=entry, user=member, score=20)
                    ratings_announce((member.pk,), (entry.appearance_id,), public=False, waiting=True)

            await in_thread(marked)
            if place == 0:
                await screen.until("The first")
                assert secrets_in(screen.received()) == set()
        await screen.until("Ada Quillfeather")
        await screen.until("Ewa Marmalade")
        assert "does not say who plays" not in screen.text
        await screen.until("You: both 20.")


async def test_hidden_names_are_never_sent_to_anonymous_visitors():
    piece, entries = await in_thread(compared)
    async with opened_in_a_window(address(piece, entries, "&names=hidden"), member=False) as screen:
        assert "Names come back only for members who are signed in." in screen.text
        assert secrets_in(screen.received()) == set()


async def test_changed_rating_has_its_sign_and_is_sent_from_its_side():
    piece, entries = await in_thread(compared)
    member = await in_thread(UserFactory)
    place, mark = entries[0].appearance_id, lambda: PieceRating.objects.get(user=member, piece=piece)

    def rated():
        PieceRatingFactory(entry=entries[0], user=member, score=14)
        PerformanceRatingFactory(appearance_id=place, user=member, comment="A very quiet end.", score=4)
        for entry, score in zip(entries, (17, 20), strict=True):
            PieceRatingFactory(entry=entry, score=score, approved=True)

    def strike(entry, score):
        strikes = Strikes({piece.pk: (score, 0.0)})
        rating_keep(actor=viewer_of(member), appearance_id=entry.appearance_id, strikes=strikes)

    def side(tree, entry):
        return one(tree, "li", key=f"side-{entry.appearance_id}")

    def send(tree, entry):
        return one(side(tree, entry), "button", data_command="rating_send")

    await in_thread(rated)
    async with open_page(address(piece, entries), user=member) as screen:
        assert "Waits for approval" in text(side(screen.tree, entries[0]))
        assert [attributes(send(screen.tree, entry))["hidden"] for entry in entries] == [True, True]
        await in_thread(lambda: strike(entries[0], 16))
        await screen.until("Changed, not sent")
        assert attributes(send(screen.tree, entries[0]))["hidden"] is False
        await in_thread(lambda: strike(entries[1], 12))
        await screen.until("You: Ada Quillfeather 16 to 12. The audience: Ewa Marmalade 20.0 to 17.0.")
        assert attributes(send(screen.tree, entries[1]))["hidden"] is True, "the rest of the rating is missing"
        answer = await command(screen, "rating_send", place)
        assert (answer["ok"], answer["text"]) == (True, SUBMITTED)
        await screen.until("Waits for approval")
        assert (await in_thread(mark)).score == 16
        assert not (await command(screen, "rating_send", entries[1].appearance_id))["ok"]


def test_order_without_names_is_independent_of_the_address():
    piece, (first, second) = compared()

    def shown(*entries):
        main = opened(address(piece, entries, "&names=hidden")).main
        return [attributes(form)["data-draft"] for form in every(main, "form", "rating")]

    assert shown(first, second) == shown(second, first)


def test_query_count_is_independent_of_performances():
    count = 12
    piece, entries = compared()
    for _ in range(count - 2):
        entry_of(piece, PERFORMERS[2])
    member = viewer_of(UserFactory())
    path = address(piece, entries)
    loaded(path)
    with queries_counted(6):  # the piece and its performances, of the page and of its part; the figures of both parts
        loaded(path)
    with queries_counted(9):  # with the member's own marks and states, and without the covered part
        loaded(path, member)
