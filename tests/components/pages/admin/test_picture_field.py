"""The picture field previews an address before it is saved; an invalid address has no preview."""

from apps.accounts.models import DefaultAvatars
from apps.core.threads import in_thread
from tests.components.seen import attributes, every, one
from tests.factories import BlogPostFactory, ParticipantFactory
from tests.reading import handlers_of
from tests.screen import Screen, open_page

STORED, OTHER = "https://example.org/a.png", "/static/b.webp"
UNSHOWABLE = ("", "b.png", "http://example.org/b.png", "javascript:alert(1)", f"https://example.org/{'b' * 2048}")


def shown(screen: Screen) -> list[str]:
    """Return the addresses of the pictures in the page's form."""
    return [attributes(image)["src"] for image in every(one(screen.tree, "form", "form-page"), "img")]


async def leave(screen: Screen, name: str, typed: object, pictures: list[str]) -> None:
    """Leave the field with this value, and wait until the form shows the wanted pictures."""
    ((_, target),) = handlers_of(one(screen.tree, "input", name=name))
    screen._event(target, {"type": "blur", "target": {"value": typed}})
    await screen._until(lambda: shown(screen) == pictures, f"{typed!r} does not show {pictures}")


async def test_picture_of_a_post_follows_its_address(admin):
    post = await in_thread(lambda: BlogPostFactory(image_url=STORED))
    async with open_page(f"/admin/blog?mode=edit&id={post.pk}", user=admin) as screen:
        assert shown(screen) == [STORED]
        for typed in UNSHOWABLE:
            await leave(screen, "image_url", typed, [])
            await leave(screen, "image_url", f" {OTHER} ", [OTHER])


async def test_default_pictures_are_previewed_at_their_fields(admin):
    pictures = {"user_avatar_url": STORED, "participant_avatar_url": STORED}
    await in_thread(lambda: DefaultAvatars.objects.create(**pictures))
    async with open_page("/admin?tab=avatars", user=admin) as screen:
        assert shown(screen) == [STORED, STORED]
        await leave(screen, "user_avatar_url", OTHER, [OTHER, STORED])
        for typed in UNSHOWABLE:
            await leave(screen, "participant_avatar_url", typed, [OTHER])
            await leave(screen, "participant_avatar_url", OTHER, [OTHER, OTHER])


async def test_participant_without_a_picture_has_initials(admin):
    zofia = await in_thread(lambda: ParticipantFactory(avatar_url=STORED))
    async with open_page(f"/admin/participants?mode=edit&id={zofia.pk}", user=admin) as screen:
        assert shown(screen) == [STORED]
        await leave(screen, "avatar_url", "", [])
        assert one(screen.tree, "span", "cameo")["children"][0] == "ZW"
        for value in (7, None):
            await leave(screen, "avatar_url", value, [])
        await leave(screen, "avatar_url", OTHER, [OTHER])
