"""Users and participants without a picture show the default avatar; open pages follow its change."""

import pytest

from apps.accounts.actors import OPERATOR
from apps.accounts.services.profile import default_avatars_set
from apps.core.threads import in_thread
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
def test_missing_picture_is_the_default_avatar():
    ParticipantFactory(second_name="A", featured=True)
    ParticipantFactory(second_name="B", featured=True, avatar_url="https://example.org/own.png")
    assert pictures(opened("/").model) == ["https://example.org/own.png"]
    choose()
    seen = opened("/")
    assert sorted(pictures(seen.model)) == ["https://example.org/own.png", PARTICIPANT]
    assert all(image["attributes"]["loading"] == "lazy" for image in every(seen.model, "img"))


@pytest.mark.django_db(transaction=True)
async def test_changed_default_avatar_reaches_open_pages():
    await in_thread(lambda: ParticipantFactory(featured=True))
    async with open_page("/") as screen:
        assert pictures(screen.tree) == []
        await in_thread(choose)
        await screen._until(lambda: pictures(screen.tree) == [PARTICIPANT], "no picture")
