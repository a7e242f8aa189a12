"""Users and participants without a picture show the default avatar; open pages follow its change."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.accounts.services.profile import default_avatars_set
from apps.core.threads import in_thread
from components.parts.home.sections import featured_participants
from tests.components.seen import attributes, every, opened
from tests.factories import ParticipantFactory
from tests.reading import walk
from tests.screen import open_page

USER, PARTICIPANT = "https://example.org/user.png", "https://example.org/participant.png"


def choose() -> None:
    default_avatars_set(actor=OPERATOR, user_avatar_url=USER, participant_avatar_url=PARTICIPANT)


def pictures(model) -> list[str]:
    return [attributes(node)["src"] for node in walk(model) if node["tagName"] == "img"]


@pytest.mark.django_db
def test_a_missing_picture_is_the_default_one_and_a_given_one_stays():
    ParticipantFactory(second_name="A", featured=True)
    ParticipantFactory(second_name="B", featured=True, avatar_url="https://example.org/own.png")
    assert pictures(opened("/").model) == ["https://example.org/own.png"]
    choose()
    seen = opened("/")
    assert sorted(pictures(seen.model)) == ["https://example.org/own.png", PARTICIPANT]
    assert all(image["attributes"]["loading"] == "lazy" for image in every(seen.model, "img"))


@pytest.mark.django_db(transaction=True)
async def test_another_default_picture_is_seen_at_once():
    await in_thread(lambda: ParticipantFactory(featured=True))
    async with open_page("/") as screen:
        assert pictures(screen.tree) == []
        await in_thread(choose)
        await screen._until(lambda: pictures(screen.tree) == [PARTICIPANT], "no picture")


def test_every_part_follows_the_default_pictures():
    assert "default_avatars" in featured_participants(language="en").topics
