"""Default avatars: both or none, live updates on open pages, wrong values, and concurrent edits."""

from apps.accounts.models import DefaultAvatars, User
from apps.core.models import AuditEntry
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.checked_commands import check_refusals
from tests.components.seen import attributes, every
from tests.factories import AdminFactory, ParticipantFactory
from tests.screen import Screen, open_page

TAB = "/admin?tab=avatars"
FIRST = {"user_avatar_url": "https://example.org/a.png", "participant_avatar_url": "https://example.org/b.png"}
ACT = "default_avatars_set"


def seen(screen: Screen) -> str:
    """Return the version in the form."""
    (field,) = every(screen.tree, "input", name="version")
    return str(attributes(field)["defaultValue"])


def pictures(screen: Screen) -> set[str]:
    """Return the addresses of all pictures on the page."""
    return {attributes(image)["src"] for image in every(screen.tree, "img")}


async def test_chosen_default_pictures_are_shown_at_once(admin: User) -> None:
    await in_thread(lambda: ParticipantFactory(featured=True))
    async with open_page(TAB, user=admin) as screen, open_page("/") as fan:
        answer = await command(screen, ACT, **FIRST, version=seen(screen))
        assert (answer["text"], answer["go"]) == ("Default avatars updated successfully", TAB)
        await fan._until(lambda: FIRST["participant_avatar_url"] in pictures(fan), "no picture")
        await screen.go(TAB)
        assert set(FIRST.values()) <= pictures(screen)
        assert {attributes(field)["defaultValue"] for field in every(screen.tree, "input", inputMode="url")} == set(
            FIRST.values()
        )
    details = await in_thread(lambda: AuditEntry.objects.get().details)
    assert (details["before"], details["after"]) == (dict.fromkeys(FIRST, ""), FIRST)


async def test_removed_default_pictures_are_drawn_again(admin: User) -> None:
    await in_thread(lambda: DefaultAvatars.objects.create(**FIRST))
    await in_thread(lambda: ParticipantFactory(featured=True))
    async with open_page(TAB, user=admin) as screen, open_page("/") as fan:
        assert FIRST["participant_avatar_url"] in pictures(fan)
        answer = await command(screen, ACT, **dict.fromkeys(FIRST, ""), version=seen(screen))
        assert (answer["ok"], answer["text"]) == (True, "Default avatars updated successfully")
        await fan._until(lambda: FIRST["participant_avatar_url"] not in pictures(fan), "still the picture")
    assert not await in_thread(DefaultAvatars.objects.exists)
    details = await in_thread(lambda: AuditEntry.objects.get().details)
    assert (details["before"], details["after"]) == (FIRST, dict.fromkeys(FIRST, ""))


async def test_invalid_default_pictures_are_refused_at_their_fields() -> None:
    cases = (
        ({"user_avatar_url": " "}, "user_avatar_url", "Both default pictures are needed.…"),
        ({"participant_avatar_url": ""}, "participant_avatar_url", "Both default pictures are needed.…"),
        ({"user_avatar_url": "javascript:alert(1)"}, "user_avatar_url", "A picture needs an https:// address…"),
        ({"participant_avatar_url": "x" * 2500}, "participant_avatar_url", "Please write at most…"),
    )
    async with open_page(TAB, user=await in_thread(AdminFactory)) as screen:
        await check_refusals(screen, ACT, "", cases, FIRST | {"version": seen(screen)})
    assert await in_thread(DefaultAvatars.objects.count) == 0


async def test_concurrent_edit_of_default_pictures_is_a_conflict(admin: User, colleague: User) -> None:
    async with open_page(TAB, user=admin) as first, open_page(TAB, user=colleague) as second:
        version = seen(second)
        assert (await command(first, ACT, **FIRST, version=seen(first)))["ok"]
        own_fields = {**FIRST, "user_avatar_url": "https://example.org/c.png"}
        refused = await command(second, ACT, **own_fields, version=version)
        assert not refused["ok"]
        assert "Picture of listeners was changed meanwhile. It is now “https://example.org/a.png”" in refused["text"]
        assert (await command(second, ACT, **own_fields, version=refused["version"]))["ok"]
    assert await in_thread(DefaultAvatars.objects.count) == 2
