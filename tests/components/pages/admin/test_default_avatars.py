"""Default avatars, live on open pages, and the preview of a picture before it is saved."""

from apps.accounts.models import DefaultAvatars, User
from apps.core.models import AuditEntry
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.seen import attributes, every, one
from tests.factories import BlogPostFactory, ParticipantFactory
from tests.reading import handlers_of
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


async def test_default_pictures_are_shown_and_removed_at_once(admin: User) -> None:
    await in_thread(lambda: ParticipantFactory(featured=True))
    none = dict.fromkeys(FIRST, "")
    async with open_page(TAB, user=admin) as screen, open_page("/") as fan:
        answer = await command(screen, ACT, **FIRST, version=seen(screen))
        assert (answer["text"], answer["go"]) == ("Default avatars updated successfully", TAB)
        await fan._until(lambda: FIRST["participant_avatar_url"] in pictures(fan), "no picture")
        await screen.go(TAB)
        assert set(FIRST.values()) <= pictures(screen)
        fields = every(screen.tree, "input", inputMode="url")
        assert {attributes(field)["defaultValue"] for field in fields} == set(FIRST.values())
        answer = await command(screen, ACT, **none, version=seen(screen))
        assert (answer["ok"], answer["text"]) == (True, "Default avatars updated successfully")
        await fan._until(lambda: FIRST["participant_avatar_url"] not in pictures(fan), "still the picture")
    entries = await in_thread(lambda: list(AuditEntry.objects.order_by("pk").values_list("details", flat=True)))
    assert [(details["before"], details["after"]) for details in entries] == [(none, FIRST), (FIRST, none)]


STORED, OTHER = "https://example.org/a.png", "/static/b.webp"
UNSHOWABLE = ("", "b.png", "http://example.org/b.png", "javascript:alert(1)", f"https://example.org/{'b' * 2048}")


def previews(screen: Screen) -> list[str]:
    """Return the addresses of the pictures in the page's form."""
    return [attributes(image)["src"] for image in every(one(screen.tree, "form", "form-page"), "img")]


async def leave(screen: Screen, name: str, typed: object, pictures: list[str]) -> None:
    """Leave the field with this value, and wait until the form shows the wanted pictures."""
    ((_, target),) = handlers_of(one(screen.tree, "input", name=name))
    screen._event(target, {"type": "blur", "target": {"value": typed}})
    await screen._until(lambda: previews(screen) == pictures, f"{typed!r} does not show {pictures}")


async def test_pictures_are_previewed_at_their_fields(admin):
    post = await in_thread(lambda: BlogPostFactory(image_url=STORED))
    async with open_page(f"/admin/blog?mode=edit&id={post.pk}", user=admin) as screen:
        assert previews(screen) == [STORED]
        for typed in UNSHOWABLE:
            await leave(screen, "image_url", typed, [])
            await leave(screen, "image_url", f" {OTHER} ", [OTHER])
    pictures = {"user_avatar_url": STORED, "participant_avatar_url": STORED}
    await in_thread(lambda: DefaultAvatars.objects.create(**pictures))
    async with open_page("/admin?tab=avatars", user=admin) as screen:
        assert previews(screen) == [STORED, STORED]
        await leave(screen, "user_avatar_url", OTHER, [OTHER, STORED])
        for typed in UNSHOWABLE:
            await leave(screen, "participant_avatar_url", typed, [OTHER])
            await leave(screen, "participant_avatar_url", OTHER, [OTHER, OTHER])
    zofia = await in_thread(lambda: ParticipantFactory(avatar_url=STORED))
    async with open_page(f"/admin/participants?mode=edit&id={zofia.pk}", user=admin) as screen:
        assert previews(screen) == [STORED]
        await leave(screen, "avatar_url", "", [])
        assert one(screen.tree, "span", "cameo")["children"][0] == "ZW"
        for value in (7, None):
            await leave(screen, "avatar_url", value, [])
        await leave(screen, "avatar_url", OTHER, [OTHER])
