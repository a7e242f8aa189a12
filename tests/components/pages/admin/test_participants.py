"""The administrators' page of participants: its list, form and deletion, and live updates of public pages."""

from apps.competition.models import Participant
from apps.core.threads import in_thread
from tests.commanding import command
from tests.components.pages.checked_commands import succeed
from tests.components.seen import attributes, every, one, opened, text
from tests.factories import AppearanceFactory, ParticipantFactory, viewer_of
from tests.screen import open_page

PEOPLE = "/admin/participants"
ZOFIA = {
    "first_name": "Zofia", "second_name": "Łęcka", "country": "Poland", "biography": "Born in Zamość.",
    "birth_year": "2002", "avatar_url": "",
}  # fmt: skip


def version_in(screen):
    """Return the version of the row in the form."""
    return attributes(one(screen.tree, "input", name="version"))["defaultValue"]


async def test_participant_changes_are_shown_in_all_windows(admin, colleague):
    async with (
        open_page(f"{PEOPLE}?mode=create", user=admin) as writer,
        open_page(PEOPLE, user=colleague) as other,
        open_page("/participants") as reader,
    ):
        assert "No participants yet." in other.text
        answer = await command(writer, "participant_create", **ZOFIA)
        assert (answer["text"], answer["go"]) == ("Participant created successfully", PEOPLE)
        await reader.until("Zofia Łęcka")
        await other.until("Poland · born 2002 Needs Avatar")
        zofia = await in_thread(Participant.objects.get)
        assert (zofia.birth_year, zofia.avatar_url, zofia.featured) == (2002, "", False)
        assert await in_thread(Participant.objects.filter(avatar_url__isnull=True).exists)
        await other.follow("Edit: Zofia Łęcka")
        seen = attributes(one(other.tree, "input", name="version"))["defaultValue"]
        changed = {**ZOFIA, "country": "Czechia", "birth_year": "", "featured": "on", "version": seen}
        answer = await command(other, "participant_update", zofia.pk, **changed)
        assert (answer["text"], answer["go"]) == ("Participant updated successfully", PEOPLE)
        await reader.until("Czechia")
        await writer.go(PEOPLE)
        assert "Czechia Featured Needs Avatar" in writer.text
        await succeed(writer, "participant_delete", zofia.pk, "Participant deleted successfully")
        await reader.until_gone("Zofia Łęcka")
        await writer.until("No participants yet.")


async def test_family_name_comes_first_if_ticked(admin):
    kanade = await in_thread(
        lambda: ParticipantFactory(first_name="Kanade", second_name="Himuro", name="Himuro Kanade")
    )
    async with open_page(f"{PEOPLE}?mode=edit&id={kanade.pk}", user=admin) as screen:
        box = attributes(one(screen.tree, "input", name="family_first"))
        assert box["defaultChecked"] is True
        typed = {**ZOFIA, "first_name": "Kana", "second_name": "Himuro"}
        seen = version_in(screen)
        assert (await command(screen, "participant_update", kanade.pk, **typed, version=seen, family_first="on"))["ok"]
        await in_thread(kanade.refresh_from_db)
        assert kanade.name == "Himuro Kana"
        await screen.load(f"{PEOPLE}?mode=edit&id={kanade.pk}")
        seen = version_in(screen)
        assert (await command(screen, "participant_update", kanade.pk, **typed, version=seen))["ok"]
        await in_thread(kanade.refresh_from_db)
        assert kanade.name == "Kana Himuro"


async def test_all_errors_are_reported_at_once(admin):
    zofia = await in_thread(ParticipantFactory)
    wrong = {"first_name": "", "birth_year": "abc", "avatar_url": "portrait"}
    async with open_page(f"{PEOPLE}?mode=edit&id={zofia.pk}", user=admin) as screen:
        version = version_in(screen)
        created = await command(screen, "participant_create", **{**ZOFIA, **wrong})
        updated = await command(screen, "participant_update", zofia.pk, **{**ZOFIA, **wrong}, version=version)
    for answer in (created, updated):
        assert answer["errors"].keys() == wrong.keys()
        assert answer["errors"]["birth_year"] == "Please write the birth year in digits, such as 1999."


def test_address_filters_the_list(admin):
    ParticipantFactory(first_name="Zofia", second_name="Łęcka", avatar_url="https://example.org/z.png")
    ParticipantFactory(first_name="Kanade", second_name="Himuro", country="Japan")
    for address, names in (
        ("", ["Kanade Himuro", "Zofia Łęcka"]),
        ("?q=lecka+zof", ["Zofia Łęcka"]),
        ("?country=Japan", ["Kanade Himuro"]),
        ("?missing=1", ["Kanade Himuro"]),
        ("?country=Atlantis&page=9", ["Kanade Himuro", "Zofia Łęcka"]),
        ("?missing=1&country=Poland", []),
    ):
        seen = opened(PEOPLE + address, viewer_of(admin))
        assert [text(heading) for heading in every(one(seen.main, look="listed"), "h2")] == names, address
    assert "No participants found matching your criteria." in text(seen.main)
    assert attributes(one(seen.main, "input", name="missing"))["defaultChecked"] is True


def test_form_shows_stored_values_and_known_countries(admin):
    zofia = ParticipantFactory(first_name="Zofia", second_name="Łęcka", birth_year=None, featured=True)
    form = one(opened(f"{PEOPLE}?mode=edit&id={zofia.pk}", viewer_of(admin)).main, "form")
    fields = {attributes(node)["name"]: attributes(node) for tag in ("input", "textarea") for node in every(form, tag)}
    values = {name: field.get("defaultValue", field.get("defaultChecked")) for name, field in fields.items()}
    del values["version"]
    empty = {"name_local": "", "birth_year": "", "start_number": ""}
    assert values == {**ZOFIA, **empty, "family_first": False, "featured": True}
    assert [attributes(option)["value"] for option in every(form, "option")] == ["Poland"]
    assert [text(button) for button in every(form, "button")] == ["Update Participant"]
    missing = opened(f"{PEOPLE}?mode=edit&id=999", viewer_of(admin))
    assert (missing.page.status, text(one(missing.main, "h1"))) == (404, "Participant not found.")


def test_session_is_chosen_for_the_export(admin):
    appearance = AppearanceFactory()
    form = one(opened(PEOPLE, viewer_of(admin)).main, "form", action="/participant-file")
    assert attributes(form)["method"] == "get"
    assert [attributes(option)["value"] for option in every(form, "option")] == [str(appearance.session_id)]
