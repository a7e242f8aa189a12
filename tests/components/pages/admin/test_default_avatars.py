"""Default avatars: both or none, live updates on open pages, permissions, and concurrent edits."""

import pytest

from apps.accounts.models import DefaultAvatars, User
from apps.core.models import AuditEntry
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.seen import attributes, every
from tests.factories import AdminFactory, ParticipantFactory
from tests.screen import Screen, open_page

TAB = "/admin?tab=avatars"
FIRST = {"user_avatar_url": "https://example.org/a.png", "participant_avatar_url": "https://example.org/b.png"}
ACT = "default_avatars_set"
pytestmark = pytest.mark.django_db(transaction=True)


def seen(screen: Screen) -> str:
    """Return the version in the form."""
    (field,) = every(screen.tree, "input", name="version")
    return str(attributes(field)["defaultValue"])


def pictures(screen: Screen) -> set[str]:
    """Return the addresses of all pictures on the page."""
    return {attributes(image)["src"] for image in every(screen.tree, "img")}


async def test_what_is_chosen_is_seen_by_everybody_at_once() -> None:
    halina = await in_thread(AdminFactory)
    await in_thread(lambda: ParticipantFactory(featured=True))
    async with open_page(TAB, user=halina) as screen, open_page("/") as fan:
        answer = await command(screen, ACT, **FIRST, version=seen(screen))
        assert (answer["text"], answer["go"]) == ("Default avatars updated successfully", TAB)
        await fan._until(lambda: FIRST["participant_avatar_url"] in pictures(fan), "no picture")
        await screen.go(TAB)
        assert set(FIRST.values()) <= pictures(screen)
        assert {attributes(field)["defaultValue"] for field in every(screen.tree, "input", inputMode="url")} == set(
            FIRST.values()
        )
    noted = await in_thread(lambda: AuditEntry.objects.get().details)
    assert (noted["before"], noted["after"]) == (dict.fromkeys(FIRST, ""), FIRST)


async def test_without_both_the_drawn_ones_stand_again_everywhere() -> None:
    halina = await in_thread(AdminFactory)
    await in_thread(lambda: DefaultAvatars.objects.create(**FIRST))
    await in_thread(lambda: ParticipantFactory(featured=True))
    async with open_page(TAB, user=halina) as screen, open_page("/") as fan:
        assert FIRST["participant_avatar_url"] in pictures(fan)
        answer = await command(screen, ACT, **dict.fromkeys(FIRST, ""), version=seen(screen))
        assert (answer["ok"], answer["text"]) == (True, "Default avatars updated successfully")
        await fan._until(lambda: FIRST["participant_avatar_url"] not in pictures(fan), "still the picture")
    assert not await in_thread(DefaultAvatars.objects.exists)
    noted = await in_thread(lambda: AuditEntry.objects.get().details)
    assert (noted["before"], noted["after"]) == (FIRST, dict.fromkeys(FIRST, ""))


@pytest.mark.parametrize(
    ("wrong", "field", "sentence"),
    [
        ({"user_avatar_url": " "}, "user_avatar_url", "Both default pictures are needed."),
        ({"participant_avatar_url": ""}, "participant_avatar_url", "Both default pictures are needed."),
        ({"user_avatar_url": "javascript:alert(1)"}, "user_avatar_url", "A picture needs an https:// address"),
        ({"participant_avatar_url": "x" * 2500}, "participant_avatar_url", "Please write at most"),
    ],
)
async def test_what_is_wrong_is_said_and_nothing_is_stored(wrong, field, sentence) -> None:
    halina = await in_thread(AdminFactory)
    async with open_page(TAB, user=halina) as screen:
        answer = await command(screen, ACT, **{**FIRST, **wrong}, version=seen(screen))
    assert (answer["ok"], answer.get("field")) == (False, field)
    assert answer["text"].startswith(sentence)
    assert await in_thread(DefaultAvatars.objects.count) == 0


async def test_the_later_of_two_is_told_and_may_save_again() -> None:
    halina, ignacy = await in_thread(AdminFactory), await in_thread(AdminFactory)
    async with open_page(TAB, user=halina) as first, open_page(TAB, user=ignacy) as second:
        version = seen(second)
        assert (await command(first, ACT, **FIRST, version=seen(first)))["ok"]
        mine = {**FIRST, "user_avatar_url": "https://example.org/c.png"}
        refused = await command(second, ACT, **mine, version=version)
        assert not refused["ok"]
        assert "Picture of listeners was changed meanwhile. It is now “https://example.org/a.png”" in refused["text"]
        assert (await command(second, ACT, **mine, version=refused["version"]))["ok"]
    assert await in_thread(DefaultAvatars.objects.count) == 2


async def test_whoever_is_no_administrator_any_more_chooses_nothing() -> None:
    halina = await in_thread(AdminFactory)
    async with open_page(TAB, user=halina) as screen:
        await in_thread(lambda: User.objects.filter(pk=halina.pk).update(is_admin=False))
        answer = await command(screen, ACT, **FIRST, version=seen(screen))
    assert (answer["ok"], answer["text"]) == (False, "Only administrators choose the default pictures.")
