"""The profile's section "Notifications": what is stored, saved by a command, merged between two windows, refused."""

from apps.core.threads import in_thread
from apps.notifications.models import NotificationPreference
from apps.notifications.selectors.preferences import preferences_get
from apps.notifications.zones import zone_names
from tests.commanding import command
from tests.components.pages.checked_commands import UNREADABLE, check_refusals
from tests.components.seen import attributes, every, one, text
from tests.factories import MemberFactory
from tests.screen import Screen, open_page

ACT = "notifications_choose"
KINDS = ("soon", "now", "moved", "advanced")


def choices(screen: Screen):
    return one(screen.tree, "section", id="notifications")


def version(screen: Screen) -> str:
    return str(attributes(one(choices(screen), "input", name="version"))["defaultValue"])


def ticked(screen: Screen) -> list[str]:
    boxes = [attributes(box) for box in every(choices(screen), "input", type="checkbox")]
    assert [box["name"] for box in boxes] == list(KINDS)
    return [box["name"] for box in boxes if box["defaultChecked"]]


def typed(**more: str) -> dict[str, str]:
    """Return the fields of the form as it is before the first choice, with these changes."""
    return {"soon": "on", "now": "on", "moved": "on", "mail": "never", "mail_hour": "8", "time_zone": ""} | more


async def test_defaults_and_the_browsers_time_zone_are_offered_first():
    fan = await in_thread(MemberFactory)
    async with open_page("/profile", user=fan) as screen:
        assert ticked(screen) == ["soon", "now", "moved"]
        section = choices(screen)
        assert attributes(one(section, "input", id="notify-mail-never"))["defaultChecked"]
        assert len(every(section, "BrowserZone")) == 1
        assert "performers that you follow" in {text(link) for link in every(section, "a", href="/following")}
        options = {attributes(option)["value"] for option in every(one(section, "select", name="time_zone"), "option")}
        assert options == {"", *zone_names()}
        assert "Two performers before, or 15 minutes before a planned time while the session is live." in text(section)
        assert "not yet" not in text(section)
        answer = await command(screen, ACT, **typed(version=version(screen), time_zone="Asia/Tokyo"))
        assert (answer["text"], answer["go"]) == ("Notifications saved.", "/profile")
        await screen.go("/profile")
        assert attributes(one(choices(screen), "select", name="time_zone"))["defaultValue"] == "Asia/Tokyo"
        assert not every(choices(screen), "BrowserZone")


async def test_unconfirmed_address_has_a_notice(fan):
    async with open_page("/profile", user=fan) as screen:
        assert "E-mails begin when your address is confirmed: it is not yet." in text(choices(screen))


async def test_saved_choices_are_shown_with_a_version():
    fan = await in_thread(MemberFactory)
    fields = {"advanced": "on", "mail": "daily", "mail_hour": "21", "quiet_from": "22:00", "quiet_until": "07:30"}
    async with open_page("/profile", user=fan) as screen:
        before = version(screen)
        assert (await command(screen, ACT, **fields, version=before))["ok"]
        await screen.go("/profile")
        assert version(screen) != before
        assert ticked(screen) == ["advanced"]
        shown = {
            attributes(field)["name"]: attributes(field)["defaultValue"]
            for name in ("quiet_from", "quiet_until", "mail_hour")
            for field in (*every(choices(screen), "input", name=name), *every(choices(screen), "select", name=name))
        }
        assert shown == {"quiet_from": "22:00", "quiet_until": "07:30", "mail_hour": "21"}
        assert attributes(one(choices(screen), "input", id="notify-mail-daily"))["defaultChecked"]


async def test_concurrent_choices_are_merged_or_a_conflict():
    fan = await in_thread(MemberFactory)
    async with open_page("/profile", user=fan) as first, open_page("/profile", user=fan) as second:
        read = version(second)
        assert (await command(first, ACT, **typed(version=version(first), mail="daily", advanced="on")))["ok"]
        assert version(second) == read, "no change of another window replaces what is typed"
        merged = await command(second, ACT, **typed(version=read, time_zone="Asia/Tokyo"))
        assert merged["text"].endswith("Advances to the next stage, E-mail.")
        now = await in_thread(lambda: preferences_get(user_id=fan.pk))
        assert (now.mail, now.advanced, now.time_zone) == ("daily", True, "Asia/Tokyo")
        refused = await command(second, ACT, **typed(version=read, mail="at_once", time_zone="Asia/Tokyo"))
        assert not refused["ok"]
        assert refused["text"].startswith("E-mail was changed meanwhile. It is now “Once a day”.")
        again = await command(second, ACT, **typed(version=refused["version"], mail="at_once", time_zone="Asia/Tokyo"))
        assert again["ok"]
    assert (await in_thread(lambda: preferences_get(user_id=fan.pk))).mail == "at_once"


async def test_invalid_choices_are_refused_at_their_fields():
    cases = (
        ({"time_zone": "Europe/Krakow"}, "time_zone", "There is no time zone of this name.…"),
        ({"time_zone": "x" * 65}, "time_zone", "Please write at most 64 characters.…"),
        ({"quiet_from": "22:00"}, "quiet_until", "Quiet hours need a beginning and an end.…"),
        ({"quiet_from": "half past ten", "quiet_until": "07:00"}, "quiet_from", "Please give a time of day…"),
        ({"mail_hour": "24"}, "mail_hour", "Please give a whole number from 0 to 23.…"),
        ({"mail": "weekly"}, None, UNREADABLE),
    )
    async with open_page("/profile", user=await in_thread(MemberFactory)) as screen:
        await check_refusals(screen, ACT, "", cases, typed(version=version(screen)))
    assert await in_thread(NotificationPreference.objects.count) == 0
