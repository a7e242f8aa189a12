"""What a participant's page shows of each performance, and the videos on it."""

import pytest

from apps.core.threads import in_thread
from tests.components.conftest import evening_with
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AppearanceFactory, ParticipantFactory
from tests.screen import open_page

live = pytest.mark.django_db(transaction=True)


@pytest.mark.django_db
def test_every_performance_has_its_session_its_video_and_a_control_for_each_piece():
    appearance = evening_with(1, is_live=False).appearances[0]
    seen = opened(f"/participants/{appearance.participant_id}")
    assert text(every(seen.main, "h2")[0]) == "Stage I, evening session"
    assert attributes(one(every(seen.main, "h2")[0], "a"))["href"] == f"/sessions/{appearance.session_id}"
    assert "No. 1 in the order of playing" in text(seen.main)
    poster = one(seen.main, "a", "video__poster")
    assert attributes(poster)["href"] == f"/sessions/{appearance.session_id}?watch=session#stage-video"
    entries = list(appearance.program.order_by("order_number"))
    watch = every(seen.main, "a", "watch")
    assert [attributes(each)["data-argument"] for each in watch] == [f"{appearance.pk}:{entry.pk}" for entry in entries]
    ranges = every(seen.main, "input", type="range")
    assert [attributes(each)["name"] for each in ranges] == [f"piece-{entry.piece_id}" for entry in entries]
    form = one(seen.main, "form", "rating")
    assert (attributes(form)["data-draft"], attributes(form)["data-command"]) == (
        f"rating:{appearance.pk}",
        "ratings_submit",
    )


@live
async def test_watch_plays_here_and_one_video_at_a_time():
    appearance = await in_thread(lambda: evening_with(1, is_live=False).appearances[0])
    address = f"/participants/{appearance.participant_id}"
    second = await in_thread(lambda: AppearanceFactory(participant=appearance.participant, session__title="Stage II"))
    entries = await in_thread(lambda: list(appearance.program.order_by("order_number").values_list("pk", flat=True)))
    async with open_page(address) as screen:
        forms = len(str(screen.model))
        screen.act("watch", f"{appearance.pk}:{entries[1]}")
        await screen._until(lambda: every(screen.tree, "iframe", id=f"video-{appearance.pk}"), "no video")
        assert "start=90" in attributes(one(screen.tree, "iframe"))["src"]
        assert len(str(screen.frames[-1])) < forms / 10, "more than the video was sent"
        for argument in ("", "x", f"{appearance.pk}:999999", "999999:"):
            screen.act("watch", argument)
        screen.act("watch", f"{appearance.pk}:")
        await screen._until(lambda: turns(screen) == [2, 0], "the wish was not heard")
        screen.act("watch", f"{second.pk}:")
        await screen._until(lambda: every(screen.tree, "iframe", id=f"video-{second.pk}"), "no other video")
        await screen._until(lambda: len(every(screen.tree, "iframe")) == 1, "two videos play")


def turns(screen):
    """How many wishes each performance's player has heard, in the order of the page."""
    players = [node for node in every(screen.tree) if node["tagName"] == "Player"]
    return sorted((attributes(node)["seeks"] for node in players), reverse=True)


def test_no_rating_form_without_a_program(db):
    appearance = AppearanceFactory()
    seen = opened(f"/participants/{appearance.participant_id}")
    assert not every(seen.main, "form", "rating")
    assert "The program is not known yet." in text(seen.main)


def test_without_performances_there_is_nothing_to_rate(db):
    seen = opened(f"/participants/{ParticipantFactory().pk}")
    assert text(one(seen.main, look="empty")) == "No performances yet."
    assert not every(seen.main, "form")
