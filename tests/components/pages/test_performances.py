"""The performances on a participant's page: sections, videos, rating forms and figures."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.actors import ANONYMOUS, OPERATOR
from apps.competition.models import Session
from apps.core.threads import in_thread
from apps.ratings.enums import RatingKind
from apps.ratings.services.moderation import mark_approve
from project.process.web_process import process
from tests.components.conftest import busy_session_with
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import (
    EVENING,
    AppearanceFactory,
    ParticipantFactory,
    PerformanceRatingFactory,
    PieceRatingFactory,
    UserFactory,
    viewer_of,
)
from tests.screen import open_page


@pytest.mark.django_db
def test_performance_has_session_video_and_a_field_for_each_piece():
    appearance = busy_session_with(1, is_live=False).appearances[0]
    seen = opened(f"/participants/{appearance.participant_id}")
    assert text(every(seen.main, "h2")[0]) == "Stage I, evening session"
    assert attributes(one(every(seen.main, "h2")[0], "a"))["href"] == f"/sessions/{appearance.session_id}"
    assert "first to play" in text(seen.main)
    poster = one(seen.main, "a", "video__poster")
    assert attributes(poster)["href"] == f"/sessions/{appearance.session_id}?watch=session#stage-video"
    entries = list(appearance.program.order_by("order_number"))
    watched = [f"{appearance.pk}:{entry.pk}" for entry in entries]
    for place in (one(seen.main, look="heard__items"), one(seen.main, "form", "rating")):
        assert [attributes(link)["data-argument"] for link in every(place, "a", "watch")] == watched
    ranges = every(seen.main, "input", type="range")
    assert [attributes(field)["name"] for field in ranges] == [f"piece-{entry.piece_id}" for entry in entries]
    form = one(seen.main, "form", "rating")
    assert (attributes(form)["data-draft"], attributes(form)["data-command"]) == (
        f"rating:{appearance.pk}",
        "ratings_submit",
    )


async def test_watch_plays_one_video_at_a_time():
    appearance = await in_thread(lambda: busy_session_with(1, is_live=False).appearances[0])
    address = f"/participants/{appearance.participant_id}"
    second = await in_thread(lambda: earlier(appearance))
    entries = await in_thread(lambda: list(appearance.program.order_by("order_number").values_list("pk", flat=True)))
    async with open_page(f"{address}?open={second.pk}") as screen:
        forms = len(str(screen.model))
        screen.act("watch", f"{appearance.pk}:{entries[1]}")
        await screen._until(lambda: every(screen.tree, "iframe", id=f"video-{appearance.pk}"), "no video")
        assert "start=90" in attributes(one(screen.tree, "iframe"))["src"]
        assert len(str(screen.frames[-1])) < forms / 10, "more than the video was sent"
        for argument in ("", "x", f"{appearance.pk}:999999", "999999:"):
            screen.act("watch", argument)
        screen.act("watch", f"{appearance.pk}:")
        await screen._until(lambda: seek_counts(screen) == [2, 0], "the video does not seek")
        screen.act("watch", f"{second.pk}:")
        await screen._until(lambda: every(screen.tree, "iframe", id=f"video-{second.pk}"), "no other video")
        await screen._until(lambda: len(every(screen.tree, "iframe")) == 1, "two videos play")


def earlier(appearance, title="Preliminary Round"):
    """Create a performance of the same participant, three days earlier."""
    before = appearance.session.starts_at - timedelta(days=3)
    return AppearanceFactory(participant=appearance.participant, session__title=title, session__starts_at=before)


def seek_counts(screen):
    """Return how many seeks each player has received, largest first."""
    players = [node for node in every(screen.tree) if node["tagName"] == "Player"]
    return sorted((attributes(node)["seeks"] for node in players), reverse=True)


def test_rating_form_needs_a_performance_with_a_program(db):
    without_program = opened(f"/participants/{AppearanceFactory().participant_id}").main
    assert not every(without_program, "form", "rating")
    assert "The program is not known yet." in text(without_program)
    without_performance = opened(f"/participants/{ParticipantFactory().pk}").main
    assert text(one(without_performance, look="empty")) == "No performances yet."
    assert not every(without_performance, "form")


def sections(shown):
    """Return whether each performance is open, by its element's id, in page order."""
    return {
        attributes(section)["id"]: bool(every(section, look="body"))
        for section in every(shown, "section", "performance")
    }


def test_earlier_performances_are_closed_lines_with_addresses(db):
    newest = busy_session_with(1, is_live=False).appearances[0]
    old, ahead = earlier(newest), AppearanceFactory(participant=newest.participant, session__starts_at=EVENING)
    address = f"/participants/{newest.participant_id}"
    ids = [f"performance-{appearance.pk}" for appearance in (ahead, newest, old)]
    seen = opened(address)
    assert sections(seen.main) == dict(zip(ids, (True, True, False), strict=True))
    link = one(one(seen.main, id=ids[2]), "a")
    assert (text(link), attributes(link)["aria-expanded"]) == ("Preliminary Round", "false")
    assert attributes(link)["href"] == f"{address}?open={old.pk}#{ids[2]}"
    assert sections(opened(f"{address}?open={old.pk}").main) == dict.fromkeys(ids, True)
    for nonsense in ("x", "0", "999999", "²"):
        assert not sections(opened(f"{address}?open={nonsense}").main)[ids[2]]
    coming = one(seen.main, id=ids[0])
    assert not every(coming, "form")
    assert not every(coming, "button", "vote")
    assert not every(coming, "a", "video__poster")


async def test_line_opens_in_place_for_one_viewer():
    newest = await in_thread(lambda: busy_session_with(1, is_live=False).appearances[0])
    old = await in_thread(lambda: earlier(newest))
    address, name = f"/participants/{newest.participant_id}", f"performance-{old.pk}"
    async with open_page(address) as screen, open_page(address) as other:
        for nonsense in ("", "x", "999999", f"{newest.pk}"):
            screen.act("performance_open", nonsense)
        screen.act("performance_open", f"{old.pk}")
        await screen._until(lambda: sections(screen.tree)[name], "it did not open")
        rating = await in_thread(lambda: PerformanceRatingFactory(appearance=old, comment="As then."))
        await in_thread(lambda: mark_approve(actor=OPERATOR, kind=RatingKind.PERFORMANCE, mark_id=rating.pk))
        await screen.until("As then.")
        assert not sections(other.tree)[name]
        screen.act("performance_open", f"{old.pk}")
        await screen._until(lambda: not sections(screen.tree)[name], "it did not close")
        assert sections(screen.tree)[f"performance-{newest.pk}"]


def test_form_and_figures_depend_on_the_viewer(db):
    appearance = busy_session_with(1, is_live=False).appearances[0]
    PieceRatingFactory(entry=appearance.program.first(), approved=True, score=20)
    address = f"/participants/{appearance.participant_id}"
    anonymous = opened(address).main
    assert text(every(one(anonymous, "details", "performance__rate"), "summary")[0]).startswith("Rate this performance")
    assert "open" not in attributes(one(anonymous, "details", "performance__rate"))
    assert "average 20.0" in text(one(anonymous, look="performance__heard"))
    member = opened(address, viewer=viewer_of(UserFactory())).main
    assert not every(member, "details", "performance__rate")
    assert not every(member, look="performance__heard")
    assert len(every(one(member, "form", "rating"), "input", type="range")) == 2
    address, fan = f"/participants/{appearance.participant_id}", UserFactory()

    def shown(viewer=ANONYMOUS):
        return "average 20.0 of 25" in text(one(opened(f"{address}?tab=ratings", viewer).main, look="together"))

    assert shown()
    assert not shown(viewer=viewer_of(fan))
    PerformanceRatingFactory(appearance=appearance, user=fan)
    assert shown(viewer=viewer_of(fan))


@pytest.mark.parametrize("is_member", [False, True])
async def test_open_page_follows_a_start_by_the_clock(is_member):
    def to_come():
        appearance = busy_session_with(1, is_live=False).appearances[0]
        Session.objects.update(starts_at=timezone.now() + timedelta(hours=2))
        return appearance, UserFactory() if is_member else None

    appearance, user = await in_thread(to_come)
    async with open_page(f"/participants/{appearance.participant_id}", user=user) as screen:
        await screen.until("You can rate once it begins.")
        assert not every(screen.tree, "a", "video__poster")
        assert not every(screen.tree, "input", type="range")
        # Let the start time pass, without a write that publishes an event.
        await in_thread(lambda: Session.objects.update(starts_at=timezone.now()))
        await process._begun_tell()
        await screen.until("Should ")
        await screen._until(lambda: every(screen.tree, "a", "video__poster"), "no video")
        await screen._until(lambda: len(every(screen.tree, "input", type="range")) == 2, "no keys")
        await screen.until_gone("You can rate once it begins.")


async def test_started_performance_is_not_announced_again(monkeypatch):
    appearance = await in_thread(lambda: busy_session_with(1, is_live=False).appearances[0])
    topics = []
    async with open_page(f"/participants/{appearance.participant_id}"):
        monkeypatch.setattr(process.bus, "notify_listeners", topics.append)
        await process._begun_tell()
        assert topics == [], "it began long ago"
        monkeypatch.setattr("project.process.web_process.sessions_begun", lambda **_: 1 / 0)
        await process._begun_tell()
        assert topics == []
